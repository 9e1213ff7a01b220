package packs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// fits says what an admin can change about a pack that is refused.
type fits struct {
	Series []string `json:"series"` // each of them alone passes at this price
}

// shortfall is why the margin guard refuses a pack, and what would pass.
type shortfall struct {
	fits
	PriceCents            money.Cents  `json:"priceCents"`
	ExpectedValueCents    money.Cents  `json:"expectedValueCents"`
	ExpectedSellBackCents money.Cents  `json:"expectedSellBackCents"`
	LowestPriceCents      *money.Cents `json:"lowestPriceCents"` // nil = no price is high enough
}

// resting is why the margin guard lets nobody open the pack now; nil = it does not.
// Nothing of it is stored: it ends by itself.
func (d *Deck) resting() error {
	if !d.judged {
		d.judged, d.rest = true, d.margin(d.Current, d.announced)
	}
	return d.rest
}

// margin judges a manifest, each card by the highest of its own value and those in the
// manifests that follow: who has read the announcement of a rise must not draw by the
// old value (fairness.md, section 1).
func (d *Deck) margin(by Published, following []Published) error {
	highest := map[string]money.Cents{}
	for _, p := range following {
		for _, tier := range p.Manifest.Tiers {
			for _, card := range tier.Cards {
				highest[card.ID] = max(highest[card.ID], card.Value)
			}
		}
	}
	return margin(d.Pack, by.Manifest.Price, protocol.ExpectedWorth(by.Manifest, d.Stock, func(c protocol.Card) money.Cents { return max(c.Value, highest[c.ID]) }))
}

// margin refuses a pack at a price, by the value that is expected of an open, that is
// expected to pay back more than it costs, unless a loss was accepted and is not used up
// yet.
func margin(p Pack, price, value money.Cents) error {
	sellBack := policy.SellBack(value)
	if sellBack <= price {
		return nil
	}
	if p.AcceptedLoss == nil {
		short := shortfall{PriceCents: price, ExpectedValueCents: value, ExpectedSellBackCents: sellBack}
		if sellBack <= policy.HighestPackPrice {
			short.LowestPriceCents = &sellBack
		}
		return apperr.New(apperr.Margin, fmt.Sprintf("The pack costs $%s and is expected to pay back $%s. "+
			"Raise the price, choose other series, or accept a loss.", price, sellBack)).WithDetails(short)
	}
	if accepted := money.Cents(*p.AcceptedLoss); accepted != Unlimited && p.lost() >= accepted {
		return apperr.New(apperr.Margin,
			fmt.Sprintf("The accepted loss of %s is used up.", accepted))
	}
	return nil
}

// lacking names the tiers of a manifest that have a share and no item.
func lacking(m *protocol.Manifest) (labels []string) {
	for _, tier := range m.Tiers {
		if tier.Weight > 0 && len(tier.Cards) == 0 {
			labels = append(labels, tier.Label)
		}
	}
	return labels
}

// checkFilled refuses a pack that could not draw by its shares: a tier with a share has no
// item in the pack's series.
func checkFilled(tx *db.Tx, p Pack) error {
	items, elsewhere, err := itemsOf(tx, p)
	if err != nil {
		return err
	}
	body := draft(p, items, nil)
	empty := lacking(&body)
	if len(empty) == 0 {
		return nil
	}
	return apperr.InvalidField("series", "no item in these series is "+strings.Join(empty, " or ")+whyLacking(elsewhere)).WithDetails(fits{})
}

// withFits adds to the refusal of a pack the series that would do.
func withFits(tx *db.Tx, p Pack, refusal error) error {
	refused := apperr.As(refusal)
	var err error
	switch details := refused.Details.(type) {
	case fits:
		details.Series, err = fitting(tx, p)
		refusal = refused.WithDetails(details)
	case shortfall:
		details.Series, err = fitting(tx, p)
		refusal = refused.WithDetails(details)
	}
	if err != nil {
		return err
	}
	return refusal
}

// fitting lists the series over each of which the pack could go on sale.
func fitting(tx *db.Tx, p Pack) ([]string, error) {
	p.Series, p.AcceptedLoss = []string{}, nil
	items, _, err := itemsOf(tx, p)
	if err != nil {
		return nil, err
	}
	bySeries := map[string][]catalogue.Item{}
	for _, i := range items {
		bySeries[i.Series] = append(bySeries[i.Series], i)
	}
	passing := []string{}
	for _, series := range slices.Sorted(maps.Keys(bySeries)) {
		body := draft(p, bySeries[series], nil)
		if len(lacking(&body)) > 0 {
			continue
		}
		m, err := protocol.ParseManifest(body.Format())
		if err != nil {
			return nil, fmt.Errorf("manifest over %s: %w", series, err)
		}
		if margin(p, p.Price, protocol.ExpectedValue(m, nil)) == nil {
			passing = append(passing, series)
		}
	}
	return passing, nil
}

// Activate puts a pack on sale of which so much may be lost, in cents, as AcceptLoss has
// it, if the margin guard lets it.
func (s *Service) Activate(tx *db.Tx, packID string, acceptedLoss *int64) error {
	if err := s.AcceptLoss(tx, packID, acceptedLoss); err != nil {
		return err
	}
	return s.putOnSale(tx, packID)
}

// AcceptLoss says how much a pack that loses money by its odds may lose, in cents, over its
// whole life: what it lost before counts. Unlimited = any, nil = nothing. Nowhere else is a
// loss accepted.
func (s *Service) AcceptLoss(tx *db.Tx, packID string, loss *int64) error {
	before, err := lock(tx, packID)
	if err != nil {
		return err
	}
	s.changed(tx)
	after := before
	after.AcceptedLoss = loss
	if err := recount(tx, before, &after); err != nil {
		return err
	}
	return update(tx, after)
}

// putOnSale puts a pack on sale. The margin guard refuses one that would lose money by the
// manifest announced last; until that is in force the guard may let it rest. Nor does a
// pack go on sale that shares a card of finite stock with another.
func (s *Service) putOnSale(tx *db.Tx, packID string) error {
	p, err := lock(tx, packID)
	if err != nil {
		return err
	}
	deck, err := s.deckOf(tx, p)
	if err != nil {
		return err
	}
	last := deck.last()
	if err := s.checkApart(tx, packID, last.Manifest); err != nil {
		return err
	}
	if err := deck.margin(last, nil); err != nil {
		return err
	}
	p.Active = true
	return update(tx, p)
}

// recount sets what a pack counts where it counts otherwise than before: from the opens
// that there were, or nothing.
func recount(tx *db.Tx, before Pack, after *Pack) error {
	if !after.Shared() {
		after.Sold, after.RealisedLoss = 0, 0
		return nil
	}
	if after.ID == "" {
		return nil // nobody can have opened it
	}
	begins := after.Supply != Unlimited && before.Supply == Unlimited
	if begins || !before.Shared() {
		var err error
		after.Sold, after.RealisedLoss, err = opened(tx, after.ID)
		if err != nil {
			return err
		}
	}
	if after.Supply == Unlimited {
		after.Sold = 0
	}
	return nil
}
