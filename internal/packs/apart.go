package packs

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// A card of finite stock belongs to only one pack (fairness.md, section 1). A pack's series leave
// out items with a stock in another pack. A manifest that shares such a card with another usable
// manifest can't be published or put on sale.

// LeftOut is an item that a pack can't draw because its stock belongs to another pack.
type LeftOut struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// drawableItems returns the active items that the pack can draw, ordered bytewise by id, and those
// of its series that it can't.
func drawableItems(tx *db.Tx, p Pack) (own, elsewhere []catalogue.Item, err error) {
	items, err := catalogue.InSeries(tx, p.Series)
	if err != nil {
		return nil, nil, err
	}
	others, err := itemsStockedElsewhere(tx, p.ID)
	for _, item := range items {
		if slices.Contains(others, item.ID) {
			elsewhere = append(elsewhere, item)
		} else {
			own = append(own, item)
		}
	}
	return own, elsewhere, err
}

func leftOutItems(elsewhere []catalogue.Item) []LeftOut {
	left := make([]LeftOut, len(elsewhere))
	for n, item := range elsewhere {
		left[n] = LeftOut{item.ID, item.Name}
	}
	return left
}

// leftOutNote returns the part of a refusal that lists the items left out.
func leftOutNote(elsewhere []catalogue.Item) string {
	if len(elsewhere) == 0 {
		return ""
	}
	names := make([]string, len(elsewhere))
	for n, item := range elsewhere {
		names[n] = item.Name
	}
	return "; left out, as each is limited and stands in another pack: " + strings.Join(names, ", ")
}

// packManifest is a manifest that a pack can be drawn by, now or later.
type packManifest struct {
	packID string
	*protocol.Manifest
}

// usableManifests lists the manifests that can be used at or after the given time: those in force,
// those announced, and replaced ones that are still honored.
func (s *Service) usableManifests(tx *db.Tx, at time.Time) ([]packManifest, error) {
	all, err := allPublications(tx)
	if err != nil {
		return nil, err
	}
	var found []packManifest
	for n, p := range all {
		replaced := n+1 < len(all) && all[n+1].packID == p.packID
		if replaced && !at.Before(all[n+1].effectiveAt.Add(s.gracePeriod())) {
			continue
		}
		m, err := s.Manifest(tx, p.hash)
		if err != nil {
			return nil, err
		}
		found = append(found, packManifest{p.packID, m})
	}
	return found, nil
}

// checkStockExclusive refuses a manifest that shares a card of finite stock with another pack.
func (s *Service) checkStockExclusive(tx *db.Tx, pack string, m *protocol.Manifest) error {
	others, err := s.usableManifests(tx, tx.Now)
	if err != nil {
		return err
	}
	for _, other := range others {
		if other.packID == pack {
			continue
		}
		if card := protocol.SharedFinite(m, other.Manifest); card != "" {
			return apperr.New(apperr.Conflict, fmt.Sprintf("Card %s is limited and stands in pack %s (%s) already: "+
				"take it out of one of the two packs first.", card, other.packID, other.Name))
		}
	}
	return nil
}
