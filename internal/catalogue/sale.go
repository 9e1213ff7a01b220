package catalogue

import (
	"errors"

	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/fault"
	"kaibao/internal/money"
	"kaibao/internal/terms"
)

// Sale is a pack while a transaction opens it, once or many times. Of a pack
// that counts something down it holds the lock until the transaction ends.
type Sale struct {
	pack     Pack
	current  Published
	honoured *Published // the replaced manifest, while it may still be named
	stock    fair.Stock // nil when no card of the pack can run out
	taken    map[string]int64
}

// StartSale reads a pack for its opens, or says that there is none.
func (c *Catalogue) StartSale(tx *db.Tx, packID string) (*Sale, error) {
	p, err := findPack(tx, packID)
	if errors.Is(err, db.ErrNoRow) {
		return nil, fault.Missing("Pack")
	}
	if err == nil && p.Shared() {
		p, err = lockPack(tx, packID)
	}
	if err != nil {
		return nil, err
	}
	s := &Sale{pack: p, taken: map[string]int64{}}
	if s.current, s.honoured, err = c.InForce(tx, packID); err != nil {
		return nil, err
	}
	if p.DrawSeq > 0 {
		s.stock, err = Stock(tx, packID)
	}
	return s, err
}

// Offer is what one open of a pack draws from.
type Offer struct {
	Pack
	Hash     Hash
	Manifest *fair.Manifest
	Stock    fair.Stock
}

// Offer is the pack as it stands for the next open. wanted names the manifest
// that the player expects; empty takes the one in force. It refuses a pack that
// is inactive, paused or sold out, and a manifest that is not honoured any more.
func (s *Sale) Offer(wanted string) (Offer, error) {
	if !s.pack.Active || s.pack.Paused != "" {
		return Offer{}, ErrInactive
	}
	if s.pack.supplyUsedUp() {
		return Offer{}, fair.ErrSoldOut
	}
	published := s.current
	if wanted != "" && wanted != s.current.Hash.String() {
		if s.honoured == nil || wanted != s.honoured.Hash.String() {
			return Offer{}, ManifestChangedError{Current: s.current.Hash}
		}
		published = *s.honoured
	}
	return Offer{Pack: s.pack, Hash: published.Hash, Manifest: published.Manifest, Stock: s.stock}, nil
}

// Current names the manifest in force.
func (s *Sale) Current() Hash { return s.current.Hash }

// ManifestChangedError refuses an open that names a manifest no longer honoured.
type ManifestChangedError struct{ Current Hash }

// Error implements error.
func (ManifestChangedError) Error() string { return "the manifest is no longer honoured" }

// Take counts down what a draw from the offer took, and pauses the pack when
// the margin guard no longer holds. It returns the draw's drawSeq, 0 when no
// card of the manifest can run out.
func (s *Sale) Take(o Offer, pulls []fair.Pull) (drawSeq int64) {
	p := &s.pack
	if !p.Shared() {
		return 0
	}
	var payback money.Cents
	for _, pull := range pulls {
		payback += terms.SellBack(pull.Card.Value)
		if pull.Card.Finite() {
			s.stock[pull.Card.ID]--
			s.taken[pull.Card.ID]++
		}
	}
	p.RealisedLoss += payback - p.Price
	if p.Supply != Unlimited {
		p.Sold++
	}
	if o.Manifest.Finite() {
		p.DrawSeq++
		drawSeq = p.DrawSeq
	}
	if refusal := margin(*p, o.Manifest, s.stock); refusal != nil {
		p.Paused = refusal.Error()
	}
	return drawSeq
}

// Finish writes down all that was taken.
func (s *Sale) Finish(tx *db.Tx) error {
	if !s.pack.Shared() {
		return nil
	}
	if err := takeStock(tx, s.taken); err != nil {
		return err
	}
	return updateSale(tx, s.pack)
}
