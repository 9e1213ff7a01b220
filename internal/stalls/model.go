package stalls

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/collection"
	"kaibao/internal/db"
)

// model is all that is for sale, as rows were at some versions. Whoever uses it keeps
// readers and writers apart.
type model struct {
	items    []item
	kindsOf  []uint32          // of the items
	known    map[string]uint32 // items by id
	kinds    []catalogue.Item
	stock    []int64 // how many of each kind are for sale
	kindOf   map[catalogue.Item]uint32
	words    words
	listings []listing
	free     []uint32             // of listings
	places   map[db.UUID]uint32   // listings by entry
	left     [2]map[db.UUID]int64 // versions of entries that are not for sale any more, the newer and the older ones
	turned   time.Time            // when the newer ones became the older

	newest, cheapest, named, graded order
}

// item is one of which something is or was for sale, as its row was.
type item struct {
	catalogue.Item
	stock []uint32 // its listings, the cheapest first, of those the earliest
}

type listing struct {
	entry, id, owner     db.UUID
	version, price, item uint32
	vaulted              bool
}

// leftFor is how long it is known at least that an entry has been for sale.
const leftFor = 30 * time.Second

func newModel() *model {
	m := &model{known: map[string]uint32{}, kindOf: map[catalogue.Item]uint32{}, places: map[db.UUID]uint32{}}
	m.left = [2]map[db.UUID]int64{{}, {}}
	m.newest.keyOf = func(n uint32) key { return key{id: m.listings[n].id} }
	m.cheapest.keyOf = func(n uint32) key { return key{number: int64(m.listings[n].price), id: m.listings[n].id} }
	m.named.keyOf = func(n uint32) key { return key{text: m.items[m.listings[n].item].Name, id: m.listings[n].id} }
	m.graded.keyOf = func(n uint32) key { return key{number: m.items[m.listings[n].item].GradeTenths, id: m.listings[n].id} }
	for _, o := range m.orders() {
		o.kindOf = func(item uint32) uint32 { return m.kindsOf[item] }
	}
	return m
}

// version is the one of an entry that the model knows of; -1 = none.
func (m *model) version(entry db.UUID) int64 {
	if n, there := m.places[entry]; there {
		return int64(m.listings[n].version)
	}
	for _, left := range m.left {
		if version, there := left[entry]; there {
			return version
		}
	}
	return -1
}

// turn forgets what left long ago.
func (m *model) turn(now time.Time) {
	if now.Sub(m.turned) >= leftFor {
		m.left[0], m.left[1], m.turned = map[db.UUID]int64{}, m.left[0], now
	}
}

// put has an entry be as its row is, unless the model knows a later one.
func (m *model) put(s stall) {
	entry, _ := db.ParseID(s.entry)
	if m.version(entry) >= s.version {
		return
	}
	if n, there := m.places[entry]; there {
		m.remove(n)
	}
	if s.listing == "" {
		m.left[0][entry] = s.version
		return
	}
	delete(m.left[0], entry)
	delete(m.left[1], entry)
	m.see(s.item)
	m.add(m.listingOf(s))
}

func (m *model) listingOf(s stall) listing {
	entry, _ := db.ParseID(s.entry)
	id, _ := db.ParseID(s.listing)
	owner, _ := db.ParseID(s.owner)
	return listing{entry, id, owner, uint32(s.version), uint32(s.price), m.known[s.item.ID], s.vaulted}
}

func (m *model) add(l listing) {
	n := uint32(len(m.listings))
	if last := len(m.free) - 1; last >= 0 {
		n, m.free = m.free[last], m.free[:last]
		m.listings[n] = l
	} else {
		m.listings = append(m.listings, l)
	}
	m.places[l.entry] = n
	for _, o := range m.orders() {
		o.insert(m.place(n))
	}
	is := &m.items[l.item]
	is.stock = slices.Insert(is.stock, m.cheaper(is.stock, m.cheapest.keyOf(n)), n)
	m.stock[m.kindsOf[l.item]]++
}

func (m *model) place(n uint32) place {
	l := m.listings[n]
	return place{n, l.item, l.price}
}

func (m *model) remove(n uint32) {
	l := m.listings[n]
	for _, o := range m.orders() {
		o.remove(n)
	}
	is := &m.items[l.item]
	at := m.cheaper(is.stock, m.cheapest.keyOf(n))
	is.stock = slices.Delete(is.stock, at, at+1)
	m.stock[m.kindsOf[l.item]]--
	delete(m.places, l.entry)
	m.free = append(m.free, n)
}

func (m *model) orders() []*order { return []*order{&m.newest, &m.cheapest, &m.named, &m.graded} }

// cheaper is how many of an item's listings stand before a key of the order by price.
func (m *model) cheaper(stock []uint32, k key) int {
	return sort.Search(len(stock), func(n int) bool { return m.cheapest.keyOf(stock[n]).compare(k) >= 0 })
}

