package market

import (
	"context"
	"errors"
	"slices"

	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/trades"
)

// Book is the order book of an item or of one entry.
type Book struct {
	Asks       []Level      `json:"asks" nullable:"false" doc:"The cheapest first."`
	Bids       []Level      `json:"bids" nullable:"false" doc:"The highest first; each can be filled now."`
	FloorCents *money.Cents `json:"floorCents,omitempty" doc:"What the cheapest one for sale costs."`
	ValueCents money.Cents  `json:"valueCents" doc:"The quote value: pegged bids and price limits use it. A raised value counts later."`
	BestBidID  *string      `json:"bestBidId,omitempty" doc:"The bid that is filled first."`

	LastSaleCents money.Cents `json:"lastSaleCents,omitempty" doc:"Of the item's last sale that counts; absent without one."`
	Median7Cents  money.Cents `json:"median7Cents,omitempty" doc:"Of those of the last 7 days."`
}

// Level is the total quantity at one price.
type Level struct {
	PriceCents money.Cents `json:"priceCents"`
	Count      int64       `json:"count"`
}

// depth is the most levels shown; addedInto is the most listings and bids read to compute them.
const (
	depth     = 20
	addedInto = 100
)

func (s *Service) bookRoutes(k *httpkit.Kit) {
	httpkit.Shared(k, httpkit.Get(httpkit.Public, "/api/items/{id}/book", "get-item-book", "What is asked and bid for an item"),
		func(ctx context.Context, in *itemInput) (b Book, err error) {
			err = s.DB.Read(ctx, func(tx *db.Tx) error {
				item, err := catalogue.Find(tx, string(in.ID))
				if err != nil {
					return err
				}
				values, err := catalogue.QuoteValues(tx, []string{item.ID})
				if err != nil {
					return err
				}
				b, err = bookOf(tx, inventory.Entry{Item: item, QuoteValue: values[item.ID]})
				return err
			})
			return b, err
		})
	httpkit.Shared(k, httpkit.Get(httpkit.Public, "/api/inventory/{id}/book", "get-entry-book", "What is asked and bid for one entry"),
		func(ctx context.Context, in *itemInput) (b Book, err error) {
			err = s.DB.Read(ctx, func(tx *db.Tx) error {
				found, err := inventory.ByIDs(tx, []string{string(in.ID)})
				if err != nil {
					return err
				}
				e, ok := found[string(in.ID)]
				if !ok || e.Ended() {
					return errNoEntry
				}
				b, err = bookOf(tx, e)
				return err
			})
			return b, err
		})
}

// bookOf returns the order book of an entry, or of its item if the entry has no ID.
func bookOf(tx *db.Tx, e inventory.Entry) (b Book, err error) {
	b.ValueCents = e.QuoteValue
	b.Asks, err = asks(tx, e)
	if err != nil {
		return b, err
	}
	if len(b.Asks) > 0 {
		b.FloorCents = &b.Asks[0].PriceCents
	}
	figures, err := trades.FiguresOf(tx, e.Item.ID)
	if err != nil {
		return b, err
	}
	b.LastSaleCents, b.Median7Cents = figures.LastSale, figures.Of(7).Median
	open, err := bids.Best(tx, []bids.Query{queryFor(e, addedInto)})
	if err != nil {
		return b, err
	}
	open = bestOf(open, e, tx, addedInto)
	if len(open) > 0 {
		b.BestBidID = &open[0].ID
	}
	b.Bids = levels(open, func(o bids.Bid) (money.Cents, int64) { return o.Price.For(e.QuoteValue), o.Remaining })
	return b, nil
}

// asks returns the ask side of the book for an item or one entry.
func asks(tx *db.Tx, e inventory.Entry) ([]Level, error) {
	if e.ID != "" {
		listed := []inventory.Entry{e}
		if e.State != inventory.Listed {
			listed = nil
		}
		return levels(listed, asked), nil
	}
	listed, err := inventory.CheapestForSale(tx, e.Item.ID, addedInto)
	if errors.Is(err, db.ErrNoRow) {
		err = nil
	}
	return levels(listed, asked), err
}

func asked(e inventory.Entry) (money.Cents, int64) { return e.SalePrice, 1 }

// levels sums adjacent orders at the same price, keeping their order.
func levels[T any](some []T, at func(T) (money.Cents, int64)) []Level {
	all := []Level{}
	for _, one := range some {
		price, count := at(one)
		if n := len(all); n > 0 && all[n-1].PriceCents == price {
			all[n-1].Count += count
			continue
		}
		all = append(all, Level{price, count})
	}
	return slices.Clip(all[:min(len(all), depth)])
}

type lowestInput struct {
	ID httpkit.PathID `path:"id"`
	httpkit.Idempotent
	Body struct {
		LowestBidCents *money.Cents `json:"lowestBidCents" nullable:"true" minimum:"1" maximum:"100000000" doc:"Bids on the entry below it are declined, unseen; null declines none."`
	}
}

// setLowest sets the owner's minimum bid for an entry.
func setLowest(tx *db.Tx, caller httpkit.Principal, in *lowestInput) (inventory.EntryView, error) {
	e, err := inventory.LockOwn(tx, caller.UserID, string(in.ID))
	if errors.Is(err, db.ErrNoRow) {
		err = errNoEntry
	}
	if err != nil {
		return inventory.EntryView{}, err
	}
	e.LowestBid = 0
	if asked := in.Body.LowestBidCents; asked != nil {
		if err := checkPrice("lowestBidCents", *asked); err != nil {
			return inventory.EntryView{}, err
		}
		e.LowestBid = *asked
	}
	return e.View(tx.Now), inventory.SetLowestBid(tx, e.ID, e.LowestBid)
}
