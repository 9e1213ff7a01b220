package packs

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// LockPublishing serializes transactions that publish. A manifest depends on many rows: items of a
// series, their stock and values, and the manifests of other packs. Two concurrent publishers could
// contradict each other in the log. Announcement times are counted from the end of the wait.
func LockPublishing(tx *db.Tx) error {
	err := tx.AdvisoryLock("publishing")
	tx.AnnounceNow()
	return err
}

// Publish composes the pack's manifest from its current items and supply, applies the given stock
// changes, and announces it. The first manifest of a pack takes effect immediately. Later ones take
// effect after the delay, counted from tx.AnnouncedAt; a transaction that commits later than
// policy.StatedWithin after that is refused. Nothing is published if manifest and supply equal the
// last publication and no stock changes. While orders of limited cards are pending, the publication
// waits for their draws, and the pack takes no orders; the job then calls Publish again. The
// error is db.ErrNoRow if a card has its stock in another pack.
func (s *Service) Publish(tx *db.Tx, packID string, restocks ...protocol.Restock) error {
	s.invalidateCache(tx)
	p, err := lockPack(tx, packID)
	if err != nil {
		return err
	}
	pending, err := packsWithPendingOrders(tx, []string{packID})
	if err != nil {
		return err
	}
	if pending[packID] {
		return s.postponePublication(tx, p, restocks)
	}
	waited := !p.PublishingSince.IsZero()
	if waited {
		p, restocks, err = endPostponement(tx, p, restocks)
		if err != nil {
			return err
		}
	}
	for _, card := range restocks {
		if err := changeStock(tx, packID, card); err != nil {
			return err
		}
	}
	m, text, err := s.compose(tx, p)
	if err != nil {
		return err
	}
	if err := checkRestocked(p, m, restocks); err != nil {
		return err
	}
	if waited {
		if err := errors.Join(s.checkWaitingRaises(tx, packID, m), s.dateValues(tx)); err != nil {
			return err
		}
	}
	last, err := lastPublication(tx, packID)
	next := publication{packID: p.ID, number: last.number + 1, hash: protocol.Hash(text), supply: p.Supply, publishedAt: tx.Now, effectiveAt: tx.Now}
	if err != nil || (next.hash == last.hash && next.supply == last.supply && len(restocks) == 0) {
		return err
	}
	if last.number > 0 {
		next.publishedAt, next.effectiveAt = tx.AnnouncedAt, s.nextEffectiveAt(tx, last)
		tx.CommitBy(tx.AnnouncedAt.Add(policy.StatedWithin(s.Delay)),
			"Publishing took too long and was rolled back. Please try again with fewer changes at once.")
	}
	if m.Finite() {
		p, err = advanceDrawSeq(tx, p)
	}
	if err != nil {
		return err
	}
	return announce(tx, next, last, m, text, p.DrawSeq, restocks)
}

// checkRestocked refuses to restock cards that the pack's manifest doesn't contain.
func checkRestocked(p Pack, m *protocol.Manifest, restocks []protocol.Restock) error {
	for _, card := range restocks {
		if !m.ContainsFinite(card.Card) {
			return apperr.New(apperr.Conflict, fmt.Sprintf("Pack %s (%s) doesn't contain card %s.", p.ID, p.Name, card.Card))
		}
	}
	return nil
}

// announce stores a publication and appends its leaf to the log.
func announce(tx *db.Tx, p, last publication, m *protocol.Manifest, text []byte, drawSeq int64, restocks []protocol.Restock) error {
	if err := insertManifest(tx, p.hash, p.packID, string(text)); err != nil {
		return err
	}
	if err := insertPublication(tx, p); err != nil {
		return err
	}
	leaf := protocol.ManifestLeaf{
		Pack: p.packID, Manifest: p.hash, Supply: p.supply, Draw: uint64(drawSeq), Restock: restocks, Effective: p.effectiveAt, Time: p.publishedAt,
	}
	return publiclog.AppendIf(tx, func(_ int, leaf protocol.Leaf) error {
		l, ok := leaf.(protocol.ManifestLeaf)
		switch {
		case !ok || l.Manifest != protocol.Hash(text) || l.Draw != uint64(drawSeq):
			return errors.New("does not name the manifest and drawSeq of the pack")
		case last.number > 0:
			return errors.Join(l.CheckManifest(m), l.CheckNotice(last.effectiveAt.Truncate(time.Millisecond)))
		}
		return l.CheckManifest(m)
	}, string(leaf.Format()))
}

// nextEffectiveAt returns when a manifest announced in this transaction takes effect. That is never
// before the previous one does, even if a longer delay applied then.
func (s *Service) nextEffectiveAt(tx *db.Tx, last publication) time.Time {
	at := tx.AnnouncedAt.Add(s.Delay)
	if at.Before(last.effectiveAt) {
		return last.effectiveAt
	}
	return at
}

// publishKeepingTiers publishes a pack. If items were moved or retired, it refuses to leave a tier
// empty that had items before.
func (s *Service) publishKeepingTiers(tx *db.Tx, pack string, moved bool, restocks []protocol.Restock) error {
	before, err := s.lastManifest(tx, pack)
	if err != nil {
		return err
	}
	if err := s.Publish(tx, pack, restocks...); err != nil || !moved || before == nil {
		return err
	}
	after, err := s.nextManifest(tx, pack)
	if err != nil {
		return err
	}
	empty := emptyTiers(before)
	for _, label := range emptyTiers(after) {
		if !slices.Contains(empty, label) {
			return apperr.New(apperr.Conflict, fmt.Sprintf("Pack %s (%s) would have no items left in the tier %s. "+
				"Change its shares first, or add other items.", pack, after.Name, label))
		}
	}
	return nil
}

// Republished is a republished pack. Paused says why the margin guard pauses it; empty = not
// paused. Waits reports whether the publication waits for pending orders.
type Republished struct {
	ID, Name, Paused string
	Waits            bool
}

// Republish republishes the given packs after their items changed. packs must be sorted by id. It
// fails if a tier would lose its last card. It also invalidates the cache, because the items of
// other packs may look different.
func (s *Service) Republish(tx *db.Tx, packs []string) ([]Republished, error) {
	s.invalidateCache(tx)
	announced := make([]Republished, len(packs))
	for n, id := range packs {
		if err := s.publishKeepingTiers(tx, id, true, nil); err != nil {
			return nil, err
		}
		live, err := s.QueueLivePack(tx, id)()
		if err != nil {
			return nil, err
		}
		announced[n] = Republished{ID: id, Name: live.Name, Waits: !live.PublishingSince.IsZero()}
		if refusal := live.marginRefusal(); live.Active && refusal != nil {
			announced[n].Paused = apperr.As(refusal).Message
		}
	}
	return announced, nil
}
