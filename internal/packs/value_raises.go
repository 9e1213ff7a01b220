package packs

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/catalogue"
	"kaibao/internal/catalogue/bulk"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// ValueRaise is an increase of an item's value.
type ValueRaise struct {
	Item string      `json:"itemId"`
	Name string      `json:"name"` // shown to the approving admin
	From money.Cents `json:"fromCents"`
	To   money.Cents `json:"baseValueCents"`
}

// Holdings looks up what users own or bid on. Packages that depend on this one supply the
// functions.
type Holdings struct {
	// OwnsAny reports whether the user owns any of the items.
	OwnsAny func(tx *db.Tx, user string, items []string) (bool, error)
	// BidsOnAny reports whether an open bid of the user rises with the value of any of the items.
	BidsOnAny func(tx *db.Tx, user string, items []string) (bool, error)
	// CountOwned counts, for each item, the entries acquired by their current owners at or after
	// the given time.
	CountOwned func(tx *db.Tx, since map[string]time.Time) (map[string]int64, error)
}

// raiseRequest is the payload of a request for approval.
type raiseRequest struct {
	Source string       `json:"source"`
	Values []ValueRaise `json:"values"`
	Gain   money.Cents  `json:"gainCents"` // at the time of the request
}

var (
	errOwnItem      = apperr.New(apperr.OwnInterest, "You, or the admin who made the request, own one of the items or have a bid pegged to its value. Another admin must do this.")
	errValueChanged = apperr.New(apperr.RequestOutdated, "A value has changed since the request. Refuse the request and make a new one.")
)

// SteepRaises returns the raises that always need a second admin: those to more than
// policy.SteepRaise times the value of policy.SteepWithin ago, unless they restore a value that was
// in force since.
func SteepRaises(tx *db.Tx, all []ValueRaise) ([]ValueRaise, error) {
	if len(all) == 0 {
		return nil, nil
	}
	recent, err := catalogue.RecentValues(tx, itemIDs(all), tx.Now.Add(-policy.SteepWithin))
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(all), func(r ValueRaise) bool {
		_, back := recent[r.Item].RestoresValue(r.To)
		return back || !recent[r.Item].IsSteepRaise(r.To, policy.SteepRaise)
	}), nil
}

// AuthorizeRaises returns nil if the admin can raise the values without a second one, and counts
// the gain toward their daily total. Otherwise it asks for approval of all of them. The caller must
// hold locks on the admin's account and the items. Admins can't raise what they own, or what they
// bid on by a percentage of its value.
func (s *Service) AuthorizeRaises(tx *db.Tx, admin, subject, source, why string, all []ValueRaise) (*approval.Waiting, error) {
	if err := s.checkNoOwnInterest(tx, admin, all); err != nil {
		return nil, err
	}
	steep, err := SteepRaises(tx, all)
	if err != nil {
		return nil, err
	}
	gain, err := s.totalGain(tx, all)
	if err != nil {
		return nil, err
	}
	if len(steep) == 0 {
		withinTotal, err := approval.SpendDailyTotal(tx, admin, approval.ByValue, subject, gain)
		if err != nil || withinTotal {
			return nil, err
		}
	}
	if len(all) > policy.MaxRaises {
		return nil, apperr.New(apperr.Conflict, fmt.Sprintf("%d values rise, but a request can have at most %d. Nothing was imported. Split the file, and get each part approved before you import the next one.", len(all), policy.MaxRaises))
	}
	payload, err := json.Marshal(raiseRequest{source, all, gain})
	if err != nil {
		return nil, err
	}
	waiting, err := approval.Ask(tx, approval.Request{Kind: approval.Value, Subject: subject, Payload: payload, Reason: why, AskedBy: admin})
	return &waiting, err
}

// checkNoOwnInterest refuses an admin who would profit from the raises.
func (s *Service) checkNoOwnInterest(tx *db.Tx, admin string, all []ValueRaise) error {
	for _, hasInterest := range []func(*db.Tx, string, []string) (bool, error){s.Holdings.OwnsAny, s.Holdings.BidsOnAny} {
		interested, err := hasInterest(tx, admin, itemIDs(all))
		if err != nil {
			return err
		}
		if interested {
			return errOwnItem
		}
	}
	return nil
}

