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

// segment is the log of one epoch: the one that grows, or one that ended when its
// database was restored.
type segment struct {
	Checkpoint
	folder string      // before the names of its tiles
	before *Checkpoint // the log that it goes on from, nil = none

	unknown string // kind of the first leaf, where this program does not know it
}

// leaves counts those of all epochs.
func leaves(segments []segment) (n int64) {
	for _, s := range segments {
		n += s.Size
	}
	return n
}

// Ended is a log that the present one goes on from.
type Ended struct {
	Checkpoint
	Lost int64 `json:"lost"` // leaves that the last run, or the other party, was shown beyond its end
}

// maxEpochs bounds how many ended logs are followed.
const maxEpochs = 1000

// chain follows a log back across its epochs, by the first leaf of each; the oldest
// one comes first.
func chain(ctx context.Context, from source, current Checkpoint) ([]segment, error) {
	segments := []segment{{Checkpoint: current}}
	for {
		s := segments[0]
		ended, unknown, err := s.ended(ctx, from)
		segments[0].unknown = unknown
		if err != nil || ended == nil {
			return segments, err
		}
		name := path.Base(ended.Origin)
		known := func(s segment) bool { return s.Origin == ended.Origin }
		if !plainName.MatchString(name) || len(segments) > maxEpochs || slices.ContainsFunc(segments, known) {
			return nil, faultOf("the log %s goes on from %q, which cannot be", s.Origin, ended.Origin)
		}
		segments[0].before = ended
		segments = slices.Insert(segments, 0, segment{Checkpoint: *ended, folder: "ended/" + name + "/"})
	}
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// ended is the log that the segment goes on from by its first leaf, nil if by that there is
// none, and the kind of that leaf if it is unknown. The leaf is read before the log, so nothing has compared it with the signed root:
// begins does.
func (s segment) ended(ctx context.Context, from source) (before *Checkpoint, unknown string, err error) {
	if s.Size <= 0 {
		return nil, "", nil
	}
	width := int(min(tileWidth, s.Size))
	data, err := from.read(ctx, s.folder+tileName("entries", 0, width), maxBundle)
	if err != nil {
		return nil, "", err
	}
	leaves, err := splitBundle(data, width)
	if len(leaves) == 0 {
		return nil, "", err
	}
	leaf, err := protocol.ParseLeaf(leaves[0]) // what is wrong with it is found when it is replayed
	if kind, ok := errors.AsType[protocol.UnknownKindError](err); ok {
		return nil, kind.Kind, nil
	}
	return endedBefore(leaf), "", nil
}

// endedBefore is the log that a first leaf goes on from, nil if it is of another kind.
func endedBefore(first protocol.Leaf) *Checkpoint {
	epoch, ok := first.(protocol.EpochLeaf)
	if !ok {
		return nil
	}
	return &Checkpoint{Origin: epoch.Origin, Size: int64(epoch.Size), Root: epoch.Root}
}

// begins holds the first leaf that is under the signed root to the log that was read before
// this one. A server that answers by another leaf when it is asked for the first time could
// else put a log in front that nobody signed.
func (s segment) begins(first protocol.Leaf) error {
	signed := endedBefore(first)
	if signed == nil && s.before == nil || signed != nil && s.before != nil && *signed == *s.before {
		return nil
	}
	return fmt.Errorf("it goes on from %s, but when it was asked for before, it went on from %s: the server shows two first leaves",
		predecessor(signed), predecessor(s.before))
}

// predecessor names a log that another one goes on from, if it does.
func predecessor(c *Checkpoint) string {
	if c == nil {
		return "no log"
	}
	return fmt.Sprintf("the %d leaves of %s under %s", c.Size, c.Origin, c.Root)
}

// renamed is a verifier key under the name of another epoch: every epoch is signed
// with the same key.
func renamed(key, origin string) (string, error) {
	_, public, err := parseKey(key)
	if err != nil {
		return "", err
	}
	return note.NewEd25519VerifierKey(origin, public)
}

// succeeds tells whether a key is another's under a new name.
func succeeds(key, earlier string) bool {
	name, public, err := parseKey(key)
	before, same, err2 := parseKey(earlier)
	return errors.Join(err, err2) == nil && name != before && bytes.Equal(public, same)
}

// of finds the epoch of an origin.
func (c *check) of(origin string) *segment {
	for n := range c.segments {
		if c.segments[n].Origin == origin {
			return &c.segments[n]
		}
	}
	return nil
}

// openAny reads a checkpoint of any epoch.
func (c *check) openAny(signed []byte) (Checkpoint, error) {
	key := c.Report.Key
	if origin, _, _ := strings.Cut(string(signed), "\n"); c.of(origin) != nil {
		var err error
		key, err = renamed(key, origin)
		if err != nil {
			return Checkpoint{}, err
		}
	}
	return openCheckpoint(signed, key)
}

// lose notes that somebody was shown more of a log than it ended with.
func (c *check) lose(shown Checkpoint) {
	for n := range c.Ended {
		if e := &c.Ended[n]; e.Origin == shown.Origin {
			e.Lost = max(e.Lost, shown.Size-e.Size)
		}
	}
}

// within says in which log a fault is, if not in the one that grows.
func (s segment) within(err error) error {
	if fault, ok := errors.AsType[*FaultError](err); ok && s.folder != "" {
		return &FaultError{fault.Leaf, fmt.Sprintf("in %s, which ended: %s", s.Origin, fault.Reason)}
	}
	return err
}