// see has an item be as its row is.
func (m *model) see(i catalogue.Item) {
	kind := m.kind(i)
	// Of what thousands of items have in common one text is kept.
	i.Series, i.Rarity, i.Grader = m.kinds[kind].Series, m.kinds[kind].Rarity, m.kinds[kind].Grader
	n, there := m.known[i.ID]
	if !there {
		n = uint32(len(m.items))
		m.known[i.ID] = n
		m.items, m.kindsOf = append(m.items, item{i, nil}), append(m.kindsOf, kind)
		m.words.name(i.Name, n, (*postings).add)
		return
	}
	was := m.items[n]
	if was.Name == i.Name && m.kindsOf[n] == kind {
		m.items[n].Item = i
		return
	}
	many := len(was.stock) > len(m.places)/20
	if !many {
		m.eachOrder(was.stock, (*order).remove)
	}
	m.words.name(was.Name, n, (*postings).remove)
	m.words.name(i.Name, n, (*postings).add)
	m.stock[m.kindsOf[n]] -= int64(len(was.stock))
	m.stock[kind] += int64(len(was.stock))
	m.items[n], m.kindsOf[n] = item{i, was.stock}, kind
	if many {
		m.newest.recount()
		m.cheapest.recount()
		m.sortByItem()
		return
	}
	m.eachOrder(was.stock, func(o *order, l uint32) { o.insert(m.place(l)) })
}

func (m *model) eachOrder(listings []uint32, do func(o *order, listing uint32)) {
	for _, o := range m.orders() {
		for _, l := range listings {
			do(o, l)
		}
	}
}

// kind is what no facet tells an item apart from.
func (m *model) kind(i catalogue.Item) uint32 {
	i = catalogue.Item{Series: i.Series, Rarity: i.Rarity, Grader: i.Grader, GradeTenths: i.GradeTenths}
	kind, there := m.kindOf[i]
	if !there {
		kind = uint32(len(m.kinds))
		m.kinds, m.stock, m.kindOf[i] = append(m.kinds, i), append(m.stock, 0), kind
	}
	return kind
}

// build makes the model of listings, whose items it has seen.
func (m *model) build(all []listing) {
	slices.SortFunc(all, func(a, b listing) int { return bytes.Compare(a.id[:], b.id[:]) })
	m.listings, m.places = all, make(map[db.UUID]uint32, len(all))
	places, stocks := make([]place, len(all)), make([]int, len(m.items))
	for n, l := range all {
		m.places[l.entry], places[n] = uint32(n), m.place(uint32(n))
		stocks[l.item]++
	}
	for n, number := range stocks {
		m.items[n].stock = make([]uint32, 0, number)
		m.stock[m.kindsOf[n]] += int64(number)
	}
	m.newest.load(places)
	m.cheapest.load(m.sorted(func(p place) uint32 { return p.price }))
	for part := range m.cheapest.parts(spot{}, m.cheapest.end(), false) {
		for n, item := range part.items {
			is := &m.items[item]
			is.stock = append(is.stock, part.listings[n])
		}
	}
	m.sortByItem()
}

// sortByItem makes the orders by what items are.
func (m *model) sortByItem() {
	names := make([]uint32, len(m.items))
	for n := range names {
		names[n] = uint32(n)
	}
	slices.SortFunc(names, func(a, b uint32) int { return cmp.Compare(m.items[a].Name, m.items[b].Name) })
	ranks, rank := make([]uint32, len(m.items)), uint32(0)
	for n, i := range names {
		if n > 0 && m.items[i].Name != m.items[names[n-1]].Name {
			rank++
		}
		ranks[i] = rank
	}
	m.named.load(m.sorted(func(p place) uint32 { return ranks[p.item] }))
	m.graded.load(m.sorted(func(p place) uint32 { return uint32(m.items[p.item].GradeTenths) }))
}

// sorted are all listings by a number, then by their ids.
func (m *model) sorted(number func(place) uint32) []place {
	byID, keys := make([]place, 0, m.newest.length), make([]uint64, m.newest.length)
	for _, b := range m.newest.blocks {
		for n := range b.length() {
			byID = append(byID, b.place(n))
		}
	}
	for n, p := range byID {
		keys[n] = uint64(number(p))<<32 | uint64(n)
	}
	slices.Sort(keys)
	places := make([]place, len(byID))
	for n, k := range keys {
		places[n] = byID[uint32(k)]
	}
	return places
}

// shown is a listing as a page names it.
func (m *model) shown(n uint32) collection.Entry {
	l := m.listings[n]
	return collection.Entry{
		ID: l.entry.String(), ListingID: l.id.String(), SalePrice: centsOf(l.price), Owner: l.owner.String(), Vaulted: l.vaulted,
		Item: m.items[l.item].Item,
	}
}
