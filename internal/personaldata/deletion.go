package personaldata

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/adminlog"
	"kaibao/internal/alerts"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/deposits"
	"kaibao/internal/gifts"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/market/match"
	"kaibao/internal/opening"
	"kaibao/internal/profiles"
	"kaibao/internal/redemptions"
)

// waitDays is how many days a user can cancel the deletion of their account.
const waitDays = 14

const wait = waitDays * 24 * time.Hour

// Obstacle is a reason why an account can't be deleted now.
type Obstacle string

// The obstacles.
const (
	noObstacle    Obstacle = ""
	ShipmentOpen  Obstacle = "shipment"
	TopUpOpen     Obstacle = "top-up"
	OrderOpen     Obstacle = "order"
	AdminRole     Obstacle = "admin"
	AccountFrozen Obstacle = "frozen"
)

// obstacleErrors say what to do about an obstacle.
var obstacleErrors = map[Obstacle]*apperr.Error{
	ShipmentOpen:  apperr.New(apperr.Conflict, "You have a shipment on its way. You can delete your account when it has arrived, or after you cancel it."),
	TopUpOpen:     apperr.New(apperr.Conflict, "You have a top-up that isn't finished. You can delete your account when it is."),
	OrderOpen:     apperr.New(apperr.Conflict, "A pack you opened is still being drawn. You can delete your account when it is."),
	AdminRole:     apperr.New(apperr.Conflict, "Admin accounts can't be deleted. Ask another admin to remove your admin role first."),
	AccountFrozen: apperr.New(apperr.Conflict, "A frozen account can't be deleted. Contact us first."),
}

// findObstacle returns the first reason why a user can't be deleted now, or noObstacle.
func findObstacle(tx *db.Tx, user identity.User) (Obstacle, error) {
	shipment, err := redemptions.UnderWay(tx, user.ID)
	if err != nil {
		return noObstacle, err
	}
	topUp, err := deposits.UnderWay(tx, user.ID)
	if err != nil {
		return noObstacle, err
	}
	order, err := opening.HasPendingOrder(tx, user.ID)
	if err != nil {
		return noObstacle, err
	}
	account, err := ledger.Find(tx, user.ID)
	switch {
	case err != nil:
		return noObstacle, err
	case account.Play.Frozen():
		return AccountFrozen, nil
	case user.Role == "admin":
		return AdminRole, nil
	case shipment:
		return ShipmentOpen, nil
	case topUp:
		return TopUpOpen, nil
	case order:
		return OrderOpen, nil
	}
	return noObstacle, nil
}

// requestDeletion ends a user's bids, listings and gifts, and has the account deleted after the wait.
func (s *Service) requestDeletion(tx *db.Tx, caller httpapi.Principal, signed SignedBody) (time.Time, error) {
	if err := s.checkSignature(tx, caller, Deletion, signed); err != nil {
		return time.Time{}, err
	}
	user, err := identity.ByID(tx, caller.UserID)
	if err != nil {
		return time.Time{}, err
	}
	obstacle, err := findObstacle(tx, user)
	if err != nil {
		return time.Time{}, err
	}
	if obstacle != noObstacle {
		return time.Time{}, obstacleErrors[obstacle].WithDetails(Blocked{obstacle})
	}
	if err := endOffers(tx, user.ID); err != nil {
		return time.Time{}, err
	}
	due := tx.Now.Add(wait)
	return due, identity.RequestDeletion(tx, user.ID, due)
}

// endOffers ends a user's listings, bids, counter-offers and gifts.
func endOffers(tx *db.Tx, user string) error {
	if err := gifts.EndWithListings(tx, user); err != nil {
		return err
	}
	return match.EndOffers(tx, user, bids.Ended)
}

// errNotNow is the reason to leave a deletion for the next run of the job: the user canceled it, or
// did something while it ran.
var errNotNow = errors.New("the account changed while it was being deleted")

// Delete deletes a user whose deletion is due. If there is an obstacle, it stores it instead, and
// the deletion waits. It reports whether the user is deleted.
func (s *Service) Delete(ctx context.Context, user string) (deleted bool, err error) {
	// Ending offers locks accounts before tables that the deletion has to lock first, so it has a
	// transaction of its own.
	if err := s.DB.InTx(ctx, func(tx *db.Tx) error { return endOffers(tx, user) }); err != nil {
		return false, err
	}
	if err := s.DB.InTx(ctx, func(tx *db.Tx) error { return returnGifts(tx, user) }); err != nil {
		return false, err
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		deleted, err = s.delete(tx, user)
		return err
	})
	if errors.Is(err, errNotNow) {
		return false, nil
	}
	if err == nil && deleted && s.Deleted != nil {
		s.Deleted()
	}
	return deleted, err
}

