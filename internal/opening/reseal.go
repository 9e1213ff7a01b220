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

// Reseal encrypts the secret seeds of accounts and pending orders that use another key with the one
// that encrypts new seeds. It returns how many it found and how many it encrypted: it skips accounts
// and orders that others are changing. Repeat it until it finds none: then none is left, not even in
// a running transaction.
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
	orders, resealedOrders, err := resealOrders(ctx, d, ring)
	return int64(len(users)) + orders, resealed + resealedOrders, err
}

// resealOrders is Reseal for pending orders.
func resealOrders(ctx context.Context, d *db.DB, ring *keyring.Ring) (found, resealed int64, err error) {
	var ids []string
	if err := d.Inspect(ctx, func(tx *db.Tx) (err error) {
		ids, err = ordersUnderOtherKeys(tx, ring)
		return err
	}); err != nil {
		return 0, 0, err
	}
	for batch := range slices.Chunk(ids, resealBatch) {
		var changed int64
		err := d.InTx(ctx, func(tx *db.Tx) (err error) {
			changed, err = resealLockedOrders(tx, ring, batch)
			return err
		})
		resealed += changed
		if err != nil {
			return int64(len(ids)), resealed, err
		}
	}
	return int64(len(ids)), resealed, nil
}

// ordersUnderOtherKeys returns pending orders whose seeds are to be encrypted again.
func ordersUnderOtherKeys(tx *db.Tx, ring *keyring.Ring) (ids []string, err error) {
	key, err := ring.QueueSealing(tx)()
	if err != nil {
		return nil, err
	}
	origins, err := logOrigins(tx)
	if err != nil {
		return nil, err
	}
	return ids, eachOrderSeed(tx, func(o sealedOrder) error {
		_, used, _, err := o.open(ring, origins)
		if used.Fingerprint != key.Fingerprint {
			ids = append(ids, o.id)
		}
		return err
	})
}

// resealLockedOrders encrypts the seeds of those orders again that are pending and not locked by others.
func resealLockedOrders(tx *db.Tx, ring *keyring.Ring, ids []string) (int64, error) {
	locked, err := lockOrderSeeds(tx, ids)
	if err != nil || len(locked) == 0 {
		return 0, err
	}
	key, err := ring.QueueSealing(tx)()
	if err != nil {
		return 0, err
	}
	origins, err := logOrigins(tx)
	if err != nil {
		return 0, err
	}
	for n, o := range locked {
		plain, _, context, err := o.open(ring, origins)
		if err != nil {
			return 0, err
		}
		locked[n].Sealed = key.Seal(plain, context)
	}
	return int64(len(locked)), updateOrderSeeds(tx, locked)
}

// sealedOrder is the encrypted seed of a pending order.
type sealedOrder struct {
	id string
	sealedSeed
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

// CountSeeds returns how many seeds of accounts and pending orders are encrypted with each key, by
// fingerprint. Those that no key of the ring can decrypt count for "".
func CountSeeds(tx *db.Tx, ring *keyring.Ring) (map[string]int64, error) {
	origins, err := logOrigins(tx)
	if err != nil {
		return nil, err
	}
	count := map[string]int64{}
	add := func(s sealedSeed) error {
		_, used, _, _ := s.open(ring, origins)
		count[used.Fingerprint]++
		return nil
	}
	return count, errors.Join(eachSeed(tx, add), eachOrderSeed(tx, func(o sealedOrder) error { return add(o.sealedSeed) }))
}

// sealedSeed is a user's encrypted seed.
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
