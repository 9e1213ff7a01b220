package packs

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"kaibao/internal/houserules"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// possibleOpen is the value of an open and its exact chance.
type possibleOpen struct {
	value, sellBack money.Cents
	chance          *big.Rat
}

// exactChances computes each card's chance by the rules of the draw (docs/fairness.md), in fractions.
func exactChances(m *protocol.Manifest, stock protocol.Stock) map[string]*big.Rat {
	inStock := func(cards []protocol.Card) (left []protocol.Card) {
		for _, card := range cards {
			number, counted := stock[card.ID]
			if !counted {
				number = card.Stock
			}
			if !card.Finite() || number > 0 {
				left = append(left, card)
			}
		}
		return left
	}
	var all []protocol.Card
	total := new(big.Int)
	for _, tier := range m.Tiers {
		all = append(all, inStock(tier.Cards)...)
		total.Add(total, new(big.Int).SetUint64(tier.Weight))
	}
	chances := map[string]*big.Rat{}
	for n, tier := range m.Tiers {
		from := inStock(tier.Cards)
		for lower := n - 1; len(from) == 0 && lower >= 0; lower-- {
			if m.Tiers[lower].Weight > 0 {
				from = inStock(m.Tiers[lower].Cards)
			}
		}
		if len(from) == 0 {
			from = all
		}
		for _, card := range from {
			if chances[card.ID] == nil {
				chances[card.ID] = new(big.Rat)
			}
			each := new(big.Rat).SetFrac(new(big.Int).SetUint64(tier.Weight), total)
			chances[card.ID].Add(chances[card.ID], each.Quo(each, new(big.Rat).SetInt64(int64(len(from)))))
		}
	}
	return chances
}

// everyOpen lists every sequence of cards that an open can yield, each card by the given chances.
func everyOpen(m *protocol.Manifest, chances map[string]*big.Rat) []possibleOpen {
	opens := []possibleOpen{{chance: big.NewRat(1, 1)}}
	for range m.Items {
		var next []possibleOpen
		for _, open := range opens {
			for _, tier := range m.Tiers {
				for _, card := range tier.Cards {
					if chance := chances[card.ID]; chance != nil && chance.Sign() > 0 {
						next = append(next, possibleOpen{open.value + card.Value, open.sellBack + policy.SellBack(card.Value), new(big.Rat).Mul(open.chance, chance)})
					}
				}
			}
		}
		opens = next
	}
	slices.SortFunc(opens, func(a, b possibleOpen) int { return int(a.value - b.value) })
	return opens
}

// chanceOfAtLeast returns a function that adds up the chances of the opens that are worth at least a
// value. opens are sorted by value.
func chanceOfAtLeast(opens []possibleOpen) func(value money.Cents) *big.Rat {
	sums := []*big.Rat{new(big.Rat)} // of the last n opens
	for _, open := range slices.Backward(opens) {
		sums = append(sums, new(big.Rat).Add(sums[len(sums)-1], open.chance))
	}
	return func(value money.Cents) *big.Rat {
		below, _ := slices.BinarySearchFunc(opens, value, func(o possibleOpen, value money.Cents) int { return int(o.value - value) })
		return sums[len(opens)-below]
	}
}

