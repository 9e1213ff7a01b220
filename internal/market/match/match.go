// Package match has all rules of trading between users: listing, buying, bids, counter-offers and
// matching, without HTTP. Listings and bids form one order book: an order that crosses another one
// trades with it at the price of the order that was placed first.
//
// Each use case is a function of a transaction: List, Reprice and Delist; Buy and BuyCart; Bid and
// WithdrawBid; Accept, Counter and AcceptCounter; Quote and QuickSell. All of them collect their
// trades in a marketTx, which locks entries, bids and accounts in this order and writes each table
// once. Package market serves them over HTTP.
package match

import (
	"errors"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/houserules"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/sellback"
)

// Service has the settings of a deployment that decide what users may trade.
type Service struct {
	SellBack *sellback.Service // buys in quick sells what no bid pays more for
	Sandbox  bool              // play points have no monetary value
	Closed   bool              // users can't trade; they can still delist items and sell them back
}

var (
	errClosed = apperr.New(apperr.SwitchedOff, "Trading between users is turned off here. Nothing was bought or sold.").
			WithDetails(houserules.Off{Rule: "market"})
	errNoEntry   = apperr.Missing("Item")
	errClaimed   = apperr.New(apperr.Conflict, "This item is being shipped to you and can't be sold.")
	errGiving    = apperr.New(apperr.GiftWaiting, "This item is waiting to be accepted as a gift. Cancel the gift first.")
	errNotListed = apperr.New(apperr.NotListed, "This item is not for sale.")
)

// lockRoles locks the users' roles until the end of the transaction and returns which users are
// admins. Callers use it before a user places an order that stays open. In a sandbox it does
// nothing, because admins may trade there.
func (s *Service) lockRoles(tx *db.Tx, users ...string) (admins map[string]bool, err error) {
	if s.Sandbox {
		return nil, nil
	}
	return identity.LockRoles(tx, users)
}

// ownEntry returns the user's locked entry, or errNoEntry if it belongs to someone else or has
// ended.
func (m *marketTx) ownEntry(owner, id string) (inventory.Entry, error) {
	e, ok := m.acts.Entry(id)
	if !ok || e.Owner != owner || e.Ended() {
		return e, errNoEntry
	}
	return e, nil
}

// unsellable says why an owner can't sell an entry that is claimed or being given.
func unsellable(e inventory.Entry) error {
	if e.State == inventory.Giving {
		return errGiving
	}
	return errClaimed
}

// isRefusal reports whether an error refuses one request of a batch, rather than failing all.
func isRefusal(err error) bool {
	_, ok := errors.AsType[*apperr.Error](err)
	return ok
}
