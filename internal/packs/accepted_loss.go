package packs

import (
	"encoding/json"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/policy"
)

// AcceptLoss sets how much a pack with negative margin may lose over its whole life, in cents,
// including losses so far. Unlimited means any loss, nil none. No other function accepts a loss.
func (s *Service) AcceptLoss(tx *db.Tx, packID string, loss *int64) error {
	before, err := lockPack(tx, packID)
	if err != nil {
		return err
	}
	s.invalidateCache(tx)
	after := before
	after.AcceptedLoss = loss
	if err := recount(tx, before, &after); err != nil {
		return err
	}
	return updatePack(tx, after)
}

// lossFrom converts a loss from a request to Pack.AcceptedLoss; 0 means none.
func lossFrom(loss *int64) *int64 {
	if *loss == 0 {
		return nil
	}
	return loss
}

// checkAcceptedLoss refuses a loss above the limit; only code can accept Unlimited.
func checkAcceptedLoss(loss *int64, refused apperr.Fields) {
	if loss == nil {
		return
	}
	if err := apperr.CheckRange("acceptedLossCents", *loss, 0, int64(policy.MaxAcceptedLoss)); err != nil {
		refused.Add(apperr.As(err).Fields)
	}
}

// withinSoloLimit reports whether an admin can accept a loss without a second one.
func (s *Service) withinSoloLimit(loss *int64) bool {
	return loss == nil || *loss != Unlimited && *loss <= int64(s.SoloLossLimit)
}

// authorizeLoss accepts a loss for an edited pack, or asks a second admin to. While the request is
// pending, the pack is taken off sale unless it can be sold without the loss. onSale is whether the
// edit also puts it on sale.
func (s *Service) authorizeLoss(tx *db.Tx, p Pack, loss *int64, onSale bool, admin, why string) (*approval.Waiting, error) {
	if s.withinSoloLimit(loss) {
		return nil, s.AcceptLoss(tx, p.ID, loss)
	}
	waiting, err := askForLoss(tx, lossRequest{PackID: p.ID, AcceptedLossCents: *loss, StaysOffSale: !onSale && !p.Active}, admin, why)
	if err != nil || !p.Active {
		return waiting, err
	}
	if refusal := s.putOnSale(tx, p.ID); !apperr.IsCode(refusal, apperr.Margin) {
		return waiting, refusal
	}
	now, err := lockPack(tx, p.ID)
	now.Active = false
	if err != nil {
		return nil, err
	}
	return waiting, updatePack(tx, now)
}

// lossRequest is the payload of a request to accept a loss, in cents or Unlimited, for a pack.
type lossRequest struct {
	PackID            string `json:"packId"`
	AcceptedLossCents int64  `json:"acceptedLossCents"`
	StaysOffSale      bool   `json:"staysOffSale,omitempty"` // else it goes on sale on approval
	Manifest          string `json:"manifest,omitempty"`     // the last one, when this was requested
}

// askForLoss requests approval of a loss for the pack's last announced manifest. It refuses while another
// one waits to be announced.
func askForLoss(tx *db.Tx, asked lossRequest, admin, why string) (*approval.Waiting, error) {
	p, err := byID(tx, asked.PackID)
	if err != nil {
		return nil, err
	}
	if !p.PublishingSince.IsZero() {
		return nil, errLossDuringPublishing
	}
	last, err := lastPublication(tx, asked.PackID)
	if err != nil {
		return nil, err
	}
	asked.Manifest = last.hash.String()
	payload, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	waiting, err := approval.Ask(tx, approval.Request{Kind: approval.AcceptLoss, Subject: logSubject(asked.PackID), Payload: payload, Reason: why, AskedBy: admin})
	return &waiting, err
}

var errPackChanged = apperr.New(apperr.RequestOutdated, "The pack has changed since the request. Refuse the request and make a new one.")

// ApplyApprovedLoss applies an approved loss. It also puts the pack on sale unless the request was
// for the loss only.
func (s *Service) ApplyApprovedLoss(tx *db.Tx, r approval.Request) error {
	var asked lossRequest
	if err := json.Unmarshal(r.Payload, &asked); err != nil {
		return err
	}
	before, err := lockPack(tx, asked.PackID)
	if err != nil {
		return err
	}
	last, err := lastPublication(tx, asked.PackID)
	if err != nil {
		return err
	}
	if asked.Manifest != last.hash.String() || !before.PublishingSince.IsZero() {
		return errPackChanged
	}
	if err := s.AcceptLoss(tx, asked.PackID, &asked.AcceptedLossCents); err != nil {
		return err
	}
	onSale := before.Active || !asked.StaysOffSale
	if onSale {
		err = s.putOnSale(tx, asked.PackID)
	}
	if err != nil {
		return err
	}
	_, err = adminlog.Record(tx, adminlog.Act{Admin: r.AskedBy, Name: string(r.Kind), Path: r.Path(), Request: r.Payload, Change: adminlog.Change{
		Subject: r.Subject, Before: saleRecord{before.Active, before.AcceptedLoss}, After: saleRecord{onSale, &asked.AcceptedLossCents}, Reason: r.Reason,
	}})
	return err
}

// saleRecord is a pack's sale state and accepted loss in the admin log.
type saleRecord struct {
	IsActive          bool   `json:"isActive"`
	AcceptedLossCents *int64 `json:"acceptedLossCents"`
}
