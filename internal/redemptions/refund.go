package redemptions

import (
	"encoding/json"
	"fmt"
	"slices"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
)

// compensation is the payload of a refund or replacement that waits for approval.
type compensation struct {
	Claim  string      `json:"claim"`
	Amount money.Cents `json:"amountCents"`
	// Version is the claim's version at the request; the claim may be lost again later.
	Version int64 `json:"version"`
}

// roads maps the steps that compensate for lost items to their daily total and kind of approval.
var roads = map[Act]struct {
	by   approval.SoloKind
	kind approval.Kind
}{
	Refund:  {approval.ByRefund, approval.Refund},
	Replace: {approval.ByReplacement, approval.Replace},
}

// worth returns a lost item's value: the higher of its value at the claim and now.
func (i Item) worth(e inventory.Entry) money.Cents { return max(i.Value, e.QuoteValue) }

// compensationOf returns the current cost of refunding or replacing the items of each locked claim;
// a refund includes shipping. It locks the entries.
func compensationOf(tx *db.Tx, claims []Claim, act Act) ([]money.Cents, error) {
	items, err := itemsOf(tx, claims)
	if err != nil {
		return nil, err
	}
	entryIDs := make([]string, len(items))
	for n, i := range items {
		entryIDs[n] = i.Entry
	}
	entries, err := inventory.LockAll(tx, entryIDs)
	all := make([]money.Cents, len(claims))
	for n, c := range claims {
		if act == Refund {
			all[n] = c.Shipping
		}
		for _, i := range items {
			if i.Claim == c.ID {
				all[n] += i.worth(entries[i.Entry])
			}
		}
	}
	return all, err
}

// checkPaid returns db.ErrAgain, which retries the transaction, if the refunds paid differ from the
// amounts counted because a value changed in between.
func checkPaid(tx *db.Tx, claims []Claim, counted []money.Cents) error {
	items, err := itemsOf(tx, claims)
	paid := make([]money.Cents, len(claims))
	for n, c := range claims {
		paid[n] = c.Shipping
		for _, i := range items {
			if i.Claim == c.ID && i.Refund != nil {
				paid[n] += *i.Refund
			}
		}
	}
	if err == nil && !slices.Equal(paid, counted) {
		err = db.ErrAgain
	}
	return err
}

// makeGood refunds or replaces the items of lost claims. Claims beyond the admin's limit wait for a
// second admin.
func (s *Service) makeGood(tx *db.Tx, admin string, act Act, claims []Claim, why string) (after []Claim, waiting []approval.Waiting, err error) {
	amounts, err := compensationOf(tx, claims, act)
	if err != nil {
		return nil, nil, err
	}
	owners := []string{admin}
	for _, c := range claims {
		owners = append(owners, c.User)
	}
	if _, err := ledger.LockAll(tx, owners); err != nil {
		return nil, nil, err
	}
	var alone []Claim
	var counted []money.Cents
	for n, c := range claims {
		may, err := approval.SpendDailyTotal(tx, admin, roads[act].by, subject([]string{c.ID}), amounts[n])
		if err != nil {
			return nil, nil, err
		}
		if may {
			alone, counted = append(alone, c), append(counted, amounts[n])
			continue
		}
		w, err := askToMakeGood(tx, admin, act, c, amounts[n], why)
		if err != nil {
			return nil, nil, err
		}
		waiting = append(waiting, w)
	}
	notes := slices.Repeat([]string{why}, len(alone))
	after, err = s.step(tx, alone, act, doer{admin, true}, notes)
	if err == nil && act == Refund {
		err = checkPaid(tx, after, counted)
	}
	return after, waiting, err
}

var errSteppedOn = apperr.New(apperr.RequestOutdated, "This claim has been taken on since. Refuse this request and ask again.")

func askToMakeGood(tx *db.Tx, admin string, act Act, c Claim, amount money.Cents, why string) (approval.Waiting, error) {
	if _, err := c.next(act, doer{admin, true}); err != nil {
		return approval.Waiting{}, err
	}
	payload, err := json.Marshal(compensation{c.ID, amount, c.Version})
	if err != nil {
		return approval.Waiting{}, err
	}
	return approval.Ask(tx, approval.Request{Kind: roads[act].kind, Subject: subject([]string{c.ID}), Payload: payload, Reason: why, AskedBy: admin})
}

// RefundApproved pays an approved refund if the claim and amount are unchanged.
func (s *Service) RefundApproved(tx *db.Tx, r approval.Request) error {
	return s.approved(tx, Refund, r)
}

// ReplacementApproved applies an approved replacement if the claim and amount are unchanged.
func (s *Service) ReplacementApproved(tx *db.Tx, r approval.Request) error {
	return s.approved(tx, Replace, r)
}

func (s *Service) approved(tx *db.Tx, act Act, r approval.Request) error {
	var asked compensation
	if err := json.Unmarshal(r.Payload, &asked); err != nil {
		return err
	}
	found, err := lockAll(tx, []string{asked.Claim})
	if err != nil {
		return err
	}
	for _, c := range found {
		if c.User == r.DecidedBy {
			return errOwnClaim
		}
		if asked.Version != 0 && c.Version != asked.Version { // 0: made before this field
			return errSteppedOn
		}
	}
	amounts, err := compensationOf(tx, found, act)
	if err != nil {
		return err
	}
	if !slices.Equal(amounts, []money.Cents{asked.Amount}) {
		return apperr.New(apperr.RequestOutdated, fmt.Sprintf("It is no longer %s points, because a value has changed. Refuse this request and ask again.", asked.Amount))
	}
	after, err := s.step(tx, found, act, doer{r.AskedBy, true}, []string{r.Reason})
	if err == nil && act == Refund {
		err = checkPaid(tx, after, amounts)
	}
	if err != nil {
		return err
	}
	_, err = adminlog.Record(tx, adminlog.Act{Admin: r.AskedBy, Name: stepping, Path: r.Path(), Request: r.Payload, Change: adminlog.Change{
		Subject: r.Subject, After: stepped{act, life[act].to}, Reason: r.Reason,
	}})
	return err
}
