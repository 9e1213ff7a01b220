package packs

import (
	"iter"
	"maps"
	"slices"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
)

// Carried returns, for each given item that a pack can draw, the time from which no manifest
// announced before now can draw it, if its packs are republished in this transaction. It also
// returns those packs' ids in lock order. The result is valid until tx.Restate is called.
func (s *Service) Carried(tx *db.Tx, items map[string]bool) (from map[string]time.Time, holders []string, err error) {
	if len(items) == 0 {
		return nil, nil, nil
	}
	drawable, err := s.drawable(tx, tx.Now)
	if err != nil {
		return nil, nil, err
	}
	from, replaced := map[string]time.Time{}, map[string]time.Time{}
	for _, m := range drawable {
		for id := range held(m) {
			if !items[id] {
				continue
			}
			if replaced[m.pack].IsZero() {
				last, err := lastPublication(tx, m.pack)
				if err != nil {
					return nil, nil, err
				}
				replaced[m.pack] = s.inForceFrom(tx, last).Add(s.grace())
			}
			if replaced[m.pack].After(from[id]) {
				from[id] = replaced[m.pack]
			}
		}
	}
	return from, slices.Sorted(maps.Keys(replaced)), nil
}

// held iterates over the ids of a manifest's cards.
func held(m publishedIn) iter.Seq[string] {
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

// Drawable returns the items in manifests that can be used now or are announced.
func (s *Service) Drawable(tx *db.Tx) (map[string]bool, error) {
	manifests, err := s.drawable(tx, tx.Now)
	items := map[string]bool{}
	for _, m := range manifests {
		for id := range held(m) {
			items[id] = true
		}
	}
	return items, err
}

// Announced is a republished pack. Paused is why the margin guard blocks it, if it does.
type Announced struct{ ID, Name, Paused string }

// Announce republishes the given packs after their items changed. packs must be sorted by id. It
// fails if a tier would lose its last card. It also invalidates the cache, because the items of
// other packs may look different.
func (s *Service) Announce(tx *db.Tx, packs []string) ([]Announced, error) {
	s.changed(tx)
	announced := make([]Announced, len(packs))
	for n, id := range packs {
		if err := s.publishWhole(tx, id, true, nil); err != nil {
			return nil, err
		}
		deck, err := s.Deck(tx, id)()
		if err != nil {
			return nil, err
		}
		announced[n] = Announced{ID: id, Name: deck.Name}
		if resting := deck.resting(); deck.Active && resting != nil {
			announced[n].Paused = apperr.As(resting).Message
		}
	}
	return announced, nil
}
