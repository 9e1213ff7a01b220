package publiclog

import (
	"context"
	"strings"
	"time"

	"kaibao/internal/db"
)

// Status is the state of a database's log.
type Status struct {
	Unused        bool // no node has opened the database yet; the other fields are zero
	Size          int64
	SignedSize    int64
	SignedAt      time.Time // of the last checkpoint; zero = none
	Waiting       int64     // leaves without a place in the tree
	OldestWaiting time.Time // of the first of them; zero = none waits
	Followers     []FollowerStatus
	Cosigning     *CosigningStatus // nil = no witnesses
}

// FollowerStatus is how many leaves a follower has yet to read.
type FollowerStatus struct {
	Name string
	Lag  int64
}

// Check returns an error if there is no key, or one is no signing key.
func (k Keys) Check() error {
	texts, err := k()
	if err == nil {
		_, err = parseKeys(texts)
	}
	return err
}

// Inspect checks what Open checks, and the last stored checkpoint, without writing. It returns the
// state even with an error.
func Inspect(ctx context.Context, o Options) (s Status, err error) {
	l := newLog(o)
	l.readOnly = true
	// The checkpoint is read first: the tree in the database can then only be larger.
	signed, _, signedErr := l.lastCheckpoint(ctx, o)
	err = o.DB.Read(ctx, func(tx *db.Tx) error {
		pinned, err := db.Setting(tx, keySetting)
		s.Unused = pinned == ""
		if err != nil || s.Unused {
			return err
		}
		if err := readStatus(tx, &s); err != nil {
			return err
		}
		if signedErr != nil {
			return signedErr
		}
		if err := l.resume(tx, signed, false); err != nil {
			return err
		}
		return l.checkStoredCheckpoint(tx)
	})
	return s, err
}

// checkStoredCheckpoint fails if the checkpoint in the database isn't signed, or its tree isn't part
// of the current one.
func (l *Log) checkStoredCheckpoint(tx *db.Tx) error {
	h, err := readHead(tx)
	if err != nil || h.checkpoint == "" {
		return err
	}
	last, err := l.openCheckpoint(l.known.Load().epochs, h.checkpoint)
	if err != nil {
		return err
	}
	return extends(tx, h.tree(), last)
}

// readStatus reads the state of the log.
func readStatus(tx *db.Tx, s *Status) error {
	h, err := readHead(tx)
	if err != nil {
		return err
	}
	s.Size, s.SignedSize = h.size, h.signedSize
	if h.signedSize > 0 {
		s.SignedAt = h.signedAt
	}
	s.Waiting, err = countWaiting(tx)
	if err != nil {
		return err
	}
	first, err := waiting(tx, beforeFirst, 1)
	if err != nil {
		return err
	}
	if len(first) > 0 {
		s.OldestWaiting = leafTime(first[0].body)
	}
	s.Cosigning, err = ReadCosigning(tx)
	if err != nil {
		return err
	}
	s.Followers, err = followerLags(tx)
	return err
}

// leafTime returns the time in a leaf's text, or zero if it has none.
func leafTime(leaf string) (at time.Time) {
	for line := range strings.Lines(leaf) {
		if text, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "time "); ok {
			at, _ = time.Parse(time.RFC3339Nano, text) // zero if it is invalid
		}
	}
	return at
}
