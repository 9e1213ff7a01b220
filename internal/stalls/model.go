package stalls

import (
	"cmp"
	"encoding/binary"
	"iter"
	"slices"
	"sort"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

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
	filters  *lru.Cache[catalogue.Filter, *passing] // asked for last, without order and prices, until any item is another
	listings listings
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

// listings are numbered as they come. They lie in pieces: moving a million for one more took a
// second, in which nobody saw a page.
type listings [][]listing

const piece = 512

func (l listings) at(n uint32) *listing { return &l[n/piece][n%piece] }

func (l *listings) add(one listing) (n uint32) {
	last := len(*l) - 1
	if last < 0 || len((*l)[last]) == piece {
		*l = append(*l, make([]listing, 0, piece))
		last++
	}
	n = uint32(last*piece + len((*l)[last]))
	(*l)[last] = append((*l)[last], one)
	return n
}

func (l listings) all() iter.Seq2[uint32, *listing] {
	return func(yield func(uint32, *listing) bool) {
		for n := range l {
			for at := range l[n] {
				if !yield(uint32(n*piece+at), &l[n][at]) {
					return
				}
			}
		}
	}
}

// leftFor is how long it is known at least that an entry has been for sale.
const leftFor = 30 * time.Second

func newModel() *model {
	m := &model{known: map[string]uint32{}, kindOf: map[catalogue.Item]uint32{}, places: map[db.UUID]uint32{}}
	m.filters, _ = lru.New[catalogue.Filter, *passing](rememberedFilters) // fails for a size below 1 only
	m.left = [2]map[db.UUID]int64{{}, {}}
	m.newest.keyOf = func(n uint32) key { return key{id: m.listings.at(n).id} }
	m.cheapest.keyOf = func(n uint32) key { return key{number: int64(m.listings.at(n).price), id: m.listings.at(n).id} }
	m.named.keyOf = func(n uint32) key { return key{text: m.items[m.listings.at(n).item].Name, id: m.listings.at(n).id} }
	m.graded.keyOf = func(n uint32) key {
		return key{number: m.items[m.listings.at(n).item].GradeTenths, id: m.listings.at(n).id}
	}
	for _, o := range m.orders() {
		o.kindOf = func(item uint32) uint32 { return m.kindsOf[item] }
	}
	return m
}

// version is the one of an entry that the model knows of; -1 = none.
func (m *model) version(entry db.UUID) int64 {
	if n, there := m.places[entry]; there {
		return int64(m.listings.at(n).version)
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
	m.add(listingOf(s, m.known[s.item.ID]))
}

func listingOf(s stall, item uint32) listing {
	entry, _ := db.ParseID(s.entry)
	id, _ := db.ParseID(s.listing)
	owner, _ := db.ParseID(s.owner)
	return listing{entry, id, owner, uint32(s.version), uint32(s.price), item, s.vaulted}
}

func (m *model) add(l listing) {
	var n uint32
	if last := len(m.free) - 1; last >= 0 {
		n, m.free = m.free[last], m.free[:last]
		*m.listings.at(n) = l
	} else {
		n = m.listings.add(l)
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
	l := m.listings.at(n)
	return place{n, l.item, l.price}
}

func (m *model) remove(n uint32) {
	l := m.listings.at(n)
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
		m.filters.Purge()
		return
	}
	was := m.items[n]
	if was.Name == i.Name && m.kindsOf[n] == kind {
		m.items[n].Item = i
		return
	}
	m.filters.Purge()
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
		m.sortByItem(m.byID())
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

// build makes the model of the listings and the items that it has read.
func (m *model) build() {
	var aside sync.WaitGroup // half of the work, on another processor
	aside.Go(func() {
		m.places = make(map[db.UUID]uint32, len(m.listings)*piece)
		for n, l := range m.listings.all() {
			m.places[l.entry] = n
		}
	})
	m.sortByID()
	byID := m.byID()
	aside.Go(func() { m.sortByItem(byID) })
	m.cheapest.sort(byID, func(p place) uint32 { return p.price })
	m.stockItems()
	aside.Wait()
}

// sortByID makes the order of time.
func (m *model) sortByID() {
	type begun struct {
		id      uint64 // the beginning of it, which hardly two have in common
		listing uint32
	}
	byID := make([]begun, 0, len(m.listings)*piece)
	for n, l := range m.listings.all() {
		byID = append(byID, begun{binary.BigEndian.Uint64(l.id[:]), n})
	}
	slices.SortFunc(byID, func(a, b begun) int {
		if a.id != b.id {
			return cmp.Compare(a.id, b.id)
		}
		return m.newest.keyOf(a.listing).compare(m.newest.keyOf(b.listing))
	})
	m.newest.load(len(byID), func(n int) place { return m.place(byID[n].listing) })
}

// stockItems gives the items their listings, in the order by price.
func (m *model) stockItems() {
	stocks, stock := make([]int, len(m.items)), make([]uint32, m.cheapest.length)
	for _, l := range m.listings.all() {
		stocks[l.item]++
	}
	for n, number := range stocks {
		m.items[n].stock, stock = stock[:0:number], stock[number:]
		m.stock[m.kindsOf[n]] += int64(number)
	}
	for part := range m.cheapest.parts(spot{}, m.cheapest.end(), false) {
		for n, item := range part.items {
			is := &m.items[item]
			is.stock = append(is.stock, part.listings[n])
		}
	}
}

// sortByItem makes the orders by what items are.
func (m *model) sortByItem(byID []place) {
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
	m.named.sort(byID, func(p place) uint32 { return ranks[p.item] })
	m.graded.sort(byID, func(p place) uint32 { return uint32(m.items[p.item].GradeTenths) })
}

// byID are all listings in the order of their ids.
func (m *model) byID() []place {
	all := make([]place, 0, m.newest.length)
	for _, b := range m.newest.blocks {
		for n := range b.length() {
			all = append(all, b.place(n))
		}
	}
	return all
}

// shown is a listing as a page names it.
func (m *model) shown(n uint32) collection.Entry {
	l := m.listings.at(n)
	return collection.Entry{
		ID: l.entry.String(), ListingID: l.id.String(), SalePrice: centsOf(l.price), Owner: l.owner.String(), Vaulted: l.vaulted,
		Item: m.items[l.item].Item,
	}
}
