package admin

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"kaibao/internal/action"
	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/bids"
	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/gifts"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
)

// UserView is an admin's view of a user.
type UserView struct {
	ID            string      `json:"id"`
	WalletAddress string      `json:"walletAddress"`
	FirstName     string      `json:"firstName"`
	Handle        string      `json:"handle" doc:"The name of the user's public profile; empty without one."`
	Public        bool        `json:"public" doc:"The user switched the profile on."`
	PagesHidden   bool        `json:"pagesHidden" doc:"An admin hides the user's profile and pull pages."`
	Role          string      `json:"role" enum:"user,admin"`
	BalanceCents  money.Cents `json:"balanceCents"`
	Sessions      int64       `json:"sessions" doc:"Number of signed-in browsers."`
	Frozen        bool        `json:"frozen" doc:"An admin froze the account."`
	ProfileLocked bool        `json:"profileLocked" doc:"An admin keeps the user from changing name, picture and handle."`
	CreatedAt     string      `json:"createdAt"`
	DeletedAt     string      `json:"deletedAt,omitempty" format:"date-time" doc:"Present if the account was deleted. It stays frozen, and every act on it is refused."`
}

// RoleAnswer is a user after a role change, or while the change waits for approval.
type RoleAnswer struct {
	UserView
	Approval *approval.Waiting `json:"approval,omitempty" doc:"The request waiting for a second admin. Until it is approved, the role doesn't change."`
}

type usersInput struct {
	csvfile.PagedInput
	httpapi.Period
	Search string `query:"search" maxLength:"100" doc:"Start of an address, an address shortened as start...end, part of a name or handle, or an id as the server's log shows it. A link or a text with an id in it counts as the id."`
	Role   string `query:"role" enum:"user,admin"`
}

type roleInput struct {
	action.Idempotent
	ID   httpapi.PathID `path:"id"`
	Body struct {
		Role   string `json:"role" enum:"user,admin"`
		Reason string `json:"reason" minLength:"1" maxLength:"500"`
	}
}

type signOutInput struct {
	action.Idempotent
	ID   httpapi.PathID `path:"id"`
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500"`
	}
}

// setRoleID is the id of the call that sets a role, in the contract and the admin log.
const setRoleID = "set-role"

func userRoutes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/users", "list-users", "All users, newest first"),
		"kaibao-users", []string{"since", "id", "wallet", "name", "handle", "role", "balance", "sessions"}, userRecord,
		func(ctx context.Context, in *usersInput) (*httpapi.List[UserView], error) {
			return httpapi.Paged(ctx, api.DB.Search, in.Page, in.selection, listUsers)
		})
	action.Handle(api, httpapi.Post(httpapi.Admin, "/api/admin/users/{id}/role", setRoleID, "Request the admin role for a user (a second admin approves it), or remove it at once", apperr.Conflict, apperr.RequestWaiting), setRole)
	action.Handle(api, httpapi.Post(httpapi.Admin, "/api/admin/users/{id}/sign-out", "sign-out-user", "End all sessions of a user", apperr.Conflict), signOut)
}

// userRecord returns a user's row in a CSV file, with the balance in points.
func userRecord(u UserView) []string {
	return []string{u.CreatedAt, u.ID, u.WalletAddress, u.FirstName, u.Handle, u.Role, u.BalanceCents.String(), strconv.FormatInt(u.Sessions, 10)}
}

func (in *usersInput) selection(limit int, cursor string) (*db.Selection[foundUser], error) {
	page, err := newestUsers.Select(limit, cursor)
	if err != nil {
		return nil, err
	}
	httpapi.Equal(page, "u.role", in.Role)
	in.Narrow(page, "u.created_at")
	text, parsed := strings.TrimSpace(in.Search), parseSearchText(in.Search)
	if id := strings.ToLower(parsed.whole); idInText.MatchString(id) {
		page.Where("u.id = ?", db.ID(id))
	} else if text != "" {
		page.Where("(u.wallet_address LIKE ? ESCAPE '!' OR LOWER(u.first_name) LIKE ? ESCAPE '!' OR u.handle LIKE ? ESCAPE '!')",
			escape(parsed.start)+"%"+escape(parsed.end), "%"+escape(strings.ToLower(text))+"%", "%"+escape(handleOf(text))+"%")
	}
	return page, nil
}

