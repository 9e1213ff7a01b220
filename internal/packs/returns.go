package packs

import (
	"fmt"
	"maps"
	"slices"

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Return is a card that was drawn from a pack and is sold back to the house.
type Return struct {
	Pack     string
	Manifest Hash // it was drawn by
	Card     string
	Beyond   money.Cents // what is paid more than the sell-back of its draw; 0 or above
}

// Reason of the stock leaves that returns write.
const Reason = "sell-back"

// TakeBack puts cards back into the stock of their packs and books what was paid beyond
// the quotes of their draws. A card returns if it could run out when it was drawn, and
// its pack, on sale or not, still holds it as one that can. Each return takes a drawSeq,
// which is told in the order of the cards; 0 = it does not return.
func (s *Service) TakeBack(tx *db.Tx, returns []Return) ([]int64, error) {
	finite, err := s.finiteWhenDrawn(tx, returns)
	if err != nil {
		return nil, err
	}
	locked, err := lockForReturns(tx, returns, finite)
	if err != nil {
		return nil, err
	}
	home, err := s.homes(tx, returns, finite)
	if err != nil {
		return nil, err
	}
	seqs, taken := make([]int64, len(returns)), map[string]int64{}
	next := map[string]int64{} // drawSeqs of the packs as they were locked
	for id, p := range locked {
		next[id] = p.DrawSeq
	}
	var leaves []string
	for n, r := range returns {
		p := locked[r.Pack]
		if p == nil {
			continue
		}
		p.BeyondQuotes += r.Beyond
		if home[r.Card] != r.Pack || !finite[n] {
			continue
		}
		taken[r.Card]--
		p.DrawSeq++
		seqs[n] = p.DrawSeq
		leaf := protocol.StockLeaf{Pack: r.Pack, Draw: uint64(p.DrawSeq), Card: r.Card, Count: 1, Reason: Reason, Time: tx.Now}
		leaves = append(leaves, string(leaf.Format()))
	}
	if len(locked) > 0 {
		s.changed(tx)
	}
	counted := make([]Pack, 0, len(locked))
	for _, p := range locked {
		counted = append(counted, *p)
	}
	if err := saveCounters(tx, counted...); err != nil {
		return nil, err
	}
	if err := takeStock(tx, taken); err != nil {
		return nil, err
	}
	return seqs, publiclog.AppendIf(tx, func(_ int, leaf protocol.Leaf) error {
		l, ok := leaf.(protocol.StockLeaf)
		next[l.Pack]++
		if !ok || home[l.Card] != l.Pack || l.Draw != uint64(next[l.Pack]) {
			return fmt.Errorf("card %s does not return to pack %s as its drawSeq %d", l.Card, l.Pack, l.Draw)
		}
		return nil
	}, leaves...)
}

// finiteWhenDrawn tells of each card whether it could run out in the manifest that it
// was drawn by.
func (s *Service) finiteWhenDrawn(tx *db.Tx, returns []Return) ([]bool, error) {
	finite := make([]bool, len(returns))
	for n, r := range returns {
		m, err := s.Manifest(tx, r.Manifest)
		if err != nil {
			return nil, err
		}
		finite[n] = m.FiniteCard(r.Card)
	}
	return finite, nil
}

// lockForReturns locks the packs that the returns change.
func lockForReturns(tx *db.Tx, returns []Return, finite []bool) (map[string]*Pack, error) {
	changed := map[string]bool{}
	for n, r := range returns {
		if finite[n] || r.Beyond > 0 {
			changed[r.Pack] = true
		}
	}
	locked := map[string]*Pack{}
	if len(changed) == 0 {
		return locked, nil
	}
	rows, err := lockAll(tx, slices.Sorted(maps.Keys(changed)))
	for _, p := range rows {
		locked[p.ID] = &p
	}
	return locked, err
}

// homes gives of the cards that could run out the packs to which they can return: those
// that have their stock and announced last a manifest in which they can run out.
func (s *Service) homes(tx *db.Tx, returns []Return, finite []bool) (map[string]string, error) {
	var cards []string
	for n, r := range returns {
		if finite[n] {
			cards = append(cards, r.Card)
		}
	}
	if len(cards) == 0 {
		return nil, nil
	}
	home, err := stockIn(tx, cards)
	if err != nil {
		return nil, err
	}
	holding := map[string]*protocol.Manifest{}
	for card, pack := range home {
		if holding[pack] == nil {
			last, err := lastPublication(tx, pack)
			if err == nil {
				holding[pack], err = s.Manifest(tx, last.hash)
			}
			if err != nil {
				return nil, err
			}
		}
		if !holding[pack].FiniteCard(card) {
			delete(home, card)
		}
	}
	return home, nil
}
