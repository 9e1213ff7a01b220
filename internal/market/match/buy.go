package match

import (
	"errors"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/fees"
	"kaibao/internal/inventory"
	"kaibao/internal/limits"
	"kaibao/internal/money"
	"kaibao/internal/trades"
)

var (
	errSold         = apperr.New(apperr.AlreadySold, "Someone else bought this item first. You were not charged.")
	errOwnListing   = apperr.New(apperr.OwnListing, "This is your own listing.")
	errPriceChanged = apperr.New(apperr.PriceChanged, "The price has changed since this page was loaded. You were not charged.")
)

// CurrentPrice is the detail of errPriceChanged: the price the listing has now.
type CurrentPrice struct {
	SalePriceCents money.Cents `json:"salePriceCents"`
}

// Order is a buyer's request to buy an entry as they saw it.
type Order struct {
	Buyer   string
	Entry   string
	Listing string      // empty accepts any listing
	Price   money.Cents // 0 accepts any price
	Cheaper bool        // also accepts a lower price
}

// FilledOrder is the result of an order that was filled.
type FilledOrder struct {
	trades.Trade
	Balance money.Cents // the buyer's, after it
}

// Buy fills the orders in sequence; each has its own outcome. The price goes to the seller, the fee
// from the seller to Kaibao and the entry to the buyer. What a user pays or earns affects the
// orders that follow. A refused order moves nothing; an error fails the whole batch.
func (s *Service) Buy(tx *db.Tx, orders []Order) ([]batch.Outcome[FilledOrder], error) {
	if s.Closed {
		return nil, errClosed
	}
	m, err := lockOrders(tx, orders)
	if err != nil {
		return nil, err
	}
	outcomes, missed := make([]batch.Outcome[FilledOrder], len(orders)), []missedOrder{}
	for i, o := range orders {
		filled, err := s.buy(m, o)
		if errors.Is(err, errMissed) {
			e, _ := m.acts.Entry(o.Entry)
			missed = append(missed, missedOrder{o, i, e})
		} else if err != nil && !isRefusal(err) {
			return nil, err
		}
		outcomes[i] = batch.Outcome[FilledOrder]{Value: filled, Err: err}
	}
	if err := m.save(); err != nil {
		return nil, err
	}
	return outcomes, explainMissed(tx, missed, outcomes)
}

// buy fills one order from the locked listing. It refuses a listing that is missing, the buyer's
// own, sold, repriced or priced too far above its value, and a buyer in a time-out or exclusion.
func (s *Service) buy(m *marketTx, o Order) (FilledOrder, error) {
	if err := o.checkIDs(); err != nil {
		return FilledOrder{}, err
	}
	e, ok := m.acts.Entry(o.Entry)
	switch {
	case !ok:
		return FilledOrder{}, errNoEntry
	case !o.accepts(e):
		return FilledOrder{}, errMissed
	case s.tooFar(e.SalePrice, e.QuoteValue):
		return FilledOrder{}, errTooFar
	}
	if err := limits.CheckStopped(m.accounts.Play(o.Buyer), m.tx.Now); err != nil {
		return FilledOrder{}, err
	}
	if m.isFrozen(e.Owner) {
		return FilledOrder{}, errNotListed
	}
	bought, err := m.buyListing(e, o.Buyer, "")
	return FilledOrder{bought, m.accounts.Balance(o.Buyer)}, err
}

// lockOrders locks the entries, then the accounts of the buyers and sellers of the orders that
// can be filled.
func lockOrders(tx *db.Tx, orders []Order) (*marketTx, error) {
	ids := make([]string, 0, len(orders))
	for _, o := range orders {
		if o.checkIDs() == nil {
			ids = append(ids, o.Entry)
		}
	}
	inForce := fees.QueueInForce(tx)
	entries, err := inventory.LockAll(tx, ids)
	if err != nil {
		return nil, err
	}
	m, users := newMarketTx(tx, entries, inForce), []string{}
	for _, o := range orders {
		if e := entries[o.Entry]; o.accepts(e) {
			users = append(users, o.Buyer, e.Owner)
		}
	}
	err = m.lockAccounts(users...)
	return m, err
}

// checkIDs refuses malformed IDs before they reach the database, because a failed statement would
// abort the transaction of the whole batch.
func (o Order) checkIDs() error {
	if !db.IsID(o.Entry) || o.Listing != "" && !db.IsID(o.Listing) {
		return errNoEntry
	}
	return nil
}

// accepts reports whether the entry is for sale to the buyer, by the listing and at the price they
// saw.
func (o Order) accepts(e inventory.Entry) bool {
	return e.Allows(inventory.Buying, o.Buyer) &&
		(o.Listing == "" || o.Listing == e.ListingID) && (o.Price == 0 || o.Price == e.SalePrice || o.Cheaper && e.SalePrice < o.Price)
}

// errMissed marks an order whose entry isn't for sale as the buyer saw it. explainMissed replaces
// it with the reason, which it looks up for all such orders in one query.
var errMissed = errors.New("not for sale as the buyer saw it")

// missedOrder is an order that got errMissed.
type missedOrder struct {
	Order
	index int             // in the batch
	entry inventory.Entry // as it was when the order's turn came
}

// explainMissed replaces errMissed with the actual reason. It runs after save, so it also sees
// sales from the same batch.
func explainMissed(tx *db.Tx, missed []missedOrder, outcomes []batch.Outcome[FilledOrder]) error {
	if len(missed) == 0 {
		return nil
	}
	listings := make([]string, len(missed))
	for i, o := range missed {
		listings[i] = o.seenListing()
	}
	sold, err := trades.Sold(tx, listings) // entries by listing
	for _, o := range missed {
		outcomes[o.index].Err = o.reason(sold[o.seenListing()] == o.Entry)
	}
	return err
}

// seenListing returns the listing the buyer saw, or the entry's last ended listing if none was
// given.
func (o missedOrder) seenListing() string {
	if o.Listing == "" && o.entry.State != inventory.Listed {
		return o.entry.EndedListing
	}
	return o.Listing
}

// reason returns why the buyer can't buy the entry. sold says whether the listing they saw ended
// with its sale.
func (o missedOrder) reason(sold bool) error {
	listed := o.entry.State == inventory.Listed
	switch {
	case o.entry.Owner == o.Buyer && listed:
		return errOwnListing
	case o.entry.Owner == o.Buyer:
		return errNotListed
	case sold:
		return errSold
	case listed:
		return errPriceChanged.WithDetails(CurrentPrice{o.entry.SalePrice})
	case o.entry.EndedListing == "":
		return errNoEntry // someone else's entry that was never listed
	}
	return errNotListed
}
