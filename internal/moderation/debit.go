package moderation

import (
	"encoding/json"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/identity"
	"kaibao/internal/ledger"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
)

// debit is an order to take points back from a user.
type debit struct {
	admin    string // user id of the admin who asked for it
	approval string // id of the approved request; empty = within the admin's daily total
	user     identity.User
	amount   money.Cents
	reason   string // shown to the user
}

// Debited is the outcome of a debit.
type Debited struct {
	TakenCents   money.Cents  `json:"takenCents" doc:"Taken from the user's balance. Bids were ended as far as it didn't cover the amount."`
	MissingCents money.Cents  `json:"missingCents" doc:"What the user doesn't have. It isn't owed."`
	BalanceCents *money.Cents `json:"balanceCents,omitempty" doc:"The user's balance afterwards; absent while the debit waits for a second admin."`
}

// debitRequest is the payload of a request to take points back.
type debitRequest struct {
	UserID      string      `json:"userId"`
	AmountCents money.Cents `json:"amountCents"`
}

var errOwnDebit = apperr.New(apperr.OwnInterest, "You can't take points from your own account, or approve it. Ask another admin.")

// debitOrRequestApproval takes points back. Amounts beyond the admin's daily total wait for a second
// admin.
func debitOrRequestApproval(tx *db.Tx, d debit) (taken Debited, waiting *approval.Waiting, err error) {
	if d.user.ID == d.admin {
		return taken, nil, errOwnDebit
	}
	open, err := match.LockUserBids(tx, d.user.ID, d.admin)
	if err == nil {
		err = identity.CheckNotDeleted(tx, d.user.ID)
	}
	if err != nil {
		return taken, nil, err
	}
	within, err := approval.SpendDailyTotal(tx, d.admin, approval.ByDebit, identity.LogSubject(d.user.ID), d.amount)
	if err != nil {
		return taken, nil, err
	}
	if within {
		taken, err = d.take(tx, open)
		return taken, nil, err
	}
	payload, err := json.Marshal(debitRequest{d.user.ID, d.amount})
	if err != nil {
		return taken, nil, err
	}
	asked, err := approval.Ask(tx, approval.Request{
		Kind: approval.Debit, Subject: identity.LogSubject(d.user.ID), Payload: payload, Reason: d.reason, AskedBy: d.admin,
	})
	return taken, &asked, err
}

// ApplyApprovedDebit takes points back after a second admin's approval.
func ApplyApprovedDebit(tx *db.Tx, r approval.Request) error {
	var asked debitRequest
	if err := json.Unmarshal(r.Payload, &asked); err != nil {
		return err
	}
	user, err := findUser(tx, asked.UserID)
	if err != nil {
		return err
	}
	if user.ID == r.AskedBy || user.ID == r.DecidedBy {
		return errOwnDebit
	}
	open, err := match.LockUserBids(tx, user.ID)
	if err == nil {
		err = identity.CheckNotDeleted(tx, user.ID)
	}
	if err != nil {
		return err
	}
	d := debit{admin: r.AskedBy, approval: r.ID, user: user, amount: asked.AmountCents, reason: r.Reason}
	taken, err := d.take(tx, open)
	if err != nil {
		return err
	}
	_, err = adminlog.Record(tx, adminlog.Act{Admin: r.AskedBy, Name: debitID, Path: r.Path(), Request: r.Payload, Change: d.change(taken)})
	return err
}

// take takes the free balance first, then ends bids as far as needed. It never takes more than the
// user has.
func (d debit) take(tx *db.Tx, open match.UserBids) (Debited, error) {
	balance, err := open.Release(d.amount)
	if err != nil {
		return Debited{}, err
	}
	amount, id := min(d.amount, balance), tx.NewID()
	taken := Debited{TakenCents: amount, MissingCents: d.amount - amount, BalanceCents: new(balance - amount)}
	if err := insertDebit(tx, id, d, amount); err != nil || amount == 0 {
		return taken, err
	}
	_, err = ledger.Move(tx, ledger.Transfer{
		Debit: ledger.Account(d.user.ID), Credit: ledger.Debits, Amount: amount, Kind: ledger.KindDebit, Ref: id, Note: d.reason,
	})
	return taken, err
}

// balanceEntry is a balance in the admin log.
type balanceEntry struct {
	BalanceCents money.Cents `json:"balanceCents"`
}

// change describes the debit in the admin log.
func (d debit) change(taken Debited) adminlog.Change {
	return adminlog.Change{
		Subject: identity.LogSubject(d.user.ID), Before: balanceEntry{*taken.BalanceCents + taken.TakenCents}, After: taken, Reason: d.reason,
	}
}
