package deposits

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/deposits/helio"
	"kaibao/internal/deposits/solana"
	"kaibao/internal/identity"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/money"
)

// Settle advances a deposit as far as provider and chain allow, and credits it at most once.
// Callers pass only the deposit's id, because other claims about a payment aren't trusted. If the provider or the
// chain can't be reached, it returns an error and the deposit stays as it is.
func (s *Service) Settle(ctx context.Context, id string) (Deposit, error) {
	d, err := s.loadDeposit(ctx, id)
	if err == nil && d.awaitsPayment() && d.State != Verified {
		d, err = s.checkPayment(ctx, d)
	}
	if err == nil && d.State == Verified {
		err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) { d, err = creditVerified(tx, id); return err })
	}
	return d, err
}

func (s *Service) loadDeposit(ctx context.Context, id string) (d Deposit, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error { d, err = findDeposit(tx, id); return err })
	return d, err
}

// checkPayment advances a deposit according to its payment.
func (s *Service) checkPayment(ctx context.Context, d Deposit) (Deposit, error) {
	observed, err := s.queryPayment(ctx, d)
	s.recordCheck(ctx, d, observed, err)
	if err != nil {
		return d, err
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) { d, err = s.applyVerdict(tx, d, observed); return err })
	if err == nil && !d.awaitsPayment() {
		s.checks.forget(d.ID)
	}
	return d, err
}

// queryPayment queries the provider and the chain, outside of any transaction.
func (s *Service) queryPayment(ctx context.Context, d Deposit) (observed observation, err error) {
	if d.ChargeToken == "" {
		return observed, nil // no charge, so nobody could pay
	}
	observed.payment, err = s.Provider.PaymentOfCharge(ctx, d.ChargeToken)
	if err != nil || observed.payment == nil || solana.ParseSignature(observed.payment.Signature) != nil {
		return observed, err
	}
	observed.final, err = s.Chain.Transaction(ctx, observed.payment.Signature, solana.Finalized)
	if err != nil || observed.final != nil {
		return observed, err
	}
	confirmed, err := s.Chain.Transaction(ctx, observed.payment.Signature, solana.Confirmed)
	observed.confirmed = confirmed != nil
	return observed, err
}

// applyVerdict applies the verdict to a deposit unless it has changed since it was read.
func (s *Service) applyVerdict(tx *db.Tx, before Deposit, observed observation) (Deposit, error) {
	d, err := lockDeposit(tx, before.ID)
	if err != nil || d.Version != before.Version {
		return d, err
	}
	v := s.Merchant.decide(d, observed, tx.Now)
	switch {
	case v.state == Verified || v.exception != AsRequested:
		err = s.recordPayment(tx, &d, v, observed)
	case v.state != d.State:
		err = d.applyCheck(tx, v.state, v.exception, v.reason)
	}
	if err == nil && d.Confirming != v.confirming && d.awaitsPayment() {
		d.Confirming = v.confirming
		d.NextPoll = d.nextPollAfter(tx.Now)
		err = updateDeposit(tx, d)
	}
	return d, err
}

// recordPayment records a deposit's payment and applies its verdict. A unique key ensures that each
// payment counts for only one deposit; a second deposit is reviewed.
func (s *Service) recordPayment(tx *db.Tx, d *Deposit, v verdict, observed observation) error {
	inserted, err := insertPayment(tx, recordedPayment{
		deposit: d.ID, provider: d.Provider, Payment: *observed.payment, network: s.Network, paidAt: observed.final.At,
		receivedUnits: s.Merchant.receivedUnits(*observed.payment, observed.final), excessUnits: s.Merchant.excessUnits(*observed.payment, observed.final),
		receivedValue: s.Merchant.receivedValue(*observed.payment, observed.final),
	})
	switch {
	case err != nil:
		return err
	case !inserted:
		return d.applyCheck(tx, Review, AsRequested, reasonDuplicate)
	}
	return d.applyCheck(tx, v.state, v.exception, v.reason)
}

// creditVerified credits a verified deposit. It makes no network requests.
func creditVerified(tx *db.Tx, id string) (Deposit, error) {
	d, err := lockDeposit(tx, id)
	if err != nil || d.State != Verified {
		return d, err
	}
	if err := d.credit(tx, d.Amount); err != nil {
		return d, err
	}
	err = d.applyCheck(tx, Credited, d.Exception, reasonCredited)
	return d, err
}

// credit transfers points to the user, unless the account was deleted. The ledger accepts a deposit's
// transfer only once. The caller must update the deposit.
func (d *Deposit) credit(tx *db.Tx, amount money.Cents) error {
	batch, err := ledger.LockBatch(tx, []string{d.User})
	if err == nil {
		err = identity.CheckNotDeleted(tx, d.User)
	}
	if err != nil {
		return err
	}
	_, err = moveDeposit(tx, batch, d.User, ledger.Transfer{
		Debit: ledger.ProviderAccount(d.Provider), Credit: ledger.Account(d.User), Amount: amount, Kind: ledger.KindDeposit, Ref: d.ID,
	})
	d.Credited = amount // stored by the transition that follows
	return err
}

// moveDeposit transfers deposited points to a user and counts them toward the user's limits.
func moveDeposit(tx *db.Tx, batch *ledger.Batch, user string, t ledger.Transfer) ([]ledger.Line, error) {
	lines, err := batch.Move(t)
	if err != nil {
		return nil, err
	}
	batch.SetPlay(user, limits.CountDeposit(batch.Play(user), tx.Now, t.Amount))
	return lines, batch.Save()
}

// recordedPayment is the payment recorded for a deposit.
type recordedPayment struct {
	deposit, provider, network string
	helio.Payment
	receivedUnits, excessUnits int64
	receivedValue              money.Cents // value of the units; 0 in old rows
	paidAt                     time.Time
}

// settleAll settles deposits in parallel. A failure doesn't affect the others.
func (s *Service) settleAll(ctx context.Context, ids []string) error {
	failures := make([]error, len(ids))
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Go(func() {
			if _, err := s.Settle(ctx, id); err != nil {
				failures[i] = fmt.Errorf("settle deposit %s: %w", id, err)
			}
		})
	}
	wg.Wait()
	return errors.Join(failures...)
}
