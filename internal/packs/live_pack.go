package packs

import (
	"errors"
	"slices"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// Deck is the state that a transaction's opens of a pack draw from in turn: the manifests they may
// use and the remaining stock.
type Deck struct {
	Pack                           // with name, price and item count of the manifest in force
	saved      Pack                // as last saved by an admin, even if not in force yet
	Current    PublishedManifest   // the manifest in force
	Stock      protocol.Stock      // nil when no card of the pack can run out
	replaced   *PublishedManifest  // the previous manifest, while it is still honored
	announced  []PublishedManifest // not in force yet, latest first
	drawnCards map[string]int64

	marginChecked bool  // whether marginErr is valid for the current stock
	marginErr     error // the margin guard's refusal, if any
}

// QueueDeck queues a read of the pack, in the same round trip as the transaction's next statement.
// The returned function yields the deck, or an error if there is no such pack. A pack with counters
// stays locked until the transaction ends.
func (s *Service) QueueDeck(tx *db.Tx, packID string) db.Queued[*Deck] {
	locked, publications := queueLocked(tx, packID), queuePublications(tx, packID)
	return func() (*Deck, error) {
		p, err := locked()
		if errors.Is(err, db.ErrNoRow) {
			p, err = lockPack(tx, packID)
			publications = queuePublications(tx, packID)
		}
		if err != nil {
			return nil, err
		}
		return s.buildDeck(tx, p, publications)
	}
}

func (s *Service) deckOf(tx *db.Tx, p Pack) (*Deck, error) {
	return s.buildDeck(tx, p, queuePublications(tx, p.ID))
}

// buildDeck builds a pack's deck from its live publications.
func (s *Service) buildDeck(tx *db.Tx, p Pack, publications db.Queued[[]publication]) (*Deck, error) {
	d := &Deck{Pack: p, saved: p, drawnCards: map[string]int64{}}
	if err := s.setManifests(tx, d, publications); err != nil {
		return nil, err
	}
	m := d.Current.Manifest
	d.Name, d.Price, d.ItemsPerPack = m.Name, m.Price, int64(m.Items)
	if p.DrawSeq == 0 {
		return d, nil // no card of the pack can run out, so it has no stock to count
	}
	var err error
	d.Stock, err = Stock(tx, p.ID)
	return d, err
}

// lastAnnounced returns the manifest announced last, which will be in force in the end.
func (d *Deck) lastAnnounced() PublishedManifest {
	if len(d.announced) > 0 {
		return d.announced[0]
	}
	return d.Current
}

// OnSale returns the active packs in store order.
func (s *Service) OnSale(tx *db.Tx) ([]*Deck, error) { return s.decks(tx, activePacks) }

// ChanceOf returns the probability that the next card drawn from the deck is the given one.
func (d *Deck) ChanceOf(card string) float64 {
	return protocol.ChanceOf(d.Current.Manifest, d.Stock, card)
}

// CanOpen reports whether the pack is active and passes the margin guard.
func (d *Deck) CanOpen() bool { return d.Active && d.marginRefusal() == nil }

func (s *Service) decks(tx *db.Tx, read func(*db.Tx) ([]Pack, error)) ([]*Deck, error) {
	packs, err := read(tx)
	if err != nil {
		return nil, err
	}
	publications := make([]func() ([]publication, error), len(packs))
	for n, p := range packs {
		publications[n] = queuePublications(tx, p.ID)
	}
	decks := make([]*Deck, len(packs))
	for n, p := range packs {
		decks[n], err = s.buildDeck(tx, p, publications[n])
		if err != nil {
			return nil, err
		}
	}
	return decks, nil
}

// ErrInactive refuses an open of a pack that is not on sale, or that the margin guard blocks.
var ErrInactive = apperr.New(apperr.Inactive, "This pack isn't for sale right now. You were not charged.")

// ManifestChangedError refuses an open that names a manifest that is no longer honored.
type ManifestChangedError struct{ Current Hash }

// Error implements error.
func (ManifestChangedError) Error() string { return "manifest no longer valid" }

// ManifestFor returns the manifest for the next open. wanted is the hash that the player expects;
// empty means the one in force. It fails if the pack is inactive, sold out or blocked by the margin
// guard, or if the wanted manifest is no longer honored.
func (d *Deck) ManifestFor(wanted string) (PublishedManifest, error) {
	switch {
	case !d.CanOpen():
		return PublishedManifest{}, ErrInactive
	case d.supplyUsedUp():
		return PublishedManifest{}, protocol.ErrSoldOut
	case wanted == "" || wanted == d.Current.Hash.String():
		return d.Current, nil
	case d.replaced != nil && wanted == d.replaced.Hash.String() && d.checkManifestMargin(*d.replaced, append(slices.Clip(d.announced), d.Current)) == nil:
		return *d.replaced, nil
	}
	return PublishedManifest{}, ManifestChangedError{Current: d.Current.Hash}
}

// CountOpen updates stock and counters after an open. It returns the open's drawSeq, or 0 if no
// card of the manifest can run out.
func (d *Deck) CountOpen(by PublishedManifest, pulls []protocol.Pull) (drawSeq int64) {
	if !d.HasCounters() {
		return 0
	}
	var payback money.Cents
	for _, pull := range pulls {
		payback += policy.SellBack(pull.Card.Value)
		if pull.Card.Finite() {
			d.Stock[pull.Card.ID]--
			d.drawnCards[pull.Card.ID]++
		}
	}
	d.RealizedLoss += payback - by.Manifest.Price
	if d.Supply != Unlimited {
		d.Sold++
	}
	if by.Manifest.Finite() {
		d.DrawSeq++
		drawSeq = d.DrawSeq
	}
	d.marginChecked = false
	return drawSeq
}

// SaveDeck writes the deck's stock and counters.
func (s *Service) SaveDeck(tx *db.Tx, d *Deck) error {
	if !d.HasCounters() {
		return nil
	}
	s.invalidateCache(tx)
	if err := subtractStock(tx, d.drawnCards); err != nil {
		return err
	}
	return saveCounters(tx, d.Pack)
}
