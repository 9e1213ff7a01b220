package index

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strings"

	"kaibao/internal/db"
)

// key is what listings are ordered by: a price, a grade or nothing, then a name or nothing,
// then the listing's id.
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

// place is a listing in an order: where the model has it, its item and its price in cents, so
// that walking an order looks at nothing else.
type place struct{ listing, item, price uint32 }

// block is some places that follow each other. What they are made of lies apart, as a walk
// of a million asks most of them for their items only, or for their prices, and where only
// kinds are asked for, for none of them.
type block struct {
	listings, items, prices []uint32
	kinds                   []uint16 // how many of each kind, as far as any; nil of a part
}

func (b *block) length() int { return len(b.listings) }

func (b *block) place(n int) place { return place{b.listings[n], b.items[n], b.prices[n]} }

func (b *block) part(from, to int) block {
	if from == 0 && to == b.length() {
		return *b
	}
	return block{b.listings[from:to], b.items[from:to], b.prices[from:to], nil}
}

// copied is the part with nothing to spare.
func (b block) copied() block {
	return block{slices.Clip(slices.Clone(b.listings)), slices.Clip(slices.Clone(b.items)), slices.Clip(slices.Clone(b.prices)), nil}
}

func (b *block) insert(at int, p place, kind uint32) {
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

// of is how many places there are of some kinds, nil = of any.
func (b *block) of(kinds []uint32) (number int64) {
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

// Blocks are as long as one is copied in a moment, and skipped in another.
const (
	longestBlock = 2048
	loadedBlock  = 1792 // of an order that is made at once: they may grow
)

// order is all listings, ascending by a key, in blocks of which none is empty.
type order struct {
	keyOf  func(listing uint32) key
	kindOf func(item uint32) uint32
	blocks []block
	length int
}

// spot is a place's block and its index there; behind the last one it is {len(blocks), 0}.
type spot struct{ block, at int }

// load makes the order of so many places, told one after the other.
func (o *order) load(length int, nth func(n int) place) {
	o.blocks, o.length = nil, length
	for from := 0; from < length; from += loadedBlock {
		size := min(loadedBlock, length-from)
		b := block{listings: make([]uint32, size), items: make([]uint32, size), prices: make([]uint32, size)}
		for n := range size {
			p := nth(from + n)
			b.listings[n], b.items[n], b.prices[n] = p.listing, p.item, p.price
		}
		o.blocks = append(o.blocks, o.counted(b))
	}
}

// sort makes the order of all listings, in the order of their ids, by a number and then by those.
func (o *order) sort(byID []place, number func(place) uint32) {
	keys := make([]uint64, len(byID))
	for n, p := range byID {
		keys[n] = uint64(number(p))<<32 | uint64(n)
	}
	slices.Sort(keys)
	o.load(len(keys), func(n int) place { return byID[uint32(keys[n])] })
}

// counted is a block with its kinds counted.
func (o *order) counted(b block) block {
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

// recount counts kinds anew, after items became others.
func (o *order) recount() {
	for n := range o.blocks {
		o.blocks[n] = o.counted(o.blocks[n])
	}
}

// find is the spot of the first listing whose key is not less than k.
func (o *order) find(k key) spot {
	block, _ := slices.BinarySearchFunc(o.blocks, k, func(b block, k key) int { return o.keyOf(b.listings[len(b.listings)-1]).compare(k) })
	if block == len(o.blocks) {
		return spot{block, 0}
	}
	at, _ := slices.BinarySearchFunc(o.blocks[block].listings, k, func(listing uint32, k key) int { return o.keyOf(listing).compare(k) })
	return spot{block, at}
}

func (o *order) insert(p place) {
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
	if b.length() > longestBlock {
		half := b.length() / 2
		first, second := o.counted(b.part(0, half).copied()), o.counted(b.part(half, b.length()).copied())
		o.blocks[s.block] = first
		o.blocks = slices.Insert(o.blocks, s.block+1, second)
	}
}

// remove takes a listing out, whose key is still what it was, and whose item is of the kind
// that it was.
func (o *order) remove(listing uint32) {
	s := o.find(o.keyOf(listing))
	o.length--
	b := &o.blocks[s.block]
	b.remove(s.at, o.kindOf(b.items[s.at]))
	if b.length() == 0 {
		o.blocks = slices.Delete(o.blocks, s.block, s.block+1)
	}
}

// rank is how many listings stand before a spot.
func (o *order) rank(s spot) (before int) {
	for _, b := range o.blocks[:s.block] {
		before += b.length()
	}
	return before + s.at
}

// parts are what stands from one spot to before another, block by block, from the end on if
// they are asked for backwards.
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

// end is the spot behind the last listing.
func (o *order) end() spot { return spot{len(o.blocks), 0} }

func (s spot) before(other spot) bool {
	return s.block < other.block || s.block == other.block && s.at < other.at
}
