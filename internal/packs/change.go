package packs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/imageproxy"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// PackChange is an admin's change to a pack; omitted fields keep their value.
type PackChange struct {
	Name          *string      `json:"name,omitempty" maxLength:"60"`
	PriceCents    *money.Cents `json:"priceCents,omitempty" minimum:"1" maximum:"10000000"`
	CoverImageURL *string      `json:"coverImageUrl,omitempty" maxLength:"2000" doc:"Empty = the cover is drawn."`
	LootTableJSON *lootChange  `json:"lootTableJson,omitempty"`
	Supply        *int64       `json:"supply,omitempty" minimum:"-1" maximum:"1000000000" doc:"How many can be sold in all; -1 = no limit."`
	Series        []string     `json:"series,omitempty" maxItems:"50" doc:"What it draws from; an empty list = everything."`
}

// lootChange is an admin's change to a pack's odds.
type lootChange struct {
	Rarities     map[string]json.Number `json:"rarities,omitempty" doc:"The share of each rarity, or of each tier by its label where the pack draws by value, with at most 6 decimals; together they are exactly 1."`
	ItemsPerPack *int64                 `json:"itemsPerPack,omitempty" minimum:"1" maximum:"20"`
}

// apply makes the change and validates the result. Creating, editing and previewing a pack all use
// it, so they have the same rules.
func (c PackChange) apply(p *Pack, refused apperr.Fields) {
	if c.Name != nil {
		p.Name = strings.TrimSpace(*c.Name)
	}
	p.Price = *cmp.Or(c.PriceCents, &p.Price)
	if c.CoverImageURL != nil {
		p.CoverImageURL = strings.TrimSpace(*c.CoverImageURL)
	}
	p.Supply = *cmp.Or(c.Supply, &p.Supply)
	if c.Series != nil {
		p.Series = slices.Clone(c.Series)
	}
	if c.LootTableJSON != nil {
		c.LootTableJSON.apply(p, refused)
	}
	p.check(refused)
}

func (c lootChange) apply(p *Pack, refused apperr.Fields) {
	p.ItemsPerPack = *cmp.Or(c.ItemsPerPack, &p.ItemsPerPack)
	if c.Rarities == nil {
		p.setShares(p.Definition.shares())
		return
	}
	if why := sharesProblem(c.Rarities, p.Definition.labels(), p.Definition.tierNoun()); why != "" {
		refused["lootTableJson.rarities"] = why
	}
	p.setShares(c.Rarities)
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

// check refuses invalid or out-of-range terms.
func (p Pack) check(refused apperr.Fields) {
	const noName = "must be a name, not a number or a price"
	if !catalogue.IsName(p.Name) {
		refused["name"] = noName
	}
	if n := slices.IndexFunc(p.Series, func(series string) bool {
		return !catalogue.IsName(series) || utf8.RuneCountInString(series) > policy.LongestSeries
	}); n >= 0 {
		refused[fmt.Sprintf("series[%d]", n)] = noName
	}
	if why := imageproxy.Refusal(p.CoverImageURL); why != "" {
		refused["coverImageUrl"] = why
	}
	for _, err := range []error{
		apperr.Short("name", p.Name, policy.LongestPackName), apperr.Within("priceCents", int64(p.Price), 1, int64(policy.HighestPackPrice)),
		apperr.Within("supply", p.Supply, Unlimited, policy.MostSupply), apperr.Within("series", int64(len(p.Series)), 0, policy.MostSeries),
		apperr.Short("coverImageUrl", p.CoverImageURL, policy.LongestPicture),
		apperr.Within("lootTableJson.itemsPerPack", p.ItemsPerPack, 1, policy.MostItemsPerPack),
	} {
		if err != nil {
			refused.Add(apperr.As(err).Fields)
		}
	}
}

// drawDiffers reports whether the price or the draw of an open differs from before.
func (p Pack) drawDiffers(before Pack) bool {
	return p.Price != before.Price || p.ItemsPerPack != before.ItemsPerPack || p.tiersDiffer(before)
}

// tiersDiffer reports whether the series, tiers or weights differ from before.
func (p Pack) tiersDiffer(before Pack) bool {
	now, then := buildManifest(p, nil, nil), buildManifest(before, nil, nil)
	return !slices.Equal(p.Series, before.Series) ||
		!slices.EqualFunc(now.Tiers, then.Tiers, func(a, b protocol.Tier) bool { return a.Label == b.Label && a.Weight == b.Weight })
}
