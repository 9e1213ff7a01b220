package packs

import (
	"iter"
	"maps"
	"slices"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
)

// OldManifestsEnd returns, for each given item that a pack can draw, the time from which no
// manifest announced before now can draw it, if its packs are republished in this transaction. It
// also returns those packs' ids in lock order. The result is valid until tx.Restate is called.
func (s *Service) OldManifestsEnd(tx *db.Tx, items map[string]bool) (from map[string]time.Time, holders []string, err error) {
	if len(items) == 0 {
		return nil, nil, nil
	}
	drawable, err := s.usableManifests(tx, tx.Now)
	if err != nil {
		return nil, nil, err
	}
	from, replaced := map[string]time.Time{}, map[string]time.Time{}
	for _, m := range drawable {
		for id := range cardIDs(m) {
			if !items[id] {
				continue
			}
			if replaced[m.packID].IsZero() {
				last, err := lastPublication(tx, m.packID)
				if err != nil {
					return nil, nil, err
				}
				replaced[m.packID] = s.nextEffectiveAt(tx, last).Add(s.gracePeriod())
			}
			if replaced[m.packID].After(from[id]) {
				from[id] = replaced[m.packID]
			}
		}
	}
	return from, slices.Sorted(maps.Keys(replaced)), nil
}

// cardIDs iterates over the ids of a manifest's cards.
func cardIDs(m packManifest) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, tier := range m.Tiers {
			for _, card := range tier.Cards {
				if !yield(card.ID) {
					return
				}
			}
		}
	}
}

// DrawableItems returns the items in manifests that can be used now or are announced.
func (s *Service) DrawableItems(tx *db.Tx) (map[string]bool, error) {
	manifests, err := s.usableManifests(tx, tx.Now)
	items := map[string]bool{}
	for _, m := range manifests {
		for id := range cardIDs(m) {
			items[id] = true
		}
	}
	return items, err
}

// Republished is a republished pack. Paused is why the margin guard blocks it, if it does.
type Republished struct{ ID, Name, Paused string }

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
		deck, err := s.QueueDeck(tx, id)()
		if err != nil {
			return nil, err
		}
		announced[n] = Republished{ID: id, Name: deck.Name}
		if resting := deck.marginRefusal(); deck.Active && resting != nil {
			announced[n].Paused = apperr.As(resting).Message
		}
	}
	return announced, nil
}
