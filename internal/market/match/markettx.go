package match

import (
	"cmp"
	"maps"
	"slices"

	"kaibao/internal/alerts"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/fees"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
	"kaibao/internal/sellback"
	"kaibao/internal/trades"
)

// marketTx collects the trades of one transaction. It locks entries first, then bids, then
// accounts, each with one statement. Later requests in the transaction see the trades agreed before
// them. settle writes everything.
type marketTx struct {
	tx        *db.Tx
	rates     db.Queued[protocol.Rates] // the fee rates in force
	acts      *inventory.ActBatch       // on the locked entries
	bids      map[string]bids.Bid       // the locked bids in their current state
	accounts  *ledger.Batch             // of the locked accounts
	trades    []trades.Trade
	sellBacks []sellback.SellBack // the trades that are sell-backs to Kaibao

	newBids     []bids.Bid
	changedBids map[string]bids.Bid
	bidEvents   []marketevents.Event
	alerts      []alerts.Alert

	// What verifyLeaf compares with the leaves of trades.
	lockedEntries  map[string]inventory.Entry                          // state when locked
	lockedBids     map[string]bids.Bid                                 // state when locked
	checkQuickSell func(e inventory.Entry, l protocol.TradeLeaf) error // the check for quick sells
}

// lockEntries locks entries and loads their items.
func lockEntries(tx *db.Tx, entries []string) (*marketTx, error) {
	inForce := fees.QueueInForce(tx)
	found, err := inventory.LockAll(tx, entries)
	return newMarketTx(tx, found, inForce), err
}

// newMarketTx returns a marketTx for entries that are already locked; the map may be empty. inForce
// is the queued query for the current fee rates.
func newMarketTx(tx *db.Tx, entries map[string]inventory.Entry, inForce db.Queued[protocol.Rates]) *marketTx {
	return &marketTx{
		tx: tx, rates: inForce, acts: inventory.NewActBatch(tx, entries),
		bids: map[string]bids.Bid{}, changedBids: map[string]bids.Bid{}, lockedEntries: maps.Clone(entries),
	}
}

// lock locks the bids, then the accounts of their bidders and of the given users.
func (m *marketTx) lock(bidIDs []string, users ...string) error {
	if err := m.lockBids(bidIDs); err != nil {
		return err
	}
	return m.lockAccounts(users...)
}

func (m *marketTx) lockBids(ids []string) (err error) {
	if len(ids) > 0 {
		m.bids, err = bids.Lock(m.tx, ids)
		m.lockedBids = maps.Clone(m.bids)
	}
	return err
}

// lockAccounts locks the accounts of the given users and of the users of all locked bids.
func (m *marketTx) lockAccounts(users ...string) (err error) {
	for _, b := range m.bids {
		users = append(users, b.User)
	}
	m.accounts, err = ledger.LockBatch(m.tx, users)
	return err
}

// owners returns the owners of the locked entries.
func (m *marketTx) owners() (users []string) {
	for _, e := range m.acts.Entries() {
		users = append(users, e.Owner)
	}
	return users
}

// allBids returns the locked bids in their current state, ordered by ID.
func (m *marketTx) allBids() []bids.Bid {
	all := slices.Collect(maps.Values(m.bids))
	slices.SortFunc(all, func(a, b bids.Bid) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// activeBids returns the locked bids without those of users in a time-out or exclusion, whose bids
// are about to end.
func (m *marketTx) activeBids() []bids.Bid {
	return slices.DeleteFunc(m.allBids(), func(b bids.Bid) bool { return limits.CheckStopped(m.accounts.Play(b.User), m.tx.Now) != nil })
}

// bestBid returns the best locked bid that can be filled with the entry, and its price.
func (m *marketTx) bestBid(e inventory.Entry) (b bids.Bid, price money.Cents, ok bool) {
	for _, b := range bestBids(m.activeBids(), e, m.tx.Now, 1) {
		return b, b.Price.For(e.QuoteValue), true
	}
	return b, 0, false
}

// updateBid replaces a locked bid's state.
func (m *marketTx) updateBid(b bids.Bid) {
	m.bids[b.ID], m.changedBids[b.ID] = b, b
	if b.State != bids.Open {
		m.bidEvents = append(m.bidEvents, marketevents.Event{Kind: marketevents.BidEnded, Bid: b.ID, Item: b.Scope.Item, Entry: b.Scope.Entry})
	}
}

// buyListing sells a listed entry to a buyer, who pays from their balance. bid is the buyer's bid
// that the purchase fills, or empty. A failed purchase moves no money.
func (m *marketTx) buyListing(e inventory.Entry, buyer, bid string) (trades.Trade, error) {
	t := trades.Trade{
		ID: e.ListingID, Kind: trades.Listing, Entry: e.ID, Item: e.Item.ID, Seller: e.Owner, Buyer: buyer,
		Price: e.SalePrice, Bid: bid, Listing: e.ListingID,
	}
	price := ledger.Transfer{Debit: ledger.Account(buyer), Credit: ledger.Account(e.Owner), Amount: e.SalePrice, Kind: ledger.KindSale, Ref: t.ID}
	t, err := m.execute(t, []ledger.Transfer{price}, inventory.Event{Act: inventory.Buying, By: buyer, Price: e.SalePrice, Ref: e.ListingID})
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
	t, err := m.execute(t, b.Payment(t.ID, e.Owner, t.Price), event)
	if err != nil {
		return t, err
	}
	m.updateBid(b.Fill(m.tx.Now))
	m.alerts = append(m.alerts, alerts.Alert{User: b.User, Kind: alerts.Filled, Item: e.Item.ID, Entry: e.ID, Bid: b.ID, Price: t.Price})
	return t, nil
}

// execute carries out a trade: payment goes from buyer to seller, the fee from seller to Kaibao,
// the entry to the buyer. It returns the trade with its fee; settle records it.
func (m *marketTx) execute(t trades.Trade, payment []ledger.Transfer, event inventory.Event) (trades.Trade, error) {
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
	sale := limits.Sale{Seller: t.Seller, Own: e.Pulled(), Net: t.Price - t.Fee, Quote: e.Quote(m.tx.Now).Payout, Value: e.QuoteValue}
	t.Back, t.Excess = sale.Back(), sale.Excess()
	limits.CountSale(m.accounts, m.tx.Now, sale)
}

// alertSeller alerts the seller of a trade that someone else made.
func (m *marketTx) alertSeller(t trades.Trade) {
	m.alerts = append(m.alerts, alerts.Alert{User: t.Seller, Kind: alerts.Filled, Item: t.Item, Entry: t.Entry, Price: t.Price})
}

// settle writes everything collected, each table once: money, entries, bids, alerts, events and
// trades.
func (m *marketTx) settle() error {
	if err := m.accounts.Settle(); err != nil {
		return err
	}
	if err := m.acts.Save(); err != nil {
		return err
	}
	if err := bids.Save(m.tx, m.changedBids); err != nil {
		return err
	}
	if err := bids.Insert(m.tx, m.newBids...); err != nil {
		return err
	}
	if err := alerts.Add(m.tx, m.alerts); err != nil {
		return err
	}
	if err := marketevents.Add(m.tx, m.bidEvents...); err != nil {
		return err
	}
	return trades.Record(m.tx, m.trades, m.verifyLeaf)
}
