// Package publiclog implements the public log. A transaction queues its leaves in the database; a
// sequencer later places them in a Merkle tree, so transactions never wait for it. A receipt is a
// leaf signed with the log's key. It proves that the log must contain the leaf.
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

// Leaf is the text of a leaf and the epoch that it belongs to.
type Leaf struct {
	Body  string
	epoch int64 // 0 while the leaf waits for its place
}

// Options configure a Log.
type Options struct {
	DB             *db.DB
	Key            string // signing key, PRIVATE+KEY+name+hash+base64 (package note)
	CheckpointFile string // file of the last checkpoint, next to the key and outside the database

	// NewestCheckpoint reads the last checkpoint signed by a running node. It is used if this
	// node's checkpoint file doesn't exist yet. It may be nil or return "".
	NewestCheckpoint func(context.Context) (string, error)
}

// keySetting is the setting that stores the verifier key of the log.
const keySetting = "log_key"

// Log is the public log of a database. It signs with one key.
type Log struct {
	db             *db.DB
	signers        []epochSigner // one per epoch; the last one grows
	checkpointFile string
	knownTree      atomic.Pointer[tree]            // written only by the sequencer
	lastConsistent atomic.Pointer[consistentTrees] // the last tree found to continue knownTree
	lastError      atomic.Pointer[error]           // result of the sequencer's last round
}

// GenerateKey returns a new signing key with a unique name.
func GenerateKey(random io.Reader) (string, error) {
	name := make([]byte, 4)
	if _, err := io.ReadFull(random, name); err != nil {
		return "", err
	}
	private, _, err := note.GenerateKey(random, fmt.Sprintf("kaibao.log/%x", name))
	return private, err
}

// Open opens the log of a database. It returns an error if the database belongs to another key, if
// its tree doesn't continue the last one signed here, or if its log isn't empty while this node has
// no checkpoint of it.
func Open(ctx context.Context, o Options) (*Log, error) {
	l := &Log{db: o.DB, checkpointFile: o.CheckpointFile}
	if err := o.DB.InTx(ctx, func(tx *db.Tx) error { return l.bindKey(tx, o.Key) }); err != nil {
		return nil, err
	}
	signed, first, err := l.lastCheckpoint(ctx, o)
	if err != nil {
		return nil, err
	}
	return l, o.DB.Read(ctx, func(tx *db.Tx) error { return l.resume(tx, signed, first) })
}

// lastCheckpoint returns the checkpoint that this node remembers, or else that of a running node.
// first says that this node has none yet.
func (l *Log) lastCheckpoint(ctx context.Context, o Options) (signed string, first bool, err error) {
	signed, err = l.readCheckpointFile()
	first = signed == ""
	if err != nil || !first || o.NewestCheckpoint == nil {
		return signed, first, err
	}
	signed, err = o.NewestCheckpoint(ctx)
	if err != nil {
		err = fmt.Errorf("the newest checkpoint: %w", err)
	}
	return signed, first, err
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
	h, err := readHead(tx)
	if err != nil {
		return err
	}
	if signed == "" {
		signed, err = l.emptyCheckpoint(tx, h)
		if err != nil {
			return err
		}
	}
	last, err := l.openCheckpoint(signed)
	if err != nil {
		return err
	}
	l.knownTree.Store(&last)
	if err := l.checkTree(tx, h.tree()); err != nil || !first {
		return err
	}
	return l.saveCheckpoint(signed, last)
}

// emptyCheckpoint returns the checkpoint of the empty tree. It fails if the log may already be
// known to others.
func (l *Log) emptyCheckpoint(tx *db.Tx, h treeHead) (string, error) {
	begun, err := mayBePublic(tx)
	if err != nil {
		return "", err
	}
	if begun {
		return "", fmt.Errorf("the database has a log of %d leaves that this node has never seen (%s). If the database is an old copy, "+
			"already revealed seeds would be reused. After a restore, run kaibao restore. To join running nodes, "+
			"start with --log-checkpoint https://HOST/log/checkpoint of one of them", h.size, l.checkpointFile)
	}
	return l.currentSigner().checkpoint(h.tree())
}

// bindKey binds the database to one key and loads the origins of all epochs.
func (l *Log) bindKey(tx *db.Tx, key string) error {
	name, seed, err := parseKey(key)
	if err != nil {
		return err
	}
	first, err := newEpochSigner(name, seed)
	if err != nil {
		return err
	}
	pinned, err := db.InitSetting(tx, keySetting, first.verifier)
	if err != nil {
		return err
	}
	if err := first.checkPinned(pinned); err != nil {
		return err
	}
	if err := createTree(tx, 1, name); err != nil {
		return err
	}
	return l.loadSigners(tx, seed)
}

// checkPinned fails if a database belongs to another key than this signer's.
func (n epochSigner) checkPinned(verifier string) error {
	if verifier != n.verifier {
		return fmt.Errorf("this database was created with the log key %s, not %s: start with that key", verifier, n.verifier)
	}
	return nil
}

// loadSigners sets the signers of all epochs.
func (l *Log) loadSigners(tx *db.Tx, seed []byte) error {
	heads, err := readHeads(tx)
	if err != nil {
		return err
	}
	l.signers = make([]epochSigner, len(heads))
	for n, h := range heads {
		l.signers[n], err = newEpochSigner(h.origin, seed)
		if err != nil {
			return err
		}
	}
	return nil
}

// currentSigner returns the signer of the current epoch.
func (l *Log) currentSigner() epochSigner { return l.signers[len(l.signers)-1] }

func (l *Log) epoch() int64 { return int64(len(l.signers)) }

// Origin returns the name of the log that grows. A restored database gets a new one.
func (l *Log) Origin() string { return l.currentSigner().origin }

// VerifierKey returns the public key that verifies signatures: name+hash+base64.
func (l *Log) VerifierKey() string { return l.currentSigner().verifier }

// LeafOf returns the leaf of an open with the text that its rows yield. The lookup of its epoch is
// only needed if the database has more than one.
func (l *Log) LeafOf(tx *db.Tx, id, body string) (Leaf, error) {
	leaf := Leaf{Body: body}
	if len(l.signers) == 1 {
		return leaf, nil
	}
	at, _, err := findOpen(tx, id)
	if errors.Is(err, db.ErrNoRow) {
		return leaf, nil
	}
	leaf.epoch = at.epoch
	return leaf, err
}

// Receipt signs a leaf under the origin of its log. Ed25519 is deterministic: the same leaf always
// yields the same receipt, so receipts aren't stored.
func (l *Log) Receipt(leaf Leaf) (string, error) { return l.signerOf(leaf).sign(leaf.Body) }

// VerifierKeyOf returns the verifier key for the receipt of a leaf: the key under the origin of its
// log.
func (l *Log) VerifierKeyOf(leaf Leaf) string { return l.signerOf(leaf).verifier }

// signerOf returns the signer of the log that contains the leaf or will contain it.
func (l *Log) signerOf(leaf Leaf) epochSigner {
	if leaf.epoch == 0 {
		return l.currentSigner()
	}
	return l.signers[leaf.epoch-1]
}
