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

// model holds all listings, each as its row was at some version. Callers must synchronize access.
type model struct {
	items        []item
	itemKinds    []uint32          // kind by item
	itemNumbers  map[string]uint32 // item number by ID
	kinds        []catalogue.Kind
	listedByKind []int64 // number of listings
	kindNumbers  map[catalogue.Kind]uint32
	words        nameIndex
	// itemCache caches the items that match recent filters. It is purged when items change.
	itemCache      *lru.Cache[catalogue.Filter, *itemMatch]
	listings       listings
	free           []uint32             // unused listing numbers
	listingNumbers map[db.UUID]uint32   // listing number by entry
	unlisted       [2]map[db.UUID]int64 // versions of entries no longer for sale: newer and older generation
	rotatedAt      time.Time            // when the generations were last rotated

	newest, cheapest *order
	byItem           []itemOrder
	orders           []*order // all of the above
}

// itemOrder is the order by an attribute of items.
type itemOrder struct {
	*order
	by *catalogue.SortKey
}

// item is an item that is or was for sale.
type item struct {
	catalogue.Item
	listings []uint32 // its listings, cheapest first, then oldest first
}

type listing struct {
	entry, id, owner     db.UUID
	version, price, item uint32
	vaulted              bool
}

// listings are numbered by arrival and stored in chunks. Growing one slice of a million listings
// took a second, during which no page could be served.
type listings [][]listing

const chunkSize = 512

func (l listings) at(n uint32) *listing { return &l[n/chunkSize][n%chunkSize] }

func (l *listings) add(added listing) (n uint32) {
	last := len(*l) - 1
	if last < 0 || len((*l)[last]) == chunkSize {
		*l = append(*l, make([]listing, 0, chunkSize))
		last++
	}
	n = uint32(last*chunkSize + len((*l)[last]))
	(*l)[last] = append((*l)[last], added)
	return n
}

func (l listings) all() iter.Seq2[uint32, *listing] {
	return func(yield func(uint32, *listing) bool) {
		for n := range l {
			for at := range l[n] {
				if !yield(uint32(n*chunkSize+at), &l[n][at]) {
					return
				}
			}
		}
	}
}

// unlistedAge is the minimum time for which the model remembers the version of an entry that is no
// longer for sale.
const unlistedAge = 30 * time.Second

