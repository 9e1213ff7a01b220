package publiclog

import (
	"context"
	"errors"
	"fmt"
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

// Jobs returns the jobs that place waiting leaves and reclaim the space they used. They run on
// every node: the row of the tree is the lock, and PostgreSQL releases it if a node dies.
func (l *Log) Jobs(d *db.DB) []jobs.Job {
	return []jobs.Job{{Name: "sequencer", Every: pollInterval, Limit: sequenceTimeout, Do: func(ctx context.Context) (int64, error) {
		err := l.Sequence(ctx)
		l.lastError.Store(&err)
		return 0, err
	}}, jobs.Reclaiming(d, "log_waiting")}
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

// Sequence places all waiting leaves and signs the resulting tree.
func (l *Log) Sequence(ctx context.Context) error {
	for {
		placed, err := l.sequenceBatch(ctx)
		if err != nil {
			return fmt.Errorf("place leaves: %w", err)
		}
		if placed < batchSize {
			break
		}
	}
	return l.sign(ctx)
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
		e, err := readFrontier(tx, h)
		if err != nil {
			return err
		}
		for _, leaf := range leaves {
			e.add([]byte(leaf.body))
		}
		if err := moveToTree(tx, leaves, h); err != nil {
			return err
		}
		placed = len(leaves)
		return updateHead(tx, h, e)
	})
	return placed, err
}

// sign signs the tree if it has grown, or adopts a checkpoint signed by another node. It reads only
// committed data and writes the node's checkpoint file to disk before publishing the checkpoint.
func (l *Log) sign(ctx context.Context) error {
	var h treeHead
	err := l.db.Read(ctx, func(tx *db.Tx) (err error) {
		h, err = readHead(tx)
		if err != nil {
			return err
		}
		return l.checkTree(tx, h.tree())
	})
	if err != nil || h.size == l.knownTree.Load().size && h.signedSize == h.size {
		return err
	}
	checkpoint, err := l.currentSigner().checkpoint(h.tree())
	if err != nil {
		return err
	}
	if err := l.saveCheckpoint(checkpoint, h.tree()); err != nil {
		return fmt.Errorf("remember the checkpoint: %w", err)
	}
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
	last := l.knownTree.Load() // load before the query: the tree it reads can then only be larger
	readTree := queueTree(tx)
	return func() error {
		now, err := readTree()
		if err != nil {
			return fmt.Errorf("read the tree: %w", err)
		}
		return l.checkExtends(tx, last, now)
	}
}

// consistentTrees records that the tree now continues the known one.
type consistentTrees struct {
	known *tree
	now   tree
}

// checkTree checks that a database's tree extends the last one signed.
func (l *Log) checkTree(tx *db.Tx, now tree) error {
	return l.checkExtends(tx, l.knownTree.Load(), now)
}

// checkExtends is the check of CheckConsistency. It caches its result, so that tiles are read once
// per pair of trees.
func (l *Log) checkExtends(tx *db.Tx, last *tree, now tree) error {
	if now.epoch != last.epoch || now.size < last.size {
		return errForked
	}
	if s := l.lastConsistent.Load(); s != nil && s.known == last && s.now == now {
		return nil
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
	l.lastConsistent.Store(&consistentTrees{last, now})
	return nil
}

// openCheckpoint verifies a checkpoint's signature and parses it.
func (l *Log) openCheckpoint(signed string) (p tree, err error) {
	own := l.currentSigner()
	if origin, _, _ := strings.Cut(signed, "\n"); origin != own.origin && strings.HasPrefix(origin, l.signers[0].origin) {
		return p, fmt.Errorf("it belongs to the log %s, but the database has %s. If the database was restored on another node, move %s away and start "+
			"with --log-checkpoint https://HOST/log/checkpoint of that node. If it was restored without kaibao restore, run kaibao restore", origin, own.origin, l.checkpointFile)
	}
	verifier, err := note.NewVerifier(own.verifier)
	if err != nil {
		return p, err
	}
	checkpoint, err := note.Open([]byte(signed), note.VerifierList(verifier))
	if err != nil {
		return p, fmt.Errorf("not a checkpoint of this log's key: %w", err)
	}
	lines := strings.Split(checkpoint.Text, "\n")
	if len(lines) != 4 || lines[0] != own.origin {
		return p, errors.New("not a checkpoint of this log")
	}
	p.epoch = l.epoch()
	p.size, err = strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return p, fmt.Errorf("the size of a checkpoint: %w", err)
	}
	p.root, err = tlog.ParseHash(lines[2])
	return p, err
}
