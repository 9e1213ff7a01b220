package deposits

import (
	"errors"
	"strings"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
	"kaibao/internal/policy"
)

// actions maps an admin's action to the resulting state.
var actions = map[string]State{"credit": Credited, "refund": Refunded, "reject": Rejected}

// resolve executes an admin's action. Points are credited, or credited points are moved back;
// nothing is deleted from the books. before is the previous state.
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

// creditArrived credits the requested amount or, if less, what arrived according to chain and
// provider. Anything more would be a gift, for which admins use a credit.
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

// takeBack reverses a credited deposit. Points that the user has already spent become a receivable.
// Points held by bids aren't spent: the bids are canceled first.
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
		return db.ErrAgain // the user placed new bids after theirs were canceled
	}
	var transfers []ledger.Transfer
	if there > 0 {
		transfers = append(transfers, ledger.Transfer{
			Debit: ledger.Account(d.User), Credit: ledger.ProviderAccount(d.Provider), Amount: there, Kind: ledger.KindRefund, Ref: d.ID,
		})
	}
	if there < d.Credited {
		transfers = append(transfers, ledger.Transfer{
			Debit: ledger.Receivable, Credit: ledger.ProviderAccount(d.Provider), Amount: d.Credited - there, Kind: ledger.KindShortfall, Ref: d.ID,
		})
	}
	_, err = ledger.Move(tx, transfers...)
	return err
}
