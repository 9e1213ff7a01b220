package packs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kaibao/internal/catalogue"
	"kaibao/internal/fault"
	"kaibao/internal/terms"
)

// LootTable gives every rarity its share of the draws (specification, section 5).
type LootTable struct {
	// A share keeps its decimal text, so that the sum is exact.
	Rarities     map[string]json.Number `json:"rarities" doc:"The share of each rarity, with at most 6 decimals; together they are exactly 1."`
	ItemsPerPack int64                  `json:"itemsPerPack" minimum:"1" maximum:"20"`
}

const (
	// shareDecimals is how fine a share is; wholeShare is the weight of a share of 1.
	shareDecimals = 6
	wholeShare    = 1_000_000
)

// weightOf reads a share digit by digit: 0.25 is 250000. It takes no exponent,
// no sign, nothing above 1 and no seventh decimal.
func weightOf(share json.Number) (weight uint64, ok bool) {
	whole, fraction, _ := strings.Cut(string(share), ".")
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > shareDecimals {
		return 0, false
	}
	fraction += strings.Repeat("0", shareDecimals-len(fraction))
	weight, err := strconv.ParseUint(whole+fraction, 10, 64)
	return weight, err == nil && weight <= wholeShare
}

// rules makes a tier of each rarity.
func (t LootTable) rules() (rules []TierRule) {
	for _, rarity := range catalogue.Rarities {
		if share, ok := t.Rarities[rarity]; ok {
			weight, _ := weightOf(share) // checked when the pack was made
			rules = append(rules, TierRule{Label: rarity, Weight: weight})
		}
	}
	return rules
}

// check refuses shares that say nothing, or not what happens to each draw.
func (t LootTable) check(refused fault.Fields) {
	if t.ItemsPerPack < 1 || t.ItemsPerPack > terms.MostItemsPerPack {
		refused["lootTableJson.itemsPerPack"] = fmt.Sprintf("must be from 1 to %d", terms.MostItemsPerPack)
	}
	if why := t.checkShares(); why != "" {
		refused["lootTableJson.rarities"] = why
	}
}

func (t LootTable) checkShares() (why string) {
	var sum uint64
	for rarity, share := range t.Rarities {
		weight, ok := weightOf(share)
		switch {
		case !slices.Contains(catalogue.Rarities, rarity):
			return "has no rarity " + rarity
		case !ok:
			return "must be decimals from 0 to 1 with at most 6 digits after the point"
		}
		sum += weight
	}
	if sum != wholeShare {
		return fmt.Sprintf("are %s together and must be 1", decimal(sum))
	}
	return ""
}

// decimal writes a weight as the share it stands for: 990000 is 0.99.
func decimal(weight uint64) string {
	fraction := strings.TrimRight(fmt.Sprintf("%0*d", shareDecimals, weight%wholeShare), "0")
	return strings.TrimSuffix(fmt.Sprintf("%d.%s", weight/wholeShare, fraction), ".")
}

// missing names the rarities that have a share and no item.
func (t LootTable) missing(items []catalogue.Item) (rarities []string) {
	for _, rule := range t.rules() {
		if rule.Weight > 0 && !slices.ContainsFunc(items, func(i catalogue.Item) bool { return i.Rarity == rule.Label }) {
			rarities = append(rarities, rule.Label)
		}
	}
	return rarities
}
