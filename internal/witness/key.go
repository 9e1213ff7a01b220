package witness

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"kaibao/internal/protocol"
)

// cosignatureType is the type of cosignature keys (C2SP tlog-cosignature).
const cosignatureType = 4

// loadKey reads the key file. If it doesn't exist, it creates a key with a name.
func loadKey(path, name string, random io.Reader) (signingKey, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return createKey(path, name, random)
	}
	if err != nil {
		return signingKey{}, err
	}
	k, err := parseKey(strings.TrimSpace(string(text)))
	if err != nil {
		return k, fmt.Errorf("%s: %w", path, err)
	}
	if name != "" && name != k.Name {
		return k, fmt.Errorf("the witness in %s is named %s, not %s", path, k.Name, name)
	}
	return k, nil
}

// createKey writes a new key to a file.
func createKey(path, name string, random io.Reader) (signingKey, error) {
	bits := make([]byte, ed25519.SeedSize+4)
	if _, err := io.ReadFull(random, bits); err != nil {
		return signingKey{}, err
	}
	if name == "" {
		name = fmt.Sprintf("kaibao.witness/%x", bits[ed25519.SeedSize:])
	}
	k, err := newKey(name, bits[:ed25519.SeedSize])
	if err != nil {
		return k, err
	}
	return k, writeFile(path, k.private()+"\n")
}

func newKey(name string, seed []byte) (signingKey, error) {
	k := signingKey{protocol.Witness{Name: name, Key: [ed25519.PublicKeySize]byte(ed25519.NewKeyFromSeed(seed).Public().(ed25519.PublicKey))}, seed}
	if _, err := protocol.ParseWitness(k.String()); err != nil {
		return k, fmt.Errorf("%q can't be the name of a witness: use a name such as witness.example/1", name)
	}
	return k, nil
}

// private returns the text of the key file: PRIVATE+KEY+name+hash+base64 (package note).
func (k signingKey) private() string {
	name, rest, _ := strings.Cut(k.String(), "+")
	hash, _, _ := strings.Cut(rest, "+")
	return "PRIVATE+KEY+" + name + "+" + hash + "+" + base64.StdEncoding.EncodeToString(append([]byte{cosignatureType}, k.seed...))
}

func parseKey(text string) (signingKey, error) {
	parts := strings.SplitN(text, "+", 5)
	if len(parts) != 5 {
		return signingKey{}, errors.New("not a private key")
	}
	body, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(body) != 1+ed25519.SeedSize {
		return signingKey{}, errors.New("not a private key of type 0x04")
	}
	k, err := newKey(parts[2], body[1:])
	if err == nil && k.private() != text {
		err = errors.New("the private key is damaged: its name, hash and key don't match")
	}
	return k, err
}

// cosign returns the signature line of a checkpoint's text (C2SP tlog-cosignature).
func (k signingKey) cosign(text string, at time.Time) string {
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", at.Unix(), text)
	signature := binary.BigEndian.AppendUint64(k.KeyHash(), uint64(at.Unix()))
	signature = append(signature, ed25519.Sign(ed25519.NewKeyFromSeed(k.seed), []byte(message))...)
	return fmt.Sprintf("\u2014 %s %s\n", k.Name, base64.StdEncoding.EncodeToString(signature))
}
