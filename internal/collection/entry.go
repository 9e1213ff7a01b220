package collection

import (
	"fmt"
	"slices"
	"time"

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
	QuoteValue    money.Cents // what the item counts for in quotes: a rise of its value does so later
	OpeningID     string
	Position      int // in the order drawn
	PackName      string
	PulledValue   money.Cents
	SellBackFloor money.Cents // holds until SellBackUntil, for who pulled it; 0 for anybody else
	SellBackUntil time.Time   // zero for anybody else
	State         State
	Vaulted       bool
	AcquiredFrom  Source
	AcquiredAt    time.Time
	ListingID     string      // empty unless listed
	EndedListing  string      // the listing before that; empty if there was none
	SalePrice     money.Cents // 0 unless listed
}

// State is where an entry is in its life. Custody is none: an entry in the vault is
// held, listed or claimed like any other.
type State string

// The states. The last two are ends: the entry is nobody's any more.
const (
	Held      State = "held"
	Listed    State = "listed"    // for sale at a price
	Claimed   State = "claimed"   // the physical item is on its way to the owner
	SoldBack  State = "sold-back" // to the house
	Delivered State = "delivered"
)

// present are the states that are no ends.
var present = []State{Held, Listed, Claimed}

// Ended tells whether the entry is nobody's any more.
func (e Entry) Ended() bool { return !slices.Contains(present, e.State) }

// Source is how an owner came by an entry.
type Source string

// The sources.
const (
	FromPack   Source = "pack"   // pulled
	FromMarket Source = "market" // bought
	FromOffer  Source = "offer"  // got for a bid
)

// Act is something that is done with an entry.
type Act string

// The acts.
const (
	Vaulting    Act = "send to vault"
	Listing     Act = "list"
	Repricing   Act = "reprice"
	Delisting   Act = "delist"
	Buying      Act = "buy"
	FillingBid  Act = "fill a bid"
	SellingBack Act = "sell back"
	Claiming    Act = "claim"
	Unclaiming  Act = "cancel the claim"
	Delivering  Act = "deliver"
)

// House stands for the operator, an admin or a job, where a user's id would stand.
const House = "house"

// doer is who does an act, as the entry sees it.
type doer uint8

const (
	owner   doer = 1 << iota
	another      // who is to own it then
	house
)

func (e Entry) doer(by string) doer {
	switch by {
	case e.Owner:
		return owner
	case House:
		return house
	}
	return another
}

// custody is where an entry must lie, of the vault, for an act.
type custody uint8

const (
	anywhere custody = iota
	inside
	outside
)

// rule is who may do an act, with which entries, and what they become.
type rule struct {
	by     doer // any of them
	lies   custody
	from   []State
	to     State
	source Source // what its new owner has it from; empty where the owner stays
}

// life is all that can be done with an entry after it was pulled, and is held; what
// stands nowhere in it cannot be.
var life = map[Act]rule{
	Vaulting:  {by: owner, lies: outside, from: []State{Held}, to: Held},
	Listing:   {by: owner, from: []State{Held}, to: Listed},
	Repricing: {by: owner, from: []State{Listed}, to: Listed},
	Delisting: {by: owner, from: []State{Listed}, to: Held},

	// A bid is accepted by the owner, a counter-offer to it by the bidder. What has
	// crossed in the book is executed by the house.
	Buying:     {by: another | house, from: []State{Listed}, to: Held, source: FromMarket},
	FillingBid: {by: owner | another | house, from: []State{Held, Listed}, to: Held, source: FromOffer},

	SellingBack: {by: owner, from: []State{Held}, to: SoldBack},
	Claiming:    {by: owner, lies: inside, from: []State{Held}, to: Claimed},
	Unclaiming:  {by: owner, from: []State{Claimed}, to: Held},
	Delivering:  {by: house, from: []State{Claimed}, to: Delivered},
}

// Allows tells whether somebody, by their user id or House, may do an act with the
// entry as it is.
func (e Entry) Allows(act Act, by string) bool {
	r := life[act]
	return r.by&e.doer(by) != 0 && slices.Contains(r.from, e.State) &&
		(r.lies == anywhere || (r.lies == inside) == e.Vaulted)
}

// after is the entry in the state that an act leads to. A listing ends with its
// state, and with its owner the floor of the sell-back, which was the puller's alone.
func (e Entry) after(act Act, by string, now time.Time) (Entry, error) {
	if !e.Allows(act, by) {
		return e, fmt.Errorf("entry %s of %s is %s: not for %s to %s", e.ID, e.Owner, e.State, by, act)
	}
	r := life[act]
	if e.State == Listed {
		e.EndedListing, e.ListingID, e.SalePrice = e.ListingID, "", 0
	}
	if r.source != "" {
		e.AcquiredFrom, e.AcquiredAt = r.source, now
		e.SellBackFloor, e.SellBackUntil = 0, time.Time{}
	}
	e.State = r.to
	return e, nil
}

// move does an act with an entry that is locked: change adds what the act brings.
func move(tx *db.Tx, e Entry, act Act, by string, change func(*Entry)) (Entry, error) {
	next, err := e.after(act, by, tx.Now)
	if err != nil {
		return e, err
	}
	change(&next)
	return next, save(tx, e, next)
}

// List offers a held entry for a price, under a new listing.
func List(tx *db.Tx, e Entry, by string, price money.Cents) (Entry, error) {
	return move(tx, e, Listing, by, func(e *Entry) { e.ListingID, e.SalePrice = tx.NewID(), price })
}

// Reprice offers a listed entry for another price, under a new listing.
func Reprice(tx *db.Tx, e Entry, by string, price money.Cents) (Entry, error) {
	return move(tx, e, Repricing, by, func(e *Entry) { e.ListingID, e.SalePrice = tx.NewID(), price })
}

// Delist takes a listed entry back.
func Delist(tx *db.Tx, e Entry, by string) (Entry, error) {
	return move(tx, e, Delisting, by, func(*Entry) {})
}

// Buy gives a listed entry to its buyer. Where it lies does not change.
func Buy(tx *db.Tx, e Entry, buyer string) (Entry, error) {
	return move(tx, e, Buying, buyer, func(e *Entry) { e.Owner = buyer })
}

// sendToVault takes a held entry into custody; it stays held.
func sendToVault(tx *db.Tx, e Entry, by string) (Entry, error) {
	return move(tx, e, Vaulting, by, func(e *Entry) { e.Vaulted = true })
}

// NewEntry is an item just drawn, at its place in the open, with its value in
// the manifest that it was drawn by.
func NewEntry(tx *db.Tx, owner, openingID string, position int, item catalogue.Item, value money.Cents) Entry {
	return Entry{
		ID: tx.NewID(), Owner: owner, Item: item, OpeningID: openingID, Position: position, PulledValue: value,
		SellBackFloor: terms.SellBack(value), SellBackUntil: tx.Now.Add(terms.FloorLife),
		State: Held, AcquiredFrom: FromPack, AcquiredAt: tx.Now,
	}
}

// SellBack is what the house pays for the entry now: its part of the value that counts,
// and for a fresh pull no less than what was quoted when it was drawn.
func (e Entry) SellBack(now time.Time) money.Cents {
	current := terms.SellBack(e.QuoteValue)
	if now.Before(e.SellBackUntil) {
		return max(e.SellBackFloor, current)
	}
	return current
}
