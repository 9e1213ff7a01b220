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
	claims, err := lockClaims(tx, []string{id})
	if err != nil {
		return Claim{}, err
	}
	if len(claims) == 0 || claims[0].User != user {
		return Claim{}, apperr.Missing("Claim")
	}
	updated, err := s.applyStep(tx, claims, Cancel, actor{user: user}, []string{""})
	if err != nil {
		return Claim{}, err
	}
	return updated[0], nil
}

// Parcel names a claim for an admin's step, with the parcel's tracking number if it ships.
type Parcel struct {
	ID       httpapi.ID `json:"id"`
	Carrier  string     `json:"carrier,omitempty" maxLength:"64" doc:"For ship: the id of a carrier in the terms."`
	Tracking string     `json:"tracking,omitempty" maxLength:"64" doc:"For ship: the tracking number."`
}

// applyAdminStep applies an admin's step to several claims, all or none. Each event's note is the
// admin's reason or the parcel number. Refunds and replacements above the admin's limit wait for a
// second admin.
func (s *Service) applyAdminStep(tx *db.Tx, admin string, step Step, parcels []Parcel, reason string) (updated []Claim, waiting []approval.Waiting, err error) {
	notes := map[string]string{}
	for i, p := range parcels {
		note, err := s.eventNote(step, p, reason)
		if err != nil {
			return nil, nil, err
		}
		if _, duplicate := notes[string(p.ID)]; duplicate {
			return nil, nil, apperr.InvalidField(fmt.Sprintf("claims[%d].id", i), "is listed twice")
		}
		notes[string(p.ID)] = note
	}
	claims, err := lockClaims(tx, parcelIDs(parcels))
	if err != nil {
		return nil, nil, err
	}
	if len(claims) < len(parcels) {
		return nil, nil, apperr.Missing("Claim")
	}
	_, compensates := compensationApprovals[step]
	for _, c := range claims {
		if c.User == admin && (compensates || !s.Sandbox) {
			return nil, nil, errOwnClaim
		}
	}
	if compensates {
		return s.compensate(tx, admin, step, claims, strings.TrimSpace(reason))
	}
	notesInOrder := make([]string, len(claims))
	for i, c := range claims {
		notesInOrder[i] = notes[c.ID]
	}
	updated, err = s.applyStep(tx, claims, step, actor{admin, true}, notesInOrder)
	return updated, nil, err
}

// errOwnClaim refuses an admin's step on their own claim. In a sandbox admins may ship their own
// items, because often there is only one admin.
var errOwnClaim = apperr.New(apperr.OwnInterest, "This is your own claim. Another admin must do this.")

func parcelIDs(parcels []Parcel) []string {
	all := make([]string, len(parcels))
	for i, p := range parcels {
		all[i] = string(p.ID)
	}
	return all
}

// eventNote returns the note of a step. Shipping requires carrier and number; steps to the owner's
// disadvantage require a reason.
func (s *Service) eventNote(step Step, p Parcel, reason string) (string, error) {
	reason = strings.TrimSpace(reason)
	switch step {
	case Ship:
		number := strings.ToUpper(strings.Join(strings.Fields(p.Tracking), ""))
		if _, known := s.Shipping.carriers[p.Carrier]; !known {
			return "", apperr.InvalidField("carrier", "is not a carrier in the shipping table")
		}
		if number == "" || len(number) > policy.MaxTrackingLength {
			return "", apperr.InvalidField("tracking", "must be a valid tracking number")
		}
		return p.Carrier + " " + number, nil
	case Cancel, Lose, Replace, Refund:
		if reason == "" {
			return "", apperr.InvalidField("reason", "is required")
		}
	}
	return reason, apperr.CheckMaxLength("reason", reason, policy.MaxReasonLength)
}

// applyStep applies a step to locked claims, sorted by id, and to their entries. notes has one note per claim.
func (s *Service) applyStep(tx *db.Tx, claims []Claim, step Step, actor actor, notes []string) ([]Claim, error) {
	if len(claims) == 0 {
		return nil, nil
	}
	updated, events := slices.Clone(claims), make([]Event, len(claims))
	for i, c := range claims {
		state, err := c.nextState(step, actor)
		if err != nil {
			return nil, err
		}
		updated[i].State, updated[i].Version = state, c.Version+1
		if step == Ship {
			updated[i].Carrier, updated[i].Tracking, _ = strings.Cut(notes[i], " ")
		}
		events[i] = Event{Claim: c.ID, Number: c.Version + 1, Step: step, UserID: actor.user, Note: notes[i], At: tx.Now}
	}
	if err := errors.Join(updateClaims(tx, updated), insertEvents(tx, events)); err != nil {
		return nil, err
	}
	err := s.updateEntries(tx, updated, step, actor)
	if err == nil && transitions[step].to.IsFinal() {
		err = setAddressExpiry(tx, updated, tx.Now.Add(policy.AddressKept))
	}
	return updated, err
}

// updateEntries applies the step to the claims' entries and pays refunds.
func (s *Service) updateEntries(tx *db.Tx, claims []Claim, step Step, actor actor) error {
	items, err := loadItems(tx, claims)
	if err != nil {
		return err
	}
	entryIDs, owners := make([]string, len(items)), make([]string, len(claims))
	for i, item := range items {
		entryIDs[i] = item.Entry
	}
	for i, c := range claims {
		owners[i] = c.User
	}
	entries, err := inventory.LockAll(tx, entryIDs)
	if err != nil {
		return err
	}
	steps := make([]inventory.ClaimStep, len(items))
	for i := range items {
		e := entries[items[i].Entry]
		steps[i] = inventory.ClaimStep{Entry: e, Claim: items[i].Claim}
		if step == Refund {
			steps[i].Paid = items[i].lossValue(e)
			items[i].Refund = &steps[i].Paid
		}
	}
	if step == Pack {
		if err := refuseFrozenOwners(tx, owners); err != nil {
			return err
		}
	}
	if err := s.payRefunds(tx, claims, step, owners, items); err != nil {
		return err
	}
	return inventory.ApplyClaimSteps(tx, transitions[step].entryAct, actor.inventoryActor(), steps)
}

var errFrozenOwner = apperr.New(apperr.Conflict, "The account of this claim's owner is frozen. The claim can be packed once it isn't.")

// refuseFrozenOwners refuses to pack claims of frozen accounts.
func refuseFrozenOwners(tx *db.Tx, owners []string) error {
	accounts, err := ledger.LockAll(tx, owners)
	for _, account := range accounts {
		if err == nil && account.Play.Frozen() {
			err = errFrozenOwner
		}
	}
	return err
}

// payRefunds refunds the shipping of cancelled and lost claims, and the value of lost items.
func (s *Service) payRefunds(tx *db.Tx, claims []Claim, step Step, owners []string, items []Item) error {
	if step != Cancel && step != Refund {
		return nil
	}
	lost := map[string]money.Cents{}
	for _, item := range items {
		if item.Refund != nil {
			lost[item.Claim] += *item.Refund
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
	if step == Refund {
		if err := updateRefunds(tx, items); err != nil {
			return err
		}
	}
	return transferNonZero(tx, transfers...)
}
