// Package witness implements a witness of public logs. It cosigns a log's checkpoint only if the log
// extends the tree that it cosigned before (C2SP tlog-witness and tlog-cosignature).
package witness

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/protocol"
)

// Options configure a witness.
type Options struct {
	Dir  string           // its key and what it has seen
	Name string           // of a new key; empty = random
	Logs []string         // verifier keys of the logs
	Now  func() time.Time // the clock

	Random io.Reader // of a new key
	Log    *slog.Logger
}

// Witness cosigns the checkpoints of logs. Close it when it is no longer needed.
type Witness struct {
	dir   string
	lock  *os.File // held, so that no other process uses the directory
	key   signingKey
	keys  []logKey
	now   func() time.Time
	log   *slog.Logger
	mutex sync.Mutex          // held to change logs
	logs  map[string]*history // by origin
}

// logKey is the key of a log. A log of Kaibao gets a new origin when its database is restored: the
// key's name, a slash and 16 random hex digits. Each origin is a log of its own.
type logKey struct {
	name   string
	public ed25519.PublicKey
}

// maxOrigins is the maximum number of origins, on average for each key. A restore needs one.
const maxOrigins = 1000

// Open opens a witness. It creates its directory and key if they don't exist.
func Open(o Options) (_ *Witness, err error) {
	w := &Witness{dir: o.Dir, now: o.Now, log: o.Log, logs: map[string]*history{}}
	for _, text := range o.Logs {
		k, err := parseLogKey(text)
		if err != nil {
			return nil, err
		}
		w.keys = append(w.keys, k)
	}
	if len(w.keys) == 0 {
		return nil, errors.New("name at least one log by its verifier key")
	}
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return nil, err
	}
	w.lock, err = lockFile(filepath.Join(o.Dir, "lock"))
	if err != nil {
		return nil, err
	}
	w.key, err = loadKey(filepath.Join(o.Dir, "witness.key"), o.Name, o.Random)
	if err != nil {
		return nil, errors.Join(err, w.lock.Close())
	}
	return w, nil
}

func parseLogKey(text string) (logKey, error) {
	v, err := note.NewVerifier(text)
	if err != nil {
		return logKey{}, fmt.Errorf("%q is not the verifier key of a log (name+hash+base64, as at /log/key): %w", text, err)
	}
	body, err := base64.StdEncoding.DecodeString(strings.SplitN(text, "+", 3)[2])
	if err != nil {
		return logKey{}, err
	}
	return logKey{protocol.KeyName(v.Name()), body[1:]}, nil
}

// lockFile locks a file until it is closed.
func lockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("another witness uses %s: stop it first", filepath.Dir(path)), file.Close())
	}
	return file, nil
}

// Close releases the witness's files. No request may run.
func (w *Witness) Close() error {
	var errs []error
	for _, h := range w.logs {
		errs = append(errs, h.seen.Close())
	}
	return errors.Join(append(errs, w.lock.Close())...)
}

// VerifierKey returns the witness's verifier key: name+hash+base64, of type 0x04.
func (w *Witness) VerifierKey() string { return w.key.String() }

// verifiers returns the verifiers of an origin's keys, none for an unknown origin.
func (w *Witness) verifiers(origin string) (all []note.Verifier) {
	for _, k := range w.keys {
		if protocol.KeyName(origin) != k.name {
			continue
		}
		text, err := note.NewEd25519VerifierKey(origin, k.public)
		if err != nil {
			continue
		}
		if v, err := note.NewVerifier(text); err == nil { // the origin may be no valid name
			all = append(all, v)
		}
	}
	return all
}

// history returns what the witness has seen of an origin, whose signature has been checked.
func (w *Witness) history(origin string) (*history, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if h := w.logs[origin]; h != nil {
		return h, nil
	}
	if len(w.logs) >= maxOrigins*len(w.keys) {
		return nil, fmt.Errorf("refused the log %s: this witness has seen %d logs, which is the maximum", origin, len(w.logs))
	}
	h, err := openHistory(w.dir, origin)
	if err != nil {
		return nil, err
	}
	w.logs[origin] = h
	w.log.Info("witnessing a log", "origin", origin, "leaves", h.last.Size)
	return h, nil
}

// signingKey is the witness's key.
type signingKey struct {
	protocol.Witness
	seed []byte
}
