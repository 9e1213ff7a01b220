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

// Sealer encrypts unused server seeds. Its key is kept outside the database and its backups, so
// neither reveals future draws.
type Sealer struct {
	aead        cipher.AEAD
	fingerprint string // identifies the key without revealing it
}

// NewSealer returns a Sealer for a 32-byte key.
func NewSealer(key []byte) (*Sealer, error) {
	if len(key) != 32 {
		return nil, errors.New("the seed key must have 32 bytes (64 hex digits): check seed.key or KAIBAO_SEED_KEY")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	sum := sha256.Sum256(append([]byte("kaibao/v1/seed-key\x00"), key...))
	return &Sealer{aead, hex.EncodeToString(sum[:])}, err
}

// Pin binds the database to this key and fails if it was created with another one, because none of
// its seeds could then be decrypted.
func (s *Sealer) Pin(ctx context.Context, d *db.DB) error {
	return d.InTx(ctx, func(tx *db.Tx) error {
		pinned, err := db.InitSetting(tx, seedKeySetting, s.fingerprint)
		if err == nil && pinned != s.fingerprint {
			err = errWrongKey
		}
		return err
	})
}

// Check fails like Pin if the database was created with another key, but doesn't write.
func (s *Sealer) Check(ctx context.Context, d *db.DB) error {
	return d.Read(ctx, func(tx *db.Tx) error {
		pinned, err := db.Setting(tx, seedKeySetting)
		if err == nil && pinned != "" && pinned != s.fingerprint {
			err = errWrongKey
		}
		return err
	})
}

// seedKeySetting is the setting that stores the fingerprint of the database's key.
const seedKeySetting = "seed_key"

var errWrongKey = errors.New("wrong seed key: restore the seed.key file or KAIBAO_SEED_KEY that this database was created with")

// newSeed generates the seed for a user's nonce and encrypts it, bound to an epoch of the log.
func (s *Sealer) newSeed(tx *db.Tx, epoch, userID string, nonce int64) ledger.Seed {
	seed := [32]byte(tx.Random(32))
	commitment := protocol.Commitment(seed)
	return ledger.Seed{
		Nonce: nonce, Commitment: commitment[:],
		Sealed: s.aead.Seal(nil, nil, seed[:], seedContext(epoch, userID, nonce)),
	}
}

// reseedBatch is how many users' seeds one statement replaces.
const reseedBatch = 1000

// Reseed replaces every unused seed after a restore, because seeds in the backup may have been
// revealed since it was taken. It commits to the new seeds in the log under the new epoch.
func (s *Sealer) Reseed(tx *db.Tx, epoch string) error {
	for last := ""; ; {
		users, err := seedOwnersAfter(tx, last, reseedBatch)
		if err != nil || len(users) == 0 {
			return err
		}
		last = users[len(users)-1].userID
		seeds, leaves := make(map[string]ledger.Seed, len(users)), make([]string, len(users))
		for n, u := range users {
			seed := s.newSeed(tx, epoch, u.userID, u.nonce)
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
	plain, err := s.aead.Open(nil, nil, sealed.Sealed, seedContext(epoch, userID, sealed.Nonce))
	if err != nil || len(plain) != len(seed) {
		return seed, errors.New("can't decrypt the seed: is this the seed key that the database was created with?")
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
