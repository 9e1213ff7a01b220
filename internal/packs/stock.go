package packs

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// A card of finite stock belongs to only one pack (fairness.md, section 1). A pack's series leave
// out items with a stock in another pack. A manifest that shares such a card with another usable
// manifest can't be published or put on sale.

// initialRestocks returns the initial stock of the pack's cards.
func (d Definition) initialRestocks() (restocks []protocol.Restock) {
	if d.InitialStock == 0 {
		return nil
	}
	for _, tier := range d.Tiers {
		for _, id := range tier.Items {
			restocks = append(restocks, protocol.Restock{Card: id, Count: d.InitialStock})
		}
	}
	return restocks
}

// changeStock adds or removes a pack's stock of a card.
func changeStock(tx *db.Tx, packID string, card protocol.Restock) error {
	if card.Count > 0 {
		if err := addStock(tx, packID, card); err != nil {
			return fmt.Errorf("add stock of card %s: %w", card.Card, err)
		}
		return nil
	}
	err := removeStock(tx, packID, card.Card, -card.Count)
	if errors.Is(err, db.ErrNoRow) {
		return errTooFewLeft
	}
	return err
}

var errTooFewLeft = apperr.InvalidField("restock.count", "removes more than is left")

// packForRestock returns the pack that has, or will have, the item's stock. An item that can
// already be drawn without a limit can't get a stock.
func packForRestock(tx *db.Tx, item, requested string, drawable bool) (string, error) {
	found, err := packsWithStock(tx, []string{item})
	if err != nil {
		return "", err
	}
	switch pack := found[item]; {
	case pack != "" && (requested == "" || requested == pack):
		return pack, nil
	case pack != "":
		return "", apperr.New(apperr.Conflict, fmt.Sprintf("The stock of card %s belongs to pack %s.", item, pack))
	case requested == "":
		return "", apperr.InvalidField("restock.packId", "is required, because the item has no stock yet")
	case drawable:
		return "", apperr.New(apperr.Conflict, fmt.Sprintf("Card %s is unlimited in current odds. "+
			"Retire it first, and bring it back with a stock once no valid manifest contains it.", item))
	}
	return requested, nil
}

// checkStockExclusive refuses a manifest that shares a card of finite stock with another pack.
func (s *Service) checkStockExclusive(tx *db.Tx, pack string, m *protocol.Manifest) error {
	others, err := s.usableManifests(tx, tx.Now)
	if err != nil {
		return err
	}
	for _, other := range others {
		if other.packID == pack {
			continue
		}
		if card := protocol.SharedFinite(m, other.Manifest); card != "" {
			return apperr.New(apperr.Conflict, fmt.Sprintf("Card %s has limited stock and is already in pack %s (%s). "+
				"Remove it from one of the two packs first.", card, other.packID, other.Name))
		}
	}
	return nil
}

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
// in its pack, whether or not the pack is on sale; if orders of the pack are pending, after their
// draws. ReturnToStock returns the drawSeq of each card's return in order, or 0 for cards that don't
// return.
func (s *Service) ReturnToStock(tx *db.Tx, returns []StockReturn) ([]int64, error) {
	finite, err := s.finiteWhenDrawn(tx, returns)
	if err != nil {
		return nil, err
	}
	locked, err := lockForReturns(tx, returns, finite)
	if err != nil {
		return nil, err
	}
	packOf, err := s.returnPacks(tx, returns, finite)
	if err != nil {
		return nil, err
	}
	pending, err := packsWithPendingOrders(tx, slices.Collect(maps.Keys(locked)))
	if err != nil {
		return nil, err
	}
	seqs, taken := make([]int64, len(returns)), map[string]int64{}
	var waiting []WaitingReturn
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
		if packOf[r.Card] != r.PackID || !finite[n] {
			continue
		}
		p.DrawSeq++
		seqs[n] = p.DrawSeq
		if pending[r.PackID] {
			waiting = append(waiting, WaitingReturn{r.PackID, p.DrawSeq, r.Card})
		} else {
			taken[r.Card]--
		}
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
	if err := errors.Join(subtractStock(tx, taken), insertWaitingReturns(tx, waiting)); err != nil {
		return nil, err
	}
	return seqs, publiclog.AppendIf(tx, func(_ int, leaf protocol.Leaf) error {
		l, ok := leaf.(protocol.StockLeaf)
		next[l.Pack]++
		if !ok || packOf[l.Card] != l.Pack || l.Draw != uint64(next[l.Pack]) {
			return fmt.Errorf("is not the return of card %s to pack %s with drawSeq %d", l.Card, l.Pack, l.Draw)
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
		finite[n] = m.ContainsFinite(r.Card)
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
	packOf, err := packsWithStock(tx, cards)
	if err != nil {
		return nil, err
	}
	holding := map[string]*protocol.Manifest{}
	for card, pack := range packOf {
		if holding[pack] == nil {
			last, err := lastPublication(tx, pack)
			if err == nil {
				holding[pack], err = s.Manifest(tx, last.hash)
			}
			if err != nil {
				return nil, err
			}
		}
		if !holding[pack].ContainsFinite(card) {
			delete(packOf, card)
		}
	}
	return packOf, nil
}
