package publiclog

import (
	"bytes"
	"errors"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// Iterator iterates over the log in order, waiting leaves last. It keeps few leaves in memory.
type Iterator struct {
	tx   *db.Tx
	last position // start of the last row read
	seq  int64    // sequence number of the last waiting leaf read
}

// NewIterator starts before the first leaf.
func NewIterator(tx *db.Tx) *Iterator { return &Iterator{tx, position{0, -1}, beforeFirst} }

// Next returns the next leaves, or none at the end.
func (w *Iterator) Next() ([]string, error) {
	r, err := w.next()
	return r.leaves, err
}

// next returns the next row. Its epoch is 0 for waiting leaves.
func (w *Iterator) next() (leafRow, error) {
	for w.seq == beforeFirst {
		r, err := rowAfter(w.tx, w.last)
		if errors.Is(err, db.ErrNoRow) {
			break
		}
		w.last = r.position
		if len(r.leaves) > 0 || err != nil {
			return r, err
		}
	}
	pending, err := waiting(w.tx, w.seq, batchSize)
	var r leafRow
	for _, l := range pending {
		r.leaves, w.seq = append(r.leaves, l.body), l.seq
	}
	return r, err
}

// Position is the position of a leaf: its epoch and its index in it.
type Position struct{ Epoch, Index int64 }

// EachLeafFrom calls fn for every leaf from a position on, in log order. Waiting leaves come last,
// with the positions that follow the end of the current log.
func EachLeafFrom(tx *db.Tx, from Position, fn func(at Position, leaf string) error) error {
	h, err := readHead(tx)
	if err != nil && !errors.Is(err, db.ErrNoRow) {
		return err
	}
	pending := position{h.epoch, h.size}
	w := &Iterator{tx, position{from.Epoch, from.Index - from.Index%tileWidth - 1}, beforeFirst}
	for {
		r, err := w.next()
		if err != nil || len(r.leaves) == 0 {
			return err
		}
		if r.epoch == 0 {
			r.position = pending
			pending.index += int64(len(r.leaves))
		}
		for n, leaf := range r.leaves {
			at := position{r.epoch, r.index + int64(n)}
			if at.before(position{from.Epoch, from.Index}) {
				continue
			}
			if err := fn(Position{at.epoch, at.index}, leaf); err != nil {
				return err
			}
		}
	}
}

// EachLeaf calls fn for the leaves of one kind, in all its versions, in log order, waiting leaves last. It skips leaves
// that don't parse.
func EachLeaf[L protocol.Leaf](tx *db.Tx, fn func(L) error) error {
	var kind L
	name, _, _ := bytes.Cut(kind.Format(), []byte("/"))
	for w := NewIterator(tx); ; {
		leaves, err := w.Next()
		if err != nil || len(leaves) == 0 {
			return err
		}
		for _, body := range leaves {
			if !strings.HasPrefix(body, string(name)+"/") {
				continue
			}
			parsed, err := protocol.ParseLeaf([]byte(body))
			if leaf, ok := parsed.(L); ok && err == nil {
				err = fn(leaf)
				if err != nil {
					return err
				}
			}
		}
	}
}

// AllLeaves returns all leaves of a kind. Use it only for kinds with few leaves.
func AllLeaves[L protocol.Leaf](tx *db.Tx) (leaves []L, err error) {
	err = EachLeaf(tx, func(leaf L) error {
		leaves = append(leaves, leaf)
		return nil
	})
	return leaves, err
}

// EachReadOpen calls fn for the opens that a follower has read.
func EachReadOpen(tx *db.Tx, follower string, fn func(Draw) error) error {
	end, err := positionOf(tx, follower)
	if err != nil {
		return err
	}
	for w := NewIterator(tx); ; {
		r, err := w.next()
		if err != nil || r.epoch == 0 || !r.before(end) {
			return err
		}
		var read []protocol.Leaf
		for n, body := range r.leaves {
			leaf, err := protocol.ParseLeaf([]byte(body))
			if err == nil && (position{r.epoch, r.index + int64(n)}).before(end) {
				read = append(read, leaf)
			}
		}
		draws, err := drawsIn(tx, read)
		if err != nil {
			return err
		}
		for _, draw := range draws {
			if err := fn(draw); err != nil {
				return err
			}
		}
	}
}

// UnreadOpens returns the ids of the opens that a follower has not read.
func UnreadOpens(tx *db.Tx, follower string) ([]string, error) {
	ids := []string{}
	from, err := positionOf(tx, follower)
	if err != nil {
		return nil, err
	}
	w := &Iterator{tx, position{from.epoch, from.index - from.index%tileWidth - 1}, beforeFirst}
	for {
		r, err := w.next()
		if err != nil || len(r.leaves) == 0 {
			return ids, err
		}
		for n, body := range r.leaves {
			if id := openID(body); id != "" && !isOrder(body) && (r.epoch == 0 || !(position{r.epoch, r.index + int64(n)}).before(from)) {
				ids = append(ids, id)
			}
		}
	}
}

// before reports whether p precedes q in the log.
func (p position) before(q position) bool {
	return p.epoch < q.epoch || p.epoch == q.epoch && p.index < q.index
}
