// Package verify checks the public log without trusting its operator. It recomputes every
// signature, hash, commitment, draw and count from the served bytes (docs/fairness.md, section 5).
package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/protocol"
)

// Options configure the check of a log.
type Options struct {
	Location          string // URL of a server or path of a mirror
	Key               string // verifier key; empty uses the served one
	EarlierCheckpoint []byte // checkpoint of the last run, if any
	OtherCheckpoint   []byte // checkpoint that another party was shown, if any

	// Witnesses are the verifier keys of the witnesses to count. Empty counts those that the log
	// names, which its operator chose.
	Witnesses []string
	// Quorum is how many of Witnesses must have cosigned a checkpoint. 0 is as many as the log
	// says, or all if it names no witnesses.
	Quorum int

	Now       time.Time  // to find draws that are withheld, in a log without witnesses
	Seen      []SeenTree // what the verifier was shown in earlier runs, by its own clock
	SeenFiles []SeenFile // what others saw
	Outages   []Outage   // confirmed outages of beacons
	// FetchRound fetches rounds whose draws are missing or voided; nil leaves those open.
	FetchRound FetchRound

	// Progress is called with the number of checked leaves; may be nil.
	Progress func(done, total int64)
}

// OptionsError says that the options don't fit together, or don't fit the log.
type OptionsError struct{ Reason string }

// Error implements error.
func (e OptionsError) Error() string { return e.Reason }

// FaultError is the first violation found.
type FaultError struct {
	Leaf   *int64 `json:"leaf"` // index of the leaf; nil if the fault concerns the whole tree
	Reason string `json:"reason"`
}

// Error implements error.
func (f *FaultError) Error() string {
	if f.Leaf == nil {
		return f.Reason
	}
	return fmt.Sprintf("leaf %d: %s", *f.Leaf, f.Reason)
}

// logFault returns a fault that concerns the whole tree.
func logFault(format string, args ...any) *FaultError {
	return &FaultError{Reason: fmt.Sprintf(format, args...)}
}

func leafFault(leaf int64, err error) *FaultError {
	return &FaultError{Leaf: &leaf, Reason: err.Error()}
}

// Report is the result of checking a log.
type Report struct {
	Key        string     `json:"key"`
	Checkpoint Checkpoint `json:"checkpoint"`
	Counts
	Odds             []Odds         `json:"odds"`
	Sealed           Sealed         `json:"sealed"`
	EndedLogs        []EndedLog     `json:"ended"`       // earlier logs, after restores
	EarlierSize      *int64         `json:"earlierSize"` // size of the last run's tree, nil without one
	OtherSize        *int64         `json:"otherSize"`   // size of the tree that another party was shown
	SeenFiles        []ComparedFile `json:"seenFiles"`
	Fault            *FaultError    `json:"fault"`
	Unknown          *UnknownLeaf   `json:"newer"` // set if some leaves need a newer verifier
	signedCheckpoint []byte
}

// UnknownLeaf is the first leaf of a kind that this program doesn't know. It may be valid, and so
// may later leaves that depend on it. For later leaves, only checks that need no other leaf were
// made, and that they are under the signed root.
type UnknownLeaf struct {
	Leaf int64  `json:"leaf"`
	Kind string `json:"kind"`
}

// String implements fmt.Stringer.
func (n UnknownLeaf) String() string {
	return fmt.Sprintf("this log needs a newer verifier (leaf %d, kind %s)", n.Leaf, n.Kind)
}

// SignedCheckpoint returns the checkpoint as served, to be saved for the next run.
func (r *Report) SignedCheckpoint() []byte { return r.signedCheckpoint }

// Log checks an entire log. Violations are returned as the report's fault; an error means that the
// log couldn't be read.
func Log(ctx context.Context, o Options) (*Report, error) {
	if o.Progress == nil {
		o.Progress = func(int64, int64) {}
	}
	from, err := newSource(o.Location)
	if err != nil {
		return nil, err
	}
	report, err := checkLog(ctx, from, o)
	if report == nil || err == nil && report.Fault == nil {
		return report, err
	}
	// If the log got another origin meanwhile, the tiles of two logs were mixed.
	now, readErr := from.read(ctx, checkpointName, maxNote)
	name, _, _ := strings.Cut(report.Key, "+")
	if readErr != nil || originOf(now) == originOf(report.signedCheckpoint) && name == originOf(now) {
		return report, err
	}
	return checkLog(ctx, from, o)
}

