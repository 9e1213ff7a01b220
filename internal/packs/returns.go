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

// Return is a card drawn from a pack and sold back to Kaibao.
type Return struct {
	Pack     string
	Manifest Hash // of its draw
	Card     string
	Beyond   money.Cents // amount paid above the sell-back of its draw; not negative
}

// Reason is the reason in the stock leaves of returns.
const Reason = "sell-back"

// TakeBack returns sold-back cards to the stock of their packs and books what was paid beyond the
// quotes of their draws. A card returns if its stock was finite when it was drawn and still is in
// its pack, whether or not the pack is on sale. TakeBack returns the drawSeq of each card's return
// in order, or 0 for cards that don't return.
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
	next := map[string]int64{} // the locked packs' drawSeqs
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

// finiteWhenDrawn reports for each card whether its stock was finite in the manifest it was drawn
// by.
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

// homes maps each finite card to the pack it can return to: the one that has its stock and lists it
// as finite in its last manifest.
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
