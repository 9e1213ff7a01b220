package index

import (
	"slices"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
)

// sortAllLimit is the number of listings up to which sorting them is faster than walking an order.
const sortAllLimit = 1024

// pageRequest selects a page of the matching listings.
type pageRequest struct {
	by          *order
	back        bool // walk the order backward
	after       *key // start after this key; nil = at the beginning
	skip, limit int64
}

// orderOf returns the order for a sort option, and whether it is walked backward.
func (m *model) orderOf(by catalogue.SortBy) (*order, bool) {
	o := catalogue.Orders[slices.IndexFunc(catalogue.Orders, func(o catalogue.Order) bool { return o.Name == by })]
	switch o.By {
	case nil:
		return m.newest, o.Descending || o.Name == ""
	case catalogue.ByPrice:
		return m.cheapest, o.Descending
	}
	return m.orderBy(o.By), o.Descending
}

// keyOf returns the key that a cursor points to, nil for the first page. ok is false if the cursor
// has no valid listing ID.
func keyOf(after []any) (k *key, ok bool) {
	if after == nil {
		return nil, true
	}
	k = &key{}
	if len(after) > 1 {
		switch first := after[0].(type) {
		case int64:
			k.number = first
		case string:
			k.text = first
		}
	}
	id, _ := after[len(after)-1].(string)
	k.id, ok = db.ParseID(id)
	return k, ok
}

// find returns the listings of a page.
func (m *model) find(match listingMatch, p pageRequest) []inventory.Entry {
	var found []uint32
	switch from, to := m.bounds(match, p); {
	case match.total <= sortAllLimit:
		found = m.sortAll(match, p)
	case p.after == nil && p.skip > match.total/2:
		// The end of the list is nearer, so walk from there.
		end := min(p.skip+p.limit, match.total)
		p.back, p.limit, p.skip = !p.back, end-p.skip, match.total-end
		found = m.walk(match, p, from, to)
		slices.Reverse(found)
	default:
		found = m.walk(match, p, from, to)
	}
	entries := make([]inventory.Entry, len(found))
	for n, l := range found {
		entries[n] = m.entry(l)
	}
	return entries
}

// bounds returns the range of the order that can contain the page's listings.
func (m *model) bounds(match listingMatch, p pageRequest) (from, to spot) {
	from, to = spot{}, p.by.end()
	switch p.by {
	case m.cheapest:
		from, to = m.priceRange(match.minPrice, match.maxPrice)
	case m.orderBy(catalogue.ByGrade):
		from, to = p.by.find(key{number: match.minGrade}), p.by.find(key{number: match.maxGrade + 1})
	}
	if p.after == nil {
		return from, to
	}
	after := p.by.find(*p.after)
	if p.back {
		if after.before(to) {
			to = after
		}
		return from, to
	}
	if after.block < len(p.by.blocks) && p.by.keyOf(p.by.blocks[after.block].listings[after.at]) == *p.after {
		after.at++
	}
	if from.before(after) {
		from = after
	}
	return from, to
}

// walk collects a page's listings from a range of its order.
func (m *model) walk(match listingMatch, p pageRequest, from, to spot) (found []uint32) {
	if p.limit <= 0 {
		return nil
	}
	match.anyPrice = match.anyPrice || p.by == m.cheapest // the range already limits prices
	for part := range p.by.parts(from, to, p.back) {
		if number := match.countIn(part); number <= p.skip {
			p.skip -= number
			continue
		}
		for n := range part.listings {
			at := part.ref(n)
			if p.back {
				at = part.ref(part.length() - 1 - n)
			}
			switch {
			case !match.has(at):
			case p.skip > 0:
				p.skip--
			default:
				found = append(found, at.listing)
			}
			if int64(len(found)) == p.limit {
				return found
			}
		}
	}
	return found
}

// sortAll returns a page by sorting all matching listings.
func (m *model) sortAll(match listingMatch, p pageRequest) []uint32 {
	type keyed struct {
		key
		listing uint32
	}
	all := make([]keyed, 0, match.total)
	for _, l := range m.unordered(match) {
		all = append(all, keyed{p.by.keyOf(l), l})
	}
	slices.SortFunc(all, func(a, b keyed) int { return a.compare(b.key) })
	if p.back {
		slices.Reverse(all)
	}
	if p.after != nil {
		all = slices.DeleteFunc(all, func(k keyed) bool { return k.key == *p.after || k.compare(*p.after) > 0 == p.back })
	}
	all = all[min(p.skip, int64(len(all))):]
	var found []uint32
	for _, k := range all[:min(p.limit, int64(len(all)))] {
		found = append(found, k.listing)
	}
	return found
}
