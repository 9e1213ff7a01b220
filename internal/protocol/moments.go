package protocol

import "math/big"

// ValueMoments returns the mean and the variance of an open's value, in cents and cents squared,
// for the manifest's original stock. The result is exact if no card can run out, since the items of
// an open are then drawn independently; otherwise it ignores cards drawn since.
func ValueMoments(m *Manifest) (mean, variance *big.Rat) {
	deck := newDeck(m, nil)
	first, second := new(big.Rat), new(big.Rat) // moments of a single item
	for i, tier := range m.Tiers {
		from := deck.candidates(i)
		if tier.Weight == 0 || from.count == 0 {
			continue
		}
		sum, squares := new(big.Int), new(big.Int)
		for position := from.first; position < from.end; position++ {
			if deck.inStock(position) {
				value := big.NewInt(int64(m.cards[position].Value))
				sum.Add(sum, value)
				squares.Add(squares, new(big.Int).Mul(value, value))
			}
		}
		chance := new(big.Rat).SetFrac(unsigned(tier.Weight), unsigned(m.total))
		each := chance.Quo(chance, new(big.Rat).SetInt64(int64(from.count)))
		first.Add(first, new(big.Rat).Mul(each, new(big.Rat).SetInt(sum)))
		second.Add(second, new(big.Rat).Mul(each, new(big.Rat).SetInt(squares)))
	}
	items := new(big.Rat).SetInt64(int64(m.Items))
	variance = second.Sub(second, new(big.Rat).Mul(first, first))
	return first.Mul(first, items), variance.Mul(variance, items)
}
