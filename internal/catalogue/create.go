package catalogue

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/money"
	"kaibao/internal/terms"
)

type itemInput struct {
	httpkit.Idempotent
	Body struct {
		Name           string      `json:"name" maxLength:"200" doc:"Not a number or a price. A grader and a grade in it must be those given."`
		Series         string      `json:"series" maxLength:"64"`
		Rarity         string      `json:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
		Grade          *float64    `json:"grade,omitempty" nullable:"true" minimum:"1" maximum:"10" multipleOf:"0.5" doc:"Without it the item is not graded."`
		CertType       string      `json:"certType,omitempty" enum:"PSA,CGC" doc:"Who graded it; with a certNumber."`
		CertNumber     string      `json:"certNumber,omitempty" pattern:"^[0-9]{8,15}$" patternDescription:"8 to 15 digits" doc:"What the grader printed on the label; with a certType."`
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
		fault.Short("name", b.Name, terms.LongestItemName), fault.Short("series", b.Series, terms.LongestSeries), fault.Short("imageUrl", b.ImageURL, terms.LongestPicture),
		fault.Within("baseValueCents", int64(b.BaseValueCents), 1, int64(terms.HighestPrice)))
}

// createItem adds an item. Packs made from now on can hold it; a published
// manifest stays as it is.
func createItem(tx *db.Tx, in *itemInput) (ItemView, error) {
	if err := in.check(); err != nil {
		return ItemView{}, err
	}
	item := in.item()
	if err := item.check(); err != nil {
		return ItemView{}, err
	}
	item.ID = tx.NewID()
	return item.View(), insertItem(tx, item)
}

// item is what was asked for.
func (in *itemInput) item() Item {
	b := in.Body
	item := Item{
		Name: strings.TrimSpace(b.Name), Series: strings.TrimSpace(b.Series), Rarity: b.Rarity,
		CertType: b.CertType, CertNumber: b.CertNumber, ImageURL: b.ImageURL, BaseValue: b.BaseValueCents, Active: true,
	}
	if b.Grade != nil {
		item.GradeTenths = int64(math.Round(*b.Grade * 10))
	}
	return item
}

// check refuses an item that says nothing, or contradicts itself.
func (i Item) check() error {
	refused := refusals{}
	if !isName(i.Name) {
		refused["name"] = "must be a name, not a number or a price"
	}
	if !isName(i.Series) {
		refused["series"] = "must be a name, not a number or a price"
	}
	if !isPicture(i.ImageURL) {
		refused["imageUrl"] = notPicture
	}
	checkCertificate(i, refused)
	checkVerdict(i, refused)
	return refused.err()
}

const notPicture = "must begin with https:// or be a path of this server"

// isPicture takes an address on the web, a path of our own, or none.
func isPicture(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	onWeb := u.Scheme == "https" && u.Host != ""
	ours := u.Scheme == "" && u.Host == "" && strings.HasPrefix(address, "/")
	return address == "" || onWeb || ours
}

type packInput struct {
	httpkit.Idempotent
	Body struct {
		Name              string      `json:"name" maxLength:"60"`
		PriceCents        money.Cents `json:"priceCents" minimum:"1" maximum:"10000000"`
		CoverImageURL     string      `json:"coverImageUrl,omitempty" maxLength:"2000" doc:"Without it the cover is drawn."`
		LootTableJSON     LootTable   `json:"lootTableJson"`
		Supply            *int64      `json:"supply,omitempty" minimum:"-1" maximum:"1000000000" doc:"How many can be sold in all; at 0 it is sold out, without it or at -1 there is no limit."`
		IsActive          *bool       `json:"isActive,omitempty" doc:"On sale at once, if the margin guard lets it; so it is unless this is false."`
		Series            []string    `json:"series,omitempty" maxItems:"50" doc:"What it draws from; none = everything."`
		AcceptedLossCents *int64      `json:"acceptedLossCents,omitempty" minimum:"1" maximum:"100000000000" doc:"What the pack may lose when it is expected to pay back more than it costs."`
	}
}

// check refuses what the call's schema refuses, whoever asks.
func (in *packInput) check() error {
	b := in.Body
	supply, loss := cmp.Or(b.Supply, new(int64(Unlimited))), cmp.Or(b.AcceptedLossCents, new(int64(1)))
	if slices.ContainsFunc(b.Series, func(series string) bool { return len(series) > terms.LongestSeries }) {
		return fault.InvalidField("series", "must be names")
	}
	return cmp.Or(
		fault.Short("name", b.Name, terms.LongestPackName), fault.Within("priceCents", int64(b.PriceCents), 1, int64(terms.HighestPackPrice)),
		fault.Within("supply", *supply, Unlimited, terms.MostSupply), fault.Within("series", int64(len(b.Series)), 0, terms.MostSeries),
		fault.Within("acceptedLossCents", *loss, 1, int64(terms.HighestAcceptedLoss)), fault.Short("coverImageUrl", b.CoverImageURL, terms.LongestPicture))
}

// createPack makes a pack whose tiers are the rarities of its loot table, each
// with the active items of that rarity in its series, and publishes its manifest.
// The answer names what it leaves out. The refusal of one that its series cannot
// fill, or that would lose money, carries what would pass.
func (c *Catalogue) createPack(tx *db.Tx, in *packInput) (NewPackView, error) {
	if err := in.check(); err != nil {
		return NewPackView{}, err
	}
	p := in.pack()
	if err := p.check(); err != nil {
		return NewPackView{}, err
	}
	p.ID = tx.NewID()
	if err := c.introduce(tx, p, in); err != nil {
		return NewPackView{}, withFits(tx, p, err)
	}
	p, err := findPack(tx, p.ID)
	if err != nil {
		return NewPackView{}, err
	}
	view, _, _, err := c.view(tx, p)
	if err != nil {
		return NewPackView{}, err
	}
	left, err := leftOut(tx, p)
	return NewPackView{PackView: view, LeftOut: left}, err
}

// pack is what was asked for.
func (in *packInput) pack() Pack {
	b := in.Body
	p := Pack{
		Name: strings.TrimSpace(b.Name), Series: append([]string{}, b.Series...), Price: b.PriceCents,
		CoverImageURL: b.CoverImageURL, ItemsPerPack: b.LootTableJSON.ItemsPerPack, Supply: Unlimited, New: true,
		OddsUnit: wholeShare, Definition: Definition{LootTable: &b.LootTableJSON},
	}
	if b.Supply != nil {
		p.Supply = *b.Supply
	}
	return p
}

// check refuses a pack whose terms say nothing.
func (p Pack) check() error {
	refused := refusals{}
	if !isName(p.Name) {
		refused["name"] = "must be a name, not a number or a price"
	}
	if n := slices.IndexFunc(p.Series, func(series string) bool { return !isName(series) }); n >= 0 {
		refused[fmt.Sprintf("series[%d]", n)] = "must be a name, not a number or a price"
	}
	if !isPicture(p.CoverImageURL) {
		refused["coverImageUrl"] = notPicture
	}
	p.Definition.LootTable.check(refused)
	return refused.err()
}

// introduce writes down a new pack at the end of the store, publishes its
// manifest, and puts it on sale if that was asked for.
func (c *Catalogue) introduce(tx *db.Tx, p Pack, in *packInput) (err error) {
	if err := checkFilled(tx, p); err != nil {
		return err
	}
	if p.Position, err = nextPosition(tx); err != nil {
		return err
	}
	if err := insertPack(tx, p); err != nil {
		return err
	}
	if err := c.Publish(tx, p.ID); err != nil {
		return err
	}
	if in.Body.IsActive != nil && !*in.Body.IsActive {
		return nil
	}
	return c.Activate(tx, p.ID, in.Body.AcceptedLossCents)
}
