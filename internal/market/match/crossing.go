package match

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/jobs"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
)

// The job "crossing" matches orders that no request matched: orders placed at the same moment, orders
// that cross after a value changed, and bids by criterion. It also ends bids that can't be filled any
// more. Orders stay crossed for at most two seconds.
const (
	crossingInterval = 100 * time.Millisecond
	crossingTimeout  = time.Minute
	eventsPerRead    = 64
	maxFailures      = 5 // attempts at the same events before they are skipped
	expiryInterval   = time.Second
	endedPerTx       = 500
	listingsPerRead  = 100
)

// crosser is the background work of the order book.
type crosser struct {
	*Service
	db          *db.DB
	failures    failures
	risenBefore time.Time // rises in quote value up to this time have been crossed
}

// Jobs returns the jobs that match crossed orders, end expired bids and prune declined bids.
// endExpired and endUnfillable are in end_bids.go.
func (s *Service) Jobs(d *db.DB) []jobs.Job {
	c := &crosser{Service: s, db: d}
	return []jobs.Job{
		{Name: "crossing", Every: crossingInterval, Limit: crossingTimeout, Do: c.followEvents},
		{Name: "raised values", Every: crossingInterval, Limit: crossingTimeout, Do: c.crossRisen},
		{Name: "expired bids", Every: expiryInterval, Limit: crossingTimeout, Do: c.endExpired},
		jobs.Pruning(d, "declined bids", bids.DeleteOldDeclined),
	}
}

// positionName is the name under which crossing stores its position in the market events.
const positionName = "crossing"

// followEvents handles new market events. Each match is checked again under lock, so several nodes
// may safely read the same events.
func (c *crosser) followEvents(ctx context.Context) (int64, error) {
	for {
		events, position, err := c.nextEvents(ctx)
		if err != nil || len(events) == 0 {
			return 0, err
		}
		failed := c.handle(ctx, events)
		if failed != nil && !c.failures.add(position) {
			return 0, failed
		}
		last := events[len(events)-1].Number
		err = c.db.InTx(ctx, func(tx *db.Tx) error { return marketevents.Advance(tx, positionName, position, last) })
		if err := errors.Join(failed, err); err != nil {
			return 0, err
		}
	}
}

// failures counts how often the events after a position failed. After maxFailures attempts they
// are skipped, so that they don't block all later events.
type failures struct {
	position int64
	count    int
}

// add counts a failure and reports whether it was the last attempt.
func (f *failures) add(position int64) bool {
	if f.position != position {
		*f = failures{position: position}
	}
	f.count++
	return f.count >= maxFailures
}

// nextEvents returns the next events and the position they were read from.
func (c *crosser) nextEvents(ctx context.Context) (events []marketevents.Event, position int64, err error) {
	err = c.db.Read(ctx, func(tx *db.Tx) error {
		position, err = marketevents.Position(tx, positionName)
		if err != nil {
			return err
		}
		events, err = marketevents.After(tx, position, eventsPerRead)
		return err
	})
	return events, position, err
}

// handle ends bids on entries that left or were sold, then crosses new listings, bids and raised
// values.
func (c *crosser) handle(ctx context.Context, events []marketevents.Event) error {
	var offeredEntries, leftEntries, tradedEntries, bidIDs, valuedItems []string
	for _, e := range events {
		switch e.Kind {
		case marketevents.Bid:
			bidIDs = append(bidIDs, e.Bid)
		case marketevents.Valued:
			valuedItems = append(valuedItems, e.Item)
		case marketevents.Offered:
			offeredEntries = append(offeredEntries, e.Entry)
		case marketevents.LeftMarket:
			leftEntries = append(leftEntries, e.Entry)
		case marketevents.Traded:
			tradedEntries = append(tradedEntries, e.Entry)
		}
	}
	if err := c.endUnfillable(ctx, leftEntries, tradedEntries); err != nil {
		return err
	}
	if _, err := c.crossEntries(ctx, offeredEntries); err != nil {
		return err
	}
	for _, id := range sortedSet(bidIDs) {
		if err := c.crossBid(ctx, id); err != nil {
			return err
		}
	}
	for _, item := range sortedSet(valuedItems) {
		if err := c.crossItem(ctx, item); err != nil {
			return err
		}
	}
	return nil
}

// crossBid crosses the listings that a bid can buy.
func (c *crosser) crossBid(ctx context.Context, id string) error {
	return c.crossListings(ctx, func(tx *db.Tx, limit int) ([]string, error) {
		b, err := bids.Find(tx, id)
		if errors.Is(err, db.ErrNoRow) || apperr.IsCode(err, apperr.NotFound) || err == nil && !b.IsOpen(tx.Now) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if b.Scope.Item != "" && b.Price.Peg != 0 {
			values, err := catalogue.QuoteValues(tx, []string{b.Scope.Item})
			if err != nil {
				return nil, err
			}
			b.Price.Max = b.Price.For(values[b.Scope.Item])
		}
		return listingsFor(tx, b, limit)
	})
}