// isDue reports whether a user is to be deleted now, unless there is an obstacle.
func isDue(user identity.User, now time.Time) bool {
	return user.DeletedAt.IsZero() && !user.Deletion.DueAt.IsZero() && !now.Before(user.Deletion.DueAt)
}

// returnGifts returns the gifts that wait for a user who can be deleted now. While an obstacle holds the
// deletion up, they stay: their return would tell their givers about the user's account.
func returnGifts(tx *db.Tx, id string) error {
	user, err := identity.ByID(tx, id)
	if err != nil || !isDue(user, tx.Now) {
		return err
	}
	obstacle, err := findObstacle(tx, user)
	if err != nil || obstacle != noObstacle {
		return err
	}
	return gifts.ReturnReceived(tx, id)
}

// delete deletes a user in one transaction. It locks in the order of docs/rules/locks.md.
func (s *Service) delete(tx *db.Tx, id string) (deleted bool, err error) {
	if err := identity.LockHandles(tx); err != nil {
		return false, err
	}
	user, err := identity.ByID(tx, id)
	if err != nil || !isDue(user, tx.Now) {
		return false, err
	}
	obstacle, err := findObstacle(tx, user)
	if err != nil {
		return false, err
	}
	if obstacle != noObstacle {
		return false, identity.SetDeletionWaitsFor(tx, id, string(obstacle))
	}
	claims, err := redemptions.IDsOf(tx, id)
	if err != nil {
		return false, err
	}
	erasure := adminlog.Erasure{UserID: id, Address: user.Address, Name: user.FirstName, Handle: user.Handle, Claims: claims}
	for _, erase := range []func() error{
		func() error { return approval.Erase(tx, erasure) },
		func() error { return adminlog.Erase(tx, erasure) },
		func() error { return deleteRequests(tx, id) },
		func() error { return redemptions.EraseClaims(tx, id, user.Address, identity.DeletedAddress(id)) },
		func() error { return deposits.Erase(tx, id) },
		func() error { return gifts.EraseChallenge(tx, id) },
		func() error { return gifts.Erase(tx, id, user.Address, identity.DeletedAddress(id)) },
		func() error { return redemptions.EraseChallenge(tx, id) },
		func() error { return s.closeAccount(tx, user) },
		func() error { return redemptions.EraseAddresses(tx, id) },
		func() error { return identity.Erase(tx, identity.HandleKey(s.AddressKey), user) },
		func() error { return gifts.EraseBlocks(tx, id) },
		func() error { return profiles.Erase(tx, id) },
		func() error { return deposits.EraseSandboxPayer(tx, id, identity.DeletedAddress(id)) },
		func() error { return alerts.Erase(tx, id) },
	} {
		err := erase()
		if errors.Is(err, identity.ErrNotDue) {
			return false, errNotNow // canceled meanwhile, or deleted by another node
		}
		if err != nil && !errors.Is(err, errNotNow) {
			err = fmt.Errorf("delete user %s: %w", id, err)
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// closeAccount locks the account, gives its points up and keeps its limits. With the lock it checks
// again that nothing is under way: acts that waited for the lock find an empty account.
func (s *Service) closeAccount(tx *db.Tx, user identity.User) error {
	locked, err := ledger.LockAll(tx, []string{user.ID})
	if err != nil {
		return err
	}
	account := locked[user.ID]
	obstacle, err := findObstacle(tx, user)
	if err != nil {
		return err
	}
	offers, err := match.HasOffers(tx, user.ID)
	if err != nil {
		return err
	}
	given, err := gifts.HasWaiting(tx, user.ID)
	if err != nil {
		return err
	}
	if obstacle != noObstacle || offers || given {
		return errNotNow
	}
	if account.Balance > 0 {
		_, err := ledger.Move(tx, ledger.Transfer{Debit: ledger.Account(user.ID), Credit: ledger.Forfeits, Amount: account.Balance, Kind: ledger.KindForfeit, Ref: user.ID})
		if err != nil {
			return err
		}
	}
	if err := limits.Keep(tx, s.AddressKey, user.Address, account.Play); err != nil {
		return err
	}
	return ledger.SetFrozen(tx, user.ID, db.Micros(tx.Now)) // for good: acts that were under way are refused
}
