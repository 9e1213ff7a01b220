package market

import (
	"errors"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
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

// CurrentPrice is what a buyer must know to go on after errPriceChanged.
type CurrentPrice struct {
	SalePriceCents money.Cents `json:"salePriceCents"`
}

// Order is what a buyer asks for: an entry, as it was seen.
type Order struct {
	Buyer   string
	Entry   string
	Listing string      // empty agrees to any
	Price   money.Cents // 0 agrees to any
	Cheaper bool        // a lower price is agreed to as well
}

// Sale is a listing that was bought.
type Sale struct {
	trades.Trade
	Balance money.Cents // the buyer's, after it
}

// errLate stands for what a buyer is told who cannot buy what they ask for: that is
// looked up for all of them at once.
var errLate = errors.New("not to be bought")

// Buy sells listed entries to buyers, in their order, each answered for itself: the
// price goes to the seller, the fee from the seller to the house, the entry to the
// buyer. What one buys or is paid counts for the orders behind. A refused order
// moves nothing. An error spoils all of it.
func (s *Service) Buy(tx *db.Tx, orders []Order) ([]db.Outcome[Sale], error) {
	if s.Closed {
		return nil, errClosed
	}
	r, err := s.beginBuying(tx, orders)
	if err != nil {
		return nil, err
	}
	outcomes, behind := make([]db.Outcome[Sale], len(orders)), []late{}
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
		outcomes[n] = db.Outcome[Sale]{Value: sale, Err: err}
	}
	if err := r.settle(); err != nil {
		return nil, err
	}
	return outcomes, explain(tx, behind, outcomes)
}

// late is an order for what cannot be bought, and how that was when its turn came.
type late struct {
	place int
	Order
	entry inventory.Entry
}

// beginBuying locks the entries, then the accounts of those who may buy and of those they
// buy from.
func (s *Service) beginBuying(tx *db.Tx, orders []Order) (*marketTx, error) {
	ids := make([]string, 0, len(orders))
	for _, o := range orders {
		if o.check() == nil {
			ids = append(ids, o.Entry)
		}
	}
	inForce := rates.InForce(tx)
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

// check refuses what no order can ask for, before the database sees it: a statement that
// fails would spoil the batch.
func (o Order) check() error {
	if !httpkit.IsID(o.Entry) || o.Listing != "" && !httpkit.IsID(o.Listing) {
		return errNoEntry
	}
	return nil
}

// fits tells whether the buyer can buy an entry and agrees to its price.
func (o Order) fits(e inventory.Entry) bool {
	return e.Allows(inventory.Buying, o.Buyer) &&
		(o.Listing == "" || o.Listing == e.ListingID) && (o.Price == 0 || o.Price == e.SalePrice || o.Cheaper && e.SalePrice < o.Price)
}

// buyOne agrees a sale, to be settled.
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
	if err := limits.Stopped(r.batch.Play(o.Buyer), r.tx.Now); err != nil {
		return Sale{}, err
	}
	sold, err := r.buy(e, o.Buyer, "")
	return Sale{sold, r.batch.Balance(o.Buyer)}, err
}

// explain tells those who were late why, once what was agreed is written down.
func explain(tx *db.Tx, behind []late, outcomes []db.Outcome[Sale]) error {
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

// meant is the listing that the buyer saw, or else the last one that has ended.
func (l late) meant() string {
	if l.Listing == "" && l.entry.State != inventory.Listed {
		return l.entry.EndedListing
	}
	return l.Listing
}

// whyNot tells a buyer why they cannot buy an entry, by whether the listing they mean
// ended with its sale.
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
		return errNoEntry // a stranger's, and never shown to anybody
	}
	return errNotListed
}
