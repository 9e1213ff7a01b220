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
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/money"
)

// Settle advances a deposit as far as provider and chain allow, and credits it at most once.
// Callers pass only the deposit's id: nothing else they know is trusted. If the provider or the
// chain can't be reached, it returns an error and the deposit stays as it is.
func (s *Service) Settle(ctx context.Context, id string) (Deposit, error) {
	d, err := s.read(ctx, id)
	if err == nil && d.awaited() && d.State != Verified {
		d, err = s.inspect(ctx, d)
	}
	if err == nil && d.State == Verified {
		err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) { d, err = payOut(tx, id); return err })
	}
	return d, err
}

func (s *Service) read(ctx context.Context, id string) (d Deposit, err error) {
	err = s.DB.Read(ctx, func(tx *db.Tx) error { d, err = find(tx, id); return err })
	return d, err
}

// inspect advances a deposit according to its payment.
func (s *Service) inspect(ctx context.Context, d Deposit) (Deposit, error) {
	seen, err := s.see(ctx, d)
	if err != nil {
		return d, err
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) { d, err = s.conclude(tx, d, seen); return err })
	return d, err
}

// see queries the provider and the chain, outside of any transaction.
func (s *Service) see(ctx context.Context, d Deposit) (seen sight, err error) {
	if d.Token == "" {
		return seen, nil // no charge, so nobody could pay
	}
	seen.payment, err = s.Provider.Payment(ctx, d.Token)
	if err != nil || seen.payment == nil || solana.ParseSignature(seen.payment.Signature) != nil {
		return seen, err
	}
	seen.final, err = s.Chain.Transaction(ctx, seen.payment.Signature, solana.Finalized)
	if err != nil || seen.final != nil {
		return seen, err
	}
	confirmed, err := s.Chain.Transaction(ctx, seen.payment.Signature, solana.Confirmed)
	seen.confirmed = confirmed != nil
	return seen, err
}

// conclude applies the verdict to a deposit unless it has changed since it was read.
func (s *Service) conclude(tx *db.Tx, looked Deposit, seen sight) (Deposit, error) {
	d, err := lock(tx, looked.ID)
	if err != nil || d.Version != looked.Version {
		return d, err
	}
	v := s.Merchant.judge(d, seen, tx.Now)
	switch {
	case v.state == Verified || v.exception != AsAsked:
		err = s.accept(tx, &d, v, seen)
	case v.state != d.State:
		err = d.next(tx, v.state, v.exception, v.why)
	}
	if err == nil && d.Confirming != v.confirming && d.awaited() {
		d.Confirming = v.confirming
		d.NextLook = d.after(tx.Now)
		err = save(tx, d)
	}
	return d, err
}

// accept records a deposit's payment, whether as requested or not. The unique insert here ensures
// that a payment counts for only one deposit.
func (s *Service) accept(tx *db.Tx, d *Deposit, v verdict, seen sight) error {
	fresh, err := insertPayment(tx, payment{
		deposit: d.ID, provider: d.Provider, Payment: *seen.payment, network: s.Network, at: seen.final.At,
		units: s.Merchant.received(*seen.payment, seen.final), over: s.Merchant.over(*seen.payment, seen.final),
		arrived: s.Merchant.arrived(*seen.payment, seen.final),
	})
	switch {
	case err != nil:
		return err
	case !fresh:
		return d.next(tx, Review, AsAsked, usedBefore)
	}
	return d.next(tx, v.state, v.exception, v.why)
}

// payOut credits a verified deposit. It makes no network requests.
func payOut(tx *db.Tx, id string) (Deposit, error) {
	d, err := lock(tx, id)
	if err != nil || d.State != Verified {
		return d, err
	}
	if err := d.pay(tx, d.Amount); err != nil {
		return d, err
	}
	err = d.next(tx, Credited, d.Exception, moved)
	return d, err
}

// pay transfers the points. The ledger accepts a deposit's transfer only once.
func (d *Deposit) pay(tx *db.Tx, amount money.Cents) error {
	batch, err := ledger.LockBatch(tx, []string{d.User})
	if err != nil {
		return err
	}
	_, err = bring(tx, batch, d.User, ledger.Transfer{
		Debit: ledger.ProviderAccount(d.Provider), Credit: ledger.Account(d.User), Amount: amount, Kind: ledger.KindDeposit, Ref: d.ID,
	})
	d.Credited = amount // saved with the next step
	return err
}

// bring transfers topped-up points to a user and counts them toward the user's limits.
func bring(tx *db.Tx, batch *ledger.Batch, user string, t ledger.Transfer) ([]ledger.Line, error) {
	lines, err := batch.Move(t)
	if err != nil {
		return nil, err
	}
	batch.SetPlay(user, limits.CountTopUp(batch.Play(user), tx.Now, t.Amount))
	return lines, batch.Settle()
}

// payment is the payment recorded for a deposit.
type payment struct {
	deposit, provider, network string
	helio.Payment
	units, over int64
	arrived     money.Cents // value of the units; 0 in old rows that don't have it
	at          time.Time
}

// settleAll settles deposits in parallel. A failure doesn't affect the others.
func (s *Service) settleAll(ctx context.Context, ids []string) error {
	failures := make([]error, len(ids))
	var all sync.WaitGroup
	for n, id := range ids {
		all.Go(func() {
			if _, err := s.Settle(ctx, id); err != nil {
				failures[n] = fmt.Errorf("settle deposit %s: %w", id, err)
			}
		})
	}
	all.Wait()
	return errors.Join(failures...)
}