// handleOf returns the handle that a search text means: as it is, as @handle, or as a link to a profile.
func handleOf(text string) string {
	if _, handle, ok := strings.Cut(text, "/u/"); ok {
		text = handle
	}
	return strings.ToLower(strings.TrimPrefix(text, "@"))
}

// escape escapes a text for use in a LIKE pattern.
func escape(text string) string {
	return strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(text)
}

var (
	errOwnRole    = apperr.New(apperr.Conflict, "You can't remove your own admin role. Ask another admin.")
	errFrozenUser = apperr.New(apperr.Conflict, "This account is frozen. Unfreeze it first.")
	errLastAdmin  = apperr.New(apperr.Conflict, "This is the last admin. Make another user an admin first.")
)

// setRole changes a user's role, effective from their next call. A new admin needs a second admin's
// approval; otherwise one admin could create another to approve their requests.
func setRole(tx *db.Tx, admin httpapi.Principal, in *roleInput) (RoleAnswer, error) {
	if err := adminlog.CheckReason(in.Body.Reason); err != nil {
		return RoleAnswer{}, err
	}
	user, err := userOf(tx, in.ID)
	switch {
	case err != nil:
		return RoleAnswer{}, err
	case !user.DeletedAt.IsZero():
		return RoleAnswer{}, identity.ErrDeleted
	case user.ID == admin.UserID && in.Body.Role != "admin":
		return RoleAnswer{}, errOwnRole
	}
	var answer RoleAnswer
	change := adminlog.Change{Subject: identity.LogSubject(user.ID), Reason: in.Body.Reason}
	if in.Body.Role == "admin" && user.Role != "admin" {
		answer.Approval, err = requestPromotion(tx, user, admin.UserID, in.Body.Reason)
		if err == nil {
			change.After = approval.PendingEntry{Approval: answer.Approval.ID}
		}
	} else {
		change.Before, change.After = roleEntry{user.Role}, roleEntry{in.Body.Role}
		err = SetRole(tx, user.Address, in.Body.Role)
	}
	if err != nil {
		return RoleAnswer{}, err
	}
	in.Changed(change)
	answer.UserView, err = findUserView(tx, user.ID)
	return answer, err
}

// promotion is the payload of a request to make a user an admin. Older ones have the address.
type promotion struct {
	UserID        string `json:"userId,omitempty"`
	WalletAddress string `json:"walletAddress,omitempty"`
}

func (p promotion) user(tx *db.Tx) (identity.User, error) {
	if p.UserID == "" {
		return identity.ByAddress(tx, p.WalletAddress)
	}
	return identity.ByID(tx, p.UserID)
}

func requestPromotion(tx *db.Tx, user identity.User, admin, why string) (*approval.Waiting, error) {
	if _, err := ledger.LockAll(tx, []string{user.ID}); err != nil {
		return nil, err
	}
	if err := identity.CheckNotDeleted(tx, user.ID); err != nil {
		return nil, err
	}
	payload, err := json.Marshal(promotion{UserID: user.ID})
	if err != nil {
		return nil, err
	}
	waiting, err := approval.Ask(tx, approval.Request{
		Kind: approval.Promote, Subject: identity.LogSubject(user.ID), Payload: payload, Reason: why, AskedBy: admin,
	})
	return &waiting, err
}

// PromoteApproved makes a user an admin after a second admin approved it.
func PromoteApproved(tx *db.Tx, r approval.Request) error {
	var asked promotion
	if err := json.Unmarshal(r.Payload, &asked); err != nil {
		return err
	}
	user, err := asked.user(tx)
	if err != nil {
		return err
	}
	if err := SetRole(tx, user.Address, "admin"); err != nil {
		return err
	}
	_, err = adminlog.Record(tx, adminlog.Act{Admin: r.AskedBy, Name: setRoleID, Path: r.Path(), Request: r.Payload, Change: adminlog.Change{
		Subject: r.Subject, Before: roleEntry{user.Role}, After: roleEntry{"admin"}, Reason: r.Reason,
	}})
	return err
}

