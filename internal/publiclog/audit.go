package publiclog

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit rebuilds every epoch's tree from its leaves and compares it with the stored one: no missing
// leaves, same root, same checkpoint, same tiles. It also checks that no follower's position is
// beyond the end of the log.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	faults, err := auditTrees(tx)
	breaches := make([]audit.Breach, len(faults))
	for n, fault := range faults {
		breaches[n] = audit.Breach{Rule: "the stored log must be the Merkle tree of its leaves, and its witnesses those that a leaf names", Row: "log", Detail: fault}
	}
	return breaches, err
}

func auditTrees(tx *db.Tx) (faults []string, err error) {
	heads, err := readHeads(tx)
	if err != nil || len(heads) == 0 {
		return nil, err // no server has opened the database yet
	}
	epochs, err := readEpochKeys(tx)
	if errors.Is(err, errInvalidKey) {
		return []string{err.Error()}, nil
	}
	if err != nil {
		return nil, err
	}
	var policies []string // leaves that name witnesses
	for n, h := range heads {
		found, err := auditTree(tx, h, epochs[n], func(leaf string) {
			if strings.HasPrefix(leaf, witnessesLeaf) {
				policies = append(policies, leaf)
			}
		})
		if err != nil {
			return nil, err
		}
		faults = append(faults, found...)
	}
	found, err := auditPolicies(tx, policies)
	if err != nil {
		return nil, err
	}
	faults = append(faults, found...)
	found, err = auditCosigned(tx, epochs)
	if err != nil {
		return nil, err
	}
	faults = append(faults, found...)
	if first := epochs[0]; first.seedOrigin != first.origin {
		faults = append(faults, "the first log has seeds bound to "+first.seedOrigin)
	}
	for n := 1; n < len(heads); n++ {
		found, err := auditContinuation(tx, heads[n-1], epochs[n-1], heads[n], epochs[n])
		if err != nil {
			return nil, err
		}
		faults = append(faults, found...)
	}
	rowFaults, err := auditRows(tx)
	if err != nil {
		return nil, err
	}
	faults = append(faults, rowFaults...)
	beyond, err := followersBeyondEnd(tx)
	for _, name := range beyond {
		faults = append(faults, "the position of follower "+name+" is beyond the end of the log")
	}
	return faults, err
}

// auditRows finds rows of log_leaves whose number, oldest or newest column doesn't match their
// leaves.
func auditRows(tx *db.Tx) (faults []string, err error) {
	err = eachIndexedRow(tx, func(r indexedRow) error {
		oldest, newest := openIDRange(r.leaves)
		if r.number != int64(len(r.leaves)) || r.oldest != oldest || r.newest != newest {
			faults = append(faults, fmt.Sprintf("the row with %d leaves from index %d of epoch %d is labeled with %d leaves, opens %q to %q", len(r.leaves), r.index, r.epoch, r.number, r.oldest, r.newest))
		}
		return nil
	})
	return faults, err
}

// auditTree checks the tree of an epoch, and calls see for each leaf.
func auditTree(tx *db.Tx, h treeHead, key epochKey, see func(leaf string)) (faults []string, err error) {
	e := &frontier{tiles: tiles{}, changed: map[tileID]bool{}}
	if h.signedSize == 0 && h.checkpoint != "" {
		faults = append(faults, "there is a checkpoint for an empty log")
	}
	for e.size < h.size {
		next := min(e.size+4096, h.size)
		if e.size < h.signedSize {
			next = min(next, h.signedSize)
		}
		leaves, err := readLeaves(tx, h.epoch, e.size, next)
		if err != nil {
			return nil, err
		}
		if missing := next - e.size - int64(len(leaves)); missing > 0 {
			return append(faults, fmt.Sprintf("%d leaves are missing between index %d and %d", missing, e.size, next)), nil
		}
		for _, leaf := range leaves {
			e.add([]byte(leaf))
			see(leaf)
		}
		if e.size == h.signedSize && !key.signed(h.checkpoint, tree{size: e.size, root: e.root()}) {
			faults = append(faults, fmt.Sprintf("the checkpoint is not a valid signature of the first %d leaves", h.signedSize))
		}
		wrong, err := e.compare(tx, h.epoch, e.size == h.size)
		if err != nil {
			return nil, err
		}
		faults = append(faults, wrong...)
	}
	if e.root() != h.root {
		faults = append(faults, fmt.Sprintf("the stored root is not that of the %d leaves", h.size))
	}
	beyond, err := leavesBeyondTree(tx, h)
	if beyond > 0 {
		faults = append(faults, fmt.Sprintf("%d leaves have an index beyond the tree of size %d", beyond, h.size))
	}
	return faults, err
}

// auditContinuation checks how a log continues the one before. If only the key was replaced, the last
// leaf says so and unused seeds stay valid. Otherwise the database was restored.
func auditContinuation(tx *db.Tx, ended treeHead, endedKey epochKey, next treeHead, key epochKey) (faults []string, err error) {
	replaced, err := keyReplaced(tx, ended, endedKey, next, key)
	if err != nil {
		return nil, err
	}
	want := next.origin
	if replaced {
		want = endedKey.seedOrigin
	}
	if key.seedOrigin != want {
		faults = append(faults, fmt.Sprintf("the log %s has seeds bound to %s instead of %s", next.origin, key.seedOrigin, want))
	}
	return faults, nil
}

// compare compares the tiles that are now full with the stored ones, then drops them. At the end it
// also compares partial tiles.
func (e *frontier) compare(tx *db.Tx, epoch int64, end bool) (faults []string, err error) {
	for id := range e.changed {
		built := e.tiles[id]
		if len(built) < tileWidth*tlog.HashSize && !end {
			continue
		}
		stored, err := readTile(tx, epoch, id)
		if err != nil && !errors.Is(err, db.ErrNoRow) {
			return nil, err
		}
		if !bytes.Equal(stored, built) {
			faults = append(faults, fmt.Sprintf("tile %d/%d does not match its leaves", id.level, id.number))
		}
		delete(e.changed, id)
		delete(e.tiles, id)
	}
	return faults, nil
}
