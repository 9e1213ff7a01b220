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

// Blocks are as long as one is copied in a moment, and skipped in another.
const (
	longestBlock = 512
	loadedBlock  = 448 // of an order that is made at once: they may grow
)

// order is all listings, ascending by a key, in blocks of which none is empty.
type order struct {
	keyOf  func(listing uint32) key
	blocks [][]place
	length int
}

// spot is a place's block and its index there; behind the last one it is {len(blocks), 0}.
type spot struct{ block, at int }

// load makes the order of places that are in order.
func (o *order) load(sorted []place) {
	o.blocks, o.length = nil, len(sorted)
	for part := range slices.Chunk(sorted, loadedBlock) {
		o.blocks = append(o.blocks, slices.Clip(slices.Clone(part)))
	}
}

// find is the spot of the first listing whose key is not less than k.
func (o *order) find(k key) spot {
	block, _ := slices.BinarySearchFunc(o.blocks, k, func(b []place, k key) int { return o.keyOf(b[len(b)-1].listing).compare(k) })
	if block == len(o.blocks) {
		return spot{block, 0}
	}
	at, _ := slices.BinarySearchFunc(o.blocks[block], k, func(p place, k key) int { return o.keyOf(p.listing).compare(k) })
	return spot{block, at}
}

func (o *order) insert(p place) {
	o.length++
	if len(o.blocks) == 0 {
		o.blocks = [][]place{{p}}
		return
	}
	s := o.find(o.keyOf(p.listing))
	if s.block == len(o.blocks) {
		s = spot{s.block - 1, len(o.blocks[s.block-1])}
	}
	b := slices.Insert(o.blocks[s.block], s.at, p)
	o.blocks[s.block] = b
	if len(b) > longestBlock {
		o.blocks[s.block] = slices.Clip(slices.Clone(b[:len(b)/2]))
		o.blocks = slices.Insert(o.blocks, s.block+1, slices.Clip(slices.Clone(b[len(b)/2:])))
	}
}

// remove takes a listing out, whose key is still what it was.
func (o *order) remove(listing uint32) {
	s := o.find(o.keyOf(listing))
	o.length--
	o.blocks[s.block] = slices.Delete(o.blocks[s.block], s.at, s.at+1)
	if len(o.blocks[s.block]) == 0 {
		o.blocks = slices.Delete(o.blocks, s.block, s.block+1)
	}
}

// rank is how many listings stand before a spot.
func (o *order) rank(s spot) (before int) {
	for _, b := range o.blocks[:s.block] {
		before += len(b)
	}
	return before + s.at
}

// at is the spot before which so many listings stand.
func (o *order) at(rank int) spot {
	for n, b := range o.blocks {
		if rank < len(b) {
			return spot{n, rank}
		}
		rank -= len(b)
	}
	return spot{len(o.blocks), 0}
}

// parts are what stands from one spot to before another, block by block, from the end on if
// they are asked for backwards.
func (o *order) parts(from, to spot, back bool) iter.Seq[[]place] {
	part := func(n int) []place {
		first, end := 0, len(o.blocks[n])
		if n == from.block {
			first = from.at
		}
		if n == to.block {
			end = to.at
		}
		return o.blocks[n][min(first, end):end]
	}
	last := min(to.block, len(o.blocks)-1)
	return func(yield func([]place) bool) {
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
