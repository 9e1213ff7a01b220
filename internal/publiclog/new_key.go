package publiclog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// KeyReplacement describes a log that ended because its key was replaced, and the log that continues it.
type KeyReplacement struct {
	EndedOrigin string
	Size        int64  // leaves of the ended log
	Key         string // verifier key of the current log, under its origin
}

// ReplacedSigningKey is the verifier key of a log that ended, and when it ended.
type ReplacedSigningKey struct {
	Key string
	At  time.Time
}

// SigningKeys returns the verifier key of the current log, or "" in a new database, and the other
// keys that earlier logs had, oldest first.
func SigningKeys(tx *db.Tx) (current string, replaced []ReplacedSigningKey, err error) {
	heads, err := readHeads(tx)
	if err != nil || len(heads) == 0 {
		return "", nil, err
	}
	epochs, err := readEpochKeys(tx)
	if err != nil {
		return "", nil, err
	}
	for n, next := range heads[1:] {
		if next.key != "" {
			replaced = append(replaced, ReplacedSigningKey{epochs[n].verifier, heads[n].signedAt})
		}
	}
	return epochs[len(epochs)-1].verifier, replaced, nil
}

// unusedKey returns the first key that no log of the database has, or the zero key.
func unusedKey(tx *db.Tx, keys []privateKey) (privateKey, error) {
	epochs, err := readEpochKeys(tx)
	if err != nil {
		return privateKey{}, err
	}
	for _, k := range keys {
		used := slices.ContainsFunc(epochs, func(e epochKey) bool {
			public, err := publicKey(e.verifier)
			return err == nil && k.public().Equal(public)
		})
		if !used {
			return k, nil
		}
	}
	return privateKey{}, nil
}

// ReplaceKey ends the log and begins the next one with another key, while nodes run. Writes wait
// briefly. The last leaf of the ended log names the next log, whose first leaf names the ended one;
// both trees are signed. No commitment, seed or stock changes. The next key is the first of the
// options' keys that no log of the database has, under a new name. ready must return an error unless
// all nodes have the key; it runs while no other transaction writes.
func ReplaceKey(ctx context.Context, o Options, ready func(tx *db.Tx) error) (r KeyReplacement, err error) {
	l, err := Open(ctx, o)
	if err != nil {
		return r, err
	}
	if err := l.placeWaiting(ctx); err != nil { // so that writes wait only for the newest leaves
		return r, err
	}
	err = o.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.ExcludeWriters(); err != nil {
			return err
		}
		if err := ready(tx); err != nil {
			return err
		}
		next, err := l.nextKey(tx)
		if err != nil {
			return err
		}
		r, err = l.replaceKey(tx, next)
		return err
	})
	return r, err
}

func (l *Log) nextKey(tx *db.Tx) (next privateKey, err error) {
	texts, err := l.keys()
	if err != nil {
		return next, err
	}
	keys, err := parseKeys(texts)
	if err != nil {
		return next, err
	}
	next, err = unusedKey(tx, keys)
	if err == nil && next.name == "" {
		err = errors.New("there is no unused log key: run kaibao keys add log on one node, and give that key to all the others")
	}
	return next, err
}

// replaceKey ends the current log and begins the next one. Nothing else writes meanwhile.
func (l *Log) replaceKey(tx *db.Tx, next privateKey) (r KeyReplacement, err error) {
	origin, verifier, err := next.newOrigin(tx)
	if err != nil {
		return r, err
	}
	h, err := lockHead(tx)
	if err != nil {
		return r, err
	}
	if err := l.checkTree(tx, h.tree()); err != nil {
		return r, err
	}
	current := l.known.Load().current()
	if current.signer == nil {
		return r, fmt.Errorf("the private key of %s is missing", current.verifier)
	}
	leaves, err := waiting(tx, beforeFirst, maxWaiting)
	if err != nil {
		return r, err
	}
	h, err = placeWaiting(tx, h, leaves)
	if err != nil {
		return r, err
	}
	tx.AnnounceNow() // the leaves before may be newer than the transaction
	end := protocol.EndLeaf{Origin: origin, Key: verifier, Time: tx.AnnouncedAt}
	h, err = placeChecked(tx, h, end)
	if err != nil {
		return r, err
	}
	if err := signHead(tx, h, current); err != nil {
		return r, err
	}
	began := treeHead{epoch: h.epoch + 1, origin: origin, key: verifier, seedOrigin: current.seedOrigin, root: (&frontier{}).root()}
	if err := createTree(tx, began); err != nil {
		return r, err
	}
	first := protocol.EpochLeaf{Origin: h.origin, Size: uint64(h.size), Root: h.root, Time: tx.AnnouncedAt}
	began, err = placeChecked(tx, began, first)
	if err != nil {
		return r, err
	}
	copies, err := pendingOrders(tx, h)
	if err != nil {
		return r, err
	}
	if len(copies) > 0 {
		began, err = place(tx, began, copies)
	}
	if err != nil {
		return r, err
	}
	key, err := epochKey{origin: origin, verifier: verifier}.withPrivate([]privateKey{next})
	if err != nil {
		return r, err
	}
	return KeyReplacement{EndedOrigin: h.origin, Size: h.size, Key: verifier}, signHead(tx, began, key)
}

