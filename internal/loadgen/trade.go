package loadgen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"kaibao/internal/money"
)

const (
	// entriesPerPlayer is the number of entries that each player trades.
	entriesPerPlayer = 20
	// contestedEvery is the distance of listings that two players try to buy.
	contestedEvery = 8
)

// heldEntry is an entry that a player trades.
type heldEntry struct {
	id     string
	bought int64 // price paid; 0 = pulled
}

// listing is a player's entry on the marketplace.
type listing struct {
	seller int
	heldEntry
	price int64
	rate  money.BasisPoints
}

// purchase is an attempt to buy a listing, and its result.
type purchase struct {
	*listing
	succeeded bool
	balance   int64 // balance afterwards, from the response
}

// Trade lets players sell to each other, in rounds, until the total buying time reaches o.Duration.
// In each round they list all their entries, which isn't measured, and then buy all of them from
// each other, so everyone buys and sells concurrently. Some listings are wanted by two players: one
// must get it, and the other must keep their money. After each round, the ledger's lines and the
// entries must match the responses.
func (p Players) Trade(ctx context.Context, o Options) (*Report, error) {
	if len(p) < max(3, o.Concurrency) {
		return nil, errors.New("there must be at least as many users as connections, and 3")
	}
	r := &round{Options: o, players: p, tallies: make([]tally, o.Concurrency)}
	var took time.Duration
	verified := 0
	for n := 0; took < o.Duration; n++ {
		sold, more, err := r.trade(ctx, n)
		verified, took = verified+sold, took+more
		if err != nil {
			return r.tradeReport(took, verified), err
		}
		o.progress("trading (seconds)", int64(took.Seconds()), int64(o.Duration.Seconds()))
	}
	return r.tradeReport(took, verified), nil
}

func (r *round) tradeReport(took time.Duration, verified int) *Report {
	report := r.report(took)
	report.Trades, report.Verified = report.Statuses[http.StatusOK], verified
	return report
}

// trade runs one round. It returns the number of listings sold and the time that took.
func (r *round) trade(ctx context.Context, n int) (sold int, took time.Duration, err error) {
	listings, err := r.players.listAll(ctx, r.Options)
	if err != nil {
		return 0, 0, fmt.Errorf("list: %w", err)
	}
	purchases := r.players.assign(listings, n)
	if err := r.players.fundBuyers(ctx, r.Options, purchases); err != nil {
		return 0, 0, err
	}
	took, err = r.measure(func(c *connection, w int) error { return r.buy(ctx, c, w, purchases) })
	if err == nil {
		err = r.players.checkTrades(ctx, r.Options, listings, purchases)
	}
	return len(listings), took, err
}

// listAll lists the players' entries after opening enough packs.
func (p Players) listAll(ctx context.Context, o Options) ([]*listing, error) {
	price, err := o.price(ctx)
	if err != nil {
		return nil, err
	}
	rate, err := o.listingRate(ctx)
	if err != nil {
		return nil, err
	}
	opening := &round{Options: o, price: price}
	listed := make([][]*listing, len(p))
	var ready atomic.Int64
	err = o.each(ctx, len(p), func(c *connection, n int) (err error) {
		if err := p[n].openEnough(ctx, c, opening); err != nil {
			return err
		}
		listed[n], err = p[n].list(ctx, c, n)
		o.progress("listing", ready.Add(1), int64(len(p)))
		return err
	})
	var all []*listing
	for k := range entriesPerPlayer {
		for _, own := range listed {
			if k < len(own) {
				own[k].rate = rate
				all = append(all, own[k])
			}
		}
	}
	return all, err
}

// openEnough opens packs until the player has enough entries to trade.
func (p *player) openEnough(ctx context.Context, c *connection, opening *round) error {
	for len(p.entries) < entriesPerPlayer {
		if err := p.open(ctx, c, opening, &tally{}); err != nil {
			return err
		}
		for _, item := range p.opens[len(p.opens)-1].Items {
			p.entries = append(p.entries, heldEntry{id: item.InventoryID})
		}
	}
	return nil
}

