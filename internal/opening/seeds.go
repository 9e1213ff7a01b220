package opening

import (
	"encoding/binary"
	"errors"
	"fmt"

	"kaibao/internal/db"
	"kaibao/internal/keyring"
	"kaibao/internal/ledger"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Sealer encrypts unused server seeds. Its keys are kept outside the database and its backups, so
// neither reveals future draws.
type Sealer struct{ ring *keyring.Ring }

// NewSealer returns a Sealer with the seed keys of a ring.
func NewSealer(ring *keyring.Ring) *Sealer { return &Sealer{ring} }

// newSeed generates the seed for a user's nonce and encrypts it, bound to an epoch of the log.
func newSeed(tx *db.Tx, key keyring.Key, epoch, userID string, nonce int64) ledger.Seed {
	seed := [32]byte(tx.Random(32))
	commitment := protocol.Commitment(seed)
	return ledger.Seed{Nonce: nonce, Commitment: commitment[:], Sealed: key.Seal(seed[:], seedContext(epoch, userID, nonce))}
}

// reseedBatch is how many users' seeds one statement replaces.
const reseedBatch = 1000

// Reseed replaces every unused seed after a restore or a theft, because the old ones may have been
// revealed. It commits to the new seeds in the log under the new epoch. They are encrypted with the
// given key.
func Reseed(tx *db.Tx, key keyring.Key, epoch string) error {
	for last := ""; ; {
		users, err := seedOwnersAfter(tx, last, reseedBatch)
		if err != nil || len(users) == 0 {
			return err
		}
		last = users[len(users)-1].userID
		seeds, leaves := make(map[string]ledger.Seed, len(users)), make([]string, len(users))
		for n, u := range users {
			seed := newSeed(tx, key, epoch, u.userID, u.nonce)
			leaf := protocol.CommitLeaf{User: u.tag, Nonce: uint64(u.nonce), Commitment: [32]byte(seed.Commitment), Time: tx.Now}
			seeds[u.userID] = seed
			leaves[n] = string(leaf.Format())
		}
		matches := func(n int, leaf protocol.Leaf) error {
			return checkCommitLeaf(leaf, users[n].tag, seeds[users[n].userID])
		}
		if err := errors.Join(ledger.Reseed(tx, seeds), publiclog.AppendIf(tx, matches, leaves...)); err != nil {
			return err
		}
	}
}

// unseal decrypts a user's seed. It fails if the seed belongs to another user, nonce or epoch, or
// does not match its commitment.
func (s *Sealer) unseal(epoch, userID string, sealed ledger.Seed) (seed [32]byte, err error) {
	plain, _, err := s.ring.Open(sealed.Sealed, seedContext(epoch, userID, sealed.Nonce))
	if err != nil {
		return seed, fmt.Errorf("the seed: %w", err)
	}
	if len(plain) != len(seed) {
		return seed, errors.New("the seed has the wrong length")
	}
	seed = [32]byte(plain)
	if protocol.Commitment(seed) != [32]byte(sealed.Commitment) {
		return seed, errors.New("the seed doesn't match its commitment")
	}
	return seed, nil
}

// seedContext returns the AEAD's associated data. It binds a sealed seed to its user, nonce and
// epoch (the log's origin), so a seed revealed before a restore can't be used after it.
func seedContext(epoch, userID string, nonce int64) []byte {
	return binary.BigEndian.AppendUint64([]byte("kaibao/v1/seed\x00"+epoch+"\x00"+userID+"\x00"), uint64(nonce))
}
