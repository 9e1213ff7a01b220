package packs

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

type itemEdit struct {
	httpkit.Idempotent
	ID   httpkit.PathID `path:"id"`
	Body struct {
		catalogue.Change
		BaseValueCents *money.Cents `json:"baseValueCents,omitempty" minimum:"1" maximum:"100000000" doc:"With a source and a reason."`
		Source         string       `json:"source,omitempty" maxLength:"64" doc:"Where the value is from, such as an auction house."`
		Reason         string       `json:"reason,omitempty" maxLength:"500" doc:"Why it is changed; of a value it stands in the history."`
		Restock        *restock     `json:"restock,omitempty"`
	}
}

// restock adds cards to an item's stock, or removes them.
type restock struct {
	Count  int64      `json:"count" minimum:"-1000000" maximum:"1000000" doc:"Below 0 that many are taken out."`
	PackID httpkit.ID `json:"packId,omitempty" doc:"The pack that draws them: of an item that has no stock yet."`
}

// apply returns the item with the requested changes.
func (in *itemEdit) apply(before catalogue.Item) (after catalogue.Item, err error) {
	after = in.Body.Of(before)
	refused := apperr.Fields{}
	if in.Body.BaseValueCents != nil {
		after.BaseValue = *in.Body.BaseValueCents
		if strings.TrimSpace(in.Body.Source) == "" {
			refused["source"] = "must say where the figure is from"
		}
		if strings.TrimSpace(in.Body.Reason) == "" {
			refused["reason"] = "must say why the value is set"
		}
	}
	if r := in.Body.Restock; r != nil && (r.Count == 0 || max(r.Count, -r.Count) > policy.MostRestock) {
		refused["restock.count"] = fmt.Sprintf("must be from -%d to %d, and not 0", policy.MostRestock, policy.MostRestock)
	}
	judged := after
	if judged.ImageURL == before.ImageURL {
		judged.ImageURL = "" // an unchanged address needs no check
	}
	for _, err := range []error{
		judged.Check(), apperr.Short("source", in.Body.Source, policy.LongestSource), apperr.Short("reason", in.Body.Reason, policy.LongestReason),
	} {
		if err != nil {
			refused.Add(apperr.As(err).Fields)
		}
	}
	return after, refused.Err()
}

// editItem changes an item and republishes the packs affected. While a manifest with the old value
// can still be used, announced or replaced, a raised value does not count for quotes. A raise
// beyond what the admin may do alone waits for a second one; the other changes apply.
func (s *Service) editItem(tx *db.Tx, caller httpkit.Principal, in *itemEdit) (AdminItemView, error) {
	if err := LockPublishing(tx); err != nil {
		return AdminItemView{}, err
	}
	if err := catalogue.GivingCertificates(tx); err != nil {
		return AdminItemView{}, err
	}
	if in.Body.BaseValueCents != nil {
		if _, err := ledger.LockAll(tx, []string{caller.UserID}); err != nil { // for their daily total
			return AdminItemView{}, err
		}
	}
	if err := registerPicture(tx, in.Body.ImageURL); err != nil {
		return AdminItemView{}, err
	}
	before, err := catalogue.Lock(tx, string(in.ID))
	if err != nil {
		return AdminItemView{}, err
	}
	after, err := in.apply(before)
	if err != nil {
		return AdminItemView{}, err
	}
	if err := catalogue.CheckCertificate(tx, before, after); err != nil {
		return AdminItemView{}, err
	}
	waiting, err := s.authorizeRaise(tx, caller.UserID, before, &after, in)
	if err != nil {
		return AdminItemView{}, err
	}
	was, err := adminItemViews(tx, []catalogue.Item{before})
	if err != nil {
		return AdminItemView{}, err
	}
	carried, holders, err := s.OldManifestsEnd(tx, map[string]bool{after.ID: true})
	if err != nil {
		return AdminItemView{}, err
	}
	if in.Body.BaseValueCents != nil && waiting == nil {
		err = catalogue.Revalue(tx, after.ID, catalogue.Valuation{
			Value: after.BaseValue, Source: strings.TrimSpace(in.Body.Source), Reason: strings.TrimSpace(in.Body.Reason), By: caller.UserID,
			CarriedAt: cmp.Or(carried[after.ID], tx.Now),
		})
	}
	if err == nil && after != before {
		s.invalidateCache(tx)
		err = catalogue.Save(tx, after)
	}
	if err == nil {
		err = s.republishHolders(tx, before, after, holders, in.Body.Restock)
	}
	if err == nil && after.BaseValue > before.BaseValue {
		err = s.CheckRaisesAnnounced(tx, []ValueRaise{{after.ID, after.Name, before.BaseValue, after.BaseValue}})
	}
	if err != nil {
		return AdminItemView{}, err
	}
	is, err := adminItemViews(tx, []catalogue.Item{after})
	if err != nil {
		return AdminItemView{}, err
	}
	in.Changed(adminlog.Change{Subject: catalogue.Subject(after.ID), Before: was[0], After: is[0], Reason: strings.TrimSpace(in.Body.Reason)})
	is[0].Approval = waiting
	return is[0], nil
}

// authorizeRaise resets the item to its old value if the raise has to wait for a second admin.
func (s *Service) authorizeRaise(tx *db.Tx, admin string, before catalogue.Item, after *catalogue.Item, in *itemEdit) (*approval.Waiting, error) {
	if after.BaseValue <= before.BaseValue {
		return nil, nil
	}
	waiting, err := s.AuthorizeRaises(tx, admin, catalogue.Subject(before.ID), strings.TrimSpace(in.Body.Source), strings.TrimSpace(in.Body.Reason),
		[]ValueRaise{{before.ID, after.Name, before.BaseValue, after.BaseValue}})
	if waiting != nil {
		after.BaseValue = before.BaseValue
	}
	return waiting, err
}

