package market

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"kaibao/internal/alerts"
	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/jobs"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/rates"
	"kaibao/internal/trades"
)

// A background job that follows market events crosses orders that the request itself didn't: two
// orders placed at the same instant, a changed value, or a bid by criterion. It also ends bids that
// can't be filled any more. No pair of orders stays crossed for more than two seconds.
const (
	crossingPause = 100 * time.Millisecond
	crossingLimit = time.Minute
	crossingReads = 64 // events per read
	mostFailures  = 5  // attempts at the same events before they are skipped
	endingPause   = time.Second
	endedAtOnce   = 500
	takenAtOnce   = 100 // listings per bid per pass
)

// Jobs returns the jobs that match crossed orders, end expired bids and prune declined bids.
func (s *Service) Jobs(d *db.DB) []jobs.Job {
	return []jobs.Job{
		{Name: "crossing", Every: crossingPause, Limit: crossingLimit, Do: s.follow},
		{Name: "rising values", Every: crossingPause, Limit: crossingLimit, Do: s.crossRisen},
		{Name: "ends of bids", Every: endingPause, Limit: crossingLimit, Do: func(ctx context.Context) (int64, error) {
			return 0, s.endOver(ctx)
		}},
		jobs.Pruning(d, "declined bids", bids.DeleteOldDeclined),
	}
}

const crossing = "crossing"

// follow handles new market events. Each match is checked again under lock, so several nodes may
// safely read the same events.
func (s *Service) follow(ctx context.Context) (int64, error) {
	for {
		events, position, err := s.news(ctx)
		if err != nil || len(events) == 0 {
			return 0, err
		}
		failed := s.react(ctx, events)
		if failed != nil && !s.stuck.often(position) {
			return 0, failed
		}
		last := events[len(events)-1].Number
		err = s.DB.InTx(ctx, func(tx *db.Tx) error { return marketevents.Advance(tx, crossing, position, last) })
		if err := errors.Join(failed, err); err != nil {
			return 0, err
		}
	}
}

// stuck counts how often the events after a position failed. After mostFailures attempts they are
// skipped, so that they don't block all later events.
type stuck struct {
	position int64
	times    int
}

func (s *stuck) often(position int64) bool {
	if s.position != position {
		*s = stuck{position: position}
	}
	s.times++
	return s.times >= mostFailures
}

// news returns the next events and the position they were read from.
func (s *Service) news(ctx context.Context) (events []marketevents.Event, position int64, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error {
		position, err = marketevents.Position(tx, crossing)
		if err != nil {
			return err
		}
		events, err = marketevents.After(tx, position, crossingReads)
		return err
	})
	return events, position, err
}

// react handles a batch of events, grouped by kind.
func (s *Service) react(ctx context.Context, events []marketevents.Event) error {
	var offered, left, traded, bid, valued []string
	for _, e := range events {
		switch e.Kind {
		case marketevents.Bid:
			bid = append(bid, e.Bid)
		case marketevents.Valued:
			valued = append(valued, e.Item)
		case marketevents.Offered:
			offered = append(offered, e.Entry)
		case marketevents.Left:
			left = append(left, e.Entry)
		case marketevents.Traded:
			traded = append(traded, e.Entry)
		}
	}
	if err := s.endLost(ctx, left, traded); err != nil {
		return err
	}
	if _, err := s.crossAll(ctx, offered); err != nil {
		return err
	}
	for _, id := range once(bid) {
		if err := s.crossBid(ctx, id); err != nil {
			return err
		}
	}
	for _, item := range once(valued) {
		if err := s.crossItem(ctx, item); err != nil {
			return err
		}
	}
	return nil
}

// once returns the IDs sorted and without duplicates.
func once(ids []string) []string { return slices.Compact(slices.Sorted(slices.Values(ids))) }

// crossBid crosses the listings that a bid can take.
func (s *Service) crossBid(ctx context.Context, id string) error {
	return s.crossFound(ctx, func(tx *db.Tx) ([]string, error) {
		b, err := bids.Find(tx, id)
		if err != nil || !b.Stands(tx.Now) {
			return nil, ignoreNone(err)
		}
		return listedFor(tx, b, takenAtOnce)
	})
}