func near(got float64, want *big.Rat) bool {
	exact, _ := want.Float64()
	return math.Abs(got-exact) < 1e-12
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkFigures compares a pack's figures with every open that it can yield.
func checkFigures(t fataler, m *protocol.Manifest, stock protocol.Stock) {
	t.Helper()
	f, chances := newStoreFigures(m, stock), exactChances(m, stock)
	sum, drawable := 0.0, 0
	for _, chance := range chances {
		if chance.Sign() > 0 {
			drawable++
		}
	}
	for n, card := range f.cards {
		if chances[card.ID] == nil || !near(card.Chance, chances[card.ID]) {
			t.Fatalf("the chance of %s is %v, want %v", card.ID, card.Chance, chances[card.ID])
		}
		if n > 0 && protocol.CompareCards(f.cards[n-1].Card, card.Card) >= 0 {
			t.Fatalf("card %s isn't in order", card.ID)
		}
		sum += card.Chance
	}
	if len(f.cards) != drawable {
		t.Fatalf("%d cards, want %d", len(f.cards), drawable)
	}
	if drawable == 0 {
		if f.beatsPrice != 0 || f.averageSellBack != 0 || f.median != 0 || len(f.buckets) != 0 {
			t.Fatalf("a pack without cards has figures: %+v", f)
		}
		return
	}
	if math.Abs(sum-1) > 1e-12 {
		t.Fatalf("the chances add up to %v", sum)
	}
	checkDistribution(t, m, f, everyOpen(m, chances))
}

func checkDistribution(t fataler, m *protocol.Manifest, f *storeFigures, opens []possibleOpen) {
	t.Helper()
	atLeast := chanceOfAtLeast(opens)
	if want := atLeast(m.Price); !near(f.beatsPrice, want) {
		t.Fatalf("the chance to beat the price is %v, want %v", f.beatsPrice, want.FloatString(15))
	}
	averageSellBack := new(big.Rat)
	for _, open := range opens {
		averageSellBack.Add(averageSellBack, new(big.Rat).Mul(open.chance, new(big.Rat).SetInt64(int64(open.sellBack))))
	}
	if want, _ := averageSellBack.Float64(); math.Abs(float64(f.averageSellBack)-want) > 0.5+1e-6 {
		t.Fatalf("selling back returns %d, want %v", f.averageSellBack, want)
	}
	rounding := big.NewRat(1, 1e11)
	half := big.NewRat(1, 2)
	if atLeast(f.median).Cmp(new(big.Rat).Sub(half, rounding)) < 0 || atLeast(f.median+1).Cmp(new(big.Rat).Add(half, rounding)) >= 0 {
		t.Fatalf("%d isn't the median", f.median)
	}
	if len(f.buckets) == 0 || len(f.buckets) > 40 {
		t.Fatalf("%d buckets", len(f.buckets))
	}
	sum := 0.0
	for n, b := range f.buckets {
		want := atLeast(b.LowCents)
		if b.HighCents > 0 {
			want = new(big.Rat).Sub(want, atLeast(b.HighCents))
		}
		if !near(b.Chance, want) {
			t.Fatalf("bucket %d to %d has chance %v, want %v", b.LowCents, b.HighCents, b.Chance, want.FloatString(15))
		}
		if n > 0 && f.buckets[n-1].HighCents != b.LowCents {
			t.Fatalf("there is a gap before bucket %d", b.LowCents)
		}
		sum += b.Chance
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Fatalf("the buckets' chances add up to %v", sum)
	}
	first, last := f.buckets[0], f.buckets[len(f.buckets)-1]
	if first.LowCents < m.Price && (last.HighCents == 0 || last.HighCents > m.Price) &&
		!slices.ContainsFunc(f.buckets, func(b Bucket) bool { return b.LowCents == m.Price }) {
		t.Fatalf("the price %d isn't the edge of a bucket: %v", m.Price, f.buckets)
	}
}

// randomManifest makes a manifest with few cards, so that every open can be listed, and a stock with
// which some of them, or a whole tier, are often sold out.
func randomManifest(t *rapid.T) (*protocol.Manifest, protocol.Stock) {
	m := &protocol.Manifest{Pack: "p", Name: "Pack", Price: money.Cents(rapid.Int64Range(1, 3000).Draw(t, "price")), Items: rapid.IntRange(1, 5).Draw(t, "items")}
	stock, finite := protocol.Stock{}, rapid.Bool().Draw(t, "finite")
	values := rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, 2000), rapid.Int64Range(0, 100_000))
	cards := 0
	for n := range rapid.IntRange(1, 4).Draw(t, "tiers") {
		tier := protocol.Tier{Weight: rapid.OneOf(rapid.Uint64Range(0, 5), rapid.Uint64Range(0, 1<<60)).Draw(t, "weight"), Label: fmt.Sprint(n)}
		for k := range rapid.IntRange(0, 2).Draw(t, "cards") {
			card := protocol.Card{ID: fmt.Sprintf("t%d-%d", n, k), Value: money.Cents(values.Draw(t, "value")), Stock: protocol.Unlimited}
			if finite && rapid.Bool().Draw(t, "limited") {
				card.Stock = rapid.Int64Range(0, 3).Draw(t, "published")
				stock[card.ID] = rapid.Int64Range(0, 2).Draw(t, "left")
			}
			tier.Cards = append(tier.Cards, card)
			cards++
		}
		m.Tiers = append(m.Tiers, tier)
	}
	m.Tiers[0].Weight = max(m.Tiers[0].Weight, 1)
	if cards > 4 {
		m.Items = min(m.Items, 3)
	}
	parsed, err := protocol.ParseManifest(m.Format())
	if err != nil {
		t.Fatalf("the manifest is refused: %v", err)
	}
	return parsed, stock
}

