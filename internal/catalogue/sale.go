package catalogue

import (
	"errors"

	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/fault"
	"kaibao/internal/money"
)

// Sale is a pack about to be opened, with all that decides the draw. Of a pack
// that counts something down it holds the lock until the transaction ends.
type Sale struct {
	Pack     Pack
	Hash     Hash
	Manifest *fair.Manifest
	Stock    fair.Stock // nil when no card of the pack can run out
}

// StartSale reads a pack for an open. wanted names the manifest that the player
// expects; empty takes the one in force. It refuses a pack that is unknown,
// inactive, paused or sold out, and a manifest that is not honoured any more.
func (c *Catalogue) StartSale(tx *db.Tx, packID, wanted string) (Sale, error) {
	p, err := findPack(tx, packID)
	if errors.Is(err, db.ErrNoRow) {
		return Sale{}, fault.Missing("Pack")
	}
	if err == nil && p.shared() {
		p, err = lockPack(tx, packID)
	}
	if err != nil {
		return Sale{}, err
	}
	if !p.Active || p.Paused != "" {
		return Sale{}, ErrInactive
	}
	if p.Supply != Unlimited && p.Sold >= p.Supply {
		return Sale{}, fair.ErrSoldOut
	}
	s := Sale{Pack: p}
	if s.Hash, s.Manifest, err = c.wanted(tx, packID, wanted); err != nil {
		return Sale{}, err
	}
	if s.Manifest.Finite() {
		s.Stock, err = Stock(tx, packID)
	}
	return s, err
}

func (c *Catalogue) wanted(tx *db.Tx, packID, wanted string) (Hash, *fair.Manifest, error) {
	current, honoured, err := c.InForce(tx, packID)
	if err != nil || wanted == "" || wanted == current.Hash.String() {
		return current.Hash, current.Manifest, err
	}
	if honoured != nil && wanted == honoured.String() {
		m, err := c.Manifest(tx, *honoured)
		return *honoured, m, err
	}
	return Hash{}, nil, ManifestChangedError{Current: current.Hash}
}

// ManifestChangedError refuses an open that names a manifest no longer honoured.
type ManifestChangedError struct{ Current Hash }

// Error implements error.
func (ManifestChangedError) Error() string { return "the manifest is no longer honoured" }

// Finish counts down what the draw took: supply, stock and accepted loss. It
// returns the pack's drawSeq, 0 when no card can run out, and pauses the pack
// when the margin guard no longer holds.
func (s Sale) Finish(tx *db.Tx, pulls []fair.Pull) (drawSeq int64, err error) {
	if !s.Pack.shared() {
		return 0, nil
	}
	p := s.Pack
	var payback money.Cents
	for _, pull := range pulls {
		payback += pull.Card.Value.Share(SellBackRate)
		if pull.Card.Finite() {
			s.Stock[pull.Card.ID]--
			if err := takeStock(tx, pull.Card.ID); err != nil {
				return 0, err
			}
		}
	}
	p.RealisedLoss += payback - p.Price
	if p.Supply != Unlimited {
		p.Sold++
	}
	if s.Manifest.Finite() {
		p.DrawSeq++
		drawSeq = p.DrawSeq
	}
	if refusal := margin(p, s.Manifest, s.Stock); refusal != nil {
		p.Paused = refusal.Error()
	}
	return drawSeq, updateSale(tx, p)
}
