package market

import (
	"context"
	"errors"
	"time"

	"kaibao/internal/alerts"
	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/collection"
	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/jobs"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
	"kaibao/internal/terms"
	"kaibao/internal/trades"
)

// What acts do not cross themselves, as two came at the same instant, a value changed, or a
// bid is by a criterion, is crossed by a job that follows the market's events; so are bids
// ended that nothing can fill any more. No pair stays crossed for more than two seconds.
const (
	crossingPause = 100 * time.Millisecond
	crossingLimit = time.Minute
	crossingReads = 256 // events at a time
	endingPause   = 5 * time.Second
	endedAtOnce   = 500
	takenAtOnce   = 100 // listings by one bid, in a second
)

// Jobs cross what has crossed, and end bids that are over.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{
		{Name: "crossing", Every: crossingPause, Limit: crossingLimit, Do: s.follow},
		{Name: "ends of bids", Every: endingPause, Limit: crossingLimit, Do: func(ctx context.Context) (int64, error) {
			return 0, s.endOver(ctx)
		}},
		jobs.Forgetting(s.DB, "declined bids", bids.ForgetDeclined),
	}
}

const crossing = "crossing"

// follow looks at whatever new events are about, one transaction each: what it finds it
// looks at again under lock, so that nodes that read the same do no harm.
func (s *Service) follow(ctx context.Context) (int64, error) {
	for {
		var events []marketevents.Event
		var position int64
		err := s.DB.Peek(ctx, func(tx *db.Tx) (err error) {
			position, err = marketevents.Position(tx, crossing)
			return err
		})
		if err != nil {
			return 0, err
		}
		err = s.DB.Peek(ctx, func(tx *db.Tx) (err error) {
			events, err = marketevents.After(tx, position, crossingReads)
			return err
		})
		if err != nil || len(events) == 0 {
			return 0, err
		}
		for _, e := range events {
			if err := s.react(ctx, e); err != nil {
				return 0, err
			}
		}
		last := events[len(events)-1].Number
		err = s.DB.InTx(ctx, func(tx *db.Tx) error { return marketevents.Advance(tx, crossing, position, last) })
		if err != nil {
			return 0, err
		}
	}
}

func (s *Service) react(ctx context.Context, e marketevents.Event) error {
	switch e.Kind {
	case marketevents.Offered:
		return s.crossAll(ctx, []string{e.Entry})
	case marketevents.Bid:
		return s.crossBid(ctx, e.Bid)
	case marketevents.Valued:
		return s.crossItem(ctx, e.Item)
	case marketevents.Left:
		return s.endOn(ctx, e.Entry, nil)
	case marketevents.Traded:
		return s.endOn(ctx, e.Entry, ownersOwn)
	}
	return nil
}

// crossBid looks at the listings that a bid may take.
func (s *Service) crossBid(ctx context.Context, id string) error {
	var listed []string
	err := s.DB.Read(ctx, func(tx *db.Tx) error {
		b, err := bids.Find(tx, id)
		if err != nil || !b.Stands(tx.Now) {
			return ignoreNone(err)
		}
		listed, err = listedFor(tx, b, takenAtOnce)
		return err
	})
	if err != nil {
		return err
	}
	return s.crossAll(ctx, listed)
}

// listedFor lists what is for sale for no more than a bid pays: by a criterion the lowest
// price of its value first, else the lowest price.
func listedFor(tx *db.Tx, b bids.Bid, most int) ([]string, error) {
	return collection.ListedFor(tx, collection.Wanted{
		Entry: b.Scope.Entry, Item: b.Scope.Item, Series: b.Scope.Series, Grader: b.Scope.Grader, Rarity: b.Scope.Rarity, MinGrade: b.Scope.MinGrade,
		Peg: b.Price.Peg, Most: b.Price.Most, Not: b.User,
	}, most)
}

// crossItem looks at all that is for sale of an item whose value has changed.
func (s *Service) crossItem(ctx context.Context, item string) error {
	var listed []string
	err := s.DB.Peek(ctx, func(tx *db.Tx) (err error) {
		listed, err = collection.CheapestIDs(tx, item, "", takenAtOnce)
		return err
	})
	if err != nil {
		return err
	}
	return s.crossAll(ctx, listed)
}

// crossAll sells each of some entries, if it is listed, to the best bid that pays as much.
func (s *Service) crossAll(ctx context.Context, entries []string) error {
	for _, id := range entries {
		if err := s.DB.InTx(ctx, func(tx *db.Tx) error { return s.cross(tx, id) }); err != nil {
			return err
		}
	}
	return nil
}

