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
	// pause is the polling interval for waiting leaves. Every leaf is part of a signed tree within
	// a second of its commit.
	pause = 400 * time.Millisecond
	// batch is the maximum number of leaves placed per transaction, since others may wait for it.
	batch = 512
	// batchTime is longer than a request's deadline: no client waits for a batch, and a canceled
	// batch has to be repeated.
	batchTime = 30 * time.Second
)

// errForked stops everything in a database whose tree doesn't continue the last signed one.
var errForked = apperr.New(apperr.LogForked, "The log's tree does not continue the one that this node signed before: "+
	"the database was restored or is another one's copy. Nothing is signed, drawn or charged until the operator has put it right.")

// sequenceTime allows for a backlog of millions of leaves.
const sequenceTime = 10 * time.Minute

// Jobs returns the jobs that place waiting leaves and reclaim the space they used. They run on
// every node: the row of the tree is the lock, and PostgreSQL releases it if a node dies.
func (l *Log) Jobs(d *db.DB) []jobs.Job {
	return []jobs.Job{{Name: "sequencer", Every: pause, Limit: sequenceTime, Do: func(ctx context.Context) (int64, error) {
		err := l.Sequence(ctx)
		l.trouble.Store(&err)
		return 0, err
	}}, jobs.Reclaiming(d, "log_waiting")}
}

// Ready returns why leaves can't be placed and signed, or nil.
func (l *Log) Ready() error {
	err := l.trouble.Load()
	switch {
	case err == nil || *err == nil:
		return nil
	case errors.Is(*err, errForked):
		return errForked
	default:
		return apperr.New(apperr.Unavailable, "Leaves cannot be placed in the public log or its tree cannot be signed: the server's log says why.").Because(*err)
	}
}

// Sequence places all waiting leaves and signs the resulting tree.
func (l *Log) Sequence(ctx context.Context) error {
	for {
		placed, err := l.place(ctx)
		if err != nil {
			return fmt.Errorf("place leaves: %w", err)
		}
		if placed < batch {
			break
		}
	}
	return l.sign(ctx)
}

// place moves a batch of waiting leaves into the tree.
func (l *Log) place(ctx context.Context) (placed int, err error) {
	ctx, end := context.WithTimeout(ctx, batchTime)
	defer end()
	var some bool
	err = l.db.Peek(ctx, func(tx *db.Tx) (err error) { some, err = anyWaiting(tx); return err })
	if err != nil || !some {
		return 0, err
	}
	err = l.db.InTx(ctx, func(tx *db.Tx) error {
		placed = 0
		h, err := lockHead(tx)
		if err != nil {
			return err
		}
		if err := l.continues(tx, h.tree()); err != nil {
			return err
		}
		leaves, err := waiting(tx, first, batch)
		if err != nil || len(leaves) == 0 {
			return err
		}
		e, err := readEdge(tx, h)
		if err != nil {
			return err
		}
		for _, leaf := range leaves {
			e.add([]byte(leaf.body))
		}
		if err := move(tx, leaves, h); err != nil {
			return err
		}
		placed = len(leaves)
		return replaceHead(tx, h, e)
	})
	return placed, err
}

// sign signs the tree if it has grown, or adopts a checkpoint signed by another node. It reads only
// committed data and writes the node's memory file to disk before publishing the checkpoint.
func (l *Log) sign(ctx context.Context) error {
	var h head
	err := l.db.Read(ctx, func(tx *db.Tx) (err error) {
		h, err = readHead(tx)
		if err != nil {
			return err
		}
		return l.continues(tx, h.tree())
	})
	if err != nil || h.size == l.pinned.Load().size && h.signed == h.size {
		return err
	}
	checkpoint, err := l.log().checkpoint(h.tree())
	if err != nil {
		return err
	}
	if err := l.pin(checkpoint, h.tree()); err != nil {
		return fmt.Errorf("remember the checkpoint: %w", err)
	}
	if h.signed >= h.size {
		return nil
	}
	return l.db.InTx(ctx, func(tx *db.Tx) error { return publish(tx, h, checkpoint) })
}

// Sound queues a check that the database still holds the log this node knows; it shares the round
// trip of the transaction's next statement. The returned function returns log_forked if the check
// failed. Call it before writing, so that nothing is written to a stale copy of the database.
func (l *Log) Sound(tx *db.Tx) func() error {
	last := l.pinned.Load() // load before the query: the tree it reads can then only be larger
	ask := soonTree(tx)
	return func() error {
		now, err := ask()
		if err != nil {
			return fmt.Errorf("read the tree: %w", err)
		}
		return l.follows(tx, last, now)
	}
}

// sound records that the tree now continues pinned.
type sound struct {
	pinned *pinned
	now    pinned
}

// continues checks that a database's tree extends the last one signed.
func (l *Log) continues(tx *db.Tx, now pinned) error { return l.follows(tx, l.pinned.Load(), now) }

// follows is the check of Sound. It caches its result, so that tiles are read once per pair of
// trees.
func (l *Log) follows(tx *db.Tx, last *pinned, now pinned) error {
	if now.epoch != last.epoch || now.size < last.size {
		return errForked
	}
	if s := l.sound.Load(); s != nil && s.pinned == last && s.now == now {
		return nil
	}
	root := now.root
	if last.size > 0 && now.size > last.size {
		var err error
		root, err = tlog.TreeHash(last.size, stored{tx, now.epoch, tiles{}})
		if err != nil {
			return err
		}
	}
	if last.size > 0 && root != last.root {
		return errForked
	}
	l.sound.Store(&sound{last, now})
	return nil
}

// unsealed verifies a checkpoint's signature and parses it.
func (l *Log) unsealed(signed string) (p pinned, err error) {
	own := l.log()
	if origin, _, _ := strings.Cut(signed, "\n"); origin != own.origin && strings.HasPrefix(origin, l.logs[0].origin) {
		return p, fmt.Errorf("it is of the log %s, and the database's is %s: if the database was restored on another node, move %s away and start "+
			"with --log-checkpoint https://HOST/log/checkpoint of that node; if it was put in place as it is, run kaibao restore", origin, own.origin, l.memory)
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
