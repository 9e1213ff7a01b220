package deposits

import (
	"context"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/deposits/solprice"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// createDeposit creates a deposit without a charge. createCharge adds the charge after the transaction,
// because it needs a network request.
func (s *Service) createDeposit(tx *db.Tx, user string, amount money.Cents) (Deposit, error) {
	if err := apperr.CheckRange("amountCents", int64(amount), int64(policy.MinDeposit), int64(policy.MaxDeposit)); err != nil {
		return Deposit{}, err
	}
	if err := checkMayDeposit(tx, user, amount); err != nil {
		return Deposit{}, err
	}
	sol := s.Price.Quote()
	d := Deposit{
		ID: tx.NewID(), User: user, Provider: s.Name, Amount: amount, State: Quoted, SOLPrice: sol.USD, PriceIsFallback: sol.Fallback,
		Version: 1, CreatedAt: tx.Now, ExpiresAt: tx.Now.Add(policy.PayableFor),
	}
	d.NextPoll = d.ExpiresAt.Add(expiryGrace)
	if err := insertDeposit(tx, d); err != nil {
		return d, err
	}
	return d, insertEvent(tx, d.ID, event{Number: 1, State: Quoted, Reason: string(reasonRequested), By: systemAuthor, At: tx.Now})
}

// checkMayDeposit returns an error if the user may not deposit this amount now. It locks the user's
// account, so that concurrent calls count each other's deposits.
func checkMayDeposit(tx *db.Tx, user string, amount money.Cents) error {
	accounts, err := ledger.LockAll(tx, []string{user})
	if err != nil {
		return err
	}
	open, waiting, err := countOpen(tx, user, tx.Now)
	if err == nil && open >= policy.MaxOpenDeposits {
		err = errTooManyOpen
	}
	if err != nil {
		return err
	}
	return limits.CheckDeposit(accounts[user].Play, tx.Now, amount, waiting)
}

var errTooManyOpen = apperr.New(apperr.LimitReached,
	"You have too many unfinished payments. Pay one, or wait until one expires.")

// createCharge creates the provider's charge for a deposit that has none and can still be paid. It
// returns an expired deposit without a charge, so that a client that repeats its request starts over.
// If two calls race, the second charge is never stored or shown.
func (s *Service) createCharge(ctx context.Context, id string) (Deposit, error) {
	d, err := s.loadDeposit(ctx, id)
	if err != nil || d.ChargeToken != "" || !s.DB.Now().Before(d.ExpiresAt) {
		return d, err
	}
	charge, err := s.Provider.CreateCharge(ctx, d.ID, d.Amount, d.ExpiresAt)
	if err != nil {
		return d, err
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		d, err = lockDeposit(tx, id)
		if err != nil || d.ChargeToken != "" {
			return err
		}
		d.ChargeToken, d.NextPoll = charge.Token, tx.Now.Add(pollInterval(0))
		return updateDeposit(tx, d)
	})
	return d, err
}

// quoteAtCreation returns the price of SOL when the deposit was created.
func quoteAtCreation(d Deposit) solprice.Quote {
	return solprice.Quote{USD: d.SOLPrice, AsOf: d.CreatedAt, Fallback: d.PriceIsFallback}
}
