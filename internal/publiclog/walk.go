package publiclog

import (
	"bytes"
	"errors"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// Walk goes through the log in its order, those leaves last that wait for their places.
// It keeps few of them at a time, however many there are.
type Walk struct {
	tx   *db.Tx
	last place // where the row begins that was read last
	seq  int64 // of the leaf that was read last of those that wait
}

// NewWalk begins before the first leaf.
func NewWalk(tx *db.Tx) *Walk { return &Walk{tx, place{0, -1}, first} }

// Next gives the leaves that come next, none at the end.
func (w *Walk) Next() ([]string, error) {
	r, err := w.next()
	return r.leaves, err
}

// next gives the row that comes next; epoch 0 is that of leaves that wait.
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

// Place is where a leaf stands: in which epoch, and as which of its leaves.
type Place struct{ Epoch, Index int64 }

// EachFrom shows every leaf from a place on, in the order of the log. Those that wait come
// last, as the next ones of the log that grows.
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

// EachOf shows the leaves of a kind in the order of the log, those that wait for
// their places last. One that is no such leaf is left out.
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

// AllOf is EachOf for a kind with few leaves.
func AllOf[L protocol.Leaf](tx *db.Tx) (leaves []L, err error) {
	err = EachOf(tx, func(leaf L) error {
		leaves = append(leaves, leaf)
		return nil
	})
	return leaves, err
}

// EachRead shows the opens that a follower has read.
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

// Unread lists the ids of the opens that a follower has not read.
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

// before tells whether a place comes before another one in the log.
func (p place) before(q place) bool {
	return p.epoch < q.epoch || p.epoch == q.epoch && p.index < q.index
}
