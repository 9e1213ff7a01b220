package market

import (
	"cmp"
	"maps"
	"slices"

	"kaibao/internal/alerts"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
	"kaibao/internal/rates"
	"kaibao/internal/sellback"
	"kaibao/internal/trades"
)

// marketTx collects the trades of one transaction. It locks entries first, then bids, then
// accounts, each with one statement. Later requests in the transaction see the trades agreed before
// them. settle writes everything.
type marketTx struct {
	tx      *db.Tx
	rates   func() (protocol.Rates, error) // the fee rates in force
	acts    *inventory.Acts
	bids    map[string]bids.Bid // locked bids in their current state
	changed map[string]bids.Bid
	added   []bids.Bid
	batch   *ledger.Batch
	trades  []trades.Trade
	backs   []sellback.SellBack // the trades that are sell-backs to Kaibao
	events  []marketevents.Event
	alerts  []alerts.Alert

	locked  map[string]inventory.Entry                          // state when locked
	offered map[string]bids.Bid                                 // state when locked
	quick   func(e inventory.Entry, l protocol.TradeLeaf) error // checks the leaf of a quick sell
}

// begin locks entries and loads their items.
func begin(tx *db.Tx, entries []string) (*marketTx, error) {
	inForce := rates.QueueInForce(tx)
	found, err := inventory.LockAll(tx, entries)
	return newMarketTx(tx, found, inForce), err
}

// newMarketTx returns a marketTx for entries that are already locked; the map may be empty. inForce
// is the queued query for the current fee rates.
func newMarketTx(tx *db.Tx, entries map[string]inventory.Entry, inForce func() (protocol.Rates, error)) *marketTx {
	return &marketTx{tx: tx, rates: inForce, acts: inventory.Begin(tx, entries), bids: map[string]bids.Bid{}, changed: map[string]bids.Bid{}, locked: maps.Clone(entries)}
}

func (r *marketTx) lockBids(ids []string) (err error) {
	if len(ids) > 0 {
		r.bids, err = bids.Lock(r.tx, ids)
		r.offered = maps.Clone(r.bids)
	}
	return err
}

// lockAccounts locks the accounts of the given users and of the users of all locked bids.
func (r *marketTx) lockAccounts(users ...string) (err error) {
	for _, b := range r.bids {
		users = append(users, b.User)
	}
	r.batch, err = ledger.LockBatch(r.tx, users)
	return err
}

// spare is how many bids are read beyond those needed, because one may be the owner's own and
// others may be taken by concurrent transactions.
const spare = 3

// matching returns the best bids of other users that fit any of the entries, at most most+spare per
// entry. The bids aren't locked yet.
func (r *marketTx) matching(entries []string, most int, fit func(inventory.Entry, bids.Bid) bool) ([]bids.Bid, error) {
	var looks []bids.Query
	for _, id := range entries {
		if e, ok := r.acts.Entry(id); ok {
			looks = append(looks, queryFor(e, most+spare))
		}
	}
	found, err := bids.Best(r.tx, looks)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	wanted := map[string]bool{}
	for _, id := range entries {
		e, _ := r.acts.Entry(id)
		for _, b := range bestOf(found, e, r.tx, most+spare) {
			wanted[b.ID] = wanted[b.ID] || fit(e, b)
		}
	}
	return slices.DeleteFunc(found, func(b bids.Bid) bool { return !wanted[b.ID] }), nil
}

// queryFor returns the query for the best bids that an entry can be sold to.
func queryFor(e inventory.Entry, most int) bids.Query {
	return bids.Query{Keys: bids.KeysFor(e.ID, e.Item), Value: e.QuoteValue, Not: e.Owner, Most: most}
}

// bestOf returns the best bids that can be filled with the entry, best first, at most most of them.
func bestOf(some []bids.Bid, e inventory.Entry, tx *db.Tx, most int) []bids.Bid {
	fitting := slices.DeleteFunc(slices.Clone(some), func(b bids.Bid) bool {
		return b.User == e.Owner || !b.Scope.Covers(e.ID, e.Item) || !b.Stands(tx.Now) || b.Price.For(e.QuoteValue) < 1
	})
	slices.SortFunc(fitting, func(a, b bids.Bid) int { return bids.Compare(a, b, e.QuoteValue) })
	return fitting[:min(len(fitting), most)]
}

func ids(some []bids.Bid) []string {
	list := make([]string, len(some))
	for n, b := range some {
		list[n] = b.ID
	}
	return list
}

// best returns the best locked bid that can be filled with the entry, and its price.
func (r *marketTx) best(e inventory.Entry) (b bids.Bid, price money.Cents, ok bool) {
	for _, b := range bestOf(r.activeBids(), e, r.tx, 1) {
		return b, b.Price.For(e.QuoteValue), true
	}
	return b, 0, false
}

