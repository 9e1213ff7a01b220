package app

import (
	"context"
	"errors"
	"fmt"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
	"kaibao/internal/verify"
)

const leavesRule = "every leaf of the log is what the verifier accepts"

// logProof checks the tree and, with the verifier, all of the log.
func logProof(tx *db.Tx) ([]audit.Breach, error) { return audit.Collect(tx, publiclog.Audit, replayed) }

// newLogProof checks the tree and, with the verifier's checks that need no other leaf, what
// came into the log since the last audit.
func newLogProof(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, publiclog.Audit, newLeaves)
}

// newLeaves finds every leaf since the last audit that is wrong by itself.
func newLeaves(tx *db.Tx) (found []audit.Breach, err error) {
	from, err := publiclog.Audited(tx)
	if err != nil {
		return nil, err
	}
	announced, err := publiclog.AllOf[protocol.RatesLeaf](tx)
	if err != nil {
		return nil, err
	}
	err = eachLeaf(tx, from, func(leaves *verify.Leaves, at publiclog.Place, leaf string) bool {
		if fault := leaves.Examine([]byte(leaf), announced); fault != nil {
			found = append(found, wrongLeaf(at, fault))
		}
		return true
	})
	return found, err
}

// replayed finds the first leaf that the verifier rejects. Behind it nothing can be judged.
func replayed(tx *db.Tx) (found []audit.Breach, err error) {
	err = eachLeaf(tx, publiclog.Place{}, func(leaves *verify.Leaves, at publiclog.Place, leaf string) bool {
		if fault := leaves.Replay(at.Index, []byte(leaf)); fault != nil {
			found = append(found, wrongLeaf(at, fault))
		}
		return len(found) == 0
	})
	return found, err
}

func wrongLeaf(at publiclog.Place, fault error) audit.Breach {
	return audit.Breach{Rule: leavesRule, Row: fmt.Sprintf("leaf %d of epoch %d", at.Index, at.Epoch), Detail: fault.Error()}
}

// eachLeaf shows the leaves from a place on, until see has seen enough.
func eachLeaf(tx *db.Tx, from publiclog.Place, see func(*verify.Leaves, publiclog.Place, string) bool) error {
	var failed error // of reading; a manifest that isn't there is the leaf's fault
	leaves := verify.NewLeaves(context.Background(), func(hash [32]byte) ([]byte, error) {
		text, err := packs.ManifestText(tx, hash)
		if err != nil && !errors.Is(err, db.ErrNoRow) {
			failed = err
		}
		return []byte(text), err
	})
	enough := errors.New("enough")
	err := publiclog.EachFrom(tx, from, func(at publiclog.Place, leaf string) error {
		if !see(leaves, at, leaf) {
			return enough
		}
		return failed
	})
	if failed != nil {
		return failed
	}
	if errors.Is(err, enough) {
		return nil
	}
	return err
}
