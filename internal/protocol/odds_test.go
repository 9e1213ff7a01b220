package protocol

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kaibao/internal/money"
)

func TestOddsWithoutFallback(t *testing.T) {
	odds := Odds(parse(t, sampleText), nil)
	want := []float64{0, 298.0 / 690, 392.0 / 690}
	for i, o := range odds {
		if math.Abs(o.Chance-want[i]) > 1e-15 {
			t.Errorf("chance of %s is %v, want %v", o.Label, o.Chance, want[i])
		}
	}
	if o := odds[1]; o.Label != "$5-15" || o.Weight != 298 || o.Low != 500 || o.High != 1500 {
		t.Errorf("odds %+v", o)
	}
}

const gappy = `kaibao-manifest/v1
pack 9
name gaps
price 2500
items 3
tier 0 0 0 rest
card zz-rest 99 -1
tier 500 0 0 Common
tier 300 0 0 Rare
card r-1 900 1
card r-2 950 2
tier 200 0 0 Epic
`

// Epic has no cards, so Rare takes its weight. Common has no cards and no lower tier, so it draws
// from all remaining cards.
func TestOddsWithFallbacks(t *testing.T) {
	m := parse(t, gappy)
	for _, c := range []struct {
		stock Stock
		want  []float64
		value money.Cents // of three cards
	}{
		{nil, []float64{0.5 / 3, 0, 0.5 + 0.5*2/3, 0}, 2362},                     // 3 × (0.5 × 1949/3 + 0.5 × 925) = 2362
		{Stock{"r-1": 0}, []float64{0.25, 0, 0.75, 0}, 2212},                     // 3 × (0.5 × 1049/2 + 0.5 × 950) = 2211.75
		{Stock{"r-1": 0, "r-2": 0}, []float64{1, 0, 0, 0}, 297},                  // last resort
		{Stock{"r-1": 5, "zz-rest": 0}, []float64{0.5 / 3, 0, 2.5 / 3, 0}, 2362}, // unlimited
	} {
		for i, o := range Odds(m, c.stock) {
			if math.Abs(o.Chance-c.want[i]) > 1e-12 {
				t.Errorf("stock %v: chance of %s is %v, want %v", c.stock, o.Label, o.Chance, c.want[i])
			}
		}
		if got := ExpectedValue(m, c.stock); got != c.value {
			t.Errorf("stock %v: expected value %d, want %d", c.stock, got, c.value)
		}
	}
}

func TestExpectedValueRoundsHalfUp(t *testing.T) {
	const head = "kaibao-manifest/v1\npack a\nname a\nprice 1\nitems 1\n"
	for text, want := range map[string]money.Cents{
		"tier 1 0 0 x\ncard a 1 -1\ncard b 2 -1\n":                                  2, // 1.5
		"tier 2 0 0 x\ncard a 1 -1\ntier 1 0 0 y\ncard b 2 -1\n":                    1, // 1.33
		"tier 4611686018427387904 0 0 x\ncard a 9007199254740991 -1\n":              MaxAmount,
		"tier 1 0 0 x\ncard a 7 0\n":                                                0, // sold out
		"tier 1 0 0 x\ncard a 1 -1\ntier 18446744073709551614 0 0 y\ncard b 3 -1\n": 3,
	} {
		if got := ExpectedValue(parse(t, head+text), nil); got != want {
			t.Errorf("expected value of %q is %d, want %d", text, got, want)
		}
	}
	full := parse(t, "kaibao-manifest/v1\npack a\nname a\nprice 1\nitems 1000\ntier 1 0 0 x\ncard a 9007199254740991 -1\n")
	if got := ExpectedValue(full, nil); got != MaxItems*MaxAmount {
		t.Errorf("largest expected value is %d", got)
	}
}

func TestOddsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := manifests().Draw(t, "manifest")
		stock := drawStock(t, m)
		left := leftBy(m, stock)
		available := inStock(m.cards, left)
		sum := 0.0
		for i, o := range Odds(m, stock) {
			sum += o.Chance
			if o.Chance > 0 && len(inStock(m.Tiers[i].Cards, left)) == 0 {
				t.Fatalf("chance %v for empty tier %d", o.Chance, i)
			}
			ofCards := 0.0
			for _, card := range m.Tiers[i].Cards {
				ofCards += ChanceOf(m, stock, card.ID)
			}
			if math.Abs(ofCards-o.Chance) > 1e-9 {
				t.Fatalf("tier %d comes with chance %v, its cards with %v", i, o.Chance, ofCards)
			}
		}
		want := 1.0
		if len(available) == 0 {
			want = 0
		}
		if math.Abs(sum-want) > 1e-12 {
			t.Fatalf("the chances add up to %v, want %v", sum, want)
		}
		checkExpectedValue(t, m, stock, available)
	})
}

// checkExpectedValue checks that the expected value is between the lowest and the highest possible
// value. Rounding moves it by less than one cent.
func checkExpectedValue(t *rapid.T, m *Manifest, stock Stock, available []Card) {
	got := ExpectedValue(m, stock)
	if len(available) == 0 {
		if got != 0 {
			t.Fatalf("a sold out pack is worth %d", got)
		}
		return
	}
	byValue := func(a, b Card) int { return int(a.Value - b.Value) }
	lowest, highest := slices.MinFunc(available, byValue).Value, slices.MaxFunc(available, byValue).Value
	if items := money.Cents(m.Items); got < lowest*items || got > highest*items {
		t.Fatalf("expected value %d of %d cards from %d to %d", got, items, lowest, highest)
	}
}

