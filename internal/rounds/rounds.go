// Package rounds fetches rounds of public randomness beacons from their relays, stores those that
// draws use, and checks the node's clock with them. A sandbox has a beacon of its own.
package rounds

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"kaibao/internal/beacon"
	"kaibao/internal/db"
	"kaibao/internal/inprocess"
	"kaibao/internal/protocol"
)

// Options configure a Service.
type Options struct {
	DB        *db.DB
	Relays    []string          // base URLs of drand's HTTP API, such as https://api.drand.sh
	Transport http.RoundTripper // to the relays; nil = the network
	Now       func() time.Time  // the clock; nil = that of DB
	Log       *slog.Logger

	// Sandbox draws with the sandbox's own beacon. Otherwise only the built-in chains are known.
	Sandbox bool
	// Steerable lets anyone change how the sandbox's beacon behaves, as tests do.
	Steerable bool

	// Active reports whether a sealed pack is on sale. Only then is the clock checked; nil = never.
	Active func(*db.Tx) (bool, error)
}

// Service fetches rounds on one node.
type Service struct {
	Options
	quicknet *chain
	sandbox  *sandbox              // nil outside a sandbox
	own      atomic.Pointer[chain] // of the sandbox's beacon; nil until Open
	counts   counts

	mutex  sync.Mutex
	active bool
	last   sighting // by the clock check
}

// chain is a beacon and the relays that publish its rounds.
type chain struct {
	*beacon.Beacon
	hash   [32]byte
	relays []*relay
}

// counts are figures for metrics.
type counts struct {
	draws, checks atomic.Int64             // rounds fetched for draws and for the clock check
	invalid       map[string]*atomic.Int64 // signatures, by the host of their relay
}

// New returns a service. Call Open before any other method.
func New(o Options) *Service {
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Now == nil {
		o.Now = o.DB.Now
	}
	if o.Transport == nil {
		o.Transport = newTransport()
	}
	s := &Service{Options: o, counts: counts{invalid: map[string]*atomic.Int64{}}}
	var relays []*relay
	for _, address := range o.Relays {
		relays = append(relays, s.newRelay(address, o.Transport))
	}
	s.quicknet = newChain(beacon.Quicknet(), relays)
	if o.Sandbox {
		s.sandbox = &sandbox{db: o.DB, now: o.Now}
	}
	return s
}

func newChain(b *beacon.Beacon, relays []*relay) *chain { return &chain{b, b.Hash(), relays} }

func (s *Service) newRelay(address string, transport http.RoundTripper) *relay {
	host := address
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		host = u.Host
	}
	if s.counts.invalid[host] == nil {
		s.counts.invalid[host] = &atomic.Int64{}
	}
	return &relay{
		base: address, host: host, client: &http.Client{Transport: transport, CheckRedirect: checkRedirect},
		invalid: s.counts.invalid[host], log: s.Log,
	}
}

// Open reads the sandbox's beacon, which the first start creates.
func (s *Service) Open(ctx context.Context) error {
	if s.sandbox == nil {
		return nil
	}
	own, err := s.sandbox.open(ctx)
	if err != nil {
		return fmt.Errorf("the sandbox's beacon: %w", err)
	}
	s.own.Store(newChain(own, []*relay{s.newRelay("https://"+sandboxHost, inprocess.Transport(sandboxHost, s.sandbox))}))
	return nil
}

// current returns the chain that this server draws with. It is nil in a sandbox before Open.
func (s *Service) current() *chain {
	if s.sandbox != nil {
		return s.own.Load()
	}
	return s.quicknet
}

// Beacon returns the beacon for new manifests: quicknet or, in a sandbox, the sandbox's own.
func (s *Service) Beacon() *beacon.Beacon { return s.current().Beacon }

// Known returns the beacon with a chain hash, or nil if this server doesn't know it. A server must
// refuse manifests that name another one.
func (s *Service) Known(hash [32]byte) *beacon.Beacon {
	if c := s.chain(hash); c != nil {
		return c.Beacon
	}
	return nil
}

func (s *Service) chain(hash [32]byte) *chain {
	for _, c := range []*chain{s.quicknet, s.own.Load()} {
		if c != nil && c.hash == hash {
			return c
		}
	}
	return nil
}

// ErrUnknownChain is returned for a chain that this server doesn't know.
var ErrUnknownChain = errors.New("this server doesn't know the beacon")

const (
	// firstRequest is how long after its time a round is first requested. Relays cache for minutes
	// that they don't have a round.
	firstRequest = 400 * time.Millisecond
	// clockStep bounds how late Fetch notices that the clock was set forward.
	clockStep = 100 * time.Millisecond
)

// ErrNotPublished is returned if a relay answered that it doesn't have the round, or with an invalid
// signature, and no other relay had it.
var ErrNotPublished = errors.New("the round isn't published")

// Fetch returns the signature of a round, which it has verified. It waits until shortly after the
// round's time and asks the relays until one has the round or ctx ends. Then it returns ErrNotPublished,
// or another error if no relay could be asked. Store the signature: other nodes need it, too.
func (s *Service) Fetch(ctx context.Context, hash [32]byte, round uint64) (protocol.Signature, error) {
	c := s.chain(hash)
	if c == nil || round == 0 {
		return protocol.Signature{}, fmt.Errorf("round %d of %x: %w", round, hash, ErrUnknownChain)
	}
	if err := s.waitUntil(ctx, c.Time(round).Add(firstRequest)); err != nil {
		return protocol.Signature{}, err
	}
	var answered atomic.Bool
	signature, err := poll(ctx, c.relays, s.drawPauses(ctx, c, round), func(ctx context.Context, r *relay) (protocol.Signature, error) {
		signature, err := c.fetch(ctx, r, round)
		if errors.Is(err, ErrNotPublished) {
			answered.Store(true)
		}
		return signature, err
	})
	if err != nil && answered.Load() {
		err = fmt.Errorf("%w: %w", ErrNotPublished, err)
	}
	if err != nil {
		return protocol.Signature{}, fmt.Errorf("fetch round %d of %s: %w", round, c.ID, err)
	}
	s.counts.draws.Add(1)
	return signature, nil
}