// list lists entriesPerPlayer of the player's entries, at prices with various fees.
func (p *player) list(ctx context.Context, c *connection, n int) ([]*listing, error) {
	listings := make([]*listing, entriesPerPlayer)
	for k := range listings {
		l := &listing{seller: n, heldEntry: p.entries[k], price: int64(1 + (n*entriesPerPlayer+k)*37%1999)}
		var listed struct {
			ID             string
			State          string
			SalePriceCents int64
		}
		if _, err := p.post(ctx, c, "/api/marketplace/list", map[string]any{"inventoryId": l.id, "priceCents": l.price, "confirmedCents": l.price}, &listed); err != nil {
			return nil, err
		}
		if listed.ID != l.id || listed.State != "listed" || listed.SalePriceCents != l.price {
			return nil, fmt.Errorf("listed %s for %d: answered %+v", l.id, l.price, listed)
		}
		listings[k] = l
	}
	p.entries = p.entries[entriesPerPlayer:]
	return listings, nil
}

// assign distributes the listings among buyers, with different sellers for each player in each
// round.
func (p Players) assign(listings []*listing, n int) [][]*purchase {
	purchases := make([][]*purchase, len(p))
	others := len(p) - 1
	for k, l := range listings {
		to := func(more int) int { return (l.seller + 1 + (k/len(p)+n+more)%others) % len(p) }
		purchases[to(0)] = append(purchases[to(0)], &purchase{listing: l})
		if k%contestedEvery == 0 {
			purchases[to(1)] = append(purchases[to(1)], &purchase{listing: l})
		}
	}
	return purchases
}

// fundBuyers funds players who can't pay for all their purchases.
func (p Players) fundBuyers(ctx context.Context, o Options, purchases [][]*purchase) error {
	return o.each(ctx, len(p), func(c *connection, n int) error {
		var cost int64
		for _, attempt := range purchases[n] {
			cost += attempt.price
		}
		for p[n].balance < cost {
			if err := p[n].fund(ctx, c); err != nil {
				return err
			}
		}
		return nil
	})
}

// buy runs one worker: its players buy in turn.
func (r *round) buy(ctx context.Context, c *connection, w int, purchases [][]*purchase) error {
	t := &r.tallies[w]
	defer func() { t.busy += c.busy }()
	for k, more := 0, true; more; k++ {
		more = false
		for n := w; n < len(r.players); n += r.Concurrency {
			if k >= len(purchases[n]) {
				continue
			}
			more = true
			if err := r.players[n].buy(ctx, c, purchases[n][k], t); err != nil {
				return err
			}
		}
	}
	return nil
}

// buy tries to buy a listing and records the response.
func (p *player) buy(ctx context.Context, c *connection, attempt *purchase, t *tally) error {
	request := p.newPost("/api/marketplace/buy", `{"inventoryId":"`+attempt.id+`","expectedPriceCents":`+strconv.FormatInt(attempt.price, 10)+`}`)
	start := time.Now()
	a, err := c.send(ctx, request)
	if err != nil {
		return err
	}
	t.record(time.Since(start), a.status)
	var response struct {
		InventoryID                        string
		PriceCents, FeeCents, BalanceCents int64
		Code                               string
	}
	if err := json.Unmarshal(a.body, &response); err != nil {
		return err
	}
	switch {
	case a.status == http.StatusConflict && response.Code == "already_sold":
		return nil
	case a.status != http.StatusOK || response.InventoryID != attempt.id || response.PriceCents != attempt.price || response.FeeCents != attempt.fee():
		return fmt.Errorf("bought %s for %d: %d %s", attempt.id, attempt.price, a.status, a.body)
	}
	attempt.succeeded, attempt.balance = true, response.BalanceCents
	return nil
}

func (l *listing) fee() int64 { return int64(money.Cents(l.price).RoundedPart(l.rate)) }
