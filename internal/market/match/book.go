package match

import (
	"errors"
	"slices"

	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/trades"
)

// Book is the order book of an item or of one entry.
type Book struct {
	Asks    []Level     // the cheapest first
	Bids    []Level     // the highest first; each can be filled now
	BestBid string      // ID of the bid that is filled first; empty without bids
	Value   money.Cents // the quote value

	LastSale money.Cents // of the item; 0 without one
	Median7  money.Cents // of the item's sales in the last 7 days
}

// Level is the total quantity at one price.
type Level struct {
	Price money.Cents
	Count int64
}

// bookDepth is the most levels shown; ordersRead is the most listings and bids read to compute
// them.
const (
	bookDepth  = 20
	ordersRead = 100
)

// ItemBook returns the order book of an item.
func ItemBook(tx *db.Tx, id string) (Book, error) {
	item, err := catalogue.Find(tx, id)
	if err != nil {
		return Book{}, err
	}
	values, err := catalogue.QuoteValues(tx, []string{item.ID})
	if err != nil {
		return Book{}, err
	}
	listed, err := inventory.CheapestForSale(tx, item.ID, ordersRead)
	if err != nil && !errors.Is(err, db.ErrNoRow) {
		return Book{}, err
	}
	return bookOf(tx, inventory.Entry{Item: item, QuoteValue: values[item.ID]}, listed)
}

// EntryBook returns the order book of one entry.
func EntryBook(tx *db.Tx, id string) (Book, error) {
	found, err := inventory.ByIDs(tx, []string{id})
	if err != nil {
		return Book{}, err
	}
	e, ok := found[id]
	if !ok || e.Ended() {
		return Book{}, errNoEntry
	}
	var listed []inventory.Entry
	if e.State == inventory.Listed {
		listed = append(listed, e)
	}
	return bookOf(tx, e, listed)
}

// bookOf returns the order book of an entry and the listings, or of its item if the entry has no
// ID.
func bookOf(tx *db.Tx, e inventory.Entry, listed []inventory.Entry) (Book, error) {
	b := Book{Value: e.QuoteValue, Asks: levels(listed, func(l inventory.Entry) (money.Cents, int64) { return l.SalePrice, 1 })}
	figures, err := trades.FiguresOf(tx, e.Item.ID)
	if err != nil {
		return b, err
	}
	b.LastSale, b.Median7 = figures.LastSale, figures.Of(7).Median
	open, err := bids.Best(tx, []bids.Query{bestBidsQuery(e, ordersRead)})
	if err != nil {
		return b, err
	}
	open = bestBids(open, e, tx.Now, ordersRead)
	if len(open) > 0 {
		b.BestBid = open[0].ID
	}
	b.Bids = levels(open, func(o bids.Bid) (money.Cents, int64) { return o.Price.For(e.QuoteValue), o.Remaining })
	return b, nil
}

// levels sums adjacent orders at the same price, keeping their order.
func levels[T any](orders []T, of func(T) (price money.Cents, count int64)) []Level {
	all := []Level{}
	for _, o := range orders {
		price, count := of(o)
		if n := len(all); n > 0 && all[n-1].Price == price {
			all[n-1].Count += count
			continue
		}
		all = append(all, Level{price, count})
	}
	return slices.Clip(all[:min(len(all), bookDepth)])
}
