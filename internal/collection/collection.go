// Package collection is what users own: one entry for every pulled item, with
// exactly one owner.
package collection

import (
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
)

// FloorLife is how long the sell-back price of a pull cannot fall for who pulled it.
const FloorLife = 24 * time.Hour

// Entry is one owned item.
type Entry struct {
	ID            string
	Owner         string // user id
	Item          catalogue.Item
	OpeningID     string
	PackName      string
	PulledValue   money.Cents
	SellBackFloor money.Cents // holds until SellBackUntil, for who pulled it
	SellBackUntil time.Time
	State         string // held, listed or claimed
	Vaulted       bool
	AcquiredFrom  string // pack, market or offer
	AcquiredAt    time.Time
}

// SellBack is what the house pays for the entry now: 90 % of its value, and
// for a fresh pull no less than what was quoted when it was drawn.
func (e Entry) SellBack(now time.Time) money.Cents {
	current := e.Item.BaseValue.Share(catalogue.SellBackRate)
	if e.AcquiredFrom == "pack" && now.Before(e.SellBackUntil) {
		return max(e.SellBackFloor, current)
	}
	return current
}

// Pull is a drawn item about to be owned.
type Pull struct {
	Item  catalogue.Item
	Value money.Cents // in the manifest that it was drawn by
}

// Add gives the pulls of an open to its buyer, in the order drawn.
func Add(tx *db.Tx, owner, openingID string, pulls []Pull) ([]Entry, error) {
	entries := make([]Entry, len(pulls))
	for n, p := range pulls {
		entries[n] = Entry{
			ID: tx.NewID(), Owner: owner, Item: p.Item, OpeningID: openingID, PulledValue: p.Value,
			SellBackFloor: p.Value.Share(catalogue.SellBackRate), SellBackUntil: tx.Now.Add(FloorLife),
			State: "held", AcquiredFrom: "pack", AcquiredAt: tx.Now,
		}
		if err := insert(tx, entries[n], n); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// Audit proves that every entry has an owner with an account, and every open
// all its items.
func Audit(tx *db.Tx) ([]ledger.Breach, error) {
	return ledger.Collect(tx, ownerless)
}
