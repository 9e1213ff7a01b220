package packs

import (
	"cmp"

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// Sealing says when a pack's cards are drawn: at once, or with a later round of a public randomness
// beacon, which even Kaibao can't know in advance.
type Sealing string

// The ways of drawing.
const (
	Instant     Sealing = "instant" // at once
	ByChoice    Sealing = "choice"  // as the player chooses
	AlwaysLater Sealing = "sealed"  // always with a later round
)

// sealing returns how the pack's cards are drawn.
func (d Definition) sealing() Sealing { return cmp.Or(d.Sealing, Instant) }

// minSealedMultiple: packs whose best card is worth at least this multiple of the price are sealed by
// default.
const minSealedMultiple = 20

// defaultSealing returns how a new pack is drawn unless its admin chooses. It is always sealed if its
// supply is limited or its best card is worth many times the price. The stock of a new pack has no limit.
func defaultSealing(tx *db.Tx, p Pack) (Sealing, error) {
	items, _, err := drawableItems(tx, p)
	if err != nil {
		return "", err
	}
	best := money.Cents(0)
	for _, tier := range buildManifest(p, items, nil).Tiers {
		for _, card := range tier.Cards {
			if tier.Weight > 0 {
				best = max(best, card.Value)
			}
		}
	}
	if p.Supply != Unlimited || best >= minSealedMultiple*p.Price {
		return AlwaysLater, nil
	}
	return Instant, nil
}

// sealingTerms returns the sealing of a manifest with this installation's beacon; nil for instant packs.
func (s *Service) sealingTerms(sealing Sealing) *protocol.Sealing {
	if sealing == Instant {
		return nil
	}
	return &protocol.Sealing{Beacon: s.Beacon(), Lead: policy.SealedLead, Instant: sealing == ByChoice}
}

// SealedView says how a pack's draws are sealed.
type SealedView struct {
	Required    bool `json:"required" doc:"Every open is sealed. Otherwise the player chooses."`
	LeadSeconds int  `json:"leadSeconds" doc:"Seconds from an order to its round, at least."`
}

func sealedView(m *protocol.Manifest) *SealedView {
	if m.Sealing == nil {
		return nil
	}
	return &SealedView{Required: !m.Sealing.Instant, LeadSeconds: m.Sealing.Lead}
}

// AnySealed reports whether a pack on sale is sealed, or will be.
func (s *Service) AnySealed(tx *db.Tx) (bool, error) {
	hashes, err := manifestsOnSale(tx)
	for _, hash := range hashes {
		m, err := s.Manifest(tx, hash)
		if err != nil {
			return false, err
		}
		if m.Sealing != nil {
			return true, nil
		}
	}
	return false, err
}
