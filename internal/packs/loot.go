package packs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kaibao/internal/catalogue"
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

// whyNot says why shares say nothing, or not what happens to each draw; empty = they do.
// labels are of the tiers that there are, which are rarities or what the pack calls them.
func whyNot(shares map[string]json.Number, labels []string, kind string) string {
	var sum uint64
	for _, label := range slices.Sorted(maps.Keys(shares)) {
		weight, ok := weightOf(shares[label])
		switch {
		case !slices.Contains(labels, label):
			return "has no " + kind + " " + label
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
