// Package market lets users trade items with each other: listings and bids form one order book.
package market

import (
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/houserules"
	"kaibao/internal/httpkit"
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

// Service is the marketplace, and the pages of what is traded there.
type Service struct {
	DB       *db.DB
	Packs    *packs.Service
	SellBack *sellback.Service
	Log      *publiclog.Log
	Stalls   *index.Service
	Sandbox  bool // points are no money
	Closed   bool // users do not trade; what they own they can take back and sell to the house
	stuck    stuck
	risen    time.Time // up to when rising values were crossed
}

var (
	errNoEntry       = apperr.Missing("Item")
	errAlreadyListed = apperr.New(apperr.AlreadyListed, "This item is on the marketplace already.")
	errClaimed       = apperr.New(apperr.Conflict, "This item is being sent to you and cannot be sold.")
	errClosed        = apperr.New(apperr.SwitchedOff, "Users of this house do not trade with each other. Nothing was bought or sold.").
				WithDetails(houserules.Off{Rule: "market"})
	errNotListed = apperr.New(apperr.NotListed, "This item is not for sale.")
)

// Ask is what an owner asks for an entry.
type Ask struct {
	Entry     string
	Price     money.Cents
	Confirmed money.Cents // the price again, where it is far from the value
}

// asking is a listing or its change: list and reprice.
type asking struct {
	act     inventory.Act
	refusal func(e inventory.Entry) error // of what the act cannot be done with
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

// offer does an act that puts an owner's entries up for sale, all or none. What asks for
// no more than the best bid for it is sold to that bid, for the bid's price. It gives the
// entries as they are then, in the order of asks, and what was sold.
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
		err = httpkit.ErrAdmin
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

// keepRoles has users who leave something standing on the market stay what they are until
// the end of the transaction, and tells who of them runs the house; in a sandbox nobody is kept
// from trading by that.
func (s *Service) keepRoles(tx *db.Tx, users ...string) (admins map[string]bool, err error) {
	if s.Sandbox {
		return nil, nil
	}
	return identity.KeepRoles(tx, users)
}

// lock locks bids, and then the accounts of their users and of others.
func (r *marketTx) lock(wanted []string, users ...string) error {
	if err := r.lockBids(wanted); err != nil {
		return err
	}
	return r.lockAccounts(users...)
}

// allowAll refuses what an owner cannot ask, and asks again about all that is far from its
// value.
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

// allow refuses what an owner cannot ask.
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

// own is an entry of a user's: another's, or one that has ended, is as good as none.
func (r *marketTx) own(owner, id string) (inventory.Entry, error) {
	e, ok := r.acts.Entry(id)
	if !ok || e.Owner != owner || e.Ended() {
		return e, errNoEntry
	}
	return e, nil
}

// offer puts an entry up for sale under a new listing, or sells it at once to a bid that
// pays as much. A listing keeps its place at the price that it has.
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

// delist takes an owner's listings back, all or none.
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
