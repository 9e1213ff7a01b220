package identity

import (
	"errors"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
)

// DeletionRequest is a user's request to delete their account. It is zero if there is none.
type DeletionRequest struct {
	RequestedAt, DueAt time.Time
	WaitsFor           string // why it had to wait although it is due; empty = nothing yet
}

// DeletedAddress is the placeholder for the wallet address of a deleted user. It isn't a valid
// address, so nobody can sign in as the user.
func DeletedAddress(id string) string { return "deleted:" + id }

// ErrDeleted refuses an act on a deleted account.
var ErrDeleted = apperr.New(apperr.Conflict, "This account was deleted.")

// CheckNotDeleted returns ErrDeleted if a user was deleted. With the account locked, it can't be
// deleted before the end of the transaction.
func CheckNotDeleted(tx *db.Tx, id string) error {
	u, err := ByID(tx, id)
	if err == nil && !u.DeletedAt.IsZero() {
		err = ErrDeleted
	}
	return err
}

// LockCaller keeps a caller from being deleted until the end of the transaction. It returns
// httpapi.ErrUnauthenticated if they were deleted since the call began.
func LockCaller(tx *db.Tx, id string) error {
	u, err := db.One(tx, scanUser, selectUser+`id = $1`+tx.ForShare(), id)
	if err == nil && !u.DeletedAt.IsZero() {
		err = httpapi.ErrUnauthenticated
	}
	return err
}

var errRole = apperr.New(apperr.Conflict, "Give up your admin role first.")

// RequestDeletion stores that a user asks to be deleted at a time. Admins can't be deleted.
func RequestDeletion(tx *db.Tx, id string, due time.Time) error {
	u, err := lockProfile(tx, id)
	if err != nil {
		return err
	}
	if u.Role == "admin" {
		return errRole
	}
	return saveDeletionRequest(tx, id, due)
}

var errNoDeletion = apperr.New(apperr.Conflict, "There is no deletion to cancel, or its 14 days are over.")

// CancelDeletion cancels a user's request to be deleted, until it is due. A restored backup makes the
// deletions of its deleted users due, so that they can't come back.
func CancelDeletion(tx *db.Tx, id string) error {
	found, err := clearDeletionRequest(tx, id)
	if err == nil && !found {
		err = errNoDeletion
	}
	return err
}

// ErrNotDue says that a user's deletion isn't due, or that they were deleted already.
var ErrNotDue = errors.New("the deletion is not due")

// Erase deletes what identifies a user: wallet address, tag salt, name, picture, handle, sessions and
// challenges. Nobody can take the user's handles, not even the earlier ones; those that an admin removed
// stay reserved for their 180 days. It returns ErrNotDue unless the user's deletion is due. LockHandles
// must have been called before reading the user.
func Erase(tx *db.Tx, key HandleKey, u User) error {
	err := eraseUser(tx, u.ID, tx.Random(len(u.TagSalt)))
	if errors.Is(err, db.ErrNoRow) {
		return ErrNotDue
	}
	if err != nil {
		return err
	}
	var last []byte
	if u.Handle != "" {
		last = key.hash(foldHandle(u.Handle))
	}
	return errors.Join(EndSessions(tx, u.ID), deleteChallengesOf(tx, u.Address), reserveForever(tx, u.ID, last), removePicture(tx, u, u.ProfileImageURL))
}
