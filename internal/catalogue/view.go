package catalogue

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"

	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/money"
	"kaibao/internal/picture"
)

// Text is a text in both languages.
type Text struct {
	EN string `json:"en"`
	ZH string `json:"zh"`
}

// NewPackView is a pack just made, with what it cannot draw.
type NewPackView struct {
	PackView
	LeftOut []LeftOut `json:"leftOut" nullable:"false" doc:"Items of its series whose limited stock is another pack's: each stands in one pack only."`
}

// ItemView is an item as the contract writes it.
type ItemView struct {
	ID             string      `json:"id"`
	Name           string      `json:"name"`
	Series         string      `json:"series"`
	Rarity         string      `json:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
	Grade          *float64    `json:"grade" nullable:"true"`
	CertType       string      `json:"certType"`
	CertNumber     string      `json:"certNumber"`
	BaseValueCents money.Cents `json:"baseValueCents"`
	ImageURL       string      `json:"imageUrl"`
}

// View shows an item.
func (i Item) View() ItemView {
	return ItemView{
		ID: i.ID, Name: i.Name, Series: i.Series, Rarity: i.Rarity, Grade: i.Grade(), CertType: i.CertType,
		CertNumber: i.CertNumber, BaseValueCents: i.BaseValue, ImageURL: i.Picture(),
	}
}

// Grade is 1 to 10 in steps of a half, or nil for an item that is not graded.
func (i Item) Grade() *float64 {
	if i.GradeTenths == 0 {
		return nil
	}
	grade := float64(i.GradeTenths) / 10
	return &grade
}

// Picture is the address of the item's picture: its own, or the drawn art,
// which changes its address whenever it would look different.
func (i Item) Picture() string {
	if i.ImageURL != "" {
		return picture.Path(picture.Thing, i.ImageURL)
	}
	return "/media/items/" + i.ID + ".svg?v=" + version(i.ID, i.Name, i.Series, i.Rarity, i.CertType, i.CertNumber, i.GradeTenths)
}

// Cover is the address of the pack's picture.
func (p Pack) Cover() string {
	if p.CoverImageURL != "" {
		return picture.Path(picture.Thing, p.CoverImageURL)
	}
	return "/media/packs/" + p.ID + ".svg?v=" + version(p.ID, p.Name, p.Series)
}

// artVersion is raised with every change of what is drawn, so that no browser
// keeps an old picture.
const artVersion = 1

func version(facts ...any) string {
	sum := sha256.Sum256(fmt.Append(nil, artVersion, facts))
	return hex.EncodeToString(sum[:4])
}

// PackView is a pack as the contract writes it.
type PackView struct {
	ID                       string      `json:"id"`
	Name                     string      `json:"name"`
	Description              Text        `json:"description"`
	Series                   []string    `json:"series" nullable:"false" doc:"What it draws from; none = everything."`
	PriceCents               money.Cents `json:"priceCents"`
	Price                    string      `json:"price" example:"$25.00"`
	CoverImageURL            string      `json:"coverImageUrl"`
	ItemsPerPack             int64       `json:"itemsPerPack"`
	Supply                   int64       `json:"supply" doc:"How many can be sold in all; -1 = unlimited."`
	Sold                     *int64      `json:"sold" nullable:"true" doc:"Counted only where the supply is limited."`
	IsActive                 bool        `json:"isActive" doc:"On sale, and not paused by the margin guard."`
	SoldOut                  bool        `json:"soldOut" doc:"The supply is used up, or too few cards are left for a whole open."`
	IsNew                    bool        `json:"isNew"`
	IsDemo                   bool        `json:"isDemo" doc:"A demo pack: the store does not show it."`
	ListedExpectedValueCents money.Cents `json:"listedExpectedValueCents"`
	ExpectedValueCents       money.Cents `json:"expectedValueCents" doc:"Computed from the manifest and the live stock."`
	LootTableJSON            *LootTable  `json:"lootTableJson,omitempty" doc:"Only of a pack that draws by rarity."`
	ManifestHash             string      `json:"manifestHash"`
}

// AdminPackView is a pack as admins see it, on sale or not.
type AdminPackView struct {
	PackView
	Paused string `json:"paused" doc:"Why the margin guard stopped it; empty = it did not."`
}

// TierView is a line of the odds panel.
type TierView struct {
	Label     string      `json:"label"`
	LowCents  money.Cents `json:"lowCents"`
	HighCents money.Cents `json:"highCents" doc:"Exclusive; 0 = no upper bound."`
	Weight    uint64      `json:"weight"`
	Published float64     `json:"published" doc:"The weight as a fraction of what the publisher calls 100 %."`
	Chance    float64     `json:"chance" doc:"The effective chance of the next card, after fallbacks."`
}

// PackDetail is a pack with its odds and its best cards.
type PackDetail struct {
	PackView
	Odds     []TierView `json:"odds" nullable:"false"`
	Showcase []ItemView `json:"showcase" nullable:"false"`
}

// view shows a pack by the manifest in force and the live stock.
func (c *Catalogue) view(tx *db.Tx, p Pack) (PackView, Published, fair.Stock, error) {
	current, _, err := c.InForce(tx, p.ID)
	if err != nil {
		return PackView{}, Published{}, nil, err
	}
	var stock fair.Stock
	if current.Manifest.Finite() {
		if stock, err = Stock(tx, p.ID); err != nil {
			return PackView{}, Published{}, nil, err
		}
	}
	v := PackView{
		ID: p.ID, Name: p.Name, Description: Text{EN: p.DescriptionEN, ZH: p.DescriptionZH},
		Series: slices.Clone(p.Series), PriceCents: p.Price, Price: "$" + p.Price.String(), CoverImageURL: p.Cover(),
		ItemsPerPack: p.ItemsPerPack, Supply: p.Supply, IsActive: p.Active && p.Paused == "", IsNew: p.New, IsDemo: p.Demo,
		SoldOut:                  p.supplyUsedUp() || fair.SoldOut(current.Manifest, stock),
		ListedExpectedValueCents: p.ListedExpected, ExpectedValueCents: fair.ExpectedValue(current.Manifest, stock),
		LootTableJSON: p.Definition.LootTable, ManifestHash: current.Hash.String(),
	}
	if p.Supply != Unlimited {
		v.Sold = &p.Sold
	}
	return v, current, stock, nil
}

func (c *Catalogue) detail(tx *db.Tx, p Pack) (PackDetail, error) {
	v, current, stock, err := c.view(tx, p)
	if err != nil {
		return PackDetail{}, err
	}
	d := PackDetail{PackView: v, Odds: []TierView{}, Showcase: []ItemView{}}
	for _, t := range fair.Odds(current.Manifest, stock) {
		if t.Weight == 0 && t.Chance == 0 {
			continue
		}
		d.Odds = append(d.Odds, TierView{
			Label: t.Label, LowCents: t.Low, HighCents: t.High, Weight: t.Weight,
			Published: float64(t.Weight) / float64(p.OddsUnit), Chance: t.Chance,
		})
	}
	for _, card := range showcase(p, current.Manifest, stock) {
		item, err := FindItem(tx, card.ID)
		if err != nil {
			return PackDetail{}, err
		}
		if p.ID == baseBox && item.Rarity != "Grail" {
			continue
		}
		item.BaseValue = card.Value
		d.Showcase = append(d.Showcase, item.View())
	}
	return d, nil
}

// The toy boxes present their items by rules of their own.
const (
	baseBox   = "7"
	deluxeBox = "8"
)

// showcase picks the cards to present among those that can really be pulled
// (specification, section 9): the top ten by value; of the base box the grails,
// of the deluxe box the top six with the seventh in the second place.
func showcase(p Pack, m *fair.Manifest, stock fair.Stock) []fair.Card {
	switch p.ID {
	case baseBox:
		return fair.Showcase(m, stock, math.MaxInt)
	case deluxeBox:
		top := fair.Showcase(m, stock, 7)
		if len(top) == 7 {
			top[1] = top[6]
			top = top[:6]
		}
		return top
	default:
		return fair.Showcase(m, stock, 10)
	}
}
