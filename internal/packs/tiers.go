package packs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kaibao/internal/catalogue"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// Definition assigns a pack's items to tiers: by value, by item id, or by rarity.
type Definition struct {
	Tiers        []TierRule `json:"tiers,omitempty"`
	LootTable    *LootTable `json:"lootTable,omitempty"`
	InitialStock int64      `json:"stock,omitempty"` // of each named item; 0 = none is set, so the items never run out
	Sealing      Sealing    `json:"sealing,omitempty"`
}

// TierRule describes one tier. It takes items with a value in [Low, High), and only those in Items
// if that is set.
type TierRule struct {
	Label  string      `json:"label"`
	Weight uint64      `json:"weight"`
	Low    money.Cents `json:"lowCents"`
	High   money.Cents `json:"highCents"`
	Items  []string    `json:"items,omitempty"`
}

// LootTable maps rarities to shares of the draws (specification, section 5).
type LootTable struct {
	// Shares are kept as decimal text so that their sum is exact.
	Rarities     map[string]json.Number `json:"rarities" doc:"Share of each rarity, with at most 6 decimals. They add up to 1."`
	ItemsPerPack int64                  `json:"itemsPerPack" minimum:"1" maximum:"20"`
}

// rules returns one tier rule per rarity.
func (t LootTable) rules() (rules []TierRule) {
	for _, rarity := range catalogue.Rarities {
		if share, ok := t.Rarities[rarity]; ok {
			weight, _ := parseShare(share) // checked when the pack was created
			rules = append(rules, TierRule{Label: rarity, Weight: weight})
		}
	}
	return rules
}

// labels returns the labels that the pack's tiers can have.
func (d Definition) labels() []string {
	if d.LootTable != nil {
		return catalogue.Rarities
	}
	labels := make([]string, len(d.Tiers))
	for n, tier := range d.Tiers {
		labels[n] = tier.Label
	}
	return labels
}

func (d Definition) tierNoun() string {
	if d.LootTable != nil {
		return "rarity"
	}
	return "tier"
}

// shares returns the shares of a pack by rarity; nil for a pack by value, whose tiers have weights.
func (d Definition) shares() map[string]json.Number {
	if d.LootTable == nil {
		return nil
	}
	return d.LootTable.Rarities
}

// setShares sets the shares of the pack's tiers; nil leaves the weights of a pack by value
// unchanged.
func (p *Pack) setShares(shares map[string]json.Number) {
	if p.Definition.LootTable != nil {
		p.Definition.LootTable = &LootTable{Rarities: shares, ItemsPerPack: p.ItemsPerPack}
		return
	}
	if shares == nil {
		return
	}
	p.Definition.Tiers = slices.Clone(p.Definition.Tiers)
	for n, tier := range p.Definition.Tiers {
		p.Definition.Tiers[n].Weight, _ = parseShare(shares[tier.Label]) // see sharesProblem
	}
}

// oddsUnit returns the weight that counts as 100 % in a manifest of the pack: fullWeight if its
// weights add up to that, else the pack's own OddsUnit.
func (p Pack) oddsUnit(m *protocol.Manifest) int64 {
	var sum uint64
	for _, tier := range m.Tiers {
		sum += tier.Weight
	}
	if sum == fullWeight {
		return fullWeight
	}
	return p.OddsUnit
}

const (
	// shareDecimals is the number of decimals in a share; fullWeight is the weight of a share of 1.
	shareDecimals = 6
	fullWeight    = 1_000_000
)

// parseShare converts a share to a weight exactly: 0.25 becomes 250000. It accepts no exponent or
// sign, no value above 1, and no more than six decimals.
func parseShare(share json.Number) (weight uint64, ok bool) {
	whole, fraction, _ := strings.Cut(string(share), ".")
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > shareDecimals {
		return 0, false
	}
	fraction += strings.Repeat("0", shareDecimals-len(fraction))
	weight, err := strconv.ParseUint(whole+fraction, 10, 64)
	return weight, err == nil && weight <= fullWeight
}

// formatShare formats a weight as a share: 990000 becomes 0.99.
func formatShare(weight uint64) string {
	fraction := strings.TrimRight(fmt.Sprintf("%0*d", shareDecimals, weight%fullWeight), "0")
	return strings.TrimSuffix(fmt.Sprintf("%d.%s", weight/fullWeight, fraction), ".")
}

// sharesProblem returns why shares are invalid, or an empty string. labels lists the existing
// tiers, and tierNoun is what the message calls them.
func sharesProblem(shares map[string]json.Number, labels []string, tierNoun string) string {
	var sum uint64
	for _, label := range slices.Sorted(maps.Keys(shares)) {
		weight, ok := parseShare(shares[label])
		switch {
		case !slices.Contains(labels, label):
			return "has no " + tierNoun + " " + label
		case !ok:
			return "must be decimals from 0 to 1 with at most 6 digits after the point"
		}
		sum += weight
	}
	if sum != fullWeight {
		return fmt.Sprintf("must add up to 1, not %s", formatShare(sum))
	}
	return ""
}
