package identity

import (
	"errors"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
)

// Freeze is a time in which a user's account is or was frozen.
type Freeze struct {
	ID      string
	Reason  string // shown to the user
	Since   time.Time
	EndedAt time.Time // zero while it is frozen
}

// ErrNotFrozen is returned when an admin unfreezes an account that isn't frozen.
var ErrNotFrozen = apperr.New(apperr.Conflict, "This account isn't frozen.")

var (
	errAlreadyFrozen = apperr.New(apperr.Conflict, "This account is already frozen.")
	errFreezeAdmin   = apperr.New(apperr.Conflict, "An admin can't be frozen. Remove the admin role first.")
)

// StartFreeze freezes a user's account, which must be locked. Sessions stay, but allow only reads
// from their next call on. It refuses admins and deleted users.
func StartFreeze(tx *db.Tx, user, reason string) error {
	if err := CheckNotDeleted(tx, user); err != nil {
		return err
	}
	admins, err := LockRoles(tx, []string{user})
	if err == nil && admins[user] {
		err = errFreezeAdmin
	}
	if err != nil {
		return err
	}
	err = insertFreeze(tx, tx.NewID(), user, reason)
	if db.IsDuplicate(err) {
		return errAlreadyFrozen
	}
	if err != nil {
		return err
	}
	return ledger.SetFrozen(tx, user, db.Micros(tx.Now))
}

// EndFreeze ends a freeze of a user's account, which must be locked. A deletion that the user asked
// for is delayed by the time frozen, in which it had to wait and the user could do nothing.
func EndFreeze(tx *db.Tx, user, freeze string) error {
	since, err := endFreeze(tx, user, freeze)
	if errors.Is(err, db.ErrNoRow) {
		return ErrNotFrozen
	}
	if err != nil {
		return err
	}
	if err := delayDeletion(tx, user, tx.Now.Sub(since)); err != nil {
		return err
	}
	return ledger.SetFrozen(tx, user, 0)
}

// CurrentFreeze returns the freeze of a user's account, or nil if it isn't frozen.
func CurrentFreeze(tx *db.Tx, user string) (*Freeze, error) {
	all, err := Freezes(tx, user)
	for _, f := range all {
		if f.EndedAt.IsZero() {
			return &f, err
		}
	}
	return nil, err
}