// listedFor returns the listings priced at or below the bid. For a bid by criterion, those cheapest
// relative to their value come first; otherwise the cheapest first.
func listedFor(tx *db.Tx, b bids.Bid, most int) ([]string, error) {
	switch {
	case b.Scope.Entry != "":
		return []string{b.Scope.Entry}, nil
	case b.Scope.Item != "":
		return inventory.CheapestIDs(tx, b.Scope.Item, b.User, b.Price.Most, most)
	}
	c := b.Scope.Criterion
	return inventory.ListedFor(tx, inventory.Wanted{
		Series: c.Series, Grader: c.Grader, Rarity: c.Rarity, MinGrade: c.MinGrade, Peg: b.Price.Peg, Most: b.Price.Most, Not: b.User,
	}, most)
}

// crossItem crosses the listings of an item whose value has changed. Bids for the item take the
// cheapest listings first; pegged bids for a single entry may now cross at any price.
func (s *Service) crossItem(ctx context.Context, item string) error {
	err := s.crossFound(ctx, func(tx *db.Tx) ([]string, error) {
		return inventory.CheapestIDs(tx, item, "", policy.HighestPrice, takenAtOnce)
	})
	if err != nil {
		return err
	}
	var aimed []string
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		aimed, err = bids.Aimed(tx, item)
		return err
	})
	if err != nil {
		return err
	}
	for some := range slices.Chunk(aimed, takenAtOnce) {
		if _, err := s.crossAll(ctx, some); err != nil {
			return err
		}
	}
	return nil
}

// risenUntil names the setting that stores, in microseconds, the time up to which raised values
// have been crossed.
const risenUntil = "rising values crossed until"

// crossRisen crosses items whose raised value has begun to count. It polls because no event marks
// that moment.
func (s *Service) crossRisen(ctx context.Context) (int64, error) {
	now := s.DB.Now()
	var items []string
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		if s.risen.IsZero() {
			noted, err := db.Noted(tx, risenUntil)
			if err != nil {
				return err
			}
			micros, _ := strconv.ParseInt(noted, 10, 64) // 0 at the first start
			s.risen = db.Time(micros)
		}
		items, err = catalogue.Risen(tx, s.risen, now)
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, item := range items {
		if err := s.crossItem(ctx, item); err != nil {
			return 0, err
		}
	}
	if len(items) > 0 {
		err = s.DB.InTx(ctx, func(tx *db.Tx) error { return db.Note(tx, risenUntil, strconv.FormatInt(db.Micros(now), 10)) })
	}
	if err == nil {
		s.risen = now
	}
	return 0, err
}

// crossFound crosses the entries that find lists, and repeats while a full batch of takenAtOnce
// crossed.
func (s *Service) crossFound(ctx context.Context, find func(*db.Tx) ([]string, error)) error {
	for {
		var listed []string
		err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
			listed, err = find(tx)
			return err
		})
		if err != nil {
			return err
		}
		crossed, err := s.crossAll(ctx, listed)
		if err != nil || crossed < takenAtOnce {
			return err
		}
	}
}

// crossAll sells the entries that are listed at or below a bid. It returns how many it checked
// under lock.
func (s *Service) crossAll(ctx context.Context, entries []string) (int, error) {
	var crossed []string
	if s.Closed {
		return 0, nil
	}
	err := s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		crossed, err = crossedOf(tx, entries)
		return err
	})
	for _, id := range crossed {
		if err := s.DB.InTx(ctx, func(tx *db.Tx) error { return s.cross(tx, id) }); err != nil {
			return 0, err
		}
	}
	return len(crossed), err
}

// crossedOf returns the entries that are listed at or below a bid, sorted.
func crossedOf(tx *db.Tx, entries []string) (crossed []string, err error) {
	if len(entries) == 0 {
		return nil, nil
	}
	found, err := inventory.ByIDs(tx, entries)
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, e := range found {
		if e.State == inventory.Listed {
			keys = append(keys, bids.KeysFor(e.ID, e.Item)...)
		}
	}
	open, err := bids.Candidates(tx, keys, spare)
	for _, e := range found {
		for _, b := range bestOf(open, e, tx, 1) {
			if e.State == inventory.Listed && b.Price.For(e.QuoteValue) >= e.SalePrice {
				crossed = append(crossed, e.ID)
			}
		}
	}
	slices.Sort(crossed)
	return crossed, err
}

