package publiclog

import (
	"bytes"
	"errors"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// Walk iterates over the log in order, waiting leaves last. It keeps few leaves in memory.
type Walk struct {
	tx   *db.Tx
	last place // start of the last row read
	seq  int64 // sequence number of the last waiting leaf read
}

// NewWalk starts before the first leaf.
func NewWalk(tx *db.Tx) *Walk { return &Walk{tx, place{0, -1}, first} }

// Next returns the next leaves, or none at the end.
func (w *Walk) Next() ([]string, error) {
	r, err := w.next()
	return r.leaves, err
}

// next returns the next row. Its epoch is 0 for waiting leaves.
func (w *Walk) next() (row, error) {
	for w.seq == first {
		r, err := rowAfter(w.tx, w.last)
		if errors.Is(err, db.ErrNoRow) {
			break
		}
		w.last = r.place
		if len(r.leaves) > 0 || err != nil {
			return r, err
		}
	}
	waits, err := waiting(w.tx, w.seq, batch)
	var r row
	for _, l := range waits {
		r.leaves, w.seq = append(r.leaves, l.body), l.seq
	}
	return r, err
}

// Place is the position of a leaf: its epoch and its index in it.
type Place struct{ Epoch, Index int64 }

// EachFrom calls see for every leaf from a place on, in log order. Waiting leaves come last, with
// the places that follow the end of the current log.
func EachFrom(tx *db.Tx, from Place, see func(at Place, leaf string) error) error {
	h, err := readHead(tx)
	if err != nil && !errors.Is(err, db.ErrNoRow) {
		return err
	}
	waits := place{h.epoch, h.size}
	w := &Walk{tx, place{from.Epoch, from.Index - from.Index%tileWidth - 1}, first}
	for {
		r, err := w.next()
		if err != nil || len(r.leaves) == 0 {
			return err
		}
		if r.epoch == 0 {
			r.place = waits
			waits.index += int64(len(r.leaves))
		}
		for n, leaf := range r.leaves {
			at := place{r.epoch, r.index + int64(n)}
			if at.before(place{from.Epoch, from.Index}) {
				continue
			}
			if err := see(Place{at.epoch, at.index}, leaf); err != nil {
				return err
			}
		}
	}
}

// EachOf calls see for the leaves of one kind in log order, waiting leaves last. It skips leaves
// that don't parse.
func EachOf[L protocol.Leaf](tx *db.Tx, see func(L) error) error {
	var kind L
	header, _, _ := bytes.Cut(kind.Format(), []byte("\n"))
	for w := NewWalk(tx); ; {
		leaves, err := w.Next()
		if err != nil || len(leaves) == 0 {
			return err
		}
		for _, body := range leaves {
			if !strings.HasPrefix(body, string(header)+"\n") {
				continue
			}
			parsed, err := protocol.ParseLeaf([]byte(body))
			if leaf, ok := parsed.(L); ok && err == nil {
				err = see(leaf)
				if err != nil {
					return err
				}
			}
		}
	}
}

// AllOf returns all leaves of a kind. Use it only for kinds with few leaves.
func AllOf[L protocol.Leaf](tx *db.Tx) (leaves []L, err error) {
	err = EachOf(tx, func(leaf L) error {
		leaves = append(leaves, leaf)
		return nil
	})
	return leaves, err
}

// EachRead calls see for the opens that a follower has read.
func EachRead(tx *db.Tx, follower string, see func(protocol.OpenLeaf) error) error {
	end, err := positionOf(tx, follower)
	if err != nil {
		return err
	}
	for w := NewWalk(tx); ; {
		r, err := w.next()
		if err != nil || r.epoch == 0 || !r.before(end) {
			return err
		}
		for n, body := range r.leaves {
			parsed, err := protocol.ParseLeaf([]byte(body))
			leaf, ok := parsed.(protocol.OpenLeaf)
			if !ok || err != nil || !(place{r.epoch, r.index + int64(n)}).before(end) {
				continue
			}
			if err := see(leaf); err != nil {
				return err
			}
		}
	}
}

// Unread returns the ids of the opens that a follower has not read.
func Unread(tx *db.Tx, follower string) ([]string, error) {
	ids := []string{}
	from, err := positionOf(tx, follower)
	if err != nil {
		return nil, err
	}
	w := &Walk{tx, place{from.epoch, from.index - from.index%tileWidth - 1}, first}
	for {
		r, err := w.next()
		if err != nil || len(r.leaves) == 0 {
			return ids, err
		}
		for n, body := range r.leaves {
			if id := openID(body); id != "" && (r.epoch == 0 || !(place{r.epoch, r.index + int64(n)}).before(from)) {
				ids = append(ids, id)
			}
		}
	}
}

// before reports whether p precedes q in the log.
func (p place) before(q place) bool {
	return p.epoch < q.epoch || p.epoch == q.epoch && p.index < q.index
}
