package deposits

import (
	"encoding/json"
	"strconv"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// credit is a grant of points by an admin.
type credit struct {
	admin string // user id of the granting admin
	to    identity.User
	held  money.Cents // balance of to
	asked manualInputBody
	path  string // of the granting request: the admin's own or the approval
	sent  []byte
}

var errGivenEnough = apperr.New(apperr.Forbidden, "An admin gives at most "+policy.MostCredits.String()+
	" Play Points within "+strconv.Itoa(int(policy.CreditsWithin.Hours()))+" hours. Nothing was credited; try again later, or ask another admin.")

var errOwnWallet = apperr.New(apperr.OwnInterest, "Admins can't credit their own wallet, or approve a credit for it. Another admin can.")

// creditOrAsk credits points. Amounts above the admin's limit wait for approval by a second admin.
func creditOrAsk(tx *db.Tx, admin httpapi.Principal, in *manualInput) (Answer, error) {
	user, err := beneficiary(tx, admin, in.Body.WalletAddress, in.Body.Reason)
	if err != nil {
		return Answer{}, err
	}
	if user.ID == admin.UserID {
		return Answer{}, errOwnWallet
	}
	c := credit{admin: admin.UserID, to: user, asked: in.Body, path: in.Path(), sent: in.Sent()}
	if err := c.lock(tx); err != nil {
		return Answer{}, err
	}
	alone, err := approval.SpendDailyTotal(tx, c.admin, approval.ByCredit, subject(user.Address), c.asked.Amount.Cents())
	if err != nil {
		return Answer{}, err
	}
	if alone {
		return c.give(tx)
	}
	waiting, err := approval.Ask(tx, approval.Request{
		Kind: approval.Credit, Subject: subject(user.Address), Payload: in.Sent(), Reason: in.Body.Reason, AskedBy: admin.UserID,
	})
	return Answer{Message: "Waits for a second admin.", Wallet: ledger.NewWallet(c.held), Approval: &waiting}, err
}

// Approved credits points after a second admin's approval.
func (m Manual) Approved(tx *db.Tx, r approval.Request) error {
	c := credit{admin: r.AskedBy, path: r.Path(), sent: r.Payload}
	err := json.Unmarshal(r.Payload, &c.asked)
	if err == nil {
		c.to, err = identity.ByAddress(tx, c.asked.WalletAddress)
	}
	if err == nil && (c.to.ID == r.AskedBy || c.to.ID == r.DecidedBy) {
		err = errOwnWallet
	}
	if err == nil {
		err = c.lock(tx)
	}
	if err == nil {
		_, err = c.give(tx)
	}
	return err
}

// lock serializes an admin's credits and rejects amounts that exceed the ceiling for one admin,
// approved or not.
func (c *credit) lock(tx *db.Tx) error {
	// Lock both accounts in one order. The admin's account is the lock for the ceilings.
	held, err := ledger.LockAll(tx, []string{c.admin, c.to.ID})
	if err != nil {
		return err
	}
	c.held = held[c.to.ID].Balance
	all, err := given(tx, c.admin, tx.Now.Add(-policy.CreditsWithin))
	if err == nil && all+c.asked.Amount.Cents() > policy.MostCredits {
		err = errGivenEnough
	}
	return err
}

// give transfers the points. The transfer's ref is the id of the act in the admin log.
func (c *credit) give(tx *db.Tx) (Answer, error) {
	amount := c.asked.Amount.Cents()
	act, err := adminlog.Record(tx, adminlog.Act{
		Admin: c.admin, Name: operation, Path: c.path, Request: c.sent, Change: change(c.to.Address, c.held, amount, c.asked.Reason),
	})
	if err != nil {
		return Answer{}, err
	}
	lines, err := ledger.Move(tx, ledger.Transfer{
		Debit: ledger.Credits, Credit: ledger.Account(c.to.ID), Amount: amount,
		Kind: ledger.KindAdminCredit, Ref: act, Note: note(c.asked.Reason, c.admin),
	})
	return added(amount, lines), err
}

// subject returns the name of a user in the admin log.
func subject(address string) string { return "user " + address }

// balance is a user's balance in the admin log.
type balance struct {
	BalanceCents money.Cents `json:"balanceCents"`
}

// change describes a credit in the admin log.
func change(address string, held, amount money.Cents, why string) adminlog.Change {
	return adminlog.Change{Subject: subject(address), Before: balance{held}, After: balance{held + amount}, Reason: why}
}

// note returns the ledger's note for a credit: the reason and the admin.
func note(reason, admin string) string { return reason + " (by " + admin + ")" }
