package packs

import (
	"slices"
	"sync"

	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// storeFigures are what the store says about a pack. They depend on the manifest and on which cards are
// in stock, not on how many of each are left, as a draw picks each candidate with the same chance.
type storeFigures struct {
	cards           []protocol.CardChance // that the next draw can yield, in the order of protocol.CompareCards
	beatsPrice      float64               // chance that an open is worth at least its price
	averageSellBack money.Cents           // expected sell-back of an open
	buckets         []Bucket
	median          money.Cents // half of the opens are worth at least this
	approximate     bool
}

// figuresCache keeps each pack's figures until its manifest or the set of its cards in stock
// changes.
type figuresCache struct {
	mutex sync.Mutex
	packs map[string]cachedFigures
}

type cachedFigures struct {
	manifest  Hash
	cardsLeft string               // the finite cards in stock
	compute   func() *storeFigures // computes the figures when it is first called; concurrent callers wait
}

// figuresOf returns the pack's figures for the manifest in force and the current stock.
func (s *Service) figuresOf(p *LivePack) *storeFigures {
	return s.cachedFigures(p).compute()
}

// cachedFigures returns the pack's entry of the cache, which may not be computed yet: the mutex must
// not be held for as long as a large manifest takes.
func (s *Service) cachedFigures(p *LivePack) cachedFigures {
	left := p.finiteCardsLeft()
	s.figures.mutex.Lock()
	defer s.figures.mutex.Unlock()
	cached, ok := s.figures.packs[p.ID]
	if ok && cached.manifest == p.Current.Hash && cached.cardsLeft == left {
		return cached
	}
	if s.figures.packs == nil {
		s.figures.packs = map[string]cachedFigures{}
	}
	m, stock := p.Current.Manifest, p.Stock
	cached = cachedFigures{p.Current.Hash, left, sync.OnceValue(func() *storeFigures { return newStoreFigures(m, stock) })}
	s.figures.packs[p.ID] = cached
	return cached
}

// finiteCardsLeft returns a bit set of the manifest's cards: 1 for each finite card in stock.
func (p *LivePack) finiteCardsLeft() string {
	if !p.Current.Manifest.Finite() {
		return ""
	}
	var bits []byte
	n := 0
	for _, tier := range p.Current.Manifest.Tiers {
		for _, card := range tier.Cards {
			if n%8 == 0 {
				bits = append(bits, 0)
			}
			left, counted := p.Stock[card.ID]
			if !counted {
				left = card.Stock
			}
			if card.Finite() && left > 0 {
				bits[n/8] |= 1 << (n % 8)
			}
			n++
		}
	}
	return string(bits)
}

// newStoreFigures computes the figures of an open. The cards of one open count as independent draws on
// the given stock, which is exact unless one of them can run out within the open.
func newStoreFigures(m *protocol.Manifest, stock protocol.Stock) *storeFigures {
	f := &storeFigures{cards: protocol.Chances(m, stock), buckets: []Bucket{}, approximate: m.Items > 1 && m.Finite()}
	f.averageSellBack = protocol.ExpectedValueBy(m, stock, func(c protocol.Card) money.Cents { return policy.SellBack(c.Value) })
	if len(f.cards) == 0 {
		return f
	}
	edges := bucketEdges(m.Price)
	steps := money.Cents(maxSteps)
	if m.Finite() {
		steps = maxStepsFinite
	}
	d := newDistribution(f.cards, m.Items, max(m.Price, edges[len(edges)-1]), steps)
	f.approximate = f.approximate || d.unit > 1
	f.beatsPrice = d.chanceOfAtLeast(m.Price)
	f.median = d.median()
	f.buckets = d.buckets(edges)
	return f
}

const (
	maxBucketsPerPrice = 10 // buckets between 0 and the price
	maxBucketPrices    = 4  // the last bucket is open-ended and starts below 4 times the price
)

// bucketEdges returns the lower edges of the buckets of a pack's distribution, ascending from 0. The
// price is one of them. Where possible, all buckets but the last have the same width.
func bucketEdges(price money.Cents) []money.Cents {
	perPrice := money.Cents(maxBucketsPerPrice)
	for n := perPrice; n >= maxBucketsPerPrice/2; n-- { // the largest divisor of the price from 10 down to 5
		if price%n == 0 {
			perPrice = n
			break
		}
	}
	var edges []money.Cents
	for n := range perPrice * maxBucketPrices {
		edges = append(edges, price*n/perPrice)
	}
	return slices.Compact(edges)
}
