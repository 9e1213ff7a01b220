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
		return fmt.Errorf("is not the leaf of trade %s", t.ID)
	}
	inForce, err := m.rates()
	if err != nil {
		return err
	}
	e, b := m.lockedEntries[t.Entry], m.lockedBids[t.Bid]
	switch {
	case l.Item != e.Item.ID:
		return fmt.Errorf("item is %s, but the locked entry has %s", l.Item, e.Item.ID)
	case l.Kind == trades.Listing && l.Price != e.SalePrice:
		return fmt.Errorf("price is %s, but the listing asks %s", l.Price, e.SalePrice)
	case l.Kind == trades.Counter && l.Price != b.Counter.Price:
		return fmt.Errorf("price is %s, but the counter-offer asks %s", l.Price, b.Counter.Price)
	case l.Kind == trades.Bid && (l.Price > b.Price.Max || b.Price.Peg == 0 && l.Price != b.Price.Max):
		return fmt.Errorf("price is %s, but the locked bid pays %s", l.Price, b.Price.Max)
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
			return fmt.Errorf("quote is %s, but the locked entry's quote is %s", l.HouseQuote, quote)
		}
		if l.Kind == trades.Bid && l.BestBid != l.Price {
			return fmt.Errorf("best bid is %s, but the filled bid paid %s", l.BestBid, l.Price)
		}
		var best money.Cents
		left := slices.DeleteFunc(m.activeBids(), func(b bids.Bid) bool { return !s.mayFill(e, b) })
		for _, b := range bestBids(left, e, m.tx.Now, 1) {
			best = b.Price.For(e.QuoteValue)
		}
		if l.Kind == trades.SellBack && l.BestBid != best {
			return fmt.Errorf("best bid is %s, but the best remaining locked bid pays %s", l.BestBid, best)
		}
		return nil
	}
}
