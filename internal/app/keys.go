package app

import (
	"context"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/limits"
	"kaibao/internal/opening"
	"kaibao/internal/publiclog"
	"kaibao/internal/redemptions"
)

// secrets are the keys and the shipping table.
type secrets struct {
	log       string
	seeds     *opening.Sealer
	addresses redemptions.Keyring
	shipping  redemptions.ShippingTable

	keptLimits limits.AddressKey
}

// load reads the keys from the settings or from the data directory. The first start generates the
// files.
func (k Keys) load(dir string) (s secrets, err error) {
	s.log, err = secret(k.LogKey, filepath.Join(dir, "log.key"), func() (string, error) { return publiclog.GenerateKey(rand.Reader) })
	if err != nil {
		return s, fmt.Errorf("log key: %w", err)
	}
	seedKey, err := secret(k.SeedKey, filepath.Join(dir, "seed.key"), generateSeedKey)
	if err != nil {
		return s, fmt.Errorf("seed key: %w", err)
	}
	key, err := hex.DecodeString(seedKey)
	if err != nil {
		return s, errors.New("the seed key must be 64 hex digits: restore the seed.key file or KAIBAO_SEED_KEY that this database was created with")
	}
	s.addresses = redemptions.Keyring{Setting: k.AddressKeys, Path: filepath.Join(dir, addressKeyFile)}
	if _, err := secret(k.AddressKeys, s.addresses.Path, func() (string, error) { return redemptions.GenerateKey(rand.Reader) }); err != nil {
		return s, fmt.Errorf("address key: %w", err)
	}
	s.seeds, err = opening.NewSealer(key)
	if err != nil {
		return s, err
	}
	s.keptLimits, err = hkdf.Key(sha256.New, key, nil, "kaibao/v1/kept-limits", sha256.Size)
	return s, err
}

// requireKeys refuses to generate keys for a database that already has some.
func (c Config) requireKeys(ctx context.Context, d *db.DB) error {
	used, err := publiclog.HasKey(ctx, d)
	if err != nil || !used {
		return err
	}
	return c.RequirePresent(c.Data)
}

// addressKeyFile holds one key per line. A rotation prepends a new one.
const addressKeyFile = "address.key"

func generateSeedKey() (string, error) {
	key := make([]byte, 32)
	_, err := rand.Read(key)
	return hex.EncodeToString(key), err
}

// secret returns the setting, or the content of the file, which it generates if missing. The
// complete file is linked into place, so that two nodes that start together use the same key.
func secret(setting, path string, generate func() (string, error)) (string, error) {
	if setting != "" {
		return setting, nil
	}
	text, err := os.ReadFile(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return strings.TrimSpace(string(text)), err
	}
	fresh, err := generate()
	if err != nil {
		return "", err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".key-*")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.WriteString(fresh + "\n")
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return "", err
	}
	if err := os.Link(temp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	text, err = os.ReadFile(path)
	return strings.TrimSpace(string(text)), err
}

// RotateAddressKey prepends a new address key, unless the keys are a setting. It then reseals all
// addresses with the first key while nodes keep running, and returns the number of resealed
// addresses.
func RotateAddressKey(ctx context.Context, s Storage, k Keys) (sealed int64, err error) {
	if err := k.RequirePresent(s.Data); err != nil {
		return 0, err
	}
	keys, err := k.load(s.Data)
	if err == nil && k.AddressKeys == "" {
		err = keys.addresses.AddKey(rand.Reader)
	}
	if err != nil {
		return 0, err
	}
	d, err := s.OpenDB(ctx)
	if err != nil {
		return 0, err
	}
	sealed, err = redemptions.Reseal(ctx, d, keys.addresses)
	return sealed, errors.Join(err, d.Close())
}
