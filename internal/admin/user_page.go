package admin

import (
	"context"
	"errors"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/money"
)

// UserPage is what admins see about a user, apart from the lists.
type UserPage struct {
	UserView
	Picture    string            `json:"picture" doc:"Where this server serves the user's picture; empty for the generated one."`
	UserTag    string            `json:"userTag" doc:"The user's pseudonym in the public log."`
	LastSeenAt string            `json:"lastSeenAt,omitempty" format:"date-time" doc:"When a current session was last used; absent without one."`
	HeldCents  money.Cents       `json:"heldCents" doc:"Money held for open bids. It isn't part of the balance."`
	Opens      int64             `json:"opens" doc:"Number of packs opened."`
	OpenBids   int64             `json:"openBids"`
	Entries    inventory.Summary `json:"entries" doc:"The user's items, without those being shipped."`
	Limits     limits.LimitsView `json:"limits"`
	Notes      int64             `json:"notes" doc:"Number of notes about the user."`

	Freeze            *identity.FreezeView `json:"freeze,omitempty" doc:"Present while the account is frozen."`
	Deletion          *PendingDeletion     `json:"deletion,omitempty" doc:"Present if the user asked to delete the account."`
	ProfileLockReason string               `json:"profileLockReason,omitempty" doc:"Why the user can't change name and picture; absent if they can."`
}

// PendingDeletion is a deletion that the user asked for and that hasn't happened yet.
type PendingDeletion struct {
	RequestedAt string `json:"requestedAt" format:"date-time"`
	DueAt       string `json:"dueAt" format:"date-time" doc:"Until then the user can cancel."`
	WaitsFor    string `json:"waitsFor,omitempty" enum:"shipment,top-up,order,admin,frozen" doc:"Why the deletion is due but has to wait."`
}

// viewAct is the name of opening a user's page in the admin log.
const viewAct = "view-user"

func userPageRoutes(api *httpapi.API) {
	route := httpapi.Get(httpapi.Admin, "/api/admin/users/{id}", viewAct, "A user's profile, balance and limits; each call is recorded in the admin log", apperr.NotFound)
	httpapi.JSON(api, route, func(ctx context.Context, in *struct {
		ID httpapi.PathID `path:"id"`
	}) (p UserPage, err error) {
		err = api.DB.InTx(ctx, func(tx *db.Tx) error {
			p, err = openUserPage(tx, httpapi.Caller(ctx).UserID, in.ID)
			return err
		})
		return p, err
	})
}

// openUserPage returns a user's page and records in the admin log that an admin opened it.
func openUserPage(tx *db.Tx, admin string, id httpapi.PathID) (p UserPage, err error) {
	user, err := userOf(tx, id)
	if err != nil {
		return p, err
	}
	_, err = adminlog.Record(tx, adminlog.Act{Admin: admin, Name: viewAct, Path: "/api/admin/users/" + user.ID, Change: adminlog.Change{Subject: "user " + user.ID}})
	if err != nil {
		return p, err
	}
	p.Picture, p.UserTag, p.ProfileLockReason = user.Picture(), user.Tag, user.ProfileLockReason
	if d := user.Deletion; user.DeletedAt.IsZero() && !d.DueAt.IsZero() {
		p.Deletion = &PendingDeletion{httpapi.Timestamp(d.RequestedAt), httpapi.Timestamp(d.DueAt), d.WaitsFor}
	}
	account, err := ledger.Find(tx, user.ID)
	if err != nil {
		return p, err
	}
	p.HeldCents, p.Opens = account.InBids, account.Seed.Nonce
	err = p.read(tx, user)
	return p, err
}

// read reads the parts of a page that other features own.
func (p *UserPage) read(tx *db.Tx, user identity.User) error {
	return errors.Join(
		readInto(&p.UserView, tx, user.ID, findUserView), readInto(&p.LastSeenAt, tx, user.ID, lastSeen), readInto(&p.OpenBids, tx, user.ID, bids.CountOpen),
		readInto(&p.Entries, tx, user.ID, inventory.Summarize), readInto(&p.Limits, tx, user.ID, limits.View), readInto(&p.Notes, tx, user.ID, countNotes), readInto(&p.Freeze, tx, user.ID, identity.CurrentFreezeView),
	)
}

func readInto[V any](value *V, tx *db.Tx, user string, read func(*db.Tx, string) (V, error)) (err error) {
	*value, err = read(tx, user)
	return err
}
