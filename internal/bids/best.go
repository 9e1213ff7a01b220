package bids

import (
	"cmp"
	"slices"

	"kaibao/internal/db"
	"kaibao/internal/money"
)

// Query says for what the best bids are looked for: something that is worth a value and lies
// under some keys.
type Query struct {
	Keys  []string
	Value money.Cents
	Not   string // a user whose own bids do not count
	Most  int    // how many
}

// stream is what was read of the bids of one scope by one per cent. Their order is the same
// whatever an item is worth.
type stream struct {
	bids  []Bid
	ended bool // there are no more
}

// streams are those of scopes, by their keys.
type streams map[string]map[money.Percent]*stream

// How many bids of each stream are read at first, and how many times as many each time
// after that, of those in which better ones may be left.
const (
	readFirst = 4
	readMore  = 4
)

// Best reads for each of some looks the best bids that stand, and more. It locks nothing; who
// takes one looks again under its lock. However many bids there are, it reads a few of each
// per cent of each scope, little more than what is asked for, and those that are over and
// not ended yet.
func Best(tx *db.Tx, looks []Query) (all []Bid, err error) {
	var keys []string
	for _, l := range looks {
		keys = append(keys, l.Keys...)
	}
	read := streams{}
	found, err := Candidates(tx, keys, readFirst)
	for number := readFirst; err == nil && len(found) > 0; number *= readMore {
		all = append(all, found...)
		read.add(found, number)
		found, err = behind(tx, read.unfinished(looks), number*readMore)
	}
	return all, err
}

// add takes in what was read, up to a number of each stream that may matter still.
func (s streams) add(found []Bid, number int) {
	fresh := map[*stream]int{}
	for _, b := range found {
		key := b.Scope.Key()
		if s[key] == nil {
			s[key] = map[money.Percent]*stream{}
		}
		if s[key][b.Price.Peg] == nil {
			s[key][b.Price.Peg] = &stream{}
		}
		of := s[key][b.Price.Peg]
		of.bids = append(of.bids, b)
		fresh[of]++
	}
	for _, pegs := range s {
		for _, of := range pegs {
			of.ended = fresh[of] < number
		}
	}
	for of := range fresh {
		slices.SortFunc(of.bids, inStream)
	}
}

// inStream compares bids of a stream.
func inStream(a, b Bid) int {
	return cmp.Or(cmp.Compare(b.Price.Most, a.Price.Most), cmp.Compare(a.Place, b.Place))
}

// unfinished are the last bids that were read of the streams in which better ones may be
// left.
func (s streams) unfinished(looks []Query) (last []string) {
	for _, l := range looks {
		beaten := s.beaten(l)
		for _, key := range l.Keys {
			for _, of := range s[key] {
				b := of.bids[len(of.bids)-1]
				if !of.ended && (beaten.ID == "" || Compare(b, beaten, l.Value) < 0) {
					last = append(last, b.ID)
				}
			}
		}
	}
	slices.Sort(last)
	return slices.Compact(last)
}

// beaten is the last of the bids that are looked for, as far as they have been read; the zero
// one where they are fewer.
func (s streams) beaten(l Query) Bid {
	var all []*Bid
	for _, key := range l.Keys {
		for _, of := range s[key] {
			for n := range of.bids {
				if of.bids[n].User != l.Not {
					all = append(all, &of.bids[n])
				}
			}
		}
	}
	if len(all) < l.Most {
		return Bid{}
	}
	slices.SortFunc(all, func(a, b *Bid) int { return Compare(*a, *b, l.Value) })
	return *all[l.Most-1]
}
