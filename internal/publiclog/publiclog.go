// Package publiclog implements the public log. A transaction queues its leaves in the database; a
// sequencer later places them in a Merkle tree, so transactions never wait for it. A receipt is a
// leaf signed with the log's key. It proves that the log must contain the leaf.
package publiclog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/db"
)

// Leaf is the text of a leaf and the epoch that it belongs to.
type Leaf struct {
	Body  string
	epoch int64
}

// Options configure a Log.
type Options struct {
	DB *db.DB

	Keys           Keys
	CheckpointFile string // file of the last checkpoint, next to the key and outside the database

	// NewestCheckpoint reads the last checkpoint signed by a running node. It is used if this
	// node's checkpoint file doesn't exist yet. It may be nil or return "". It may fail while the log
	// is new, because the first node starts before any other runs.
	NewestCheckpoint func(context.Context) (string, error)
}

// Keys returns the signing keys, PRIVATE+KEY+name+hash+base64 (package note). A new database gets the
// first one; later, each log is signed with the key that it began with. A Log calls it again when
// another key replaced that of its log.
type Keys func() ([]string, error)

// FixedKeys returns Keys that never change.
func FixedKeys(keys ...string) Keys { return func() ([]string, error) { return keys, nil } }

// keySetting is the setting that stores the verifier key of the database's first log.
const keySetting = "log_key"

// Log is the public log of a database.
type Log struct {
	db             *db.DB
	keys           Keys
	checkpointFile string
	readOnly       bool // never writes the checkpoint file
	known          atomic.Pointer[knownLog]
	mutex          sync.Mutex                      // held to change known and the checkpoint file
	lastConsistent atomic.Pointer[consistentTrees] // the last tree found to continue the known one
	lastError      atomic.Pointer[error]           // result of the sequencer's last round
	wake           chan struct{}                   // starts the sequencer's next round
	hurryUntil     atomic.Int64                    // until when orders wait, in microseconds
	cosigning      *cosigning
}

// knownLog is what a node knows of its log: the keys of all epochs, and the largest tree of the last
// one that it knows to be signed.
type knownLog struct {
	epochs []epochKey
	tree   tree
}

func (k *knownLog) current() epochKey { return k.epochs[len(k.epochs)-1] }

// GenerateKey returns a new signing key with a unique name.
func GenerateKey(random io.Reader) (string, error) {
	name := make([]byte, 4)
	if _, err := io.ReadFull(random, name); err != nil {
		return "", err
	}
	private, _, err := note.GenerateKey(random, fmt.Sprintf("kaibao.log/%x", name))
	return private, err
}

// Open opens the log of a database. It returns an error if the log's key is missing, if its tree
// doesn't continue the last one signed here, or if its log isn't empty while this node has no
// checkpoint of it.
func Open(ctx context.Context, o Options) (*Log, error) {
	l := newLog(o)
	err := o.DB.InTx(ctx, func(tx *db.Tx) error {
		l.cosigning.holder = tx.NewID()
		_, err := readPolicies(tx) // refuses damaged ones
		return errors.Join(err, l.initialize(tx))
	})
	if err != nil {
		return nil, err
	}
	signed, first, err := l.lastCheckpoint(ctx, o)
	if err != nil {
		return nil, err
	}
	return l, o.DB.Read(ctx, func(tx *db.Tx) error { return l.resume(tx, signed, first) })
}

func newLog(o Options) *Log {
	return &Log{db: o.DB, keys: o.Keys, checkpointFile: o.CheckpointFile, wake: make(chan struct{}, 1), cosigning: newCosigning()}
}

// lastCheckpoint returns the checkpoint that this node remembers, or else that of a running node.
// first says that this node has none yet.
func (l *Log) lastCheckpoint(ctx context.Context, o Options) (signed string, first bool, err error) {
	signed, err = l.readCheckpointFile()
	first = signed == ""
	if err != nil || !first || o.NewestCheckpoint == nil {
		return signed, first, err
	}
	signed, unread := o.NewestCheckpoint(ctx)
	if unread == nil {
		return signed, first, nil
	}
	needed := false
	if err := o.DB.Read(ctx, func(tx *db.Tx) (err error) {
		needed, err = mayBePublic(tx)
		return err
	}); err != nil {
		return "", first, err
	}
	if needed {
		err = fmt.Errorf("the newest checkpoint: %w", unread)
	}
	return "", first, err
}

// HasKey reports whether a database's log has a key already.
func HasKey(ctx context.Context, d *db.DB) (has bool, err error) {
	err = d.Read(ctx, func(tx *db.Tx) error {
		key, err := db.Setting(tx, keySetting)
		has = key != ""
		return err
	})
	return has, err
}

