package redemptions

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// cancel cancels a user's own claim.
func (s *Service) cancel(tx *db.Tx, user, id string) (Claim, error) {
	found, err := lockAll(tx, []string{id})
	if err != nil {
		return Claim{}, err
	}
	if len(found) == 0 || found[0].User != user {
		return Claim{}, apperr.Missing("Claim")
	}
	after, err := s.step(tx, found, Cancel, doer{user: user}, []string{""})
	if err != nil {
		return Claim{}, err
	}
	return after[0], nil
}

// Parcel is a claim in an admin's step.
type Parcel struct {
	ID       httpapi.ID `json:"id"`
	Carrier  string     `json:"carrier,omitempty" maxLength:"64" doc:"To ship: an id of the terms."`
	Tracking string     `json:"tracking,omitempty" maxLength:"64" doc:"To ship: the parcel's number."`
}

// advance takes a step with several claims for an admin, all or none. Each event's note is the
// admin's reason or the parcel number. Refunds and replacements above the admin's limit wait for a
// second admin.
func (s *Service) advance(tx *db.Tx, admin string, act Act, parcels []Parcel, reason string) (after []Claim, waiting []approval.Waiting, err error) {
	notes := map[string]string{}
	for n, p := range parcels {
		note, err := s.note(act, p, reason)
		if err != nil {
			return nil, nil, err
		}
		if _, twice := notes[string(p.ID)]; twice {
			return nil, nil, apperr.InvalidField(fmt.Sprintf("claims[%d].id", n), "is named before")
		}
		notes[string(p.ID)] = note
	}
	found, err := lockAll(tx, ids(parcels))
	if err != nil {
		return nil, nil, err
	}
	if len(found) < len(parcels) {
		return nil, nil, apperr.Missing("Claim")
	}
	_, pays := roads[act]
	for _, c := range found {
		if c.User == admin && (pays || !s.Sandbox) {
			return nil, nil, errOwnClaim
		}
	}
	if pays {
		return s.makeGood(tx, admin, act, found, strings.TrimSpace(reason))
	}
	said := make([]string, len(found))
	for n, c := range found {
		said[n] = notes[c.ID]
	}
	after, err = s.step(tx, found, act, doer{admin, true}, said)
	return after, nil, err
}

// errOwnClaim refuses an admin's step with their own claim. In a sandbox admins may ship their own
// items, because people who try it out are often the only admin.
var errOwnClaim = apperr.New(apperr.OwnInterest, "This is your own claim. Another admin must do this.")

func ids(parcels []Parcel) []string {
	all := make([]string, len(parcels))
	for n, p := range parcels {
		all[n] = string(p.ID)
	}
	return all
}

// note returns the note of a step. Shipping requires carrier and number; steps to the owner's
// disadvantage require a reason.
func (s *Service) note(act Act, p Parcel, reason string) (string, error) {
	reason = strings.TrimSpace(reason)
	switch act {
	case Ship:
		number := strings.ToUpper(strings.Join(strings.Fields(p.Tracking), ""))
		if _, known := s.Shipping.carriers[p.Carrier]; !known {
			return "", apperr.InvalidField("carrier", "is not one of the shipping table")
		}
		if number == "" || len(number) > policy.LongestTracking {
			return "", apperr.InvalidField("tracking", "must be the number of the parcel")
		}
		return p.Carrier + " " + number, nil
	case Cancel, Lose, Replace, Refund:
		if reason == "" {
			return "", apperr.InvalidField("reason", "must say why")
		}
	}
	return reason, apperr.Short("reason", reason, policy.LongestReason)
}

// step takes a step with locked claims, sorted by id. notes has one note per claim.
func (s *Service) step(tx *db.Tx, claims []Claim, act Act, by doer, notes []string) ([]Claim, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	after, events := slices.Clone(claims), make([]Event, len(claims))
	for n, c := range claims {
		to, err := c.next(act, by)
		if err != nil {
			return nil, err
		}
		after[n].State, after[n].Version = to, c.Version+1
		if act == Ship {
			after[n].Carrier, after[n].Tracking, _ = strings.Cut(notes[n], " ")
		}
		events[n] = Event{Claim: c.ID, Number: c.Version + 1, Act: act, By: by.user, Note: notes[n], At: tx.Now}
	}
	if err := errors.Join(save(tx, after), insertEvents(tx, events)); err != nil {
		return nil, err
	}
	err := s.move(tx, after, act, by)
	if err == nil && life[act].to.ended() {
		err = forgetAt(tx, after, tx.Now.Add(policy.AddressKept))
	}
	return after, err
}

// move applies the step to the claims' entries and pays refunds.
func (s *Service) move(tx *db.Tx, claims []Claim, act Act, by doer) error {
	items, err := itemsOf(tx, claims)
	if err != nil {
		return err
	}
	entryIDs, owners := make([]string, len(items)), make([]string, len(claims))
	for n, i := range items {
		entryIDs[n] = i.Entry
	}
	for n, c := range claims {
		owners[n] = c.User
	}
	entries, err := inventory.LockAll(tx, entryIDs)
	if err != nil {
		return err
	}
	steps := make([]inventory.ClaimStep, len(items))
	for n := range items {
		e := entries[items[n].Entry]
		steps[n] = inventory.ClaimStep{Entry: e, Claim: items[n].Claim}
		if act == Refund {
			steps[n].Paid = items[n].worth(e)
			items[n].Refund = &steps[n].Paid
		}
	}
	if err := s.payBack(tx, claims, act, owners, items); err != nil {
		return err
	}
	return inventory.ApplyClaimSteps(tx, life[act].entry, by.onEntry(), steps)
}

// payBack refunds the shipping of cancelled and lost claims, and the value of lost items.
func (s *Service) payBack(tx *db.Tx, claims []Claim, act Act, owners []string, items []Item) error {
	if act != Cancel && act != Refund {
		return nil
	}
	lost := map[string]money.Cents{}
	for _, i := range items {
		if i.Refund != nil {
			lost[i.Claim] += *i.Refund
		}
	}
	var transfers []ledger.Transfer
	for _, c := range claims {
		transfers = append(transfers,
			ledger.Transfer{Debit: ledger.Shipping, Credit: ledger.Account(c.User), Amount: c.Shipping, Kind: ledger.KindShippingRefund, Ref: c.ID},
			ledger.Transfer{Debit: ledger.Losses, Credit: ledger.Account(c.User), Amount: lost[c.ID], Kind: ledger.KindLossRefund, Ref: c.ID})
	}
	// Lock all owners in one call, by user id: the claims are sorted by their own ids.
	if _, err := ledger.LockAll(tx, owners); err != nil {
		return err
	}
	if act == Refund {
		if err := saveRefunds(tx, items); err != nil {
			return err
		}
	}
	return pay(tx, transfers...)
}
