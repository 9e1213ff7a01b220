// Package market is where users sell what they own to each other.
package market

import (
	"errors"

	"kaibao/internal/audit"
	"kaibao/internal/collection"
	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/packs"
	"kaibao/internal/terms"
)

// Service is the marketplace, and the pages of what is traded there.
type Service struct {
	DB    *db.DB
	Packs *packs.Service
}

// Sale is a listing that was bought.
type Sale struct {
	collection.Entry // as it was listed
	Buyer            string
	Fee              money.Cents
	Balance          money.Cents // the buyer's, after it
}

var (
	errNoEntry       = fault.Missing("Item")
	errAlreadyListed = fault.New(fault.AlreadyListed, "This item is on the marketplace already.")
	errClaimed       = fault.New(fault.Conflict, "This item is being sent to you and cannot be sold.")
	errNotListed     = fault.New(fault.NotListed, "This item is not for sale.")
	errSold          = fault.New(fault.AlreadySold, "Somebody else was faster: this item has been sold. You were not charged.")
	errOwnListing    = fault.New(fault.OwnListing, "This is your own listing.")
	errPriceChanged  = fault.New(fault.PriceChanged, "The price has changed since this page was loaded. You were not charged.")
)

// CurrentPrice is what a buyer must know to go on after errPriceChanged.
type CurrentPrice struct {
	SalePriceCents money.Cents `json:"salePriceCents"`
}

func checkPrice(price money.Cents) error {
	return fault.Within("priceCents", int64(price), 1, int64(terms.HighestPrice))
}

// list offers an entry of the owner's for a price.
func list(tx *db.Tx, owner, id string, price money.Cents) (collection.Entry, error) {
	if err := checkPrice(price); err != nil {
		return collection.Entry{}, err
	}
	e, err := lockOwn(tx, owner, id)
	switch {
	case err != nil:
		return e, err
	case e.Allows(collection.Listing, owner):
		return collection.List(tx, e, owner, price)
	case e.State == collection.Listed:
		return e, errAlreadyListed
	}
	return e, errClaimed
}

// reprice puts another price on an owner's listing. It becomes a new listing, so
// that nobody buys it at a price they have not seen; at the same price it stays
// as it is, and where it is in the list.
func reprice(tx *db.Tx, owner, id string, price money.Cents) (collection.Entry, error) {
	if err := checkPrice(price); err != nil {
		return collection.Entry{}, err
	}
	e, err := lockOwn(tx, owner, id)
	switch {
	case err != nil:
		return e, err
	case !e.Allows(collection.Repricing, owner):
		return e, errNotListed
	case e.SalePrice == price:
		return e, nil
	}
	return collection.Reprice(tx, e, owner, price)
}

// delist takes an owner's listing back.
func delist(tx *db.Tx, owner, id string) (collection.Entry, error) {
	e, err := lockOwn(tx, owner, id)
	switch {
	case err != nil:
		return e, err
	case !e.Allows(collection.Delisting, owner):
		return e, errNotListed
	}
	return collection.Delist(tx, e, owner)
}

func lockOwn(tx *db.Tx, owner, id string) (collection.Entry, error) {
	e, err := collection.LockOwn(tx, owner, id)
	if errors.Is(err, db.ErrNoRow) {
		err = errNoEntry
	}
	return e, err
}

// seen is what the buyer had on the screen.
type seen struct {
	listing string      // empty agrees to any
	price   money.Cents // 0 agrees to any
}

func (s seen) stands(e collection.Entry) bool {
	return (s.listing == "" || s.listing == e.ListingID) && (s.price == 0 || s.price == e.SalePrice)
}

// buy sells a listed entry to the buyer: the price goes to the seller, the fee
// from the seller to the house, the entry to the buyer.
func buy(tx *db.Tx, buyer, id string, seen seen) (Sale, error) {
	e, err := collection.Lock(tx, id)
	if errors.Is(err, db.ErrNoRow) {
		return Sale{}, errNoEntry
	}
	if err != nil {
		return Sale{}, err
	}
	if !e.Allows(collection.Buying, buyer) || !seen.stands(e) {
		return Sale{}, whyNot(tx, e, buyer, seen.listing)
	}
	sale := Sale{Entry: e, Buyer: buyer, Fee: terms.Fee(e.SalePrice)}
	sale.Balance, err = pay(tx, sale)
	if err != nil {
		return Sale{}, err
	}
	if _, err := collection.Buy(tx, e, buyer); err != nil {
		return Sale{}, err
	}
	return sale, record(tx, sale)
}

// whyNot tells a buyer why they cannot buy an entry: by what became of the listing
// they saw, or else of the last one.
func whyNot(tx *db.Tx, e collection.Entry, buyer, listing string) error {
	listed := e.State == collection.Listed
	if e.Owner == buyer && listed {
		return errOwnListing
	}
	if e.Owner == buyer {
		return errNotListed
	}
	if listing == "" && !listed {
		listing = e.EndedListing
	}
	sold, err := wasSold(tx, listing, e.ID)
	switch {
	case err != nil:
		return err
	case sold:
		return errSold
	case listed:
		return errPriceChanged.WithDetails(CurrentPrice{e.SalePrice})
	case e.EndedListing == "":
		return errNoEntry // a stranger's, and never shown to anybody
	}
	return errNotListed
}

// pay moves a sale's money and returns what the buyer has left.
func pay(tx *db.Tx, s Sale) (money.Cents, error) {
	// Both at once, in one order: two users may buy from each other.
	if _, err := ledger.LockAll(tx, []string{s.Owner, s.Buyer}); err != nil {
		return 0, err
	}
	seller, buyer := ledger.Account(s.Owner), ledger.Account(s.Buyer)
	transfers := []ledger.Transfer{{Debit: buyer, Credit: seller, Amount: s.SalePrice, Kind: ledger.KindSale, Ref: s.ListingID}}
	if s.Fee > 0 {
		transfers = append(transfers, ledger.Transfer{Debit: seller, Credit: ledger.Fees, Amount: s.Fee, Kind: ledger.KindSaleFee, Ref: s.ListingID})
	}
	lines, err := ledger.Move(tx, transfers...)
	if err != nil {
		return 0, err
	}
	return lines[0].Balance, nil
}

// Audit proves that every sale was paid as it says, fee included, that nothing
// was paid for that was not sold, and that the sales are those which the entries' lives
// tell of.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, unpaid, untold, mistaken)
}
