package packs

import (
	"encoding/json"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
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

// change is what was asked for, as if it were a change of nothing.
func (in *packInput) change() Change {
	b := in.Body
	shares := b.LootTableJSON.Rarities
	if shares == nil {
		shares = map[string]json.Number{}
	}
	return Change{
		Name: &b.Name, PriceCents: &b.PriceCents, CoverImageURL: &b.CoverImageURL, Supply: b.Supply, Series: b.Series,
		LootTableJSON: &lootChange{Rarities: shares, ItemsPerPack: &b.LootTableJSON.ItemsPerPack},
	}
}

// blank is what a new pack begins as.
func blank() Pack {
	return Pack{Series: []string{}, Supply: Unlimited, New: true, OddsUnit: wholeShare, Definition: Definition{LootTable: &LootTable{}}}
}

// create makes a pack whose tiers are the rarities of its loot table, each with the
// active items of that rarity in its series, and publishes its manifest. The answer
// names what it leaves out. The refusal of one that its series cannot fill, or that
// would lose money, carries what would pass.
func (s *Service) create(tx *db.Tx, admin httpkit.Principal, in *packInput) (MadePackView, error) {
	p, refused := blank(), apperr.Fields{}
	in.change().apply(&p, refused)
	checkLoss(in.Body.AcceptedLossCents, refused)
	if err := refused.Err(); err != nil {
		return MadePackView{}, err
	}
	if err := Publishing(tx); err != nil {
		return MadePackView{}, err
	}
	p.ID = tx.NewID()
	if s.alone(in.Body.AcceptedLossCents) {
		p.AcceptedLoss = in.Body.AcceptedLossCents
	}
	waiting, err := s.introduce(tx, p, in, admin.UserID)
	if err != nil {
		return MadePackView{}, withFits(tx, p, err)
	}
	view, err := s.made(tx, p.ID)
	view.Approval = waiting
	in.Changed(adminlog.Change{Subject: subject(p.ID), After: view.Wanted})
	return view, err
}

// checkLoss refuses more than may be accepted; who looks after a pack has Unlimited.
func checkLoss(loss *int64, refused apperr.Fields) {
	if loss == nil {
		return
	}
	if err := apperr.Within("acceptedLossCents", *loss, 0, int64(policy.HighestAcceptedLoss)); err != nil {
		refused.Add(apperr.As(err).Fields)
	}
}

// introduce adds the pack that was asked for, and puts it on sale unless it should
// not be, or has to wait for a second admin.
func (s *Service) introduce(tx *db.Tx, p Pack, in *packInput, admin string) (waiting *approval.Waiting, err error) {
	if err := checkFilled(tx, p); err != nil {
		return nil, err
	}
	if err := s.Add(tx, p); err != nil {
		return nil, err
	}
	loss, onSale := in.Body.AcceptedLossCents, in.Body.IsActive == nil || *in.Body.IsActive
	if !s.alone(loss) {
		return askForLoss(tx, accepted{PackID: p.ID, AcceptedLossCents: *loss, StaysOffSale: !onSale}, admin, "")
	}
	if !onSale {
		return nil, nil
	}
	return nil, s.putOnSale(tx, p.ID)
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
func (d Definition) stock() (came []protocol.Restock) {
	if d.Stock == 0 {
		return nil
	}
	for _, tier := range d.Tiers {
		for _, id := range tier.Items {
			came = append(came, protocol.Restock{Card: id, Count: d.Stock})
		}
	}
	return came
}
