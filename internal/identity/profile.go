package identity

import (
	"errors"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
)

// ProfileEdit is an admin's edit of a user's name and picture.
type ProfileEdit struct {
	RemoveName, RemovePicture bool
	// LockReason stops the user from changing them again; it is shown to the user. Empty lets them.
	LockReason string
}

// EditProfile applies an admin's edit to a user and returns the user before it. It refuses deleted
// users.
func EditProfile(tx *db.Tx, user string, edit ProfileEdit) (before User, err error) {
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
	u.ProfileLockReason = edit.LockReason
	if edit.RemoveName {
		u.FirstName = ""
	}
	if edit.RemovePicture && u.ProfileImageURL != "" {
		u.ProfileImageURL = ""
		if err := removePicture(tx, u, before.ProfileImageURL); err != nil {
			return before, err
		}
	}
	return before, updateProfile(tx, u)
}
