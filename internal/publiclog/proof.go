package publiclog

import (
	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/db"
)

// Inclusion is a leaf with what shows that it stands in the log. Without a
// checkpoint it does not yet.
type Inclusion struct {
	Leaf
	Index      int64       // the leaf's place in its tree
	Path       []tlog.Hash // the audit path of RFC 6962, from the leaf up
	Checkpoint string      // the signed tree that the path leads to
}

// Prove finds a leaf and its way up the last signed tree of its epoch, or
// db.ErrNoRow.
func Prove(tx *db.Tx, kind, ref string) (Inclusion, error) {
	leaf, err := find(tx, kind, ref)
	if err != nil {
		return Inclusion{}, err
	}
	unsigned := Inclusion{Leaf: leaf.Leaf}
	if leaf.index < 0 {
		return unsigned, nil
	}
	heads, err := readHeads(tx)
	if err != nil {
		return Inclusion{}, err
	}
	h := heads[leaf.epoch-1]
	if leaf.index >= h.signed {
		return unsigned, nil
	}
	path, err := tlog.ProveRecord(h.signed, leaf.index, stored{tx, h.epoch, tiles{}})
	return Inclusion{Leaf: leaf.Leaf, Index: leaf.index, Path: path, Checkpoint: h.checkpoint}, err
}
