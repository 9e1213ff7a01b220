package publiclog

import (
	"context"
	"fmt"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// Renewal describes how the log of a restored database was renewed.
type Renewal struct {
	Ended, Begun string // origins
	Size         int64  // leaves of the ended log in the restored database
	Lost         int64  // further leaves of it that this node knows were signed
}

// Renew ends the log of a restored database and starts a new one under a new origin, since it is
// unknown what was signed after the backup. The first leaf of the new log names the tree that it
// continues. begin runs in the same transaction and must replace every secret that may have been
// revealed since the backup. The renewal is complete when the waiting leaves have been sequenced.
// Until then nodes refuse to start, and another call of Renew resumes it.
func Renew(ctx context.Context, o Options, begin func(tx *db.Tx, origin string) error) (l *Log, r Renewal, err error) {
	l = &Log{db: o.DB, memory: o.Memory}
	err = o.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := l.useKey(tx, o.Key); err != nil {
			return err
		}
		h, err := lockHead(tx)
		if err != nil {
			return err
		}
		if begun := h.epoch > 1 && h.size == 0; begun {
			heads, err := readHeads(tx)
			ended := heads[h.epoch-2]
			r = Renewal{Ended: ended.origin, Begun: h.origin, Size: ended.size}
			return err
		}
		r, err = l.succeed(tx, h)
		if err != nil {
			return err
		}
		if err := begin(tx, r.Begun); err != nil {
			return err
		}
		return l.useKey(tx, o.Key)
	})
	if err != nil {
		return nil, r, err
	}
	empty := pinned{epoch: l.epoch(), root: (&edge{}).root()}
	checkpoint, err := l.log().checkpoint(empty)
	if err != nil {
		return nil, r, err
	}
	err = l.pin(checkpoint, empty)
	return l, r, err
}

// succeed signs the last tree of the log and starts the next log.
func (l *Log) succeed(tx *db.Tx, h head) (r Renewal, err error) {
	if _, err := readEdge(tx, h); err != nil {
		return r, fmt.Errorf("the log of this database is damaged, restore another copy: %w", err)
	}
	// Anything signed after the backup continues this tree, since it has been committed.
	checkpoint, err := l.log().checkpoint(h.tree())
	if err != nil {
		return r, err
	}
	if err := publish(tx, h, checkpoint); err != nil {
		return r, err
	}
	r = Renewal{Ended: h.origin, Begun: fmt.Sprintf("%s/%x", l.logs[0].origin, tx.Random(8)), Size: h.size}
	if signed, err := l.recall(); err == nil {
		if last, err := l.unsealed(signed); err == nil {
			r.Lost = max(0, last.size-h.size)
		}
	}
	leaf := protocol.EpochLeaf{Origin: h.origin, Size: uint64(h.size), Root: h.root, Time: tx.Now}
	text := string(leaf.Format())
	if err := check(text, func(told protocol.Leaf) error { return h.endsAt(told) }); err != nil {
		return r, err
	}
	if err := appendFirst(tx, text); err != nil {
		return r, err
	}
	return r, beginTree(tx, h.epoch+1, r.Begun)
}

// endsAt checks that a leaf names this tree as the final one of the ended log.
func (h head) endsAt(leaf protocol.Leaf) error {
	if l, ok := leaf.(protocol.EpochLeaf); !ok || l.Origin != h.origin || l.Size != uint64(h.size) || l.Root != h.root {
		return fmt.Errorf("it does not name the %d leaves of %s", h.size, h.origin)
	}
	return nil
}