// checkLog is one attempt of Log.
func checkLog(ctx context.Context, from source, o Options) (*Report, error) {
	report := &Report{Key: o.Key, EndedLogs: []EndedLog{}, SeenFiles: []ComparedFile{}}
	served, err := from.read(ctx, keyName, maxNote)
	if err != nil && o.Key == "" {
		return nil, fmt.Errorf("the log key: %w", err)
	}
	if err == nil {
		report.Key = strings.TrimSpace(string(served))
	}
	report.signedCheckpoint, err = from.read(ctx, checkpointName, maxNote)
	if err != nil {
		return nil, fmt.Errorf("the checkpoint: %w", err)
	}
	report.Checkpoint, err = openCheckpoint(report.signedCheckpoint, report.Key)
	if err != nil {
		report.Fault = logFault("%s", err)
		return report, nil
	}
	c := &logCheck{options: o, report: report, source: from, published: newPublished(ctx, from)}
	c.replay = newReplay(c.published)
	if err := c.replay.trust(o.Witnesses, o.Quorum); err != nil {
		return nil, err
	}
	err = c.verify(ctx)
	if fault, ok := errors.AsType[*FaultError](err); ok {
		report.Fault, err = fault, nil
	}
	report.Counts, report.Odds, report.Sealed = c.replay.counts, realizedOdds(c.replay.draws), c.replay.sealedReport()
	return report, err
}

// logCheck is the state of a log's verification.
type logCheck struct {
	options   Options
	report    *Report
	source    source
	published *published
	replay    *replay

	epochs       []epochLog
	current      *epochLog // the epoch being verified
	leavesBefore int64     // leaves in the epochs before
	tree         frontier
	known        []knownCheckpoint
}

// knownCheckpoint is an earlier tree that the log must extend.
type knownCheckpoint struct {
	Checkpoint
	shownTo string
}

func (c *logCheck) verify(ctx context.Context) (err error) {
	c.epochs, err = findEpochs(ctx, c.source, c.report.Checkpoint, c.report.Key)
	if err != nil {
		return err
	}
	c.report.EndedLogs = endedLogs(c.epochs)
	if err := checkKeys(c.epochs, c.options.Key); err != nil {
		return err
	}
	if err := c.checkSeenFiles(); err != nil {
		return err
	}
	if err := c.addKnown(c.options.EarlierCheckpoint, "the last run", &c.report.EarlierSize); err != nil {
		return err
	}
	if earlier, err := c.openCheckpoint(c.options.EarlierCheckpoint); err == nil {
		c.replay.since = earlier
	}
	if err := c.addKnown(c.options.OtherCheckpoint, "the other party", &c.report.OtherSize); err != nil {
		return err
	}
	for n := range c.epochs {
		c.current = &c.epochs[n]
		if err := c.verifyEpoch(ctx); err != nil {
			return c.current.faultInEpoch(err)
		}
	}
	if c.replay.ended {
		return logFault("the log %s ended for another key, but the log that continues it is not shown", c.current.Origin)
	}
	if c.report.Unknown != nil {
		return nil
	}
	incomplete := c.checkSeen()
	if _, ok := errors.AsType[*FaultError](incomplete); ok {
		return incomplete
	}
	return cmp.Or(c.replay.finish(ctx, c.options, c.report.signedCheckpoint), incomplete)
}

// verifyEpoch checks the log of one epoch. Earlier epochs must have been verified before.
func (c *logCheck) verifyEpoch(ctx context.Context) error {
	c.tree = frontier{}
	key, err := note.NewVerifier(c.current.key)
	if err != nil {
		return err
	}
	c.replay.startLog(loggedTree{origin: c.current.Origin, size: c.current.Size, key: key, rootAt: c.current.rootReader(ctx, c.source)})
	if err := c.checkConsistency(); err != nil {
		return err
	}
	if err := c.verifyLeaves(ctx); err != nil {
		return err
	}
	if c.tree.root() != c.current.Root {
		return c.findWrongLeaf(ctx)
	}
	c.leavesBefore += c.current.Size
	return nil
}

// addKnown adds a checkpoint that must be consistent with the log, and sets size to its size.
func (c *logCheck) addKnown(signed []byte, shownTo string, size **int64) error {
	if len(signed) == 0 {
		return nil
	}
	if c.epochOf(originOf(signed)) == nil && c.epochs[0].unknownKind != "" {
		return nil // it may belong to a log that only a newer verifier can follow
	}
	earlier, err := c.openCheckpoint(signed)
	if err != nil {
		return logFault("the checkpoint of %s: %s", shownTo, err)
	}
	switch s := c.epochOf(earlier.Origin); {
	case earlier.Size <= s.Size:
	case s.prefix != "" && s.end == nil:
		c.recordLost(earlier)
		return nil // the leaves that could prove its prefix are gone
	default:
		return logFault("the log has %d leaves, but %s was shown %d: it was cut, or there are two logs", s.Size, shownTo, earlier.Size)
	}
	*size = &earlier.Size
	c.known = append(c.known, knownCheckpoint{earlier, shownTo})
	return nil
}

// checkConsistency compares the tree with the known checkpoints of the same size.
func (c *logCheck) checkConsistency() error {
	for _, m := range c.known {
		if m.Origin == c.current.Origin && m.Size == c.tree.size && m.Root != c.tree.root() {
			return logFault("the first %d leaves differ from those that %s was shown: the log was rewritten, or there are two logs", m.Size, m.shownTo)
		}
	}
	return nil
}

