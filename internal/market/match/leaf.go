package match

import (
	"errors"
	"fmt"
	"slices"

	"kaibao/internal/bids"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
	"kaibao/internal/trades"
)

// verifyLeaf verifies the log leaf of trade n at the rates in force, as a reader of the log would.
// It also compares the leaf with the locked entry and bid.
func (m *marketTx) verifyLeaf(n int, leaf protocol.Leaf) error {
	t := m.trades[n]
	l, ok := leaf.(protocol.TradeLeaf)
	if !ok || l.ID != t.ID || l.Kind != t.Kind {
		return fmt.Errorf("it is not trade %s", t.ID)
	}
	inForce, err := m.rates()
	if err != nil {
		return err
	}
	e, b := m.lockedEntries[t.Entry], m.lockedBids[t.Bid]
	switch {
	case l.Item != e.Item.ID:
		return fmt.Errorf("item %s, the locked entry is of %s", l.Item, e.Item.ID)
	case l.Kind == trades.Listing && l.Price != e.SalePrice:
		return fmt.Errorf("a price of %s, it was listed for %s", l.Price, e.SalePrice)
	case l.Kind == trades.Counter && l.Price != b.Counter.Price:
		return fmt.Errorf("a price of %s, the owner asked for %s", l.Price, b.Counter.Price)
	case l.Kind == trades.Bid && (l.Price > b.Price.Most || b.Price.Peg == 0 && l.Price != b.Price.Most):
		return fmt.Errorf("a price of %s, the locked bid pays %s", l.Price, b.Price.Most)
	case l.Route == trades.Quick:
		err = m.checkQuickSell(e, l)
	}
	return errors.Join(l.Verify(inForce), err)
}

// quickSellCheck returns the check for a quick sell's leaf: the leaf's quote must be that of the
// locked entry, and no locked bid left after the sale may pay more than the leaf's best bid.
func (s *Service) quickSellCheck(m *marketTx) func(e inventory.Entry, l protocol.TradeLeaf) error {
	return func(e inventory.Entry, l protocol.TradeLeaf) error {
		if quote := s.houseQuote(e, m.tx.Now); l.HouseQuote != quote {
			return fmt.Errorf("a quote of %s, for the locked entry it is %s", l.HouseQuote, quote)
		}
		if l.Kind == trades.Bid && l.BestBid != l.Price {
			return fmt.Errorf("a best bid of %s beside one that paid %s", l.BestBid, l.Price)
		}
		var best money.Cents
		left := slices.DeleteFunc(m.activeBids(), func(b bids.Bid) bool { return !s.mayFill(e, b) })
		for _, b := range bestBids(left, e, m.tx.Now, 1) {
			best = b.Price.For(e.QuoteValue)
		}
		if l.Kind == trades.SellBack && l.BestBid != best {
			return fmt.Errorf("a best bid of %s, the best of the locked bids that are left pays %s", l.BestBid, best)
		}
		return nil
	}
}
