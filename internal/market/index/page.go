package index

import (
	"bytes"
	"math"
	"slices"
	"sort"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

func centsOf(price uint32) money.Cents { return money.Cents(price) }

// choice is the set of listings that pass a filter.
type choice struct {
	*passing
	unpriced        bool // no price limits
	lowest, highest money.Cents
	// least is the lowest price, and span is how far a price may exceed it. They are only valid if
	// the range is not empty.
	least, span uint32
	total       int64
}

// passing is the set of items that pass a filter.
type passing struct {
	called      marks    // items of any kind whose names match; nil = all
	items       marks    // items of the filter's kinds whose names match
	takes       []uint8  // 1 for each kind that passes
	kinds       []uint32 // the kinds that pass; nil = all
	worst, best int64    // lowest and highest grade of those kinds, in tenths
}

// rememberedFilters is the cache size. Filters repeat within moments: for the next page, for the
// facets, by other users.
const rememberedFilters = 16

// alike counts the listings that match the filter's words and prices, by kind. Facets are computed
// from these counts.
func (m *model) alike(f catalogue.Filter, asked []catalogue.Word) (rows []catalogue.Alike) {
	for kind, number := range m.counts(f, m.passing(f, asked).called) {
		if number > 0 {
			rows = append(rows, catalogue.Alike{Kind: m.kinds[kind], Number: number})
		}
	}
	return rows
}

// counts returns the number of listings by kind, within the filter's prices and for the given items
// (nil = all). Don't modify the result: it may be the model's own slice.
func (m *model) counts(f catalogue.Filter, called marks) []int64 {
	lowest, highest, unpriced := f.Prices()
	if unpriced {
		return m.stocked(called)
	}
	from, to := m.priced(lowest, highest)
	priced := m.cheapest.rank(to) - m.cheapest.rank(from)
	counts := make([]int64, len(m.kinds))
	switch {
	case called != nil && min(priced, m.cheapest.length-priced) > listingsPerItem*called.number():
		for n, is := range called {
			if is == 1 {
				counts[m.kindsOf[n]] += int64(len(m.within(m.items[n].listings, lowest, highest)))
			}
		}
	case priced > m.cheapest.length/2:
		copy(counts, m.stocked(called))
		m.count(counts, called, -1, spot{}, from)
		m.count(counts, called, -1, to, m.cheapest.end())
	default:
		m.count(counts, called, 1, from, to)
	}
	return counts
}

// stocked returns the number of listings of the given items by kind.
func (m *model) stocked(called marks) []int64 {
	if called == nil {
		return m.listedByKind
	}
	counts := make([]int64, len(m.kinds))
	for n, is := range called {
		if is == 1 {
			counts[m.kindsOf[n]] += int64(len(m.items[n].listings))
		}
	}
	return counts
}

// count adds times to counts for every listing in a range of the order by price. If wanted isn't
// nil, it counts only listings of those items.
func (m *model) count(counts []int64, wanted marks, times int64, from, to spot) {
	for part := range m.cheapest.parts(from, to, false) {
		switch {
		case wanted != nil:
			for _, item := range part.items {
				counts[m.kindsOf[item]] += times * int64(wanted[item])
			}
		case part.kinds != nil:
			for kind, number := range part.kinds {
				counts[kind] += times * int64(number)
			}
		default:
			for _, item := range part.items {
				counts[m.kindsOf[item]] += times
			}
		}
	}
}

// listingsPerItem is how many listings can be walked in the time it takes to count one item's
// listings in a price range.
const listingsPerItem = 64

// within returns the part of an item's listings in a price range.
func (m *model) within(stock []uint32, lowest, highest money.Cents) []uint32 {
	if highest < math.MaxInt64 {
		stock = stock[:sort.Search(len(stock), func(n int) bool { return centsOf(m.listings.at(stock[n]).price) > highest })]
	}
	if lowest > 0 {
		stock = stock[sort.Search(len(stock), func(n int) bool { return centsOf(m.listings.at(stock[n]).price) >= lowest }):]
	}
	return stock
}

// priced returns the start and end of a price range in the order by price.
func (m *model) priced(lowest, highest money.Cents) (from, to spot) {
	from = m.cheapest.find(key{number: int64(lowest)})
	to = m.cheapest.end()
	if highest < money.Cents(1)<<32 {
		to = m.cheapest.find(key{number: int64(highest) + 1})
	}
	if to.before(from) {
		to = from
	}
	return from, to
}

// passing returns the items that pass a filter. asked are the words of its search.
func (m *model) passing(f catalogue.Filter, asked []catalogue.Word) *passing {
	of := catalogue.Filter{Series: f.Series, Grader: f.Grader, Rarity: f.Rarity, Grade: f.Grade, Search: f.Search}
	if p, known := m.filters.Get(of); known {
		return p
	}
	p := &passing{
		called: m.words.having(asked, len(m.items)), items: make(marks, len(m.items)),
		takes: make([]uint8, len(m.kinds)), kinds: []uint32{}, worst: math.MaxInt64,
	}
	for n := range m.kinds {
		if kind := &m.kinds[n]; f.Takes(*kind) {
			p.takes[n], p.kinds = 1, append(p.kinds, uint32(n))
			p.worst, p.best = min(p.worst, kind.GradeTenths), max(p.best, kind.GradeTenths)
		}
	}
	if len(p.kinds) == len(m.kinds) {
		p.kinds = nil
	}
	for n, kind := range m.kindsOf {
		p.items[n] = p.takes[kind]
	}
	for n, is := range p.called {
		p.items[n] &= is
	}
	m.filters.Add(of, p)
	return p
}

// choose returns the listings that pass a filter. asked are the words of its search.
func (m *model) choose(f catalogue.Filter, asked []catalogue.Word) choice {
	c := choice{passing: m.passing(f, asked)}
	c.lowest, c.highest, c.unpriced = f.Prices()
	of := c.items
	if c.called == nil {
		of = nil // use the counts that are kept for every kind
	}
	for kind, number := range m.counts(f, of) {
		c.total += number * int64(c.takes[kind])
	}
	c.least = uint32(min(c.lowest, math.MaxUint32))
	c.span = uint32(min(c.highest, math.MaxUint32)) - c.least
	return c
}

// has reports whether the choice includes the listing.
func (c choice) has(p place) bool { return c.items[p.item] == 1 && p.price-c.least <= c.span }

// countIn counts the listings of a block that the choice includes. The block's counts by kind are
// enough if none of its kinds passes, or if the filter limits only kinds. The loop has no branch,
// because the CPU would mispredict half of the prices. One comparison checks both price bounds:
// prices below the lowest wrap around.
func (c choice) countIn(part block) (number int64) {
	if part.kinds != nil {
		most := part.countKinds(c.kinds)
		if most == 0 || c.unpriced && c.called == nil {
			return most
		}
	}
	if c.unpriced {
		for _, item := range part.items {
			number += int64(c.items[item])
		}
		return number
	}
	items := part.items[:len(part.prices)]
	for n, price := range part.prices {
		var costs uint8
		if price-c.least <= c.span {
			costs = 1
		}
		number += int64(c.items[items[n]] & costs)
	}
	return number
}

// Up to this many listings, sorting them all is faster than walking an order.
const few = 1024

// page is a page of a choice: the position in an order, how many listings to skip and how many to
// return.
type page struct {
	by         *order
	back       bool
	after      *key
	skip, most int64
}

// orderOf returns the order for a sort option, and whether it is walked backward.
func (m *model) orderOf(by catalogue.SortBy) (*order, bool) {
	o := catalogue.Orders[slices.IndexFunc(catalogue.Orders, func(o catalogue.Order) bool { return o.Name == by })]
	switch o.By {
	case nil:
		return m.newest, true
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
func (m *model) find(c choice, p page) []inventory.Entry {
	var found []uint32
	switch from, to := m.bounds(c, p); {
	case c.total <= few:
		found = m.fewOf(c, p)
	case p.after == nil && p.skip > c.total/2:
		// The end of the list is nearer, so walk from there.
		end := min(p.skip+p.most, c.total)
		p.back, p.most, p.skip = !p.back, end-p.skip, c.total-end
		found = m.walk(c, p, from, to)
		slices.Reverse(found)
	default:
		found = m.walk(c, p, from, to)
	}
	shown := make([]inventory.Entry, len(found))
	for n, l := range found {
		shown[n] = m.shown(l)
	}
	return shown
}

// bounds returns the range of the order that can contain the page's listings.
func (m *model) bounds(c choice, p page) (from, to spot) {
	from, to = spot{}, p.by.end()
	switch p.by {
	case m.cheapest:
		from, to = m.priced(c.lowest, c.highest)
	case m.orderBy(catalogue.ByGrade):
		from, to = p.by.find(key{number: c.worst}), p.by.find(key{number: c.best + 1})
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
func (m *model) walk(c choice, p page, from, to spot) (found []uint32) {
	if p.most <= 0 {
		return nil
	}
	c.unpriced = c.unpriced || p.by == m.cheapest // the range already limits prices
	for part := range p.by.parts(from, to, p.back) {
		if passed := c.countIn(part); passed <= p.skip {
			p.skip -= passed
			continue
		}
		for n := range part.listings {
			at := part.place(n)
			if p.back {
				at = part.place(part.length() - 1 - n)
			}
			switch {
			case !c.has(at):
			case p.skip > 0:
				p.skip--
			default:
				found = append(found, at.listing)
			}
			if int64(len(found)) == p.most {
				return found
			}
		}
	}
	return found
}

// all returns the listings of a choice, unordered.
func (m *model) all(c choice) (found []uint32) {
	from, to := m.priced(c.lowest, c.highest)
	if !c.unpriced && m.cheapest.rank(to)-m.cheapest.rank(from) < listingsPerItem*bytes.Count(c.items, []byte{1}) {
		for part := range m.cheapest.parts(from, to, false) {
			for n, item := range part.items {
				if c.items[item] == 1 {
					found = append(found, part.listings[n])
				}
			}
		}
		return found
	}
	for n, takes := range c.items {
		if takes == 1 {
			found = append(found, m.within(m.items[n].listings, c.lowest, c.highest)...)
		}
	}
	return found
}

// fewOf returns a page of a small choice by sorting all its listings.
func (m *model) fewOf(c choice, p page) []uint32 {
	type keyed struct {
		key
		listing uint32
	}
	all := make([]keyed, 0, c.total)
	for _, l := range m.all(c) {
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
	for _, k := range all[:min(p.most, int64(len(all)))] {
		found = append(found, k.listing)
	}
	return found
}
