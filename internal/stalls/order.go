package stalls

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
	return cmp.Or(cmp.Compare(k.number, other.number), strings.Compare(k.text, other.text), bytes.Compare(k.id[:], other.id[:]))
}

// place is a listing in an order: where the model has it, its item and its price in cents, so
// that walking an order looks at nothing else.
type place struct{ listing, item, price uint32 }

// block is some places that follow each other. What they are made of lies apart, as a walk
// of a million asks most of them for their items only, or for their prices.
type block struct{ listings, items, prices []uint32 }

func (b block) length() int { return len(b.listings) }

func (b block) place(n int) place { return place{b.listings[n], b.items[n], b.prices[n]} }

func (b block) part(from, to int) block {
	return block{b.listings[from:to], b.items[from:to], b.prices[from:to]}
}

func (b block) insert(at int, p place) block {
	return block{slices.Insert(b.listings, at, p.listing), slices.Insert(b.items, at, p.item), slices.Insert(b.prices, at, p.price)}
}

func (b block) remove(at int) block {
	return block{slices.Delete(b.listings, at, at+1), slices.Delete(b.items, at, at+1), slices.Delete(b.prices, at, at+1)}
}

func blockOf(places []place) block {
	b := block{make([]uint32, len(places)), make([]uint32, len(places)), make([]uint32, len(places))}
	for n, p := range places {
		b.listings[n], b.items[n], b.prices[n] = p.listing, p.item, p.price
	}
	return b
}

// copied is the block with nothing to spare.
func (b block) copied() block {
	return block{slices.Clip(slices.Clone(b.listings)), slices.Clip(slices.Clone(b.items)), slices.Clip(slices.Clone(b.prices))}
}

// Blocks are as long as one is copied in a moment, and skipped in another.
const (
	longestBlock = 2048
	loadedBlock  = 1792 // of an order that is made at once: they may grow
)

// order is all listings, ascending by a key, in blocks of which none is empty.
type order struct {
	keyOf  func(listing uint32) key
	blocks []block
	length int
}

// spot is a place's block and its index there; behind the last one it is {len(blocks), 0}.
type spot struct{ block, at int }

// load makes the order of places that are in order.
func (o *order) load(sorted []place) {
	o.blocks, o.length = nil, len(sorted)
	for part := range slices.Chunk(sorted, loadedBlock) {
		o.blocks = append(o.blocks, blockOf(part))
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
	if len(o.blocks) == 0 {
		o.blocks = []block{blockOf([]place{p})}
		return
	}
	s := o.find(o.keyOf(p.listing))
	if s.block == len(o.blocks) {
		s = spot{s.block - 1, o.blocks[s.block-1].length()}
	}
	b := o.blocks[s.block].insert(s.at, p)
	o.blocks[s.block] = b
	if b.length() > longestBlock {
		half := b.length() / 2
		o.blocks[s.block] = b.part(0, half).copied()
		o.blocks = slices.Insert(o.blocks, s.block+1, b.part(half, b.length()).copied())
	}
}

// remove takes a listing out, whose key is still what it was.
func (o *order) remove(listing uint32) {
	s := o.find(o.keyOf(listing))
	o.length--
	o.blocks[s.block] = o.blocks[s.block].remove(s.at)
	if o.blocks[s.block].length() == 0 {
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

// at is the spot before which so many listings stand.
func (o *order) at(rank int) spot {
	for n, b := range o.blocks {
		if rank < b.length() {
			return spot{n, rank}
		}
		rank -= b.length()
	}
	return spot{len(o.blocks), 0}
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

// skip leaves out so many listings at the beginning of a walk.
func (o *order) skip(from, to spot, number int, back bool) (spot, spot) {
	if number == 0 {
		return from, to
	}
	if back {
		return from, o.at(max(o.rank(to)-number, o.rank(from)))
	}
	return o.at(min(o.rank(from)+number, o.rank(to))), to
}
