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

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/protocol"
)

// Options configure the check of a log.
type Options struct {
	Where   string // URL of a server or path of a mirror
	Key     string // verifier key; empty uses the served one
	Earlier []byte // checkpoint of the last run, if any
	Other   []byte // checkpoint that another party was shown, if any

	// Progress is called with the number of checked leaves; may be nil.
	Progress func(done, total int64)
}

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

func faultOf(format string, args ...any) *FaultError {
	return &FaultError{Reason: fmt.Sprintf(format, args...)}
}

func faultAt(leaf int64, err error) *FaultError { return &FaultError{Leaf: &leaf, Reason: err.Error()} }

// Report is the result of checking a log.
type Report struct {
	Key        string     `json:"key"`
	Checkpoint Checkpoint `json:"checkpoint"`
	Counts
	Odds    []Odds      `json:"odds"`
	Ended   []Ended     `json:"ended"`       // earlier logs, after restores
	Earlier *int64      `json:"earlierSize"` // size of the last run's tree, nil without one
	Other   *int64      `json:"otherSize"`   // size of the tree that another party was shown
	Fault   *FaultError `json:"fault"`
	Newer   *Newer      `json:"newer"` // set if some leaves need a newer verifier
	signed  []byte
}

// Newer is the first leaf of a kind that this program doesn't know. It may be valid, and so may
// later leaves that depend on it. For later leaves, only checks that need no other leaf were made,
// and that they are under the signed root.
type Newer struct {
	Leaf int64  `json:"leaf"`
	Kind string `json:"kind"`
}

// String implements fmt.Stringer.
func (n Newer) String() string {
	return fmt.Sprintf("this log needs a newer verifier (leaf %d, kind %s)", n.Leaf, n.Kind)
}

// Signed returns the checkpoint as served, to be saved for the next run.
func (r *Report) Signed() []byte { return r.signed }

// Log checks an entire log. Violations are returned as the report's fault; an error means that the
// log couldn't be read.
func Log(ctx context.Context, o Options) (*Report, error) {
	if o.Progress == nil {
		o.Progress = func(int64, int64) {}
	}
	from, err := newSource(o.Where)
	if err != nil {
		return nil, err
	}
	report := &Report{Key: o.Key, Ended: []Ended{}}
	served, err := from.read(ctx, keyName, maxNote)
	if err != nil && o.Key == "" {
		return nil, fmt.Errorf("the log key: %w", err)
	}
	if key := strings.TrimSpace(string(served)); o.Key == "" || succeeds(key, o.Key) {
		report.Key = key
	}
	report.signed, err = from.read(ctx, checkpointName, maxNote)
	if err != nil {
		return nil, fmt.Errorf("the checkpoint: %w", err)
	}
	report.Checkpoint, err = openCheckpoint(report.signed, report.Key)
	if err != nil {
		report.Fault = faultOf("%s", err)
		return report, nil
	}
	c := &check{Options: o, Report: report, from: from, library: newLibrary(ctx, from)}
	c.replay = newReplay(c.library)
	err = c.run(ctx)
	if fault, ok := errors.AsType[*FaultError](err); ok {
		report.Fault, err = fault, nil
	}
	report.Counts, report.Odds = c.replay.counts, c.replay.odds()
	return report, err
}

// check is the state of a log's check.
type check struct {
	Options
	*Report
	from    source
	library *library
	replay  *replay

	segments []segment
	*segment       // the segment being read
	done     int64 // leaves in the segments before
	tree     frontier
	marks    []mark
}

// mark is an earlier tree that the log must extend.
type mark struct {
	Checkpoint
	whose string
}

func (c *check) run(ctx context.Context) (err error) {
	c.segments, err = chain(ctx, c.from, c.Report.Checkpoint)
	if err != nil {
		return err
	}
	for _, s := range c.segments[:len(c.segments)-1] {
		c.Ended = append(c.Ended, Ended{Checkpoint: s.Checkpoint})
	}
	if o := c.Options.Key; o != "" {
		if name, _, err := parseKey(o); err != nil || c.of(name) == nil && c.segments[0].unknown == "" {
			return faultOf("the log does not go on from the one of the key %s", o)
		}
	}
	if err := c.mark(c.Options.Earlier, "the last run", &c.Report.Earlier); err != nil {
		return err
	}
	if err := c.mark(c.Options.Other, "the other party", &c.Report.Other); err != nil {
		return err
	}
	for n := range c.segments {
		c.segment = &c.segments[n]
		if err := c.read(ctx); err != nil {
			return c.within(err)
		}
	}
	return nil
}

// read checks the log of one epoch. Earlier epochs must have been read before.
func (c *check) read(ctx context.Context) error {
	c.tree = frontier{}
	if err := c.passMarks(); err != nil {
		return err
	}
	if err := c.stream(ctx); err != nil {
		return err
	}
	if c.tree.root() != c.Root {
		return c.locate(ctx)
	}
	c.done += c.Size
	return nil
}

