package publiclog

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/db"
	"kaibao/internal/keys"
	"kaibao/internal/protocol"
)

// privateKey is a signing key with the name that it was generated with. Only the database's first log
// has that name; later ones have longer names.
type privateKey struct {
	name string
	seed []byte
}

// parseKey parses a signing key and checks its hash.
func parseKey(text string) (k privateKey, err error) {
	text = strings.TrimSpace(text)
	k.name, k.seed, err = keys.ParseLogKey(text)
	if err != nil {
		return k, err
	}
	if _, err := note.NewSigner(text); err != nil {
		return k, fmt.Errorf("the log key is damaged: restore the log.key file or KAIBAO_LOG_KEY of this database: %w", err)
	}
	return k, nil
}

// parseKeys parses signing keys, at least one.
func parseKeys(texts []string) (all []privateKey, err error) {
	for _, text := range texts {
		k, err := parseKey(text)
		if err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	if len(all) == 0 {
		return nil, errors.New("no log key: restore the log.key file or KAIBAO_LOG_KEY of this database")
	}
	return all, nil
}

func (k privateKey) public() ed25519.PublicKey {
	return ed25519.NewKeyFromSeed(k.seed).Public().(ed25519.PublicKey)
}

// verifierKey returns the public half under the key's own name.
func (k privateKey) verifierKey() (string, error) {
	return note.NewEd25519VerifierKey(k.name, k.public())
}

// newOrigin returns a new name for a log with this key, and its verifier key. The same key never has
// the same name twice, even if a restored database has forgotten a log that it signed.
func (k privateKey) newOrigin(tx *db.Tx) (origin, verifier string, err error) {
	origin = protocol.NewOrigin(k.name, tx.Random(8))
	verifier, err = note.NewEd25519VerifierKey(origin, k.public())
	return origin, verifier, err
}

// signer returns a signer under another name.
func (k privateKey) signer(origin, verifier string) (note.Signer, error) {
	hash, _, _ := strings.Cut(strings.TrimPrefix(verifier, origin+"+"), "+")
	private := base64.StdEncoding.EncodeToString(append([]byte{1}, k.seed...))
	return note.NewSigner("PRIVATE+KEY+" + origin + "+" + hash + "+" + private)
}

// publicKey returns the public key in a verifier key.
func publicKey(verifier string) (ed25519.PublicKey, error) {
	if _, err := note.NewVerifier(verifier); err != nil {
		return nil, err
	}
	body, err := base64.StdEncoding.DecodeString(strings.SplitN(verifier, "+", 3)[2])
	if err != nil {
		return nil, err
	}
	return body[1:], nil
}

// renamed returns a verifier key under another name.
func renamed(verifier, name string) (string, error) {
	public, err := publicKey(verifier)
	if err != nil {
		return "", err
	}
	return note.NewEd25519VerifierKey(name, public)
}

// epochKey is the key of an epoch's log, under the log's origin. A restore keeps the key of the epoch
// before, unless the operator asks for a new one.
type epochKey struct {
	origin     string
	verifier   string // the public half: name+hash+base64
	seedOrigin string // origin of the log that the last restore began: unused seeds are bound to it
	base       string // name that the key was generated with; empty without the private half
	signer     note.Signer
}

// withPrivate adds the private half if it is among the keys.
func (k epochKey) withPrivate(keys []privateKey) (epochKey, error) {
	public, err := publicKey(k.verifier)
	if err != nil {
		return k, err
	}
	for _, private := range keys {
		if bytes.Equal(private.public(), public) {
			k.base = private.name
			k.signer, err = private.signer(k.origin, k.verifier)
			return k, err
		}
	}
	return k, nil
}

// sign signs a text as a note (C2SP signed-note). Without the private half it returns "".
func (k epochKey) sign(text string) (string, error) {
	if k.signer == nil {
		return "", nil
	}
	signed, err := note.Sign(&note.Note{Text: text}, k.signer)
	return string(signed), err
}

// checkpoint signs a tree (C2SP tlog-checkpoint).
func (k epochKey) checkpoint(t tree) (string, error) {
	return k.sign(checkpointText(k.origin, t.size, t.root))
}

// signed reports whether a checkpoint is this key's signature of a tree.
func (k epochKey) signed(checkpoint string, t tree) bool {
	verifier, err := note.NewVerifier(k.verifier)
	if err != nil {
		return false
	}
	opened, err := note.Open([]byte(checkpoint), note.VerifierList(verifier))
	return err == nil && opened.Text == checkpointText(k.origin, t.size, t.root)
}

// checkpointText returns the unsigned text of a checkpoint (C2SP tlog-checkpoint).
func checkpointText(origin string, size int64, root tlog.Hash) string {
	return fmt.Sprintf("%s\n%d\n%s\n", origin, size, root)
}

// errInvalidKey says that a stored verifier key is damaged.
var errInvalidKey = errors.New("the stored key is invalid")

// readEpochKeys returns the keys of all epochs, oldest first, without their private halves.
func readEpochKeys(tx *db.Tx) ([]epochKey, error) {
	heads, err := readHeads(tx)
	if err != nil {
		return nil, err
	}
	key, err := db.Setting(tx, keySetting)
	if err != nil {
		return nil, err
	}
	epochs := make([]epochKey, len(heads))
	for n, h := range heads {
		key, err = renamed(cmp.Or(h.key, key), h.origin)
		if err != nil {
			return nil, fmt.Errorf("%w of the log %s: %w", errInvalidKey, h.origin, err)
		}
		epochs[n] = epochKey{origin: h.origin, verifier: key, seedOrigin: cmp.Or(h.seedOrigin, h.origin)}
	}
	return epochs, nil
}

// loadEpochs returns the keys of all epochs. It fails if the private key of the current one is
// missing.
func (l *Log) loadEpochs(tx *db.Tx) ([]epochKey, error) {
	epochs, err := l.readEpochs(tx)
	if err != nil {
		return nil, err
	}
	if current := epochs[len(epochs)-1]; current.signer == nil {
		fingerprint, err := keys.LogFingerprint(current.verifier)
		if err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("this database has the log key %s, which is not in log.key or KAIBAO_LOG_KEY: start with that key", fingerprint)
	}
	return epochs, nil
}

// readEpochs returns the keys of all epochs, with the private halves that this node has.
func (l *Log) readEpochs(tx *db.Tx) ([]epochKey, error) {
	texts, err := l.keys()
	if err != nil {
		return nil, fmt.Errorf("the log key: %w", err)
	}
	keys, err := parseKeys(texts)
	if err != nil {
		return nil, err
	}
	epochs, err := readEpochKeys(tx)
	if err != nil {
		return nil, err
	}
	for n := range epochs {
		epochs[n], err = epochs[n].withPrivate(keys)
		if err != nil {
			return nil, err
		}
	}
	return epochs, nil
}
