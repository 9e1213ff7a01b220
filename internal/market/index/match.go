package index

import (
	"math"
	"sort"

	"kaibao/internal/catalogue"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
)

func centsOf(price uint32) money.Cents { return money.Cents(price) }

// listingMatch is the set of listings that match a filter.
type listingMatch struct {
	*itemMatch
	anyPrice           bool // no price limits
	minPrice, maxPrice money.Cents
	// minPrice32 is minPrice, and priceSpan is how far a price may exceed it. They are valid only
	// if the range isn't empty.
	minPrice32, priceSpan uint32
	total                 int64
}

// itemMatch is the set of items that match a filter, apart from its prices.
type itemMatch struct {
	named              itemSet  // items of any kind whose names match; nil = all
	items              itemSet  // items of the filter's kinds whose names match
	kindMatches        []uint8  // 1 for each kind that matches
	kinds              []uint32 // the kinds that match; nil = all
	minGrade, maxGrade int64    // of those kinds, in tenths
}

// itemCacheSize is small because filters repeat within moments: for the next page, for the facets,
// by other users.
const itemCacheSize = 16

// kindCounts counts the listings that match the filter's words and prices, by kind. Facets are
// computed from these counts.
func (m *model) kindCounts(f catalogue.Filter, words []catalogue.Word) (rows []catalogue.KindCount) {
	for kind, number := range m.countByKind(f, m.matchItems(f, words).named) {
		if number > 0 {
			rows = append(rows, catalogue.KindCount{Kind: m.kinds[kind], Count: number})
		}
	}
	return rows
}

// countByKind returns the number of listings by kind, within the filter's prices and for the given
// items (nil = all). Don't modify the result: it may be the model's own slice.
func (m *model) countByKind(f catalogue.Filter, items itemSet) []int64 {
	minPrice, maxPrice, anyPrice := f.PriceRange()
	if anyPrice {
		return m.countAtAnyPrice(items)
	}
	from, to := m.priceRange(minPrice, maxPrice)
	priced := m.cheapest.rank(to) - m.cheapest.rank(from)
	counts := make([]int64, len(m.kinds))
	switch {
	case items != nil && min(priced, m.cheapest.length-priced) > listingsPerItem*items.number():
		for n, in := range items {
			if in == 1 {
				counts[m.itemKinds[n]] += int64(len(m.withinPrices(m.items[n].listings, minPrice, maxPrice)))
			}
		}
	case priced > m.cheapest.length/2:
		copy(counts, m.countAtAnyPrice(items))
		m.addRange(counts, items, -1, spot{}, from)
		m.addRange(counts, items, -1, to, m.cheapest.end())
	default:
		m.addRange(counts, items, 1, from, to)
	}
	return counts
}

// countAtAnyPrice returns the number of listings of the given items by kind.
func (m *model) countAtAnyPrice(items itemSet) []int64 {
	if items == nil {
		return m.listedByKind
	}
	counts := make([]int64, len(m.kinds))
	for n, in := range items {
		if in == 1 {
			counts[m.itemKinds[n]] += int64(len(m.items[n].listings))
		}
	}
	return counts
}

// addRange adds delta to counts for every listing in a range of the order by price. If items isn't
// nil, it counts only listings of those items.
func (m *model) addRange(counts []int64, items itemSet, delta int64, from, to spot) {
	for part := range m.cheapest.parts(from, to, false) {
		switch {
		case items != nil:
			for _, item := range part.items {
				counts[m.itemKinds[item]] += delta * int64(items[item])
			}
		case part.kinds != nil:
			for kind, number := range part.kinds {
				counts[kind] += delta * int64(number)
			}
		default:
			for _, item := range part.items {
				counts[m.itemKinds[item]] += delta
			}
		}
	}
}

// listingsPerItem is how many listings can be walked in the time it takes to count one item's
// listings in a price range.
const listingsPerItem = 64

// withinPrices returns the part of an item's listings in a price range.
func (m *model) withinPrices(listings []uint32, minPrice, maxPrice money.Cents) []uint32 {
	if maxPrice < math.MaxInt64 {
		listings = listings[:sort.Search(len(listings), func(n int) bool { return centsOf(m.listings.at(listings[n]).price) > maxPrice })]
	}
	if minPrice > 0 {
		listings = listings[sort.Search(len(listings), func(n int) bool { return centsOf(m.listings.at(listings[n]).price) >= minPrice }):]
	}
	return listings
}

