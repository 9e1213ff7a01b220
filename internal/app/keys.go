package app

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"kaibao/internal/opening"
	"kaibao/internal/publiclog"
)

// load reads the keys from the settings, or else from the data directory,
// where they are made at the first start.
func (k Keys) load(dir string) (logKey string, sealer *opening.Sealer, err error) {
	logKey, err = secret(k.LogKey, filepath.Join(dir, "log.key"), func() (string, error) { return publiclog.GenerateKey(rand.Reader) })
	if err != nil {
		return "", nil, fmt.Errorf("log key: %w", err)
	}
	seedKey, err := secret(k.SeedKey, filepath.Join(dir, "seed.key"), generateSeedKey)
	if err != nil {
		return "", nil, fmt.Errorf("seed key: %w", err)
	}
	key, err := hex.DecodeString(seedKey)
	if err != nil {
		return "", nil, errors.New("the seed key is not 64 hex digits: put back the seed.key or KAIBAO_SEED_KEY that the database was made with")
	}
	sealer, err = opening.NewSealer(key)
	return logKey, sealer, err
}

func generateSeedKey() (string, error) {
	key := make([]byte, 32)
	_, err := rand.Read(key)
	return hex.EncodeToString(key), err
}

// secret prefers the setting; the file is written whole before it gets its
// name, so that two starting nodes end up with the same one.
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
