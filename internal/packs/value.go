package packs

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/money"
	"kaibao/internal/terms"
)

type valueInput struct {
	httpkit.Idempotent
	ID   httpkit.PathID `path:"id"`
	Body struct {
		BaseValueCents money.Cents `json:"baseValueCents" minimum:"1" maximum:"100000000"`
		Source         string      `json:"source" maxLength:"64" doc:"Where the figure is from, such as an auction house."`
		Reason         string      `json:"reason" maxLength:"500"`
	}
}

// check refuses what the call's schema refuses, whoever asks, and texts that say nothing.
func (in *valueInput) check() error {
	refused := fault.Fields{}
	if strings.TrimSpace(in.Body.Source) == "" {
		refused["source"] = "must say where the figure is from"
	}
	if strings.TrimSpace(in.Body.Reason) == "" {
		refused["reason"] = "must say why the value is set"
	}
	return cmp.Or(refused.Err(),
		fault.Within("baseValueCents", int64(in.Body.BaseValueCents), 1, int64(terms.HighestPrice)),
		fault.Short("source", in.Body.Source, terms.LongestSource), fault.Short("reason", in.Body.Reason, terms.LongestReason))
}

// setValue is an admin's valuation of an item.
func (s *Service) setValue(tx *db.Tx, caller httpkit.Principal, in *valueInput) (catalogue.ItemView, error) {
	if err := in.check(); err != nil {
		return catalogue.ItemView{}, err
	}
	item, err := s.revalue(tx, string(in.ID), catalogue.Valuation{
		Value: in.Body.BaseValueCents, Source: strings.TrimSpace(in.Body.Source), Reason: strings.TrimSpace(in.Body.Reason), By: caller.UserID,
	})
	return item.View(), err
}

// revalue sets what an item is worth and announces the manifests of the packs that hold
// it. While anybody can draw by a manifest that has it, by one announced as by one
// replaced, a rise does not count for quotes.
func (s *Service) revalue(tx *db.Tx, id string, v catalogue.Valuation) (catalogue.Item, error) {
	item, err := catalogue.Lock(tx, id)
	if err != nil {
		return item, err
	}
	holders, err := s.holders(tx, id)
	if err != nil {
		return item, err
	}
	v.CarriedAt, err = s.carriedAt(tx, holders)
	if err != nil {
		return item, err
	}
	if err := catalogue.Revalue(tx, id, v); err != nil {
		return item, err
	}
	changed := v.Value != item.BaseValue
	item.BaseValue = v.Value
	for _, pack := range holders {
		if !changed {
			break
		}
		if err := s.Publish(tx, pack); err != nil {
			return item, err
		}
	}
	return item, nil
}

// carriedAt is from when on nobody can draw from some packs by what was announced before
// now.
func (s *Service) carriedAt(tx *db.Tx, packs []string) (time.Time, error) {
	at := tx.Now
	for _, pack := range packs {
		last, err := lastPublication(tx, pack)
		if err != nil {
			return at, err
		}
		if replaced := s.inForceFrom(tx, last).Add(s.grace()); replaced.After(at) {
			at = replaced
		}
	}
	return at, nil
}

// holders names the packs by whose manifests an item can be drawn, in the order in
// which they are locked.
func (s *Service) holders(tx *db.Tx, item string) ([]string, error) {
	drawable, err := s.drawable(tx, tx.Now)
	holding := map[string]bool{}
	for _, m := range drawable {
		if m.Holds(item) {
			holding[m.pack] = true
		}
	}
	return slices.Sorted(maps.Keys(holding)), err
}