func newModel() *model {
	m := &model{itemNumbers: map[string]uint32{}, kindNumbers: map[catalogue.Kind]uint32{}, listingNumbers: map[db.UUID]uint32{}}
	// lru.New fails only for a size below 1.
	m.itemCache, _ = lru.New[catalogue.Filter, *itemMatch](itemCacheSize)
	m.unlisted = [2]map[db.UUID]int64{{}, {}}
	kindOf := func(item uint32) uint32 { return m.itemKinds[item] }
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

// sortKey returns the key of an item's listings, without their IDs.
func sortKey(by *catalogue.SortKey, i *catalogue.Item) key {
	if by.Text != nil {
		return key{text: by.Text(*i)}
	}
	return key{number: by.Number(*i)}
}

// orderBy returns the order by the given attribute, or nil.
func (m *model) orderBy(by *catalogue.SortKey) *order {
	for _, o := range m.byItem {
		if o.by == by {
			return o.order
		}
	}
	return nil
}

// sameSortKeys reports whether listings of both items sort equally in every order.
func (m *model) sameSortKeys(a, b *catalogue.Item) bool {
	for _, o := range m.byItem {
		if sortKey(o.by, a) != sortKey(o.by, b) {
			return false
		}
	}
	return true
}

// version returns the version of an entry that the model has, or -1.
func (m *model) version(entry db.UUID) int64 {
	if n, ok := m.listingNumbers[entry]; ok {
		return int64(m.listings.at(n).version)
	}
	for _, generation := range m.unlisted {
		if version, ok := generation[entry]; ok {
			return version
		}
	}
	return -1
}

// rotateUnlisted rotates the generations of unlisted after unlistedAge, which drops the older one.
func (m *model) rotateUnlisted(now time.Time) {
	if now.Sub(m.rotatedAt) >= unlistedAge {
		m.unlisted[0], m.unlisted[1], m.rotatedAt = map[db.UUID]int64{}, m.unlisted[0], now
	}
}

// put stores the entry, unless the model already has this version or a newer one.
func (m *model) put(row listingRow) {
	entry, _ := db.ParseID(row.entry)
	if m.version(entry) >= row.version {
		return
	}
	if n, ok := m.listingNumbers[entry]; ok {
		m.remove(n)
	}
	if row.listing == "" {
		m.unlisted[0][entry] = row.version
		return
	}
	delete(m.unlisted[0], entry)
	delete(m.unlisted[1], entry)
	m.putItem(row.item)
	m.add(listingOf(row, m.itemNumbers[row.item.ID]))
}

func listingOf(row listingRow, item uint32) listing {
	entry, _ := db.ParseID(row.entry)
	id, _ := db.ParseID(row.listing)
	owner, _ := db.ParseID(row.owner)
	return listing{entry, id, owner, uint32(row.version), uint32(row.price), item, row.vaulted}
}

func (m *model) add(l listing) {
	var n uint32
	if last := len(m.free) - 1; last >= 0 {
		n, m.free = m.free[last], m.free[:last]
		*m.listings.at(n) = l
	} else {
		n = m.listings.add(l)
	}
	m.listingNumbers[l.entry] = n
	for _, o := range m.orders {
		o.insert(m.ref(n))
	}
	i := &m.items[l.item]
	i.listings = slices.Insert(i.listings, m.rankByPrice(i.listings, m.cheapest.keyOf(n)), n)
	m.listedByKind[m.itemKinds[l.item]]++
}

func (m *model) ref(n uint32) listingRef {
	l := m.listings.at(n)
	return listingRef{n, l.item, l.price}
}

func (m *model) remove(n uint32) {
	l := m.listings.at(n)
	for _, o := range m.orders {
		o.remove(n)
	}
	i := &m.items[l.item]
	at := m.rankByPrice(i.listings, m.cheapest.keyOf(n))
	i.listings = slices.Delete(i.listings, at, at+1)
	m.listedByKind[m.itemKinds[l.item]]--
	delete(m.listingNumbers, l.entry)
	m.free = append(m.free, n)
}

// rankByPrice returns how many of an item's listings precede the key in the order by price.
func (m *model) rankByPrice(listings []uint32, k key) int {
	return sort.Search(len(listings), func(n int) bool { return m.cheapest.keyOf(listings[n]).compare(k) >= 0 })
}

// putItem adds the item or updates it.
func (m *model) putItem(i catalogue.Item) {
	kind := m.kind(i)
	// Share the strings that thousands of items have in common.
	i.Series, i.Rarity, i.Grader = m.kinds[kind].Series, m.kinds[kind].Rarity, m.kinds[kind].Grader
	n, ok := m.itemNumbers[i.ID]
	if !ok {
		n = uint32(len(m.items))
		m.itemNumbers[i.ID] = n
		m.items, m.itemKinds = append(m.items, item{i, nil}), append(m.itemKinds, kind)
		m.words.eachWord(i.Name, n, (*postings).add)
		m.itemCache.Purge()
		return
	}
	was := m.items[n]
	if was.Name == i.Name && m.itemKinds[n] == kind && m.sameSortKeys(&was.Item, &i) {
		m.items[n].Item = i
		return
	}
	m.itemCache.Purge()
	many := len(was.listings) > len(m.listingNumbers)/20
	if !many {
		m.eachOrder(was.listings, (*order).remove)
	}
	m.words.eachWord(was.Name, n, (*postings).remove)
	m.words.eachWord(i.Name, n, (*postings).add)
	m.listedByKind[m.itemKinds[n]] -= int64(len(was.listings))
	m.listedByKind[kind] += int64(len(was.listings))
	m.items[n], m.itemKinds[n] = item{i, was.listings}, kind
	if many {
		m.newest.recountKinds()
		m.cheapest.recountKinds()
		m.sortByItem(m.byID())
		return
	}
	m.eachOrder(was.listings, func(o *order, l uint32) { o.insert(m.ref(l)) })
}

func (m *model) eachOrder(listings []uint32, do func(o *order, listing uint32)) {
	for _, o := range m.orders {
		for _, l := range listings {
			do(o, l)
		}
	}
}

// kind returns the number of the item's kind, which it assigns if needed.
func (m *model) kind(i catalogue.Item) uint32 {
	of := i.Kind()
	kind, ok := m.kindNumbers[of]
	if !ok {
		kind = uint32(len(m.kinds))
		m.kinds, m.listedByKind, m.kindNumbers[of] = append(m.kinds, of), append(m.listedByKind, 0), kind
	}
	return kind
}

// build creates the indexes from the listings and items that were read.
func (m *model) build() {
	var background sync.WaitGroup // half of the work runs on another processor
	background.Go(func() {
		m.listingNumbers = make(map[db.UUID]uint32, len(m.listings)*chunkSize)
		for n, l := range m.listings.all() {
			m.listingNumbers[l.entry] = n
		}
	})
	m.sortByID()
	byID := m.byID()
	background.Go(func() { m.sortByItem(byID) })
	m.cheapest.sort(byID, func(p listingRef) uint32 { return p.price })
	m.assignListings()
	background.Wait()
}

// sortByID builds the order by age: listing IDs ascend with time.
func (m *model) sortByID() {
	type idPrefix struct {
		id      uint64 // first 8 bytes, which are rarely equal
		listing uint32
	}
	byID := make([]idPrefix, 0, len(m.listings)*chunkSize)
	for n, l := range m.listings.all() {
		byID = append(byID, idPrefix{binary.BigEndian.Uint64(l.id[:]), n})
	}
	slices.SortFunc(byID, func(a, b idPrefix) int {
		if a.id != b.id {
			return cmp.Compare(a.id, b.id)
		}
		return m.newest.keyOf(a.listing).compare(m.newest.keyOf(b.listing))
	})
	m.newest.load(len(byID), func(n int) listingRef { return m.ref(byID[n].listing) })
}

// assignListings assigns each item its listings, ordered by price.
func (m *model) assignListings() {
	counts, shared := make([]int, len(m.items)), make([]uint32, m.cheapest.length)
	for _, l := range m.listings.all() {
		counts[l.item]++
	}
	for n, number := range counts {
		m.items[n].listings, shared = shared[:0:number], shared[number:]
		m.listedByKind[m.itemKinds[n]] += int64(number)
	}
	for part := range m.cheapest.parts(spot{}, m.cheapest.end(), false) {
		for n, number := range part.items {
			i := &m.items[number]
			i.listings = append(i.listings, part.listings[n])
		}
	}
}

// sortByItem builds the orders by item attributes.
func (m *model) sortByItem(byID []listingRef) {
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
		o.sort(byID, func(p listingRef) uint32 { return ranks[p.item] })
	}
}

// byID returns all listings ordered by ID.
func (m *model) byID() []listingRef {
	all := make([]listingRef, 0, m.newest.length)
	for _, b := range m.newest.blocks {
		for n := range b.length() {
			all = append(all, b.ref(n))
		}
	}
	return all
}

// entry returns the listing as an entry.
func (m *model) entry(n uint32) inventory.Entry {
	l := m.listings.at(n)
	return inventory.Entry{
		ID: l.entry.String(), ListingID: l.id.String(), SalePrice: centsOf(l.price), Owner: l.owner.String(), Vaulted: l.vaulted,
		Item: m.items[l.item].Item,
	}
}
