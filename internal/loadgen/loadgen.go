// Package loadgen generates load: many wallets open packs or trade as fast as the server allows. It
// verifies every response and fails on the first wrong one.
package loadgen

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"kaibao/internal/money"
	"kaibao/internal/verify"
)

// Options configure a run.
type Options struct {
	Nodes       []*url.URL
	Concurrency int           // connections, with one request in flight each
	Duration    time.Duration // of the measured part
	Pack        string
	Drop        bool // every player opens once, all concurrently; sold out is a valid response
	Sealed      bool // the pack is sealed: opens are orders, which must be drawn before Verify

	// Around runs each measured part and may observe the server before and after it. May be nil.
	Around func(part func() error) error

	// Progress is called with the current activity and its progress. May be nil.
	Progress func(what string, done, total int64)
}

// Players are signed-in wallets. They can play several times, also after a server restart.
type Players []*player

// Run signs in new players, lets them open packs, and verifies the results.
func Run(ctx context.Context, users int, o Options) (*Report, error) {
	players, err := NewPlayers(ctx, users, o)
	if err != nil {
		return nil, err
	}
	report, err := players.Play(ctx, o)
	if err != nil {
		return report, err
	}
	report.Verified, err = players.Verify(ctx, o)
	return report, err
}

// RunTrade signs in new players, lets them open packs and trade, and verifies the results.
func RunTrade(ctx context.Context, users int, o Options) (*Report, error) {
	players, err := NewPlayers(ctx, users, o)
	if err != nil {
		return nil, err
	}
	report, err := players.Trade(ctx, o)
	if err != nil {
		return report, err
	}
	_, err = players.Verify(ctx, o)
	return report, err
}

