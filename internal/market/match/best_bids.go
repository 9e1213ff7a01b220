package match

import (
	"slices"
	"time"

	"kaibao/internal/bids"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// spareBids is how many bids are read beyond those needed, because one may be the owner's own and
// others may be taken by concurrent transactions.
const spareBids = 3

// fittingBids returns the best bids of other users that fit any of the entries, at most
// limit+spareBids per entry. The bids aren't locked yet.
func (m *marketTx) fittingBids(entries []string, limit int, fits func(inventory.Entry, bids.Bid) bool) ([]bids.Bid, error) {
	var queries []bids.Query
	for _, id := range entries {
		if e, ok := m.acts.Entry(id); ok {
			queries = append(queries, bestBidsQuery(e, limit+spareBids))
		}
	}
	found, err := bids.Best(m.tx, queries)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	fitting := map[string]bool{} // by bid ID
	for _, id := range entries {
		e, _ := m.acts.Entry(id)
		for _, b := range bestBids(found, e, m.tx.Now, limit+spareBids) {
			fitting[b.ID] = fitting[b.ID] || fits(e, b)
		}
	}
	return slices.DeleteFunc(found, func(b bids.Bid) bool { return !fitting[b.ID] }), nil
}

// bestBidsQuery returns the query for the best bids that an entry can be sold to.
func bestBidsQuery(e inventory.Entry, limit int) bids.Query {
	return bids.Query{Keys: bids.KeysFor(e.ID, e.Item), Value: e.QuoteValue, Except: e.Owner, Limit: limit}
}

// bestBids returns the best of the bids that can be filled with the entry, best first, at most
// limit of them.
func bestBids(all []bids.Bid, e inventory.Entry, now time.Time, limit int) []bids.Bid {
	fitting := slices.DeleteFunc(slices.Clone(all), func(b bids.Bid) bool {
		return b.User == e.Owner || !b.Scope.Covers(e.ID, e.Item) || !b.IsOpen(now) || b.Price.For(e.QuoteValue) < 1
	})
	slices.SortFunc(fitting, func(a, b bids.Bid) int { return bids.Compare(a, b, e.QuoteValue) })
	return fitting[:min(len(fitting), limit)]
}

// bestCompetingBid returns the best of the bids by other users than b's for the same scope. They
// are compared at an item value. Scopes without a single value use policy.MaxPrice, so that the
// highest possible prices are compared.
func bestCompetingBid(b bids.Bid, all []bids.Bid, value money.Cents) (best bids.Bid, ok bool) {
	for _, other := range all {
		if other.User == b.User || other.Scope != b.Scope {
			continue
		}
		if !ok || bids.Compare(other, best, value) < 0 {
			best, ok = other, true
		}
	}
	return best, ok
}

// Outbid returns the price of the best bid by another user for b's scope if it is higher than b's.
// value is the quote value of the scope's item, or 0 for a criterion.
func Outbid(b bids.Bid, all []bids.Bid, value money.Cents) (price money.Cents, ok bool) {
	if value == 0 {
		value = policy.MaxPrice
	}
	best, ok := bestCompetingBid(b, all, value)
	price = best.Price.For(value)
	return price, ok && price > b.Price.For(value)
}

func idsOf(all []bids.Bid) []string {
	ids := make([]string, len(all))
	for i, b := range all {
		ids[i] = b.ID
	}
	return ids
}

// sortedSet returns the IDs sorted and without duplicates.
func sortedSet(ids []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(ids)))
}
