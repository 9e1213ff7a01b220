package market

import (
	"context"

	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
)

type bidsInput struct {
	httpapi.Page
	State string `query:"state" enum:"open,ended"`
}

// ownBids lists the caller's bids.
func (s *Service) ownBids(ctx context.Context, in *bidsInput) (*httpapi.List[BidView], error) {
	user := httpapi.Caller(ctx).UserID
	return httpapi.Paged(ctx, s.DB.Read, in.Page, bids.NewestFirst.Select, func(tx *db.Tx, page *db.Selection[bids.Bid]) ([]BidView, error) {
		found, err := bids.ByUser(tx, user, in.State, page)
		if err != nil {
			return nil, err
		}
		return ownBidViews(tx, found)
	})
}

// ownBidViews returns the views of a user's bids, with their items, counter-offers and the higher
// bids of others.
func ownBidViews(tx *db.Tx, found []bids.Bid) ([]BidView, error) {
	items, entries, values, err := loadScopes(tx, found)
	if err != nil {
		return nil, err
	}
	scopes := make([]string, len(found))
	for i, b := range found {
		scopes[i] = b.Scope.Key()
	}
	open, err := bids.TopBids(tx, scopes, 2)
	views := make([]BidView, len(found))
	for i, b := range found {
		views[i] = bidView(b)
		e, item := entries[b.Scope.Entry], items[b.Scope.Item]
		if e.ID != "" {
			item = e.Item
		}
		if item.ID != "" {
			shown := inventory.ItemView(item)
			views[i].Item, views[i].ValueCents = &shown, values[item.ID]
		}
		if b.IsOpen(tx.Now) {
			if price, ok := match.Outbid(b, open, values[item.ID]); ok {
				views[i].OutbidCents = &price
			}
			if b.Counter.IsOpen(e, tx.Now) {
				views[i].Counter = counterView(b.Counter)
			}
		}
	}
	return views, err
}

// loadScopes loads the items and entries that bids are for, and the quote values of their items.
func loadScopes(tx *db.Tx, found []bids.Bid) (map[string]catalogue.Item, map[string]inventory.Entry, map[string]money.Cents, error) {
	var items, entries []string
	for _, b := range found {
		switch {
		case b.Scope.Entry != "":
			entries = append(entries, b.Scope.Entry)
		case b.Scope.Item != "":
			items = append(items, b.Scope.Item)
		}
	}
	byID, err := catalogue.Items(tx, items)
	if err != nil {
		return nil, nil, nil, err
	}
	owned, err := inventory.ByIDs(tx, entries)
	if err != nil {
		return nil, nil, nil, err
	}
	values, err := catalogue.QuoteValues(tx, items)
	for _, e := range owned {
		values[e.Item.ID] = e.QuoteValue
	}
	return byID, owned, values, err
}
