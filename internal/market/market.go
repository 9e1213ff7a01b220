// Package market is where users sell what they own to each other.
package market

import (
	"errors"

	"kaibao/internal/collection"
	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/money"
	"kaibao/internal/packs"
	"kaibao/internal/terms"
)

// Service is the marketplace, and the pages of what is traded there.
type Service struct {
	DB    *db.DB
	Packs *packs.Service
}

var (
	errNoEntry       = fault.Missing("Item")
	errAlreadyListed = fault.New(fault.AlreadyListed, "This item is on the marketplace already.")
	errClaimed       = fault.New(fault.Conflict, "This item is being sent to you and cannot be sold.")
	errNotListed     = fault.New(fault.NotListed, "This item is not for sale.")
)

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
