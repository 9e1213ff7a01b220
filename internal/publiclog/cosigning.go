package publiclog

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	formats "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

const (
	// activeInterval is how often the submitting node looks for new trees, in place of pollInterval.
	activeInterval = 200 * time.Millisecond
	// submissionTimeout is the timeout of a submission to a witness, including a retry.
	submissionTimeout = time.Second
	// privateInterval is the minimum time between two submissions to a witness. It is publicInterval for
	// public witnesses, and for a tree that the witness has cosigned already.
	privateInterval = 250 * time.Millisecond
	publicInterval  = time.Second
	// lateAnswers is how long the submitter waits for further witnesses once it has a quorum. Later
	// cosignatures are added by the next attempt.
	lateAnswers = 150 * time.Millisecond
	// heldFor is how long a node stays the submitter, and renewBefore how long before the end it
	// renews that. An attempt takes at most as long as a submission.
	heldFor     = 2500 * time.Millisecond
	renewBefore = 1500 * time.Millisecond
	// longestLead is longer than the time from an order to its round. For so long after a policy ends,
	// checkpoints also need its quorum, because orders go by the policy at their time.
	longestLead = time.Minute
	// A witness's clock may be ahead of or behind this node's by so much. The time in a cosignature is
	// rounded down, and it may have been on its way for as long as a submission takes.
	maxAhead, maxBehind = time.Second, 3 * time.Second
)

// SubmissionResult says how a submission to a witness ended.
type SubmissionResult string

// Results of submissions.
const (
	Cosigned    SubmissionResult = "cosigned"
	Unreachable SubmissionResult = "unreachable" // no answer in time
	Refused     SubmissionResult = "refused"     // another status than 200 and 409
	Conflicting SubmissionResult = "conflict"    // the witness has cosigned another tree, or a larger one
	Invalid     SubmissionResult = "invalid"     // the answer has no valid cosignature of the witness
	WrongTime   SubmissionResult = "wrong_time"  // the witness's clock differs from this node's
)

// SubmissionResults are all results.
var SubmissionResults = []SubmissionResult{Cosigned, Unreachable, Refused, Conflicting, Invalid, WrongTime}

// SubmissionCount is how many submissions of this node to a witness had a result.
type SubmissionCount struct {
	Witness string // its name
	Result  SubmissionResult
	Count   int64
}

// cosigning is what a node knows about submissions to witnesses.
type cosigning struct {
	holder string // names this node as the submitter
	client *http.Client
	wake   chan struct{} // starts the job's next run
	public func(address string) bool

	timeout  time.Duration // submissionTimeout
	late     time.Duration // lateAnswers
	patience time.Duration // quorumPatience

	heldUntil time.Time // this node is the submitter; only the job uses it, and StopSubmitting after the job

	mutex     sync.Mutex
	witnesses map[protocol.Witness]*witnessState
	attempts  []*cosigningAttempt // with submissions in flight, or cosignatures that aren't stored
}

// witnessState is what a node knows about its submissions to a witness.
type witnessState struct {
	origin   string // of the last submission
	size     int64  // of the last tree that the witness has cosigned under that origin, as far as known
	inFlight bool
	last     time.Time // when the last one began
	counts   map[SubmissionResult]int64
	cosigned Cosignature        // the last one; zero = none
	failure  *SubmissionFailure // the last one; nil = none
}

func newCosigning() *cosigning {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = protocol.MaxWitnesses
	return &cosigning{
		wake: make(chan struct{}, 1), public: isPublic, timeout: submissionTimeout, late: lateAnswers, patience: quorumPatience,
		witnesses: map[protocol.Witness]*witnessState{},
		client:    &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
	}
}

