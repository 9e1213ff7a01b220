// Package keys reads the keys that are stored outside the database: the log key, the seed keys and
// the address keys.
package keys

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Kind is what a key is for.
type Kind string

// The kinds of keys.
const (
	Log     Kind = "log"     // signs the public log
	Seed    Kind = "seed"    // encrypts unused server seeds
	Address Kind = "address" // encrypts shipping addresses
)

// Source is where the keys of a kind come from: the setting or, if it is empty, the file.
type Source struct {
	Kind          Kind
	Setting, Path string
}

// Read returns the keys in their order. They are separated by line breaks, commas or spaces.
func (s Source) Read() ([]string, error) {
	text := s.Setting
	if text == "" {
		file, err := os.ReadFile(s.Path)
		if err != nil {
			return nil, err
		}
		text = string(file)
	}
	all := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(",\n\r\t ", c) })
	if len(all) == 0 {
		return nil, fmt.Errorf("no %s key in %s", s.Kind, s)
	}
	return all, nil
}

// String says where the keys are.
func (s Source) String() string {
	if s.Setting != "" {
		return s.Variable()
	}
	return s.Path
}

// Variable returns the environment variable of the setting.
func (s Source) Variable() string {
	return map[Kind]string{Log: "KAIBAO_LOG_KEY", Seed: "KAIBAO_SEED_KEY", Address: "KAIBAO_ADDRESS_KEYS"}[s.Kind]
}

// FingerprintLength is the length of a fingerprint.
const FingerprintLength = 16

// Fingerprint returns 16 hex digits that identify a key without revealing it.
func Fingerprint(kind Kind, key string) (string, error) {
	var content []byte
	if kind == Log {
		_, body, err := ParseLogKey(key)
		if err != nil {
			return "", err
		}
		content = ed25519.NewKeyFromSeed(body).Public().(ed25519.PublicKey)
	} else {
		raw, err := parseHexKey(kind, key)
		if err != nil {
			return "", err
		}
		content = raw
	}
	return fingerprint(kind, content), nil
}

// LogFingerprint returns the fingerprint of the key behind a verifier key (name+hash+base64). The
// name doesn't matter: after a restore, the log keeps its key under another name.
func LogFingerprint(verifier string) (string, error) {
	parts := strings.SplitN(verifier, "+", 3)
	body, err := base64.StdEncoding.DecodeString(parts[len(parts)-1])
	if err != nil || len(body) != 1+ed25519.PublicKeySize {
		return "", errors.New("the log's verifier key must have the form name+hash+base64")
	}
	return fingerprint(Log, body[1:]), nil
}

func fingerprint(kind Kind, content []byte) string {
	sum := sha256.Sum256(append([]byte("kaibao/v1/"+string(kind)+"-key\x00"), content...))
	return hex.EncodeToString(sum[:FingerprintLength/2])
}

// parseHexKey returns the 32 bytes of a key for AES-256.
func parseHexKey(kind Kind, text string) ([]byte, error) {
	raw, err := hex.DecodeString(text)
	variable := Source{Kind: kind}.Variable()
	name := "the seed key"
	if kind == Address {
		name = "an address key"
	}
	if err != nil || len(raw) != 32 {
		return nil, fmt.Errorf("%s must be 64 hex digits (32 bytes): restore the %s.key file or %s of this database", name, kind, variable)
	}
	return raw, nil
}

// ParseLogKey returns the name and the seed of a signing key, PRIVATE+KEY+name+hash+base64. The base64
// has one byte for the algorithm (1 = Ed25519) and the 32-byte seed (C2SP signed-note). The hash isn't
// checked.
func ParseLogKey(text string) (name string, seed []byte, err error) {
	parts := strings.SplitN(text, "+", 5)
	if len(parts) != 5 || parts[0] != "PRIVATE" || parts[1] != "KEY" {
		return "", nil, errors.New("the log key must have the form PRIVATE+KEY+…: restore the log.key file or KAIBAO_LOG_KEY of this database")
	}
	body, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(body) != 1+ed25519.SeedSize || body[0] != 1 {
		return "", nil, errors.New("the log key must be an Ed25519 key: restore the log.key file or KAIBAO_LOG_KEY of this database")
	}
	return parts[2], body[1:], nil
}