// waitUntil waits until the node's clock shows a time.
func (s *Service) waitUntil(ctx context.Context, until time.Time) error {
	for {
		left := until.Sub(s.Now())
		if left <= 0 {
			return ctx.Err()
		}
		if err := wait(ctx, min(left, clockStep)); err != nil {
			return err
		}
	}
}

func wait(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

const (
	shortPause = 300 * time.Millisecond // between the first requests
	shortFor   = 10 * time.Second
	longPause  = 5 * time.Second // the longest one
)

// drawPauses returns a function that returns the pauses between requests for a round. They grow once
// the relays are late, which is logged.
func (s *Service) drawPauses(ctx context.Context, c *chain, round uint64) func(lastError error) time.Duration {
	passed, next := time.Duration(0), shortPause
	return func(lastError error) time.Duration {
		if passed+shortPause <= shortFor {
			passed += shortPause
			return shortPause
		}
		if next == shortPause {
			s.Log.WarnContext(ctx, "no relay has the beacon's round yet", "beacon", c.ID, "round", round, "error", lastError)
		}
		next = min(2*next, longPause)
		return next
	}
}

var errNoRelays = errors.New("no relay is configured (KAIBAO_BEACON_RELAYS)")

// poll asks one relay after another, until one call succeeds or ctx ends. It doesn't wait for an answer
// before it asks the next relay. pause returns the time until then; it is called with the last error,
// or nil.
func poll[T any](ctx context.Context, relays []*relay, pause func(lastError error) time.Duration, ask func(context.Context, *relay) (T, error)) (value T, err error) {
	if len(relays) == 0 {
		return value, errNoRelays
	}
	type result struct {
		value T
		err   error
	}
	asking, stop := context.WithCancel(ctx)
	defer stop()
	results := make(chan result)
	for n := 0; ; n++ {
		relay := relays[n%len(relays)]
		go func() {
			value, err := ask(asking, relay)
			select {
			case results <- result{value, err}:
			case <-asking.Done():
			}
		}()
		next := time.NewTimer(pause(err))
		for waiting := true; waiting; {
			select {
			case r := <-results:
				if r.err == nil {
					next.Stop()
					return r.value, nil
				}
				err = r.err
			case <-next.C:
				waiting = false
			case <-ctx.Done():
				next.Stop()
				if err != nil {
					return value, fmt.Errorf("%w; the last failure was: %w", ctx.Err(), err)
				}
				return value, ctx.Err()
			}
		}
	}
}

// State is the state of a node's beacon, for metrics and admins.
type State struct {
	Beacon     *beacon.Beacon   // that the server draws with; nil in a sandbox before Open
	Active     bool             // a sealed pack is on sale, so the clock is checked
	ClockReady bool             // the node may take orders of sealed packs
	Problem    string           // why it may not; empty if ClockReady
	LastRound  uint64           // the last new one that the clock check saw; 0 = none yet
	LastSeenAt time.Time        // when it arrived
	Draws      int64            // rounds fetched for draws
	Checks     int64            // rounds fetched for the clock check
	Lateness   *time.Duration   // of the last round that the clock check saw, by the node's clock; nil = none yet
	Invalid    map[string]int64 // invalid signatures, by the host of their relay
}

// State returns the current state.
func (s *Service) State() State {
	state := State{Draws: s.counts.draws.Load(), Checks: s.counts.checks.Load(), Invalid: map[string]int64{}}
	if c := s.current(); c != nil {
		state.Beacon = c.Beacon
	}
	err := s.ClockReady()
	state.ClockReady = err == nil
	if cause := errors.Unwrap(err); cause != nil {
		state.Problem = cause.Error()
	}
	for host, count := range s.counts.invalid {
		state.Invalid[host] = count.Load()
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	state.Active = s.active
	if last := s.last; last.round > 0 {
		state.LastRound, state.LastSeenAt, state.Lateness = last.round, last.at, &last.lateness
	}
	return state
}

// Stored returns the signature of a round that Store stored. ok is false if there is none.
func Stored(tx *db.Tx, chain [32]byte, round uint64) (signature protocol.Signature, ok bool, err error) {
	stored, err := findRound(tx, chain, round)
	if errors.Is(err, db.ErrNoRow) {
		return signature, false, nil
	}
	return stored, err == nil, err
}

// Last returns the highest round of a chain that Store stored, or 0.
func Last(tx *db.Tx, chain [32]byte) (uint64, error) { return lastRound(tx, chain) }

// Store stores a signature that Fetch returned, unless the round is already stored.
func Store(tx *db.Tx, chain [32]byte, round uint64, signature protocol.Signature) error {
	if err := insertRound(tx, chain, round, signature); err != nil {
		return err
	}
	stored, err := findRound(tx, chain, round)
	if err == nil && stored != signature {
		err = fmt.Errorf("round %d of %x is already stored with another signature, though each has only one: one wasn't verified", round, chain)
	}
	return err
}

// seedOf derives another seed from one, for a key that isn't the beacon's.
func seedOf(purpose string, seed [32]byte) [32]byte {
	return sha256.Sum256(append([]byte(purpose), seed[:]...))
}
