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

// segment is the log of one epoch: the current log, or one that ended when its database was
// restored.
type segment struct {
	Checkpoint
	folder string      // prefix of the names of its tiles
	before *Checkpoint // the log that it continues; nil = none

	unknown string // kind of the first leaf if this program doesn't know it
}

// leaves returns the number of leaves in all epochs.
func leaves(segments []segment) (n int64) {
	for _, s := range segments {
		n += s.Size
	}
	return n
}

// Ended is an earlier log that the current one continues.
type Ended struct {
	Checkpoint
	Lost int64 `json:"lost"` // leaves beyond its end that the last run or the other party was shown
}

// maxEpochs limits the number of ended logs.
const maxEpochs = 1000

// chain follows a log back through its epochs, using the first leaf of each. It returns the oldest
// epoch first.
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

// ended returns the log that the segment continues according to its first leaf, or nil, and the
// kind of that leaf if it is unknown. The leaf isn't verified against the signed root yet: begins
// does that later.
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
	leaf, err := protocol.ParseLeaf(leaves[0]) // parse errors are reported by the replay
	if kind, ok := errors.AsType[protocol.UnknownKindError](err); ok {
		return nil, kind.Kind, nil
	}
	return endedBefore(leaf), "", nil
}

// endedBefore returns the log that a first leaf continues, or nil if it is not an EpochLeaf.
func endedBefore(first protocol.Leaf) *Checkpoint {
	epoch, ok := first.(protocol.EpochLeaf)
	if !ok {
		return nil
	}
	return &Checkpoint{Origin: epoch.Origin, Size: int64(epoch.Size), Root: epoch.Root}
}

// begins checks that the verified first leaf names the log that was read before this one. Otherwise
// a server could send a different first leaf on the first request and so prepend a log that nobody
// signed.
func (s segment) begins(first protocol.Leaf) error {
	signed := endedBefore(first)
	if signed == nil && s.before == nil || signed != nil && s.before != nil && *signed == *s.before {
		return nil
	}
	return fmt.Errorf("it goes on from %s, but when it was asked for before, it went on from %s: the server shows two first leaves",
		predecessor(signed), predecessor(s.before))
}

// predecessor describes the log that another one continues, for error messages.
func predecessor(c *Checkpoint) string {
	if c == nil {
		return "no log"
	}
	return fmt.Sprintf("the %d leaves of %s under %s", c.Size, c.Origin, c.Root)
}

// renamed returns the verifier key under the origin of another epoch. All epochs use the same key.
func renamed(key, origin string) (string, error) {
	_, public, err := parseKey(key)
	if err != nil {
		return "", err
	}
	return note.NewEd25519VerifierKey(origin, public)
}

// succeeds reports whether key is the same public key as earlier under a new name.
func succeeds(key, earlier string) bool {
	name, public, err := parseKey(key)
	before, same, err2 := parseKey(earlier)
	return errors.Join(err, err2) == nil && name != before && bytes.Equal(public, same)
}

// of returns the segment of an origin, or nil.
func (c *check) of(origin string) *segment {
	for n := range c.segments {
		if c.segments[n].Origin == origin {
			return &c.segments[n]
		}
	}
	return nil
}

// openAny verifies and parses a checkpoint of any epoch.
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

// lose records that someone was shown more leaves of an ended log than it has.
func (c *check) lose(shown Checkpoint) {
	for n := range c.Ended {
		if e := &c.Ended[n]; e.Origin == shown.Origin {
			e.Lost = max(e.Lost, shown.Size-e.Size)
		}
	}
}

// within adds the name of the log to a fault in an ended log.
func (s segment) within(err error) error {
	if fault, ok := errors.AsType[*FaultError](err); ok && s.folder != "" {
		return &FaultError{fault.Leaf, fmt.Sprintf("in %s, which ended: %s", s.Origin, fault.Reason)}
	}
	return err
}
