package redemptions

import (
	"context"
	"fmt"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/jobs"
)

// portion is how many addresses are re-encrypted per transaction.
const portion = 200

// Jobs returns the jobs that delete expired addresses and re-encrypt addresses still under an older
// key, such as those written by a node that did not have the new key yet.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{
		jobs.Pruning(s.DB, "old addresses", forget),
		{Name: "addresses under older keys", Every: time.Hour, Limit: time.Hour, Do: func(ctx context.Context) (int64, error) {
			_, err := Reseal(ctx, s.DB, s.Keys)
			return 0, err
		}},
	}
}

// Check fails if stored addresses are encrypted with a key that the keyring lacks.
func (r Keyring) Check(ctx context.Context, d *db.DB) error {
	keys, err := r.keys()
	if err != nil {
		return err
	}
	return d.Read(ctx, func(tx *db.Tx) error {
		used, err := keysUsed(tx)
		for _, id := range used {
			if !has(keys, id) {
				return fmt.Errorf("addresses are sealed under the key %s, which is neither in address.key nor in KAIBAO_ADDRESS_KEYS: put it back", id)
			}
		}
		return err
	})
}

func has(keys []key, id string) bool {
	for _, k := range keys {
		if k.id == id {
			return true
		}
	}
	return false
}

// Reseal re-encrypts every address with the newest key and returns their number. It works in small
// transactions, so others can proceed.
func Reseal(ctx context.Context, d *db.DB, r Keyring) (all int64, err error) {
	keys, err := r.keys()
	if err != nil {
		return 0, err
	}
	for {
		var done int
		err := d.InTx(ctx, func(tx *db.Tx) error {
			old, err := sealedUnderOthers(tx, keys[0].id, portion)
			if err != nil {
				return err
			}
			done = len(old)
			for n, s := range old {
				text, err := open(keys, s)
				if err != nil {
					return err
				}
				old[n] = keys[0].seal(s.claim, text)
			}
			return reseal(tx, old)
		})
		all += int64(done)
		if err != nil || done < portion {
			return all, err
		}
	}
}
