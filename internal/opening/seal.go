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
	"kaibao/internal/fair"
	"kaibao/internal/ledger"
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

// commit draws the seed for a user's nonce and seals it.
func (s *Sealer) commit(tx *db.Tx, userID string, nonce int64) ledger.Seed {
	seed := [32]byte(tx.Random(32))
	commitment := fair.Commitment(seed)
	return ledger.Seed{
		Nonce: nonce, Commitment: commitment[:],
		Sealed: s.aead.Seal(nil, nil, seed[:], owner(userID, nonce)),
	}
}

// unseal opens a user's seed. A seed of somebody else, of another nonce, or
// that does not fit its commitment is refused.
func (s *Sealer) unseal(userID string, sealed ledger.Seed) (seed [32]byte, err error) {
	plain, err := s.aead.Open(nil, nil, sealed.Sealed, owner(userID, sealed.Nonce))
	if err != nil || len(plain) != len(seed) {
		return seed, errors.New("the sealed seed cannot be opened: is this the seed key that the database was made with?")
	}
	seed = [32]byte(plain)
	if fair.Commitment(seed) != [32]byte(sealed.Commitment) {
		return seed, errors.New("the sealed seed does not fit its commitment")
	}
	return seed, nil
}

// owner binds a sealed seed to its row.
func owner(userID string, nonce int64) []byte {
	return binary.BigEndian.AppendUint64([]byte("kaibao/v1/seed\x00"+userID+"\x00"), uint64(nonce))
}