// crossItem crosses the listings of an item whose value has changed. Bids for the item buy the
// cheapest listings first; pegged bids for a single entry may now cross at any price.
func (c *crosser) crossItem(ctx context.Context, item string) error {
	err := c.crossListings(ctx, func(tx *db.Tx, limit int) ([]string, error) {
		highest, err := highestBid(tx, item)
		if err != nil {
			return nil, err
		}
		return inventory.CheapestUpTo(tx, item, "", highest, limit)
	})
	if err != nil {
		return err
	}
	var entries []string
	err = c.db.Read(ctx, func(tx *db.Tx) (err error) {
		entries, err = bids.EntriesWithPeggedBids(tx, item)
		return err
	})
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(entries, listingsPerRead) {
		if _, err := c.crossEntries(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}

// highestBid returns the price of the best bid for any copy of an item, 0 if there is none.
func highestBid(tx *db.Tx, item string) (money.Cents, error) {
	items, err := catalogue.Items(tx, []string{item})
	if err != nil {
		return 0, err
	}
	values, err := catalogue.QuoteValues(tx, []string{item})
	if err != nil {
		return 0, err
	}
	anyCopy := inventory.Entry{Item: items[item], QuoteValue: values[item]}
	found, err := bids.Best(tx, []bids.Query{bestBidsQuery(anyCopy, 1)})
	for _, b := range bestBids(found, anyCopy, tx.Now, 1) {
		return b.Price.For(anyCopy.QuoteValue), err
	}
	return 0, err
}

// risenBeforeSetting names the setting that stores crosser.risenBefore in microseconds.
const risenBeforeSetting = "rising values crossed until"

// crossRisen crosses items whose raised value has begun to count. It polls because no event marks
// that moment.
func (c *crosser) crossRisen(ctx context.Context) (int64, error) {
	now := c.db.Now()
	var items []string
	err := c.db.Read(ctx, func(tx *db.Tx) (err error) {
		if c.risenBefore.IsZero() {
			stored, err := db.Setting(tx, risenBeforeSetting)
			if err != nil {
				return err
			}
			micros, _ := strconv.ParseInt(stored, 10, 64) // 0 at the first start
			c.risenBefore = db.Time(micros)
		}
		items, err = catalogue.RaisesTakingEffect(tx, c.risenBefore, now)
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, item := range items {
		if err := c.crossItem(ctx, item); err != nil {
			return 0, err
		}
	}
	if len(items) > 0 {
		err = c.db.InTx(ctx, func(tx *db.Tx) error {
			return db.SetSetting(tx, risenBeforeSetting, strconv.FormatInt(db.Micros(now), 10))
		})
	}
	if err == nil {
		c.risenBefore = now
	}
	return 0, err
}

// crossListings crosses the entries that find returns, until it returns no others. It remembers
// those that couldn't be sold, for example at a price too far above the value, so that it neither
// tries them forever nor stops before the entries after them.
func (c *crosser) crossListings(ctx context.Context, find func(tx *db.Tx, limit int) ([]string, error)) error {
	unsold := map[string]bool{}
	for {
		var entries []string
		limit := len(unsold) + listingsPerRead
		err := c.db.Read(ctx, func(tx *db.Tx) (err error) {
			entries, err = find(tx, limit)
			return err
		})
		if err != nil {
			return err
		}
		isLast := len(entries) < limit
		entries = slices.DeleteFunc(entries, func(id string) bool { return unsold[id] })
		sold, err := c.crossEntries(ctx, entries)
		if err != nil || isLast {
			return err
		}
		for _, id := range entries {
			if !sold[id] {
				unsold[id] = true
			}
		}
	}
}

// crossEntries sells the entries that are listed at or below a bid. It returns those it sold.
func (c *crosser) crossEntries(ctx context.Context, entries []string) (sold map[string]bool, err error) {
	if c.Closed {
		return nil, nil
	}
	var crossed []string
	err = c.db.Read(ctx, func(tx *db.Tx) (err error) {
		crossed, err = crossedEntries(tx, entries)
		return err
	})
	sold = map[string]bool{}
	for _, id := range crossed {
		if err := c.db.InTx(ctx, func(tx *db.Tx) (err error) {
			sold[id], err = c.cross(tx, id)
			return err
		}); err != nil {
			return sold, err
		}
	}
	return sold, err
}

// crossedEntries returns the entries that are listed at or below a bid, sorted.
func crossedEntries(tx *db.Tx, entries []string) (crossed []string, err error) {
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
	open, err := bids.TopBids(tx, keys, spareBids)
	for _, e := range found {
		for _, b := range bestBids(open, e, tx.Now, 1) {
			if e.State == inventory.Listed && b.Price.For(e.QuoteValue) >= e.SalePrice {
				crossed = append(crossed, e.ID)
			}
		}
	}
	slices.Sort(crossed)
	return crossed, err
}