// resume checks that the database's tree continues the last known checkpoint. If the node has no
// checkpoint file yet, it saves that checkpoint.
func (l *Log) resume(tx *db.Tx, signed string, first bool) error {
	epochs, err := l.loadEpochs(tx)
	if err != nil {
		return err
	}
	h, err := readHead(tx)
	if err != nil {
		return err
	}
	if signed == "" {
		signed, err = l.emptyCheckpoint(tx, h, epochs)
		if err != nil {
			return err
		}
	}
	last, err := l.openCheckpoint(epochs, signed)
	if err != nil {
		return err
	}
	l.known.Store(&knownLog{epochs, last})
	err = l.checkTree(tx, h.tree())
	if errors.Is(err, errForked) && last.epoch < h.epoch {
		return l.otherLog(epochs[last.epoch-1].origin, epochs)
	}
	if err != nil || !first || last.epoch < h.epoch {
		return err
	}
	return l.saveCheckpoint(signed, last)
}

// emptyCheckpoint returns the checkpoint of the empty tree. It fails if the log may already be
// known to others.
func (l *Log) emptyCheckpoint(tx *db.Tx, h treeHead, epochs []epochKey) (string, error) {
	begun, err := mayBePublic(tx)
	if err != nil {
		return "", err
	}
	if begun {
		return "", fmt.Errorf("the database has a log of %d leaves that this node has never seen (%s). If the database is an old copy, "+
			"already revealed seeds would be reused. After a restore, run kaibao restore. To join running nodes, "+
			"start with --log-checkpoint https://HOST/log/checkpoint of one of them", h.size, l.checkpointFile)
	}
	return epochs[len(epochs)-1].checkpoint(h.tree())
}

// initialize gives a new database its first log.
func (l *Log) initialize(tx *db.Tx) error {
	if heads, err := readHeads(tx); err != nil || len(heads) > 0 {
		return err
	}
	texts, err := l.keys()
	if err != nil {
		return fmt.Errorf("the log key: %w", err)
	}
	keys, err := parseKeys(texts)
	if err != nil {
		return err
	}
	verifier, err := keys[0].verifierKey()
	if err != nil {
		return err
	}
	pinned, err := db.InitSetting(tx, keySetting, verifier)
	if err != nil || pinned != verifier { // another node was faster, with another key
		return err
	}
	return createTree(tx, treeHead{epoch: 1, origin: keys[0].name})
}

// SeedOrigin returns the name that unused seeds are bound to: the origin of the log that the last
// restore began. Another key doesn't change it.
func (l *Log) SeedOrigin() string { return l.known.Load().current().seedOrigin }

// VerifierKey returns the public key that verifies signatures: name+hash+base64.
func (l *Log) VerifierKey() string { return l.known.Load().current().verifier }

// NewLeaf returns a leaf that the transaction appends. Call it after the function that
// CheckConsistency returned: until the commit, the log can't end.
func (l *Log) NewLeaf(body string) Leaf { return Leaf{body, int64(len(l.known.Load().epochs))} }

// LeafOf returns the leaf of an open, order or void with the text that its rows yield. at is its time.
func (l *Log) LeafOf(tx *db.Tx, id string, at time.Time, body string) (Leaf, error) {
	now, err := queueTree(tx)()
	if err != nil {
		return Leaf{}, err
	}
	if _, err := l.knownOf(tx, now.epoch); err != nil {
		return Leaf{}, err
	}
	if now.epoch == 1 {
		return Leaf{body, 1}, nil
	}
	found, _, err := findLeaf(tx, id, at, func(leaf string) bool { return leaf == body })
	if errors.Is(err, db.ErrNoRow) { // it waits for its place
		return Leaf{body, now.epoch}, nil
	}
	return Leaf{body, found.epoch}, err
}

// Receipt signs a leaf under the origin of its log. Ed25519 is deterministic: the same leaf always
// yields the same receipt, so receipts aren't stored. If the key of its log was replaced and is gone,
// the receipt is empty; the log itself still proves the leaf.
func (l *Log) Receipt(leaf Leaf) (string, error) { return l.keyOf(leaf).sign(leaf.Body) }

// SignBid signs the receipt of a bid, which is no leaf.
func (l *Log) SignBid(text string) (string, error) { return l.known.Load().current().sign(text) }

// VerifierKeyOf returns the verifier key for the receipt of a leaf: the key of its log.
func (l *Log) VerifierKeyOf(leaf Leaf) string { return l.keyOf(leaf).verifier }

// keyOf returns the key of the log that contains the leaf or will contain it.
func (l *Log) keyOf(leaf Leaf) epochKey { return l.known.Load().epochs[leaf.epoch-1] }
