package packs

import (
	"encoding/json"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
)

// accepted is a loss that an admin accepts for a pack, in cents, or Unlimited.
type accepted struct {
	PackID            string `json:"packId"`
	AcceptedLossCents int64  `json:"acceptedLossCents"`
	StaysOffSale      bool   `json:"staysOffSale,omitempty"` // else the pack goes on sale with it
	Manifest          string `json:"manifest,omitempty"`     // that the pack announced last when it was asked for
}

// subject names a pack in the audit trail.
func subject(pack string) string { return "pack " + pack }

// alone tells whether one admin accepts a loss without another.
func (s *Service) alone(loss *int64) bool {
	return loss == nil || *loss != Unlimited && *loss <= int64(s.LossAlone)
}

// acceptOrAsk is AcceptLoss by an admin, of a pack that is edited and may have been asked to
// go on sale. Where the loss waits for a second one, the pack does so off sale, unless it may
// be sold without it.
func (s *Service) acceptOrAsk(tx *db.Tx, p Pack, loss *int64, onSale bool, admin, why string) (*approval.Waiting, error) {
	if s.alone(loss) {
		return nil, s.AcceptLoss(tx, p.ID, loss)
	}
	waiting, err := askForLoss(tx, accepted{PackID: p.ID, AcceptedLossCents: *loss, StaysOffSale: !onSale && !p.Active}, admin, why)
	if err != nil || !p.Active {
		return waiting, err
	}
	if refusal := s.putOnSale(tx, p.ID); !apperr.IsCode(refusal, apperr.Margin) {
		return waiting, refusal
	}
	now, err := lock(tx, p.ID)
	now.Active = false
	if err != nil {
		return nil, err
	}
	return waiting, update(tx, now)
}

// askForLoss asks for a loss of a pack as it was announced last.
func askForLoss(tx *db.Tx, asked accepted, admin, why string) (*approval.Waiting, error) {
	last, err := lastPublication(tx, asked.PackID)
	if err != nil {
		return nil, err
	}
	asked.Manifest = last.hash.String()
	payload, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	waiting, err := approval.Ask(tx, approval.Request{Kind: approval.AcceptLoss, Subject: subject(asked.PackID), Payload: payload, Why: why, AskedBy: admin})
	return &waiting, err
}

var errOtherPack = apperr.New(apperr.RequestOutdated, "The pack has been changed since this was asked for. Refuse this request and ask again.")

// sale is whether and at what loss a pack is on sale, as the trail has it.
type sale struct {
	IsActive          bool   `json:"isActive"`
	AcceptedLossCents *int64 `json:"acceptedLossCents"`
}

// LossApproved accepts the loss of a pack that a second admin approved, and puts the pack on
// sale unless only the loss was asked for.
func (s *Service) LossApproved(tx *db.Tx, r approval.Request) error {
	var asked accepted
	if err := json.Unmarshal(r.Payload, &asked); err != nil {
		return err
	}
	before, err := lock(tx, asked.PackID)
	if err != nil {
		return err
	}
	last, err := lastPublication(tx, asked.PackID)
	if err != nil {
		return err
	}
	if asked.Manifest != last.hash.String() {
		return errOtherPack
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
		Subject: r.Subject, Before: sale{before.Active, before.AcceptedLoss}, After: sale{onSale, &asked.AcceptedLossCents}, Why: r.Why,
	}})
	return err
}
