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

// sealed is an encrypted address as stored.
type sealed struct {
	claim, key string // ids
	body       []byte
}

// secret is the plaintext: the address, the salt of its signed hash, and the original spelling.
// Addresses stored before spellings were kept have none.
type secret struct {
	Address Address  `json:"address"`
	Salt    []byte   `json:"salt"`
	Typed   spelling `json:"typed,omitzero"`
}

func newKey(text string) (key, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != 32 {
		return key{}, errors.New("an address key is not 64 hex digits")
	}
	block, err := aes.NewCipher(raw)
	if err != nil {
		return key{}, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	sum := sha256.Sum256(append([]byte("kaibao/v1/address-key\x00"), raw...))
	return key{hex.EncodeToString(sum[:8]), aead}, err
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
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == '\n' || c == '\r' || c == ' ' }) {
		k, err := newKey(word)
		if err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	if len(all) == 0 {
		return nil, errors.New("there is no address key")
	}
	return all, nil
}

// seal encrypts an address with the newest key, bound to its claim.
func (r Keyring) seal(claim string, s secret) (sealed, error) {
	keys, err := r.keys()
	if err != nil {
		return sealed{}, err
	}
	text, err := json.Marshal(s)
	return keys[0].seal(claim, text), err
}

func (k key) seal(claim string, text []byte) sealed {
	return sealed{claim, k.id, k.aead.Seal(nil, nil, text, bound(claim))}
}

// open decrypts an address.
func open(keys []key, s sealed) ([]byte, error) {
	for _, k := range keys {
		if k.id == s.key {
			text, err := k.aead.Open(nil, nil, s.body, bound(s.claim))
			if err != nil {
				err = fmt.Errorf("the address of claim %s was changed behind our back: %w", s.claim, err)
			}
			return text, err
		}
	}
	return nil, apperr.New(apperr.Unavailable, "This address cannot be read here now.").
		Because(fmt.Errorf("address key %s is neither in address.key nor in KAIBAO_ADDRESS_KEYS", s.key))
}

// bound returns the associated data that binds an encrypted address to its claim.
func bound(claim string) []byte { return []byte("kaibao/v1/address\x00" + claim) }

// GenerateKey returns a new random key in hex.
func GenerateKey(random io.Reader) (string, error) {
	raw := make([]byte, 32)
	_, err := io.ReadFull(random, raw)
	return hex.EncodeToString(raw), err
}

// Add prepends a new key to the keyring's file, which it replaces atomically.
func (r Keyring) Add(random io.Reader) error {
	if r.Setting != "" {
		return errors.New("the address keys are a setting: put a new one in front of it for every node first")
	}
	before, err := os.ReadFile(r.Path)
	if err != nil {
		return err
	}
	fresh, err := GenerateKey(random)
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(r.Path), ".key-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = temp.WriteString(fresh + "\n" + string(before))
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), r.Path)
}
