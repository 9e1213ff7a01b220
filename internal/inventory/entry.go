// Package inventory stores what users own (not Kaibao's own stock; that is packs): one entry per
// pulled item. An entry has exactly one owner until it ends. Start with Entry and transitions.
package inventory

import (
	"fmt"
	"slices"
	"strconv"
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
	PackNameZH    string // empty = none
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
	MinimumBid    money.Cents // lower bids are declined; 0 = no minimum
	Version       int64       // number of acts so far
}

// State is an entry's state. Being in the vault is not a state: a vaulted entry is held, listed,
// claimed or being given like any other.
type State string

// The states. The last three are final; Owner stays the last owner.
const (
	Held      State = "held"
	Listed    State = "listed"    // for sale at a price
	Claimed   State = "claimed"   // being shipped to the owner
	Giving    State = "giving"    // offered as a gift; the giver is the owner until it is accepted
	SoldBack  State = "sold-back" // to Kaibao
	Delivered State = "delivered"
	MadeGood  State = "made-good" // lost in shipping and refunded
)

// ownedStates lists the states of entries that have not ended.
var ownedStates = []State{Held, Listed, Claimed, Giving}

// Ended reports whether the entry's state is final.
func (e Entry) Ended() bool { return !slices.Contains(ownedStates, e.State) }

// Pulled reports whether the owner got the entry from a pack.
func (e Entry) Pulled() bool { return e.AcquiredFrom == FromPack }

// Gifted reports whether the owner got the entry as a gift.
func (e Entry) Gifted() bool { return e.AcquiredFrom == FromGift }

// Source is how the owner got the entry.
type Source string

// Sources of an entry.
const (
	FromPack   Source = "pack"   // pulled
	FromMarket Source = "market" // bought
	FromOffer  Source = "offer"  // bought through a bid
	FromGift   Source = "gift"   // given by another user
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

	OfferingGift  Act = "offer as a gift"
	AcceptingGift Act = "accept the gift"
	ReturningGift Act = "return the gift" // to its giver, because it was not accepted

	ExtendingFloor Act = "extend the floor" // by the time that the owner's account was frozen
)

// House stands for Kaibao (an admin or a job) in place of a user's id.
const House = "house"

// role is the role of the user who does an act.
type role uint8

const (
	owner    role = 1 << iota
	newOwner      // any other user; the acts open to them make them the owner
	house
)

func (e Entry) role(by string) role {
	switch by {
	case e.Owner:
		return owner
	case House:
		return house
	}
	return newOwner
}

// custody is where an entry must be for an act: in or outside the vault.
type custody uint8

const (
	anywhere custody = iota
	inside
	outside
)

// transition says who may do an act, to which entries, and the result.
type transition struct {
	by      role // one of these roles
	custody custody
	from    []State
	to      State  // empty if the state stays
	source  Source // how the new owner got it; empty if the owner stays
	kind    Kind
}

// transitions defines all acts on an entry after its pull, which leaves it held. Anything not
// listed is forbidden.
var transitions = map[Act]transition{
	Vaulting:  {by: owner, custody: outside, from: []State{Held}, to: Held, kind: "vaulted"},
	Listing:   {by: owner, from: []State{Held}, to: Listed, kind: "listed"},
	Repricing: {by: owner, from: []State{Listed}, to: Listed, kind: "repriced"},
	Delisting: {by: owner | house, from: []State{Listed}, to: Held, kind: "delisted"},

	// The doer of a trade is the buyer, whether the owner accepted a bid, the bidder accepted a
	// counter-offer, or crossed orders were filled automatically.
	Buying:     {by: newOwner, from: []State{Listed}, to: Held, source: FromMarket, kind: bought},
	FillingBid: {by: newOwner, from: []State{Held, Listed}, to: Held, source: FromOffer, kind: bought},

	SellingBack: {by: owner, from: []State{Held}, to: SoldBack, kind: "sold-back"},
	Claiming:    {by: owner, custody: inside, from: []State{Held}, to: Claimed, kind: "claimed"},
	Unclaiming:  {by: owner | house, from: []State{Claimed}, to: Held, kind: "unclaimed"},

	// Steps of a claim. A lost item never returns to a pack: its owner gets a bought replacement or
	// a refund.
	Packing:    {by: house, from: []State{Claimed}, to: Claimed, kind: "packed"},
	Shipping:   {by: house, from: []State{Claimed}, to: Claimed, kind: "shipped"},
	Losing:     {by: house, from: []State{Claimed}, to: Claimed, kind: "lost"},
	Replacing:  {by: house, from: []State{Claimed}, to: Claimed, kind: "replaced"},
	Delivering: {by: house, from: []State{Claimed}, to: Delivered, kind: "delivered"},
	Refunding:  {by: house, from: []State{Claimed}, to: MadeGood, kind: "refunded"},

	// The receiver accepts a gift. The floor keeps running while the gift waits, and ends when the owner
	// changes.
	OfferingGift:  {by: owner, from: []State{Held}, to: Giving, kind: "gift-offered"},
	AcceptingGift: {by: newOwner, from: []State{Giving}, to: Held, source: FromGift, kind: "gift-accepted"},
	ReturningGift: {by: owner | house, from: []State{Giving}, to: Held, kind: "gift-returned"},

	// It isn't shown in the public history, so it has no kind.
	ExtendingFloor: {by: house, from: []State{Held, Claimed}},
}

