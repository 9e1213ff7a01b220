package market

import (
	"slices"

	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// ownBids returns the views of a user's bids, with their items, counter-offers and the higher bids
// of others.
func ownBids(tx *db.Tx, found []bids.Bid) ([]BidView, error) {
	items, entries, values, err := aimedAt(tx, found)
	if err != nil {
		return nil, err
	}
	scopes := make([]string, len(found))
	for n, b := range found {
		scopes[n] = b.Scope.Key()
	}
	open, err := bids.Candidates(tx, scopes, 2)
	views := make([]BidView, len(found))
	for n, b := range found {
		views[n] = view(b)
		e, item := entries[b.Scope.Entry], items[b.Scope.Item]
		if e.ID != "" {
			item = e.Item
		}
		if item.ID != "" {
			shown := inventory.ItemView(item)
			views[n].Item, views[n].ValueCents = &shown, values[item.ID]
		}
		if b.Stands(tx.Now) {
			views[n].OutbidCents = outbid(b, open, values[item.ID])
			if b.Counter.Stands(e, tx.Now) {
				views[n].Counter = counterView(b.Counter)
			}
		}
	}
	return views, err
}

// aimedAt loads the items and entries that bids are for, and the quote values of their items.
func aimedAt(tx *db.Tx, found []bids.Bid) (map[string]catalogue.Item, map[string]inventory.Entry, map[string]money.Cents, error) {
	var items, entries []string
	for _, b := range found {
		switch {
		case b.Scope.Entry != "":
			entries = append(entries, b.Scope.Entry)
		case b.Scope.Item != "":
			items = append(items, b.Scope.Item)
		}
	}
	about, err := catalogue.Items(tx, items)
	if err != nil {
		return nil, nil, nil, err
	}
	lots, err := inventory.ByIDs(tx, entries)
	if err != nil {
		return nil, nil, nil, err
	}
	values, err := catalogue.QuoteValues(tx, items)
	for _, e := range lots {
		values[e.Item.ID] = e.QuoteValue
	}
	return about, lots, values, err
}

// outbid returns the price of the best rival bid for the same scope, or nil if it isn't higher.
// Bids by criterion have no single value, so their highest possible prices are compared.
func outbid(b bids.Bid, open []bids.Bid, value money.Cents) *money.Cents {
	if value == 0 {
		value = policy.HighestPrice
	}
	rivals := slices.DeleteFunc(slices.Clone(open), func(other bids.Bid) bool { return other.User == b.User || other.Scope != b.Scope })
	if len(rivals) == 0 {
		return nil
	}
	best := slices.MinFunc(rivals, func(a, b bids.Bid) int { return bids.Compare(a, b, value) })
	price := best.Price.For(value)
	if price <= b.Price.For(value) {
		return nil
	}
	return &price
}