func TestFiguresMatchEveryOpen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, stock := randomManifest(t)
		checkFigures(t, m, stock)
		if f := newStoreFigures(m, stock); f.approximate != (m.Items > 1 && m.Finite()) {
			t.Fatalf("approximate: %v", f.approximate)
		}
	})
}

// Totals of 5 cards drawn by the protocol agree with the buckets.
func TestDrawsAgreeWithDistribution(t *testing.T) {
	m := parsedManifest(t, starterText)
	f := newStoreFigures(m, nil)
	counts, chances := make([]int64, len(f.buckets)), make([]float64, len(f.buckets))
	for n, b := range f.buckets {
		chances[n] = b.Chance
	}
	beats := int64(0)
	const opens = 20_000
	for nonce := range uint64(opens) {
		pulls, err := protocol.Draw(m, protocol.Hash([]byte(starterText)), [32]byte{7}, "fixed", nonce, nil)
		if err != nil {
			t.Fatal(err)
		}
		total := money.Cents(0)
		for _, pull := range pulls {
			total += pull.Card.Value
		}
		if total >= m.Price {
			beats++
		}
		n := slices.IndexFunc(f.buckets, func(b Bucket) bool { return total >= b.LowCents && (b.HighCents == 0 || total < b.HighCents) })
		if n < 0 {
			t.Fatalf("no bucket has %d", total)
		}
		counts[n]++
	}
	counts, chances = mergeRare(counts, chances, opens)
	if _, _, p, ok := protocol.ChiSquare(counts, chances); !ok || p < 0.001 {
		t.Errorf("the totals of %d opens don't follow the buckets: p = %v, %v", opens, p, counts)
	}
	if _, _, p, ok := protocol.ChiSquare([]int64{beats, opens - beats}, []float64{f.beatsPrice, 1 - f.beatsPrice}); !ok || p < 0.001 {
		t.Errorf("%d of %d opens beat the price, the chance is %v: p = %v", beats, opens, f.beatsPrice, p)
	}
}

// mergeRare merges classes with fewer than 5 expected opens into their neighbor, as the chi-square
// test needs.
func mergeRare(counts []int64, chances []float64, opens int) (merged []int64, sums []float64) {
	for n, chance := range chances {
		if last := len(sums) - 1; last >= 0 && sums[last]*float64(opens) < 5 {
			sums[last] += chance
			merged[last] += counts[n]
		} else {
			sums, merged = append(sums, chance), append(merged, counts[n])
		}
	}
	if last := len(sums) - 1; last > 0 && sums[last]*float64(opens) < 5 {
		sums[last-1], merged[last-1] = sums[last-1]+sums[last], merged[last-1]+merged[last]
		sums, merged = sums[:last], merged[:last]
	}
	return merged, sums
}

const starterText = `kaibao-manifest/v1
pack starter
name Starter
price 2500
items 5
tier 600000 0 0 Common
card c-1 99 -1
card c-2 155 -1
tier 250000 0 0 Rare
card r-1 475 -1
tier 100000 0 0 Epic
card e-1 1205 -1
tier 40000 0 0 Legendary
tier 10000 0 0 Mythic
card m-1 9900 -1
`

