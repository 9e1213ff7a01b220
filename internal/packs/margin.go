package packs

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/fault"
	"kaibao/internal/money"
	"kaibao/internal/terms"
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
	return margin(d.Pack, fair.ExpectedWorth(by.Manifest, d.Stock, func(c fair.Card) money.Cents { return max(c.Value, highest[c.ID]) }))
}

// margin refuses a pack, by the value that is expected of an open, that is expected to
// pay back more than it costs, unless a loss was accepted and is not used up yet.
func margin(p Pack, value money.Cents) error {
	sellBack := terms.SellBack(value)
	if sellBack <= p.Price {
		return nil
	}
	if p.AcceptedLoss == nil {
		short := shortfall{PriceCents: p.Price, ExpectedValueCents: value, ExpectedSellBackCents: sellBack}
		if sellBack <= terms.HighestPackPrice {
			short.LowestPriceCents = &sellBack
		}
		return fault.New(fault.Margin, fmt.Sprintf("The pack costs $%s and is expected to pay back $%s. "+
			"Raise the price, choose other series, or accept a loss.", p.Price, sellBack)).WithDetails(short)
	}
	if accepted := money.Cents(*p.AcceptedLoss); accepted != Unlimited && p.lost() >= accepted {
		return fault.New(fault.Margin,
			fmt.Sprintf("The accepted loss of %s is used up.", accepted))
	}
	return nil
}

// checkFilled refuses a pack that could draw nothing: a rarity with a share has
// no item in the pack's series.
func checkFilled(tx *db.Tx, p Pack) error {
	items, _, err := itemsOf(tx, p)
	if err != nil {
		return err
	}
	lacking := p.Definition.LootTable.missing(items)
	if len(lacking) == 0 {
		return nil
	}
	why, err := whyLacking(tx, p)
	if err != nil {
		return err
	}
	return fault.InvalidField("series", "no item in these series is "+strings.Join(lacking, " or ")+why).WithDetails(fits{})
}

// withFits adds to the refusal of a pack the series that would do.
func withFits(tx *db.Tx, p Pack, refusal error) error {
	refused := fault.As(refusal)
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
		if len(p.Definition.LootTable.missing(bySeries[series])) > 0 {
			continue
		}
		body := draft(p, bySeries[series], nil)
		m, err := fair.ParseManifest(body.Format())
		if err != nil {
			return nil, fmt.Errorf("manifest over %s: %w", series, err)
		}
		if margin(p, fair.ExpectedValue(m, nil)) == nil {
			passing = append(passing, series)
		}
	}
	return passing, nil
}

// Activate puts a pack on sale. The margin guard refuses one that loses money
// by its odds unless acceptedLoss, in cents, says how much may be lost
// (Unlimited = any), over the pack's whole life: what it lost before still counts; nil
// accepts none. Nor does a pack go on sale that shares a
// card of finite stock with another.
func (s *Service) Activate(tx *db.Tx, packID string, acceptedLoss *int64) error {
	p, err := lock(tx, packID)
	if err != nil {
		return err
	}
	deck, err := s.deckOf(tx, p)
	if err != nil {
		return err
	}
	if err := s.checkApart(tx, packID, deck.Current.Manifest); err != nil {
		return err
	}
	deck.AcceptedLoss = acceptedLoss
	if err := deck.resting(); err != nil {
		return err
	}
	return activate(tx, packID, acceptedLoss)
}
