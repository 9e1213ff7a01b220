package packs

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"kaibao/internal/approval"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/money"
	"kaibao/internal/terms"
	"kaibao/internal/trail"
)

// Raise is a value that is set higher than the item's last one.
type Raise struct {
	Item string      `json:"itemId"`
	Name string      `json:"name"` // for who approves it
	From money.Cents `json:"fromCents"`
	To   money.Cents `json:"baseValueCents"`
}

// Stakes are what users have in items. Features that know no packs tell of them.
type Stakes struct {
	// Owns tells whether a user owns any of some items.
	Owns func(tx *db.Tx, user string, items []string) (bool, error)
	// BidsOn tells whether an open bid of a user rises with the value of any of some items.
	BidsOn func(tx *db.Tx, user string, items []string) (bool, error)
	// Owned counts how often items are owned by whoever got them at a time or later.
	Owned func(tx *db.Tx, since map[string]time.Time) (map[string]int64, error)
}

// raises are what waits for a second admin.
type raises struct {
	Source string  `json:"source"`
	Values []Raise `json:"values"`
}

var (
	errOwnItem = fault.New(fault.Forbidden, "You own one of the items that rise in value, or your bid would rise with it. Another admin must do this.")
	errMoved   = fault.New(fault.Conflict, "A value has changed since this was asked for. Refuse it, and ask again.")
)

// Steep lists those of some raises that one admin never does alone: to more than
// terms.SteepRaise times the value in force terms.SteepWithin ago, unless it puts back a value
// that was in force since.
func Steep(tx *db.Tx, all []Raise) ([]Raise, error) {
	if len(all) == 0 {
		return nil, nil
	}
	recent, err := catalogue.RecentValues(tx, itemsIn(all), tx.Now.Add(-terms.SteepWithin))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(all), func(r Raise) bool {
		_, back := recent[r.Item].PutBack(r.To)
		return back || !recent[r.Item].Steep(r.To, terms.SteepRaise)
	}), nil
}

// RaiseOrAsk tells whether an admin raises values without a second one, and then counts what
// they bring; else they wait for one, all of them. The admin's account and the items are locked.
// Nobody raises what they own, or bid on by a part of its value.
func (s *Service) RaiseOrAsk(tx *db.Tx, admin, subject, source, why string, all []Raise) (*approval.Waiting, error) {
	if err := s.disinterested(tx, admin, all); err != nil {
		return nil, err
	}
	steep, err := Steep(tx, all)
	if err != nil {
		return nil, err
	}
	if len(steep) == 0 {
		gain, err := s.gainOf(tx, all)
		if err != nil {
			return nil, err
		}
		alone, err := approval.Alone(tx, admin, approval.ByValue, subject, gain)
		if err != nil || alone {
			return nil, err
		}
	}
	if len(all) > terms.MostRaises {
		return nil, fault.New(fault.Conflict, fmt.Sprintf("%d values rise, and at most %d can wait for a second admin at once. Import the file in parts.", len(all), terms.MostRaises))
	}
	payload, err := json.Marshal(raises{source, all})
	if err != nil {
		return nil, err
	}
	waiting, err := approval.Ask(tx, approval.Request{Kind: approval.Value, Subject: subject, Payload: payload, Why: why, AskedBy: admin})
	return &waiting, err
}

// disinterested refuses an admin who gains by raises.
func (s *Service) disinterested(tx *db.Tx, admin string, all []Raise) error {
	for _, has := range []func(*db.Tx, string, []string) (bool, error){s.Stakes.Owns, s.Stakes.BidsOn} {
		own, err := has(tx, admin, itemsIn(all))
		if err != nil {
			return err
		}
		if own {
			return errOwnItem
		}
	}
	return nil
}

// gainOf is what raises bring those who own the items, and will pull them from a stock. Of a
// value that is put back it is what it brings those who got the item after it had ended. Cards
// that never run out are left to the margin guard. More than fits is the most that does.
func (s *Service) gainOf(tx *db.Tx, all []Raise) (gain money.Cents, err error) {
	recent, err := catalogue.RecentValues(tx, itemsIn(all), tx.Now.Add(-terms.SteepWithin))
	if err != nil {
		return 0, err
	}
	stock, err := stockViews(tx, itemsIn(all))
	if err != nil {
		return 0, err
	}
	since, left := map[string]time.Time{}, map[string]int64{}
	for _, r := range all {
		ended, back := recent[r.Item].PutBack(r.To)
		since[r.Item] = ended
		if has := stock[r.Item]; !back && has != nil {
			left[r.Item] = has.Left
		}
	}
	owned, err := s.Stakes.Owned(tx, since)
	if err != nil {
		return 0, err
	}
	for _, r := range all {
		each, err := (r.To - r.From).Mul(owned[r.Item] + left[r.Item])
		if err == nil {
			gain, err = gain.Add(each)
		}
		if errors.Is(err, money.ErrOverflow) {
			return math.MaxInt64, nil
		}
	}
	return gain, nil
}

// ValuesApproved raises values that a second admin approved, if they would still rise from
// the same ones.
func (s *Service) ValuesApproved(tx *db.Tx, r approval.Request) error {
	var asked raises
	if err := json.Unmarshal(r.Payload, &asked); err != nil {
		return err
	}
	if err := Publishing(tx); err != nil {
		return err
	}
	for _, admin := range r.Admins() {
		if err := s.disinterested(tx, admin, asked.Values); err != nil {
			return err
		}
	}
	slices.SortFunc(asked.Values, func(a, b Raise) int { return strings.Compare(a.Item, b.Item) })
	drawn := map[string]bool{}
	for _, v := range asked.Values {
		before, err := catalogue.Lock(tx, v.Item)
		if err != nil {
			return err
		}
		if before.BaseValue != v.From {
			return errMoved
		}
		drawn[v.Item] = true
	}
	carried, holders, err := s.Carried(tx, drawn)
	if err != nil {
		return err
	}
	for _, v := range asked.Values {
		err := catalogue.Revalue(tx, v.Item, catalogue.Valuation{
			Value: v.To, Source: asked.Source, Reason: r.Why, By: r.AskedBy, CarriedAt: cmp.Or(carried[v.Item], tx.Now),
		})
		if err == nil {
			_, err = trail.Record(tx, trail.Act{Admin: r.AskedBy, Name: catalogue.Edit, Path: r.Path(), Request: r.Payload, Change: trail.Change{
				Subject: catalogue.Subject(v.Item), Before: worth{v.From}, After: worth{v.To}, Why: r.Why,
			}})
		}
		if err != nil {
			return err
		}
	}
	for _, pack := range holders {
		if err := s.Publish(tx, pack); err != nil {
			return err
		}
	}
	return nil
}

// worth is an item's value, as the trail has it.
type worth struct {
	BaseValueCents money.Cents `json:"baseValueCents"`
}

func itemsIn(all []Raise) []string {
	ids := make([]string, len(all))
	for n, r := range all {
		ids[n] = r.Item
	}
	return ids
}
