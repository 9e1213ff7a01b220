package verify

import (
	"slices"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// loggedTree is one of the logs that a replay goes through, with what its checkpoints prove about
// times. Its key is nil if the tree isn't checked.
type loggedTree struct {
	number int // of the logs before it
	origin string
	size   int64 // final
	key    note.Verifier
	rootAt func(size int64) (tlog.Hash, error)

	cosigned int64 // newest quorum time of its checkpoints, in Unix seconds; 0 = none
	latest   steps // greatest time of all leaves so far, rounded up to seconds
	earliest steps // smallest time of all leaves from one on, rounded down to seconds
	rounds   steps // smallest time of the round of all orders from one on, in seconds
}

// addTime records the time of the next leaf.
func (l *loggedTree) addTime(index int64, at time.Time) {
	down := at.Unix()
	up := down
	if at.Nanosecond() > 0 {
		up++
	}
	l.latest = l.latest.addGreater(index, up)
	l.earliest = l.earliest.addSmaller(index, down)
}

// steps is a list of indexes of leaves with a time each, both strictly increasing. It has one entry
// per distinct second at most, so it stays small in long logs.
type steps []step

type step struct{ index, second int64 }

// addGreater adds a leaf to the steps of the greatest time of all leaves so far.
func (s steps) addGreater(index, second int64) steps {
	if n := len(s); n > 0 && s[n-1].second >= second {
		return s
	}
	return append(s, step{index, second})
}

// addSmaller adds a leaf to the steps of the smallest time of all leaves from one on.
func (s steps) addSmaller(index, second int64) steps {
	n := len(s)
	for n > 0 && s[n-1].second >= second {
		n--
	}
	return append(s[:n], step{index, second})
}

// before returns the last step before an index.
func (s steps) before(index int64) (step, bool) {
	n := s.search(index)
	if n == 0 {
		return step{}, false
	}
	return s[n-1], true
}

// from returns the first step from an index on.
func (s steps) from(index int64) (step, bool) {
	n := s.search(index)
	if n == len(s) {
		return step{}, false
	}
	return s[n], true
}

func (s steps) search(index int64) int {
	n, _ := slices.BinarySearchFunc(s, index, func(s step, index int64) int { return int(s.index - index) })
	return n
}
