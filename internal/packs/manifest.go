package packs

import (
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// Hash identifies a manifest.
type Hash [32]byte

// String returns the hash in lower-case hex, as used in the API.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// ParseHash parses 64 lower-case hex digits.
func ParseHash(text string) (h Hash, ok bool) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(h) || strings.ToLower(text) != text {
		return Hash{}, false
	}
	return Hash(b), true
}

// PublishedManifest is a pack's manifest and the time from which it is in force.
type PublishedManifest struct {
	Hash        Hash
	Manifest    *protocol.Manifest
	EffectiveAt time.Time
}

// gracePeriod returns how long a replaced manifest is honored: the delay, but at most
// protocol.MaxGrace, because verifiers reject more.
func (s *Service) gracePeriod() time.Duration { return min(s.Delay, protocol.MaxGrace) }

// setManifests sets the pack's manifests: the one in force, the one it replaced while that is
// still honored, and the announced ones.
func (s *Service) setManifests(tx *db.Tx, d *LivePack, live func() ([]publication, error)) error {
	rows, err := live()
	if err != nil {
		return err
	}
	for n, row := range rows {
		m, err := s.Manifest(tx, row.hash)
		if err != nil {
			return err
		}
		p := PublishedManifest{Hash: row.hash, Manifest: m, EffectiveAt: row.effectiveAt}
		switch {
		case row.effectiveAt.After(tx.Now):
			d.announced = append(d.announced, p)
		case n == len(d.announced):
			d.Current = p
		case tx.Now.Before(d.Current.EffectiveAt.Add(s.gracePeriod())):
			d.replaced = &p
		}
	}
	if d.Current.Manifest == nil {
		return apperr.Missing("Pack")
	}
	return nil
}

// manifestCache caches parsed manifests. It needs no invalidation: the content of a hash never
// changes.
type manifestCache struct{ byHash sync.Map }

// Manifest returns a published manifest, or db.ErrNoRow.
func (s *Service) Manifest(tx *db.Tx, hash Hash) (*protocol.Manifest, error) {
	if m, ok := s.manifests.byHash.Load(hash); ok {
		return m.(*protocol.Manifest), nil
	}
	text, err := ManifestText(tx, hash)
	if err != nil {
		return nil, err
	}
	m, err := protocol.ParseManifest([]byte(text))
	if err == nil && protocol.Hash([]byte(text)) != hash {
		err = errors.New("the stored text doesn't match its hash")
	}
	if err != nil {
		return nil, fmt.Errorf("stored manifest %s: %w", hash, err)
	}
	s.manifests.byHash.Store(hash, m)
	return m, nil
}

// lastManifest returns the pack's last manifest, or nil if there is none.
func (s *Service) lastManifest(tx *db.Tx, pack string) (*protocol.Manifest, error) {
	last, err := lastPublication(tx, pack)
	if err != nil || last.number == 0 {
		return nil, err
	}
	return s.Manifest(tx, last.hash)
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

// OldManifestsEnd returns, for each given item that a pack can draw, the time from which no
// manifest announced before now can draw it, if its packs are republished in this transaction;
// catalogue.NotAnnounced if a publication of one of them waits. It also returns the ids of those
// packs and of all whose publication waits, in lock order. The result is valid until tx.AnnounceNow
// is called.
func (s *Service) OldManifestsEnd(tx *db.Tx, items map[string]bool) (ends map[string]time.Time, holders []string, err error) {
	if len(items) == 0 {
		return nil, nil, nil
	}
	usable, err := s.usableManifests(tx, tx.Now)
	if err != nil {
		return nil, nil, err
	}
	ends, packEnds := map[string]time.Time{}, map[string]time.Time{}
	waiting, err := publishingPacks(tx)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range waiting {
		packEnds[id] = catalogue.NotAnnounced // it may announce items that no manifest has yet
	}
	for _, m := range usable {
		for id := range cardIDs(m) {
			if !items[id] {
				continue
			}
			if packEnds[m.packID].IsZero() {
				last, err := lastPublication(tx, m.packID)
				if err != nil {
					return nil, nil, err
				}
				packEnds[m.packID] = s.nextEffectiveAt(tx, last).Add(s.gracePeriod())
			}
			if packEnds[m.packID].After(ends[id]) {
				ends[id] = packEnds[m.packID]
			}
		}
	}
	return ends, slices.Sorted(maps.Keys(packEnds)), nil
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

func cardValues(m *protocol.Manifest) map[string]money.Cents {
	values := map[string]money.Cents{}
	for _, tier := range m.Tiers {
		for _, card := range tier.Cards {
			values[card.ID] = card.Value
		}
	}
	return values
}
