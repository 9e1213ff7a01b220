package match

import (
	"cmp"
	"maps"
	"slices"

	"kaibao/internal/alerts"
	"kaibao/internal/apperr"
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
// them. save writes everything.
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
	bidEvents   []marketevents.Event // of bids that were placed or ended; acts has those of entries
	alerts      []alerts.Alert

	// What verifyLeaf compares with the leaves of trades.
	lockedEntries  map[string]inventory.Entry                          // state when locked
	lockedBids     map[string]bids.Bid                                 // state when locked
	checkQuickSell func(e inventory.Entry, l protocol.TradeLeaf) error // the check for quick sells
}

// beginMarketTx locks the entries, loads their items and returns a marketTx for them.
func beginMarketTx(tx *db.Tx, entries []string) (*marketTx, error) {
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

// isFrozen reports whether a user's account, which must be locked, is frozen.
func (m *marketTx) isFrozen(user string) bool { return m.accounts.Play(user).Frozen() }

// checkNotFrozen refuses a user whose account, which must be locked, is frozen.
func (m *marketTx) checkNotFrozen(user string) error {
	if m.isFrozen(user) {
		return apperr.ErrFrozen
	}
	return nil
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
		m.bidEvents = append(m.bidEvents, marketevents.Event{Kind: marketevents.BidEnded, Bid: b.ID, Item: b.Scope.Item, Entry: b.Scope.Entry, Users: b.User})
	}
}

// save writes everything collected, each table once. A new bid that was filled at once has no event
// in bidEvents: acts.Save writes the events of its trades.
func (m *marketTx) save() error {
	if err := m.accounts.Save(); err != nil {
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