// sessionsEntry is the number of a user's sessions in the admin log.
type sessionsEntry struct {
	Sessions int64 `json:"sessions"`
}

// roleEntry is a user's role in the admin log.
type roleEntry struct {
	Role string `json:"role"`
}

// SetRoleByCommand is SetRole for a command, which the admin log records instead of an admin if the
// role changed.
func SetRoleByCommand(tx *db.Tx, address, to, command string) error {
	user, err := identity.ByAddress(tx, address)
	if err != nil && !errors.Is(err, db.ErrNoRow) {
		return err
	}
	if err := SetRole(tx, address, to); err != nil || user.Role == to {
		return err
	}
	_, err = adminlog.Record(tx, adminlog.Act{
		Name: setRoleID, Path: command, Change: adminlog.Change{Subject: identity.LogSubject(user.ID), Before: roleEntry{user.Role}, After: roleEntry{to}},
	})
	return err
}

// SetRole sets the role, "user" or "admin", of an address that has signed in before. A new admin's
// listings, bids and gifts are ended, because admins don't trade. The last admin keeps the role, even if
// two admins demote each other concurrently.
func SetRole(tx *db.Tx, address, role string) error {
	user, err := identity.ByAddress(tx, address)
	if errors.Is(err, db.ErrNoRow) {
		return identity.SetRole(tx, address, role)
	}
	if err != nil {
		return err
	}
	if role != "admin" {
		admins, err := identity.LockAdmins(tx)
		if err == nil && len(admins) == 1 && admins[0] == user.ID {
			err = errLastAdmin
		}
		if err != nil {
			return err
		}
		return identity.SetRole(tx, address, role)
	}
	if err := gifts.EndWithListings(tx, user.ID); err != nil {
		return err
	}
	if err := match.EndBids(tx, user.ID); err != nil {
		return err
	}
	accounts, err := ledger.LockAll(tx, []string{user.ID})
	if err == nil {
		err = identity.CheckNotDeleted(tx, user.ID)
	}
	if err == nil && accounts[user.ID].Play.Frozen() {
		err = errFrozenUser
	}
	if err != nil {
		return err
	}
	if err := identity.SetRole(tx, address, role); err != nil {
		return err
	}
	return retryIfTrading(tx, user.ID)
}

// retryIfTrading makes the transaction run again if a user has listings, gifts or bids, which a
// concurrent act placed. No more can follow while the user's row is locked.
func retryIfTrading(tx *db.Tx, user string) error {
	offers, err := inventory.HasListings(tx, user)
	if err != nil {
		return err
	}
	given, err := gifts.HasWaiting(tx, user)
	if err != nil {
		return err
	}
	open, err := bids.CountOpen(tx, user)
	if err == nil && (offers || given || open > 0) {
		err = db.ErrAgain
	}
	return err
}

// signOut ends a user's sessions. Their next calls are refused until they sign in again.
func signOut(tx *db.Tx, _ httpapi.Principal, in *signOutInput) (UserView, error) {
	if err := adminlog.CheckReason(in.Body.Reason); err != nil {
		return UserView{}, err
	}
	user, err := userOf(tx, in.ID)
	if err != nil {
		return UserView{}, err
	}
	if !user.DeletedAt.IsZero() {
		return UserView{}, identity.ErrDeleted
	}
	before, err := findUserView(tx, user.ID)
	if err != nil {
		return UserView{}, err
	}
	if err := identity.EndSessions(tx, user.ID); err != nil {
		return UserView{}, err
	}
	in.Changed(adminlog.Change{Subject: identity.LogSubject(user.ID), Before: sessionsEntry{before.Sessions}, After: sessionsEntry{}, Reason: in.Body.Reason})
	return findUserView(tx, user.ID)
}

func userOf(tx *db.Tx, id httpapi.PathID) (identity.User, error) {
	user, err := identity.ByID(tx, string(id))
	if errors.Is(err, db.ErrNoRow) {
		err = apperr.Missing("User")
	}
	return user, err
}
