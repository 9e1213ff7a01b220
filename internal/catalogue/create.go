package catalogue

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/money"
)

type itemInput struct {
	httpkit.Idempotent
	Body struct {
		Name           string      `json:"name" maxLength:"200"`
		Series         string      `json:"series" maxLength:"64"`
		Rarity         string      `json:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
		Grade          *float64    `json:"grade,omitempty" nullable:"true" minimum:"1" maximum:"10" multipleOf:"0.5" doc:"Without it the item is not graded."`
		ImageURL       string      `json:"imageUrl,omitempty" maxLength:"2000" doc:"Without it the picture is drawn."`
		BaseValueCents money.Cents `json:"baseValueCents" minimum:"1" maximum:"100000000"`
	}
}

// check refuses what the call's schema refuses, whoever asks.
func (in *itemInput) check() error {
	b := in.Body
	if !slices.Contains(Rarities, b.Rarity) {
		return fault.InvalidField("rarity", "must be one of "+strings.Join(Rarities, ", "))
	}
	if b.Grade != nil && (*b.Grade < 1 || *b.Grade > 10 || *b.Grade*2 != math.Trunc(*b.Grade*2)) {
		return fault.InvalidField("grade", "must be from 1 to 10, in steps of 0.5")
	}
	return cmp.Or(
		fault.Short("name", b.Name, 200), fault.Short("series", b.Series, 64), fault.Short("imageUrl", b.ImageURL, 2000),
		fault.Within("baseValueCents", int64(b.BaseValueCents), 1, 1_000_000_00))
}

// createItem adds an item. Packs made from now on can hold it; a published
// manifest stays as it is.
func createItem(tx *db.Tx, in *itemInput) (ItemView, error) {
	b := in.Body
	if err := in.check(); err != nil {
		return ItemView{}, err
	}
	item := Item{
		ID: tx.NewID(), Name: strings.TrimSpace(b.Name), Series: strings.TrimSpace(b.Series), Rarity: b.Rarity,
		ImageURL: b.ImageURL, BaseValue: b.BaseValueCents, Active: true,
	}
	if b.Grade != nil {
		item.GradeTenths = int64(math.Round(*b.Grade * 10))
	}
	switch {
	case !telling(item.Name):
		return ItemView{}, fault.InvalidField("name", "must be a name, not a number or a price")
	case !telling(item.Series):
		return ItemView{}, fault.InvalidField("series", "must be a name")
	}
	if err := checkPicture("imageUrl", item.ImageURL); err != nil {
		return ItemView{}, err
	}
	return item.View(), insertItem(tx, item)
}

// telling tells whether a text is a name that people can read: on one line, with
// a letter in it.
func telling(text string) bool {
	return strings.ContainsFunc(text, unicode.IsLetter) && !strings.ContainsFunc(text, unicode.IsControl)
}

// checkPicture takes an address on the web, or a path of our own.
func checkPicture(field, address string) error {
	u, err := url.Parse(address)
	if err == nil {
		onWeb := u.Scheme == "https" && u.Host != ""
		ours := u.Scheme == "" && u.Host == "" && strings.HasPrefix(address, "/")
		if address == "" || onWeb || ours {
			return nil
		}
	}
	return fault.InvalidField(field, "must begin with https:// or be a path of this server")
}

type packInput struct {
	httpkit.Idempotent
	Body struct {
		Name              string      `json:"name" maxLength:"60"`
		PriceCents        money.Cents `json:"priceCents" minimum:"1" maximum:"10000000"`
		CoverImageURL     string      `json:"coverImageUrl,omitempty" maxLength:"2000" doc:"Without it the cover is drawn."`
		LootTableJSON     LootTable   `json:"lootTableJson"`
		Supply            *int64      `json:"supply,omitempty" minimum:"-1" maximum:"1000000000" doc:"How many can be sold in all; without it or at -1 there is no limit."`
		IsActive          *bool       `json:"isActive,omitempty" doc:"On sale at once, if the margin guard lets it; so it is unless this is false."`
		Series            []string    `json:"series,omitempty" maxItems:"50" doc:"What it draws from; none = everything."`
		AcceptedLossCents *int64      `json:"acceptedLossCents,omitempty" minimum:"1" maximum:"100000000000" doc:"What the pack may lose when it is expected to pay back more than it costs."`
	}
}

// check refuses what the call's schema refuses, whoever asks, and names that say nothing.
func (in *packInput) check() error {
	b := in.Body
	supply, loss := cmp.Or(b.Supply, new(int64(Unlimited))), cmp.Or(b.AcceptedLossCents, new(int64(1)))
	switch {
	case !telling(b.Name):
		return fault.InvalidField("name", "must be a name, not a number")
	case slices.ContainsFunc(b.Series, func(series string) bool { return !telling(series) || len(series) > 200 }):
		return fault.InvalidField("series", "must be names")
	case *supply == 0:
		return fault.InvalidField("supply", "must be at least 1, or -1 for no limit")
	}
	return cmp.Or(
		fault.Short("name", b.Name, 60), fault.Within("priceCents", int64(b.PriceCents), 1, 100_000_00),
		fault.Within("supply", *supply, Unlimited, 1_000_000_000), fault.Within("series", int64(len(b.Series)), 0, 50),
		fault.Within("acceptedLossCents", *loss, 1, 1_000_000_000_00), fault.Short("coverImageUrl", b.CoverImageURL, 2000),
		checkPicture("coverImageUrl", b.CoverImageURL))
}

// createPack makes a pack whose tiers are the rarities of its loot table, each
// with the active items of that rarity in its series, and publishes its manifest.
// The answer names what it leaves out.
func (c *Catalogue) createPack(tx *db.Tx, in *packInput) (NewPackView, error) {
	b := in.Body
	if err := in.check(); err != nil {
		return NewPackView{}, err
	}
	unit, err := b.LootTableJSON.check()
	if err != nil {
		return NewPackView{}, err
	}
	supply := int64(Unlimited)
	if b.Supply != nil {
		supply = *b.Supply
	}
	position, err := nextPosition(tx)
	if err != nil {
		return NewPackView{}, err
	}
	p := Pack{
		ID: tx.NewID(), Position: position, Name: strings.TrimSpace(b.Name), Series: append([]string{}, b.Series...), Price: b.PriceCents,
		CoverImageURL: b.CoverImageURL, ItemsPerPack: b.LootTableJSON.ItemsPerPack, Supply: supply, New: true,
		OddsUnit: unit, Definition: Definition{LootTable: &b.LootTableJSON},
	}
	if err := c.checkFilled(tx, p); err != nil {
		return NewPackView{}, err
	}
	if err := insertPack(tx, p); err != nil {
		return NewPackView{}, err
	}
	if err := c.Publish(tx, p.ID); err != nil {
		return NewPackView{}, err
	}
	if b.IsActive == nil || *b.IsActive {
		if err := c.Activate(tx, p.ID, b.AcceptedLossCents); err != nil {
			return NewPackView{}, err
		}
	}
	if p, err = findPack(tx, p.ID); err != nil {
		return NewPackView{}, err
	}
	view, _, _, err := c.view(tx, p)
	if err != nil {
		return NewPackView{}, err
	}
	left, err := leftOut(tx, p)
	return NewPackView{PackView: view, LeftOut: left}, err
}

// mostItems is the most that a pack may yield.
const mostItems = 100

// check refuses shares that say nothing, and gives their sum in the weights'
// unit, a millionth.
func (t LootTable) check() (unit int64, err error) {
	if t.ItemsPerPack < 1 || t.ItemsPerPack > mostItems {
		return 0, fault.InvalidField("lootTableJson.itemsPerPack", "must be from 1 to 100")
	}
	for rarity, share := range t.Rarities {
		if !slices.Contains(Rarities, rarity) {
			return 0, fault.InvalidField("lootTableJson.rarities", "has no rarity "+rarity)
		}
		if share < 0 || share > 1e6 {
			return 0, fault.InvalidField("lootTableJson.rarities", "must have shares from 0 to 1000000")
		}
		unit += int64(math.Round(share * 1e6))
	}
	if unit == 0 {
		return 0, fault.InvalidField("lootTableJson.rarities", "must give some rarity a share")
	}
	return unit, nil
}

// checkFilled refuses a pack that could draw nothing: a rarity with a share has
// no item in the pack's series.
func (c *Catalogue) checkFilled(tx *db.Tx, p Pack) error {
	items, err := itemsOf(tx, p)
	if err != nil {
		return err
	}
	for rarity, share := range p.Definition.LootTable.Rarities {
		if share > 0 && !slices.ContainsFunc(items, func(i Item) bool { return i.Rarity == rarity }) {
			why, err := whyLacking(tx, p)
			if err != nil {
				return err
			}
			return fault.InvalidField("lootTableJson.rarities", "there is no "+rarity+" item in these series"+why)
		}
	}
	return nil
}
