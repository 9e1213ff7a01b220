package claims

import (
	"encoding/json"
	"fmt"
	"slices"

	"kaibao/internal/approval"
	"kaibao/internal/collection"
	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/money"
	"kaibao/internal/terms"
	"kaibao/internal/trail"
)

// large is a refund that waits for a second admin: its claim, and what is paid in all.
type large struct {
	Claim  string      `json:"claim"`
	Amount money.Cents `json:"amountCents"`
}

// worth is what is paid for a lost item: the higher of its value at the claim and now.
func (i Item) worth(e collection.Entry) money.Cents { return max(i.Value, e.QuoteValue) }

// refunds are what claims would be refunded now, shipping included, in their order.
func refunds(tx *db.Tx, claims []Claim) ([]money.Cents, error) {
	items, err := itemsOf(tx, claims)
	if err != nil {
		return nil, err
	}
	entryIDs := make([]string, len(items))
	for n, i := range items {
		entryIDs[n] = i.Entry
	}
	entries, err := collection.ByIDs(tx, entryIDs)
	all := make([]money.Cents, len(claims))
	for n, c := range claims {
		all[n] = c.Shipping
		for _, i := range items {
			if i.Claim == c.ID {
				all[n] += i.worth(entries[i.Entry])
			}
		}
	}
	return all, err
}

// refunded are what claims were refunded, shipping included, in their order.
func refunded(tx *db.Tx, claims []Claim) ([]money.Cents, error) {
	items, err := itemsOf(tx, claims)
	all := make([]money.Cents, len(claims))
	for n, c := range claims {
		all[n] = c.Shipping
		for _, i := range items {
			if i.Claim == c.ID && i.Refund != nil {
				all[n] += *i.Refund
			}
		}
	}
	return all, err
}

// checkAlone refuses what grew, by a value that changed meanwhile, to more than one admin
// gives alone.
func checkAlone(tx *db.Tx, claims []Claim) error {
	paid, err := refunded(tx, claims)
	if err == nil && slices.ContainsFunc(paid, func(c money.Cents) bool { return c > terms.RefundAlone }) {
		err = fault.New(fault.Conflict, "A value has changed meanwhile. Please try again.")
	}
	return err
}

// askForLarge lets the refunds wait that one admin does not give alone, and keeps the
// others.
func askForLarge(tx *db.Tx, claims []Claim, admin, why string) (alone []Claim, waiting []approval.Waiting, err error) {
	amounts, err := refunds(tx, claims)
	if err != nil {
		return nil, nil, err
	}
	for n, c := range claims {
		if amounts[n] <= terms.RefundAlone {
			alone = append(alone, c)
			continue
		}
		if _, err := c.next(Refund, doer{admin, true}); err != nil {
			return nil, nil, err
		}
		payload, err := json.Marshal(large{c.ID, amounts[n]})
		if err != nil {
			return nil, nil, err
		}
		w, err := approval.Ask(tx, approval.Request{
			Kind: approval.Refund, Subject: subject([]string{c.ID}), Payload: payload, Why: why, AskedBy: admin,
		})
		if err != nil {
			return nil, nil, err
		}
		waiting = append(waiting, w)
	}
	return alone, waiting, nil
}

// RefundApproved pays a refund that a second admin approved, if it is still the same.
func (s *Service) RefundApproved(tx *db.Tx, r approval.Request) error {
	var asked large
	if err := json.Unmarshal(r.Payload, &asked); err != nil {
		return err
	}
	found, err := lockAll(tx, []string{asked.Claim})
	if err != nil {
		return err
	}
	for _, c := range found {
		if err := s.notOwn(c, r.DecidedBy); err != nil {
			return err
		}
	}
	if _, err := s.step(tx, found, Refund, doer{r.AskedBy, true}, []string{r.Why}); err != nil {
		return err
	}
	paid, err := refunded(tx, found)
	if err != nil {
		return err
	}
	if !slices.Equal(paid, []money.Cents{asked.Amount}) {
		return fault.New(fault.Conflict, fmt.Sprintf("The refund would be another one now than the %s points asked for, as a value has changed. Refuse it, and ask again.", asked.Amount))
	}
	_, err = trail.Record(tx, trail.Act{Admin: r.AskedBy, Name: stepping, Path: r.Path(), Request: r.Payload, Change: trail.Change{
		Subject: r.Subject, After: stepped{Refund, life[Refund].to}, Why: r.Why,
	}})
	return err
}
