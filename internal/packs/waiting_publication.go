package packs

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/jobs"
	"kaibao/internal/protocol"
)

// A new manifest of a pack with limited cards must not be announced while orders of the pack are
// pending: they take their cards from the stock that it would state. The publication waits, and the pack
// takes no orders until it is announced. What it announces is composed only then, from the pack and the
// items as they are saved; only its restocks are kept. A raised value does not count for quotes before
// the time that the announcement sets; a lower one counts at once.

// errPublishing refuses orders of a pack with a publication that waits.
var errPublishing = apperr.New(apperr.Publishing, "The odds of this pack are being updated. It takes orders again once pending orders are drawn, usually within seconds. You were not charged.").After(2 * time.Second)

// errLossDuringPublishing refuses a request for approval of a loss while the manifest that it is for is
// not known.
var errLossDuringPublishing = apperr.New(apperr.Conflict, "The new odds of this pack aren't announced yet. Request approval of the loss once its pending orders are drawn.")

// postponePublication has the publication of a locked pack wait until its pending orders are settled. It fails
// if the publication could not be announced now.
func (s *Service) postponePublication(tx *db.Tx, p Pack, restocks []protocol.Restock) error {
	if p.PublishingSince.IsZero() {
		if err := markPublishing(tx, p.ID); err != nil {
			return err
		}
	}
	for _, card := range restocks {
		if err := keepRestock(tx, p.ID, card); err != nil {
			return err
		}
	}
	m, err := s.nextManifest(tx, p.ID)
	if err != nil {
		return err
	}
	if err := checkWaitingRestocks(tx, p, m); err != nil {
		return err
	}
	if err := s.postponeValues(tx, p.ID); err != nil {
		return err
	}
	return s.checkWaitingRaises(tx, p.ID, m)
}

// keepRestock keeps a restock for the pack's waiting publication. It refuses to remove more cards than the
// pack has now. If pending orders draw some of them, the publication removes those that are left.
func keepRestock(tx *db.Tx, packID string, card protocol.Restock) error {
	stock, err := Stock(tx, packID)
	if err != nil {
		return err
	}
	if err := addWaitingStock(tx, packID, stock); err != nil {
		return err
	}
	if stock[card.Card]+card.Count < 0 {
		return errTooFewLeft
	}
	if err := addWaitingRestock(tx, packID, card); err != nil {
		return fmt.Errorf("keep the restock of card %s: %w", card.Card, err)
	}
	return nil
}

// checkWaitingRestocks refuses restocks of cards that the pack's next manifest doesn't contain.
func checkWaitingRestocks(tx *db.Tx, p Pack, next *protocol.Manifest) error {
	waiting, err := waitingRestocks(tx, p.ID)
	if err != nil {
		return err
	}
	return checkRestocked(p, next, waiting)
}

// addWaitingStock adds the waiting restocks of a pack to its stock.
func addWaitingStock(tx *db.Tx, packID string, stock protocol.Stock) error {
	waiting, err := waitingRestocks(tx, packID)
	for _, r := range waiting {
		stock[r.Card] = max(0, stock[r.Card]+r.Count)
	}
	return err
}

// endPostponement ends the wait of a locked pack's publication, which the caller announces in this transaction.
// It returns the pack with PublishingSince cleared, and all restocks to apply: those that waited and the
// given ones.
func endPostponement(tx *db.Tx, p Pack, restocks []protocol.Restock) (Pack, []protocol.Restock, error) {
	waiting, err := waitingRestocks(tx, p.ID)
	if err != nil {
		return p, nil, err
	}
	stock, err := Stock(tx, p.ID)
	if err != nil {
		return p, nil, err
	}
	counts := map[string]int64{}
	for _, r := range waiting {
		counts[r.Card] = max(r.Count, -stock[r.Card])
	}
	for _, r := range restocks {
		counts[r.Card] += r.Count
	}
	if err := unmarkPublishing(tx, p.ID); err != nil {
		return p, nil, err
	}
	p.PublishingSince = time.Time{}
	var all []protocol.Restock
	for _, card := range slices.Sorted(maps.Keys(counts)) {
		restock := protocol.Restock{Card: card, Count: counts[card]}
		if restock.Count != 0 {
			all = append(all, restock)
		} else if err := addStock(tx, p.ID, restock); err != nil { // a row with 0: without one, the card would be unlimited
			return p, nil, err
		}
	}
	return p, all, nil
}

