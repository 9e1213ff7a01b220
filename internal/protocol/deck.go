package protocol

// deck is a manifest's cards and their remaining stock.
type deck struct {
	manifest *Manifest
	left     []int64 // indexed like manifest.cards; nil if all cards are unlimited
}

// span is a range of indexes into manifest.cards and the number of cards in it that have stock.
type span struct{ first, end, count int }

func newDeck(m *Manifest, stock Stock) deck {
	d := deck{manifest: m}
	if !m.Finite() {
		return d
	}
	d.left = make([]int64, len(m.cards))
	for i, card := range m.cards {
		d.left[i] = card.Stock
		if left, ok := stock[card.ID]; ok && card.Finite() {
			d.left[i] = max(left, 0)
		}
	}
	return d
}

// candidates returns the cards that a roll of the tier draws from: the tier's own cards with stock;
// if there are none, those of the next lower tier that has positive weight and stock; if there is
// no such tier, all cards in the manifest.
func (d *deck) candidates(tier int) span {
	if s := d.tier(tier); s.count > 0 {
		return s
	}
	for lower := tier - 1; lower >= 0; lower-- {
		if d.manifest.Tiers[lower].Weight == 0 {
			continue
		}
		if s := d.tier(lower); s.count > 0 {
			return s
		}
	}
	return d.span(0, len(d.manifest.cards))
}

func (d *deck) tier(i int) span {
	tier := &d.manifest.Tiers[i]
	return d.span(tier.first, tier.first+len(tier.Cards))
}

func (d *deck) span(first, end int) span {
	s := span{first: first, end: end}
	for position := first; position < end; position++ {
		if d.inStock(position) {
			s.count++
		}
	}
	return s
}

func (d *deck) inStock(position int) bool { return len(d.left) == 0 || d.left[position] != 0 }

// take returns the k-th candidate (0-based) and decrements its stock if finite.
func (d *deck) take(s span, k int) Card {
	position := s.first
	for ; ; position++ {
		if d.inStock(position) {
			if k == 0 {
				break
			}
			k--
		}
	}
	card := d.manifest.cards[position]
	if card.Finite() {
		d.left[position]--
	}
	return card
}