func parsedManifest(t testing.TB, text string) *protocol.Manifest {
	t.Helper()
	m, err := protocol.ParseManifest([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestStarterFigures(t *testing.T) {
	m := parsedManifest(t, starterText)
	checkFigures(t, m, nil)
}

// The cache computes the figures again only if the manifest or the set of cards in stock changes.
func TestFiguresAreCached(t *testing.T) {
	s, text := &Service{}, "kaibao-manifest/v1\npack p\nname P\nprice 100\nitems 2\ntier 1 0 0 x\ncard a 50 5\ncard b 90 3\n"
	live := &LivePack{Pack: Pack{ID: "p"}, Current: PublishedManifest{Hash: Hash{1}, Manifest: parsedManifest(t, text)}, Stock: protocol.Stock{"a": 5, "b": 3}}
	first := s.figuresOf(live)
	live.Stock["a"] = 1
	if s.figuresOf(live) != first {
		t.Error("the figures were computed again, although every card is still in stock")
	}
	live.Stock["a"] = 0
	soldOut := s.figuresOf(live)
	if soldOut == first || len(soldOut.cards) != 1 {
		t.Errorf("the figures still have %v after a card sold out", soldOut.cards)
	}
	live.Stock["a"] = 1
	if again := s.figuresOf(live); len(again.cards) != 2 {
		t.Errorf("the figures have %v after a card returned", again.cards)
	}
	live.Current = PublishedManifest{Hash: Hash{2}, Manifest: parsedManifest(t, starterText)}
	if changed := s.figuresOf(live); changed.approximate {
		t.Error("the figures are those of the replaced manifest")
	}
}

// While the figures of one pack are computed, those of others can be read.
func TestSlowFiguresDelayOnlyTheirPack(t *testing.T) {
	s := &Service{}
	slow := &LivePack{Pack: Pack{ID: "slow"}, Current: PublishedManifest{Manifest: parsedManifest(t, starterText)}}
	other := &LivePack{Pack: Pack{ID: "other"}, Current: slow.Current}
	begun, finish, results := make(chan struct{}), make(chan struct{}), make(chan *storeFigures)
	s.figures.packs = map[string]cachedFigures{"slow": {compute: sync.OnceValue(func() *storeFigures {
		close(begun)
		<-finish
		return &storeFigures{}
	})}}
	for range 2 {
		go func() { results <- s.figuresOf(slow) }()
	}
	<-begun
	if cards := s.figuresOf(other).cards; len(cards) != 5 {
		t.Errorf("the other pack's cards are %v", cards)
	}
	close(finish)
	if first, second := <-results, <-results; first != second {
		t.Error("the figures were computed twice")
	}
}

// The largest manifests take a bounded time: their values are rounded, to almost exact figures.
func TestLargeManifestsAreRounded(t *testing.T) {
	const cards, tolerated = 10_000, 2e-3
	m := largeManifest(t, cards, policy.MaxItemsPerPack, policy.MaxPackPrice)
	f := newStoreFigures(m, nil)
	sums, step := uniformSums(cards, policy.MaxItemsPerPack), m.Tiers[0].Cards[1].Value
	atLeast := func(value money.Cents) (chance float64) {
		for sum, c := range sums {
			if money.Cents(sum)*step >= value {
				chance += c
			}
		}
		return chance
	}
	if want := atLeast(m.Price); !f.approximate || math.Abs(f.beatsPrice-want) > tolerated {
		t.Errorf("approximate %v, the chance to beat the price is %v, want %v", f.approximate, f.beatsPrice, want)
	}
	if math.Abs(atLeast(f.median)-0.5) > tolerated {
		t.Errorf("%v of the opens are worth at least the median %d", atLeast(f.median), f.median)
	}
	for _, b := range f.buckets {
		want := atLeast(b.LowCents)
		if b.HighCents > 0 {
			want -= atLeast(b.HighCents)
		}
		if math.Abs(b.Chance-want) > tolerated {
			t.Errorf("bucket %d to %d has chance %v, want %v", b.LowCents, b.HighCents, b.Chance, want)
		}
	}
	single := newStoreFigures(largeManifest(t, cards, 1, policy.MaxPackPrice), nil)
	if single.approximate {
		t.Error("the figures of a pack of one card are rounded")
	}
}

// uniformSums returns the chance of each sum of draws numbers from 0 to n-1, all equally likely.
func uniformSums(n, draws int) []float64 {
	chances := []float64{1}
	for range draws {
		next, window := make([]float64, len(chances)+n-1), 0.0
		for sum := range next {
			if sum < len(chances) {
				window += chances[sum]
			}
			if sum >= n {
				window -= chances[sum-n]
			}
			next[sum] = window / float64(n)
		}
		chances = next
	}
	return chances
}

// Values that are rounded up at the highest total are counted.
func TestRoundedHighestTotal(t *testing.T) {
	m := parsedManifest(t, "kaibao-manifest/v1\npack p\nname P\nprice 10000000\nitems 20\ntier 1 0 0 x\ncard a 5000033 -1\n")
	f := newStoreFigures(m, nil)
	if !f.approximate || f.beatsPrice != 1 || math.Abs(float64(f.median)-20*5000033) > 20*64 || len(f.buckets) != 1 || f.buckets[0].Chance != 1 {
		t.Errorf("the figures are %+v", f)
	}
}

// The chances add up to 1 even if totals are rounded. In packs of few cards, losing one total would show.
func TestRoundedChancesAddUp(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var text strings.Builder
		price, items := 500_000+random.IntN(9_500_000), 2+random.IntN(policy.MaxItemsPerPack-1)
		fmt.Fprintf(&text, "kaibao-manifest/v1\npack p\nname P\nprice %d\nitems %d\n", price, items)
		for tier := range 1 + random.IntN(3) {
			fmt.Fprintf(&text, "tier %d 0 0 x%d\ncard c%d %d -1\n", 1+random.IntN(99), tier, tier, 1+random.IntN(2*price/items))
		}
		f, sum := newStoreFigures(parsedManifest(t, text.String()), nil), 0.0
		for _, b := range f.buckets {
			sum += b.Chance
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("the chances of the buckets add up to %v:\n%s", sum, &text)
		}
	}
}

// largeManifest has cards with distinct values around the price divided by the cards of an open.
func largeManifest(t testing.TB, cards, items int, price money.Cents) *protocol.Manifest {
	m := protocol.Manifest{Pack: "p", Name: "Pack", Price: price, Items: items}
	tier := protocol.Tier{Weight: 1, Label: "x"}
	step := max(2*price/money.Cents(items)/money.Cents(cards), 1)
	for n := range cards {
		tier.Cards = append(tier.Cards, protocol.Card{ID: fmt.Sprintf("c-%06d", n), Value: money.Cents(n) * step, Stock: protocol.Unlimited})
	}
	m.Tiers = []protocol.Tier{tier}
	return parsedManifest(t, string(m.Format()))
}

// BenchmarkFigures computes the figures of packs of several sizes.
func BenchmarkFigures(b *testing.B) {
	for _, c := range []struct {
		cards, items int
		price        money.Cents
	}{{180, 1, 25_00}, {180, 5, 25_00}, {1000, 5, 100_00}, {10_000, 20, 1000_00}, {10_000, 1, policy.MaxPackPrice}, {100_000, policy.MaxItemsPerPack, policy.MaxPackPrice}} {
		b.Run(fmt.Sprintf("%d cards, %d items, %s", c.cards, c.items, c.price), func(b *testing.B) {
			m := largeManifest(b, c.cards, c.items, c.price)
			for b.Loop() {
				newStoreFigures(m, nil)
			}
		})
	}
}

// The price is an edge, and there are at most 40 buckets.
func TestBucketEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		price := money.Cents(rapid.OneOf(rapid.Int64Range(0, 100), rapid.Int64Range(1, int64(policy.MaxPackPrice))).Draw(t, "price"))
		edges := bucketEdges(price)
		if len(edges) > 40 || edges[0] != 0 || !slices.Contains(edges, price) || !slices.IsSorted(edges) {
			t.Fatalf("edges %v", edges)
		}
	})
	if edges := bucketEdges(25_00); edges[1] != 2_50 || len(edges) != 40 {
		t.Errorf("edges of $25: %v", edges)
	}
}

func TestDemoPick(t *testing.T) {
	cards := []protocol.CardChance{{Card: protocol.Card{ID: "a"}, Chance: 0.01}, {Card: protocol.Card{ID: "b"}, Chance: 0.19}, {Card: protocol.Card{ID: "c"}, Chance: 0.8}}
	for rule, want := range map[string][]float64{"uniform": {1. / 3, 1. / 3, 1. / 3}, "real": {0.01, 0.19, 0.8}} {
		counts := map[string]int64{}
		const picks = 1 << 14
		for n := range uint64(picks) { // numbers evenly spaced over all 64 bits
			counts[pickDemoCard(cards, houserules.DemoOdds(rule), n<<50+1<<49).ID]++
		}
		for n, card := range cards {
			if got := float64(counts[card.ID]) / picks; math.Abs(got-want[n]) > 0.001 {
				t.Errorf("%s: card %s is picked with frequency %v, want %v", rule, card.ID, got, want[n])
			}
		}
	}
	if last := pickDemoCard(cards, "real", math.MaxUint64); last.ID != "c" {
		t.Errorf("the highest number picks %s", last.ID)
	}
}
