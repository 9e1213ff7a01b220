package packs

import (
	"strings"

	"kaibao/internal/action"
	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/policy"
)

type editInput struct {
	action.Idempotent
	ID   httpapi.PathID `path:"id"`
	Body struct {
		PackChange
		IsActive          *bool  `json:"isActive,omitempty" doc:"true puts it on sale, if the margin guard allows it; false takes it off sale."`
		AcceptedLossCents *int64 `json:"acceptedLossCents,omitempty" minimum:"0" maximum:"100000000000" doc:"Maximum loss over the pack's life if it is expected to return more than it costs; 0 = no further loss. Amounts above one admin's limit wait for a second admin."`
		Reason            string `json:"reason,omitempty" maxLength:"500"`
	}
}

// edit changes a pack. A new price, odds or items are announced in a manifest and apply when it
// takes effect; other changes apply immediately. A pack on sale is refused the change if the margin
// guard rejects the result.
func (s *Service) edit(tx *db.Tx, admin httpapi.Principal, in *editInput) (MadePackView, error) {
	if err := LockPublishing(tx); err != nil {
		return MadePackView{}, err
	}
	if err := registerPicture(tx, in.Body.CoverImageURL); err != nil {
		return MadePackView{}, err
	}
	before, err := lockPack(tx, string(in.ID))
	if err != nil {
		return MadePackView{}, err
	}
	after, err := in.apply(tx, before)
	if err != nil {
		return MadePackView{}, err
	}
	if after.drawDiffers(before) && !s.withinSoloLimit(before.AcceptedLoss) {
		// Two admins accepted this loss for other odds.
		after.AcceptedLoss = nil
		if err := recount(tx, before, &after); err != nil {
			return MadePackView{}, err
		}
	}
	tx.AnnounceNow() // counting earlier opens may have taken long
	waiting, err := s.saveAndPublish(tx, before, after, in, admin.UserID)
	if err != nil {
		return MadePackView{}, withSuggestions(tx, after, err)
	}
	view, err := s.changedPackView(tx, after.ID)
	view.Approval = waiting
	in.Changed(adminlog.Change{Subject: logSubject(after.ID), Before: before.wantedView(), After: view.Wanted, Reason: strings.TrimSpace(in.Body.Reason)})
	return view, err
}

// apply returns the pack with the requested changes and its new counters.
func (in *editInput) apply(tx *db.Tx, before Pack) (Pack, error) {
	refused := apperr.Fields{}
	after, err := in.Body.applyAndRecount(tx, before, refused)
	if err != nil {
		return after, err
	}
	checkAcceptedLoss(in.Body.AcceptedLossCents, refused)
	if err := apperr.CheckMaxLength("reason", in.Body.Reason, policy.MaxReasonLength); err != nil {
		refused.Add(apperr.As(err).Fields)
	}
	if in.Body.IsActive != nil && !*in.Body.IsActive {
		after.Active = false
	}
	return after, refused.Err()
}

// saveAndPublish saves a changed pack, publishes it, and runs the margin guard where needed.
func (s *Service) saveAndPublish(tx *db.Tx, before, after Pack, in *editInput, admin string) (waiting *approval.Waiting, err error) {
	if after.tiersDiffer(before) {
		if err := checkNoEmptyTiers(tx, after); err != nil {
			return nil, err
		}
	}
	if err := updatePack(tx, after); err != nil {
		return nil, err
	}
	if err := s.publishEdited(tx, before, after); err != nil {
		return nil, err
	}
	asked, loss := in.Body.IsActive != nil && *in.Body.IsActive, in.Body.AcceptedLossCents
	if loss != nil {
		waiting, err = s.authorizeLoss(tx, after, lossFrom(loss), asked, admin, strings.TrimSpace(in.Body.Reason))
	}
	if err != nil || waiting != nil {
		return waiting, err
	}
	if asked || after.Active && (after.drawDiffers(before) || loss != nil) {
		return nil, s.putOnSale(tx, after.ID)
	}
	return nil, nil
}

// publishEdited publishes an edited pack. If only its stock has changed, and orders are pending, it
// doesn't: a busy pack can be taken off sale, and its stock is announced with the next change.
func (s *Service) publishEdited(tx *db.Tx, before, after Pack) error {
	if !after.termsDiffer(before) {
		pending, err := packsWithPendingOrders(tx, []string{after.ID})
		if err != nil || pending[after.ID] {
			return err
		}
	}
	return s.Publish(tx, after.ID)
}
