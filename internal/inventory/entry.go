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
	QuoteValue    money.Cents // for quotes; follows a higher base value with a delay
	OpeningID     string
	Position      int // in the order drawn
	PackName      string
	PulledValue   money.Cents
	SellBackFloor money.Cents // applies until SellBackUntil while the puller owns it; else 0
	SellBackUntil time.Time   // zero if there is no floor
	State         State
	Vaulted       bool
	AcquiredFrom  Source
	AcquiredAt    time.Time
	ListingID     string      // empty unless listed
	EndedListing  string      // the previous listing; empty if there was none
	SalePrice     money.Cents // 0 unless listed
	LowestBid     money.Cents // lower bids are declined; 0 = no minimum
	Version       int64       // number of acts so far
}

// State is an entry's state. Being in the vault is not a state: a vaulted entry is held, listed or
// claimed like any other.
type State string

// The states. In the last three the entry has ended, and nobody owns it.
const (
	Held      State = "held"
	Listed    State = "listed"    // for sale at a price
	Claimed   State = "claimed"   // being shipped to the owner
	SoldBack  State = "sold-back" // to Kaibao
	Delivered State = "delivered"
	MadeGood  State = "made-good" // lost in shipping and refunded
)

// present lists the states of entries that have not ended.
var present = []State{Held, Listed, Claimed}

// Ended reports whether nobody owns the entry any more.
func (e Entry) Ended() bool { return !slices.Contains(present, e.State) }

// Pulled reports whether the owner got the entry from a pack.
func (e Entry) Pulled() bool { return e.AcquiredFrom == FromPack }

// Source is how the owner got the entry.
type Source string

// Sources of an entry.
const (
	FromPack   Source = "pack"   // pulled
	FromMarket Source = "market" // bought
	FromOffer  Source = "offer"  // bought through a bid
)

// Act is an action on an entry.
type Act string

// Acts on an entry.
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

// House stands for Kaibao (an admin or a job) in place of a user's id.
const House = "house"

// doer is the role of the user who does an act.
type doer uint8

const (
	owner   doer = 1 << iota
	another      // the new owner
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

// custody is where an entry must be for an act: in or outside the vault.
type custody uint8

const (
	anywhere custody = iota
	inside
	outside
)

// rule says who may do an act, to which entries, and the result.
type rule struct {
	by     doer // one of these roles
	lies   custody
	from   []State
	to     State
	source Source // how the new owner got it; empty if the owner stays
	told   Kind
}

// life defines all acts on an entry after its pull, which leaves it held. Anything not listed is
// forbidden.
var life = map[Act]rule{
	Vaulting:  {by: owner, lies: outside, from: []State{Held}, to: Held, told: "vaulted"},
	Listing:   {by: owner, from: []State{Held}, to: Listed, told: "listed"},
	Repricing: {by: owner, from: []State{Listed}, to: Listed, told: "repriced"},
	Delisting: {by: owner | house, from: []State{Listed}, to: Held, told: "delisted"},

	// The doer of a trade is the buyer, whether the owner accepted a bid, the bidder accepted a
	// counter-offer, or crossed orders were filled automatically.
	Buying:     {by: another, from: []State{Listed}, to: Held, source: FromMarket, told: bought},
	FillingBid: {by: another, from: []State{Held, Listed}, to: Held, source: FromOffer, told: bought},

	SellingBack: {by: owner, from: []State{Held}, to: SoldBack, told: "sold-back"},
	Claiming:    {by: owner, lies: inside, from: []State{Held}, to: Claimed, told: "claimed"},
	Unclaiming:  {by: owner | house, from: []State{Claimed}, to: Held, told: "unclaimed"},

	// Steps of a claim. A lost item never returns to a pack: its owner gets a bought replacement or
	// a refund.
	Packing:    {by: house, from: []State{Claimed}, to: Claimed, told: "packed"},
	Shipping:   {by: house, from: []State{Claimed}, to: Claimed, told: "shipped"},
	Losing:     {by: house, from: []State{Claimed}, to: Claimed, told: "lost"},
	Replacing:  {by: house, from: []State{Claimed}, to: Claimed, told: "replaced"},
	Delivering: {by: house, from: []State{Claimed}, to: Delivered, told: "delivered"},
	Refunding:  {by: house, from: []State{Claimed}, to: MadeGood, told: "refunded"},
}

// Allows reports whether a user, or House, may do an act to the entry in its current state.
func (e Entry) Allows(act Act, by string) bool {
	r := life[act]
	return r.by&e.doer(by) != 0 && slices.Contains(r.from, e.State) &&
		(r.lies == anywhere || (r.lies == inside) == e.Vaulted)
}

// after returns the entry in the state that an act leads to. Leaving the Listed state ends the
// listing. A change of owner ends the sell-back floor, which is only for the puller, and the lowest
// bid.
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

// EndListings delists all of a user's listings on behalf of Kaibao.
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

// sendToVault moves a held entry into the vault; it stays held.
func sendToVault(tx *db.Tx, e Entry, by string) (Entry, error) {
	return doOne(tx, e, Event{Act: Vaulting, By: by})
}

// Onward is a claim's step for one of its entries.
type Onward struct {
	Entry Entry
	Claim string      // id
	Paid  money.Cents // by Kaibao, for a lost item
}

// Move applies one step of claims to their entries.
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

// NewEntry returns the entry of a newly drawn item. position is its index in the open, and value
// its value in the manifest.
func NewEntry(tx *db.Tx, owner, openingID string, position int, item catalogue.Item, value money.Cents) Entry {
	return Entry{
		ID: tx.NewID(), Owner: owner, Item: item, OpeningID: openingID, Position: position, PulledValue: value,
		SellBackFloor: policy.SellBack(value), SellBackUntil: tx.Now.Add(policy.FloorLife),
		State: Held, AcquiredFrom: FromPack, AcquiredAt: tx.Now,
	}
}

// Quote is Kaibao's offer for an entry.
type Quote struct {
	Payout money.Cents
	By     Basis
}

// Basis is what determined a quote.
type Basis string

// Bases of a quote.
const (
	ByFloor Basis = "floor" // the quote at the draw, if higher than ByValue
	ByValue Basis = "value" // the item's quote value
)

// Quote returns what Kaibao pays for the entry at a time: the sell-back share of its quote value,
// or the floor while that applies and is higher.
func (e Entry) Quote(now time.Time) Quote {
	current := policy.SellBack(e.QuoteValue)
	if e.floorHolds(now) && e.SellBackFloor > current {
		return Quote{e.SellBackFloor, ByFloor}
	}
	return Quote{current, ByValue}
}

// floorHolds reports whether the floor still applies; it ends at SellBackUntil, exclusive.
func (e Entry) floorHolds(now time.Time) bool { return now.Before(e.SellBackUntil) }