// Chances lists the cards that can be pulled, the most valuable first, equal ones by id.
func TestChancesAreSortedByValue(t *testing.T) {
	m := parse(t, gappy)
	for _, c := range []struct {
		stock Stock
		want  []string
	}{
		{nil, []string{"r-2", "r-1", "zz-rest"}},
		{Stock{"r-2": 0}, []string{"r-1", "zz-rest"}},
	} {
		if got := idsOf(Chances(m, c.stock)); !slices.Equal(got, c.want) {
			t.Errorf("stock %v: the cards are %v, want %v", c.stock, got, c.want)
		}
	}
	equal := parse(t, strings.ReplaceAll(gappy, " 950 ", " 900 "))
	if got := idsOf(Chances(equal, nil)); !slices.Equal(got, []string{"r-1", "r-2", "zz-rest"}) {
		t.Errorf("cards of equal value: %v", got)
	}
	// No fallback reaches the last resort here, so it can't be pulled.
	if got := idsOf(Chances(parse(t, sampleText), nil)); slices.Contains(got, "zz-rest") || len(got) != 3 {
		t.Errorf("the cards are %v", got)
	}
}

func TestPulledCardsHaveAChance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := manifests().Draw(t, "manifest")
		stock := drawStock(t, m)
		chances := Chances(m, stock)
		pulls, err := Draw(m, [32]byte{}, hashes().Draw(t, "seed"), "x", 0, stock)
		if err == nil && !slices.ContainsFunc(chances, func(c CardChance) bool { return c.Card == pulls[0].Card }) {
			t.Fatalf("pulled %v, which is not among %v", pulls[0].Card, chances)
		}
	})
}

func TestChancesProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := manifests().Draw(t, "manifest")
		stock := drawStock(t, m)
		sum, chances := 0.0, Chances(m, stock)
		for _, c := range chances {
			sum += c.Chance
			if math.Abs(c.Chance-ChanceOf(m, stock, c.ID)) > 1e-15 {
				t.Fatalf("card %s has chance %v, want %v", c.ID, c.Chance, ChanceOf(m, stock, c.ID))
			}
		}
		if want := min(float64(len(inStock(m.cards, leftBy(m, stock)))), 1); math.Abs(sum-want) > 1e-12 {
			t.Fatalf("the chances add up to %v, want %v", sum, want)
		}
		drawable := 0
		for _, card := range m.cards {
			if ChanceOf(m, stock, card.ID) > 0 {
				drawable++
			}
		}
		if len(chances) != drawable || !slices.IsSortedFunc(chances, func(a, b CardChance) int { return CompareCards(a.Card, b.Card) }) {
			t.Fatalf("the cards are %v, want %d in order", chances, drawable)
		}
	})
}

// Real draws agree with the chances: on a full stock, with a card sold out, and with a whole tier sold
// out, whose weight goes to the next lower one.
func TestDrawsAgreeWithChances(t *testing.T) {
	text := "kaibao-manifest/v1\npack 9\nname draws\nprice 2500\nitems 1\ntier 0 0 0 rest\ncard zz-rest 99 -1\ntier 600 0 0 Common\ncard c-1 100 -1\ncard c-2 200 -1\ncard c-3 300 5\n" +
		"tier 300 0 0 Rare\ncard r-1 900 1\ncard r-2 950 2\ntier 100 0 0 Epic\ncard e-1 5000 1\ntier 50 0 0 Mythic\n"
	m := parse(t, text)
	for _, stock := range []Stock{nil, {"c-3": 0}, {"e-1": 0}, {"r-1": 0, "r-2": 0, "e-1": 0}} {
		chances := Chances(m, stock)
		counts, expected := make([]int64, len(chances)), make([]float64, len(chances))
		for n, c := range chances {
			expected[n] = c.Chance
		}
		for nonce := range uint64(20_000) {
			pulls, err := Draw(m, Hash([]byte(text)), [32]byte{42}, "fixed", nonce, stock)
			if err != nil {
				t.Fatal(err)
			}
			n := slices.IndexFunc(chances, func(c CardChance) bool { return c.ID == pulls[0].Card.ID })
			if n < 0 {
				t.Fatalf("stock %v: pulled %s, which has no chance", stock, pulls[0].Card.ID)
			}
			counts[n]++
		}
		if _, _, p, ok := ChiSquare(counts, expected); !ok || p < 0.001 {
			t.Errorf("stock %v: draws %v don't follow the chances %v: p = %v", stock, counts, expected, p)
		}
	}
}

func idsOf(cards []CardChance) []string {
	ids := make([]string, len(cards))
	for i, card := range cards {
		ids[i] = card.ID
	}
	return ids
}

func TestRoundHalfUp(t *testing.T) {
	for _, c := range []struct{ num, den, want int64 }{{0, 1, 0}, {1, 2, 1}, {49, 100, 0}, {3, 2, 2}, {7, 3, 2}} {
		if got := roundHalfUp(big.NewRat(c.num, c.den)); int64(got) != c.want {
			t.Errorf("%d/%d rounds to %d, want %d", c.num, c.den, got, c.want)
		}
	}
}
