package packs

import (
	"fmt"
	"slices"
	"strings"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// compose builds a pack's manifest and its text, with the restocks that wait for its publication.
func (s *Service) compose(tx *db.Tx, p Pack) (m *protocol.Manifest, text []byte, err error) {
	items, _, err := drawableItems(tx, p)
	if err != nil {
		return nil, nil, err
	}
	stock, err := Stock(tx, p.ID)
	if err != nil {
		return nil, nil, err
	}
	if !p.PublishingSince.IsZero() {
		if err := addWaitingStock(tx, p.ID, stock); err != nil {
			return nil, nil, err
		}
	}
	body := buildManifest(p, items, stock)
	body.Sealing = s.sealingTerms(p.Definition.sealing())
	text = body.Format()
	m, err = protocol.ParseManifest(text)
	if err != nil {
		return nil, nil, apperr.New(apperr.Conflict, fmt.Sprintf("Pack %s (%s) has no valid odds with these items.", p.ID, p.Name)).
			Because(fmt.Errorf("manifest of pack %s: %w", p.ID, err))
	}
	return m, text, s.checkStockExclusive(tx, p.ID, m)
}

// lastResort is the label of the tier for cards that fit no other.
const lastResort = "last resort"

// buildManifest assigns the items to the pack's tiers, with the given stock.
func buildManifest(p Pack, items []catalogue.Item, stock protocol.Stock) protocol.Manifest {
	rules := p.Definition.Tiers
	inTier := func(r TierRule, i catalogue.Item) bool {
		return (r.Items == nil || slices.Contains(r.Items, i.ID)) && i.BaseValue >= r.Low && (r.High == 0 || i.BaseValue < r.High)
	}
	if p.Definition.LootTable != nil {
		rules = p.Definition.LootTable.rules()
		inTier = func(r TierRule, i catalogue.Item) bool { return i.Rarity == r.Label }
	}
	tiers := make([]protocol.Tier, len(rules), len(rules)+1)
	for n, r := range rules {
		tiers[n] = protocol.Tier{Weight: r.Weight, Low: r.Low, High: r.High, Label: r.Label}
	}
	unmatched := protocol.Tier{Label: lastResort}
	for _, item := range items {
		tier := &unmatched
		if n := slices.IndexFunc(rules, func(r TierRule) bool { return inTier(r, item) }); n >= 0 {
			tier = &tiers[n]
		}
		left, finite := stock[item.ID]
		if !finite {
			left = protocol.Unlimited
		}
		tier.Cards = append(tier.Cards, protocol.Card{ID: item.ID, Value: item.BaseValue, Stock: left})
	}
	if len(unmatched.Cards) > 0 {
		tiers = slices.Insert(tiers, 0, unmatched)
	}
	return protocol.Manifest{Pack: p.ID, Name: p.Name, Price: p.Price, Items: int(p.ItemsPerPack), Tiers: tiers}
}

// drawableItems returns the active items that the pack can draw, ordered bytewise by id, and those
// of its series that it can't.
func drawableItems(tx *db.Tx, p Pack) (own, elsewhere []catalogue.Item, err error) {
	items, err := catalogue.InSeries(tx, p.Series)
	if err != nil {
		return nil, nil, err
	}
	others, err := itemsStockedElsewhere(tx, p.ID)
	for _, item := range items {
		if slices.Contains(others, item.ID) {
			elsewhere = append(elsewhere, item)
		} else {
			own = append(own, item)
		}
	}
	return own, elsewhere, err
}

// LeftOut is an item that a pack can't draw because its stock belongs to another pack.
type LeftOut struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func leftOutItems(elsewhere []catalogue.Item) []LeftOut {
	left := make([]LeftOut, len(elsewhere))
	for n, item := range elsewhere {
		left[n] = LeftOut{item.ID, item.Name}
	}
	return left
}

// leftOutNote returns the part of a refusal that lists the items left out.
func leftOutNote(elsewhere []catalogue.Item) string {
	if len(elsewhere) == 0 {
		return ""
	}
	names := make([]string, len(elsewhere))
	for n, item := range elsewhere {
		names[n] = item.Name
	}
	return "; left out, because their limited stock belongs to another pack: " + strings.Join(names, ", ")
}

// emptyTiers returns the labels of tiers that have a weight but no items.
func emptyTiers(m *protocol.Manifest) (labels []string) {
	for _, tier := range m.Tiers {
		if tier.Weight > 0 && len(tier.Cards) == 0 {
			labels = append(labels, tier.Label)
		}
	}
	return labels
}

// checkNoEmptyTiers refuses a pack if a tier with a share has no items in the pack's series.
func checkNoEmptyTiers(tx *db.Tx, p Pack) error {
	items, elsewhere, err := drawableItems(tx, p)
	if err != nil {
		return err
	}
	body := buildManifest(p, items, nil)
	empty := emptyTiers(&body)
	if len(empty) == 0 {
		return nil
	}
	return apperr.InvalidField("series", "contains no item of the tier "+strings.Join(empty, " or ")+leftOutNote(elsewhere)).WithDetails(suggestion{})
}