// wakeUp starts the next run of a job that waits.
func wakeUp(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

// Submissions returns how this node's submissions to witnesses ended since its start.
func (l *Log) Submissions() (counts []SubmissionCount) {
	l.cosigning.mutex.Lock()
	defer l.cosigning.mutex.Unlock()
	byName := map[string]map[SubmissionResult]int64{} // a witness with another key may keep its name
	for w, s := range l.cosigning.witnesses {
		if byName[w.Name] == nil {
			byName[w.Name] = map[SubmissionResult]int64{}
		}
		for _, result := range SubmissionResults {
			byName[w.Name][result] += s.counts[result]
		}
	}
	for name, results := range byName {
		for result, count := range results {
			counts = append(counts, SubmissionCount{name, result, count})
		}
	}
	return counts
}

// cosigningState is what the database says about cosignatures.
type cosigningState struct {
	policies []witnessPolicy // whose quorum a checkpoint needs; without any, the rest is empty
	urls     []witnessURL
	head     treeHead
	last     cosignedTree // of the current log; zero = none
	overdue  bool         // a leaf has waited too long for its place in the signed tree
	submitter
}

func (l *Log) readCosigning(ctx context.Context) (s cosigningState, err error) {
	known := l.known.Load() // load before the query, as in CheckConsistency
	err = l.db.Peek(ctx, func(tx *db.Tx) error {
		policies, err := readPolicies(tx)
		if err != nil {
			return err
		}
		s.policies = inForce(policies, tx.Now.Add(-longestLead), tx.Now)
		if len(s.policies) == 0 {
			return nil
		}
		s.head, err = readHead(tx)
		if err != nil {
			return err
		}
		if err := l.checkExtends(tx, known, s.head.tree()); err != nil {
			return err
		}
		s.last, err = lastCosigned(tx, s.head.epoch, endOfTime)
		if err != nil && !errors.Is(err, db.ErrNoRow) {
			return err
		}
		s.overdue, err = hasOverdueLeaf(tx, s.head)
		if err != nil {
			return err
		}
		s.submitter, err = readSubmitter(tx)
		if err != nil {
			return err
		}
		s.urls, err = readWitnessURLs(tx)
		return err
	})
	return s, err
}

// hasOverdueLeaf reports whether a leaf has waited too long for its place in the signed tree, as after an
// outage.
func hasOverdueLeaf(tx *db.Tx, h treeHead) (bool, error) {
	if h.size > h.signedSize && tx.Now.Sub(h.signedAt) > maxUnplaced {
		return true, nil
	}
	first, err := waiting(tx, beforeFirst, 1)
	return len(first) > 0 && tx.Now.Sub(leafTime(first[0].body)) > maxUnplaced, err
}

// due reports whether the last signed tree has to be cosigned, or cosigned again. While a leaf is overdue,
// it isn't: witnesses would date a tree without the leaf, which would then look back-dated.
func (s cosigningState) due() bool {
	if s.overdue {
		return false
	}
	return s.head.signedSize > 0 && (s.last.size < s.head.signedSize || s.wantedAt.After(s.last.arrivedAt))
}

// witnesses returns the witnesses of all policies, each once.
func (s cosigningState) witnesses() (all []protocol.Witness) {
	for _, p := range s.policies {
		for _, w := range p.Witnesses {
			if !slices.Contains(all, w) {
				all = append(all, w)
			}
		}
	}
	return all
}

// Cosign has the last signed tree cosigned by the witnesses if that is due and no other node does it.
// It returns once a quorum has been stored and the other witnesses have had a moment, or all have
// answered.
func (l *Log) Cosign(ctx context.Context) error {
	s, err := l.readCosigning(ctx)
	if err != nil || len(s.policies) == 0 {
		return err
	}
	if err := l.storeAttempts(ctx); err != nil {
		return err
	}
	if !s.due() {
		if l.db.Now().Before(l.cosigning.heldUntil) {
			l.scheduleCosign()
		}
		return nil
	}
	held, err := l.holdSubmitter(ctx)
	if err != nil || !held {
		return err
	}
	defer l.scheduleCosign()
	r := l.startAttempt(ctx, s)
	if r == nil {
		return nil
	}
	return l.awaitAttempt(ctx, r)
}

// scheduleCosign schedules the job's next run.
func (l *Log) scheduleCosign() { time.AfterFunc(activeInterval, func() { wakeUp(l.cosigning.wake) }) }

// holdSubmitter makes this node the submitter for a while, unless another one is.
func (l *Log) holdSubmitter(ctx context.Context) (held bool, err error) {
	c := l.cosigning
	if c.heldUntil.Sub(l.db.Now()) > renewBefore {
		return true, nil
	}
	var until time.Time
	err = l.db.InTx(ctx, func(tx *db.Tx) (err error) {
		until = tx.Now.Add(heldFor)
		held, err = holdSubmitter(tx, c.holder, until)
		return err
	})
	c.heldUntil = time.Time{}
	if err == nil && held {
		c.heldUntil = until
	}
	return held, err
}

// StopSubmitting lets another node submit to the witnesses now. Call it when the node stops.
func (l *Log) StopSubmitting(ctx context.Context) error {
	if l.cosigning.heldUntil.IsZero() {
		return nil
	}
	return l.db.InTx(ctx, func(tx *db.Tx) error { return releaseSubmitter(tx, l.cosigning.holder) })
}

// cosigningAttempt submits a checkpoint to the witnesses. cosigning.mutex guards its fields after the
// first ones.
type cosigningAttempt struct {
	epoch, size int64
	checkpoint  string // signed by the log only
	policies    []witnessPolicy
	answered    chan struct{} // gets a value for each answer

	cosignatures map[protocol.Witness]cosignature
	waiting      int       // submissions in flight
	changed      bool      // there are cosignatures that aren't stored
	arrivedAt    time.Time // when there was a quorum; zero = not yet
}

// cosignature is the signature line of a witness.
type cosignature struct {
	line string
	at   int64 // Unix seconds
}

// startAttempt submits the last signed tree to all witnesses that are free. It returns nil if those
// can't be a quorum.
func (l *Log) startAttempt(ctx context.Context, s cosigningState) *cosigningAttempt {
	c, now := l.cosigning, l.db.Now()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	free := map[protocol.Witness]string{} // their addresses
	for _, w := range s.witnesses() {
		address, state := urlOf(s.urls, w), c.witnesses[w]
		if state == nil {
			state = &witnessState{counts: map[SubmissionResult]int64{}}
			c.witnesses[w] = state
		}
		if state.origin != s.head.origin {
			state.origin, state.size = s.head.origin, 0
		}
		interval := privateInterval
		if c.public(address) || state.size == s.head.signedSize {
			interval = publicInterval
		}
		since := now.Sub(state.last)
		if address != "" && !state.inFlight && (since >= interval || since < 0) {
			free[w] = address
		}
	}
	r := &cosigningAttempt{
		epoch: s.head.epoch, size: s.head.signedSize, checkpoint: withoutCosignatures(s.head.checkpoint), policies: s.policies,
		answered: make(chan struct{}, len(free)), cosignatures: map[protocol.Witness]cosignature{}, waiting: len(free),
	}
	for _, p := range s.policies {
		if countWitnesses(p, free) < p.Quorum {
			return nil
		}
	}
	for w, address := range free {
		state := c.witnesses[w]
		state.inFlight, state.last = true, now
		go l.submit(context.WithoutCancel(ctx), r, submission{w, address, s.head.origin, min(state.size, r.size)})
	}
	c.attempts = append(c.attempts, r)
	return r
}

// countWitnesses returns how many witnesses of a policy are keys of a map.
func countWitnesses[V any](p witnessPolicy, m map[protocol.Witness]V) (count int) {
	for _, w := range p.Witnesses {
		if _, ok := m[w]; ok {
			count++
		}
	}
	return count
}

// submit submits an attempt's checkpoint to a witness.
func (l *Log) submit(ctx context.Context, r *cosigningAttempt, s submission) {
	ctx, end := context.WithTimeout(ctx, l.cosigning.timeout)
	defer end()
	outcome := l.requestCosignature(ctx, r, s)
	c := l.cosigning
	c.mutex.Lock()
	defer c.mutex.Unlock()
	state := c.witnesses[s.Witness]
	state.inFlight = false
	state.counts[outcome.result]++
	if state.origin == s.origin {
		state.size = outcome.size
	}
	r.waiting--
	if outcome.result == Cosigned {
		r.cosignatures[s.Witness], r.changed = outcome.cosignature, true
		state.cosigned = Cosignature{time.Unix(outcome.at, 0), r.size}
	} else {
		state.failure = &SubmissionFailure{l.db.Now(), outcome.result, outcome.cause}
	}
	r.answered <- struct{}{}
}

// awaitAttempt stores an attempt's cosignatures.
func (l *Log) awaitAttempt(ctx context.Context, r *cosigningAttempt) error {
	late := time.NewTimer(2 * l.cosigning.timeout)
	defer late.Stop()
	for stored := false; ; {
		if !stored && l.hasQuorum(r) {
			stored = true
			if err := l.storeAttempts(ctx); err != nil {
				return err
			}
			late.Reset(l.cosigning.late)
		}
		if l.isOver(r) {
			return l.storeAttempts(ctx)
		}
		select {
		case <-r.answered:
		case <-late.C:
			return l.storeAttempts(ctx)
		case <-ctx.Done():
			return nil // the node stops; another one gets the cosignatures again
		}
	}
}

func (l *Log) hasQuorum(r *cosigningAttempt) bool {
	l.cosigning.mutex.Lock()
	defer l.cosigning.mutex.Unlock()
	return r.quorumAt() > 0
}

func (l *Log) isOver(r *cosigningAttempt) bool {
	l.cosigning.mutex.Lock()
	defer l.cosigning.mutex.Unlock()
	return r.waiting == 0
}

// quorumAt returns when the last witness of a quorum of every policy cosigned, in Unix seconds, or 0
// if there is no quorum.
func (r *cosigningAttempt) quorumAt() (at int64) {
	for _, p := range r.policies {
		var times []int64
		for _, w := range p.Witnesses {
			if c, ok := r.cosignatures[w]; ok {
				times = append(times, c.at)
			}
		}
		if len(times) < p.Quorum {
			return 0
		}
		slices.Sort(times)
		at = max(at, times[p.Quorum-1])
	}
	return at
}

// storeAttempts stores the checkpoints of all attempts with a quorum and new cosignatures, and forgets the
// attempts that are over.
func (l *Log) storeAttempts(ctx context.Context) error {
	c := l.cosigning
	for _, r := range l.changedAttempts() {
		if err := l.db.InTx(ctx, func(tx *db.Tx) error { return saveCosigned(tx, r) }); err != nil {
			return fmt.Errorf("store a cosigned checkpoint: %w", err)
		}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.attempts = slices.DeleteFunc(c.attempts, func(r *cosigningAttempt) bool { return r.waiting == 0 && (!r.changed || r.quorumAt() == 0) })
	return nil
}

// changedAttempts returns the checkpoints to store. If one can't be stored, it is lost, but the tree
// stays due.
func (l *Log) changedAttempts() (trees []cosignedTree) {
	c := l.cosigning
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, r := range c.attempts {
		at := r.quorumAt()
		if !r.changed || at == 0 {
			continue
		}
		r.changed = false
		if r.arrivedAt.IsZero() {
			r.arrivedAt = l.db.Now()
		}
		trees = append(trees, cosignedTree{epoch: r.epoch, size: r.size, quorumAt: at, checkpoint: r.text(), arrivedAt: r.arrivedAt})
	}
	return trees
}

// text returns the checkpoint with its cosignatures, in the order of the witnesses' keys.
func (r *cosigningAttempt) text() string {
	var lines strings.Builder
	lines.WriteString(r.checkpoint)
	byKey := func(a, b protocol.Witness) int { return strings.Compare(a.String(), b.String()) }
	for _, w := range slices.SortedFunc(maps.Keys(r.cosignatures), byKey) {
		lines.WriteString(r.cosignatures[w].line)
	}
	return lines.String()
}

// withoutCosignatures returns a checkpoint with its first signature, the log's, only.
func withoutCosignatures(checkpoint string) string {
	text, signatures, _ := strings.Cut(checkpoint, "\n\n")
	first, _, _ := strings.Cut(signatures, "\n")
	return text + "\n\n" + first + "\n"
}

// cosignatureTime returns the time in a signature line if it has the length of a cosignature, in Unix
// seconds.
func cosignatureTime(line string) (at int64, ok bool) {
	encoded := line[strings.LastIndex(line, " ")+1:]
	data, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(encoded, "\n"))
	if err != nil || len(data) != 4+8+ed25519.SignatureSize {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(data[4:])), true
}

// openCosignature finds a witness's cosignature of a checkpoint among the lines of an answer, and
// verifies it. It ignores lines of other keys.
func openCosignature(checkpoint string, w protocol.Witness, answer string) (c cosignature, err error) {
	v, err := formats.NewVerifierForCosignatureV1(w.String())
	if err != nil {
		return c, err
	}
	for line := range strings.Lines(answer) {
		if !strings.HasPrefix(line, "\u2014 "+w.Name+" ") {
			continue
		}
		opened, err := note.Open([]byte(withoutCosignatures(checkpoint)+line), note.VerifierList(v))
		if err != nil || len(opened.Sigs) != 1 {
			continue // of another key with this name, or invalid
		}
		at, _ := cosignatureTime(line) // the signature has been verified
		return cosignature{line, at}, nil
	}
	return c, errors.New("no valid cosignature")
}