func (c *check) mark(signed []byte, whose string, size **int64) error {
	if len(signed) == 0 {
		return nil
	}
	if origin, _, _ := strings.Cut(string(signed), "\n"); c.of(origin) == nil && c.segments[0].unknown != "" {
		return nil // it may belong to a log that only a newer verifier can follow
	}
	earlier, err := c.openAny(signed)
	if err != nil {
		return faultOf("the checkpoint of %s: %s", whose, err)
	}
	switch s := c.of(earlier.Origin); {
	case earlier.Size <= s.Size:
	case s.folder != "":
		c.lose(earlier)
		return nil // the leaves that could prove its prefix are gone
	default:
		return faultOf("the log has %d leaves, but %s was shown %d: it went back, or there are two", s.Size, whose, earlier.Size)
	}
	*size = &earlier.Size
	c.marks = append(c.marks, mark{earlier, whose})
	return nil
}

// passMarks compares the tree with the marks of the same size.
func (c *check) passMarks() error {
	for _, m := range c.marks {
		if m.Origin == c.Origin && m.Size == c.tree.size && m.Root != c.tree.root() {
			return faultOf("the first %d leaves are not those that %s was shown: the log was rewritten, or there are two", m.Size, m.whose)
		}
	}
	return nil
}

// examined is a leaf and the result of the checks that need no other leaf.
type examined struct {
	hash tlog.Hash
	leaf protocol.Leaf
	err  error
}

// bundle is up to 256 examined leaves.
type bundle struct {
	leaves []examined
	err    error // error after the last leaf
}

// stream examines bundles in parallel on all cores and replays their leaves in order.
func (c *check) stream(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	queue := make(chan chan bundle, 2*runtime.GOMAXPROCS(0))
	go func() {
		defer close(queue)
		for first := int64(0); first < c.Size; first += tileWidth {
			result := make(chan bundle, 1)
			select {
			case queue <- result:
			case <-ctx.Done():
				return
			}
			width := int(min(tileWidth, c.Size-first))
			go func() { result <- c.examine(ctx, first/tileWidth, width) }()
		}
	}()
	for result := range queue {
		if err := c.follow(<-result); err != nil {
			return err
		}
		c.Progress(c.done+c.tree.size, leaves(c.segments))
	}
	return ctx.Err()
}

// follow replays a bundle.
func (c *check) follow(b bundle) error {
	for _, e := range b.leaves {
		index := c.tree.size
		c.tree.add(e.hash)
		err := e.err
		if unknown, ok := errors.AsType[protocol.UnknownKindError](err); ok {
			err = nil
			c.Newer = cmp.Or(c.Newer, &Newer{index, unknown.Kind})
		}
		if err == nil && index == 0 {
			err = c.begins(e.leaf)
		}
		if err == nil && c.Newer == nil {
			err = c.replay.apply(index, e.leaf)
		}
		if err != nil {
			return faultAt(index, err)
		}
		if err := c.passMarks(); err != nil {
			return err
		}
	}
	if b.err != nil {
		return faultAt(c.tree.size, b.err)
	}
	return nil
}

// examine fetches a bundle and examines each leaf.
func (c *check) examine(ctx context.Context, number int64, width int) (b bundle) {
	data, err := c.from.read(ctx, c.folder+tileName("entries", number, width), maxBundle)
	if err != nil {
		return bundle{err: err}
	}
	leaves, err := splitBundle(data, width)
	b.err = err
	b.leaves = make([]examined, len(leaves))
	for n, text := range leaves {
		b.leaves[n] = c.library.examine(text)
	}
	return b
}

// examine checks everything about a leaf that needs no other leaf, including its draw if the pack
// is unlimited.
func (l *library) examine(text []byte) (e examined) {
	e.hash = tlog.RecordHash(text)
	e.leaf, e.err = protocol.ParseLeaf(text)
	if e.err == nil {
		e.err = protocol.CheckLeaf(e.leaf)
	}
	if open, ok := e.leaf.(protocol.OpenLeaf); ok && e.err == nil {
		_, e.err = l.drawAgain(open) // the replay repeats draws from limited packs
	}
	return e
}

// locate finds the first leaf that differs from the signed one by comparing leaves with the served
// hashes.
func (c *check) locate(ctx context.Context) error {
	for first := int64(0); first < c.Size; first += tileWidth {
		width := int(min(tileWidth, c.Size-first))
		hashes, err := c.from.read(ctx, c.folder+tileName("0", first/tileWidth, width), maxTile)
		if err != nil || len(hashes) != width*tlog.HashSize {
			break
		}
		b := c.examine(ctx, first/tileWidth, width)
		for n, e := range b.leaves {
			if e.hash != tlog.Hash(hashes[n*tlog.HashSize:][:tlog.HashSize]) {
				return faultAt(first+int64(n), errors.New("the leaf is not the one that was signed"))
			}
		}
	}
	return faultOf("the leaves do not give the signed root")
}
