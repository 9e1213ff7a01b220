package main

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
)

// series is a series of graded cards in the demo catalogue.
type series struct {
	name   string
	file   string // base name of its list and its data file
	prefix string // of item ids
	size   int
	top    int64 // value of its most expensive card in cents; 0 = determined by the bands
	bands  []band
}

var allSeries = []series{
	{"One Piece", "one_piece", "opc", 96, 214950, seriesBands},
	{"Baseball", "baseball", "bsb", 176, 248000, seriesBands},
	{"Basketball", "basketball", "bsk", 168, 289900, seriesBands},
	{"Football", "football", "fbl", 171, 239500, seriesBands},
	{"Soccer", "soccer", "scr", 190, 262550, seriesBands},
	{"Pokemon", "pokemon", "pkm", 179, 299999, seriesBands},
	{"Starter", "starter", "starter", 40, 0, starterBands},
}

// slab is a graded copy of a card. Its score orders the copies of a series by value.
type slab struct {
	card    card
	grading grading
	score   float64
}

// items returns the series' catalogue entries in list order.
func (s series) items(certs *certificates) ([]item, error) {
	cards, err := readList(s.file)
	if err != nil {
		return nil, err
	}
	r := seeded(s.name)
	slabs, err := s.slabs(r, cards)
	if err != nil {
		return nil, err
	}
	items := make([]item, len(slabs))
	for i, sl := range slabs {
		items[i] = item{
			ID:         fmt.Sprintf("%s-%03d", s.prefix, i+1),
			Name:       sl.name(),
			Series:     s.name,
			Grade:      sl.grading.grade,
			Grader:     sl.grading.grader,
			CertNumber: certs.next(r, sl.grading.grader),
			Set:        sl.card.fullSet(),
			SetNumber:  sl.card.number,
		}
	}
	s.appraise(r, slabs, items)
	return items, nil
}

// seeded returns the random generator of one part of the catalogue, so that a change in one part
// doesn't affect others.
func seeded(part string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(part))
	return rand.New(rand.NewPCG(h.Sum64(), 0x6b616962616f))
}

// slabs grades one copy of every card, then more copies of the cards in highest demand, until the
// series is full.
func (s series) slabs(r *rand.Rand, cards []card) ([]slab, error) {
	if len(cards) > s.size {
		return nil, fmt.Errorf("%d cards for %d entries", len(cards), s.size)
	}
	copies := make([]int, len(cards))
	byDemand := slices.Clone(cards)
	slices.SortStableFunc(byDemand, func(a, b card) int { return cmp.Compare(b.demand, a.demand) })
	index := map[card]int{}
	for i, c := range cards {
		index[c] = i
	}
	for n := range s.size {
		copies[index[byDemand[n%len(byDemand)]]]++
	}
	var slabs []slab
	for i, c := range cards {
		graded, err := gradeCopies(r, c, copies[i])
		if err != nil {
			return nil, err
		}
		slabs = append(slabs, graded...)
	}
	return slabs, nil
}

// gradeCopies returns n differently graded copies of a card, best first.
func gradeCopies(r *rand.Rand, c card, n int) ([]slab, error) {
	e := eraOf(c.year)
	noise := float64(6 * r.Float64()) // the same for all copies: a better grade of a card is never worth less
	used := map[grading]bool{}
	var slabs []slab
	for range n {
		g, ok := e.pickGrading(r, used)
		if !ok {
			return nil, fmt.Errorf("no grade left for %s #%s", c.set, c.number)
		}
		used[g] = true
		slabs = append(slabs, slab{c, g, float64(c.demand) + noise - float64(e.lossRate*g.scoreLoss)})
	}
	slices.SortFunc(slabs, func(a, b slab) int { return cmp.Compare(b.score, a.score) })
	return slabs, nil
}

// name returns the full name of an entry: year set #number player variant grader grade words.
func (s slab) name() string {
	name := fmt.Sprintf("%s #%s %s", s.card.fullSet(), s.card.number, s.card.player)
	if s.card.variant != "" {
		name += " " + s.card.variant
	}
	return name + " " + s.grading.String()
}

// appraise sets each item's value and rarity by the rank of its slab.
func (s series) appraise(r *rand.Rand, slabs []slab, items []item) {
	rank := make([]int, len(slabs))
	for i := range rank {
		rank[i] = i
	}
	slices.SortStableFunc(rank, func(a, b int) int { return cmp.Compare(slabs[a].score, slabs[b].score) })
	next := 0
	for b, n := range counts(s.bands, len(items)) {
		for i := range n {
			it := &items[rank[next]]
			it.BaseValueCents = s.bands[b].value(r, i, n)
			it.Rarity = s.bands[b].rarity
			next++
		}
	}
	if s.top > 0 {
		items[rank[len(rank)-1]].BaseValueCents = s.top
	}
}
