package packs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kaibao/internal/action"
	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

type itemEdit struct {
	action.Idempotent
	ID   httpapi.PathID `path:"id"`
	Body struct {
		catalogue.Change
		BaseValueCents *money.Cents `json:"baseValueCents,omitempty" minimum:"1" maximum:"100000000" doc:"Requires a source and a reason."`
		Source         string       `json:"source,omitempty" maxLength:"64" doc:"Source of the value, such as an auction house."`
		Reason         string       `json:"reason,omitempty" maxLength:"500" doc:"Reason for the change, shown in the value history."`
		Restock        *restock     `json:"restock,omitempty"`
	}
}

// restock adds cards to an item's stock, or removes them.
type restock struct {
	Count  int64      `json:"count" minimum:"-1000000" maximum:"1000000" doc:"Number to add; negative to remove."`
	PackID httpapi.ID `json:"packId,omitempty" doc:"The pack that draws them, for an item without stock so far."`
}

// apply returns the item with the requested changes.
func (in *itemEdit) apply(before catalogue.Item) (after catalogue.Item, err error) {
	after = in.Body.Apply(before)
	refused := apperr.Fields{}
	if in.Body.BaseValueCents != nil {
		after.BaseValue = *in.Body.BaseValueCents
		if strings.TrimSpace(in.Body.Source) == "" {
			refused["source"] = "is required: where the value comes from"
		}
		if strings.TrimSpace(in.Body.Reason) == "" {
			refused["reason"] = "is required, because the value changes"
		}
	}
	if r := in.Body.Restock; r != nil && (r.Count == 0 || max(r.Count, -r.Count) > policy.MaxRestock) {
		refused["restock.count"] = fmt.Sprintf("must be from -%d to %d, and not 0", policy.MaxRestock, policy.MaxRestock)
	}
	checked := after
	if checked.ImageURL == before.ImageURL {
		checked.ImageURL = "" // an unchanged URL needs no check
	}
	for _, err := range []error{
		checked.Check(), apperr.CheckMaxLength("source", in.Body.Source, policy.MaxSourceLength), apperr.CheckMaxLength("reason", in.Body.Reason, policy.MaxReasonLength),
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
func (s *Service) editItem(tx *db.Tx, caller httpapi.Principal, in *itemEdit) (AdminItemView, error) {
	if err := LockPublishing(tx); err != nil {
		return AdminItemView{}, err
	}
	if err := catalogue.LockCertificates(tx); err != nil {
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
	viewBefore, err := adminItemViews(tx, []catalogue.Item{before})
	if err != nil {
		return AdminItemView{}, err
	}
	oldManifestsEnd, holders, err := s.OldManifestsEnd(tx, map[string]bool{after.ID: true})
	if err != nil {
		return AdminItemView{}, err
	}
	if in.Body.BaseValueCents != nil && waiting == nil {
		err = catalogue.Revalue(tx, after.ID, catalogue.Valuation{
			Value: after.BaseValue, Source: strings.TrimSpace(in.Body.Source), Reason: strings.TrimSpace(in.Body.Reason), By: caller.UserID,
			CarriedAt: cmp.Or(oldManifestsEnd[after.ID], tx.Now),
		})
	}
	if err == nil && after != before {
		s.invalidateCache(tx)
		err = catalogue.Save(tx, after)
	}
	if err == nil {
		_, drawable := oldManifestsEnd[after.ID]
		err = s.republishHolders(tx, before, after, holders, drawable, in.Body.Restock)
	}
	if err == nil && after.BaseValue > before.BaseValue {
		err = s.CheckRaisesAnnounced(tx, []ValueRaise{{after.ID, after.Name, before.BaseValue, after.BaseValue}})
	}
	if err != nil {
		return AdminItemView{}, err
	}
	viewAfter, err := adminItemViews(tx, []catalogue.Item{after})
	if err != nil {
		return AdminItemView{}, err
	}
	in.Changed(adminlog.Change{Subject: catalogue.Subject(after.ID), Before: viewBefore[0], After: viewAfter[0], Reason: strings.TrimSpace(in.Body.Reason)})
	viewAfter[0].Approval = waiting
	return viewAfter[0], nil
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
// drawable is whether a usable manifest has the item.
func (s *Service) republishHolders(tx *db.Tx, before, after catalogue.Item, holders []string, drawable bool, r *restock) error {
	changed := map[string][]protocol.Restock{}
	if after.DrawDiffers(before) {
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
		pack, err := packForRestock(tx, after.ID, string(r.PackID), drawable)
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