// Allows reports whether a user, or House, may do an act to the entry in its current state.
func (e Entry) Allows(act Act, by string) bool {
	r := transitions[act]
	return r.by&e.role(by) != 0 && slices.Contains(r.from, e.State) &&
		(r.custody == anywhere || (r.custody == inside) == e.Vaulted)
}

// after returns the entry in the state that an act leads to. Leaving the Listed state ends the
// listing. A change of owner ends the sell-back floor, which is only for the puller, and the lowest
// bid.
func (e Entry) after(act Act, by string, now time.Time) (Entry, error) {
	if !e.Allows(act, by) {
		return e, fmt.Errorf("entry %s of %s is %s: %s can't %s it", e.ID, e.Owner, e.State, by, act)
	}
	r := transitions[act]
	if r.to == "" {
		return e, nil
	}
	if e.State == Listed {
		e.EndedListing, e.ListingID, e.SalePrice = e.ListingID, "", 0
	}
	if r.source != "" {
		e.AcquiredFrom, e.AcquiredAt = r.source, now
		e.SellBackFloor, e.SellBackUntil = 0, time.Time{}
		e.MinimumBid = 0
	}
	e.State = r.to
	return e, nil
}

// EndOffers delists a user's listings and returns the entries of gifts that the user gave, both on
// behalf of Kaibao. gifts has the id of the ended gift by entry. The gifts must be locked.
func EndOffers(tx *db.Tx, user string, gifts map[string]string) error {
	offered, err := lockOffered(tx, user)
	if err != nil {
		return err
	}
	var ended []Entry
	var events []Event
	for _, e := range offered {
		gift, given := gifts[e.ID]
		switch {
		case e.State == Listed:
			ended, events = append(ended, e), append(events, Event{Act: Delisting, By: House, Ref: e.ListingID})
		case given:
			ended, events = append(ended, e), append(events, Event{Act: ReturningGift, By: House, Ref: gift})
		}
	}
	if len(ended) > 0 {
		_, err = applyActs(tx, ended, events)
	}
	return err
}

// GiftStep is one entry of a gift, which must be locked, with the gift's id.
type GiftStep struct {
	Entry Entry
	Gift  string // id
}

// ApplyGiftSteps applies an act to the entries of gifts.
func ApplyGiftSteps(tx *db.Tx, act Act, by string, steps []GiftStep) error {
	if len(steps) == 0 {
		return nil
	}
	entries, events := make([]Entry, len(steps)), make([]Event, len(steps))
	for n, s := range steps {
		entries[n], events[n] = s.Entry, Event{Act: act, By: by, Ref: s.Gift}
	}
	_, err := applyActs(tx, entries, events)
	return err
}

// ExtendFloors extends the price floors that applied to a user's pulls when the user was frozen by
// the time frozen until now. It locks the entries.
func ExtendFloors(tx *db.Tx, user string, frozenAt time.Time) error {
	entries, err := lockWithFloor(tx, user, frozenAt)
	if err != nil || len(entries) == 0 {
		return err
	}
	events := make([]Event, len(entries))
	for n, e := range entries {
		until := e.SellBackUntil.Add(tx.Now.Sub(frozenAt))
		events[n] = Event{Act: ExtendingFloor, By: House, Ref: strconv.FormatInt(db.Micros(until), 10)}
	}
	_, err = applyActs(tx, entries, events)
	return err
}

// sendToVault moves a held entry into the vault; it stays held.
func sendToVault(tx *db.Tx, e Entry, by string) (Entry, error) {
	return applyAct(tx, e, Event{Act: Vaulting, By: by})
}

// ClaimStep is a claim's step for one of its entries.
type ClaimStep struct {
	Entry Entry
	Claim string      // id
	Paid  money.Cents // by Kaibao, for a lost item
}

// ApplyClaimSteps applies one step of claims to their entries.
func ApplyClaimSteps(tx *db.Tx, act Act, by string, steps []ClaimStep) error {
	if len(steps) == 0 {
		return nil
	}
	entries, events := make([]Entry, len(steps)), make([]Event, len(steps))
	for n, s := range steps {
		entries[n], events[n] = s.Entry, Event{Act: act, By: by, Price: s.Paid, Ref: s.Claim}
	}
	_, err := applyActs(tx, entries, events)
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
