package opening

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"

	"kaibao/internal/db"
	"kaibao/internal/ledger"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Sealer encrypts unused server seeds under a key that lives outside the
// database and its backups, so that neither tells the coming draws.
type Sealer struct {
	aead        cipher.AEAD
	fingerprint string // tells keys apart and gives none away
}

// NewSealer takes a key of 32 bytes.
func NewSealer(key []byte) (*Sealer, error) {
	if len(key) != 32 {
		return nil, errors.New("the seed key must have 32 bytes")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	sum := sha256.Sum256(append([]byte("kaibao/v1/seed-key\x00"), key...))
	return &Sealer{aead, hex.EncodeToString(sum[:])}, err
}

// Pin keeps a database to one key: under another one no seed in it could be opened.
func (s *Sealer) Pin(ctx context.Context, d *db.DB) error {
	return d.InTx(ctx, func(tx *db.Tx) error {
		pinned, err := db.Pin(tx, "seed_key", s.fingerprint)
		if err == nil && pinned != s.fingerprint {
			err = errors.New("this database was made with another seed key: start with the seed.key or KAIBAO_SEED_KEY it was made with")
		}
		return err
	})
}

// commit draws the seed for a user's nonce and seals it, for one epoch of the log.
func (s *Sealer) commit(tx *db.Tx, epoch, userID string, nonce int64) ledger.Seed {
	seed := [32]byte(tx.Random(32))
	commitment := protocol.Commitment(seed)
	return ledger.Seed{
		Nonce: nonce, Commitment: commitment[:],
		Sealed: s.aead.Seal(nil, nil, seed[:], owner(epoch, userID, nonce)),
	}
}

// reseeded is how many users' seeds are replaced with one statement.
const reseeded = 1000

// Reseed replaces every unused seed, as those of a restored database may have been
// told since its back-up, and commits to the new ones in the log, under the epoch
// that begins.
func (s *Sealer) Reseed(tx *db.Tx, epoch string) error {
	for last := ""; ; {
		users, err := holders(tx, last, reseeded)
		if err != nil || len(users) == 0 {
			return err
		}
		last = users[len(users)-1].userID
		seeds, leaves := make(map[string]ledger.Seed, len(users)), make([]string, len(users))
		for n, u := range users {
			seed := s.commit(tx, epoch, u.userID, u.nonce)
			leaf := protocol.CommitLeaf{User: u.tag, Nonce: uint64(u.nonce), Commitment: [32]byte(seed.Commitment), Time: tx.Now}
			seeds[u.userID] = seed
			leaves[n] = string(leaf.Format())
		}
		matches := func(n int, leaf protocol.Leaf) error { return commits(leaf, users[n].tag, seeds[users[n].userID]) }
		if err := errors.Join(ledger.Reseed(tx, seeds), publiclog.AppendIf(tx, matches, leaves...)); err != nil {
			return err
		}
	}
}

// unseal opens a user's seed. A seed of somebody else, of another nonce or epoch,
// or that does not fit its commitment is refused.
func (s *Sealer) unseal(epoch, userID string, sealed ledger.Seed) (seed [32]byte, err error) {
	plain, err := s.aead.Open(nil, nil, sealed.Sealed, owner(epoch, userID, sealed.Nonce))
	if err != nil || len(plain) != len(seed) {
		return seed, errors.New("the sealed seed cannot be opened: is this the seed key that the database was made with?")
	}
	seed = [32]byte(plain)
	if protocol.Commitment(seed) != [32]byte(sealed.Commitment) {
		return seed, errors.New("the sealed seed does not fit its commitment")
	}
	return seed, nil
}

// owner binds a sealed seed to its row, and to the log's epoch by its origin: one
// that was told before the database was restored cannot be used after it.
func owner(epoch, userID string, nonce int64) []byte {
	return binary.BigEndian.AppendUint64([]byte("kaibao/v1/seed\x00"+epoch+"\x00"+userID+"\x00"), uint64(nonce))
}
