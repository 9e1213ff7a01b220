package packs

import (
	"iter"
	"maps"
	"slices"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
)

// Carried is, of each of some items that can be drawn, from when on nobody can draw it by
// what was announced before now; it names the packs too, in the order in which they are
// locked. It holds for what is announced before the transaction is stated anew.
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

// held are the ids of a manifest's cards.
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

// Drawable are the items that can be drawn now or will be, as it is announced.
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

// Announced is a pack whose items have changed, and why the margin guard lets it rest.
type Announced struct{ ID, Name, Paused string }

// Announce publishes packs whose items are drawn otherwise, in the order of their ids;
// others may be shown otherwise. None of them is left with a tier that lost its last card.
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
