// Package publiclog implements the public log. An act writes its leaf in its own transaction; a
// sequencer later places leaves in a Merkle tree, so that acts never wait for it. A receipt is a
// leaf signed with the log's key: it proves that the log must contain the leaf.
package publiclog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/db"
)

// Leaf is the text of a fact in the log.
type Leaf struct {
	Body  string
	epoch int64 // in which it has its place; 0 while it waits for one
}

// Options say which log it is.
type Options struct {
	DB     *db.DB
	Key    string // signing key, PRIVATE+KEY+name+hash+base64 (package note)
	Memory string // file of the last checkpoint, beside the key and apart from the database

	// Newest reads what a running node signed last; it stands for the memory of a
	// node that has none yet. Nil or "" if none is named.
	Newest func(context.Context) (string, error)
}

// keySetting keeps the verifier key of a database's log.
const keySetting = "log_key"

// Log signs for one log key.
type Log struct {
	db      *db.DB
	logs    []named // of every epoch; the last one grows
	memory  string
	pinned  atomic.Pointer[pinned] // written by the sequencer alone
	sound   atomic.Pointer[sound]  // the last tree that was compared with it
	trouble atomic.Pointer[error]  // what became of the sequencer's last round
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
// another key, one whose tree does not continue the last one that was signed here,
// and one whose log has begun while nothing is known of what was signed of it.
func Open(ctx context.Context, o Options) (*Log, error) {
	l := &Log{db: o.DB, memory: o.Memory}
	if err := o.DB.InTx(ctx, func(tx *db.Tx) error { return l.useKey(tx, o.Key) }); err != nil {
		return nil, err
	}
	signed, err := l.recall()
	if err != nil {
		return nil, err
	}
	first := signed == ""
	if first && o.Newest != nil {
		signed, err = o.Newest(ctx)
		if err != nil {
			return nil, fmt.Errorf("the newest checkpoint: %w", err)
		}
	}
	return l, o.DB.Read(ctx, func(tx *db.Tx) error { return l.takeUp(tx, signed, first) })
}

// HasKey reports whether a database's log has a key already.
func HasKey(ctx context.Context, d *db.DB) (has bool, err error) {
	err = d.Read(ctx, func(tx *db.Tx) error {
		key, err := db.Noted(tx, keySetting)
		has = key != ""
		return err
	})
	return has, err
}

// takeUp compares the database's tree with the last one that is known to be
// signed, and remembers that one if it is new to the node.
func (l *Log) takeUp(tx *db.Tx, signed string, first bool) error {
	h, err := readHead(tx)
	if err != nil {
		return err
	}
	if signed == "" {
		signed, err = l.beginning(tx, h)
		if err != nil {
			return err
		}
	}
	last, err := l.unsealed(signed)
	if err != nil {
		return err
	}
	l.pinned.Store(&last)
	if err := l.continues(tx, h.tree()); err != nil || !first {
		return err
	}
	return l.pin(signed, last)
}

// beginning is the checkpoint of the empty tree, for a log that nobody has seen
// more of yet.
func (l *Log) beginning(tx *db.Tx, h head) (string, error) {
	begun, err := hasBegun(tx)
	if err != nil {
		return "", err
	}
	if begun {
		return "", fmt.Errorf("the database holds a log of %d leaves, and this node has no memory of it (%s): if the database is an old copy, "+
			"seeds that were told already would be used again. After a restore, run kaibao restore. For a node that joins others, "+
			"give it what one of them signed last: --log-checkpoint https://HOST/log/checkpoint", h.size, l.memory)
	}
	return l.log().checkpoint(h.tree())
}

// useKey keeps a database to one key, and reads under which names it signed.
func (l *Log) useKey(tx *db.Tx, key string) error {
	name, seed, err := parseKey(key)
	if err != nil {
		return err
	}
	first, err := newNamed(name, seed)
	if err != nil {
		return err
	}
	pinned, err := db.Pin(tx, keySetting, first.verifier)
	if err != nil {
		return err
	}
	if pinned != first.verifier {
		return fmt.Errorf("this database belongs to the log key %s, not to %s: start with the key it was made with", pinned, first.verifier)
	}
	if err := beginTree(tx, 1, name); err != nil {
		return err
	}
	heads, err := readHeads(tx)
	if err != nil {
		return err
	}
	l.logs = make([]named, len(heads))
	for n, h := range heads {
		l.logs[n], err = newNamed(h.origin, seed)
		if err != nil {
			return err
		}
	}
	return nil
}

// log is the one that grows.
func (l *Log) log() named { return l.logs[len(l.logs)-1] }

func (l *Log) epoch() int64 { return int64(len(l.logs)) }

// Origin names the log that grows; a restored database has another one.
func (l *Log) Origin() string { return l.log().origin }

// VerifierKey is what anybody checks signatures with: name+hash+base64.
func (l *Log) VerifierKey() string { return l.log().verifier }

// Owed is the leaf of an open, by what its rows say. Only where a log has ended must be
// looked which one has it.
func (l *Log) Owed(tx *db.Tx, id, body string) (Leaf, error) {
	leaf := Leaf{Body: body}
	if len(l.logs) == 1 {
		return leaf, nil
	}
	at, _, err := find(tx, id)
	if errors.Is(err, db.ErrNoRow) {
		return leaf, nil
	}
	leaf.epoch = at.epoch
	return leaf, err
}

// Receipt signs a leaf under the name of the log that owes it. Ed25519 is
// deterministic: the same leaf always gives the same receipt, so none is stored.
func (l *Log) Receipt(leaf Leaf) (string, error) { return l.of(leaf).sealed(leaf.Body) }

// KeyOf is what the receipt of a leaf is checked with: the verifier key under the
// name of the log that owes it.
func (l *Log) KeyOf(leaf Leaf) string { return l.of(leaf).verifier }

// of is the log in which a leaf has its place, or will have.
func (l *Log) of(leaf Leaf) named {
	if leaf.epoch == 0 {
		return l.log()
	}
	return l.logs[leaf.epoch-1]
}
