// Package keyring holds the keys that a node has loaded, and knows which of them stored seeds and
// addresses are encrypted with.
//
// The database decides which key encrypts (table key_uses). A key is used only after all running
// nodes have loaded it, so that no node meets a row that it can't read.
package keyring

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/keys"
)

// Key is a key of a Ring.
type Key struct {
	Fingerprint string // identifies the key without revealing it
	Text        string // the key as in its file
	aead        cipher.AEAD
}

func parse(kind keys.Kind, text string) (k Key, err error) {
	k.Text = text
	k.Fingerprint, err = keys.Fingerprint(kind, text)
	if err != nil || kind == keys.Log {
		return k, err
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return k, err
	}
	block, err := aes.NewCipher(raw)
	if err != nil {
		return k, err
	}
	k.aead, err = cipher.NewGCMWithRandomNonce(block)
	return k, err
}

// Seal encrypts a text and binds it to associated data. A log key can't encrypt.
func (k Key) Seal(text, associated []byte) []byte { return k.aead.Seal(nil, nil, text, associated) }

// Open decrypts what Seal returned for the same associated data.
func (k Key) Open(sealed, associated []byte) ([]byte, error) {
	return k.aead.Open(nil, nil, sealed, associated)
}

// Derive returns a 32-byte key for another purpose.
func (k Key) Derive(purpose string) ([]byte, error) {
	raw, err := hex.DecodeString(k.Text)
	if err != nil {
		return nil, err
	}
	return hkdf.Key(sha256.New, raw, nil, purpose, sha256.Size)
}

// Ring holds the loaded keys of a kind, in the order of their file or setting.
type Ring struct {
	source keys.Source
	loaded atomic.Pointer[[]Key]
}

// Load reads the keys of a source.
func Load(source keys.Source) (*Ring, error) {
	r := &Ring{source: source}
	all, err := r.read()
	if err != nil {
		return nil, err
	}
	r.loaded.Store(&all)
	return r, nil
}

func (r *Ring) read() ([]Key, error) {
	texts, err := r.source.Read()
	if err != nil {
		return nil, err
	}
	var all []Key
	for _, text := range texts {
		k, err := parse(r.source.Kind, text)
		if err != nil {
			return nil, err
		}
		if !contains(all, k.Fingerprint) {
			all = append(all, k)
		}
	}
	return all, nil
}

// Reload reads the source again, for commands that have changed it.
func (r *Ring) Reload() error {
	all, err := r.read()
	if err == nil {
		r.loaded.Store(&all)
	}
	return err
}

// Source returns where the keys come from.
func (r *Ring) Source() keys.Source { return r.source }

// Keys returns the loaded keys. There is at least one.
func (r *Ring) Keys() []Key { return *r.loaded.Load() }

// First returns the first key of the file or setting, which a new or restored database begins with.
func (r *Ring) First() Key { return r.Keys()[0] }

// Find returns the key with a fingerprint.
func (r *Ring) Find(fingerprint string) (k Key, ok bool) {
	for _, k := range r.Keys() {
		if k.Fingerprint == fingerprint {
			return k, true
		}
	}
	return k, false
}

// Open decrypts with whichever key fits, and returns that key.
func (r *Ring) Open(sealed, associated []byte) ([]byte, Key, error) {
	for _, k := range r.Keys() {
		if text, err := k.Open(sealed, associated); err == nil {
			return text, k, nil
		}
	}
	return nil, Key{}, fmt.Errorf("none of the keys in %s can decrypt it", r.source)
}

// QueueSealing queues the lookup of the key that encrypts new rows. Queue it after the locks of the
// rows that will be encrypted, so that a rotation that visits those rows later finds the result.
func (r *Ring) QueueSealing(tx *db.Tx) db.Queued[Key] {
	uses := queueUses(tx, r.source.Kind)
	return func() (Key, error) { return r.sealingKey(uses()) }
}

// Sealing returns the key that encrypts new rows, and keeps a rotation from changing it until the
// transaction ends. Use it for rows that don't exist yet, which a rotation can't lock.
func (r *Ring) Sealing(tx *db.Tx) (Key, error) {
	if err := tx.SharedAdvisoryLock(usesLock); err != nil {
		return Key{}, err
	}
	return r.QueueSealing(tx)()
}

func (r *Ring) sealingKey(uses Uses, err error) (Key, error) {
	if err != nil {
		return Key{}, fmt.Errorf("which %s key encrypts: %w", r.source.Kind, err)
	}
	k, ok := r.Find(uses.Current())
	if !ok {
		return k, r.Unavailable(uses.Current())
	}
	return k, nil
}

// Unavailable returns the error for a key that the node lacks.
func (r *Ring) Unavailable(fingerprint string) error {
	return apperr.New(apperr.Unavailable, "This server can't do that right now. Please try again.").Because(r.Missing(fingerprint))
}

// Missing returns an error that tells operators which key is missing where.
func (r *Ring) Missing(fingerprint string) error {
	what := map[keys.Kind]string{keys.Log: "the public log is signed", keys.Seed: "seeds are encrypted", keys.Address: "addresses are encrypted"}[r.source.Kind]
	next := "restore it"
	if r.source.Kind == keys.Log {
		next += ", or see kaibao keys if it is lost"
	}
	return fmt.Errorf("%s with the %s key %s, which is missing in %s: %s", what, r.source.Kind, fingerprint, r.source, next)
}

// Check fails if the ring lacks a key that rows may be encrypted with. A database without rows yet
// has none.
func (r *Ring) Check(tx *db.Tx) error {
	uses, err := ReadUses(tx, r.source.Kind)
	if err != nil {
		return err
	}
	return r.checkAll(r.Keys(), uses.InUse)
}

func (r *Ring) checkAll(all []Key, inUse []string) error {
	var errs []error
	for _, fingerprint := range inUse {
		if !contains(all, fingerprint) {
			errs = append(errs, r.Missing(fingerprint))
		}
	}
	return errors.Join(errs...)
}

// reload reads the file again. New keys are usable at once, because other nodes may encrypt with them as
// soon as the transaction commits; removed ones are dropped after the commit. If the file is unusable or
// lacks a key in use, the loaded keys stay. It returns the keys that the node will have.
func (r *Ring) reload(tx *db.Tx, inUse []string) ([]Key, error) {
	before := r.Keys()
	if r.source.Setting != "" {
		return before, nil // read at the start only
	}
	after, err := r.read()
	if err == nil {
		err = r.checkAll(after, inUse)
	}
	if err != nil {
		return before, fmt.Errorf("%s can't be used, so the node keeps its loaded keys: %w", r.source.Path, err)
	}
	if slices.Equal(fingerprints(before), fingerprints(after)) {
		return before, nil
	}
	both := slices.Clone(after)
	for _, k := range before {
		if !contains(after, k.Fingerprint) {
			both = append(both, k)
		}
	}
	r.loaded.Store(&both) // others may use a new key as soon as the transaction commits
	tx.AfterCommit(func() { r.loaded.Store(&after) })
	return after, nil
}

func contains(all []Key, fingerprint string) bool {
	return slices.Contains(fingerprints(all), fingerprint)
}

func fingerprints(all []Key) []string {
	names := make([]string, len(all))
	for n, k := range all {
		names[n] = k.Fingerprint
	}
	return names
}
