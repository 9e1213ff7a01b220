package publiclog

import (
	"errors"
	"strings"
	"time"

	"kaibao/internal/db"
)

// WitnessHealth says how well the witnesses in force cosign the log.
type WitnessHealth struct {
	CosigningStatus
	Quorum    int
	Fresh     bool // the last quorum is new enough for orders of sealed packs
	Behind    bool // a leaf waits too long for its place in the log, so those orders are refused
	Witnesses []WitnessState
}

// WitnessState is what a node knows about a witness.
type WitnessState struct {
	WitnessAddress
	Cosigned Cosignature        // the last one; zero = none known
	Failure  *SubmissionFailure // the last one since this node's start; nil = none
}

// Cosignature says which tree a witness has cosigned.
type Cosignature struct {
	At   time.Time // by the witness's clock, in whole seconds
	Size int64     // of the tree
}

// SubmissionFailure is a submission that brought no cosignature.
type SubmissionFailure struct {
	At     time.Time
	Result SubmissionResult
	Cause  error
}

// ReadWitnessHealth returns nil if the log has no witnesses.
func (l *Log) ReadWitnessHealth(tx *db.Tx) (*WitnessHealth, error) {
	status, err := ReadCosigning(tx)
	if err != nil || status == nil {
		return nil, err
	}
	state, err := queueQuorum(tx)()
	if err != nil {
		return nil, err
	}
	h := &WitnessHealth{CosigningStatus: *status, Fresh: l.isFresh(state), Behind: l.isBehind(state)}
	h.Quorum, h.Witnesses, err = ReadWitnesses(tx)
	if err != nil {
		return nil, err
	}
	l.addSubmissions(h.Witnesses)
	return h, nil
}

// ReadWitnesses returns the quorum and the witnesses in force with the last cosignatures that any node has
// stored.
func ReadWitnesses(tx *db.Tx) (quorum int, witnesses []WitnessState, err error) {
	all, err := ListWitnesses(tx)
	if err != nil {
		return 0, nil, err
	}
	for _, announced := range all {
		if announced.InForceAt.After(tx.Now) {
			break
		}
		quorum, witnesses = announced.Quorum, make([]WitnessState, len(announced.List))
		for n, address := range announced.List {
			witnesses[n].WitnessAddress = address
		}
	}
	return quorum, witnesses, addStoredCosignatures(tx, witnesses)
}

// searchedCheckpoints is how many stored checkpoints are searched for a witness's last cosignature. While
// orders arrive, there is one each second.
const searchedCheckpoints = 1000

// addStoredCosignatures adds the last cosignatures that any node has stored.
func addStoredCosignatures(tx *db.Tx, witnesses []WitnessState) error {
	h, err := readHead(tx)
	if err != nil {
		return err
	}
	errFoundAll, missing := errors.New("found all"), len(witnesses)
	err = eachRecentCosigned(tx, h.epoch, searchedCheckpoints, func(c cosignedTree) error {
		_, signatures, _ := strings.Cut(c.checkpoint, "\n\n")
		for n, w := range witnesses {
			if !w.Cosigned.At.IsZero() {
				continue
			}
			if found, err := openCosignature(c.checkpoint, w.Witness, signatures); err == nil {
				witnesses[n].Cosigned = Cosignature{time.Unix(found.at, 0), c.size}
				missing--
			}
		}
		if missing == 0 {
			return errFoundAll
		}
		return nil
	})
	if errors.Is(err, errFoundAll) {
		return nil
	}
	return err
}

// addSubmissions adds what this node's submissions brought. Cosignatures without a quorum aren't stored.
func (l *Log) addSubmissions(witnesses []WitnessState) {
	l.cosigning.mutex.Lock()
	defer l.cosigning.mutex.Unlock()
	for n, w := range witnesses {
		s := l.cosigning.witnesses[w.Witness]
		if s == nil {
			continue
		}
		if s.cosigned.At.After(w.Cosigned.At) {
			witnesses[n].Cosigned = s.cosigned
		}
		witnesses[n].Failure = s.failure
	}
}
