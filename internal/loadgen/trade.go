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
	// hoard is the number of entries that each player trades.
	hoard = 20
	// wantedTwice: two players try to buy every wantedTwice-th listing.
	wantedTwice = 8
)

// held is an entry that a player trades.
type held struct {
	id     string
	bought int64 // price paid; 0 = pulled
}

// offer is a player's listing.
type offer struct {
	seller int
	held
	price int64
	rate  money.BasisPoints
}

// wish is an attempt to buy a listing, and its result.
type wish struct {
	*offer
	won     bool
	balance int64 // balance afterwards, from the response
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
	proved := 0
	for n := 0; took < o.Duration; n++ {
		sold, more, err := r.trade(ctx, n)
		proved, took = proved+sold, took+more
		if err != nil {
			return r.traded(took, proved), err
		}
		o.progress("trading (seconds)", int64(took.Seconds()), int64(o.Duration.Seconds()))
	}
	return r.traded(took, proved), nil
}

func (r *round) traded(took time.Duration, proved int) *Report {
	report := r.report(took)
	report.Trades, report.Verified = report.Statuses[http.StatusOK], proved
	return report
}

// trade runs one round. It returns the number of listings sold and the time that took.
func (r *round) trade(ctx context.Context, n int) (sold int, took time.Duration, err error) {
	offers, err := r.players.offer(ctx, r.Options)
	if err != nil {
		return 0, 0, fmt.Errorf("offer: %w", err)
	}
	wishes := r.players.share(offers, n)
	if err := r.players.afford(ctx, r.Options, wishes); err != nil {
		return 0, 0, err
	}
	took, err = r.measure(func(c *connection, w int) error { return r.buy(ctx, c, w, wishes) })
	if err == nil {
		err = r.players.prove(ctx, r.Options, offers, wishes)
	}
	return len(offers), took, err
}

// offer lists the players' entries after opening enough packs.
func (p Players) offer(ctx context.Context, o Options) ([]*offer, error) {
	price, err := o.price(ctx)
	if err != nil {
		return nil, err
	}
	rate, err := o.listingRate(ctx)
	if err != nil {
		return nil, err
	}
	opening := &round{Options: o, price: price}
	offered := make([][]*offer, len(p))
	var ready atomic.Int64
	err = o.each(ctx, len(p), func(c *connection, n int) (err error) {
		if err := p[n].gather(ctx, c, opening); err != nil {
			return err
		}
		offered[n], err = p[n].list(ctx, c, n)
		o.progress("listing", ready.Add(1), int64(len(p)))
		return err
	})
	var all []*offer
	for k := range hoard {
		for _, of := range offered {
			if k < len(of) {
				of[k].rate = rate
				all = append(all, of[k])
			}
		}
	}
	return all, err
}

// gather opens packs until the player has enough entries to trade.
func (p *player) gather(ctx context.Context, c *connection, opening *round) error {
	for len(p.trades) < hoard {
		if err := p.open(ctx, c, opening, &tally{}); err != nil {
			return err
		}
		for _, item := range p.opens[len(p.opens)-1].Items {
			p.trades = append(p.trades, held{id: item.InventoryID})
		}
	}
	return nil
}

// list lists hoard of the player's entries, at prices with various fees.
func (p *player) list(ctx context.Context, c *connection, n int) ([]*offer, error) {
	offers := make([]*offer, hoard)
	for k := range offers {
		of := &offer{seller: n, held: p.trades[k], price: int64(1 + (n*hoard+k)*37%1999)}
		var listed struct {
			ID             string
			State          string
			SalePriceCents int64
		}
		if _, err := p.post(ctx, c, "/api/marketplace/list", map[string]any{"inventoryId": of.id, "priceCents": of.price, "confirmedCents": of.price}, &listed); err != nil {
			return nil, err
		}
		if listed.ID != of.id || listed.State != "listed" || listed.SalePriceCents != of.price {
			return nil, fmt.Errorf("listed %s for %d: answered %+v", of.id, of.price, listed)
		}
		offers[k] = of
	}
	p.trades = p.trades[hoard:]
	return offers, nil
}

// share distributes the offers among buyers, with different sellers for each player in each round.
func (p Players) share(offers []*offer, n int) [][]*wish {
	wishes := make([][]*wish, len(p))
	others := len(p) - 1
	for k, of := range offers {
		to := func(more int) int { return (of.seller + 1 + (k/len(p)+n+more)%others) % len(p) }
		wishes[to(0)] = append(wishes[to(0)], &wish{offer: of})
		if k%wantedTwice == 0 {
			wishes[to(1)] = append(wishes[to(1)], &wish{offer: of})
		}
	}
	return wishes
}

// afford funds players who can't pay for all their wishes.
func (p Players) afford(ctx context.Context, o Options, wishes [][]*wish) error {
	return o.each(ctx, len(p), func(c *connection, n int) error {
		var cost int64
		for _, w := range wishes[n] {
			cost += w.price
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
func (r *round) buy(ctx context.Context, c *connection, w int, wishes [][]*wish) error {
	t := &r.tallies[w]
	defer func() { t.busy += c.busy }()
	for k, more := 0, true; more; k++ {
		more = false
		for n := w; n < len(r.players); n += r.Concurrency {
			if k >= len(wishes[n]) {
				continue
			}
			more = true
			if err := r.players[n].buy(ctx, c, wishes[n][k], t); err != nil {
				return err
			}
		}
	}
	return nil
}

// buy tries to buy a listing and records the response.
func (p *player) buy(ctx context.Context, c *connection, w *wish, t *tally) error {
	asked := p.act("/api/marketplace/buy", `{"inventoryId":"`+w.id+`","expectedPriceCents":`+strconv.FormatInt(w.price, 10)+`}`)
	start := time.Now()
	a, err := c.send(ctx, asked)
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
	case a.status != http.StatusOK || response.InventoryID != w.id || response.PriceCents != w.price || response.FeeCents != w.fee():
		return fmt.Errorf("bought %s for %d: %d %s", w.id, w.price, a.status, a.body)
	}
	w.won, w.balance = true, response.BalanceCents
	return nil
}

func (o *offer) fee() int64 { return int64(money.Cents(o.price).RoundedPart(o.rate)) }
