package inventory

import (
	"fmt"
	"slices"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
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
	LowestBid     money.Cents // bids on the entry below it are declined; 0 = none are
	Version       int64       // how many acts were done with it
}

// State is where an entry is in its life. Custody is none: an entry in the vault is
// held, listed or claimed like any other.
type State string

// The states. The last three are ends: the entry is nobody's any more.
const (
	Held      State = "held"
	Listed    State = "listed"    // for sale at a price
	Claimed   State = "claimed"   // the physical item is on its way to the owner
	SoldBack  State = "sold-back" // to the house
	Delivered State = "delivered"
	MadeGood  State = "made-good" // lost on its way, and paid for
)

// present are the states that are no ends.
var present = []State{Held, Listed, Claimed}

// Ended tells whether the entry is nobody's any more.
func (e Entry) Ended() bool { return !slices.Contains(present, e.State) }

// Pulled tells whether its owner has it from a pack.
func (e Entry) Pulled() bool { return e.AcquiredFrom == FromPack }

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
	Packing     Act = "pack"
	Shipping    Act = "ship"
	Losing      Act = "lose"
	Replacing   Act = "replace"
	Delivering  Act = "deliver"
	Refunding   Act = "refund"
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
	told   Kind
}

// life is all that can be done with an entry after it was pulled, and is held; what
// stands nowhere in it cannot be.
var life = map[Act]rule{
	Vaulting:  {by: owner, lies: outside, from: []State{Held}, to: Held, told: "vaulted"},
	Listing:   {by: owner, from: []State{Held}, to: Listed, told: "listed"},
	Repricing: {by: owner, from: []State{Listed}, to: Listed, told: "repriced"},
	Delisting: {by: owner | house, from: []State{Listed}, to: Held, told: "delisted"},

	// By who gets it, whoever agreed last: the owner to a bid, the bidder to a
	// counter-offer, or nobody where what had crossed in the book is executed.
	Buying:     {by: another, from: []State{Listed}, to: Held, source: FromMarket, told: bought},
	FillingBid: {by: another, from: []State{Held, Listed}, to: Held, source: FromOffer, told: bought},

	SellingBack: {by: owner, from: []State{Held}, to: SoldBack, told: "sold-back"},
	Claiming:    {by: owner, lies: inside, from: []State{Held}, to: Claimed, told: "claimed"},
	Unclaiming:  {by: owner | house, from: []State{Claimed}, to: Held, told: "unclaimed"},

	// On its way to the owner. What is lost never comes back to be drawn: what its owner
	// gets instead is bought for it, or paid.
	Packing:    {by: house, from: []State{Claimed}, to: Claimed, told: "packed"},
	Shipping:   {by: house, from: []State{Claimed}, to: Claimed, told: "shipped"},
	Losing:     {by: house, from: []State{Claimed}, to: Claimed, told: "lost"},
	Replacing:  {by: house, from: []State{Claimed}, to: Claimed, told: "replaced"},
	Delivering: {by: house, from: []State{Claimed}, to: Delivered, told: "delivered"},
	Refunding:  {by: house, from: []State{Claimed}, to: MadeGood, told: "refunded"},
}

// Allows tells whether somebody, by their user id or House, may do an act with the
// entry as it is.
func (e Entry) Allows(act Act, by string) bool {
	r := life[act]
	return r.by&e.doer(by) != 0 && slices.Contains(r.from, e.State) &&
		(r.lies == anywhere || (r.lies == inside) == e.Vaulted)
}

// after is the entry in the state that an act leads to. A listing ends with its
// state, and with its owner the floor of the sell-back, which was the puller's alone, and
// the lowest bid.
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
		e.LowestBid = 0
	}
	e.State = r.to
	return e, nil
}

// EndListings takes back whatever a user offers, by the house.
func EndListings(tx *db.Tx, user string) error {
	listed, err := lockListed(tx, user)
	events := make([]Event, len(listed))
	for n, e := range listed {
		events[n] = Event{Act: Delisting, By: House, Ref: e.ListingID}
	}
	if err == nil && len(listed) > 0 {
		_, err = do(tx, listed, events)
	}
	return err
}

// sendToVault takes a held entry into custody; it stays held.
func sendToVault(tx *db.Tx, e Entry, by string) (Entry, error) {
	return doOne(tx, e, Event{Act: Vaulting, By: by})
}

// Onward is a step of the claims that entries are in.
type Onward struct {
	Entry Entry
	Claim string      // id
	Paid  money.Cents // by the house, for what was lost
}

// Move takes entries a step on in their claims, one step for all of them.
func Move(tx *db.Tx, act Act, by string, steps []Onward) error {
	if len(steps) == 0 {
		return nil
	}
	entries, events := make([]Entry, len(steps)), make([]Event, len(steps))
	for n, s := range steps {
		entries[n], events[n] = s.Entry, Event{Act: act, By: by, Price: s.Paid, Ref: s.Claim}
	}
	_, err := do(tx, entries, events)
	return err
}

// NewEntry is an item just drawn, at its place in the open, with its value in
// the manifest that it was drawn by.
func NewEntry(tx *db.Tx, owner, openingID string, position int, item catalogue.Item, value money.Cents) Entry {
	return Entry{
		ID: tx.NewID(), Owner: owner, Item: item, OpeningID: openingID, Position: position, PulledValue: value,
		SellBackFloor: policy.SellBack(value), SellBackUntil: tx.Now.Add(policy.FloorLife),
		State: Held, AcquiredFrom: FromPack, AcquiredAt: tx.Now,
	}
}

// Quote is what the house pays for an entry.
type Quote struct {
	Payout money.Cents
	By     Basis
}

// Basis is what a quote goes by.
type Basis string

// The bases.
const (
	ByFloor Basis = "floor" // the quote of its draw, which is more than its value gives
	ByValue Basis = "value" // what its item counts for
)

// Quote is what the house pays for the entry at a time: its part of the value that
// counts, and for a fresh pull no less than what was quoted when it was drawn.
func (e Entry) Quote(now time.Time) Quote {
	current := policy.SellBack(e.QuoteValue)
	if e.floorHolds(now) && e.SellBackFloor > current {
		return Quote{e.SellBackFloor, ByFloor}
	}
	return Quote{current, ByValue}
}

// floorHolds tells whether the quote of the draw cannot fall yet; at SellBackUntil it is
// over.
func (e Entry) floorHolds(now time.Time) bool { return now.Before(e.SellBackUntil) }