// maxWaiting is far more leaves than can wait after all were placed.
const maxWaiting = 1 << 20

// placeChecked appends a leaf to a tree if readers of the log accept it.
func placeChecked(tx *db.Tx, h treeHead, leaf protocol.Leaf) (treeHead, error) {
	text := string(leaf.Format())
	if err := validateLeaf(text, func(parsed protocol.Leaf) error {
		if string(parsed.Format()) != text {
			return errors.New("reads differently than it was written")
		}
		return nil
	}); err != nil {
		return h, err
	}
	return place(tx, h, []string{text})
}

// signHead stores the checkpoint of a tree.
func signHead(tx *db.Tx, h treeHead, key epochKey) error {
	checkpoint, err := key.checkpoint(h.tree())
	if err != nil {
		return err
	}
	return saveSignedHead(tx, h, checkpoint)
}

// knownOf returns the log that the node knows, at least up to an epoch. If that epoch is new to it, it
// follows the replacements of keys since the last one it knows. It returns errForked if an epoch
// ended in any other way, such as a restore.
func (l *Log) knownOf(tx *db.Tx, epoch int64) (*knownLog, error) {
	known := l.known.Load()
	if known.tree.epoch >= epoch {
		return known, nil
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	known = l.known.Load()
	if known.tree.epoch >= epoch {
		return known, nil
	}
	epochs, err := l.loadEpochs(tx)
	if err != nil {
		return nil, err
	}
	heads, err := readHeads(tx)
	if err != nil {
		return nil, err
	}
	last := known.tree
	for ; last.epoch < int64(len(heads)); last = (treeHead{epoch: last.epoch + 1}).tree() {
		ended, next := heads[last.epoch-1], heads[last.epoch]
		if err := extends(tx, ended.tree(), last); err != nil {
			return nil, err
		}
		replaced, err := keyReplaced(tx, ended, epochs[last.epoch-1], next, epochs[last.epoch])
		if err != nil {
			return nil, err
		}
		if !replaced {
			return nil, errForked
		}
	}
	signed := heads[len(heads)-1].checkpoint
	last, err = l.openCheckpoint(epochs, signed)
	if err != nil {
		return nil, err
	}
	followed := &knownLog{epochs, last}
	return followed, l.remember(signed, followed)
}

// keyReplaced reports whether a log's last leaf names the next log and its key, the next log's first
// leaf names this log, and this log's key signed its last tree.
func keyReplaced(tx *db.Tx, ended treeHead, key epochKey, next treeHead, nextKey epochKey) (bool, error) {
	last, err := readLeaves(tx, ended.epoch, ended.size-1, ended.size)
	if err != nil {
		return false, err
	}
	first, err := readLeaves(tx, next.epoch, 0, 1)
	if err != nil {
		return false, err
	}
	if len(last) != 1 || len(first) != 1 {
		return false, nil
	}
	parsed, _ := protocol.ParseLeaf([]byte(last[0])) // nil if it is no leaf
	end, ok := parsed.(protocol.EndLeaf)
	began, _ := protocol.ParseLeaf([]byte(first[0]))
	return ok && end.Origin == next.origin && end.Key == nextKey.verifier && ended.checkEpochLeaf(began) == nil && key.signed(ended.checkpoint, ended.tree()), nil
}
