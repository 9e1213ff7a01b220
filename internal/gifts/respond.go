package gifts

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"

	"kaibao/internal/alerts"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
)

// opensWith reports whether a secret, in hex, is that of the gift's link. It compares in constant time.
func (g Gift) opensWith(secret string) bool {
	bytes, err := hex.DecodeString(secret)
	if err != nil || len(bytes) != secretBytes || !g.isLink() {
		return false
	}
	hash := sha256.Sum256(bytes)
	return subtle.ConstantTimeCompare(hash[:], g.SecretHash) == 1
}

// secretBytes is the length of a link's secret.
const secretBytes = 16

// find returns a gift, or errNoGift.
func find(tx *db.Tx, id string) (Gift, error) {
	g, err := findGift(tx, id)
	if errors.Is(err, db.ErrNoRow) {
		err = errNoGift
	}
	return g, err
}

// findByLink returns the gift of a link, or errNoGift if the id or the secret is wrong.
func findByLink(tx *db.Tx, id, secret string) (Gift, error) {
	g, err := find(tx, id)
	if err == nil && !g.opensWith(secret) {
		err = errNoGift
	}
	return g, err
}

// findFor returns a gift that the receiver may answer: one for their wallet or, with a secret, one by
// link. Otherwise, it returns errNoGift.
func findFor(tx *db.Tx, receiver httpapi.Principal, id, secret string) (Gift, error) {
	if secret != "" {
		return findByLink(tx, id, secret)
	}
	g, err := find(tx, id)
	if err == nil && (g.isLink() || g.Wallet != receiver.Address) {
		err = errNoGift
	}
	return g, err
}

// lockWaiting locks and returns a gift, or returns errEnded with the state that the side may see.
func lockWaiting(tx *db.Tx, id string, side Side) (Gift, error) {
	locked, err := lockGifts(tx, []string{id})
	if err != nil {
		return Gift{}, err
	}
	g := locked[0]
	if state := g.shownTo(side, tx.Now); state != Waiting {
		return g, errEnded.WithDetails(EndedGift{state})
	}
	return g, nil
}

// accept makes the caller the owner of a gift's entries.
func (s *Service) accept(tx *db.Tx, caller httpapi.Principal, id, secret string) (Gift, error) {
	if !s.Rules.Market {
		return Gift{}, errClosed
	}
	g, err := findFor(tx, caller, id, secret)
	if err != nil {
		return g, err
	}
	if g.Giver == caller.UserID {
		return g, errOwnGift
	}
	g, err = lockWaiting(tx, id, Received)
	if err != nil {
		return g, err
	}
	items, err := lockItems(tx, []string{g.ID})
	if err != nil {
		return g, err
	}
	if err := applyToEntries(tx, inventory.AcceptingGift, caller.UserID, items); err != nil {
		return g, err
	}
	if err := s.checkReceiver(tx, g, caller.UserID); err != nil {
		return g, err
	}
	g.Receiver = caller.UserID
	return end(tx, g, Accepted, alerts.GiftAccepted)
}

var (
	errGiftsOff     = apperr.New(apperr.GiftsOff, "You've turned gifts off. Turn them on to accept this one.")
	errGiverBlocked = apperr.New(apperr.GiverBlocked, "You've blocked this giver. Unblock them to accept this gift.")
)

// checkReceiver returns an error if the receiver may not accept the gift. It locks their account and
// role.
func (s *Service) checkReceiver(tx *db.Tx, g Gift, receiver string) error {
	accounts, err := ledger.LockAll(tx, []string{receiver})
	if err != nil {
		return err
	}
	if err := limits.CheckStopped(accounts[receiver].Play, tx.Now); err != nil {
		return err
	}
	if err := s.checkRole(tx, receiver); err != nil {
		return err
	}
	user, err := identity.ByID(tx, receiver)
	if err != nil {
		return err
	}
	blocked, err := isBlocked(tx, receiver, g.Giver)
	switch {
	case err != nil:
		return err
	case !user.DeletedAt.IsZero():
		return identity.ErrDeleted
	case user.GiftsOff:
		return errGiftsOff
	case blocked:
		return errGiverBlocked
	}
	return nil
}

// end ends a locked gift and alerts its giver, unless event is empty.
func end(tx *db.Tx, g Gift, state State, event alerts.GiftEvent) (Gift, error) {
	g.State, g.EndedAt = state, tx.Now
	if err := endGifts(tx, []Gift{g}); err != nil || event == "" {
		return g, err
	}
	return g, alertGivers(tx, []Gift{g}, event)
}

// alertGivers alerts the givers of gifts to an event.
func alertGivers(tx *db.Tx, gifts []Gift, event alerts.GiftEvent) error {
	first, err := firstItems(tx, giftIDs(gifts))
	if err != nil {
		return err
	}
	news := make([]alerts.Alert, len(gifts))
	for i, g := range gifts {
		news[i] = newAlert(g.Giver, g.ID, event, first[g.ID])
	}
	return alerts.Add(tx, news)
}

func giftIDs(gifts []Gift) []string {
	ids := make([]string, len(gifts))
	for i, g := range gifts {
		ids[i] = g.ID
	}
	return ids
}

// refuse returns a gift for the caller's wallet to its giver. With blockGiver, the caller gets no more
// gifts from them.
func refuse(tx *db.Tx, caller httpapi.Principal, id string, blockGiver bool) (Gift, error) {
	g, err := findFor(tx, caller, id, "")
	if err != nil {
		return g, err
	}
	g, err = lockWaiting(tx, id, Received)
	if err != nil {
		return g, err
	}
	if err := returnEntries(tx, []Gift{g}, inventory.House); err != nil {
		return g, err
	}
	g.Receiver = caller.UserID
	g, err = end(tx, g, Refused, alerts.GiftRefused)
	if err == nil && blockGiver {
		err = insertBlock(tx, caller.UserID, g.Giver)
	}
	return g, err
}

// cancel returns the caller's gift to them.
func cancel(tx *db.Tx, caller httpapi.Principal, id string) (Gift, error) {
	g, err := find(tx, id)
	if err == nil && g.Giver != caller.UserID {
		err = errNoGift
	}
	if err != nil {
		return g, err
	}
	g, err = lockWaiting(tx, id, Given)
	if err != nil {
		return g, err
	}
	if err := returnEntries(tx, []Gift{g}, caller.UserID); err != nil {
		return g, err
	}
	return end(tx, g, Canceled, "")
}

// returnEntries makes the entries of locked gifts held by their givers again.
func returnEntries(tx *db.Tx, gifts []Gift, by string) error {
	items, err := lockItems(tx, giftIDs(gifts))
	if err != nil {
		return err
	}
	return applyToEntries(tx, inventory.ReturningGift, by, items)
}
