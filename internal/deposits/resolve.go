package deposits

import (
	"errors"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
)

// stateByAction maps an admin's action to the resulting state.
var stateByAction = map[string]State{"credit": Credited, "refund": Refunded, "reject": Rejected}

// resolveDeposit executes an admin's action. It credits points or reverses a credit, by transfers.
// before is the previous state.
func (s *Service) resolveDeposit(tx *db.Tx, admin, id, action, reason string) (before State, d Deposit, err error) {
	if err := adminlog.CheckReason(reason); err != nil {
		return "", d, err
	}
	d, err = lockDeposit(tx, id)
	if errors.Is(err, db.ErrNoRow) {
		return "", d, apperr.Missing("Deposit")
	}
	if err != nil {
		return "", d, err
	}
	before = d.State
	state := stateByAction[action]
	if !transitionAllowed(adminTransitions, d.State, state) {
		return before, d, apperr.New(apperr.Conflict, "This deposit is "+string(d.State)+" and can't become "+string(state)+".")
	}
	switch {
	case state == Credited:
		err = d.creditReceived(tx)
	case d.State == Credited:
		err = s.reverseCredit(tx, d)
	}
	if err != nil {
		return before, d, err
	}
	err = d.transition(tx, adminTransitions, event{State: state, Exception: d.Exception, Reason: reason, By: admin})
	return before, d, err
}

var errNothingArrived = apperr.New(apperr.NothingArrived, "No payment has arrived for this deposit, so there is nothing to credit. "+
	"To give the points anyway, credit them to the user with a reason. If there was a payment, refund it at the provider.")

// creditReceived credits the requested amount, or the value received if that is less. To give more,
// admins use a manual credit.
func (d *Deposit) creditReceived(tx *db.Tx) error {
	payment, err := loadPayment(tx, d.ID)
	if err != nil {
		return err
	}
	amount := min(d.Amount, payment.receivedValue)
	if amount == 0 {
		return errNothingArrived
	}
	return d.credit(tx, amount)
}

// reverseCredit reverses a credited deposit. Points that the user has already spent become a receivable.
// Points held by bids aren't spent: the bids are canceled first.
func (s *Service) reverseCredit(tx *db.Tx, d Deposit) error {
	account, err := ledger.Find(tx, d.User)
	if err == nil && account.Balance < d.Credited {
		err = s.EndBids(tx, d.User)
	}
	if err != nil {
		return err
	}
	accounts, err := ledger.LockAll(tx, []string{d.User})
	if err != nil {
		return err
	}
	available := min(accounts[d.User].Balance, d.Credited)
	if available < d.Credited && accounts[d.User].InBids > 0 {
		return db.ErrAgain // the user placed new bids after theirs were canceled
	}
	var transfers []ledger.Transfer
	if available > 0 {
		transfers = append(transfers, ledger.Transfer{
			Debit: ledger.Account(d.User), Credit: ledger.ProviderAccount(d.Provider), Amount: available, Kind: ledger.KindRefund, Ref: d.ID,
		})
	}
	if available < d.Credited {
		transfers = append(transfers, ledger.Transfer{
			Debit: ledger.Receivable, Credit: ledger.ProviderAccount(d.Provider), Amount: d.Credited - available, Kind: ledger.KindShortfall, Ref: d.ID,
		})
	}
	_, err = ledger.Move(tx, transfers...)
	return err
}