// totalGain returns how much the raises add to the value of owned items and of remaining limited
// stock. For a restored value, it counts only items acquired after that value had ended, and no
// stock. Cards that never run out are left to the margin guard. The sum saturates at math.MaxInt64.
func (s *Service) totalGain(tx *db.Tx, all []ValueRaise) (gain money.Cents, err error) {
	recent, err := catalogue.RecentValues(tx, itemIDs(all), tx.Now.Add(-policy.SteepWithin))
	if err != nil {
		return 0, err
	}
	if err := s.lockHolders(tx, all); err != nil {
		return 0, err
	}
	stock, err := stockViews(tx, itemIDs(all))
	if err != nil {
		return 0, err
	}
	since, left := map[string]time.Time{}, map[string]int64{}
	for _, r := range all {
		ended, back := recent[r.Item].RestoresValue(r.To)
		since[r.Item] = ended
		if limited := stock[r.Item]; !back && limited != nil {
			left[r.Item] = limited.Left + max(0, limited.Waiting)
		}
	}
	owned, err := s.Holdings.CountOwned(tx, since)
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

// lockHolders locks the packs that can draw the items, so that opens in progress commit first and
// their items count as owned.
func (s *Service) lockHolders(tx *db.Tx, all []ValueRaise) error {
	items := map[string]bool{}
	for _, r := range all {
		items[r.Item] = true
	}
	_, holders, err := s.OldManifestsEnd(tx, items)
	if err == nil {
		_, err = lockPacks(tx, holders)
	}
	return err
}

var errStillDrawn = apperr.New(apperr.Conflict, "The current odds of a pack contain one of these items, but its next odds don't. "+
	"Raise the value once the next odds are in force.")

// CheckRaisesAnnounced refuses raises of items that a usable manifest of a pack holds while the
// pack's last manifest, or the one that waits to be announced, doesn't have the new value. The margin
// guard judges older manifests by the
// last one, so it would miss the raise.
func (s *Service) CheckRaisesAnnounced(tx *db.Tx, all []ValueRaise) error {
	newValues := map[string]money.Cents{}
	for _, r := range all {
		newValues[r.Item] = r.To
	}
	usable, err := s.usableManifests(tx, tx.Now)
	if err != nil {
		return err
	}
	announced := map[string]map[string]money.Cents{} // by pack, then item
	for _, m := range usable {
		for id := range cardIDs(m) {
			if newValues[id] == 0 {
				continue
			}
			if announced[m.packID] == nil {
				last, err := s.nextManifest(tx, m.packID)
				if err != nil {
					return err
				}
				announced[m.packID] = cardValues(last)
			}
			if announced[m.packID][id] < newValues[id] {
				return errStillDrawn
			}
		}
	}
	return nil
}

// ApplyApprovedRaises applies raises that a second admin approved. It fails if a value has changed
// since the request.
func (s *Service) ApplyApprovedRaises(tx *db.Tx, r approval.Request) error {
	var asked raiseRequest
	if err := json.Unmarshal(r.Payload, &asked); err != nil {
		return err
	}
	if err := LockPublishing(tx); err != nil {
		return err
	}
	for _, admin := range r.Admins() {
		if err := s.checkNoOwnInterest(tx, admin, asked.Values); err != nil {
			return err
		}
	}
	raises, items := map[string]ValueRaise{}, map[string]bool{}
	for _, v := range asked.Values {
		raises[v.Item], items[v.Item] = v, true
	}
	found, err := bulk.Lock(tx, itemIDs(asked.Values))
	if err != nil {
		return err
	}
	oldManifestsEnd, holders, err := s.OldManifestsEnd(tx, items)
	if err != nil {
		return err
	}
	raised := make([]catalogue.Item, 0, len(found))
	for _, id := range slices.Sorted(maps.Keys(raises)) {
		item := found[id]
		if item.BaseValue != raises[id].From {
			return errValueChanged
		}
		item.BaseValue = raises[id].To
		raised = append(raised, item)
	}
	err = bulk.Update(tx, raised)
	if err == nil {
		err = bulk.AppendValuations(tx, raised, catalogue.Valuation{Source: asked.Source, Reason: r.Reason, By: r.AskedBy}, oldManifestsEnd)
	}
	if err == nil {
		err = recordRaises(tx, r, asked.Values)
	}
	if err != nil {
		return err
	}
	for _, pack := range holders {
		if err := s.Publish(tx, pack); err != nil {
			return err
		}
	}
	return s.CheckRaisesAnnounced(tx, asked.Values)
}

// recordRaises records the raises in the admin log. Those of an import share one line, because
// the request lists them all.
func recordRaises(tx *db.Tx, r approval.Request, all []ValueRaise) error {
	act := adminlog.Act{Admin: r.AskedBy, Name: catalogue.ImportOperation, Path: r.Path(), Change: adminlog.Change{Subject: r.Subject, After: raisesRecord{len(all)}, Reason: r.Reason}}
	if r.Subject == catalogue.Subject(all[0].Item) {
		act.Name, act.Before, act.After = catalogue.EditOperation, valueRecord{all[0].From}, valueRecord{all[0].To}
	}
	_, err := adminlog.Record(tx, act)
	return err
}

// raisesRecord is an import's raises in the admin log.
type raisesRecord struct {
	Raised int `json:"raised"`
}

// valueRecord is an item's value in the admin log.
type valueRecord struct {
	BaseValueCents money.Cents `json:"baseValueCents"`
}

func itemIDs(all []ValueRaise) []string {
	ids := make([]string, len(all))
	for n, r := range all {
		ids[n] = r.Item
	}
	return ids
}
