package market

import (
	"errors"

	"kaibao/internal/collection"
	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/terms"
	"kaibao/internal/trades"
)

var (
	errSold         = fault.New(fault.AlreadySold, "Somebody else was faster: this item has been sold. You were not charged.")
	errOwnListing   = fault.New(fault.OwnListing, "This is your own listing.")
	errPriceChanged = fault.New(fault.PriceChanged, "The price has changed since this page was loaded. You were not charged.")
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
}

// Sale is a listing that was bought.
type Sale struct {
	collection.Entry // as it was listed
	Buyer            string
	Fee              money.Cents
	Balance          money.Cents // the buyer's, after it
}

// errLate stands for what a buyer is told who cannot buy what they ask for: that is
// looked up for all of them at once.
var errLate = errors.New("not to be bought")

// Buy sells listed entries to buyers, in their order, each answered for itself: the
// price goes to the seller, the fee from the seller to the house, the entry to the
// buyer. What one buys or is paid counts for the orders behind. A refused order
// moves nothing. An error spoils all of it.
func Buy(tx *db.Tx, orders []Order) ([]db.Outcome[Sale], error) {
	b, err := begin(tx, orders)
	if err != nil {
		return nil, err
	}
	outcomes := make([]db.Outcome[Sale], len(orders))
	for n, order := range orders {
		sale, err := b.buy(order)
		_, refused := errors.AsType[*fault.Error](err)
		switch {
		case errors.Is(err, errLate):
			b.late = append(b.late, late{n, order, b.entries[order.Entry]})
		case err != nil && !refused:
			return nil, err
		}
		outcomes[n] = db.Outcome[Sale]{Value: sale, Err: err}
	}
	if err := b.settle(); err != nil {
		return nil, err
	}
	return outcomes, b.explain(outcomes)
}

// batch is the sales of one transaction: everything is locked and read before, and
// written after, all of them are agreed.
type batch struct {
	tx      *db.Tx
	entries map[string]collection.Entry // as those before leave them
	till    *ledger.Till
	sales   []Sale
	late    []late
}

// late is an order for what cannot be bought, and how that was when its turn came.
type late struct {
	place int
	Order
	entry collection.Entry
}

// begin locks the entries, then the accounts of those who may buy and of those they buy
// from.
func begin(tx *db.Tx, orders []Order) (*batch, error) {
	ids := make([]string, 0, len(orders))
	for _, o := range orders {
		if o.check() == nil {
			ids = append(ids, o.Entry)
		}
	}
	entries, err := collection.LockRows(tx, ids)
	if err != nil {
		return nil, err
	}
	var users []string
	for _, o := range orders {
		if e := entries[o.Entry]; o.fits(e) {
			users = append(users, o.Buyer, e.Owner)
		}
	}
	till, err := ledger.OpenTill(tx, users)
	return &batch{tx: tx, entries: entries, till: till}, err
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
func (o Order) fits(e collection.Entry) bool {
	return e.Allows(collection.Buying, o.Buyer) &&
		(o.Listing == "" || o.Listing == e.ListingID) && (o.Price == 0 || o.Price == e.SalePrice)
}

// buy agrees a sale, to be settled.
func (b *batch) buy(o Order) (Sale, error) {
	if err := o.check(); err != nil {
		return Sale{}, err
	}
	e, there := b.entries[o.Entry]
	switch {
	case !there:
		return Sale{}, errNoEntry
	case !o.fits(e):
		return Sale{}, errLate
	}
	sale := Sale{Entry: e, Buyer: o.Buyer, Fee: terms.Fee(e.SalePrice)}
	lines, err := b.till.Move(sale.transfers()...)
	if err != nil {
		return Sale{}, err
	}
	sale.Balance = lines[0].Balance
	b.entries[o.Entry], err = e.Bought(o.Buyer, b.tx.Now)
	b.sales = append(b.sales, sale)
	return sale, err
}

// transfers are a sale's money: each side sees what it knows, the buyer the price, the
// seller the price and the fee.
func (s Sale) transfers() []ledger.Transfer {
	seller := ledger.Account(s.Owner)
	price := ledger.Transfer{Debit: ledger.Account(s.Buyer), Credit: seller, Amount: s.SalePrice, Kind: ledger.KindSale, Ref: s.ListingID}
	if s.Fee == 0 {
		return []ledger.Transfer{price}
	}
	return []ledger.Transfer{price, {Debit: seller, Credit: ledger.Fees, Amount: s.Fee, Kind: ledger.KindSaleFee, Ref: s.ListingID}}
}

// settle writes down what was agreed, each table once: money, entries, trades.
func (b *batch) settle() error {
	if len(b.sales) == 0 {
		return nil
	}
	if err := b.till.Settle(); err != nil {
		return err
	}
	entries, buyers := make([]collection.Entry, len(b.sales)), make([]string, len(b.sales))
	for n, s := range b.sales {
		entries[n], buyers[n] = s.Entry, s.Buyer
	}
	if err := collection.Buy(b.tx, entries, buyers); err != nil {
		return err
	}
	sold := make([]trades.Trade, len(b.sales))
	for n, s := range b.sales {
		sold[n] = trades.Trade{
			ID: s.ListingID, Kind: trades.Listing, Entry: s.ID, Item: s.Item.ID, Seller: s.Owner, Buyer: s.Buyer,
			Price: s.SalePrice, Fee: s.Fee, Listing: s.ListingID,
		}
	}
	return trades.Record(b.tx, sold)
}

// explain tells those who were late why, once what was agreed is written down.
func (b *batch) explain(outcomes []db.Outcome[Sale]) error {
	if len(b.late) == 0 {
		return nil
	}
	listings := make([]string, len(b.late))
	for n, l := range b.late {
		listings[n] = l.meant()
	}
	sold, err := trades.Sold(b.tx, listings)
	for _, l := range b.late {
		outcomes[l.place].Err = l.whyNot(sold[l.meant()] == l.Entry)
	}
	return err
}

// meant is the listing that the buyer saw, or else the last one that has ended.
func (l late) meant() string {
	if l.Listing == "" && l.entry.State != collection.Listed {
		return l.entry.EndedListing
	}
	return l.Listing
}

// whyNot tells a buyer why they cannot buy an entry, by whether the listing they mean
// ended with its sale.
func (l late) whyNot(sold bool) error {
	listed := l.entry.State == collection.Listed
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
