package match

import (
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

// LowestAsk is the cheapest listing of an item.
type LowestAsk struct {
	Entry, Listing string // ids
	Price          money.Cents
}

// LowestAsks returns the cheapest listing of each item, by item, if the user could buy it: it isn't the
// user's own, and not too far above the value. user is empty without a session.
func (s *Service) LowestAsks(tx *db.Tx, user string, items []string) (map[string]LowestAsk, error) {
	asks := map[string]LowestAsk{}
	if s.Closed || len(items) == 0 {
		return asks, nil
	}
	cheapest, err := inventory.CheapestOfEach(tx, items, user)
	if err != nil {
		return nil, err
	}
	values := map[string]money.Cents{}
	if !s.Sandbox {
		values, err = catalogue.QuoteValues(tx, listedItems(cheapest))
	}
	for _, e := range cheapest {
		if s.Sandbox || !s.tooFar(e.SalePrice, values[e.Item.ID]) {
			asks[e.Item.ID] = LowestAsk{e.ID, e.ListingID, e.SalePrice}
		}
	}
	return asks, err
}

func listedItems(entries []inventory.Entry) []string {
	items := make([]string, len(entries))
	for n, e := range entries {
		items[n] = e.Item.ID
	}
	return items
}
