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
	Pack                     // with name, price and item count of the manifest in force
	wanted    Pack           // as last saved by an admin, even if not in force yet
	Current   Published      // the manifest in force
	Stock     protocol.Stock // nil when no card of the pack can run out
	replaced  *Published     // the previous manifest, while it is still honored
	announced []Published    // not in force yet, latest first
	taken     map[string]int64

	judged bool  // whether rest is valid for the current stock
	rest   error // the margin guard's refusal, if any
}

// Deck queues a read of the pack, in the same round trip as the transaction's next statement. The
// returned function yields the deck, or an error if there is no such pack. A Shared pack stays
// locked until the transaction ends.
func (s *Service) Deck(tx *db.Tx, packID string) func() (*Deck, error) {
	held, live := soonHeld(tx, packID), livePublications(tx, packID)
	return func() (*Deck, error) {
		p, err := held()
		if errors.Is(err, db.ErrNoRow) {
			p, err = lock(tx, packID)
			live = livePublications(tx, packID)
		}
		if err != nil {
			return nil, err
		}
		return s.deckBy(tx, p, live)
	}
}

func (s *Service) deckOf(tx *db.Tx, p Pack) (*Deck, error) {
	return s.deckBy(tx, p, livePublications(tx, p.ID))
}

// deckBy builds a pack's deck from its live publications.
func (s *Service) deckBy(tx *db.Tx, p Pack, live func() ([]publication, error)) (*Deck, error) {
	d := &Deck{Pack: p, wanted: p, taken: map[string]int64{}}
	if err := s.readManifests(tx, d, live); err != nil {
		return nil, err
	}
	m := d.Current.Manifest
	d.Name, d.Price, d.ItemsPerPack = m.Name, m.Price, int64(m.Items)
	if p.DrawSeq == 0 {
		return d, nil
	}
	var err error
	d.Stock, err = Stock(tx, p.ID)
	return d, err
}

// last returns the manifest announced last, which will be in force in the end.
func (d *Deck) last() Published {
	if len(d.announced) > 0 {
		return d.announced[0]
	}
	return d.Current
}

// OnSale returns the active packs in store order.
func (s *Service) OnSale(tx *db.Tx) ([]*Deck, error) { return s.decks(tx, active) }

// ChanceOf returns the probability that the next card drawn from the deck is the given one.
func (d *Deck) ChanceOf(card string) float64 {
	return protocol.ChanceOf(d.Current.Manifest, d.Stock, card)
}

// Opens reports whether the pack is active and passes the margin guard.
func (d *Deck) Opens() bool { return d.Active && d.resting() == nil }

func (s *Service) decks(tx *db.Tx, read func(*db.Tx) ([]Pack, error)) ([]*Deck, error) {
	packs, err := read(tx)
	if err != nil {
		return nil, err
	}
	live := make([]func() ([]publication, error), len(packs))
	for n, p := range packs {
		live[n] = livePublications(tx, p.ID)
	}
	decks := make([]*Deck, len(packs))
	for n, p := range packs {
		decks[n], err = s.deckBy(tx, p, live[n])
		if err != nil {
			return nil, err
		}
	}
	return decks, nil
}

// ErrInactive refuses an open of a pack that is not on sale, or that the margin guard blocks.
var ErrInactive = apperr.New(apperr.Inactive, "This pack is not for sale at the moment. You were not charged.")

// ManifestChangedError refuses an open that names a manifest that is no longer honored.
type ManifestChangedError struct{ Current Hash }

// Error implements error.
func (ManifestChangedError) Error() string { return "the manifest is no longer honoured" }

// Manifest returns the manifest for the next open. wanted is the hash that the player expects;
// empty means the one in force. It fails if the pack is inactive, sold out or blocked by the margin
// guard, or if the wanted manifest is no longer honored.
func (d *Deck) Manifest(wanted string) (Published, error) {
	switch {
	case !d.Opens():
		return Published{}, ErrInactive
	case d.supplyUsedUp():
		return Published{}, protocol.ErrSoldOut
	case wanted == "" || wanted == d.Current.Hash.String():
		return d.Current, nil
	case d.replaced != nil && wanted == d.replaced.Hash.String() && d.margin(*d.replaced, append(slices.Clip(d.announced), d.Current)) == nil:
		return *d.replaced, nil
	}
	return Published{}, ManifestChangedError{Current: d.Current.Hash}
}

// Take updates stock and counters after an open. It returns the open's drawSeq, or 0 if no card of
// the manifest can run out.
func (d *Deck) Take(by Published, pulls []protocol.Pull) (drawSeq int64) {
	if !d.Shared() {
		return 0
	}
	var payback money.Cents
	for _, pull := range pulls {
		payback += policy.SellBack(pull.Card.Value)
		if pull.Card.Finite() {
			d.Stock[pull.Card.ID]--
			d.taken[pull.Card.ID]++
		}
	}
	d.RealisedLoss += payback - by.Manifest.Price
	if d.Supply != Unlimited {
		d.Sold++
	}
	if by.Manifest.Finite() {
		d.DrawSeq++
		drawSeq = d.DrawSeq
	}
	d.judged = false
	return drawSeq
}

// Save writes the deck's stock and counters.
func (s *Service) Save(tx *db.Tx, d *Deck) error {
	if !d.Shared() {
		return nil
	}
	s.changed(tx)
	if err := takeStock(tx, d.taken); err != nil {
		return err
	}
	return saveCounters(tx, d.Pack)
}