// openBids returns the locked bids in their current state, ordered by ID.
func (r *marketTx) openBids() []bids.Bid {
	all := make([]bids.Bid, 0, len(r.bids))
	for _, b := range r.bids {
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b bids.Bid) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// activeBids returns the open bids without those of users in a time-out or exclusion, whose bids
// are about to end.
func (r *marketTx) activeBids() []bids.Bid {
	return slices.DeleteFunc(r.openBids(), func(b bids.Bid) bool { return limits.CheckStopped(r.batch.Play(b.User), r.tx.Now) != nil })
}

func (r *marketTx) updateBid(b bids.Bid) {
	r.bids[b.ID], r.changed[b.ID] = b, b
	if b.State != bids.Open {
		r.events = append(r.events, marketevents.Event{Kind: marketevents.BidEnded, Bid: b.ID, Item: b.Scope.Item, Entry: b.Scope.Entry})
	}
}

// buy sells a listed entry to a buyer, who pays from their balance. bid is the buyer's bid that the
// purchase fills, or empty. A failed buy moves no money.
func (r *marketTx) buy(e inventory.Entry, buyer, bid string) (trades.Trade, error) {
	sold := trades.Trade{
		ID: e.ListingID, Kind: trades.Listing, Entry: e.ID, Item: e.Item.ID, Seller: e.Owner, Buyer: buyer,
		Price: e.SalePrice, Bid: bid, Listing: e.ListingID,
	}
	price := ledger.Transfer{Debit: ledger.Account(buyer), Credit: ledger.Account(e.Owner), Amount: e.SalePrice, Kind: ledger.KindSale, Ref: sold.ID}
	sold, err := r.trade(sold, []ledger.Transfer{price}, inventory.Event{Act: inventory.Buying, By: buyer, Price: e.SalePrice, Ref: e.ListingID})
	if err != nil {
		return sold, err
	}
	r.alertSeller(sold)
	return sold, nil
}

// alertSeller alerts the seller of a trade that someone else made.
func (r *marketTx) alertSeller(sold trades.Trade) {
	r.alerts = append(r.alerts, alerts.Alert{User: sold.Seller, Kind: alerts.Filled, Item: sold.Item, Entry: sold.Entry, Price: sold.Price})
}

// fill sells an entry to a locked bid and pays from the money the bid holds. sold.Kind says which
// order was resting, and so which fee rate applies.
func (r *marketTx) fill(e inventory.Entry, b bids.Bid, sold trades.Trade) (trades.Trade, error) {
	sold.ID, sold.Entry, sold.Item, sold.Seller, sold.Buyer, sold.Bid, sold.Listing = r.tx.NewID(), e.ID, e.Item.ID, e.Owner, b.User, b.ID, e.ListingID
	event := inventory.Event{Act: inventory.FillingBid, By: b.User, Price: sold.Price, Ref: sold.ID}
	if sold.Kind == trades.Listing {
		sold.ID = e.ListingID
		event.Act, event.Ref = inventory.Buying, sold.ID
	}
	sold, err := r.trade(sold, b.Pay(sold.ID, e.Owner, sold.Price), event)
	if err != nil {
		return sold, err
	}
	r.updateBid(b.Fill(r.tx.Now))
	r.alerts = append(r.alerts, alerts.Alert{User: b.User, Kind: alerts.Filled, Item: e.Item.ID, Entry: e.ID, Bid: b.ID, Price: sold.Price})
	return sold, nil
}

// trade moves the money of a trade, charges the seller the fee at the rate in force, counts the
// sale toward the seller's limits and transfers the entry to the buyer.
func (r *marketTx) trade(sold trades.Trade, paid []ledger.Transfer, event inventory.Event) (trades.Trade, error) {
	inForce, err := r.rates()
	if err != nil {
		return sold, err
	}
	sold.Rate, sold.Fee = inForce.Of(sold.Kind), inForce.Fee(sold.Kind, sold.Price)
	if sold.Fee > 0 {
		paid = append(paid, ledger.Transfer{Debit: ledger.Account(sold.Seller), Credit: ledger.Fees, Amount: sold.Fee, Kind: ledger.KindSaleFee, Ref: sold.ID})
	}
	if _, err := r.batch.Move(paid...); err != nil {
		return sold, err
	}
	e, _ := r.acts.Entry(sold.Entry)
	counts := limits.Sale{Seller: sold.Seller, Own: e.Pulled(), Net: sold.Price - sold.Fee, Quote: e.Quote(r.tx.Now).Payout, Value: e.QuoteValue}
	sold.Back, sold.Excess = counts.Back(), counts.Excess()
	limits.CountSale(r.batch, r.tx.Now, counts)
	event.Trade = sold.Kind
	if _, err := r.acts.Do(sold.Entry, event); err != nil {
		return sold, err
	}
	r.trades = append(r.trades, sold)
	return sold, nil
}

// settle writes everything collected, each table once: money, entries, bids, alerts, events and
// trades.
func (r *marketTx) settle() error {
	if err := r.batch.Settle(); err != nil {
		return err
	}
	if err := r.acts.Settle(); err != nil {
		return err
	}
	if err := bids.Save(r.tx, r.changed); err != nil {
		return err
	}
	if err := bids.Insert(r.tx, r.added...); err != nil {
		return err
	}
	if err := alerts.Add(r.tx, r.alerts); err != nil {
		return err
	}
	if err := marketevents.Add(r.tx, r.events...); err != nil {
		return err
	}
	return trades.Record(r.tx, r.trades, r.matches)
}
