// Package redemptions ships physical items. A user claims vaulted entries, gives an address and
// pays for shipping; the house packs and ships them, and compensates for lost parcels.
package redemptions

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/packs"
)

// Service sends items.
type Service struct {
	DB        *db.DB
	Packs     *packs.Service
	PublicURL httpkit.PublicURL
	Shipping  Shipping
	Keys      Keyring
	Sandbox   bool // nothing is really sent: what cannot run out can be claimed too, and admins take on their own
}

// Claim is entries that their owner wants sent, and what became of it.
type Claim struct {
	ID        string
	User      string // id
	State     State
	Shipping  money.Cents
	Message   string // that the owner signed
	Signature string
	Carrier   string // id; empty until it was sent
	Tracking  string // number
	Version   int64  // how many events it has
	CreatedAt time.Time
}

// idsOf are the ids of claims, in their order.
func idsOf(claims []Claim) []string {
	all := make([]string, len(claims))
	for n, c := range claims {
		all[n] = c.ID
	}
	return all
}

// State is where a claim is in its life.
type State string

// The states.
const (
	Requested State = "requested"
	Packed    State = "packed"
	Shipped   State = "shipped"
	Delivered State = State(inventory.Delivered)
	Cancelled State = "cancelled" // the shipping is paid back, the entries are held again
	Lost      State = "lost"      // the house replaces it or pays for it
	Replacing State = "replacing" // another copy is being got, from outside of what can be drawn
	Refunded  State = "refunded"  // value and shipping were paid
)

var states = []State{Requested, Packed, Shipped, Delivered, Cancelled, Lost, Replacing, Refunded}

// Act is a step in a claim's life.
type Act string

// The acts.
const (
	Request Act = "request"
	Cancel  Act = "cancel"
	Pack    Act = "pack"
	Ship    Act = "ship" // again with another number where the first was wrong
	Deliver Act = "deliver"
	Lose    Act = "lose"
	Replace Act = "replace"
	Refund  Act = "refund"
)

// rule is who may take a step, from which states, to which, and what it is to each entry.
type rule struct {
	owner bool // may take it too, beside the house
	from  []State
	to    State
	entry inventory.Act
}

// life is all that can be done with a claim after it was requested.
var life = map[Act]rule{
	Cancel:  {owner: true, from: []State{Requested}, to: Cancelled, entry: inventory.Unclaiming},
	Pack:    {from: []State{Requested}, to: Packed, entry: inventory.Packing},
	Ship:    {from: []State{Packed, Replacing, Shipped}, to: Shipped, entry: inventory.Shipping},
	Deliver: {from: []State{Shipped}, to: Delivered, entry: inventory.Delivering},
	Lose:    {from: []State{Packed, Shipped}, to: Lost, entry: inventory.Losing},
	Replace: {from: []State{Lost}, to: Replacing, entry: inventory.Replacing},
	Refund:  {from: []State{Lost, Replacing}, to: Refunded, entry: inventory.Refunding},
}

// doer is who does something with a claim: its owner, or an admin for the house.
type doer struct {
	user  string // id
	house bool
}

// onEntry is who it is to the entries.
func (d doer) onEntry() string {
	if d.house {
		return inventory.House
	}
	return d.user
}

// allows tells whether somebody may take the claim a step on.
func (c Claim) allows(act Act, by doer) bool {
	r := life[act]
	return (by.house || r.owner && by.user == c.User) && slices.Contains(r.from, c.State)
}

// spelt is the states that are ends, or those that are none, as SQL writes them.
func spelt(ends bool) string {
	var all []string
	for _, s := range states {
		if s.ended() == ends {
			all = append(all, "'"+string(s)+"'")
		}
	}
	return strings.Join(all, ", ")
}

// ended tells whether nothing more can be done with a claim in this state.
func (s State) ended() bool {
	for _, r := range life {
		if slices.Contains(r.from, s) {
			return false
		}
	}
	return true
}

// next is the state after a step, or why it cannot be taken.
func (c Claim) next(act Act, by doer) (State, error) {
	if !c.allows(act, by) {
		return c.State, apperr.New(apperr.Conflict, fmt.Sprintf("This claim is %s: it is too late, or too early, to %s it.", c.State, act)).
			WithDetails(Unmoved{c.ID, c.State})
	}
	return life[act].to, nil
}

// Unmoved names the claim for which a step is refused.
type Unmoved struct {
	ID    string `json:"id"`
	State State  `json:"state"`
}

// Item is one entry of a claim.
type Item struct {
	Claim  string // id
	Entry  string // id
	Value  money.Cents
	Refund *money.Cents // paid for its loss; nil = nothing was
}

// Event is a step that was taken.
type Event struct {
	Claim  string
	Number int64 // 1, 2, 3 … for each claim
	Act    Act
	By     string // a user's id
	Note   string // carrier and number, or an admin's words
	At     time.Time
}