// cross sells a listed entry to the best bid at or above its price. The order that was placed first
// sets the price.
func (s *Service) cross(tx *db.Tx, id string) error {
	r, err := begin(tx, []string{id})
	if err != nil {
		return err
	}
	e, ok := r.acts.Entry(id)
	if !ok || e.State != inventory.Listed {
		return nil
	}
	wanted, err := r.matching([]string{id}, 1, func(e inventory.Entry, b bids.Bid) bool { return b.Price.For(e.QuoteValue) >= e.SalePrice })
	if err != nil || len(wanted) == 0 {
		return err
	}
	if err := r.lock(ids(wanted), e.Owner); err != nil {
		return err
	}
	b, price, ok := r.best(e)
	if !ok || price < e.SalePrice {
		return nil
	}
	sold, err := agreed(tx, e, b, price)
	if err != nil || s.tooFar(sold.Price, e.QuoteValue) {
		return err
	}
	sold, err = r.fill(e, b, sold)
	if err != nil {
		return err
	}
	r.alertSeller(sold)
	return r.settle()
}

// agreed returns the trade for a crossed listing and bid. The order that was placed first sets the
// price. A pegged bid counts as placed no earlier than the value it uses.
func agreed(tx *db.Tx, e inventory.Entry, b bids.Bid, price money.Cents) (trades.Trade, error) {
	first := b.Place < e.ListingID
	if first && b.Price.Peg != 0 {
		since, err := catalogue.QuotedSince(tx, e.Item.ID)
		if err != nil {
			return trades.Trade{}, err
		}
		first = db.FirstID(since) < e.ListingID
	}
	if first {
		return trades.Trade{Kind: trades.Bid, Price: price}, nil
	}
	return trades.Trade{Kind: trades.Listing, Price: e.SalePrice}, nil
}

// endLost ends bids that can't be filled any more: their entry has left its owner's hands or now
// belongs to the bidder.
func (s *Service) endLost(ctx context.Context, left, traded []string) error {
	for {
		var lost []bids.Bid
		err := s.DB.Peek(ctx, func(tx *db.Tx) (err error) {
			lost, err = bids.Lost(tx, left, traded, endedAtOnce)
			return err
		})
		if err != nil || len(lost) == 0 {
			return err
		}
		if err := s.DB.InTx(ctx, func(tx *db.Tx) error { return endStillLost(tx, lost) }); err != nil {
			return err
		}
	}
}

// endStillLost locks the entries and ends the bids that are still lost. A claim canceled in the
// meantime makes its entry available again.
func endStillLost(tx *db.Tx, lost []bids.Bid) error {
	var entries []string
	for _, b := range lost {
		entries = append(entries, b.Scope.Entry)
	}
	entries = once(entries)
	if _, err := inventory.LockRows(tx, entries); err != nil {
		return err
	}
	still, err := bids.Lost(tx, entries, entries, endedAtOnce)
	if err != nil {
		return err
	}
	return newMarketTx(tx, nil, rates.QueueInForce(tx)).endAll(once(ids(still)), bids.Ended)
}

// endOver ends expired bids.
func (s *Service) endOver(ctx context.Context) error {
	for {
		var over []string
		err := s.DB.Peek(ctx, func(tx *db.Tx) (err error) {
			over, err = bids.Over(tx, endedAtOnce)
			return err
		})
		if err != nil || len(over) == 0 {
			return s.warn(ctx, err)
		}
		if err := s.DB.InTx(ctx, func(tx *db.Tx) error { return newMarketTx(tx, nil, rates.QueueInForce(tx)).endAll(over, bids.Expired) }); err != nil {
			return err
		}
	}
}

// endAll ends the bids that are still open and alerts their users.
func (r *marketTx) endAll(some []string, as bids.State) error {
	if err := r.lock(some); err != nil {
		return err
	}
	for _, b := range r.openBids() {
		if b.State != bids.Open || as == bids.Expired && b.Stands(r.tx.Now) {
			continue // already ended, or no longer expired, by a concurrent transaction
		}
		if err := r.end(b, as); err != nil {
			return err
		}
		r.alerts = append(r.alerts, about(b, alerts.Ended))
	}
	return r.settle()
}

func about(b bids.Bid, kind alerts.Kind) alerts.Alert {
	return alerts.Alert{User: b.User, Kind: kind, Item: b.Scope.Item, Entry: b.Scope.Entry, Bid: b.ID, Price: b.Price.Most}
}

// warn alerts users about bids that expire soon, once per bid.
func (s *Service) warn(ctx context.Context, err error) error {
	if err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		soon, err := bids.Warn(tx, tx.Now.Add(policy.WarnedBefore), endedAtOnce)
		told := make([]alerts.Alert, len(soon))
		for n, b := range soon {
			told[n] = about(b, alerts.Expiring)
		}
		if err != nil {
			return err
		}
		return alerts.Add(tx, told)
	})
}

func ignoreNone(err error) error {
	if errors.Is(err, db.ErrNoRow) || apperr.IsCode(err, apperr.NotFound) {
		return nil
	}
	return err
}
