package index

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
	"kaibao/internal/db"
	"kaibao/internal/inventory"
)

// model is all that is for sale, as rows were at some versions. Whoever uses it keeps
// readers and writers apart.
type model struct {
	items    []item
	kindsOf  []uint32          // of the items
	known    map[string]uint32 // items by id
	kinds    []catalogue.Kind
	stock    []int64 // how many of each kind are for sale
	kindOf   map[catalogue.Kind]uint32
	words    words
	filters  *lru.Cache[catalogue.Filter, *passing] // asked for last, without order and prices, until any item is another
	listings listings
	free     []uint32             // of listings
	places   map[db.UUID]uint32   // listings by entry
	left     [2]map[db.UUID]int64 // versions of entries that are not for sale any more, the newer and the older ones
	turned   time.Time            // when the newer ones became the older

	newest, cheapest *order
	byItem           []itemOrder
	orders           []*order // all of them
}

// itemOrder is the order by what items are.
type itemOrder struct {
	*order
	by *catalogue.SortKey
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
	m := &model{known: map[string]uint32{}, kindOf: map[catalogue.Kind]uint32{}, places: map[db.UUID]uint32{}}
	m.filters, _ = lru.New[catalogue.Filter, *passing](rememberedFilters) // fails for a size below 1 only
	m.left = [2]map[db.UUID]int64{{}, {}}
	kindOf := func(item uint32) uint32 { return m.kindsOf[item] }
	m.newest = &order{kindOf: kindOf, keyOf: func(n uint32) key { return key{id: m.listings.at(n).id} }}
	m.cheapest = &order{kindOf: kindOf, keyOf: func(n uint32) key {
		return key{number: int64(m.listings.at(n).price), id: m.listings.at(n).id}
	}}
	m.orders = []*order{m.newest, m.cheapest}
	for _, o := range catalogue.Orders {
		by := o.By
		if by == nil || by == catalogue.ByPrice || m.orderBy(by) != nil {
			continue
		}
		m.byItem = append(m.byItem, itemOrder{by: by, order: &order{kindOf: kindOf, keyOf: func(n uint32) key {
			l := m.listings.at(n)
			k := sortKey(by, &m.items[l.item].Item)
			k.id = l.id
			return k
		}}})
		m.orders = append(m.orders, m.orderBy(by))
	}
	return m
}

// sortKey is the key of an item's listings, without their ids.
func sortKey(by *catalogue.SortKey, i *catalogue.Item) key {
	if by.Text != nil {
		return key{text: by.Text(*i)}
	}
	return key{number: by.Number(*i)}
}

// orderBy is the order by what items are that compares a key; nil without one.
func (m *model) orderBy(by *catalogue.SortKey) *order {
	for _, o := range m.byItem {
		if o.by == by {
			return o.order
		}
	}
	return nil
}

// sortedAlike tells whether each order has the listings of two items in the same place.
func (m *model) sortedAlike(a, b *catalogue.Item) bool {
	for _, o := range m.byItem {
		if sortKey(o.by, a) != sortKey(o.by, b) {
			return false
		}
	}
	return true
}

// version is the one of an entry that the model knows of; -1 = none.
func (m *model) version(entry db.UUID) int64 {
	if n, ok := m.places[entry]; ok {
		return int64(m.listings.at(n).version)
	}
	for _, left := range m.left {
		if version, ok := left[entry]; ok {
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
	if n, ok := m.places[entry]; ok {
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
	for _, o := range m.orders {
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
	for _, o := range m.orders {
		o.remove(n)
	}
	is := &m.items[l.item]
	at := m.cheaper(is.stock, m.cheapest.keyOf(n))
	is.stock = slices.Delete(is.stock, at, at+1)
	m.stock[m.kindsOf[l.item]]--
	delete(m.places, l.entry)
	m.free = append(m.free, n)
}

// cheaper is how many of an item's listings stand before a key of the order by price.
func (m *model) cheaper(stock []uint32, k key) int {
	return sort.Search(len(stock), func(n int) bool { return m.cheapest.keyOf(stock[n]).compare(k) >= 0 })
}

// see has an item be as its row is.
func (m *model) see(i catalogue.Item) {
	kind := m.kind(i)
	// Of what thousands of items have in common one text is kept.
	i.Series, i.Rarity, i.Grader = m.kinds[kind].Series, m.kinds[kind].Rarity, m.kinds[kind].Grader
	n, ok := m.known[i.ID]
	if !ok {
		n = uint32(len(m.items))
		m.known[i.ID] = n
		m.items, m.kindsOf = append(m.items, item{i, nil}), append(m.kindsOf, kind)
		m.words.name(i.Name, n, (*postings).add)
		m.filters.Purge()
		return
	}
	was := m.items[n]
	if was.Name == i.Name && m.kindsOf[n] == kind && m.sortedAlike(&was.Item, &i) {
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
	for _, o := range m.orders {
		for _, l := range listings {
			do(o, l)
		}
	}
}

// kind is the number of an item's kind.
func (m *model) kind(i catalogue.Item) uint32 {
	of := i.Kind()
	kind, ok := m.kindOf[of]
	if !ok {
		kind = uint32(len(m.kinds))
		m.kinds, m.stock, m.kindOf[of] = append(m.kinds, of), append(m.stock, 0), kind
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
	keys, items, ranks := make([]key, len(m.items)), make([]uint32, len(m.items)), make([]uint32, len(m.items))
	for _, o := range m.byItem {
		for n := range items {
			keys[n], items[n] = sortKey(o.by, &m.items[n].Item), uint32(n)
		}
		slices.SortFunc(items, func(a, b uint32) int { return keys[a].compare(keys[b]) })
		rank := uint32(0)
		for n, item := range items {
			if n > 0 && keys[item] != keys[items[n-1]] {
				rank++
			}
			ranks[item] = rank
		}
		o.sort(byID, func(p place) uint32 { return ranks[p.item] })
	}
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
func (m *model) shown(n uint32) inventory.Entry {
	l := m.listings.at(n)
	return inventory.Entry{
		ID: l.entry.String(), ListingID: l.id.String(), SalePrice: centsOf(l.price), Owner: l.owner.String(), Vaulted: l.vaulted,
		Item: m.items[l.item].Item,
	}
}
