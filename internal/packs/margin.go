package packs

import (
	"fmt"
	"maps"
	"slices"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// marginRefusal returns why the margin guard pauses the pack now, or nil. It is computed, not
// stored, so the pause ends by itself.
func (p *LivePack) marginRefusal() error {
	if !p.marginChecked {
		p.marginChecked, p.marginErr = true, p.checkManifestMargin(p.Current, p.announced)
	}
	return p.marginErr
}

// checkManifestMargin judges a manifest by the highest value that each card has in it or in the
// manifests that follow. Otherwise people could read the announcement of a higher value and still
// draw by the old one (fairness.md, section 1).
func (p *LivePack) checkManifestMargin(by PublishedManifest, following []PublishedManifest) error {
	highest := map[string]money.Cents{}
	for _, later := range following {
		for _, tier := range later.Manifest.Tiers {
			for _, card := range tier.Cards {
				highest[card.ID] = max(highest[card.ID], card.Value)
			}
		}
	}
	return checkMargin(p.Pack, by.Manifest.Price, protocol.ExpectedValueBy(by.Manifest, p.Stock, func(c protocol.Card) money.Cents { return max(c.Value, highest[c.ID]) }))
}

// checkMargin refuses a pack if the expected sell-back of an open, whose expected value is
// value, exceeds its price, unless a loss was accepted and is not used up.
func checkMargin(p Pack, price, value money.Cents) error {
	sellBack := policy.SellBack(value)
	if sellBack <= price {
		return nil
	}
	if p.AcceptedLoss == nil {
		short := shortfall{PriceCents: price, ExpectedValueCents: value, ExpectedSellBackCents: sellBack}
		if sellBack <= policy.MaxPackPrice {
			short.LowestPriceCents = &sellBack
		}
		return apperr.New(apperr.Margin, fmt.Sprintf("The pack costs $%s and is expected to return $%s. "+
			"Raise the price, choose other series, or accept a loss.", price, sellBack)).WithDetails(short)
	}
	if accepted := money.Cents(*p.AcceptedLoss); accepted != Unlimited && p.countedLoss() >= accepted {
		return apperr.New(apperr.Margin,
			fmt.Sprintf("The accepted loss of %s is used up.", accepted))
	}
	return nil
}

// Activate accepts a loss, in cents as for AcceptLoss, and puts the pack on sale if the margin
// guard passes it.
func (s *Service) Activate(tx *db.Tx, packID string, acceptedLoss *int64) error {
	if err := s.AcceptLoss(tx, packID, acceptedLoss); err != nil {
		return err
	}
	return s.putOnSale(tx, packID)
}

// putOnSale puts a pack on sale. It refuses one that would lose money by its last announced
// manifest, or by the one that waits to be announced, or that shares a card of finite stock with
// another pack. Until that manifest takes
// effect, the margin guard may still pause the pack.
func (s *Service) putOnSale(tx *db.Tx, packID string) error {
	p, err := lockPack(tx, packID)
	if err != nil {
		return err
	}
	if err := s.checkSale(tx, p); err != nil {
		return err
	}
	p.Active = true
	return updatePack(tx, p)
}

// checkSale refuses to put a locked pack on sale.
func (s *Service) checkSale(tx *db.Tx, p Pack) error {
	if !p.PublishingSince.IsZero() {
		next, err := s.nextManifest(tx, p.ID) // with the stock that it will state
		if err != nil {
			return err
		}
		return checkMargin(p, next.Price, protocol.ExpectedValue(next, nil))
	}
	live, err := s.livePackOf(tx, p)
	if err != nil {
		return err
	}
	last := live.lastAnnounced()
	if err := s.checkStockExclusive(tx, p.ID, last.Manifest); err != nil {
		return err
	}
	return live.checkManifestMargin(last, nil)
}

// suggestion is the part of a refusal that suggests changes.
type suggestion struct {
	Series []string `json:"series"` // each of them passes on its own at this price
}

// shortfall details why the margin guard refuses a pack and what would pass.
type shortfall struct {
	suggestion
	PriceCents            money.Cents  `json:"priceCents"`
	ExpectedValueCents    money.Cents  `json:"expectedValueCents"`
	ExpectedSellBackCents money.Cents  `json:"expectedSellBackCents"`
	LowestPriceCents      *money.Cents `json:"lowestPriceCents"` // nil = no price is high enough
}

// withSuggestions adds to a refusal the series that would pass.
func withSuggestions(tx *db.Tx, p Pack, refusal error) error {
	refused := apperr.As(refusal)
	var err error
	switch details := refused.Details.(type) {
	case suggestion:
		details.Series, err = passingSeries(tx, p)
		refusal = refused.WithDetails(details)
	case shortfall:
		details.Series, err = passingSeries(tx, p)
		refusal = refused.WithDetails(details)
	}
	if err != nil {
		return err
	}
	return refusal
}

// passingSeries lists the series that would each pass on their own.
func passingSeries(tx *db.Tx, p Pack) ([]string, error) {
	p.Series, p.AcceptedLoss = []string{}, nil
	items, _, err := drawableItems(tx, p)
	if err != nil {
		return nil, err
	}
	bySeries := map[string][]catalogue.Item{}
	for _, i := range items {
		bySeries[i.Series] = append(bySeries[i.Series], i)
	}
	passing := []string{}
	for _, series := range slices.Sorted(maps.Keys(bySeries)) {
		body := buildManifest(p, bySeries[series], nil)
		if len(emptyTiers(&body)) > 0 {
			continue
		}
		m, err := protocol.ParseManifest(body.Format())
		if err != nil {
			return nil, fmt.Errorf("manifest over %s: %w", series, err)
		}
		if checkMargin(p, p.Price, protocol.ExpectedValue(m, nil)) == nil {
			passing = append(passing, series)
		}
	}
	return passing, nil
}
