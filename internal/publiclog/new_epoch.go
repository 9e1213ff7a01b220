package publiclog

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// NewEpoch describes a log that StartEpoch began, and the one that it continues.
type NewEpoch struct {
	EndedOrigin, Origin string // of the ended log and of the new one
	Size                int64  // leaves of the ended log in the restored database
	Lost                int64  // further leaves of it that this node or a mirror knows were signed
	LostOrders          int    // pending orders among them, which the new log voids
}

// FindLostOrders returns the orders that were pending at the end of a log, and are in its leaves after
// the restored tree. It also returns the log's size before the loss.
type FindLostOrders func(restored Tree) (orders []protocol.OrderLeaf, size int64, err error)

// Tree is a tree of a log and the log's verifier key.
type Tree struct {
	Origin string
	Size   int64
	Root   tlog.Hash
	Key    string
}

// EpochStart says how StartEpoch begins a log.
type EpochStart struct {
	// NewKey gives the new log a key that no log of the database has. Followers can't know that it is
	// the operator's, so they must accept it by hand. Use it if the old key is lost or stolen.
	NewKey bool
	// FindLost finds pending orders that the restored database lacks; nil = none are known.
	FindLost FindLostOrders
	// Begin runs in the transaction that starts the log. It must replace every secret that may have been
	// revealed since the backup.
	Begin func(tx *db.Tx, origin string) error
}

// StartEpoch ends the log and starts a new one under a new origin. Use it after a restore, since it is
// unknown what was signed after the backup, and to replace all unused seeds. The first leaf of the new
// log names the tree that it continues. The renewal is complete when the waiting leaves have been
// sequenced. Until then, nodes refuse to start, and another call of StartEpoch resumes it.
func StartEpoch(ctx context.Context, o Options, start EpochStart) (l *Log, r NewEpoch, err error) {
	l = newLog(o)
	var epochs []epochKey
	err = o.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := l.initialize(tx); err != nil {
			return err
		}
		h, err := lockHead(tx)
		if err != nil {
			return err
		}
		if h.epoch > 1 && h.size == 0 { // an earlier call was interrupted
			heads, err := readHeads(tx)
			if err != nil {
				return err
			}
			ended := heads[h.epoch-2]
			r = NewEpoch{EndedOrigin: ended.origin, Origin: h.origin, Size: ended.size}
			epochs, err = l.loadEpochs(tx)
			return err
		}
		r, err = l.endEpoch(tx, h, start)
		if err != nil {
			return err
		}
		if err := start.Begin(tx, r.Origin); err != nil {
			return err
		}
		epochs, err = l.loadEpochs(tx)
		return err
	})
	if err != nil {
		return nil, r, err
	}
	empty := tree{epoch: int64(len(epochs)), root: (&frontier{}).root()}
	l.known.Store(&knownLog{epochs, empty})
	checkpoint, err := l.known.Load().current().checkpoint(empty)
	if err != nil {
		return nil, r, err
	}
	err = errors.Join(l.keepReplaced(o.DB.Now()), l.saveCheckpoint(checkpoint, empty))
	return l, r, err
}

// endEpoch signs the last tree of the log and starts the next log.
func (l *Log) endEpoch(tx *db.Tx, h treeHead, start EpochStart) (r NewEpoch, err error) {
	if err := l.checkRestored(tx, h); err != nil {
		return r, err
	}
	next, ended, err := l.keyAfter(tx, start.NewKey)
	if err != nil {
		return r, err
	}
	// Anything signed after the backup continues this tree, since it has been committed. A lost key
	// can't sign it.
	if ended.signer != nil {
		if err := signHead(tx, h, ended); err != nil {
			return r, err
		}
	}
	next.epoch = h.epoch + 1
	r = NewEpoch{EndedOrigin: h.origin, Origin: next.origin, Size: h.size}
	if signed, err := l.readCheckpointFile(); err == nil {
		if last, err := l.openCheckpoint([]epochKey{ended}, signed); err == nil {
			r.Lost = max(0, last.size-h.size)
		}
	}
	leaf := protocol.EpochLeaf{Origin: h.origin, Size: uint64(h.size), Root: h.root, Time: tx.Now}
	text := string(leaf.Format())
	if err := validateLeaf(text, h.checkEpochLeaf); err != nil {
		return r, err
	}
	copies, err := pendingOrders(tx, h)
	if err != nil {
		return r, err
	}
	if start.FindLost != nil {
		lost, size, err := start.FindLost(Tree{Origin: h.origin, Size: h.size, Root: h.root, Key: ended.verifier})
		if err != nil {
			return r, err
		}
		leaves, count, err := lostOrderLeaves(tx, lost)
		if err != nil {
			return r, err
		}
		copies = append(copies, leaves...)
		r.Lost, r.LostOrders = max(r.Lost, size-h.size), count
	}
	if err := appendFirst(tx, slices.Insert(copies, 0, text)...); err != nil {
		return r, err
	}
	return r, createTree(tx, next)
}

