package publiclog

import (
	"errors"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/db"
)

// Inclusion is a leaf with its proof of inclusion in the log. Until a signed tree contains the
// leaf, Checkpoint is empty.
type Inclusion struct {
	Leaf
	Index      int64       // the leaf's index in its tree
	Path       []tlog.Hash // the audit path of RFC 6962, from the leaf up
	Checkpoint string      // the signed tree that the path leads to
}

// Prove returns the leaf of an open and its inclusion proof in the last signed tree of its epoch,
// or db.ErrNoRow.
func Prove(tx *db.Tx, id string) (Inclusion, error) {
	at, body, err := find(tx, id)
	if errors.Is(err, db.ErrNoRow) {
		body, err := findWaiting(tx, id)
		return Inclusion{Leaf: Leaf{Body: body}}, err
	}
	if err != nil {
		return Inclusion{}, err
	}
	leaf := Leaf{Body: body, epoch: at.epoch}
	heads, err := readHeads(tx)
	if err != nil {
		return Inclusion{}, err
	}
	h := heads[at.epoch-1]
	if at.index >= h.signed {
		return Inclusion{Leaf: leaf}, nil
	}
	path, err := tlog.ProveRecord(h.signed, at.index, stored{tx, h.epoch, tiles{}})
	return Inclusion{Leaf: leaf, Index: at.index, Path: path, Checkpoint: h.checkpoint}, err
}
