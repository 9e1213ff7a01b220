// Package tlog is the public log. Whatever it must show is written as a leaf in
// the transaction of the fact itself; a sequencer places the leaves in a Merkle
// tree afterwards and slows nobody down. A receipt is a leaf signed with the
// log's key: with it a user can prove that the log owes it.
package tlog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/db"
	"kaibao/internal/fair"
)

// Kinds of leaves, as in their first line.
const (
	KindOpen     = "open"
	KindCommit   = "commit"
	KindManifest = "manifest-published"
	KindStock    = "stock"
	KindEpoch    = "epoch"
)

// Options say which log it is.
type Options struct {
	DB     *db.DB
	Key    string // signing key, PRIVATE+KEY+name+hash+base64 (package note)
	Memory string // file of the last checkpoint, beside the key and apart from the database
}

// Log signs for one log key.
type Log struct {
	// Placed are told which opens got their places, in the transaction of that.
	Placed []func(*db.Tx, []fair.OpenLeaf) error

	db       *db.DB
	signer   note.Signer
	verifier string
	memory   string
	pinned   atomic.Pointer[pinned] // written by the sequencer alone
	trouble  atomic.Pointer[error]  // what became of its last round
}

// GenerateKey makes a signing key whose name no other log has.
func GenerateKey(random io.Reader) (string, error) {
	name := make([]byte, 4)
	if _, err := io.ReadFull(random, name); err != nil {
		return "", err
	}
	private, _, err := note.GenerateKey(random, fmt.Sprintf("kaibao.log/%x", name))
	return private, err
}

// Open takes the log of a database up. It refuses a database that belongs to
// another key, or whose tree does not continue the last one that was signed here.
func Open(ctx context.Context, o Options) (*Log, error) {
	signer, err := note.NewSigner(strings.TrimSpace(o.Key))
	if err != nil {
		return nil, errors.New("the log key cannot be read")
	}
	l := &Log{db: o.DB, signer: signer, memory: o.Memory}
	if l.verifier, err = verifierKey(o.Key); err != nil {
		return nil, err
	}
	if err := o.DB.InTx(ctx, l.claim); err != nil {
		return nil, err
	}
	if err := l.recall(); err != nil {
		return nil, err
	}
	return l, o.DB.Read(ctx, func(tx *db.Tx) error {
		h, err := readHead(tx)
		if err != nil {
			return err
		}
		return l.continues(tx, h)
	})
}

// claim keeps a database to one key.
func (l *Log) claim(tx *db.Tx) error {
	pinned, err := db.Pin(tx, "log_key", l.verifier)
	if err != nil {
		return err
	}
	if pinned != l.verifier {
		return fmt.Errorf("this database belongs to the log key %s, not to %s: start with the key it was made with", pinned, l.verifier)
	}
	return plant(tx)
}

// VerifierKey is what anybody checks signatures with: name+hash+base64.
func (l *Log) VerifierKey() string { return l.verifier }

// Receipt signs a leaf. Ed25519 is deterministic: the same leaf always gives
// the same receipt, so none is stored.
func (l *Log) Receipt(leaf string) (string, error) { return l.sealed(leaf) }

// sealed is a text as a signed note (C2SP signed-note).
func (l *Log) sealed(text string) (string, error) {
	signed, err := note.Sign(&note.Note{Text: text}, l.signer)
	return string(signed), err
}
