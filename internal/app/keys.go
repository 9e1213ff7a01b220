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
	"kaibao/internal/keys"
	"kaibao/internal/limits"
	"kaibao/internal/nodes"
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
	loaded     []nodes.Key // all of them, by fingerprint
}

// keySource is where a key comes from: its setting, or else its file in the data directory.
type keySource struct{ setting, file string }

func (k Keys) list() []keySource {
	return []keySource{{k.LogKey, logKeyFile}, {k.SeedKey, seedKeyFile}, {k.AddressKeys, addressKeyFile}}
}

// fingerprints names the keys of all sources, in their order.
func (k Keys) fingerprints(dir string) (all []nodes.Key, err error) {
	for n, kind := range []keys.Kind{keys.Log, keys.Seed, keys.Address} {
		source := k.list()[n]
		texts, err := keys.Source{Kind: kind, Setting: source.setting, Path: filepath.Join(dir, source.file)}.Read()
		if err != nil {
			return nil, err
		}
		for _, text := range texts {
			fingerprint, err := keys.Fingerprint(kind, text)
			if err != nil {
				return nil, err
			}
			all = append(all, nodes.Key{Kind: string(kind), Fingerprint: fingerprint})
		}
	}
	return all, nil
}

// load reads the keys from the settings or from the data directory. The first start generates the
// files.
func (k Keys) load(dir string) (s secrets, err error) {
	s.log, err = secret(k.LogKey, filepath.Join(dir, logKeyFile), func() (string, error) { return publiclog.GenerateKey(rand.Reader) })
	if err != nil {
		return s, fmt.Errorf("log key: %w", err)
	}
	seedKey, err := secret(k.SeedKey, filepath.Join(dir, seedKeyFile), generateSeedKey)
	if err != nil {
		return s, fmt.Errorf("seed key: %w", err)
	}
	s.addresses = redemptions.Keyring{Setting: k.AddressKeys, Path: filepath.Join(dir, addressKeyFile)}
	if _, err := secret(k.AddressKeys, s.addresses.Path, func() (string, error) { return redemptions.GenerateKey(rand.Reader) }); err != nil {
		return s, fmt.Errorf("address key: %w", err)
	}
	s.seeds, err = newSealer(seedKey)
	if err != nil {
		return s, err
	}
	s.keptLimits, err = keptLimitsKey(seedKey)
	if err != nil {
		return s, err
	}
	s.loaded, err = k.fingerprints(dir)
	return s, err
}

// newSealer returns the sealer of a seed key in hex.
func newSealer(text string) (*opening.Sealer, error) {
	key, err := hex.DecodeString(text)
	if err != nil {
		return nil, errors.New("the seed key must be 64 hex digits: restore the seed.key file or KAIBAO_SEED_KEY that this database was created with")
	}
	return opening.NewSealer(key)
}

// requireKeys refuses to generate keys for a database that already has some.
func (c Config) requireKeys(ctx context.Context, d *db.DB) error {
	used, err := publiclog.HasKey(ctx, d)
	if err != nil || !used {
		return err
	}
	return c.RequirePresent(c.Data)
}

// The names of the key files in the data directory.
const (
	logKeyFile     = "log.key"
	seedKeyFile    = "seed.key"
	addressKeyFile = "address.key" // one key per line; a rotation prepends a new one
)

func generateSeedKey() (string, error) {
	key := make([]byte, 32)
	_, err := rand.Read(key)
	return hex.EncodeToString(key), err
}

// secret returns the setting, or the content of the file, which it generates if missing. The
// complete file is linked into place, so that two nodes that start together use the same key.
func secret(setting, path string, generate func() (string, error)) (string, error) {
	existing, err := existingSecret(setting, path)
	if !errors.Is(err, fs.ErrNotExist) {
		return existing, err
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
	return existingSecret("", path)
}

// existingSecret returns the setting, or the content of the file.
func existingSecret(setting, path string) (string, error) {
	if setting != "" {
		return setting, nil
	}
	text, err := os.ReadFile(path)
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

// keptLimitsKey derives the key of limits that outlive deleted accounts from the seed key.
func keptLimitsKey(seedKey string) (limits.AddressKey, error) {
	key, err := hex.DecodeString(seedKey)
	if err != nil {
		return nil, err
	}
	return hkdf.Key(sha256.New, key, nil, "kaibao/v1/kept-limits", sha256.Size)
}
