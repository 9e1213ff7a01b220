package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/protocol"
)

// epochLog is the log of one epoch: the current log, or one that ended with a restore, a replacement of
// all unused seeds, or a new key.
type epochLog struct {
	Checkpoint
	key      string            // verifier key, under its origin
	prefix   string            // prefix of the names of its tiles
	previous *Checkpoint       // the log that it continues; nil = none
	end      *protocol.EndLeaf // its last leaf, if it ended because its key was replaced
	signed   []byte            // its last checkpoint as served, if it ended for that reason
	hasKey   bool              // the server has its key, which is otherwise that of the next log

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
	Key  string `json:"key"`
	Lost int64  `json:"lost"` // leaves beyond its end that the last run or the other party was shown

	// KeyReplaced says that the log ended by naming the next one, because its key was replaced.
	// Otherwise the database was restored, or all unused seeds were replaced.
	KeyReplaced bool `json:"keyReplaced"`
	// OtherKey is the next log's key, if it differs.
	OtherKey string `json:"otherKey,omitempty"`
}

// maxLeaves is far more than a log can have. Package tlog doesn't handle sizes above 1<<62.
const maxLeaves = 1 << 60

// maxEpochs limits the number of ended logs.
const maxEpochs = 1000

// findEpochs follows a log with a key back through its epochs, using the first leaf of each. It
// returns the oldest epoch first.
func findEpochs(ctx context.Context, from source, current Checkpoint, key string) ([]epochLog, error) {
	epochs := []epochLog{{Checkpoint: current, key: key}}
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
		before := epochLog{Checkpoint: *ended, prefix: "ended/" + name + "/"}
		if err := before.readEnd(ctx, from, epochs[0]); err != nil {
			return nil, err
		}
		epochs = slices.Insert(epochs, 0, before)
	}
}

// readEnd reads the last leaf and the key of an ended log. If it ended because its key was replaced,
// its tree must be signed with that key.
func (s *epochLog) readEnd(ctx context.Context, from source, next epochLog) error {
	if s.Size < 0 || s.Size > maxLeaves {
		return logFault("the log %s claims to continue %q with %d leaves", next.Origin, s.Origin, s.Size)
	}
	if s.Size > 0 {
		leaf, err := s.readLeaf(ctx, from, s.Size-1)
		if err != nil {
			return err
		}
		parsed, _ := protocol.ParseLeaf(leaf) // the replay reports parse errors
		if end, ok := parsed.(protocol.EndLeaf); ok {
			s.end = &end
		}
	}
	served, err := from.read(ctx, s.prefix+keyName, maxNote)
	if errors.Is(err, fs.ErrNotExist) && s.end == nil {
		// Older servers have no key of an ended log. It is then that of the next log.
		s.key, err = keyUnder(next.key, s.Origin)
		return err
	}
	if err != nil {
		return fmt.Errorf("the key of the ended log %s: %w", s.Origin, err)
	}
	s.key, s.hasKey = strings.TrimSpace(string(served)), true
	if name, _, err := parseKey(s.key); err != nil || name != s.Origin {
		return logFault("the ended log %s can't have the key %q", s.Origin, s.key)
	}
	if s.end == nil {
		return nil
	}
	s.signed, err = from.read(ctx, s.prefix+checkpointName, maxNote)
	if err != nil {
		return fmt.Errorf("the last checkpoint of the ended log %s: %w", s.Origin, err)
	}
	last, err := openCheckpoint(s.signed, s.key)
	if err != nil || last != s.Checkpoint {
		return logFault("the ended log %s with %d leaves and root %s is not signed by its key %s", s.Origin, s.Size, s.Root, s.key)
	}
	return nil
}

// readLeaf returns a leaf of the log, proven to be under its root. It returns nil if the bundle with the
// leaf is malformed, which the replay reports.
func (s *epochLog) readLeaf(ctx context.Context, from source, index int64) ([]byte, error) {
	first := index - index%tileWidth
	width := int(min(tileWidth, s.Size-first))
	data, err := from.read(ctx, s.prefix+tilePath("entries", index/tileWidth, width), maxBundle)
	if err != nil {
		return nil, err
	}
	leaves, err := splitBundle(data, width)
	if int64(len(leaves)) <= index-first {
		return nil, err
	}
	leaf := leaves[index-first]
	var failed error // a failure to read tiles, in contrast to wrong ones
	tiles := tileReader{ctx, from, s.prefix, &failed}
	hashes, err := tlog.TileHashReader(tlog.Tree{N: s.Size, Hash: s.Root}, tiles).ReadHashes([]int64{tlog.StoredHashIndex(0, index)})
	if failed != nil {
		return nil, failed
	}
	if err != nil || hashes[0] != tlog.RecordHash(leaf) {
		return nil, s.faultInEpoch(leafFault(index, errors.New("the leaf isn't under the root: the server shows two different logs")))
	}
	return leaf, nil
}

// rootReader returns a function that computes the root of the log's first leaves from its tiles, which
// are verified against the log's root.
func (s *epochLog) rootReader(ctx context.Context, from source) func(size int64) (tlog.Hash, error) {
	tiles := cachedTiles{tileReader{ctx, from, s.prefix, nil}, map[tlog.Tile][]byte{}}
	reader := tlog.TileHashReader(tlog.Tree{N: s.Size, Hash: s.Root}, tiles)
	return func(size int64) (tlog.Hash, error) { return tlog.TreeHash(size, reader) }
}

