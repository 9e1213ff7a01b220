package market

import (
	"context"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
)

// Book is the order book of an item or of one entry.
type Book struct {
	Asks           []Level      `json:"asks" nullable:"false" doc:"Cheapest first."`
	Bids           []Level      `json:"bids" nullable:"false" doc:"Highest first. Each can be filled now."`
	LowestAskCents *money.Cents `json:"floorCents,omitempty" doc:"Lowest asking price."`
	ValueCents     money.Cents  `json:"valueCents" doc:"Value for pegged bids and price limits. Raised values take effect later."`
	BestBidID      *string      `json:"bestBidId,omitempty" doc:"The bid that would be filled first."`

	LastSaleCents money.Cents `json:"lastSaleCents,omitempty" doc:"Price of the item's last counted sale; absent without one."`
	Median7Cents  money.Cents `json:"median7Cents,omitempty" doc:"Median price of the counted sales of the last 7 days."`
}

// Level is the total quantity at one price.
type Level struct {
	PriceCents money.Cents `json:"priceCents"`
	Count      int64       `json:"count"`
}

func (s *Service) bookRoutes(api *httpapi.API) {
	httpcache.Shared(api, httpapi.Get(httpapi.Public, "/api/items/{id}/book", "get-item-book", "Order book of an item"), s.book(match.ItemBook))
	httpcache.Shared(api, httpapi.Get(httpapi.Public, "/api/inventory/{id}/book", "get-entry-book", "Order book of an entry"), s.book(match.EntryBook))
}

// book returns the handler that reads the book of an item or of an entry.
func (s *Service) book(read func(tx *db.Tx, id string) (match.Book, error)) func(context.Context, *itemInput) (Book, error) {
	return func(ctx context.Context, in *itemInput) (view Book, err error) {
		err = s.DB.Read(ctx, func(tx *db.Tx) error {
			b, err := read(tx, string(in.ID))
			view = bookView(b)
			return err
		})
		return view, err
	}
}

func bookView(b match.Book) Book {
	view := Book{Asks: levelViews(b.Asks), Bids: levelViews(b.Bids), ValueCents: b.Value, LastSaleCents: b.LastSale, Median7Cents: b.Median7}
	if len(b.Asks) > 0 {
		view.LowestAskCents = &b.Asks[0].Price
	}
	if b.BestBid != "" {
		view.BestBidID = &b.BestBid
	}
	return view
}

func levelViews(levels []match.Level) []Level {
	views := make([]Level, len(levels))
	for i, l := range levels {
		views[i] = Level{PriceCents: l.Price, Count: l.Count}
	}
	return views
}
