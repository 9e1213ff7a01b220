package index

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"kaibao/internal/db"
)

// key is the sort key of a listing: a price, a grade or 0, then a text or nothing, then the listing
// ID.
type key struct {
	number int64
	text   string
	id     db.UUID
}

func (k key) compare(other key) int {
	switch {
	case k.number != other.number:
		return cmp.Compare(k.number, other.number)
	case k.text != other.text:
		return strings.Compare(k.text, other.text)
	}
	return bytes.Compare(k.id[:], other.id[:])
}

// listingRef is a listing in an order: its number in the model, its item and its price in cents.
// Walking an order needs nothing else.
type listingRef struct{ listing, item, price uint32 }

// block is a run of consecutive listings. Each field has its own slice, because most walks read
// only items or prices, or only the counts by kind.
type block struct {
	listings, items, prices []uint32
	// kinds is the number of listings by kind, up to the highest kind present. It is nil for part
	// of a block.
	kinds []uint16
}

func (b *block) length() int { return len(b.listings) }

func (b *block) ref(n int) listingRef { return listingRef{b.listings[n], b.items[n], b.prices[n]} }

func (b *block) part(from, to int) block {
	if from == 0 && to == b.length() {
		return *b
	}
	return block{b.listings[from:to], b.items[from:to], b.prices[from:to], nil}
}

// clone returns a copy without spare capacity.
func (b block) clone() block {
	return block{slices.Clip(slices.Clone(b.listings)), slices.Clip(slices.Clone(b.items)), slices.Clip(slices.Clone(b.prices)), nil}
}

func (b *block) insert(at int, p listingRef, kind uint32) {
	b.listings, b.items, b.prices = slices.Insert(b.listings, at, p.listing), slices.Insert(b.items, at, p.item), slices.Insert(b.prices, at, p.price)
	b.count(kind)
}

func (b *block) remove(at int, kind uint32) {
	b.listings, b.items, b.prices = slices.Delete(b.listings, at, at+1), slices.Delete(b.items, at, at+1), slices.Delete(b.prices, at, at+1)
	b.kinds[kind]--
}

func (b *block) count(kind uint32) {
	if missing := int(kind) + 1 - len(b.kinds); missing > 0 {
		b.kinds = append(b.kinds, make([]uint16, missing)...)
	}
	b.kinds[kind]++
}

// countKinds returns the number of listings of the given kinds; nil = all.
func (b *block) countKinds(kinds []uint32) (number int64) {
	if kinds == nil {
		return int64(b.length())
	}
	for _, kind := range kinds {
		if int(kind) < len(b.kinds) {
			number += int64(b.kinds[kind])
		}
	}
	return number
}

// The block length balances the cost of an insert, which copies a block, against the cost of
// skipping blocks.
const (
	maxBlock    = 2048
	loadedBlock = 1792 // when loaded in bulk, to leave room to grow
)

// order holds all listings, ascending by key, in non-empty blocks.
type order struct {
	keyOf  func(listing uint32) key
	kindOf func(item uint32) uint32
	blocks []block
	length int
}

// spot is a position in an order: a block and an index in it. The end is {len(blocks), 0}.
type spot struct{ block, at int }

// load replaces the order with nth(0), nth(1) … up to the given length, which must be sorted.
func (o *order) load(length int, nth func(n int) listingRef) {
	o.blocks, o.length = nil, length
	for from := 0; from < length; from += loadedBlock {
		size := min(loadedBlock, length-from)
		b := block{listings: make([]uint32, size), items: make([]uint32, size), prices: make([]uint32, size)}
		for n := range size {
			p := nth(from + n)
			b.listings[n], b.items[n], b.prices[n] = p.listing, p.item, p.price
		}
		o.blocks = append(o.blocks, o.withKindCounts(b))
	}
}

// sort builds the order by a number, then by ID. byID must have all listings ordered by ID.
func (o *order) sort(byID []listingRef, number func(listingRef) uint32) {
	keys := make([]uint64, len(byID))
	for n, p := range byID {
		keys[n] = uint64(number(p))<<32 | uint64(n)
	}
	slices.Sort(keys)
	o.load(len(keys), func(n int) listingRef { return byID[uint32(keys[n])] })
}

// withKindCounts returns the block with its listings counted by kind.
func (o *order) withKindCounts(b block) block {
	highest := uint32(0)
	for _, item := range b.items {
		highest = max(highest, o.kindOf(item))
	}
	b.kinds = make([]uint16, highest+1)
	for _, item := range b.items {
		b.kinds[o.kindOf(item)]++
	}
	return b
}

// recountKinds counts the kinds of all blocks again, after items changed.
func (o *order) recountKinds() {
	for n := range o.blocks {
		o.blocks[n] = o.withKindCounts(o.blocks[n])
	}
}

// find returns the spot of the first listing whose key is at least k.
func (o *order) find(k key) spot {
	block, _ := slices.BinarySearchFunc(o.blocks, k, func(b block, k key) int { return o.keyOf(b.listings[len(b.listings)-1]).compare(k) })
	if block == len(o.blocks) {
		return spot{block, 0}
	}
	at, _ := slices.BinarySearchFunc(o.blocks[block].listings, k, func(listing uint32, k key) int { return o.keyOf(listing).compare(k) })
	return spot{block, at}
}

func (o *order) insert(p listingRef) {
	o.length++
	s := o.find(o.keyOf(p.listing))
	switch {
	case len(o.blocks) == 0:
		o.blocks = []block{{}}
	case s.block == len(o.blocks):
		s = spot{s.block - 1, o.blocks[s.block-1].length()}
	}
	b := &o.blocks[s.block]
	b.insert(s.at, p, o.kindOf(p.item))
	if b.length() > maxBlock {
		half := b.length() / 2
		first, second := o.withKindCounts(b.part(0, half).clone()), o.withKindCounts(b.part(half, b.length()).clone())
		o.blocks[s.block] = first
		o.blocks = slices.Insert(o.blocks, s.block+1, second)
	}
}

// remove removes a listing. Its key and its item's kind must still be those it was inserted with.
func (o *order) remove(listing uint32) {
	s := o.find(o.keyOf(listing))
	o.length--
	b := &o.blocks[s.block]
	b.remove(s.at, o.kindOf(b.items[s.at]))
	if b.length() == 0 {
		o.blocks = slices.Delete(o.blocks, s.block, s.block+1)
	}
}

// rank returns the number of listings before a spot.
func (o *order) rank(s spot) (before int) {
	for _, b := range o.blocks[:s.block] {
		before += b.length()
	}
	return before + s.at
}

// parts yields the range from one spot up to another, block by block, starting with the last block
// if back is set.
func (o *order) parts(from, to spot, back bool) iter.Seq[block] {
	part := func(n int) block {
		first, end := 0, o.blocks[n].length()
		if n == from.block {
			first = from.at
		}
		if n == to.block {
			end = to.at
		}
		return o.blocks[n].part(min(first, end), end)
	}
	last := min(to.block, len(o.blocks)-1)
	return func(yield func(block) bool) {
		for step := 0; step <= last-from.block; step++ {
			n := from.block + step
			if back {
				n = last - step
			}
			if !yield(part(n)) {
				return
			}
		}
	}
}

// end returns the spot after the last listing.
func (o *order) end() spot { return spot{len(o.blocks), 0} }

func (s spot) before(other spot) bool {
	return s.block < other.block || s.block == other.block && s.at < other.at
}
