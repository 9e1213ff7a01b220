package app

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"kaibao/internal/db"
	"kaibao/internal/keyring"
	"kaibao/internal/keys"
	"kaibao/internal/limits"
	"kaibao/internal/publiclog"
	"kaibao/internal/redemptions"
)

// secrets are the keys and the shipping table.
type secrets struct {
	seeds, addresses *keyring.Ring
	shipping         redemptions.ShippingTable

	keptLimits limits.AddressKey
}

// sources returns where the keys of each kind come from: from settings or from the data directory.
func (k Keys) sources(dir string) []keys.Source {
	return []keys.Source{
		{Kind: keys.Log, Setting: k.LogKey, Path: filepath.Join(dir, "log.key")},
		{Kind: keys.Seed, Setting: k.SeedKey, Path: filepath.Join(dir, "seed.key")},
		{Kind: keys.Address, Setting: k.AddressKeys, Path: filepath.Join(dir, "address.key")},
	}
}

// source returns where the keys of a kind come from.
func (k Keys) source(dir string, kind keys.Kind) keys.Source {
	sources := k.sources(dir)
	return sources[slices.IndexFunc(sources, func(s keys.Source) bool { return s.Kind == kind })]
}

// loadKeys reads the keys. The first start generates the files.
func (k Keys) loadKeys(dir string) (*keyring.Set, error) {
	var rings []*keyring.Ring
	for _, source := range k.sources(dir) {
		if err := createKeyFile(source); err != nil {
			return nil, fmt.Errorf("%s key: %w", source.Kind, err)
		}
		ring, err := keyring.Load(source)
		if err != nil {
			return nil, fmt.Errorf("%s key: %w", source.Kind, err)
		}
		rings = append(rings, ring)
	}
	return &keyring.Set{Log: rings[0], Seeds: rings[1], Addresses: rings[2], LogInUse: logInUse}, nil
}

// logInUse returns the fingerprint of the key that signs the log, none in a new database.
func logInUse(tx *db.Tx) ([]string, error) {
	uses, err := readLogUses(tx)
	return uses.InUse, err
}

// readLogUses returns the fingerprints of the key that signs the log, and of those that signed the
// logs before.
func readLogUses(tx *db.Tx) (uses keyring.Uses, err error) {
	current, replaced, err := publiclog.SigningKeys(tx)
	if err != nil || current == "" {
		return uses, err
	}
	fingerprint, err := keys.LogFingerprint(current)
	if err != nil {
		return uses, err
	}
	uses.InUse = []string{fingerprint}
	for _, k := range replaced {
		fingerprint, err := keys.LogFingerprint(k.Key)
		if err != nil {
			return uses, err
		}
		uses.Retired = append(uses.Retired, keyring.Retired{Fingerprint: fingerprint, At: k.At})
	}
	return uses, nil
}

// initializeKeys records which keys a new database uses, and returns the key of kept limits. It
// fails if a key that the database uses is missing.
func initializeKeys(ctx context.Context, d *db.DB, s *keyring.Set) (kept limits.AddressKey, err error) {
	return kept, d.InTx(ctx, func(tx *db.Tx) error {
		used, err := redemptions.UsedKeys(tx)
		if err != nil {
			return err
		}
		if err := errors.Join(s.Seeds.Initialize(tx), s.Addresses.Initialize(tx, used...)); err != nil {
			return err
		}
		if err := s.Check(tx); err != nil {
			return err
		}
		kept, err = keptLimitsKey(tx, s.Seeds)
		return err
	})
}

// requireKeys refuses to generate keys for a database that already has some.
func (c Config) requireKeys(ctx context.Context, d *db.DB) error {
	used, err := publiclog.HasKey(ctx, d)
	if err != nil || !used {
		return err
	}
	return c.RequirePresent(c.Data)
}

// generateKey returns a new key of a kind.
func generateKey(kind keys.Kind) (string, error) {
	if kind == keys.Log {
		return publiclog.GenerateKey(rand.Reader)
	}
	key := make([]byte, 32)
	_, err := rand.Read(key)
	return hex.EncodeToString(key), err
}

// createKeyFile generates the file of a source if it has neither setting nor file. The complete file
// is linked into place, so that two nodes that start together use the same key.
func createKeyFile(source keys.Source) error {
	if source.Setting != "" {
		return nil
	}
	if _, err := os.Stat(source.Path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	fresh, err := generateKey(source.Kind)
	if err != nil {
		return err
	}
	return keys.Create(source.Path, fresh)
}

// keptLimitsSetting is the setting that stores the key of kept limits, encrypted with the seed key.
const keptLimitsSetting = "kept_limits_key"

const keptLimitsPurpose = "kaibao/v1/kept-limits"

// keptLimitsKey returns the key of limits that outlive deleted accounts. It is derived from the
// database's first seed key. A rotation of that key stores it, because the hashes made with it
// can't be recomputed.
func keptLimitsKey(tx *db.Tx, seeds *keyring.Ring) (limits.AddressKey, error) {
	stored, err := db.Setting(tx, keptLimitsSetting)
	if err != nil {
		return nil, err
	}
	if stored != "" {
		sealed, err := hex.DecodeString(stored)
		if err != nil {
			return nil, fmt.Errorf("the setting %s: %w", keptLimitsSetting, err)
		}
		key, _, err := seeds.Open(sealed, []byte(keptLimitsPurpose))
		if err != nil {
			return nil, fmt.Errorf("the setting %s: %w", keptLimitsSetting, err)
		}
		return key, nil
	}
	key, err := seeds.QueueSealing(tx)()
	if err != nil {
		return nil, err
	}
	return key.Derive(keptLimitsPurpose)
}
