// Package market lets users trade items with each other: listings and bids form one order book.
package market

import (
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/houserules"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/market/index"
	"kaibao/internal/money"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
	"kaibao/internal/publiclog"
	"kaibao/internal/sellback"
	"kaibao/internal/trades"
)

// Service implements the marketplace and its item, listing and bid pages.
type Service struct {
	DB       *db.DB
	Packs    *packs.Service
	SellBack *sellback.Service
	Log      *publiclog.Log
	Index    *index.Service
	Sandbox  bool // play points have no monetary value
	Closed   bool // users can't trade; they can still delist items and sell them back
	stuck    stuck
	risen    time.Time // rises in quote value up to this time have been crossed
}

var (
	errNoEntry       = apperr.Missing("Item")
	errAlreadyListed = apperr.New(apperr.AlreadyListed, "This item is on the marketplace already.")
	errClaimed       = apperr.New(apperr.Conflict, "This item is being sent to you and cannot be sold.")
	errClosed        = apperr.New(apperr.SwitchedOff, "Users of this house do not trade with each other. Nothing was bought or sold.").
				WithDetails(houserules.Off{Rule: "market"})
	errNotListed = apperr.New(apperr.NotListed, "This item is not for sale.")
)

// Ask is the price an owner asks for an entry.
type Ask struct {
	Entry     string
	Price     money.Cents
	Confirmed money.Cents // the price repeated, required when it is far from the value
}

// asking is one of the two acts that put an entry up for sale: list and reprice.
type asking struct {
	act     inventory.Act
	refusal func(e inventory.Entry) error // the error for an entry that doesn't allow the act
}

var (
	listing = asking{inventory.Listing, func(e inventory.Entry) error {
		if e.State == inventory.Listed {
			return errAlreadyListed
		}
		return errClaimed
	}}
	repricing = asking{inventory.Repricing, func(inventory.Entry) error { return errNotListed }}
)

// offer lists or reprices an owner's entries, all or none. An entry whose ask is at or below the
// best bid is sold to that bid at the bid's price. The returned marketTx has the new state of the
// entries and the trades made.
func (s *Service) offer(tx *db.Tx, owner string, asked asking, asks []Ask) (*marketTx, error) {
	if s.Closed {
		return nil, errClosed
	}
	entries, floor := make([]string, len(asks)), map[string]money.Cents{}
	for n, a := range asks {
		if err := checkPrice(field("priceCents", n, len(asks)), a.Price); err != nil {
			return nil, err
		}
		entries[n], floor[a.Entry] = a.Entry, a.Price
	}
	r, err := begin(tx, entries)
	if err != nil {
		return nil, err
	}
	if err := s.allowAll(r, owner, asked, asks); err != nil {
		return nil, err
	}
	wanted, err := r.matching(entries, len(entries), func(e inventory.Entry, b bids.Bid) bool {
		price := b.Price.For(e.QuoteValue)
		return price >= floor[e.ID] && !s.tooFar(price, e.QuoteValue)
	})
	if err != nil {
		return nil, err
	}
	if err := r.lock(ids(wanted), owner); err != nil {
		return nil, err
	}
	admins, err := s.keepRoles(tx, owner)
	if err == nil && admins[owner] {
		err = apperr.ErrAdmin
	}
	if err != nil {
		return nil, err
	}
	for _, a := range asks {
		if err := r.offer(owner, asked, a); err != nil {
			return nil, err
		}
	}
	err = r.settle()
	return r, err
}

// keepRoles locks the users' roles until the end of the transaction and returns which users are
// admins. Callers use it before a user places an order that stays open. In a sandbox it does
// nothing, because admins may trade there.
func (s *Service) keepRoles(tx *db.Tx, users ...string) (admins map[string]bool, err error) {
	if s.Sandbox {
		return nil, nil
	}
	return identity.KeepRoles(tx, users)
}

// lock locks the bids, then the accounts of their bidders and of the given users.
func (r *marketTx) lock(wanted []string, users ...string) error {
	if err := r.lockBids(wanted); err != nil {
		return err
	}
	return r.lockAccounts(users...)
}

// allowAll checks all asks and returns the first refusal. In a request with several asks, it
// collects those whose price needs confirmation into one error.
func (s *Service) allowAll(r *marketTx, owner string, asked asking, asks []Ask) error {
	var far []FarLine
	for n, a := range asks {
		err := s.allow(r, owner, asked, a)
		price, unsure := apperr.As(err).Details.(FarPrice)
		switch {
		case err == nil:
		case unsure && len(asks) > 1:
			far = append(far, FarLine{a.Entry, price})
		default:
			return inLine(err, n, len(asks))
		}
	}
	if far != nil {
		return errConfirm.WithDetails(FarLines{far})
	}
	return nil
}

// allow returns an error if the owner can't make the ask.
func (s *Service) allow(r *marketTx, owner string, asked asking, a Ask) error {
	e, err := r.own(owner, a.Entry)
	switch {
	case err != nil:
		return err
	case !e.Allows(asked.act, owner):
		return asked.refusal(e)
	case s.tooFar(a.Price, e.QuoteValue):
		return errTooFar.WithFields(map[string]string{"priceCents": "is more than the item may be traded for"})
	}
	return confirmSale(e, a.Price, a.Confirmed, policy.FarListing*e.QuoteValue-1, r.tx.Now)
}

// own returns the user's entry, or errNoEntry if it belongs to someone else or has ended.
func (r *marketTx) own(owner, id string) (inventory.Entry, error) {
	e, ok := r.acts.Entry(id)
	if !ok || e.Owner != owner || e.Ended() {
		return e, errNoEntry
	}
	return e, nil
}

// offer creates a new listing for the entry, or sells it immediately to a bid at or above the ask.
// A listing that already has this price stays as it is and keeps its place in the queue.
func (r *marketTx) offer(owner string, asked asking, a Ask) error {
	e, _ := r.acts.Entry(a.Entry)
	if b, price, ok := r.best(e); ok && price >= a.Price {
		_, err := r.fill(e, b, trades.Trade{Kind: trades.Bid, Price: price})
		return err
	}
	if e.State == inventory.Listed && e.SalePrice == a.Price {
		return nil
	}
	_, err := r.acts.Do(e.ID, inventory.Event{Act: asked.act, By: owner, Price: a.Price, Ref: r.tx.NewID()})
	return err
}

// delist takes an owner's listings off the market, all or none.
func delist(tx *db.Tx, owner string, entries []string) (*marketTx, error) {
	r, err := begin(tx, entries)
	if err != nil {
		return nil, err
	}
	for n, id := range entries {
		e, err := r.own(owner, id)
		if err == nil && !e.Allows(inventory.Delisting, owner) {
			err = errNotListed
		}
		if err != nil {
			return nil, inLine(err, n, len(entries))
		}
		if _, err := r.acts.Do(id, inventory.Event{Act: inventory.Delisting, By: owner, Ref: e.ListingID}); err != nil {
			return nil, err
		}
	}
	return r, r.acts.Settle()
}