// republishHolders republishes the packs whose draws of the item, or whose stock of it, change.
func (s *Service) republishHolders(tx *db.Tx, before, after catalogue.Item, holders []string, r *restock) error {
	changed := map[string][]protocol.Restock{}
	if after.DrawnOtherwise(before) {
		for _, pack := range holders {
			changed[pack] = nil
		}
	}
	moved := after.Series != before.Series || after.Rarity != before.Rarity || after.Active != before.Active
	if after.Active && (!before.Active || after.Series != before.Series) {
		all, err := All(tx)
		if err != nil {
			return err
		}
		for _, p := range all {
			if len(p.Series) == 0 || slices.Contains(p.Series, after.Series) {
				changed[p.ID] = nil
			}
		}
	}
	if r != nil {
		pack, err := packForRestock(tx, after.ID, string(r.PackID), len(holders) > 0)
		if err != nil {
			return err
		}
		changed[pack] = []protocol.Restock{{Card: after.ID, Count: r.Count}}
	}
	for _, pack := range slices.Sorted(maps.Keys(changed)) {
		if err := s.publishKeepingTiers(tx, pack, moved, changed[pack]); err != nil {
			return err
		}
	}
	return nil
}

// packForRestock returns the pack that has, or will have, the item's stock. An item that can
// already be drawn without a limit can't get a stock.
func packForRestock(tx *db.Tx, item, asked string, drawn bool) (string, error) {
	found, err := packsWithStock(tx, []string{item})
	if err != nil {
		return "", err
	}
	switch pack := found[item]; {
	case pack != "" && (asked == "" || asked == pack):
		return pack, nil
	case pack != "":
		return "", apperr.New(apperr.Conflict, fmt.Sprintf("Card %s has its stock in pack %s.", item, pack))
	case asked == "":
		return "", apperr.InvalidField("restock.packId", "must be given, as the item has no stock yet")
	case drawn:
		return "", apperr.New(apperr.Conflict, fmt.Sprintf("Card %s can be drawn without a limit. "+
			"Retire it first, and bring it back with a stock when no manifest that is honoured has it any more.", item))
	}
	return asked, nil
}

// publishKeepingTiers publishes a pack. If items were moved or retired, it refuses to leave a tier
// empty that had items before.
func (s *Service) publishKeepingTiers(tx *db.Tx, pack string, moved bool, came []protocol.Restock) error {
	was, err := s.lastManifest(tx, pack)
	if err != nil {
		return err
	}
	if err := s.Publish(tx, pack, came...); err != nil || !moved || was == nil {
		return err
	}
	is, err := s.lastManifest(tx, pack)
	if err != nil {
		return err
	}
	empty := emptyTiers(was)
	for _, label := range emptyTiers(is) {
		if !slices.Contains(empty, label) {
			return apperr.New(apperr.Conflict, fmt.Sprintf("Pack %s (%s) would have nothing left to draw as %s. "+
				"Change its shares first, or bring something else in.", pack, is.Name, label))
		}
	}
	return nil
}

// lastManifest returns the pack's last manifest, or nil if there is none.
func (s *Service) lastManifest(tx *db.Tx, pack string) (*protocol.Manifest, error) {
	last, err := lastPublication(tx, pack)
	if err != nil || last.number == 0 {
		return nil, err
	}
	return s.Manifest(tx, last.hash)
}

// AdminItemView is an item as shown to admins.
type AdminItemView struct {
	catalogue.ItemView
	OwnImageURL string            `json:"ownImageUrl" doc:"Empty = the picture is drawn."`
	IsActive    bool              `json:"isActive" doc:"false = it is retired."`
	Stock       *StockView        `json:"stock,omitempty" doc:"Without it the item never runs out."`
	Approval    *approval.Waiting `json:"approval,omitempty" doc:"What waits for a second admin: until then the value is what it was."`
}

// StockView is the remaining stock of an item.
type StockView struct {
	PackID   string `json:"packId"`
	PackName string `json:"packName"`
	Left     int64  `json:"left"`
}

func adminItemViews(tx *db.Tx, items []catalogue.Item) ([]AdminItemView, error) {
	ids := make([]string, len(items))
	for n, i := range items {
		ids[n] = i.ID
	}
	stock, err := stockViews(tx, ids)
	views := make([]AdminItemView, len(items))
	for n, i := range items {
		views[n] = AdminItemView{ItemView: i.View(), OwnImageURL: i.ImageURL, IsActive: i.Active, Stock: stock[i.ID]}
	}
	return views, err
}

type itemsInput struct {
	catalogue.Filter
	httpkit.Page
	Retired bool `query:"retired" doc:"Those that are retired instead of those that are not."`
}

// items lists the catalogue for admins.
func (s *Service) items(ctx context.Context, in *itemsInput) (*httpkit.List[AdminItemView], error) {
	return httpkit.Paged(ctx, s.DB.Search, in.Page, catalogue.PageOf(in.Filter, in.Retired),
		func(tx *db.Tx, page *db.Selection[catalogue.Item]) ([]AdminItemView, error) {
			found, err := catalogue.Selected(tx, page)
			if err != nil {
				return nil, err
			}
			return adminItemViews(tx, found)
		})
}
