package redemptions

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/jobs"
	"kaibao/internal/policy"
)

// resealBatchSize is how many addresses are re-encrypted per transaction.
const resealBatchSize = 200

// Jobs returns the jobs that delete expired addresses and re-encrypt addresses still under an older
// key, such as those written by a node that did not have the new key yet.
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

// Check fails if stored addresses are encrypted with a key that the keyring lacks.
func (r Keyring) Check(ctx context.Context, d *db.DB) error {
	keys, err := r.keys()
	if err != nil {
		return err
	}
	return d.Read(ctx, func(tx *db.Tx) error {
		used, err := loadUsedKeyIDs(tx)
		for _, id := range used {
			if !hasKey(keys, id) {
				return fmt.Errorf("addresses are encrypted with the key %s, which is missing in address.key and KAIBAO_ADDRESS_KEYS: restore it", id)
			}
		}
		return err
	})
}

func hasKey(keys []key, id string) bool {
	for _, k := range keys {
		if k.id == id {
			return true
		}
	}
	return false
}

// Reseal re-encrypts every address that uses an older key with the newest one, and returns their number.
// Its transactions are small, so that they don't block others for long.
func Reseal(ctx context.Context, d *db.DB, r Keyring) (total int64, err error) {
	keys, err := r.keys()
	if err != nil {
		return 0, err
	}
	for {
		var count int
		err := d.InTx(ctx, func(tx *db.Tx) error {
			addresses, err := lockAddressesUnderOtherKeys(tx, keys[0].id, resealBatchSize)
			if err != nil {
				return err
			}
			count = len(addresses)
			for i, s := range addresses {
				text, err := openSealed(keys, s)
				if err != nil {
					return err
				}
				addresses[i] = keys[0].seal(s.claimID, text)
			}
			return updateAddresses(tx, addresses)
		})
		total += int64(count)
		if err != nil || count < resealBatchSize {
			return total, err
		}
	}
}
