package bids

import (
	"cmp"
	"slices"

	"kaibao/internal/db"
	"kaibao/internal/money"
)

// Query asks for the best bids of some scopes, for an item value.
type Query struct {
	Keys   []string // of the scopes
	Value  money.Cents
	Except string // a user whose bids are ignored
	Limit  int    // how many bids to find
}

// stream is the bids of one scope and one percentage, as far as they have been read. Their order
// doesn't depend on an item's value.
type stream struct {
	bids  []Bid
	ended bool // no bids are left to read
}

// streams holds the streams by scope key and percentage.
type streams map[string]map[money.Percent]*stream

// Each stream starts with readFirst bids. As long as it may contain a better bid, each round reads
// readGrowth times as many bids as the round before.
const (
	readFirst  = 4
	readGrowth = 4
)

// Best returns the best open bids for each query, and others read on the way. It takes no lock, so
// callers must check a bid again after locking it. However many bids exist, it reads only a few per
// percentage and scope, plus those that expired but haven't been ended yet.
func Best(tx *db.Tx, queries []Query) (all []Bid, err error) {
	var keys []string
	for _, q := range queries {
		keys = append(keys, q.Keys...)
	}
	read := streams{}
	found, err := TopBids(tx, keys, readFirst)
	for number := readFirst; err == nil && len(found) > 0; number *= readGrowth {
		all = append(all, found...)
		read.add(found, number)
		found, err = nextAfter(tx, read.unfinished(queries), number*readGrowth)
	}
	return all, err
}

// add adds the bids that were read. number is the limit per stream: a stream that returned fewer
// has ended.
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
		slices.SortFunc(of.bids, compareInStream)
	}
}

// compareInStream compares two bids of one stream.
func compareInStream(a, b Bid) int {
	return cmp.Or(cmp.Compare(b.Price.Max, a.Price.Max), cmp.Compare(a.Place, b.Place))
}

// unfinished returns the last bid read of every stream that may still have better bids.
func (s streams) unfinished(queries []Query) (last []string) {
	for _, q := range queries {
		cutoff := s.cutoff(q)
		for _, key := range q.Keys {
			for _, of := range s[key] {
				b := of.bids[len(of.bids)-1]
				if !of.ended && (cutoff.ID == "" || Compare(b, cutoff, q.Value) < 0) {
					last = append(last, b.ID)
				}
			}
		}
	}
	slices.Sort(last)
	return slices.Compact(last)
}

// cutoff returns the last of the best q.Limit bids read so far, or a zero bid if there are fewer.
func (s streams) cutoff(q Query) Bid {
	var all []*Bid
	for _, key := range q.Keys {
		for _, of := range s[key] {
			for n := range of.bids {
				if of.bids[n].User != q.Except {
					all = append(all, &of.bids[n])
				}
			}
		}
	}
	if len(all) < q.Limit {
		return Bid{}
	}
	slices.SortFunc(all, func(a, b *Bid) int { return Compare(*a, *b, q.Value) })
	return *all[q.Limit-1]
}
