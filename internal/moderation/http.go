package moderation

import (
	"kaibao/internal/action"
	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// The ids of the calls, in the contract and the admin log.
const (
	freezeID   = "freeze-user"
	unfreezeID = "unfreeze-user"
	profileID  = "edit-user-profile"
	debitID    = "debit-user"
)

type freezeInput struct {
	action.Idempotent
	ID   httpapi.PathID `path:"id"`
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"Of a freeze: shown to the user."`
	}
}

type moderateProfileInput struct {
	action.Idempotent
	ID   httpapi.PathID `path:"id"`
	Body struct {
		RemoveName    bool   `json:"removeName,omitempty"`
		RemovePicture bool   `json:"removePicture,omitempty"`
		RemoveHandle  bool   `json:"removeHandle,omitempty" doc:"Switches the public profile off, too. Nobody can take the handle for 180 days."`
		PagesHidden   *bool  `json:"pagesHidden,omitempty" doc:"Hide the user's public profile and pull pages, or show them again. Omitted: no change."`
		Lock          *bool  `json:"lock,omitempty" doc:"Keep the user from changing name, picture and handle, or let them again. Omitted: no change."`
		Reason        string `json:"reason" minLength:"1" maxLength:"500" doc:"Shown to the user while the profile is locked."`
	}
}

type debitInput struct {
	action.Idempotent
	ID   httpapi.PathID `path:"id"`
	Body struct {
		AmountCents money.Cents `json:"amountCents" doc:"From 1 cent to 1,000,000 points."`
		Reason      string      `json:"reason" minLength:"1" maxLength:"500" doc:"Shown to the user."`
	}
}

// FreezeAnswer says whether an account is frozen.
type FreezeAnswer struct {
	Frozen   bool              `json:"frozen"`
	Approval *approval.Waiting `json:"approval,omitempty" doc:"The request to unfreeze that waits for a second admin."`
}

// ProfileAnswer is what others see of a user after an admin's edit.
type ProfileAnswer struct {
	FirstName       string `json:"firstName"`
	ProfileImageURL string `json:"profileImageUrl"`
	Handle          string `json:"handle"`
	PagesHidden     bool   `json:"pagesHidden"`
	Locked          bool   `json:"locked"`
}

// DebitAnswer is the outcome of a debit, or the request that waits for a second admin.
type DebitAnswer struct {
	Debited
	Approval *approval.Waiting `json:"approval,omitempty" doc:"The request waiting for a second admin. Until it is approved, nothing is taken."`
}

// Routes registers the acts.
func (s *Service) Routes(api *httpapi.API) {
	action.Handle(api, httpapi.Post(httpapi.Admin, "/api/admin/users/{id}/freeze", freezeID, "Freeze a user's account: end all offers and allow only reads", apperr.Conflict), postFreeze)
	action.Handle(api, httpapi.Post(httpapi.Admin, "/api/admin/users/{id}/unfreeze", unfreezeID, "Unfreeze a user's account; a second admin approves if it holds much", apperr.Conflict, apperr.RequestWaiting), postUnfreeze)
	action.Handle(api, httpapi.Post(httpapi.Admin, "/api/admin/users/{id}/profile", profileID, "Remove, lock or unlock a user's name, picture and handle, and hide or show their pages", apperr.Conflict, apperr.OwnInterest), s.postProfile)
	action.Handle(api, httpapi.Post(httpapi.Admin, "/api/admin/users/{id}/debit", debitID, "Take points back from a user", apperr.Conflict, apperr.OwnInterest, apperr.RequestWaiting), postDebit)
}

func postFreeze(tx *db.Tx, _ httpapi.Principal, in *freezeInput) (FreezeAnswer, error) {
	user, err := userFor(tx, in.ID, in.Body.Reason)
	if err != nil {
		return FreezeAnswer{}, err
	}
	in.Changed(freezeChange(user, true, in.Body.Reason))
	return FreezeAnswer{Frozen: true}, freeze(tx, user, in.Body.Reason)
}

func postUnfreeze(tx *db.Tx, admin httpapi.Principal, in *freezeInput) (FreezeAnswer, error) {
	user, err := userFor(tx, in.ID, in.Body.Reason)
	if err != nil {
		return FreezeAnswer{}, err
	}
	waiting, err := unfreezeOrRequestApproval(tx, user, admin.UserID, in.Body.Reason)
	if waiting == nil {
		in.Changed(freezeChange(user, false, in.Body.Reason))
	} else {
		in.Changed(adminlog.Change{Subject: identity.LogSubject(user.ID), After: approval.PendingEntry{Approval: waiting.ID}, Reason: in.Body.Reason})
	}
	return FreezeAnswer{Frozen: waiting != nil, Approval: waiting}, err
}

// profileEntry is a user's profile in the admin log.
type profileEntry struct {
	FirstName       string `json:"firstName"`
	ProfileImageURL string `json:"profileImageUrl"`
	Handle          string `json:"handle"`
	PagesHidden     bool   `json:"pagesHidden"`
	LockReason      string `json:"lockReason"`
}

func newProfileEntry(u identity.User) profileEntry {
	return profileEntry{u.FirstName, u.ProfileImageURL, u.Handle, u.PagesHidden, u.ProfileLockReason}
}

var errOwnProfile = apperr.New(apperr.OwnInterest, "You can't moderate your own profile. Ask another admin.")

func (s *Service) postProfile(tx *db.Tx, admin httpapi.Principal, in *moderateProfileInput) (ProfileAnswer, error) {
	user, err := userFor(tx, in.ID, in.Body.Reason)
	if err == nil && user.ID == admin.UserID {
		err = errOwnProfile
	}
	if err != nil {
		return ProfileAnswer{}, err
	}
	edit := identity.ProfileEdit{RemoveName: in.Body.RemoveName, RemovePicture: in.Body.RemovePicture, RemoveHandle: in.Body.RemoveHandle, PagesHidden: in.Body.PagesHidden}
	if in.Body.Lock != nil {
		edit.LockReason = new(string)
		if *in.Body.Lock {
			edit.LockReason = &in.Body.Reason
		}
	}
	before, err := identity.EditProfile(tx, s.HandleKey, user.ID, edit)
	if err != nil {
		return ProfileAnswer{}, err
	}
	after, err := identity.ByID(tx, user.ID)
	in.Changed(adminlog.Change{
		Subject: identity.LogSubject(user.ID), Reason: in.Body.Reason,
		Before: newProfileEntry(before), After: newProfileEntry(after),
	})
	tx.AfterCommit(s.ProfileChanged)
	return ProfileAnswer{after.FirstName, after.ProfileImageURL, after.Handle, after.PagesHidden, after.ProfileLockReason != ""}, err
}

func postDebit(tx *db.Tx, admin httpapi.Principal, in *debitInput) (DebitAnswer, error) {
	if err := apperr.CheckRange("amountCents", int64(in.Body.AmountCents), 1, int64(policy.MaxPrice)); err != nil {
		return DebitAnswer{}, err
	}
	user, err := userFor(tx, in.ID, in.Body.Reason)
	if err != nil {
		return DebitAnswer{}, err
	}
	d := debit{admin: admin.UserID, user: user, amount: in.Body.AmountCents, reason: in.Body.Reason}
	taken, waiting, err := debitOrRequestApproval(tx, d)
	if err != nil {
		return DebitAnswer{}, err
	}
	if waiting == nil {
		in.Changed(d.change(taken))
	} else {
		in.Changed(adminlog.Change{Subject: identity.LogSubject(user.ID), After: approval.PendingEntry{Approval: waiting.ID}, Reason: in.Body.Reason})
	}
	return DebitAnswer{taken, waiting}, nil
}

// userFor returns the user of an act that needs a reason.
func userFor(tx *db.Tx, id httpapi.PathID, reason string) (identity.User, error) {
	if err := adminlog.CheckReason(reason); err != nil {
		return identity.User{}, err
	}
	return findUser(tx, string(id))
}
