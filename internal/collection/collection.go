// Package collection is what users own: one entry for every pulled item, with
// exactly one owner.
package collection

import (
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/terms"
)

// Entry is one owned item.
type Entry struct {
	ID            string
	Owner         string // user id
	Item          catalogue.Item
	OpeningID     string
	Position      int // in the order drawn
	PackName      string
	PulledValue   money.Cents
	SellBackFloor money.Cents // holds until SellBackUntil, for who pulled it; 0 for anybody else
	SellBackUntil time.Time   // zero for anybody else
	State         string      // held, listed or claimed
	Vaulted       bool
	AcquiredFrom  string // pack, market or offer
	AcquiredAt    time.Time
	ListingID     string      // empty unless listed
	EndedListing  string      // the listing before that; empty if there was none
	SalePrice     money.Cents // 0 unless listed
}

// SellBack is what the house pays for the entry now: its part of the value, and
// for a fresh pull no less than what was quoted when it was drawn.
func (e Entry) SellBack(now time.Time) money.Cents {
	current := terms.SellBack(e.Item.BaseValue)
	if now.Before(e.SellBackUntil) {
		return max(e.SellBackFloor, current)
	}
	return current
}

// NewEntry is an item just drawn, at its place in the open, with its value in
// the manifest that it was drawn by.
func NewEntry(tx *db.Tx, owner, openingID string, position int, item catalogue.Item, value money.Cents) Entry {
	return Entry{
		ID: tx.NewID(), Owner: owner, Item: item, OpeningID: openingID, Position: position, PulledValue: value,
		SellBackFloor: terms.SellBack(value), SellBackUntil: tx.Now.Add(terms.FloorLife),
		State: "held", AcquiredFrom: "pack", AcquiredAt: tx.Now,
	}
}

// Audit proves that every entry has an owner with an account, and that its floor
// is what its draw quoted.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, ownerless, quotesOff)
}
