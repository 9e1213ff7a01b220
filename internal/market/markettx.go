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
// accounts, each with one statement. Later requests in the transaction see the trades agreed
// before them. settle writes everything.
type marketTx struct {
	tx      *db.Tx
	rates   func() (protocol.Rates, error) // in force
	acts    *inventory.Acts
	bids    map[string]bids.Bid // as they are by now
	changed map[string]bids.Bid
	added   []bids.Bid
	batch   *ledger.Batch
	trades  []trades.Trade
	backs   []sellback.SellBack // those trades that are with the house
	events  []marketevents.Event
	alerts  []alerts.Alert

	locked  map[string]inventory.Entry                          // as they were locked
	offered map[string]bids.Bid                                 // likewise
	quick   func(e inventory.Entry, l protocol.TradeLeaf) error // checks the leaf of a quick sell
}

// begin locks entries, with all that is known of their items.
func begin(tx *db.Tx, entries []string) (*marketTx, error) {
	inForce := rates.InForce(tx)
	found, err := inventory.LockAll(tx, entries)
	return newMarketTx(tx, found, inForce), err
}

// newMarketTx starts with locked entries, or none. inForce is a queued query of the current
// fees.
func newMarketTx(tx *db.Tx, entries map[string]inventory.Entry, inForce func() (protocol.Rates, error)) *marketTx {
	return &marketTx{tx: tx, rates: inForce, acts: inventory.Begin(tx, entries), bids: map[string]bids.Bid{}, changed: map[string]bids.Bid{}, locked: maps.Clone(entries)}
}

// lockBids locks bids by their ids.
func (r *marketTx) lockBids(ids []string) (err error) {
	if len(ids) > 0 {
		r.bids, err = bids.Lock(r.tx, ids)
		r.offered = maps.Clone(r.bids)
	}
	return err
}

// lockAccounts locks the accounts of some users, and of those whose bids are locked.
func (r *marketTx) lockAccounts(users ...string) (err error) {
	for _, b := range r.bids {
		users = append(users, b.User)
	}
	r.batch, err = ledger.LockBatch(r.tx, users)
	return err
}

// spare is how many bids are looked at beyond those that are needed: one may be the
// owner's, others may be lost to rivals.
const spare = 3

// matching finds, for each of some entries, the best of others' bids for it that fit, not
// locked yet.
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

// bestOf are the best of some bids that can be filled with an entry.
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

// best is the best of the locked bids that can be filled with an entry, and what it pays.
func (r *marketTx) best(e inventory.Entry) (b bids.Bid, price money.Cents, ok bool) {
	for _, b := range bestOf(r.activeBids(), e, r.tx, 1) {
		return b, b.Price.For(e.QuoteValue), true
	}
	return b, 0, false
}

// openBids returns the locked bids in their current state, ordered by id.
func (r *marketTx) openBids() []bids.Bid {
	all := make([]bids.Bid, 0, len(r.bids))
	for _, b := range r.bids {
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b bids.Bid) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// activeBids returns the open bids of users without a time-out or exclusion, whose bids are
// about to end.
func (r *marketTx) activeBids() []bids.Bid {
	return slices.DeleteFunc(r.openBids(), func(b bids.Bid) bool { return limits.Stopped(r.batch.Play(b.User), r.tx.Now) != nil })
}

// updateBid records the new state of a locked bid.
func (r *marketTx) updateBid(b bids.Bid) {
	r.bids[b.ID], r.changed[b.ID] = b, b
	if b.State != bids.Open {
		r.events = append(r.events, marketevents.Event{Kind: marketevents.BidEnded, Bid: b.ID, Item: b.Scope.Item, Entry: b.Scope.Entry})
	}
}

// buy sells a listed entry to a buyer, who pays for it out of the balance; bid is theirs,
// if they bid for it. It moves nothing where it fails.
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

// alertSeller alerts the seller of a trade made by somebody else.
func (r *marketTx) alertSeller(sold trades.Trade) {
	r.alerts = append(r.alerts, alerts.Alert{User: sold.Seller, Kind: alerts.Filled, Item: sold.Item, Entry: sold.Entry, Price: sold.Price})
}

// fill sells an entry to a locked bid for a price, out of what the bid holds. Of what kind
// it is says what rested, and so who is paid what fee.
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

// trade moves the money of a trade, the fee from the seller to the house included, which it
// takes at the rate in force, counts it for the seller and gives the entry to its buyer.
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
	limits.Sold(r.batch, r.tx.Now, counts)
	event.Trade = sold.Kind
	if _, err := r.acts.Do(sold.Entry, event); err != nil {
		return sold, err
	}
	r.trades = append(r.trades, sold)
	return sold, nil
}

// settle writes down what was agreed, each table once: money, entries, bids, trades, and
// what is told of them.
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
