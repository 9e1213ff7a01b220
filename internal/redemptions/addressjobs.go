package redemptions

import (
	"cmp"
	"context"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/jobs"
	"kaibao/internal/keyring"
	"kaibao/internal/policy"
)

// resealBatchSize is how many addresses are re-encrypted per transaction.
const resealBatchSize = 200

// Jobs returns the jobs that delete expired addresses and re-encrypt addresses still under an older
// key, such as those of a restored backup.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{
		jobs.Pruning(s.DB, "old addresses", func(tx *db.Tx, limit int) (int64, error) {
			// Rows have the time that follows from the default, so that the setting counts for all.
			return deleteExpiredAddresses(tx, tx.Now.Add(policy.AddressKept-s.addressKept()), limit)
		}),
		{Name: "addresses under older keys", Every: time.Hour, Limit: time.Hour, Do: func(ctx context.Context) (int64, error) {
			_, err := Reseal(ctx, s.DB, s.Keys)
			return 0, err
		}},
	}
}

func (s *Service) addressKept() time.Duration { return cmp.Or(s.AddressKept, policy.AddressKept) }

// UsedKeys returns the fingerprints of the keys that stored addresses are encrypted with.
func UsedKeys(tx *db.Tx) ([]string, error) { return loadUsedKeyIDs(tx) }

// Reseal encrypts every address that uses an older key with the one that encrypts new addresses, and
// returns their number. Its transactions are small, so that they don't block others for long. It
// skips addresses that others are changing.
func Reseal(ctx context.Context, d *db.DB, keys *keyring.Ring) (total int64, err error) {
	for {
		var count int
		var more bool
		err := d.InTx(ctx, func(tx *db.Tx) (err error) {
			count, more, err = resealSome(tx, keys)
			return err
		})
		total += int64(count)
		if err != nil || !more {
			return total, err
		}
	}
}

// resealSome encrypts at most resealBatchSize addresses. It returns their number, and whether there
// may be more.
func resealSome(tx *db.Tx, keys *keyring.Ring) (count int, more bool, err error) {
	key, err := keys.QueueSealing(tx)()
	if err != nil {
		return 0, false, err
	}
	addresses, err := lockAddressesUnderOtherKeys(tx, key.Fingerprint, resealBatchSize)
	if err != nil {
		return 0, false, err
	}
	// If a rotation has begun since, the locked addresses may already use its key.
	if now, err := keys.QueueSealing(tx)(); err != nil || now.Fingerprint != key.Fingerprint {
		return 0, true, err
	}
	for i, s := range addresses {
		text, err := openSealed(keys, s)
		if err != nil {
			return 0, false, err
		}
		addresses[i] = sealText(key, s.claimID, text)
	}
	return len(addresses), len(addresses) == resealBatchSize, updateAddresses(tx, addresses)
}

// CountAddresses returns how many addresses are encrypted with each key, by fingerprint.
func CountAddresses(tx *db.Tx) (map[string]int64, error) { return countByKey(tx) }
