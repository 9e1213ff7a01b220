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

// StockReturn is a card drawn from a pack and sold back to Kaibao.
type StockReturn struct {
	PackID          string
	Manifest        Hash // of its draw
	Card            string
	PaidBeyondQuote money.Cents // amount paid above the sell-back of its draw; not negative
}

// SellBackReason is the reason in the stock leaves of returns.
const SellBackReason = "sell-back"

// ReturnToStock returns sold-back cards to the stock of their packs and books what was paid beyond
// the quotes of their draws. A card returns if its stock was finite when it was drawn and still is
// in its pack, whether or not the pack is on sale. ReturnToStock returns the drawSeq of each card's
// return in order, or 0 for cards that don't return.
func (s *Service) ReturnToStock(tx *db.Tx, returns []StockReturn) ([]int64, error) {
	finite, err := s.finiteWhenDrawn(tx, returns)
	if err != nil {
		return nil, err
	}
	locked, err := lockForReturns(tx, returns, finite)
	if err != nil {
		return nil, err
	}
	home, err := s.returnPacks(tx, returns, finite)
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
		p := locked[r.PackID]
		if p == nil {
			continue
		}
		p.PaidBeyondQuotes += r.PaidBeyondQuote
		if home[r.Card] != r.PackID || !finite[n] {
			continue
		}
		taken[r.Card]--
		p.DrawSeq++
		seqs[n] = p.DrawSeq
		leaf := protocol.StockLeaf{Pack: r.PackID, Draw: uint64(p.DrawSeq), Card: r.Card, Count: 1, Reason: SellBackReason, Time: tx.Now}
		leaves = append(leaves, string(leaf.Format()))
	}
	if len(locked) > 0 {
		s.invalidateCache(tx)
	}
	counted := make([]Pack, 0, len(locked))
	for _, p := range locked {
		counted = append(counted, *p)
	}
	if err := saveCounters(tx, counted...); err != nil {
		return nil, err
	}
	if err := subtractStock(tx, taken); err != nil {
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
func (s *Service) finiteWhenDrawn(tx *db.Tx, returns []StockReturn) ([]bool, error) {
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
func lockForReturns(tx *db.Tx, returns []StockReturn, finite []bool) (map[string]*Pack, error) {
	changed := map[string]bool{}
	for n, r := range returns {
		if finite[n] || r.PaidBeyondQuote > 0 {
			changed[r.PackID] = true
		}
	}
	locked := map[string]*Pack{}
	if len(changed) == 0 {
		return locked, nil
	}
	rows, err := lockPacks(tx, slices.Sorted(maps.Keys(changed)))
	for _, p := range rows {
		locked[p.ID] = &p
	}
	return locked, err
}

// returnPacks maps each finite card to the pack it can return to: the one that has its stock and
// lists it as finite in its last manifest.
func (s *Service) returnPacks(tx *db.Tx, returns []StockReturn, finite []bool) (map[string]string, error) {
	var cards []string
	for n, r := range returns {
		if finite[n] {
			cards = append(cards, r.Card)
		}
	}
	if len(cards) == 0 {
		return nil, nil
	}
	home, err := packsWithStock(tx, cards)
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