// lostOrderLeaves returns the copies of orders that the database lacks, each followed by its void, and the
// number of these orders. Their payments and seeds are lost.
func lostOrderLeaves(tx *db.Tx, orders []protocol.OrderLeaf) (leaves []string, count int, err error) {
	for _, o := range orders {
		known, err := hasOrder(tx, o.ID)
		if err != nil {
			return nil, 0, err
		}
		if known { // its leaf waited for its place at the time of the backup
			continue
		}
		order, void := string(o.Format()), string(protocol.VoidLeaf{Settlement: o.Settlement(), Reason: protocol.VoidLost, Time: tx.Now}.Format())
		isOrder := func(leaf protocol.Leaf) error {
			if leaf != o {
				return errors.New("reads differently than it was written")
			}
			return nil
		}
		settles := func(leaf protocol.Leaf) error { return leaf.(protocol.VoidLeaf).Verify(o, protocol.Schedule{}) }
		if err := errors.Join(validateLeaf(order, isOrder), validateLeaf(void, settles)); err != nil {
			return nil, 0, err
		}
		leaves = append(leaves, order, void)
		count++
	}
	return leaves, count, nil
}

// checkRestored fails if a database can't be the backup of this node's shop: if its log is damaged, is
// a mixture of two, or is empty although this node has signed leaves.
func (l *Log) checkRestored(tx *db.Tx, h treeHead) error {
	if _, err := readFrontier(tx, h); err != nil {
		return fmt.Errorf("the log in this database is damaged; restore another backup: %w", err)
	}
	beyond, err := leavesBeyondTree(tx, h)
	if err != nil {
		return err
	}
	later, err := leavesAfterEpoch(tx, h.epoch)
	if err != nil {
		return err
	}
	if beyond+later > 0 {
		return fmt.Errorf("%d leaves of the log are beyond its end: this is a mixture of two databases; restore the backup into an empty one", beyond+later)
	}
	remembered, err := RememberedLeaves(l.checkpointFile)
	if err == nil && remembered > 0 && h.epoch == 1 && h.size == 0 {
		err = fmt.Errorf("the log in this database is empty, but this node has signed %d leaves (%s): restore a backup first", remembered, l.checkpointFile)
	}
	return err
}

// keyAfter returns the next log with its origin and key, and the key of the log that ends.
func (l *Log) keyAfter(tx *db.Tx, newKey bool) (next treeHead, ended epochKey, err error) {
	if !newKey {
		epochs, err := l.loadEpochs(tx)
		if err != nil {
			return next, ended, err
		}
		ended = epochs[len(epochs)-1]
		return treeHead{origin: protocol.NewOrigin(ended.base, tx.Random(8))}, ended, nil
	}
	unused, err := l.nextKey(tx)
	if err != nil {
		return next, ended, err
	}
	next.origin, next.key, err = unused.newOrigin(tx)
	if err != nil {
		return next, ended, err
	}
	epochs, err := l.readEpochs(tx)
	if err != nil {
		return next, ended, err
	}
	return next, epochs[len(epochs)-1], nil
}

// checkEpochLeaf checks that a leaf names this tree as the final one of the ended log.
func (h treeHead) checkEpochLeaf(leaf protocol.Leaf) error {
	if l, ok := leaf.(protocol.EpochLeaf); !ok || l.Origin != h.origin || l.Size != uint64(h.size) || l.Root != h.root {
		return fmt.Errorf("does not name the %d leaves of %s", h.size, h.origin)
	}
	return nil
}

// pendingOrders returns the leaves of the orders in a log that are neither drawn nor voided, in log order.
// The next log begins with copies of them. Orders that wait for their place get it in the next log.
func pendingOrders(tx *db.Tx, h treeHead) (leaves []string, err error) {
	ids, err := pendingOrderIDs(tx)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	pending := make(map[string]bool, len(ids))
	for _, id := range ids {
		pending[id] = true
	}
	rows, err := rowsWith(tx, h.epoch, slices.Min(ids), slices.Max(ids))
	for _, r := range rows {
		for _, leaf := range r.leaves {
			if isOrder(leaf) && pending[openID(leaf)] {
				leaves = append(leaves, leaf)
			}
		}
	}
	return leaves, err
}
