package deposits

import (
	"errors"
	"strings"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
	"kaibao/internal/policy"
)

// actions are what an admin may do with a deposit, and what it becomes.
var actions = map[string]State{"credit": Credited, "refund": Refunded, "reject": Rejected}

// resolve does an admin's action. Points are moved, and what was moved before is moved
// back; nothing is taken out of the books. before is the state that it was in.
func (s *Service) resolve(tx *db.Tx, admin, id, action, reason string) (before State, d Deposit, err error) {
	if strings.TrimSpace(reason) == "" {
		return "", d, apperr.InvalidField("reason", "must say why")
	}
	if err := apperr.Short("reason", reason, policy.LongestReason); err != nil {
		return "", d, err
	}
	d, err = lock(tx, id)
	if errors.Is(err, db.ErrNoRow) {
		return "", d, apperr.Missing("Deposit")
	}
	if err != nil {
		return "", d, err
	}
	before = d.State
	to := actions[action]
	if !allowed(decisions, d.State, to) {
		return before, d, apperr.New(apperr.Conflict, "This deposit is "+string(d.State)+": it cannot become "+string(to)+".")
	}
	switch {
	case to == Credited:
		err = d.creditArrived(tx)
	case d.State == Credited:
		err = s.takeBack(tx, d)
	}
	if err != nil {
		return before, d, err
	}
	err = d.step(tx, decisions, event{State: to, Exception: d.Exception, Reason: reason, By: admin})
	return before, d, err
}

var errNothingArrived = apperr.New(apperr.NothingArrived, "Nothing is known to have arrived for this deposit, so there is nothing to credit. "+
	"Give the points as a credit with its own reason, or refund the payment at the provider.")

// creditArrived pays what was asked for, or what chain and provider say has arrived for it
// where that is less. More would be a gift, which is a credit of its own.
func (d *Deposit) creditArrived(tx *db.Tx) error {
	came, err := paymentOf(tx, d.ID)
	if err != nil {
		return err
	}
	amount := min(d.Amount, came.arrived)
	if amount == 0 {
		return errNothingArrived
	}
	return d.pay(tx, amount)
}

// takeBack moves the points of a credited deposit back. What the user has spent of them
// is owed to the house; what their bids hold is not spent, and the bids end for it.
func (s *Service) takeBack(tx *db.Tx, d Deposit) error {
	seen, err := ledger.Find(tx, d.User)
	if err == nil && seen.Balance < d.Credited {
		err = s.EndBids(tx, d.User)
	}
	if err != nil {
		return err
	}
	held, err := ledger.LockAll(tx, []string{d.User})
	if err != nil {
		return err
	}
	there := min(held[d.User].Balance, d.Credited)
	if there < d.Credited && held[d.User].InBids > 0 {
		return db.ErrAgain // they bid after their bids were ended
	}
	var transfers []ledger.Transfer
	if there > 0 {
		transfers = append(transfers, ledger.Transfer{
			Debit: ledger.Account(d.User), Credit: ledger.Paid(d.Provider), Amount: there, Kind: ledger.KindRefund, Ref: d.ID,
		})
	}
	if there < d.Credited {
		transfers = append(transfers, ledger.Transfer{
			Debit: ledger.Receivable, Credit: ledger.Paid(d.Provider), Amount: d.Credited - there, Kind: ledger.KindShortfall, Ref: d.ID,
		})
	}
	_, err = ledger.Move(tx, transfers...)
	return err
}
