package market

import (
	"errors"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/inventory"
	"kaibao/internal/limits"
	"kaibao/internal/money"
	"kaibao/internal/rates"
	"kaibao/internal/trades"
)

var (
	errSold         = apperr.New(apperr.AlreadySold, "Somebody else was faster: this item has been sold. You were not charged.")
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

// Sale is the result of an Order that was filled.
type Sale struct {
	trades.Trade
	Balance money.Cents // the buyer's, after it
}

// errLate marks an order that can't be filled. explain replaces it with the reason, which it looks
// up for all such orders in one query.
var errLate = errors.New("not to be bought")

// Buy fills the orders in sequence; each has its own outcome. The price goes to the seller, the fee
// from the seller to Kaibao and the entry to the buyer. What a user pays or earns affects the
// orders that follow. A refused order moves nothing; an error fails the whole batch.
func (s *Service) Buy(tx *db.Tx, orders []Order) ([]batch.Outcome[Sale], error) {
	if s.Closed {
		return nil, errClosed
	}
	r, err := s.beginBuying(tx, orders)
	if err != nil {
		return nil, err
	}
	outcomes, behind := make([]batch.Outcome[Sale], len(orders)), []late{}
	for n, order := range orders {
		sale, err := s.buyOne(r, order)
		_, refused := errors.AsType[*apperr.Error](err)
		switch {
		case errors.Is(err, errLate):
			e, _ := r.acts.Entry(order.Entry)
			behind = append(behind, late{n, order, e})
		case err != nil && !refused:
			return nil, err
		}
		outcomes[n] = batch.Outcome[Sale]{Value: sale, Err: err}
	}
	if err := r.settle(); err != nil {
		return nil, err
	}
	return outcomes, explain(tx, behind, outcomes)
}

// late is an order that can't be filled, with its entry as it was when the order's turn came.
type late struct {
	place int
	Order
	entry inventory.Entry
}

// beginBuying locks the entries, then the accounts of the buyers and sellers of the orders that can
// be filled.
func (s *Service) beginBuying(tx *db.Tx, orders []Order) (*marketTx, error) {
	ids := make([]string, 0, len(orders))
	for _, o := range orders {
		if o.check() == nil {
			ids = append(ids, o.Entry)
		}
	}
	inForce := rates.QueueInForce(tx)
	entries, err := inventory.LockAll(tx, ids)
	if err != nil {
		return nil, err
	}
	r, users := newMarketTx(tx, entries, inForce), []string{}
	for _, o := range orders {
		if e := entries[o.Entry]; o.fits(e) {
			users = append(users, o.Buyer, e.Owner)
		}
	}
	err = r.lockAccounts(users...)
	return r, err
}

// check refuses malformed IDs before they reach the database, because a failed statement would
// abort the transaction of the whole batch.
func (o Order) check() error {
	if !db.IsID(o.Entry) || o.Listing != "" && !db.IsID(o.Listing) {
		return errNoEntry
	}
	return nil
}

// fits reports whether the buyer may buy the entry and accepts its price.
func (o Order) fits(e inventory.Entry) bool {
	return e.Allows(inventory.Buying, o.Buyer) &&
		(o.Listing == "" || o.Listing == e.ListingID) && (o.Price == 0 || o.Price == e.SalePrice || o.Cheaper && e.SalePrice < o.Price)
}

// buyOne agrees one sale; settle writes it.
func (s *Service) buyOne(r *marketTx, o Order) (Sale, error) {
	if err := o.check(); err != nil {
		return Sale{}, err
	}
	e, ok := r.acts.Entry(o.Entry)
	switch {
	case !ok:
		return Sale{}, errNoEntry
	case !o.fits(e):
		return Sale{}, errLate
	case s.tooFar(e.SalePrice, e.QuoteValue):
		return Sale{}, errTooFar
	}
	if err := limits.CheckStopped(r.batch.Play(o.Buyer), r.tx.Now); err != nil {
		return Sale{}, err
	}
	sold, err := r.buy(e, o.Buyer, "")
	return Sale{sold, r.batch.Balance(o.Buyer)}, err
}

// explain replaces errLate with the actual reason. It runs after settle, so it also sees sales from
// the same batch.
func explain(tx *db.Tx, behind []late, outcomes []batch.Outcome[Sale]) error {
	if len(behind) == 0 {
		return nil
	}
	listings := make([]string, len(behind))
	for n, l := range behind {
		listings[n] = l.meant()
	}
	sold, err := trades.Sold(tx, listings)
	for _, l := range behind {
		outcomes[l.place].Err = l.whyNot(sold[l.meant()] == l.Entry)
	}
	return err
}

// meant returns the listing the buyer saw, or the entry's last ended listing if none was given.
func (l late) meant() string {
	if l.Listing == "" && l.entry.State != inventory.Listed {
		return l.entry.EndedListing
	}
	return l.Listing
}

// whyNot returns the reason why the buyer can't buy the entry. sold says whether the listing they
// meant ended with its sale.
func (l late) whyNot(sold bool) error {
	listed := l.entry.State == inventory.Listed
	switch {
	case l.entry.Owner == l.Buyer && listed:
		return errOwnListing
	case l.entry.Owner == l.Buyer:
		return errNotListed
	case sold:
		return errSold
	case listed:
		return errPriceChanged.WithDetails(CurrentPrice{l.entry.SalePrice})
	case l.entry.EndedListing == "":
		return errNoEntry // someone else's entry that was never listed
	}
	return errNotListed
}
