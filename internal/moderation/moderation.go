// Package moderation holds what admins do to a user's account: freeze it, remove a name, picture or
// handle, hide its pages, and take points back. Each act is one transaction with its line in the admin log.
package moderation

import (
	"encoding/json"
	"errors"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/audit"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/gifts"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Service serves the acts.
type Service struct {
	DB             *db.DB
	ProfileChanged func() // called after an admin changed what others see of a user
	HandleKey      identity.HandleKey
}

// Audit checks that accounts are frozen exactly while a freeze is in force, that frozen accounts have
// no offers and deleted ones no points, that the admin log has every freeze, and that every debit was
// allowed and has its transfer.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findWrongFreezes, findUnloggedFreezes, findFrozenOffers, findPointsOfDeleted, findWrongDebits, findUnapprovedDebits)
}

// freezeState is the state of an account in the admin log.
type freezeState struct {
	Frozen bool `json:"frozen"`
}

// freeze freezes a user's account: it ends the user's listings, bids, counter-offers and gifts, and
// from then on every act that locks the account is refused.
func freeze(tx *db.Tx, user identity.User, reason string) error {
	if err := gifts.EndWithListings(tx, user.ID); err != nil {
		return err
	}
	if err := match.EndOffers(tx, user.ID, bids.Frozen); err != nil {
		return err
	}
	// An act that held the account's lock before may have placed another offer.
	offers, err := match.HasOffers(tx, user.ID)
	if err != nil {
		return err
	}
	given, err := gifts.HasWaiting(tx, user.ID)
	if err != nil {
		return err
	}
	if offers || given {
		return db.ErrAgain
	}
	return identity.StartFreeze(tx, user.ID, reason)
}

// unfreeze ends a freeze of a user's account. The price floors that applied when it began last longer
// by its length.
func unfreeze(tx *db.Tx, user identity.User, freeze string) error {
	account, err := ledger.Find(tx, user.ID)
	if err != nil {
		return err
	}
	if !account.Play.Frozen() {
		return identity.ErrNotFrozen
	}
	if err := inventory.ExtendFloors(tx, user.ID, db.Time(account.Play.FrozenAt)); err != nil {
		return err
	}
	locked, err := ledger.LockAll(tx, []string{user.ID}) // after the entries, which the lock order asks for
	if err != nil {
		return err
	}
	if locked[user.ID].Play.FrozenAt != account.Play.FrozenAt {
		return db.ErrAgain
	}
	return identity.EndFreeze(tx, user.ID, freeze)
}

// unfreezeRequest is the payload of a request to unfreeze an account.
type unfreezeRequest struct {
	UserID   string `json:"userId"`
	FreezeID string `json:"freezeId"` // approval ends no other freeze
}

// unfreezeOrRequestApproval unfreezes an account. Accounts that hold more than policy.UnfreezeAlone in
// points and items wait for a second admin.
func unfreezeOrRequestApproval(tx *db.Tx, user identity.User, admin, reason string) (*approval.Waiting, error) {
	current, err := identity.CurrentFreeze(tx, user.ID)
	if err != nil {
		return nil, err
	}
	if current == nil {
		return nil, identity.ErrNotFrozen
	}
	worth, err := worthOf(tx, user.ID)
	if err != nil {
		return nil, err
	}
	if worth <= policy.UnfreezeAlone {
		if err := unfreeze(tx, user, current.ID); err != nil {
			return nil, err
		}
		// A payment may have arrived before the account was locked.
		worth, err = worthOf(tx, user.ID)
		if err == nil && worth > policy.UnfreezeAlone {
			err = db.ErrAgain
		}
		return nil, err
	}
	payload, err := json.Marshal(unfreezeRequest{user.ID, current.ID})
	if err != nil {
		return nil, err
	}
	waiting, err := approval.Ask(tx, approval.Request{
		Kind: approval.Unfreeze, Subject: identity.LogSubject(user.ID), Payload: payload, Reason: reason, AskedBy: admin,
	})
	return &waiting, err
}

// worthOf returns the value of a user's points and items.
func worthOf(tx *db.Tx, user string) (money.Cents, error) {
	account, err := ledger.Find(tx, user)
	if err != nil {
		return 0, err
	}
	items, err := inventory.OwnedValue(tx, user)
	return account.Balance + account.InBids + items, err
}

// ApplyApprovedUnfreeze unfreezes an account after a second admin's approval.
func ApplyApprovedUnfreeze(tx *db.Tx, r approval.Request) error {
	var asked unfreezeRequest
	if err := json.Unmarshal(r.Payload, &asked); err != nil {
		return err
	}
	user, err := findUser(tx, asked.UserID)
	if err == nil {
		err = unfreeze(tx, user, asked.FreezeID)
	}
	if err != nil {
		return err
	}
	_, err = adminlog.Record(tx, adminlog.Act{
		Admin: r.AskedBy, Name: unfreezeID, Path: r.Path(), Request: r.Payload, Change: freezeChange(user, false, r.Reason),
	})
	return err
}

// freezeChange describes in the admin log that an account is now frozen or no longer.
func freezeChange(user identity.User, frozen bool, reason string) adminlog.Change {
	return adminlog.Change{Subject: identity.LogSubject(user.ID), Before: freezeState{!frozen}, After: freezeState{frozen}, Reason: reason}
}

func findUser(tx *db.Tx, id string) (identity.User, error) {
	user, err := identity.ByID(tx, id)
	switch {
	case errors.Is(err, db.ErrNoRow):
		err = apperr.Missing("User")
	case err == nil && !user.DeletedAt.IsZero():
		err = identity.ErrDeleted
	}
	return user, err
}
