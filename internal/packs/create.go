package packs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/money"
	"kaibao/internal/picture"
	"kaibao/internal/terms"
)

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

// create makes a pack whose tiers are the rarities of its loot table, each with the
// active items of that rarity in its series, and publishes its manifest. The answer
// names what it leaves out. The refusal of one that its series cannot fill, or that
// would lose money, carries what would pass.
func (s *Service) create(tx *db.Tx, _ httpkit.Principal, in *packInput) (NewPackView, error) {
	if err := in.check(); err != nil {
		return NewPackView{}, err
	}
	p := in.pack()
	if err := p.check(); err != nil {
		return NewPackView{}, err
	}
	p.ID = tx.NewID()
	if err := s.introduce(tx, p, in); err != nil {
		return NewPackView{}, withFits(tx, p, err)
	}
	deck, err := s.Deck(tx, p.ID)
	if err != nil {
		return NewPackView{}, err
	}
	left, err := leftOut(tx, p)
	return NewPackView{PackView: deck.view(), LeftOut: left}, err
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
	refused := fault.Fields{}
	if !catalogue.IsName(p.Name) {
		refused["name"] = "must be a name, not a number or a price"
	}
	if n := slices.IndexFunc(p.Series, func(series string) bool { return !catalogue.IsName(series) }); n >= 0 {
		refused[fmt.Sprintf("series[%d]", n)] = "must be a name, not a number or a price"
	}
	if why := picture.Refusal(p.CoverImageURL); why != "" {
		refused["coverImageUrl"] = why
	}
	p.Definition.LootTable.check(refused)
	return refused.Err()
}

// introduce adds the pack that was asked for, and puts it on sale unless it should
// not be.
func (s *Service) introduce(tx *db.Tx, p Pack, in *packInput) error {
	if err := checkFilled(tx, p); err != nil {
		return err
	}
	if err := s.Add(tx, p); err != nil {
		return err
	}
	if in.Body.IsActive != nil && !*in.Body.IsActive {
		return nil
	}
	return s.Activate(tx, p.ID, in.Body.AcceptedLossCents)
}

// Add writes down a new pack behind the last of the store and publishes its manifest,
// with the stock that the pack begins with.
func (s *Service) Add(tx *db.Tx, p Pack) error {
	if err := insert(tx, p); err != nil {
		return err
	}
	return s.Publish(tx, p.ID, p.Definition.stock()...)
}

// stock is what comes in with the pack.
func (d Definition) stock() (came []fair.Restock) {
	if d.Stock == 0 {
		return nil
	}
	for _, tier := range d.Tiers {
		for _, id := range tier.Items {
			came = append(came, fair.Restock{Card: id, Count: d.Stock})
		}
	}
	return came
}
