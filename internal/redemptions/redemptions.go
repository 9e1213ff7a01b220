// Package redemptions ships physical items. A user claims vaulted entries, enters an address and
// pays for shipping; Kaibao packs and ships them, and compensates for lost parcels.
package redemptions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/keyring"
	"kaibao/internal/money"
	"kaibao/internal/packs"
)

// Service handles claims of physical items.
type Service struct {
	DB        *db.DB
	Packs     *packs.Service
	PublicURL httpapi.PublicURL
	Shipping  ShippingTable
	Keys      *keyring.Ring
	// AddressKept is how long addresses are kept after the end of their claim; 0 = policy.AddressKept.
	AddressKept time.Duration
	Sandbox     bool // nothing ships: unlimited cards are claimable, admins may step own claims
}

// Claim is a user's request to ship entries.
type Claim struct {
	ID        string
	User      string // id
	State     State
	Shipping  money.Cents
	Message   string // signed by the owner
	Signature string
	Carrier   string // id; empty until shipped
	Tracking  string // number
	Version   int64  // number of events
	CreatedAt time.Time
}

// claimIDs returns the ids of the claims, in the same order.
func claimIDs(claims []Claim) []string {
	all := make([]string, len(claims))
	for i, c := range claims {
		all[i] = c.ID
	}
	return all
}

// State is a claim's state.
type State string

// States of a claim.
const (
	Requested State = "requested"
	Packed    State = "packed"
	Shipped   State = "shipped"
	Delivered State = State(inventory.Delivered)
	Cancelled State = "cancelled" // shipping is refunded, the entries are held again
	Lost      State = "lost"      // Kaibao replaces or refunds it
	Replacing State = "replacing" // Kaibao is buying another copy; none is taken from pack stock
	Refunded  State = "refunded"  // value and shipping were refunded
)

var states = []State{Requested, Packed, Shipped, Delivered, Cancelled, Lost, Replacing, Refunded}

// Step is a step of a claim.
type Step string

// Steps of a claim.
const (
	Request Step = "request"
	Cancel  Step = "cancel"
	Pack    Step = "pack"
	Ship    Step = "ship" // can be repeated to correct the tracking number
	Deliver Step = "deliver"
	Lose    Step = "lose"
	Replace Step = "replace"
	Refund  Step = "refund"
)

// transition is the rule of a step: who may take it, in which states, the resulting state, and the act
// on each entry.
type transition struct {
	byOwner  bool // the owner may take it, and Kaibao too
	from     []State
	to       State
	entryAct inventory.Act
}

// transitions defines all steps of a claim after its request.
var transitions = map[Step]transition{
	Cancel:  {byOwner: true, from: []State{Requested}, to: Cancelled, entryAct: inventory.Unclaiming},
	Pack:    {from: []State{Requested}, to: Packed, entryAct: inventory.Packing},
	Ship:    {from: []State{Packed, Replacing, Shipped}, to: Shipped, entryAct: inventory.Shipping},
	Deliver: {from: []State{Shipped}, to: Delivered, entryAct: inventory.Delivering},
	Lose:    {from: []State{Packed, Shipped}, to: Lost, entryAct: inventory.Losing},
	Replace: {from: []State{Lost}, to: Replacing, entryAct: inventory.Replacing},
	Refund:  {from: []State{Lost, Replacing}, to: Refunded, entryAct: inventory.Refunding},
}

// actor is the user taking a step: the owner, or an admin for Kaibao.
type actor struct {
	user  string // id
	house bool
}

// inventoryActor returns the actor as recorded in the events of entries.
func (a actor) inventoryActor() string {
	if a.house {
		return inventory.House
	}
	return a.user
}

// allows reports whether the actor may take the step now.
func (c Claim) allows(step Step, actor actor) bool {
	rule := transitions[step]
	return (actor.house || rule.byOwner && actor.user == c.User) && slices.Contains(rule.from, c.State)
}

// stateListSQL returns an SQL list of the final states, or of all others.
func stateListSQL(final bool) string {
	var all []string
	for _, s := range states {
		if s.IsFinal() == final {
			all = append(all, "'"+string(s)+"'")
		}
	}
	return strings.Join(all, ", ")
}

// IsFinal reports whether no further step is possible in this state.
func (s State) IsFinal() bool {
	for _, rule := range transitions {
		if slices.Contains(rule.from, s) {
			return false
		}
	}
	return true
}

// nextState returns the state after a step, or an error if the step is not allowed.
func (c Claim) nextState(step Step, actor actor) (State, error) {
	if !c.allows(step, actor) {
		return c.State, apperr.New(apperr.Conflict, fmt.Sprintf("This claim is %s, so this step isn't possible: %s.", c.State, step)).
			WithDetails(StateConflict{c.ID, c.State})
	}
	return transitions[step].to, nil
}

// StateConflict is the detail of an error about a claim whose state doesn't allow a step.
type StateConflict struct {
	ID    string `json:"id"`
	State State  `json:"state"`
}

// Item is one entry of a claim.
type Item struct {
	Claim  string // id
	Entry  string // id
	Value  money.Cents
	Refund *money.Cents // paid for its loss; nil = none
}

// Event is a step that was taken.
type Event struct {
	Claim  string
	Number int64 // 1, 2, 3 … per claim
	Step   Step
	UserID string // of the actor
	Note   string // carrier and number, or an admin's reason
	At     time.Time
}