// NewPlayers signs in and funds new wallets, o.Concurrency at a time.
func NewPlayers(ctx context.Context, users int, o Options) (Players, error) {
	players := make(Players, users)
	var ready atomic.Int64
	err := o.each(ctx, users, func(c *connection, n int) (err error) {
		players[n], err = newPlayer(ctx, c)
		o.progress("signing in", ready.Add(1), int64(users))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("prepare the players: %w", err)
	}
	return players, nil
}

// Sessions returns the players' session cookies for use by another client. Afterwards the players
// don't know their accounts anymore: only Fund may be called.
func (p Players) Sessions() []string {
	cookies := make([]string, len(p))
	for n, player := range p {
		cookies[n] = player.cookie
	}
	return cookies
}

// Fund deposits the maximum amount of one deposit for each player.
func (p Players) Fund(ctx context.Context, o Options) error {
	return o.each(ctx, len(p), func(c *connection, n int) (err error) {
		p[n].balance, err = p[n].deposit(ctx, c)
		return err
	})
}

// Play lets every worker open packs with its own players in turn until o.Duration is over or ctx is
// canceled, or once per player in a drop. It checks each response against the player's account.
func (p Players) Play(ctx context.Context, o Options) (*Report, error) {
	if len(p) < o.Concurrency {
		return nil, errors.New("there must be at least as many users as connections")
	}
	price, err := o.price(ctx)
	if err != nil {
		return nil, err
	}
	r := &round{Options: o, players: p, price: price, tallies: make([]tally, o.Concurrency), begun: time.Now()}
	took, err := o.measure(func(c *connection, w int) error { return r.work(ctx, c, w) })
	report := r.report(took)
	report.Opens = report.Statuses[http.StatusOK]
	return report, err
}

// Verify checks every receipt, repeats every draw using public data, and compares the server's
// account of each player with the expected one. It returns the number of receipts. A pack with
// limited cards must not have been opened by anyone else, and in one Play only.
func (p Players) Verify(ctx context.Context, o Options) (verified int, err error) {
	ctx = context.WithoutCancel(ctx) // also verify what was played before a cancellation
	receipts, err := verify.NewReceiptChecker(ctx, o.Nodes[0].String())
	if err != nil {
		return 0, err
	}
	all := 0
	for _, player := range p {
		all += len(player.opens)
	}
	if err := p.checkDraws(ctx, o); err != nil {
		return 0, err
	}
	for _, player := range p {
		for _, open := range player.opens {
			if open.State == "sealed" {
				continue // checkDraws has checked it
			}
			if err := open.check(receipts); err != nil {
				return verified, fmt.Errorf("open %s: %w", open.OpenID, err)
			}
			verified++
			o.progress("verifying", int64(verified), int64(all))
		}
		player.opens = nil
	}
	if err := receipts.CheckLimited(); err != nil {
		return verified, err
	}
	return verified, o.each(ctx, len(p), func(c *connection, n int) error { return p[n].checkAccount(ctx, c) })
}

// checkDraws checks that every order was drawn.
func (p Players) checkDraws(ctx context.Context, o Options) error {
	return o.each(ctx, len(p), func(c *connection, n int) error {
		for _, order := range p[n].opens {
			if order.State != "sealed" {
				continue
			}
			var drawn openResponse
			if err := p[n].get(ctx, c, "/api/opens/"+order.OpenID, &drawn); err != nil {
				return err
			}
			if drawn.State != "open" || len(drawn.Items) == 0 || drawn.Commitment != order.Commitment || drawn.PriceCents != order.PriceCents {
				return fmt.Errorf("order %s: %+v, want it drawn", order.OpenID, drawn)
			}
		}
		return nil
	})
}

// round is the state of one Play or Trade.
type round struct {
	Options
	players Players
	price   int64
	tallies []tally
	begun   time.Time
}

func (r *round) work(ctx context.Context, c *connection, w int) error {
	var t tally
	defer func() {
		t.busy = c.busy
		r.tallies[w] = t
	}()
	for n := w; ctx.Err() == nil; n += r.Concurrency {
		if n >= len(r.players) && !r.Drop {
			n = w
		}
		gone := time.Since(r.begun)
		if n >= len(r.players) || gone >= r.Duration && !r.Drop {
			break
		}
		if w == 0 && !r.Drop {
			r.progress("opening (seconds)", int64(gone.Seconds()), int64(r.Duration.Seconds()))
		}
		if err := r.players[n].open(ctx, c, r, &t); err != nil {
			return err
		}
	}
	return nil
}

func (o Options) progress(what string, done, total int64) {
	if o.Progress != nil {
		o.Progress(what, done, total)
	}
}

// price returns the pack's price in cents.
func (o Options) price(ctx context.Context) (int64, error) {
	c := &connection{node: o.Nodes[0]}
	defer c.close()
	var pack struct{ PriceCents int64 }
	_, err := c.want(ctx, request{method: http.MethodGet, path: "/api/packs/" + o.Pack}, &pack)
	return pack.PriceCents, err
}

// listingRate returns the fee rate of listings.
func (o Options) listingRate(ctx context.Context) (money.BasisPoints, error) {
	c := &connection{node: o.Nodes[0]}
	defer c.close()
	var inForce struct{ Listing money.BasisPoints }
	_, err := c.want(ctx, request{method: http.MethodGet, path: "/api/rates"}, &inForce)
	return inForce.Listing, err
}

// measure runs the workers and returns how long they took.
func (o Options) measure(work func(c *connection, w int) error) (took time.Duration, err error) {
	part := func() error {
		begun := time.Now()
		defer func() { took = time.Since(begun) }()
		return o.workers(work)
	}
	if o.Around == nil {
		err = part()
	} else {
		err = o.Around(part)
	}
	return took, err
}

// workers runs o.Concurrency workers in parallel, each with its own connection.
func (o Options) workers(work func(c *connection, w int) error) error {
	var group sync.WaitGroup
	failures := make([]error, o.Concurrency)
	for w := range o.Concurrency {
		group.Go(func() {
			c := &connection{node: o.Nodes[w%len(o.Nodes)]}
			defer c.close()
			failures[w] = work(c, w)
		})
	}
	group.Wait()
	return joinSame(failures)
}

// joinSame joins errors, and counts those with the same text.
func joinSame(all []error) error {
	var distinct []error
	times := map[string]int{}
	for _, err := range all {
		if err == nil {
			continue
		}
		times[err.Error()]++
		if times[err.Error()] == 1 {
			distinct = append(distinct, err)
		}
	}
	for n, err := range distinct {
		if count := times[err.Error()]; count > 1 {
			distinct[n] = fmt.Errorf("%w (on %d connections)", err, count)
		}
	}
	return errors.Join(distinct...)
}

// each calls do for every player.
func (o Options) each(ctx context.Context, players int, do func(c *connection, n int) error) error {
	return o.workers(func(c *connection, w int) error {
		for n := w; n < players; n += o.Concurrency {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := do(c, n); err != nil {
				return err
			}
		}
		return nil
	})
}