// priceRange returns the start and end of a price range in the order by price.
func (m *model) priceRange(minPrice, maxPrice money.Cents) (from, to spot) {
	from = m.cheapest.find(key{number: int64(minPrice)})
	to = m.cheapest.end()
	if maxPrice < money.Cents(1)<<32 {
		to = m.cheapest.find(key{number: int64(maxPrice) + 1})
	}
	if to.before(from) {
		to = from
	}
	return from, to
}

// itemCacheKey removes from a filter what doesn't decide which items match: the order and the
// prices. A new field of the filter is part of the key until it is removed here.
func itemCacheKey(f catalogue.Filter) catalogue.Filter {
	f.SortBy = ""
	f.MinPrice, f.MaxPrice = httpapi.Optional[int64]{}, httpapi.Optional[int64]{}
	return f
}

// matchItems returns the items that match a filter, apart from its prices. words are those of its
// search.
func (m *model) matchItems(f catalogue.Filter, words []catalogue.Word) *itemMatch {
	key := itemCacheKey(f)
	if found, ok := m.itemCache.Get(key); ok {
		return found
	}
	match := &itemMatch{
		named: m.words.find(words, len(m.items)), items: make(itemSet, len(m.items)),
		kindMatches: make([]uint8, len(m.kinds)), kinds: []uint32{}, minGrade: math.MaxInt64,
	}
	for n := range m.kinds {
		if kind := &m.kinds[n]; f.Matches(*kind) {
			match.kindMatches[n], match.kinds = 1, append(match.kinds, uint32(n))
			match.minGrade, match.maxGrade = min(match.minGrade, kind.GradeTenths), max(match.maxGrade, kind.GradeTenths)
		}
	}
	if len(match.kinds) == len(m.kinds) {
		match.kinds = nil
	}
	for n, kind := range m.itemKinds {
		match.items[n] = match.kindMatches[kind]
	}
	for n, in := range match.named {
		match.items[n] &= in
	}
	m.itemCache.Add(key, match)
	return match
}

// matchListings returns the listings that match a filter. words are those of its search.
func (m *model) matchListings(f catalogue.Filter, words []catalogue.Word) listingMatch {
	match := listingMatch{itemMatch: m.matchItems(f, words)}
	match.minPrice, match.maxPrice, match.anyPrice = f.PriceRange()
	items := match.items
	if match.named == nil {
		items = nil // use the counts that are kept for every kind
	}
	for kind, number := range m.countByKind(f, items) {
		match.total += number * int64(match.kindMatches[kind])
	}
	match.minPrice32 = uint32(min(match.minPrice, math.MaxUint32))
	match.priceSpan = uint32(min(match.maxPrice, math.MaxUint32)) - match.minPrice32
	return match
}

// has reports whether the listing matches.
func (match listingMatch) has(l listingRef) bool {
	return match.items[l.item] == 1 && l.price-match.minPrice32 <= match.priceSpan
}

// countIn counts the matching listings of a block. The block's counts by kind are enough if none of
// its kinds matches, or if the filter limits only kinds. The last loop has no branch, because the
// CPU would mispredict half of the prices. One comparison checks both price bounds: prices below
// minPrice wrap around.
func (match listingMatch) countIn(part block) (number int64) {
	if part.kinds != nil {
		ofKinds := part.countKinds(match.kinds)
		if ofKinds == 0 || match.anyPrice && match.named == nil {
			return ofKinds
		}
	}
	if match.anyPrice {
		for _, item := range part.items {
			number += int64(match.items[item])
		}
		return number
	}
	items := part.items[:len(part.prices)]
	for n, price := range part.prices {
		var inRange uint8
		if price-match.minPrice32 <= match.priceSpan {
			inRange = 1
		}
		number += int64(match.items[items[n]] & inRange)
	}
	return number
}

// unordered returns all matching listings.
func (m *model) unordered(match listingMatch) (found []uint32) {
	from, to := m.priceRange(match.minPrice, match.maxPrice)
	if !match.anyPrice && m.cheapest.rank(to)-m.cheapest.rank(from) < listingsPerItem*match.items.number() {
		for part := range m.cheapest.parts(from, to, false) {
			for n, item := range part.items {
				if match.items[item] == 1 {
					found = append(found, part.listings[n])
				}
			}
		}
		return found
	}
	for n, in := range match.items {
		if in == 1 {
			found = append(found, m.withinPrices(m.items[n].listings, match.minPrice, match.maxPrice)...)
		}
	}
	return found
}
