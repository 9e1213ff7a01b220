package deposits

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/deposits/helio"
	"kaibao/internal/jobs"
)

// The sources of notices.
const (
	fromWebhook = "webhook"
	fromSweep   = "sweep"
)

// notice is a message that the provider knows of a payment. It only triggers a check.
type notice struct {
	paymentID, source string // paymentID is the provider's
	depositID         string // claimed by the provider; may not exist
	body              []byte
}

// storeNotice stores a notice once and schedules a check of its deposit.
func (s *Service) storeNotice(tx *db.Tx, n notice) error {
	exists, err := depositExists(tx, n.depositID)
	if err != nil {
		return err
	}
	if !exists {
		n.depositID = ""
	}
	inserted, err := insertNotice(tx, s.Name, n)
	if err != nil || !inserted || !exists {
		return err
	}
	d, err := lockDeposit(tx, n.depositID)
	if err != nil || !d.awaitsPayment() {
		return err
	}
	d.Polls, d.NextPoll = 0, tx.Now
	return updateDeposit(tx, d)
}

// Jobs returns the jobs that poll due deposits, search for payments without a notice, and refresh
// the price of SOL.
func (s *Service) Jobs() []jobs.Job {
	list := []jobs.Job{
		{Name: "deposits", Every: time.Second, Limit: time.Minute, Do: s.poll},
		{Name: "missed payments", Every: time.Hour, Limit: time.Minute, Do: s.sweep},
		{Name: "price of SOL", Every: time.Minute, Limit: 20 * time.Second, Do: func(ctx context.Context) (int64, error) {
			return 0, s.Price.Refresh(ctx)
		}},
	}
	if s.SandboxProvider != nil {
		list = append(list, s.SandboxProvider.Jobs()...)
	}
	return list
}

// pollBatchSize is the number of deposits polled per round.
const pollBatchSize = 20

// poll settles the due deposits. Nodes skip deposits that another node has claimed.
func (s *Service) poll(ctx context.Context) (int64, error) {
	waiting, ids := false, []string(nil)
	err := s.DB.Peek(ctx, func(tx *db.Tx) (err error) { waiting, err = isAnyDue(tx); return err })
	if err != nil || !waiting {
		return 0, err
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) { ids, err = claimDue(tx, pollBatchSize); return err })
	if err != nil {
		return 0, err
	}
	return 0, s.settleAll(ctx, ids)
}

// sweepWindow is the age of the oldest payments that a sweep finds: policy.PaymentAwaited plus one
// round.
const sweepWindow = 25 * time.Hour

// sweep stores a notice of every recent payment that isn't recorded, in case its webhook was lost.
func (s *Service) sweep(ctx context.Context) (int64, error) {
	now := s.DB.Now()
	payments, err := s.Provider.PaymentsBetween(ctx, now.Add(-sweepWindow), now)
	if err != nil {
		return 0, err
	}
	for _, p := range payments {
		if !slices.Contains(paidStatuses, p.Status) {
			continue
		}
		if err := s.DB.InTx(ctx, func(tx *db.Tx) error { return s.storeSweptPayment(tx, p) }); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

func (s *Service) storeSweptPayment(tx *db.Tx, p helio.Payment) error {
	recorded, err := paymentExists(tx, s.Name, p.ID)
	if err != nil || recorded {
		return err
	}
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return s.storeNotice(tx, notice{paymentID: p.ID, source: fromSweep, depositID: p.Deposit, body: body})
}
