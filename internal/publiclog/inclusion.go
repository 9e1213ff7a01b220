package publiclog

import (
	"errors"

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

// ProveInclusion returns the leaf of an open and its inclusion proof in the last signed tree of its
// epoch, or db.ErrNoRow.
func (l *Log) ProveInclusion(tx *db.Tx, id string) (InclusionProof, error) {
	heads, err := readHeads(tx)
	if err != nil {
		return InclusionProof{}, err
	}
	if _, err := l.knownOf(tx, int64(len(heads))); err != nil {
		return InclusionProof{}, err
	}
	at, body, err := findOpen(tx, id)
	if errors.Is(err, db.ErrNoRow) {
		body, err := findWaitingOpen(tx, id)
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
