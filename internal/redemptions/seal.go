package redemptions

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kaibao/internal/apperr"
)

// Keyring holds the keys that encrypt addresses, newest first. They come from Setting or else from
// the file at Path, one per line. It is read again on each use, so that a running server picks up a
// rotation.
type Keyring struct{ Setting, Path string }

// key is one key of a Keyring.
type key struct {
	id   string // identifies the key without revealing it
	aead cipher.AEAD
}

// sealedAddress is an encrypted address as stored.
type sealedAddress struct {
	claimID, keyID string
	ciphertext     []byte
}

// addressPlaintext is what a sealedAddress encrypts: the address, the salt of its signed hash, and its
// original spelling. Old rows have no spelling.
type addressPlaintext struct {
	Address  Address          `json:"address"`
	Salt     []byte           `json:"salt"`
	Spelling originalSpelling `json:"typed,omitzero"`
}

func newKey(text string) (key, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != 32 {
		return key{}, errors.New("an address key must be 64 hex digits")
	}
	block, err := aes.NewCipher(raw)
	if err != nil {
		return key{}, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	sum := sha256.Sum256(append([]byte("kaibao/v1/address-key\x00"), raw...))
	return key{hex.EncodeToString(sum[:8]), aead}, err
}

// Validate fails if the keyring has no keys, or something else than keys.
func (r Keyring) Validate() error {
	_, err := r.keys()
	return err
}

// keys reads the keyring.
func (r Keyring) keys() ([]key, error) {
	text := r.Setting
	if text == "" {
		file, err := os.ReadFile(r.Path)
		if err != nil {
			return nil, fmt.Errorf("address keys: %w", err)
		}
		text = string(file)
	}
	var all []key
	for _, keyText := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == '\n' || c == '\r' || c == ' ' }) {
		k, err := newKey(keyText)
		if err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	if len(all) == 0 {
		return nil, errors.New("no address key")
	}
	return all, nil
}

// seal encrypts an address with the newest key, bound to its claim.
func (r Keyring) seal(claim string, s addressPlaintext) (sealedAddress, error) {
	keys, err := r.keys()
	if err != nil {
		return sealedAddress{}, err
	}
	text, err := json.Marshal(s)
	return keys[0].seal(claim, text), err
}

func (k key) seal(claim string, text []byte) sealedAddress {
	return sealedAddress{claim, k.id, k.aead.Seal(nil, nil, text, associatedData(claim))}
}

// openSealed decrypts an address.
func openSealed(keys []key, s sealedAddress) ([]byte, error) {
	for _, k := range keys {
		if k.id == s.keyID {
			text, err := k.aead.Open(nil, nil, s.ciphertext, associatedData(s.claimID))
			if err != nil {
				err = fmt.Errorf("the stored address of claim %s was tampered with, or its key is wrong: %w", s.claimID, err)
			}
			return text, err
		}
	}
	return nil, apperr.New(apperr.Unavailable, "This address can't be decrypted on this server right now.").
		Because(fmt.Errorf("address key %s is missing in address.key and KAIBAO_ADDRESS_KEYS", s.keyID))
}

// associatedData returns the associated data that binds an encrypted address to its claim.
func associatedData(claim string) []byte { return []byte("kaibao/v1/address\x00" + claim) }

// GenerateKey returns a new random key in hex.
func GenerateKey(random io.Reader) (string, error) {
	raw := make([]byte, 32)
	_, err := io.ReadFull(random, raw)
	return hex.EncodeToString(raw), err
}

// AddKey prepends a new key to the keyring's file, which it replaces atomically.
func (r Keyring) AddKey(random io.Reader) error {
	if r.Setting != "" {
		return errors.New("the address keys come from KAIBAO_ADDRESS_KEYS: first add a new key to the front of it on every node")
	}
	existing, err := os.ReadFile(r.Path)
	if err != nil {
		return err
	}
	generated, err := GenerateKey(random)
	if err != nil {
		return err
	}
	tempFile, err := os.CreateTemp(filepath.Dir(r.Path), ".key-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tempFile.Name()) }()
	_, err = tempFile.WriteString(generated + "\n" + string(existing))
	if err := errors.Join(err, tempFile.Sync(), tempFile.Close()); err != nil {
		return err
	}
	return os.Rename(tempFile.Name(), r.Path)
}
