package opening

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kaibao/internal/db"
	"kaibao/internal/keyring"
	"kaibao/internal/ledger"
)

const (
	// resealBatch is how many users' seeds are encrypted again in one transaction.
	resealBatch = 200
	// resealRound is how many users' seeds one call of Reseal encrypts again at most.
	resealRound = 100_000
)

// Reseal encrypts unused seeds that use another key with the one that encrypts new seeds. It returns
// how many it found and how many it encrypted: it skips accounts that others are changing. Repeat it
// until it finds none: then none is left, not even in a running transaction.
func Reseal(ctx context.Context, d *db.DB, ring *keyring.Ring) (found, resealed int64, err error) {
	var users []string
	if err := d.Inspect(ctx, func(tx *db.Tx) (err error) {
		users, err = usersUnderOtherKeys(tx, ring)
		return err
	}); err != nil {
		return 0, 0, err
	}
	for batch := range slices.Chunk(users, resealBatch) {
		var changed int64
		err := d.InTx(ctx, func(tx *db.Tx) (err error) {
			changed, err = resealUsers(tx, ring, batch)
			return err
		})
		resealed += changed
		if err != nil {
			return found, resealed, err
		}
	}
	return int64(len(users)), resealed, nil
}

// usersUnderOtherKeys returns users whose seeds are to be encrypted again, at most resealRound.
func usersUnderOtherKeys(tx *db.Tx, ring *keyring.Ring) (users []string, err error) {
	key, err := ring.QueueSealing(tx)()
	if err != nil {
		return nil, err
	}
	origins, err := logOrigins(tx)
	if err != nil {
		return nil, err
	}
	enough := errors.New("enough")
	err = eachSeed(tx, func(s sealedSeed) error {
		_, used, _, err := s.open(ring, origins)
		if used.Fingerprint != key.Fingerprint {
			users = append(users, s.userID)
		}
		if err == nil && len(users) == resealRound {
			return enough
		}
		return err
	})
	if errors.Is(err, enough) {
		err = nil
	}
	return users, err
}

// resealUsers encrypts the seeds of users again and returns their number.
func resealUsers(tx *db.Tx, ring *keyring.Ring, users []string) (int64, error) {
	locked, err := lockSeeds(tx, users)
	if err != nil || len(locked) == 0 {
		return 0, err
	}
	key, err := ring.QueueSealing(tx)() // after the locks, like an open
	if err != nil {
		return 0, err
	}
	origins, err := logOrigins(tx)
	if err != nil {
		return 0, err
	}
	seeds := map[string]ledger.Seed{}
	for _, s := range locked {
		plain, used, context, err := s.open(ring, origins)
		if err != nil {
			return 0, err
		}
		if used.Fingerprint != key.Fingerprint {
			s.Sealed = key.Seal(plain, context)
			seeds[s.userID] = s.Seed
		}
	}
	if len(seeds) == 0 {
		return 0, nil
	}
	return int64(len(seeds)), ledger.Reseed(tx, seeds)
}

// CountSeeds returns how many unused seeds are encrypted with each key, by fingerprint. Those that
// no key of the ring can decrypt count for "".
func CountSeeds(tx *db.Tx, ring *keyring.Ring) (map[string]int64, error) {
	origins, err := logOrigins(tx)
	if err != nil {
		return nil, err
	}
	count := map[string]int64{}
	return count, eachSeed(tx, func(s sealedSeed) error {
		_, used, _, _ := s.open(ring, origins)
		count[used.Fingerprint]++
		return nil
	})
}

// sealedSeed is a user's encrypted unused seed.
type sealedSeed struct {
	userID string
	ledger.Seed
}

// open decrypts the seed. It stays bound to its epoch, which the returned context names: only the
// current one is accepted by an open.
func (s sealedSeed) open(ring *keyring.Ring, origins []string) (plain []byte, used keyring.Key, context []byte, err error) {
	for _, origin := range origins {
		context = seedContext(origin, s.userID, s.Nonce)
		plain, used, err = ring.Open(s.Sealed, context)
		if err == nil {
			return plain, used, context, nil
		}
	}
	return nil, used, nil, fmt.Errorf("the seed of user %s: %w", s.userID, err)
}