// cachedTiles keeps the tiles that were read last.
type cachedTiles struct {
	tileReader
	tiles map[tlog.Tile][]byte
}

// maxCachedTiles limits the tiles in memory, each of at most 8 KiB.
const maxCachedTiles = 256

// ReadTiles implements tlog.TileReader.
func (c cachedTiles) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	data := make([][]byte, len(tiles))
	for n, tile := range tiles {
		if cached, ok := c.tiles[tile]; ok {
			data[n] = cached
			continue
		}
		read, err := c.tileReader.ReadTiles(tiles[n : n+1])
		if err != nil {
			return nil, err
		}
		data[n] = read[0]
	}
	return data, nil
}

// SaveTiles implements tlog.TileReader. The tiles are verified.
func (c cachedTiles) SaveTiles(tiles []tlog.Tile, data [][]byte) {
	if len(c.tiles) > maxCachedTiles {
		clear(c.tiles)
	}
	for n, tile := range tiles {
		c.tiles[tile] = data[n]
	}
}

// checkKeys checks that each EndLeaf names the next log and its key. From the trusted key's log on, the
// key may change only in this way. Without a trusted key, other changes are accepted too.
func checkKeys(epochs []epochLog, trusted string) error {
	from := len(epochs)
	if trusted != "" {
		name, _, err := parseKey(trusted)
		from = slices.IndexFunc(epochs, func(s epochLog) bool { return s.Origin == name })
		switch {
		case err != nil || from < 0 && (epochs[0].unknownKind == "" || !sameKey(epochs[len(epochs)-1].key, trusted)):
			return logFault("the log doesn't continue the log with the key %s", trusted)
		case from < 0: // the trusted log may be before a leaf of an unknown kind
			from = len(epochs)
		case epochs[from].key != trusted:
			return logFault("the log %s has the key %s and is not signed by %s", name, epochs[from].key, trusted)
		}
	}
	for n, next := range epochs[1:] {
		ended := epochs[n]
		switch {
		case ended.end != nil && (ended.end.Origin != next.Origin || ended.end.Key != next.key):
			return logFault("the ended log %s names %s as the next key, but the log continues with %s", ended.Origin, ended.end.Key, next.key)
		case ended.end == nil && !sameKey(ended.key, next.key) && n >= from:
			return logFault("the log %s continues with another key, %s, which it doesn't name: its operator lost or replaced the old key, or someone else runs the server. "+
				"If the operator announced the new key elsewhere, pass it with --key: the state file then still proves what you saw before; a mirror needs a new folder", ended.Origin, next.key)
		}
	}
	return nil
}

// endedLogs describes all logs but the last one.
func endedLogs(epochs []epochLog) []EndedLog {
	all := []EndedLog{}
	for n, next := range epochs[1:] {
		s := epochs[n]
		ended := EndedLog{Checkpoint: s.Checkpoint, Key: s.key, KeyReplaced: s.end != nil}
		if !sameKey(s.key, next.key) {
			ended.OtherKey = next.key
		}
		all = append(all, ended)
	}
	return all
}

// checkLastLeaf checks that the verified last leaf of an ended log is the one that was read before.
func (s epochLog) checkLastLeaf(last protocol.Leaf) error {
	end, ok := last.(protocol.EndLeaf)
	if ok == (s.end != nil) && (!ok || end == *s.end) {
		return nil
	}
	return errors.New("the last leaf differs from that of an earlier request: the server shows two different logs")
}

var logName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// readPrevious returns the log that this one continues according to its first leaf, or nil, and the
// kind of that leaf if it is unknown. The leaf isn't verified against the signed root yet:
// checkFirstLeaf does that later.
func (s epochLog) readPrevious(ctx context.Context, from source) (before *Checkpoint, unknown string, err error) {
	if s.Size <= 0 {
		return nil, "", nil
	}
	first, err := s.readLeaf(ctx, from, 0)
	if first == nil {
		return nil, "", err
	}
	leaf, err := protocol.ParseLeaf(first) // parse errors are reported by the replay
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

// keyUnder returns a verifier key under another name.
func keyUnder(key, origin string) (string, error) {
	_, public, err := parseKey(key)
	if err != nil {
		return "", err
	}
	return note.NewEd25519VerifierKey(origin, public)
}

// sameKey reports whether two verifier keys are the same public key, under any names.
func sameKey(a, b string) bool {
	_, public, err := parseKey(a)
	_, other, otherErr := parseKey(b)
	return errors.Join(err, otherErr) == nil && bytes.Equal(public, other)
}

// keyOfLog returns a verifier key under the name of another log that the same key may have signed before or
// after a restore, and which one it is: a later, an earlier or another one. It returns "" for any other name.
func keyOfLog(key, origin string) (renamed, which string) {
	name, _, err := parseKey(key)
	if err != nil || name == origin || protocol.KeyName(name) != protocol.KeyName(origin) {
		return "", ""
	}
	renamed, err = keyUnder(key, origin)
	switch {
	case err != nil:
		return "", ""
	case name == protocol.KeyName(name):
		return renamed, "a later"
	case origin == protocol.KeyName(origin):
		return renamed, "an earlier"
	default:
		return renamed, "another"
	}
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
	if epoch := c.epochOf(originOf(signed)); epoch != nil {
		key = epoch.key
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
