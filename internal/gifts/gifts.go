// Package gifts lets users give entries to another user: to a wallet, or by a link with a secret. A
// gift waits until its receiver accepts it. Until then the entries belong to the giver, who can do
// nothing else with them. No points move.
//
// Giving checks only the giver. The receiver is checked when they accept, and only they are told the
// result: to the giver, a gift that can't be accepted looks like one that waits.
package gifts

import (
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/houserules"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

// Service handles gifts.
type Service struct {
	DB        *db.DB
	PublicURL httpapi.PublicURL
	Rules     houserules.Rules // Market switches gifts off, too
	Sandbox   bool             // admins may give and accept
}

// Gift is an offer to give entries away.
type Gift struct {
	ID         string
	Giver      string // user id
	Wallet     string // the receiver's address; empty if it is a link
	SecretHash []byte // SHA-256 of the link's secret; nil if it is for a wallet
	Receiver   string // id of the user who accepted or refused it; empty until then
	State      State
	// WithheldAt is when the receiver lost the gift because their account was stopped; zero = never. The
	// giver isn't told, so that nobody learns about a receiver's account from a gift.
	WithheldAt time.Time
	Message    string // signed by the giver
	Signature  string
	CreatedAt  time.Time
	ExpiresAt  time.Time
	EndedAt    time.Time // zero while it waits
}

// State is a gift's state.
type State string

// States of a gift. All but the first are final.
const (
	Waiting  State = "waiting"
	Accepted State = "accepted"
	Refused  State = "refused"
	Canceled State = "canceled" // by the giver
	Expired  State = "expired"
	Ended    State = "ended" // the giver was frozen, took a time-out, excluded themselves, became an admin or was deleted, or the receiver was deleted
)

var states = []State{Waiting, Accepted, Refused, Canceled, Expired, Ended}

// isLink reports whether the gift is for anyone with its link, rather than for a wallet.
func (g Gift) isLink() bool { return g.Wallet == "" }

// stateAt returns the gift's state at a time. A gift counts as expired before the job has stored that.
func (g Gift) stateAt(now time.Time) State {
	if g.State == Waiting && !now.Before(g.ExpiresAt) {
		return Expired
	}
	return g.State
}

// shownTo returns the gift's state as its giver or its receiver may see it. Receivers don't learn why a
// giver's gift ended.
func (g Gift) shownTo(side Side, now time.Time) State {
	state := g.stateAt(now)
	if side == Received && (state == Ended || state == Waiting && !g.WithheldAt.IsZero()) {
		return Canceled
	}
	return state
}

// Side says whether a user gave or received a gift.
type Side string

// The sides of a gift.
const (
	Given    Side = "given"
	Received Side = "received"
)

// Item is one entry of a gift.
type Item struct {
	Gift  string // id
	Entry string // id
	Value money.Cents
}

func entryIDs(items []Item) []string {
	ids := make([]string, len(items))
	for i, item := range items {
		ids[i] = item.Entry
	}
	return ids
}

var (
	errClosed  = apperr.New(apperr.SwitchedOff, "Gifts between users are turned off here.").WithDetails(houserules.Off{Rule: "market"})
	errNoGift  = apperr.New(apperr.NotFound, "This gift doesn't exist. If you have a link, check that it is complete.")
	errOwnGift = apperr.New(apperr.OwnGift, "This is your own gift. Send the link to the person it is for.")
	errEnded   = apperr.New(apperr.GiftEnded, "This gift has ended.")
)

// EndedGift is the detail of an error about a gift that no longer waits.
type EndedGift struct {
	State State `json:"state"`
}

// checkRole refuses an admin, whose role it locks until the end of the transaction. Admins of a sandbox
// may give and accept.
func (s *Service) checkRole(tx *db.Tx, user string) error {
	if s.Sandbox {
		return nil
	}
	admins, err := identity.LockRoles(tx, []string{user})
	if err == nil && admins[user] {
		err = apperr.ErrAdmin
	}
	return err
}

// applyToEntries applies an act to the entries of gifts, after locking them.
func applyToEntries(tx *db.Tx, act inventory.Act, by string, items []Item) error {
	entries, err := inventory.LockAll(tx, entryIDs(items))
	if err != nil {
		return err
	}
	steps := make([]inventory.GiftStep, len(items))
	for i, item := range items {
		steps[i] = inventory.GiftStep{Entry: entries[item.Entry], Gift: item.Gift}
	}
	return inventory.ApplyGiftSteps(tx, act, by, steps)
}
