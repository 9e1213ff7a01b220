package publiclog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/jobs"
)

const (
	// pollInterval is the polling interval for waiting leaves. Every leaf is part of a signed tree
	// within a second of its commit.
	pollInterval = 400 * time.Millisecond
	// batchSize is the maximum number of leaves placed per transaction, since others may wait for
	// it.
	batchSize = 512
	// batchTimeout is longer than a request's deadline: no client waits for a batch, and a canceled
	// batch has to be repeated.
	batchTimeout = 30 * time.Second
)

// errForked stops everything in a database whose tree doesn't continue the last signed one.
var errForked = apperr.New(apperr.LogForked, "The public log doesn't continue the tree that this node signed before: "+
	"the database was restored, or is a copy of another one. Nothing is signed, drawn or charged until the operator fixes it.")

// sequenceTimeout allows for a backlog of millions of leaves.
const sequenceTimeout = 10 * time.Minute

// Jobs returns the jobs that place waiting leaves, reclaim the space they used and have the tree
// cosigned. They run on every node: the row of the tree is the lock, and PostgreSQL releases it if a
// node dies.
func (l *Log) Jobs(d *db.DB) []jobs.Job {
	var wake, wakeCosigning <-chan struct{}
	if l != nil { // the audit lists the jobs without a log
		wake, wakeCosigning = l.wake, l.cosigning.wake
	}
	return []jobs.Job{{Name: "sequencer", Every: pollInterval, Limit: sequenceTimeout, Wake: wake, Do: func(ctx context.Context) (int64, error) {
		err := l.Sequence(ctx)
		l.lastError.Store(&err)
		l.keepHurrying()
		return 0, err
	}}, jobs.Reclaiming(d, "log_waiting"), {Name: "witnesses", Every: pollInterval, Limit: time.Minute, Wake: wakeCosigning, Do: func(ctx context.Context) (int64, error) {
		return 0, l.Cosign(ctx)
	}}, jobs.Pruning(d, "cosigned checkpoints", deleteOldCosigned)}
}

// Ready returns why leaves can't be placed and signed, or nil.
func (l *Log) Ready() error {
	err := l.lastError.Load()
	switch {
	case err == nil || *err == nil:
		return nil
	case errors.Is(*err, errForked):
		return errForked
	default:
		return apperr.New(apperr.Unavailable, "The public log can't be extended or signed. See the server's log for the reason.").Because(*err)
	}
}

// Sequence places all waiting leaves and signs the resulting tree. If there are many, it signs in
// between, because orders of sealed packs wait for that.
func (l *Log) Sequence(ctx context.Context) error {
	for {
		more, err := l.placeUntil(ctx, l.db.Now().Add(hurryInterval))
		if err != nil {
			return err
		}
		if err := l.sign(ctx); err != nil || !more {
			return err
		}
	}
}

// placeUntil places waiting leaves in batches until a time. more says that some may be left.
func (l *Log) placeUntil(ctx context.Context, end time.Time) (more bool, err error) {
	for {
		placed, err := l.sequenceBatch(ctx)
		if err != nil {
			return false, fmt.Errorf("place leaves: %w", err)
		}
		if placed < batchSize {
			return false, nil
		}
		if !l.db.Now().Before(end) {
			return true, nil
		}
	}
}

// placeWaiting places the waiting leaves in batches, and doesn't sign the tree.
func (l *Log) placeWaiting(ctx context.Context) error {
	for {
		more, err := l.placeUntil(ctx, l.db.Now().Add(sequenceTimeout))
		if err != nil || !more {
			return err
		}
	}
}

// sequenceBatch moves a batch of waiting leaves into the tree.
func (l *Log) sequenceBatch(ctx context.Context) (placed int, err error) {
	ctx, end := context.WithTimeout(ctx, batchTimeout)
	defer end()
	var pending bool
	err = l.db.Peek(ctx, func(tx *db.Tx) (err error) { pending, err = anyWaiting(tx); return err })
	if err != nil || !pending {
		return 0, err
	}
	err = l.db.InTx(ctx, func(tx *db.Tx) error {
		placed = 0
		h, err := lockHead(tx)
		if err != nil {
			return err
		}
		if err := l.checkTree(tx, h.tree()); err != nil {
			return err
		}
		leaves, err := waiting(tx, beforeFirst, batchSize)
		if err != nil || len(leaves) == 0 {
			return err
		}
		placed = len(leaves)
		_, err = placeWaiting(tx, h, leaves)
		return err
	})
	return placed, err
}

// placeWaiting moves waiting leaves into the tree of h, and returns the new head.
func placeWaiting(tx *db.Tx, h treeHead, leaves []waitingLeaf) (treeHead, error) {
	texts := make([]string, len(leaves))
	for n, leaf := range leaves {
		texts[n] = leaf.body
	}
	if err := deleteWaiting(tx, leaves); err != nil {
		return h, err
	}
	return place(tx, h, texts)
}

// place appends leaves to the tree of h, which the transaction has locked, and returns the new head.
func place(tx *db.Tx, h treeHead, texts []string) (treeHead, error) {
	e, err := readFrontier(tx, h)
	if err != nil {
		return h, err
	}
	for _, text := range texts {
		e.add([]byte(text))
	}
	if err := errors.Join(insertLeaves(tx, h, texts), updateHead(tx, h, e)); err != nil {
		return h, err
	}
	h.size, h.root = e.size, e.root()
	return h, nil
}

