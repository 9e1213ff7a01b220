package packs

import (
	"encoding/json"

	"kaibao/internal/action"
	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
)

type packInput struct {
	action.Idempotent
	Body struct {
		Name              string      `json:"name" maxLength:"60"`
		NameZH            string      `json:"nameZh,omitempty" maxLength:"60" doc:"Chinese name; leave it out for none."`
		PriceCents        money.Cents `json:"priceCents" minimum:"1" maximum:"10000000"`
		CoverImageURL     string      `json:"coverImageUrl,omitempty" maxLength:"2000" doc:"Leave it out for a generated cover."`
		LootTableJSON     LootTable   `json:"lootTableJson"`
		Supply            *int64      `json:"supply,omitempty" minimum:"-1" maximum:"1000000000" doc:"Maximum number of opens ever. 0 = sold out; -1 or left out = unlimited."`
		IsActive          *bool       `json:"isActive,omitempty" doc:"Put it on sale at once, if the margin guard allows it. Default: true."`
		Sealing           *Sealing    `json:"sealing,omitempty" enum:"instant,choice,sealed" doc:"instant = drawn at once; choice = as the player chooses; sealed = always with a later round of a public beacon. Default: sealed if the supply is limited or the best card is worth at least 20 times the price, otherwise instant."`
		Series            []string    `json:"series,omitempty" maxItems:"50" doc:"Series to draw from; none = all."`
		AcceptedLossCents *int64      `json:"acceptedLossCents,omitempty" minimum:"1" maximum:"100000000000" doc:"Maximum loss if the pack is expected to return more than it costs."`
	}
}

// change converts the request to a change of a blank pack.
func (in *packInput) change() PackChange {
	b := in.Body
	shares := b.LootTableJSON.Rarities
	if shares == nil {
		shares = map[string]json.Number{}
	}
	return PackChange{
		Name: &b.Name, NameZH: &b.NameZH, PriceCents: &b.PriceCents, CoverImageURL: &b.CoverImageURL, Supply: b.Supply, Series: b.Series, Sealing: b.Sealing,
		LootTableJSON: &lootChange{Rarities: shares, ItemsPerPack: &b.LootTableJSON.ItemsPerPack},
	}
}

// newPack returns the initial state of a new pack.
func newPack() Pack {
	return Pack{Series: []string{}, Supply: Unlimited, New: true, OddsUnit: fullWeight, Definition: Definition{LootTable: &LootTable{}}}
}

// create makes a pack with one tier per rarity of its loot table, each holding the active items of
// that rarity in its series, and publishes its manifest. The response lists the items left out. If
// the series can't fill a tier, or the margin guard refuses the pack, the error suggests what would
// pass.
func (s *Service) create(tx *db.Tx, admin httpapi.Principal, in *packInput) (MadePackView, error) {
	p, refused := newPack(), apperr.Fields{}
	in.change().apply(&p, refused)
	checkAcceptedLoss(in.Body.AcceptedLossCents, refused)
	if err := refused.Err(); err != nil {
		return MadePackView{}, err
	}
	if err := LockPublishing(tx); err != nil {
		return MadePackView{}, err
	}
	p.ID = tx.NewID()
	if s.withinSoloLimit(in.Body.AcceptedLossCents) {
		p.AcceptedLoss = in.Body.AcceptedLossCents
	}
	waiting, err := s.addAndSell(tx, p, in, admin.UserID)
	if err != nil {
		return MadePackView{}, withSuggestions(tx, p, err)
	}
	view, err := s.changedPackView(tx, p.ID)
	view.Approval = waiting
	in.Changed(adminlog.Change{Subject: logSubject(p.ID), After: view.Wanted})
	return view, err
}

// addAndSell adds the pack and puts it on sale, unless the request says otherwise or the loss needs
// a second admin.
func (s *Service) addAndSell(tx *db.Tx, p Pack, in *packInput, admin string) (waiting *approval.Waiting, err error) {
	if err := checkNoEmptyTiers(tx, p); err != nil {
		return nil, err
	}
	if p.Definition.Sealing == "" {
		p.Definition.Sealing, err = defaultSealing(tx, p)
		if err != nil {
			return nil, err
		}
	}
	if err := s.Add(tx, p); err != nil {
		return nil, err
	}
	loss, onSale := in.Body.AcceptedLossCents, in.Body.IsActive == nil || *in.Body.IsActive
	if !s.withinSoloLimit(loss) {
		return askForLoss(tx, lossRequest{PackID: p.ID, AcceptedLossCents: *loss, StaysOffSale: !onSale}, admin, "")
	}
	if !onSale {
		return nil, nil
	}
	return nil, s.putOnSale(tx, p.ID)
}

// Add inserts a new pack at the end of the store and publishes its manifest with its initial stock.
func (s *Service) Add(tx *db.Tx, p Pack) error {
	if err := insertPack(tx, p); err != nil {
		return err
	}
	return s.Publish(tx, p.ID, p.Definition.initialRestocks()...)
}
