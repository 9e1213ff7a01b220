package verify

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// SeenTree is a tree of a log that the verifier or a witness saw. It is evidence against orders that
// were added later with an earlier time, and against a log that shows others another tree.
type SeenTree struct {
	Origin string    `json:"origin"`
	Size   int64     `json:"size"`
	Root   tlog.Hash `json:"root,omitzero"` // zero = not kept
	Time   time.Time `json:"time"`
}

// SeenFile is a file of trees that others saw. Each has a root.
type SeenFile struct {
	Name  string
	Trees []SeenTree
}

// ComparedFile is the result for a SeenFile.
type ComparedFile struct {
	Name  string `json:"name"`
	Equal int    `json:"equal"` // trees that are part of the log
	Lost  int    `json:"lost"`  // trees of an ended log that has fewer leaves
	Other int    `json:"other"` // trees of other logs
}

// checkSeenFiles checks that each file has a tree of this log.
func (c *logCheck) checkSeenFiles() error {
	for _, file := range c.options.SeenFiles {
		isOurs := func(s SeenTree) bool { return c.epochOf(s.Origin) != nil }
		if c.epochs[0].unknownKind == "" && !slices.ContainsFunc(file.Trees, isOurs) {
			return OptionsError{file.Name + " has no tree of this log"}
		}
	}
	return nil
}

// checkSeen compares the log with what the verifier and others saw. A fault wins over another error.
func (c *logCheck) checkSeen() error {
	_, failed := c.compareSeen(c.options.Seen)
	if _, ok := errors.AsType[*FaultError](failed); ok {
		return failed
	}
	for _, file := range c.options.SeenFiles {
		compared, err := c.compareSeen(file.Trees)
		if _, ok := errors.AsType[*FaultError](err); ok {
			return err
		}
		if failed == nil {
			failed = err
		}
		compared.Name = file.Name
		c.report.SeenFiles = append(c.report.SeenFiles, compared)
	}
	return failed
}

// compareSeen checks that no log was seen without an order when the order's round was public, nor with
// other leaves. Clocks may be wrong by MaxClockError. It stops at the first fault, but not at another error.
func (c *logCheck) compareSeen(seen []SeenTree) (compared ComparedFile, failed error) {
	current := c.replay.log
	for _, s := range seen {
		n := slices.IndexFunc(c.replay.logs, func(l *loggedTree) bool { return l.origin == s.Origin })
		if n < 0 {
			compared.Other++
			continue
		}
		l := c.replay.logs[n]
		if order, ok := l.rounds.from(s.Size); ok && order.second+tolerance <= s.Time.Unix() {
			return compared, l.fault(current, order.index, fmt.Sprintf("the order was placed after its round: the log was seen without it at %s, but the round is from %s",
				formatTime(s.Time), formatUnix(order.second)))
		}
		if s.Size > l.size && l != current && c.epochs[n].end == nil {
			compared.Lost++
			c.recordLost(Checkpoint{Origin: s.Origin, Size: s.Size})
			continue
		}
		err := l.checkSeenRoot(current, s)
		if _, ok := errors.AsType[*FaultError](err); ok {
			return compared, err
		}
		if err == nil {
			compared.Equal++
		} else if failed == nil {
			failed = err
		}
	}
	return compared, failed
}

// checkSeenRoot checks that a tree that was seen is part of the log.
func (l *loggedTree) checkSeenRoot(current *loggedTree, s SeenTree) error {
	switch {
	case s.Size > l.size && l == current:
		return fmt.Errorf("%d leaves were seen at %s, but the log has only %d: it is an old copy, or hides leaves; verify the newest one", s.Size, formatTime(s.Time), l.size)
	case s.Size > l.size:
		return logFault("the log %s ended with %d leaves, but was seen with %d at %s: it was cut, or there are two logs", l.origin, l.size, s.Size, formatTime(s.Time))
	case s.Root == (tlog.Hash{}):
		return nil
	}
	root, err := l.rootAt(s.Size)
	if err != nil {
		return err
	}
	if root != s.Root {
		return l.fault(current, max(s.Size-1, 0), fmt.Sprintf("the first %d leaves were seen with the root %s at %s, but have the root %s", s.Size, s.Root, formatTime(s.Time), root))
	}
	return nil
}
