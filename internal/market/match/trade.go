package match

import (
	"kaibao/internal/alerts"
	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/trades"
)

// buyListing sells a listed entry to a buyer, who pays from their balance. bid is the buyer's bid
// that the purchase fills, or empty. A failed purchase moves no money.
func (m *marketTx) buyListing(e inventory.Entry, buyer, bid string) (trades.Trade, error) {
	t := trades.Trade{
		ID: e.ListingID, Kind: trades.Listing, Entry: e.ID, Item: e.Item.ID, Seller: e.Owner, Buyer: buyer,
		Price: e.SalePrice, Bid: bid, Listing: e.ListingID,
	}
	price := ledger.Transfer{Debit: ledger.Account(buyer), Credit: ledger.Account(e.Owner), Amount: e.SalePrice, Kind: ledger.KindSale, Ref: t.ID}
	t, err := m.makeTrade(t, []ledger.Transfer{price}, inventory.Event{Act: inventory.Buying, By: buyer, Price: e.SalePrice, Ref: e.ListingID})
	if err != nil {
		return t, err
	}
	m.alertSeller(t)
	return t, nil
}

// fillBid sells an entry to a locked bid, which pays from the money it holds. t has the price, and
// its kind says which order was placed first and so which fee rate applies.
func (m *marketTx) fillBid(e inventory.Entry, b bids.Bid, t trades.Trade) (trades.Trade, error) {
	t.ID, t.Entry, t.Item, t.Seller, t.Buyer, t.Bid, t.Listing = m.tx.NewID(), e.ID, e.Item.ID, e.Owner, b.User, b.ID, e.ListingID
	event := inventory.Event{Act: inventory.FillingBid, By: b.User, Price: t.Price, Ref: t.ID}
	if t.Kind == trades.Listing {
		t.ID = e.ListingID
		event.Act, event.Ref = inventory.Buying, t.ID
	}
	t, err := m.makeTrade(t, b.Payment(t.ID, e.Owner, t.Price), event)
	if err != nil {
		return t, err
	}
	m.updateBid(b.Fill(m.tx.Now))
	m.alerts = append(m.alerts, alerts.Alert{User: b.User, Kind: alerts.Filled, Item: e.Item.ID, Entry: e.ID, Bid: b.ID, Price: t.Price})
	return t, nil
}

// makeTrade carries out a trade: payment goes from buyer to seller, the fee from seller to Kaibao,
// the entry to the buyer. It returns the trade with its fee; save records it.
func (m *marketTx) makeTrade(t trades.Trade, payment []ledger.Transfer, event inventory.Event) (trades.Trade, error) {
	inForce, err := m.rates()
	if err != nil {
		return t, err
	}
	t.Rate, t.Fee = inForce.Of(t.Kind), inForce.Fee(t.Kind, t.Price)
	if err := m.moveMoney(t, payment); err != nil {
		return t, err
	}
	m.countForSeller(&t)
	if err := m.moveEntry(t, event); err != nil {
		return t, err
	}
	m.trades = append(m.trades, t)
	return t, nil
}

// moveMoney moves the payment to the seller and the fee from the seller to Kaibao.
func (m *marketTx) moveMoney(t trades.Trade, payment []ledger.Transfer) error {
	if t.Fee > 0 {
		payment = append(payment, ledger.Transfer{Debit: ledger.Account(t.Seller), Credit: ledger.Fees, Amount: t.Fee, Kind: ledger.KindSaleFee, Ref: t.ID})
	}
	_, err := m.accounts.Move(payment...)
	return err
}

// moveEntry makes the buyer the owner of the entry.
func (m *marketTx) moveEntry(t trades.Trade, event inventory.Event) error {
	event.Trade = t.Kind
	_, err := m.acts.Do(t.Entry, event)
	return err
}

// countForSeller counts a sale toward the seller's limits, before the entry moves.
func (m *marketTx) countForSeller(t *trades.Trade) {
	e, _ := m.acts.Entry(t.Entry)
	sale := limits.CountedSale{Seller: t.Seller, Own: e.Pulled(), Gift: e.Gifted(), Net: t.Price - t.Fee, Quote: e.Quote(m.tx.Now).Payout, Value: e.QuoteValue}
	t.Back, t.Excess = sale.Back(), sale.Excess()
	limits.CountSale(m.accounts, m.tx.Now, sale)
}

// alertSeller alerts the seller of a trade that someone else made.
func (m *marketTx) alertSeller(t trades.Trade) {
	m.alerts = append(m.alerts, alerts.Alert{User: t.Seller, Kind: alerts.Filled, Item: t.Item, Entry: t.Entry, Price: t.Price})
}

// cross sells a listed entry to the best bid at or above its price, and reports whether it did. The
// order that was placed first sets the price.
func (s *Service) cross(tx *db.Tx, entry string) (sold bool, err error) {
	m, err := beginMarketTx(tx, []string{entry})
	if err != nil {
		return false, err
	}
	e, ok := m.acts.Entry(entry)
	if !ok || e.State != inventory.Listed {
		return false, nil
	}
	crossing, err := m.fittingBids([]string{entry}, 1, func(e inventory.Entry, b bids.Bid) bool { return b.Price.For(e.QuoteValue) >= e.SalePrice })
	if err != nil || len(crossing) == 0 {
		return false, err
	}
	if err := m.lock(idsOf(crossing), e.Owner); err != nil {
		return false, err
	}
	b, price, ok := m.bestBid(e)
	if !ok || price < e.SalePrice || m.isFrozen(e.Owner) {
		return false, nil
	}
	t, err := tradeAtEarlierPrice(tx, e, b)
	if err != nil || s.tooFar(t.Price, e.QuoteValue) {
		return false, err
	}
	t, err = m.fillBid(e, b, t)
	if err != nil {
		return false, err
	}
	m.alertSeller(t)
	return true, m.save()
}

// tradeAtEarlierPrice returns kind and price of the trade for a crossed listing and bid. The order
// that was placed first sets the price. A pegged bid counts as placed no earlier than the value it
// uses.
func tradeAtEarlierPrice(tx *db.Tx, e inventory.Entry, b bids.Bid) (trades.Trade, error) {
	bidIsFirst := b.Place < e.ListingID
	if bidIsFirst && b.Price.Peg != 0 {
		since, err := catalogue.QuotedSince(tx, e.Item.ID)
		if err != nil {
			return trades.Trade{}, err
		}
		bidIsFirst = db.MinID(since) < e.ListingID
	}
	if bidIsFirst {
		return trades.Trade{Kind: trades.Bid, Price: b.Price.For(e.QuoteValue)}, nil
	}
	return trades.Trade{Kind: trades.Listing, Price: e.SalePrice}, nil
}
