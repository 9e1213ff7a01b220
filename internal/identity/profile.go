package identity

import (
	"errors"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/policy"
)

// ProfileEdit is an admin's edit of what others see of a user.
type ProfileEdit struct {
	RemoveName, RemovePicture, RemoveHandle bool
	// PagesHidden hides the user's profile and pull pages, or shows them again; nil leaves that as it is.
	PagesHidden *bool
	// LockReason keeps the user from changing name, picture and handle; it is shown to the user. Empty
	// lets them change these again; nil leaves that as it is.
	LockReason *string
}

// EditProfile applies an admin's edit to a user and returns the user before it. Nobody can take a
// removed handle for some time, not even the user. It refuses deleted users.
func EditProfile(tx *db.Tx, key HandleKey, user string, edit ProfileEdit) (before User, err error) {
	if edit.RemoveHandle {
		if err := LockHandles(tx); err != nil {
			return before, err
		}
	}
	before, err = lockProfile(tx, user)
	switch {
	case errors.Is(err, db.ErrNoRow):
		err = apperr.Missing("User")
	case err == nil && !before.DeletedAt.IsZero():
		err = ErrDeleted
	}
	if err != nil {
		return before, err
	}
	u := before
	if edit.LockReason != nil {
		u.ProfileLockReason = *edit.LockReason
	}
	if edit.RemoveName {
		u.FirstName = ""
	}
	if edit.RemovePicture && u.ProfileImageURL != "" {
		u.ProfileImageURL = ""
		if err := removePicture(tx, u, before.ProfileImageURL); err != nil {
			return before, err
		}
	}
	if edit.RemoveHandle && u.Handle != "" {
		if err := insertReservation(tx, key.hash(foldHandle(u.Handle)), "", tx.Now.Add(policy.HandleReserved)); err != nil {
			return before, err
		}
		u.clearHandle()
	}
	if edit.PagesHidden != nil {
		u.PagesHidden = *edit.PagesHidden
	}
	return before, updateProfile(tx, u)
}
