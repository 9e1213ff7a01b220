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

// Deck is what a transaction's opens of a pack draw from, one after the other: the
// manifests that they may draw by, and the stock that is left.
type Deck struct {
	Pack                     // its name, price and number of items as the manifest in force has them
	wanted    Pack           // as the admin wants it, which was announced last
	Current   Published      // the manifest in force
	Stock     protocol.Stock // nil when no card of the pack can run out
	replaced  *Published     // the manifest before, while it may still be named
	announced []Published    // that will be in force
	taken     map[string]int64

	judged bool  // on the stock as it is
	rest   error // what the guard said then
}

// Deck reads a pack for its opens along with the next statement; what it returns gives it,
// or says that there is none. Of a pack that counts something down it holds the lock until
// the transaction ends.
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

// deckBy is a pack's deck by its live publications.
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

// last is the manifest announced last, by which everybody will open in the end.
func (d *Deck) last() Published {
	if len(d.announced) > 0 {
		return d.announced[0]
	}
	return d.Current
}

// OnSale gives the active packs, in the order of the store.
func (s *Service) OnSale(tx *db.Tx) ([]*Deck, error) { return s.decks(tx, active) }

// ChanceOf is the chance that the next card of the deck is this one.
func (d *Deck) ChanceOf(card string) float64 {
	return protocol.ChanceOf(d.Current.Manifest, d.Stock, card)
}

// Opens tells whether the pack can be opened now, as far as the margin guard is asked.
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

// ErrInactive refuses a pack that is not on sale, or rests.
var ErrInactive = apperr.New(apperr.Inactive, "This pack is not for sale at the moment. You were not charged.")

// ManifestChangedError refuses an open that names a manifest no longer honoured.
type ManifestChangedError struct{ Current Hash }

// Error implements error.
func (ManifestChangedError) Error() string { return "the manifest is no longer honoured" }

// Manifest is the one that the next open draws by. wanted names the one that the
// player expects; empty takes the one in force. It refuses a pack that is inactive or
// sold out, or that the margin guard lets rest, and a manifest that is not honoured any
// more.
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

// Take counts down what an open by a manifest took. It returns the open's drawSeq, 0
// when no card of the manifest can run out.
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

// Save writes down all that was taken from a deck.
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
