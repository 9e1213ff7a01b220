package publiclog

import (
	"errors"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/db"
)

// InclusionProof is a leaf with its proof of inclusion in the log. Until a signed tree contains the
// leaf, Checkpoint is empty.
type InclusionProof struct {
	Leaf
	Index      int64       // the leaf's index in its tree
	Path       []tlog.Hash // the audit path of RFC 6962, from the leaf up
	Checkpoint string      // the signed tree that the path leads to
}

// ProveOpen returns the leaf of an open and its inclusion proof in the last signed tree of its epoch, or
// db.ErrNoRow. For an order it is the leaf of its draw or void, and until then that of the order itself.
func (l *Log) ProveOpen(tx *db.Tx, id string) (InclusionProof, error) {
	at, err := settledAt(tx, id)
	if err != nil {
		return InclusionProof{}, err
	}
	proof, err := l.prove(tx, id, at, func(leaf string) bool { return !isOrder(leaf) })
	if errors.Is(err, db.ErrNoRow) {
		return l.ProveOrder(tx, id)
	}
	return proof, err
}

// ProveOrder is ProveOpen for the first leaf of an order.
func (l *Log) ProveOrder(tx *db.Tx, id string) (InclusionProof, error) {
	return l.prove(tx, id, time.Time{}, isOrder)
}

func (l *Log) prove(tx *db.Tx, id string, leafAt time.Time, matches func(leaf string) bool) (InclusionProof, error) {
	heads, err := readHeads(tx)
	if err != nil {
		return InclusionProof{}, err
	}
	if _, err := l.knownOf(tx, int64(len(heads))); err != nil {
		return InclusionProof{}, err
	}
	at, body, err := findLeaf(tx, id, leafAt, matches)
	if errors.Is(err, db.ErrNoRow) {
		body, err := findWaitingLeaf(tx, id, matches)
		return InclusionProof{Leaf: Leaf{body, int64(len(heads))}}, err
	}
	if err != nil {
		return InclusionProof{}, err
	}
	leaf := Leaf{body, at.epoch}
	h := heads[at.epoch-1]
	if at.index >= h.signedSize {
		return InclusionProof{Leaf: leaf}, nil
	}
	path, err := tlog.ProveRecord(h.signedSize, at.index, storedHashes{tx, h.epoch, tiles{}})
	return InclusionProof{Leaf: leaf, Index: at.index, Path: path, Checkpoint: h.checkpoint}, err
}

// SizeWith returns the size of the smallest tree of the current log that has the orders with these
// ids. included says whether a signed tree has all of them.
func (l *Log) SizeWith(tx *db.Tx, orders []string) (size int64, included bool, err error) {
	h, err := readHead(tx)
	if err != nil || len(orders) == 0 {
		return 0, err == nil, err
	}
	size, missing, err := sizeWith(tx, h.epoch, orders)
	return size, err == nil && missing == 0 && size <= h.signedSize, err
}

// sizeWith returns the size of the smallest tree of a log that has all orders with these ids that the log
// has, 0 if it has none, and how many are missing.
func sizeWith(tx *db.Tx, epoch int64, orders []string) (size int64, missing int, err error) {
	rows, err := rowsWith(tx, epoch, slices.Min(orders), slices.Max(orders))
	if err != nil {
		return 0, 0, err
	}
	left := make(map[string]bool, len(orders))
	for _, id := range orders {
		left[id] = true
	}
	for _, r := range rows {
		for n, leaf := range r.leaves {
			if id := openID(leaf); left[id] && isOrder(leaf) {
				delete(left, id)
				size = r.index + int64(n) + 1
			}
		}
	}
	return size, len(left), nil
}