// cross sells a listed entry to the best bid that pays as much, at the price of which of
// the two was there first.
func (s *Service) cross(tx *db.Tx, id string) error {
	r, err := begin(tx, []string{id})
	if err != nil {
		return err
	}
	e, there := r.acts.Entry(id)
	if !there || e.State != collection.Listed || !s.Sandbox && e.SalePrice > terms.FarthestTrade*e.Item.BaseValue {
		return nil
	}
	wanted, err := r.matching([]string{id}, 1, func(e collection.Entry, b bids.Bid) bool { return b.Price.For(e.Item.BaseValue) >= e.SalePrice })
	if err != nil || len(wanted) == 0 {
		return err
	}
	if err := r.lock(wanted, e.Owner); err != nil {
		return err
	}
	b, price, there := r.best(e)
	if !there || price < e.SalePrice {
		return nil
	}
	sold, err := agreed(tx, e, b, price)
	if err != nil {
		return err
	}
	if _, err := r.fill(e, b, sold); err != nil {
		return err
	}
	return r.settle()
}

// agreed is the trade of a listing and a bid that have crossed: who was there first is
// paid, or pays, their own price. A pegged bid is there since the value that it goes by.
func agreed(tx *db.Tx, e collection.Entry, b bids.Bid, price money.Cents) (trades.Trade, error) {
	first := b.Place < e.ListingID
	if first && b.Price.Peg != 0 {
		since, err := catalogue.ValuedAt(tx, e.Item.ID)
		if err != nil {
			return trades.Trade{}, err
		}
		first = db.FirstID(since) < e.ListingID
	}
	if first {
		return trades.Trade{Kind: trades.Bid, Price: price, Listing: e.ListingID}, nil
	}
	return trades.Trade{Kind: trades.Listing, Price: e.SalePrice}, nil
}

// ownersOwn are the bids on an entry that are its owner's.
func ownersOwn(e collection.Entry, b bids.Bid) bool { return e.Owner == b.User }

// endOn ends bids for an entry: all of them, or those that which says.
func (s *Service) endOn(ctx context.Context, entry string, which func(collection.Entry, bids.Bid) bool) error {
	for {
		ended := 0
		err := s.DB.InTx(ctx, func(tx *db.Tx) error {
			r, err := begin(tx, []string{entry})
			if err != nil {
				return err
			}
			e, there := r.acts.Entry(entry)
			if !there {
				return nil
			}
			on, err := bidsOn(tx, e, which != nil)
			if err != nil {
				return err
			}
			ended, err = r.endAll(on, func(b bids.Bid) (bids.State, bool) { return bids.Ended, which == nil && !e.Allows(collection.FillingBid, b.User) || which != nil && which(e, b) })
			return err
		})
		if err != nil || ended < endedAtOnce {
			return err
		}
	}
}

// bidsOn are the open bids for an entry, some at a time, or that of its owner.
func bidsOn(tx *db.Tx, e collection.Entry, own bool) ([]string, error) {
	if !own {
		return bids.On(tx, e.ID, endedAtOnce)
	}
	b, err := bids.OfUser(tx, e.Owner, bids.Scope{Entry: e.ID})
	if err != nil {
		return nil, ignoreNone(err)
	}
	return []string{b.ID}, nil
}

// endOver ends bids whose time is over.
func (s *Service) endOver(ctx context.Context) error {
	for {
		ended := 0
		err := s.DB.InTx(ctx, func(tx *db.Tx) error {
			over, err := bids.Over(tx, endedAtOnce)
			if err != nil {
				return err
			}
			ended, err = newRound(tx, nil).endAll(over, func(b bids.Bid) (bids.State, bool) { return bids.Expired, !b.Stands(tx.Now) })
			return err
		})
		if err != nil || ended < endedAtOnce {
			return s.warn(ctx, err)
		}
	}
}

// endAll ends those of some bids that, under lock, are to end, and tells their users.
func (r *round) endAll(some []string, how func(bids.Bid) (as bids.State, over bool)) (ended int, err error) {
	if err := r.lock(some); err != nil {
		return 0, err
	}
	for _, b := range r.open() {
		as, over := how(b)
		if b.State != bids.Open || !over {
			continue
		}
		if err := r.end(b, as); err != nil {
			return 0, err
		}
		r.alerts = append(r.alerts, about(b, alerts.Ended))
		ended++
	}
	return ended, r.settle()
}

// about is an alert about a bid.
func about(b bids.Bid, kind alerts.Kind) alerts.Alert {
	return alerts.Alert{User: b.User, Kind: kind, Item: b.Scope.Item, Entry: b.Scope.Entry, Bid: b.ID, Price: b.Price.Most}
}

// warn tells users of bids that end soon, each once.
func (s *Service) warn(ctx context.Context, err error) error {
	if err != nil {
		return err
	}
	return s.DB.InTx(ctx, func(tx *db.Tx) error {
		soon, err := bids.Warn(tx, tx.Now.Add(terms.WarnedBefore), endedAtOnce)
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
	if errors.Is(err, db.ErrNoRow) || fault.IsCode(err, fault.NotFound) {
		return nil
	}
	return err
}
