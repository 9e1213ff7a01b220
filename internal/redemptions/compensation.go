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

// compensationApprovals maps the steps that compensate for lost items to their kinds: of the admin's own
// daily total, and of a second admin's approval.
var compensationApprovals = map[Step]struct {
	soloKind approval.SoloKind
	kind     approval.Kind
}{
	Refund:  {approval.ByRefund, approval.Refund},
	Replace: {approval.ByReplacement, approval.Replace},
}

// lossValue returns a lost item's value: the higher of its value at the claim and now.
func (item Item) lossValue(e inventory.Entry) money.Cents { return max(item.Value, e.QuoteValue) }

// compensationAmounts returns the current cost of refunding or replacing the items of each locked claim;
// a refund includes shipping. It locks the entries.
func compensationAmounts(tx *db.Tx, claims []Claim, step Step) ([]money.Cents, error) {
	items, err := loadItems(tx, claims)
	if err != nil {
		return nil, err
	}
	entryIDs := make([]string, len(items))
	for i, item := range items {
		entryIDs[i] = item.Entry
	}
	entries, err := inventory.LockAll(tx, entryIDs)
	all := make([]money.Cents, len(claims))
	for i, c := range claims {
		if step == Refund {
			all[i] = c.Shipping
		}
		for _, item := range items {
			if item.Claim == c.ID {
				all[i] += item.lossValue(entries[item.Entry])
			}
		}
	}
	return all, err
}

// checkRefundsPaid returns db.ErrAgain, which retries the transaction, if the refunds paid differ from the
// amounts counted because a value changed in between.
func checkRefundsPaid(tx *db.Tx, claims []Claim, expected []money.Cents) error {
	items, err := loadItems(tx, claims)
	paid := make([]money.Cents, len(claims))
	for i, c := range claims {
		paid[i] = c.Shipping
		for _, item := range items {
			if item.Claim == c.ID && item.Refund != nil {
				paid[i] += *item.Refund
			}
		}
	}
	if err == nil && !slices.Equal(paid, expected) {
		err = db.ErrAgain
	}
	return err
}

// compensate refunds or replaces the items of lost claims. Claims beyond the admin's daily total wait
// for a second admin.
func (s *Service) compensate(tx *db.Tx, admin string, step Step, claims []Claim, reason string) (updated []Claim, waiting []approval.Waiting, err error) {
	amounts, err := compensationAmounts(tx, claims, step)
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
	var compensated []Claim
	var expected []money.Cents
	for i, c := range claims {
		withinTotal, err := approval.SpendDailyTotal(tx, admin, compensationApprovals[step].soloKind, claimSubject([]string{c.ID}), amounts[i])
		if err != nil {
			return nil, nil, err
		}
		if withinTotal {
			compensated, expected = append(compensated, c), append(expected, amounts[i])
			continue
		}
		w, err := requestCompensation(tx, admin, step, c, amounts[i], reason)
		if err != nil {
			return nil, nil, err
		}
		waiting = append(waiting, w)
	}
	notes := slices.Repeat([]string{reason}, len(compensated))
	updated, err = s.applyStep(tx, compensated, step, actor{admin, true}, notes)
	if err == nil && step == Refund {
		err = checkRefundsPaid(tx, updated, expected)
	}
	return updated, waiting, err
}

var errClaimChanged = apperr.New(apperr.RequestOutdated, "This claim has changed since the request. Refuse the request and make a new one.")

func requestCompensation(tx *db.Tx, admin string, step Step, c Claim, amount money.Cents, reason string) (approval.Waiting, error) {
	if _, err := c.nextState(step, actor{admin, true}); err != nil {
		return approval.Waiting{}, err
	}
	payload, err := json.Marshal(compensation{c.ID, amount, c.Version})
	if err != nil {
		return approval.Waiting{}, err
	}
	return approval.Ask(tx, approval.Request{Kind: compensationApprovals[step].kind, Subject: claimSubject([]string{c.ID}), Payload: payload, Reason: reason, AskedBy: admin})
}

// ApplyApprovedRefund pays an approved refund if the claim and amount are unchanged.
func (s *Service) ApplyApprovedRefund(tx *db.Tx, r approval.Request) error {
	return s.applyApproved(tx, Refund, r)
}

// ApplyApprovedReplacement applies an approved replacement if the claim and amount are unchanged.
func (s *Service) ApplyApprovedReplacement(tx *db.Tx, r approval.Request) error {
	return s.applyApproved(tx, Replace, r)
}

func (s *Service) applyApproved(tx *db.Tx, step Step, r approval.Request) error {
	var payload compensation
	if err := json.Unmarshal(r.Payload, &payload); err != nil {
		return err
	}
	claims, err := lockClaims(tx, []string{payload.Claim})
	if err != nil {
		return err
	}
	for _, c := range claims {
		if c.User == r.DecidedBy {
			return errOwnClaim
		}
		if payload.Version != 0 && c.Version != payload.Version { // 0: the request is older than this field
			return errClaimChanged
		}
	}
	amounts, err := compensationAmounts(tx, claims, step)
	if err != nil {
		return err
	}
	if !slices.Equal(amounts, []money.Cents{payload.Amount}) {
		return apperr.New(apperr.RequestOutdated, fmt.Sprintf("The refund is no longer %s points, because a value has changed. Refuse the request and make a new one.", payload.Amount))
	}
	updated, err := s.applyStep(tx, claims, step, actor{r.AskedBy, true}, []string{r.Reason})
	if err == nil && step == Refund {
		err = checkRefundsPaid(tx, updated, amounts)
	}
	if err != nil {
		return err
	}
	_, err = adminlog.Record(tx, adminlog.Act{Admin: r.AskedBy, Name: stepOperation, Path: r.Path(), Request: r.Payload, Change: adminlog.Change{
		Subject: r.Subject, After: stepResult{step, transitions[step].to}, Reason: r.Reason,
	}})
	return err
}
