package publiclog

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
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
		return l.prove(tx, id, time.Time{}, isOrder)
	}
	return proof, err
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
	return proveAt(tx, heads[at.epoch-1], at.index, body)
}

// proveAt proves the inclusion of the leaf with an index.
func proveAt(tx *db.Tx, h treeHead, index int64, body string) (InclusionProof, error) {
	leaf := Leaf{body, h.epoch}
	if index >= h.signedSize {
		return InclusionProof{Leaf: leaf}, nil
	}
	path, err := tlog.ProveRecord(h.signedSize, index, storedHashes{tx, h.epoch, tiles{}})
	return InclusionProof{Leaf: leaf, Index: index, Path: path, Checkpoint: h.checkpoint}, err
}

// SealedProof is the evidence for a sealed draw besides its open. Its proofs lead to the same checkpoint.
type SealedProof struct {
	Order, Round InclusionProof
	Consistency  []tlog.Hash // from the checkpoint in the round's leaf; nil if it has none of this log
}

// maxDrawDistance is how many leaves ProveSealed reads between a round and a draw with it. A draw that is
// farther away is proven by the whole log only.
const maxDrawDistance = 1 << 16

// ProveSealed proves order and round of a sealed open that ProveOpen returned. It returns db.ErrNoRow if no
// signed tree has the open yet, or the round is too far from it.
func (l *Log) ProveSealed(tx *db.Tx, open InclusionProof) (p SealedProof, err error) {
	parsed, err := protocol.ParseLeaf([]byte(open.Body))
	if err != nil {
		return p, err
	}
	drawn, ok := parsed.(protocol.SealedOpenLeaf)
	if !ok || open.Checkpoint == "" {
		return p, db.ErrNoRow
	}
	heads, err := readHeads(tx)
	if err != nil {
		return p, err
	}
	h := heads[open.epoch-1]
	h.checkpoint = open.Checkpoint
	order, text, err := findOrder(tx, h.epoch, drawn.ID)
	if err != nil {
		return p, err
	}
	p.Order, err = proveAt(tx, h, order, text)
	if err != nil {
		return p, err
	}
	round, leaf, err := findRound(tx, h.epoch, max(order, open.Index-maxDrawDistance), open.Index, drawn.Round)
	if err != nil {
		return p, err
	}
	p.Round, err = proveAt(tx, h, round, string(leaf.Format()))
	if err != nil || leaf.Checkpoint == "" {
		return p, err
	}
	fixed, err := l.openCheckpoint(l.known.Load().epochs, leaf.Checkpoint)
	if err != nil || fixed.epoch != h.epoch || fixed.size == 0 {
		return p, err
	}
	p.Consistency, err = tlog.ProveTree(h.signedSize, fixed.size, storedHashes{tx, h.epoch, tiles{}})
	return p, err
}

// findOrder returns index and text of an order's leaf in a log: where it was placed, or among the copies at
// the beginning of the next log.
func findOrder(tx *db.Tx, epoch int64, id string) (int64, string, error) {
	at, leaf, err := findLeaf(tx, id, time.Time{}, isOrder)
	if err != nil || at.epoch == epoch {
		return at.index, leaf, err
	}
	first, err := readLeaves(tx, epoch, 0, batchSize)
	for n, leaf := range first {
		if isOrder(leaf) && openID(leaf) == id {
			return int64(n), leaf, nil
		}
	}
	return 0, "", cmp.Or(err, db.ErrNoRow)
}

// findRound returns the leaf of a round and its index. It reads the leaves before an index backwards, not
// beyond first.
func findRound(tx *db.Tx, epoch, first, before int64, round uint64) (int64, protocol.RoundLeaf, error) {
	for before > first {
		from := max(first, before-batchSize)
		leaves, err := readLeaves(tx, epoch, from, before)
		if err != nil {
			return 0, protocol.RoundLeaf{}, err
		}
		for n, text := range slices.Backward(leaves) {
			leaf, err := protocol.ParseLeaf([]byte(text))
			if l, ok := leaf.(protocol.RoundLeaf); ok && err == nil && l.Round == round {
				return from + int64(n), l, nil
			}
		}
		before = from
	}
	return 0, protocol.RoundLeaf{}, db.ErrNoRow
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
