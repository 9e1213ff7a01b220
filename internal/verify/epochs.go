package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/protocol"
)

// epochLog is the log of one epoch: the current log, or one that ended when its database was
// restored.
type epochLog struct {
	Checkpoint
	prefix   string      // prefix of the names of its tiles
	previous *Checkpoint // the log that it continues; nil = none

	unknownKind string // kind of the first leaf if this program doesn't know it
}

// totalLeaves returns the number of leaves in all epochs.
func totalLeaves(epochs []epochLog) (n int64) {
	for _, s := range epochs {
		n += s.Size
	}
	return n
}

// EndedLog is an earlier log that the current one continues.
type EndedLog struct {
	Checkpoint
	Lost int64 `json:"lost"` // leaves beyond its end that the last run or the other party was shown
}

// maxEpochs limits the number of ended logs.
const maxEpochs = 1000

// findEpochs follows a log back through its epochs, using the first leaf of each. It returns the
// oldest epoch first.
func findEpochs(ctx context.Context, from source, current Checkpoint) ([]epochLog, error) {
	epochs := []epochLog{{Checkpoint: current}}
	for {
		s := epochs[0]
		ended, unknown, err := s.readPrevious(ctx, from)
		epochs[0].unknownKind = unknown
		if err != nil || ended == nil {
			return epochs, err
		}
		name := path.Base(ended.Origin)
		known := func(s epochLog) bool { return s.Origin == ended.Origin }
		if !logName.MatchString(name) || len(epochs) > maxEpochs || slices.ContainsFunc(epochs, known) {
			return nil, logFault("the log %s claims to continue %q, which is not possible", s.Origin, ended.Origin)
		}
		epochs[0].previous = ended
		epochs = slices.Insert(epochs, 0, epochLog{Checkpoint: *ended, prefix: "ended/" + name + "/"})
	}
}

var logName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// readPrevious returns the log that this one continues according to its first leaf, or nil, and the
// kind of that leaf if it is unknown. The leaf isn't verified against the signed root yet:
// checkFirstLeaf does that later.
func (s epochLog) readPrevious(ctx context.Context, from source) (before *Checkpoint, unknown string, err error) {
	if s.Size <= 0 {
		return nil, "", nil
	}
	width := int(min(tileWidth, s.Size))
	data, err := from.read(ctx, s.prefix+tilePath("entries", 0, width), maxBundle)
	if err != nil {
		return nil, "", err
	}
	leaves, err := splitBundle(data, width)
	if len(leaves) == 0 {
		return nil, "", err
	}
	leaf, err := protocol.ParseLeaf(leaves[0]) // parse errors are reported by the replay
	if kind, ok := errors.AsType[protocol.UnknownKindError](err); ok {
		return nil, kind.Kind, nil
	}
	return previousLog(leaf), "", nil
}

// previousLog returns the log that a first leaf continues, or nil if it is not an EpochLeaf.
func previousLog(first protocol.Leaf) *Checkpoint {
	epoch, ok := first.(protocol.EpochLeaf)
	if !ok {
		return nil
	}
	return &Checkpoint{Origin: epoch.Origin, Size: int64(epoch.Size), Root: epoch.Root}
}

// checkFirstLeaf checks that the verified first leaf names the log that was read before this one.
// Otherwise a server could send a different first leaf on the first request and so prepend a log
// that nobody signed.
func (s epochLog) checkFirstLeaf(first protocol.Leaf) error {
	signed := previousLog(first)
	if signed == nil && s.previous == nil || signed != nil && s.previous != nil && *signed == *s.previous {
		return nil
	}
	return fmt.Errorf("the first leaf continues %s, but an earlier request returned one that continues %s: the server shows two different logs",
		describeLog(signed), describeLog(s.previous))
}

// describeLog describes the log that another one continues, for error messages.
func describeLog(c *Checkpoint) string {
	if c == nil {
		return "no log"
	}
	return fmt.Sprintf("the %d leaves of %s under %s", c.Size, c.Origin, c.Root)
}

// keyUnder returns the verifier key under the origin of another epoch. All epochs use the same key.
func keyUnder(key, origin string) (string, error) {
	_, public, err := parseKey(key)
	if err != nil {
		return "", err
	}
	return note.NewEd25519VerifierKey(origin, public)
}

// sameKeyRenamed reports whether key is the same public key as earlier under a new name.
func sameKeyRenamed(key, earlier string) bool {
	name, public, err := parseKey(key)
	before, same, err2 := parseKey(earlier)
	return errors.Join(err, err2) == nil && name != before && bytes.Equal(public, same)
}

// epochOf returns the epoch of an origin, or nil.
func (c *logCheck) epochOf(origin string) *epochLog {
	for n := range c.epochs {
		if c.epochs[n].Origin == origin {
			return &c.epochs[n]
		}
	}
	return nil
}

// openCheckpoint verifies and parses a checkpoint of any epoch.
func (c *logCheck) openCheckpoint(signed []byte) (Checkpoint, error) {
	key := c.report.Key
	if origin, _, _ := strings.Cut(string(signed), "\n"); c.epochOf(origin) != nil {
		var err error
		key, err = keyUnder(key, origin)
		if err != nil {
			return Checkpoint{}, err
		}
	}
	return openCheckpoint(signed, key)
}

// recordLost records that someone was shown more leaves of an ended log than it has.
func (c *logCheck) recordLost(shown Checkpoint) {
	for n := range c.report.EndedLogs {
		if e := &c.report.EndedLogs[n]; e.Origin == shown.Origin {
			e.Lost = max(e.Lost, shown.Size-e.Size)
		}
	}
}

// faultInEpoch adds the name of the log to a fault in an ended log.
func (s epochLog) faultInEpoch(err error) error {
	if fault, ok := errors.AsType[*FaultError](err); ok && s.prefix != "" {
		return &FaultError{fault.Leaf, fmt.Sprintf("in the ended log %s: %s", s.Origin, fault.Reason)}
	}
	return err
}
