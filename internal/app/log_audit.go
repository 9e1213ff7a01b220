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
	"kaibao/internal/rounds"
	"kaibao/internal/verify"
)

const leafRule = "each leaf of the log must be accepted by the verifier"

// auditLog checks the tree and runs the verifier on the whole log.
func auditLog(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, publiclog.Audit, firstRejectedLeaf)
}

// auditNewLeaves checks the tree. It also runs the verifier's per-leaf checks on the leaves since
// the last audit.
func auditNewLeaves(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, publiclog.Audit, invalidNewLeaves)
}

// invalidNewLeaves returns a breach for every leaf since the last audit that is invalid by itself.
func invalidNewLeaves(tx *db.Tx) (found []audit.Breach, err error) {
	from, err := publiclog.AuditedPosition(tx)
	if err != nil {
		return nil, err
	}
	announced, err := publiclog.AllLeaves[protocol.RatesLeaf](tx)
	if err != nil {
		return nil, err
	}
	err = eachLeaf(tx, from, func(leaves *verify.LeafChecker, at publiclog.Position, leaf string) bool {
		if fault := leaves.CheckWithRates([]byte(leaf), announced); fault != nil {
			found = append(found, leafBreach(at, fault))
		}
		return true
	})
	return found, err
}

// firstRejectedLeaf returns a breach for the first leaf that the verifier rejects. Later leaves
// can't be judged.
func firstRejectedLeaf(tx *db.Tx) (found []audit.Breach, err error) {
	err = eachLeaf(tx, publiclog.Position{}, func(leaves *verify.LeafChecker, at publiclog.Position, leaf string) bool {
		if fault := leaves.Replay(at.Index, []byte(leaf)); fault != nil {
			found = append(found, leafBreach(at, fault))
		}
		return len(found) == 0
	})
	return found, err
}

func leafBreach(at publiclog.Position, fault error) audit.Breach {
	return audit.Breach{Rule: leafRule, Row: fmt.Sprintf("leaf %d of epoch %d", at.Index, at.Epoch), Detail: fault.Error()}
}

// eachLeaf calls see for each leaf from a position on, until see returns false.
func eachLeaf(tx *db.Tx, from publiclog.Position, see func(*verify.LeafChecker, publiclog.Position, string) bool) error {
	var failed error // a read error; a missing manifest or beacon is the leaf's fault
	noteFailure := func(err error) {
		if err != nil && !errors.Is(err, db.ErrNoRow) {
			failed = err
		}
	}
	manifest := func(hash [32]byte) ([]byte, error) {
		text, err := packs.ManifestText(tx, hash)
		noteFailure(err)
		return []byte(text), err
	}
	beacon := func(hash [32]byte) ([]byte, error) {
		text, err := rounds.Description(tx, hash)
		noteFailure(err)
		return text, err
	}
	leaves := verify.NewLeafChecker(context.Background(), manifest, beacon)
	enough := errors.New("enough")
	err := publiclog.EachLeafFrom(tx, from, func(at publiclog.Position, leaf string) error {
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