// sign signs the tree if it has grown, or adopts a checkpoint signed by another node. It reads only
// committed data and writes the node's checkpoint file to disk before publishing the checkpoint.
func (l *Log) sign(ctx context.Context) error {
	var h treeHead
	known := l.known.Load() // load before the query, as in CheckConsistency
	err := l.db.Read(ctx, func(tx *db.Tx) (err error) {
		h, err = readHead(tx)
		if err != nil {
			return err
		}
		return l.checkExtends(tx, known, h.tree())
	})
	known = l.known.Load()
	if err != nil || known.tree.epoch != h.epoch || h.size == known.tree.size && h.signedSize == h.size {
		return err
	}
	checkpoint, err := known.current().checkpoint(h.tree())
	if err != nil {
		return err
	}
	if err := l.saveCheckpoint(checkpoint, h.tree()); err != nil {
		return fmt.Errorf("remember the checkpoint: %w", err)
	}
	defer wakeUp(l.cosigning.wake)
	if h.signedSize >= h.size {
		return nil
	}
	return l.db.InTx(ctx, func(tx *db.Tx) error { return saveSignedHead(tx, h, checkpoint) })
}

// CheckConsistency queues a check that the database still holds the log this node knows; it shares
// the round trip of the transaction's next statement. The returned function returns log_forked if
// the check failed. Call it before writing, so that nothing is written to a stale copy of the
// database.
func (l *Log) CheckConsistency(tx *db.Tx) func() error {
	known := l.known.Load() // load before the query: the tree it reads can then only be larger
	readTree := queueTree(tx)
	return func() error {
		now, err := readTree()
		if err != nil {
			return fmt.Errorf("read the tree: %w", err)
		}
		return l.checkExtends(tx, known, now)
	}
}

// consistentTrees records that the tree now continues the known one.
type consistentTrees struct {
	known *knownLog
	now   tree
}

// checkTree checks that a database's tree extends the last one signed.
func (l *Log) checkTree(tx *db.Tx, now tree) error {
	return l.checkExtends(tx, l.known.Load(), now)
}

// checkExtends is the check of CheckConsistency. It caches its result, so that tiles are read once
// per pair of trees. If the log has another key by now, it checks that too.
func (l *Log) checkExtends(tx *db.Tx, known *knownLog, now tree) error {
	if now.epoch > known.tree.epoch {
		var err error
		known, err = l.knownOf(tx, now.epoch)
		if err != nil {
			return err
		}
		if now.epoch == known.tree.epoch && now.size < known.tree.size {
			return nil // others have signed a newer tree since now was read; the next transaction checks it
		}
	}
	last := known.tree
	if now.epoch != last.epoch || now.size < last.size {
		return errForked
	}
	if s := l.lastConsistent.Load(); s != nil && s.known == known && s.now == now {
		return nil
	}
	if err := extends(tx, now, last); err != nil {
		return err
	}
	l.lastConsistent.Store(&consistentTrees{known, now})
	return nil
}

// extends returns errForked if a tree doesn't start with another one of the same epoch.
func extends(tx *db.Tx, now, last tree) error {
	if now.size < last.size {
		return errForked
	}
	root := now.root
	if last.size > 0 && now.size > last.size {
		var err error
		root, err = tlog.TreeHash(last.size, storedHashes{tx, now.epoch, tiles{}})
		if err != nil {
			return err
		}
	}
	if last.size > 0 && root != last.root {
		return errForked
	}
	return nil
}

// openCheckpoint verifies a checkpoint's signature and parses it. It may belong to any epoch.
func (l *Log) openCheckpoint(epochs []epochKey, signed string) (t tree, err error) {
	origin, _, _ := strings.Cut(signed, "\n")
	n := slices.IndexFunc(epochs, func(k epochKey) bool { return k.origin == origin })
	if n < 0 && strings.HasPrefix(origin, epochs[0].origin) {
		return t, l.otherLog(origin, epochs)
	}
	n = max(n, 0)
	verifier, err := note.NewVerifier(epochs[n].verifier)
	if err != nil {
		return t, err
	}
	checkpoint, err := note.Open([]byte(signed), note.VerifierList(verifier))
	if err != nil {
		return t, fmt.Errorf("not a checkpoint of this log's key: %w", err)
	}
	lines := strings.Split(checkpoint.Text, "\n")
	if len(lines) != 4 || lines[0] != epochs[n].origin {
		return t, errors.New("not a checkpoint of this log")
	}
	t.epoch = int64(n + 1)
	t.size, err = strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return t, fmt.Errorf("the size of a checkpoint: %w", err)
	}
	t.root, err = tlog.ParseHash(lines[2])
	return t, err
}

// otherLog returns the error for a checkpoint of a log that this database's log doesn't continue.
func (l *Log) otherLog(origin string, epochs []epochKey) error {
	return fmt.Errorf("it belongs to the log %s, but the database has %s. If kaibao restore or kaibao keys replace-seeds ran on another node, move %s away and start "+
		"with --log-checkpoint https://HOST/log/checkpoint of that node. If it was restored without kaibao restore, run kaibao restore",
		origin, epochs[len(epochs)-1].origin, l.checkpointFile)
}
