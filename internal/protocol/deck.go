package protocol

// deck is a manifest's cards with what is left of them.
type deck struct {
	manifest *Manifest
	left     []int64 // by position in manifest.cards; nil when no card can run out
}

// span is a run of positions in manifest.cards and how many of them have stock.
type span struct{ first, end, count int }

func newDeck(m *Manifest, stock Stock) deck {
	d := deck{manifest: m}
	if !m.Finite() {
		return d
	}
	d.left = make([]int64, len(m.cards))
	for i, card := range m.cards {
		d.left[i] = card.Stock
		if left, told := stock[card.ID]; told && card.Finite() {
			d.left[i] = max(left, 0)
		}
	}
	return d
}

// candidates gives the cards from which a roll of this tier draws: the tier's own;
// when it has none, those of the next lower tier of positive weight that has some;
// when there is none, all of the manifest.
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

// tier gives the cards of one tier.
func (d *deck) tier(i int) span {
	tier := &d.manifest.Tiers[i]
	return d.span(tier.first, tier.first+len(tier.Cards))
}

func (d *deck) span(first, end int) span {
	s := span{first: first, end: end}
	for position := first; position < end; position++ {
		if d.has(position) {
			s.count++
		}
	}
	return s
}

func (d *deck) has(position int) bool { return len(d.left) == 0 || d.left[position] != 0 }

// take gives candidate number k, from 0, and takes one off its stock if finite.
func (d *deck) take(s span, k int) Card {
	position := s.first
	for ; ; position++ {
		if d.has(position) {
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
