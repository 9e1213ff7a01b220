package protocol

import (
	"cmp"
	"math/big"
	"slices"

	"kaibao/internal/money"
)

// TierChance is a tier's published weight and the actual chance that the next card comes from it,
// after fallbacks.
type TierChance struct {
	Label  string
	Weight uint64
	Low    money.Cents
	High   money.Cents // 0 = no upper bound
	Chance float64     // 0 to 1
}

// Odds returns every tier's chance for the given stock, in the manifest's order. The chances add up
// to 1, or to 0 if the pack is sold out.
func Odds(m *Manifest, stock Stock) []TierChance {
	deck := newDeck(m, stock)
	odds := make([]TierChance, len(m.Tiers))
	for i, tier := range m.Tiers {
		odds[i] = TierChance{Label: tier.Label, Weight: tier.Weight, Low: tier.Low, High: tier.High}
	}
	for i, tier := range m.Tiers {
		if tier.Weight == 0 {
			continue
		}
		from := deck.candidates(i)
		chance := float64(tier.Weight) / float64(m.total)
		for j := range m.Tiers {
			// A roll draws from a single tier, or from all cards in the manifest.
			if own := deck.tier(j); own.count > 0 && own.first >= from.first && own.end <= from.end {
				odds[j].Chance += chance * float64(own.count) / float64(from.count)
			}
		}
	}
	return odds
}

// ChanceOf returns the chance that the next card is this one for the given stock, after fallbacks.
func ChanceOf(m *Manifest, stock Stock, id string) (chance float64) {
	deck := newDeck(m, stock)
	position := slices.IndexFunc(m.cards, func(c Card) bool { return c.ID == id })
	if position < 0 || !deck.inStock(position) {
		return 0
	}
	for i, tier := range m.Tiers {
		from := deck.candidates(i)
		if tier.Weight > 0 && position >= from.first && position < from.end {
			chance += float64(tier.Weight) / float64(m.total) / float64(from.count)
		}
	}
	return chance
}

// CardChance is a card and the chance that the next card drawn is this one.
type CardChance struct {
	Card
	Chance float64 // above 0, at most 1
}

// CompareCards orders cards by descending value, then by id.
func CompareCards(a, b Card) int {
	return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.ID, b.ID))
}

// Chances returns every card that the next draw can yield for the given stock, with its chance
// after fallbacks, in the order of CompareCards. The chances add up to 1 unless the pack is sold
// out.
func Chances(m *Manifest, stock Stock) []CardChance {
	deck := newDeck(m, stock)
	chances := make([]float64, len(m.cards))
	for i, tier := range m.Tiers {
		if tier.Weight == 0 {
			continue
		}
		from := deck.candidates(i)
		for position := from.first; position < from.end; position++ {
			if deck.inStock(position) {
				chances[position] += float64(tier.Weight) / float64(m.total) / float64(from.count)
			}
		}
	}
	var cards []CardChance
	for position, chance := range chances {
		if chance > 0 {
			cards = append(cards, CardChance{m.cards[position], chance})
		}
	}
	slices.SortFunc(cards, func(a, b CardChance) int { return CompareCards(a.Card, b.Card) })
	return cards
}

// ExpectedValue returns the expected value of the next open: the expected value of one card for the
// given stock times the number of cards. It is computed exactly and rounded half up to the cent. It
// is 0 if the pack is sold out.
func ExpectedValue(m *Manifest, stock Stock) money.Cents {
	return ExpectedValueBy(m, stock, func(c Card) money.Cents { return c.Value })
}

// ExpectedValueBy is like ExpectedValue, but takes each card's value from value, which must return
// 0 to MaxAmount.
func ExpectedValueBy(m *Manifest, stock Stock, value func(Card) money.Cents) money.Cents {
	deck := newDeck(m, stock)
	weighted := new(big.Rat) // Σ weight × mean value of the candidates
	for i, tier := range m.Tiers {
		from := deck.candidates(i)
		if tier.Weight == 0 || from.count == 0 {
			continue
		}
		mean := new(big.Rat).SetFrac(deck.sumValues(from, value), big.NewInt(int64(from.count)))
		weighted.Add(weighted, mean.Mul(mean, new(big.Rat).SetInt(unsigned(tier.Weight))))
	}
	items := new(big.Rat).SetFrac(big.NewInt(int64(m.Items)), unsigned(m.total))
	return roundHalfUp(weighted.Mul(weighted, items))
}

// SoldOut reports whether the stock is too low for a full open.
func SoldOut(m *Manifest, stock Stock) bool {
	deck := newDeck(m, stock)
	if len(deck.left) == 0 {
		return len(m.cards) == 0
	}
	needed := int64(m.Items)
	for _, left := range deck.left {
		if left == Unlimited {
			return false
		}
		needed -= min(left, needed)
	}
	return needed > 0
}

// sumValues returns the sum of the values of all cards in stock, counting each card once.
func (d *deck) sumValues(s span, value func(Card) money.Cents) *big.Int {
	sum := new(big.Int)
	for position := s.first; position < s.end; position++ {
		if d.inStock(position) {
			sum.Add(sum, big.NewInt(int64(value(d.manifest.cards[position]))))
		}
	}
	return sum
}

func unsigned(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

// roundHalfUp rounds a non-negative amount. MaxItems and MaxAmount ensure that it fits into 64
// bits.
func roundHalfUp(amount *big.Rat) money.Cents {
	doubled := new(big.Int).Lsh(amount.Num(), 1)
	doubled.Add(doubled, amount.Denom())
	return money.Cents(doubled.Quo(doubled, new(big.Int).Lsh(amount.Denom(), 1)).Int64())
}