var errRaiseWaits = apperr.New(apperr.Conflict, "The raised value of an item takes effect with the next odds of a pack, so keep the item in the pack. Try again after they are announced.")

// checkWaitingRaises refuses a next manifest that lacks a value that was raised earlier and waits for it.
// CheckRaisesAnnounced covers raises of this transaction.
func (s *Service) checkWaitingRaises(tx *db.Tx, packID string, next *protocol.Manifest) error {
	waiting, err := catalogue.WaitingValues(tx)
	if err != nil || len(waiting) == 0 {
		return err
	}
	items, err := catalogue.Items(tx, waiting)
	if err != nil {
		return err
	}
	usable, err := s.usableManifests(tx, tx.Now)
	if err != nil {
		return err
	}
	announced := cardValues(next)
	for _, m := range usable {
		if m.packID != packID {
			continue
		}
		for id, value := range cardValues(m.Manifest) {
			if raised := items[id].BaseValue; raised > value && announced[id] < raised {
				return errRaiseWaits
			}
		}
	}
	return nil
}

// postponeValues makes the values set in this transaction wait for the publication of a pack, if a
// usable manifest of it has their items.
func (s *Service) postponeValues(tx *db.Tx, packID string) error {
	usable, err := s.usableManifests(tx, tx.Now)
	if err != nil {
		return err
	}
	items := map[string]bool{}
	for _, m := range usable {
		if m.packID == packID {
			for id := range cardIDs(m) {
				items[id] = true
			}
		}
	}
	return catalogue.PostponeValues(tx, slices.Sorted(maps.Keys(items)))
}

// dateValues sets when waiting values take effect. Values that another pack's waiting publication also
// holds stay undated. Call it after the packs that can draw these items were announced, or in the same transaction.
func (s *Service) dateValues(tx *db.Tx) error {
	waiting, err := catalogue.WaitingValues(tx)
	if err != nil {
		return err
	}
	items := map[string]bool{}
	for _, id := range waiting {
		items[id] = true
	}
	ends, _, err := s.OldManifestsEnd(tx, items)
	if err != nil {
		return err
	}
	from := map[string]time.Time{}
	for _, id := range waiting {
		end, drawable := ends[id]
		switch {
		case !drawable:
			from[id] = tx.Now
		case !end.Equal(catalogue.NotAnnounced):
			from[id] = end
		}
	}
	return catalogue.DateValues(tx, from)
}

// nextManifest returns the manifest that the pack's waiting publication would announce now. If none
// waits, it is the last manifest, or nil if there is none.
func (s *Service) nextManifest(tx *db.Tx, packID string) (*protocol.Manifest, error) {
	p, err := byID(tx, packID)
	if err != nil {
		return nil, err
	}
	if p.PublishingSince.IsZero() {
		return s.lastManifest(tx, packID)
	}
	m, _, err := s.compose(tx, p)
	return m, err
}

// Jobs returns the job that announces waiting publications. It isn't part of the settlement, so that a
// publication that waits for a lock, or fails, delays no draw.
func (s *Service) Jobs() []jobs.Job {
	return []jobs.Job{{Name: "waiting publications", Every: 500 * time.Millisecond, Limit: time.Minute, Do: func(ctx context.Context) (int64, error) {
		return 0, s.announceAll(ctx)
	}}}
}

// announceAll announces the publications whose packs have no pending orders left. The values that waited
// count from the time that this announcement sets.
func (s *Service) announceAll(ctx context.Context) error {
	var due []string
	err := s.DB.Peek(ctx, func(tx *db.Tx) error {
		waiting, err := publishingPacks(tx)
		if err != nil || len(waiting) == 0 {
			return err
		}
		pending, err := packsWithPendingOrders(tx, waiting)
		due = slices.DeleteFunc(waiting, func(id string) bool { return pending[id] })
		return err
	})
	for _, id := range due {
		err = errors.Join(err, s.announceWaiting(ctx, id))
	}
	return err
}

func (s *Service) announceWaiting(ctx context.Context, packID string) error {
	err := s.DB.InTx(ctx, func(tx *db.Tx) error {
		if err := LockPublishing(tx); err != nil {
			return err
		}
		p, err := lockPack(tx, packID)
		if err != nil || p.PublishingSince.IsZero() {
			return err // another node was faster
		}
		return s.Publish(tx, packID)
	})
	if err != nil {
		err = fmt.Errorf("announce the waiting publication of pack %s: %w", packID, err)
	}
	return err
}