// checkedLeaf is a leaf and the result of the checks that need no other leaf.
type checkedLeaf struct {
	hash tlog.Hash
	leaf protocol.Leaf
	err  error
}

// checkedBundle is up to 256 checked leaves.
type checkedBundle struct {
	leaves []checkedLeaf
	err    error // error after the last leaf
}

// verifyLeaves checks bundles in parallel on all cores and replays their leaves in order.
func (c *logCheck) verifyLeaves(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan chan checkedBundle, 2*runtime.GOMAXPROCS(0))
	go func() {
		defer close(queue)
		for first := int64(0); first < c.current.Size; first += tileWidth {
			result := make(chan checkedBundle, 1)
			select {
			case queue <- result:
			case <-ctx.Done():
				return
			}
			width := int(min(tileWidth, c.current.Size-first))
			go func() { result <- c.checkBundle(ctx, first/tileWidth, width) }()
		}
	}()
	for result := range queue {
		if err := c.replayBundle(<-result); err != nil {
			return err
		}
		c.options.Progress(c.leavesBefore+c.tree.size, totalLeaves(c.epochs))
	}
	return ctx.Err()
}

// replayBundle adds the leaves of a bundle to the tree and replays them.
func (c *logCheck) replayBundle(b checkedBundle) error {
	for _, e := range b.leaves {
		index := c.tree.size
		c.tree.add(e.hash)
		err := e.err
		if unknown, ok := errors.AsType[protocol.UnknownKindError](err); ok {
			err = nil
			c.report.Unknown = cmp.Or(c.report.Unknown, &UnknownLeaf{index, unknown.Kind})
		}
		if err == nil && index == 0 {
			err = c.current.checkFirstLeaf(e.leaf)
		}
		if err == nil && c.current.prefix != "" && index == c.current.Size-1 {
			err = c.current.checkLastLeaf(e.leaf)
		}
		if err == nil && c.report.Unknown == nil {
			err = c.replay.apply(index, e.leaf)
		}
		if err != nil {
			return asFault(index, err)
		}
		if err := c.checkConsistency(); err != nil {
			return err
		}
	}
	if b.err != nil {
		return asFault(c.tree.size, b.err)
	}
	return nil
}

// asFault returns the fault that an error in a leaf is. Faults may be in another leaf. Wrong options and
// what can't be read are no faults.
func asFault(leaf int64, err error) error {
	if fault, ok := errors.AsType[*FaultError](err); ok {
		return fault
	}
	if options, ok := errors.AsType[OptionsError](err); ok {
		return options
	}
	if _, ok := errors.AsType[readError](err); ok {
		return fmt.Errorf("leaf %d can't be checked: %w", leaf, err)
	}
	return leafFault(leaf, err)
}

// checkBundle fetches a bundle and checks each leaf by itself.
func (c *logCheck) checkBundle(ctx context.Context, number int64, width int) (b checkedBundle) {
	data, err := c.source.read(ctx, c.current.prefix+tilePath("entries", number, width), maxBundle)
	if err != nil {
		return checkedBundle{err: err}
	}
	leaves, err := splitBundle(data, width)
	b.err = err
	b.leaves = make([]checkedLeaf, len(leaves))
	for n, text := range leaves {
		b.leaves[n] = c.published.checkLeaf(text)
	}
	return b
}

// checkLeaf checks everything about a leaf that needs no other leaf, including an instant draw if the
// pack is unlimited, and a beacon's signature.
func (p *published) checkLeaf(text []byte) (e checkedLeaf) {
	e.hash = tlog.RecordHash(text)
	e.leaf, e.err = protocol.ParseLeaf(text)
	if e.err == nil {
		e.err = protocol.CheckLeaf(e.leaf)
	}
	if e.err != nil {
		return e
	}
	switch l := e.leaf.(type) {
	case protocol.OpenLeaf:
		_, e.err = p.repeatDraw(l) // the replay repeats draws from limited packs
	case protocol.RoundLeaf:
		e.err = p.checkRound(l)
	}
	return e
}

// findWrongLeaf finds the first leaf that differs from the signed one by comparing leaves with the
// served hashes.
func (c *logCheck) findWrongLeaf(ctx context.Context) error {
	for first := int64(0); first < c.current.Size; first += tileWidth {
		width := int(min(tileWidth, c.current.Size-first))
		hashes, err := c.source.read(ctx, c.current.prefix+tilePath("0", first/tileWidth, width), maxTile)
		if err != nil || len(hashes) != width*tlog.HashSize {
			break
		}
		b := c.checkBundle(ctx, first/tileWidth, width)
		for n, e := range b.leaves {
			if e.hash != tlog.Hash(hashes[n*tlog.HashSize:][:tlog.HashSize]) {
				return leafFault(first+int64(n), errors.New("the leaf differs from the signed one"))
			}
		}
	}
	return logFault("the leaves don't match the signed root")
}
