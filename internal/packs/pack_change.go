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
	"kaibao/internal/db"
	"kaibao/internal/imageproxy"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// PackChange is an admin's change to a pack; omitted fields keep their value.
type PackChange struct {
	Name          *string      `json:"name,omitempty" maxLength:"60"`
	NameZH        *string      `json:"nameZh,omitempty" maxLength:"60" doc:"Chinese name, which applies immediately; empty = none."`
	PriceCents    *money.Cents `json:"priceCents,omitempty" minimum:"1" maximum:"10000000"`
	CoverImageURL *string      `json:"coverImageUrl,omitempty" maxLength:"2000" doc:"Empty for a generated cover."`
	LootTableJSON *lootChange  `json:"lootTableJson,omitempty"`
	Supply        *int64       `json:"supply,omitempty" minimum:"-1" maximum:"1000000000" doc:"Maximum number of opens ever; -1 = unlimited."`
	Sealing       *Sealing     `json:"sealing,omitempty" enum:"instant,choice,sealed" doc:"instant = drawn at once; choice = as the player chooses; sealed = always with a later round of a public beacon."`
	Series        []string     `json:"series,omitempty" maxItems:"50" doc:"Series to draw from; an empty list = all."`
}

// lootChange is an admin's change to a pack's odds.
type lootChange struct {
	Rarities     map[string]json.Number `json:"rarities,omitempty" doc:"Share of each rarity (or of each tier by label, if the pack draws by value), with at most 6 decimals. They must add up to 1."`
	ItemsPerPack *int64                 `json:"itemsPerPack,omitempty" minimum:"1" maximum:"20"`
}

// apply makes the change and validates the result. Creating, editing and previewing a pack all use
// it, so they have the same rules.
func (c PackChange) apply(p *Pack, refused apperr.Fields) {
	if c.Name != nil {
		p.Name = strings.TrimSpace(*c.Name)
	}
	if c.NameZH != nil {
		p.NameZH = strings.TrimSpace(*c.NameZH)
	}
	p.Price = *cmp.Or(c.PriceCents, &p.Price)
	if c.CoverImageURL != nil {
		p.CoverImageURL = strings.TrimSpace(*c.CoverImageURL)
	}
	p.Supply = *cmp.Or(c.Supply, &p.Supply)
	p.Definition.Sealing = *cmp.Or(c.Sealing, &p.Definition.Sealing)
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

// check refuses invalid or out-of-range terms.
func (p Pack) check(refused apperr.Fields) {
	const noName = "must be a name, not a number or a price"
	if !catalogue.IsName(p.Name) {
		refused["name"] = noName
	}
	if p.NameZH != "" && !catalogue.IsName(p.NameZH) {
		refused["nameZh"] = noName
	}
	if n := slices.IndexFunc(p.Series, func(series string) bool {
		return !catalogue.IsName(series) || utf8.RuneCountInString(series) > policy.MaxSeriesLength
	}); n >= 0 {
		refused[fmt.Sprintf("series[%d]", n)] = noName
	}
	if why := imageproxy.Refusal(p.CoverImageURL); why != "" {
		refused["coverImageUrl"] = why
	}
	for _, err := range []error{
		apperr.CheckMaxLength("name", p.Name, policy.MaxPackNameLength), apperr.CheckMaxLength("nameZh", p.NameZH, policy.MaxPackNameLength),
		apperr.CheckRange("priceCents", int64(p.Price), 1, int64(policy.MaxPackPrice)),
		apperr.CheckRange("supply", p.Supply, Unlimited, policy.MaxSupply), apperr.CheckRange("series", int64(len(p.Series)), 0, policy.MaxSeriesPerPack),
		apperr.CheckMaxLength("coverImageUrl", p.CoverImageURL, policy.MaxItemPictureURLLength),
		apperr.CheckRange("lootTableJson.itemsPerPack", p.ItemsPerPack, 1, policy.MaxItemsPerPack),
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

// termsDiffer reports whether the manifest or supply differs from before, stock aside.
func (p Pack) termsDiffer(before Pack) bool {
	return p.Name != before.Name || p.Supply != before.Supply || p.Definition.sealing() != before.Definition.sealing() || p.drawDiffers(before)
}

// tiersDiffer reports whether the series, tiers or weights differ from before.
func (p Pack) tiersDiffer(before Pack) bool {
	now, then := buildManifest(p, nil, nil), buildManifest(before, nil, nil)
	return !slices.Equal(p.Series, before.Series) ||
		!slices.EqualFunc(now.Tiers, then.Tiers, func(a, b protocol.Tier) bool { return a.Label == b.Label && a.Weight == b.Weight })
}

// logSubject returns a pack's subject in the admin log.
func logSubject(pack string) string { return "pack " + pack }

// applyAndRecount returns the pack with the changes applied and its new counters.
func (c PackChange) applyAndRecount(tx *db.Tx, before Pack, refused apperr.Fields) (after Pack, err error) {
	after = before
	c.apply(&after, refused)
	if err := recount(tx, before, &after); err != nil {
		return after, err
	}
	if after.Supply != Unlimited && after.Supply < after.Sold {
		refused["supply"] = fmt.Sprintf("must be at least %d, the number already sold", after.Sold)
	}
	return after, nil
}

// registerPicture allows the image proxy to fetch a new picture of an item or a pack; nil means
// that the picture is unchanged.
func registerPicture(tx *db.Tx, asked *string) error {
	if asked == nil {
		return nil
	}
	pictureURL := strings.TrimSpace(*asked)
	if imageproxy.Refusal(pictureURL) != "" {
		return nil
	}
	return imageproxy.Register(tx, imageproxy.Thing, pictureURL)
}
