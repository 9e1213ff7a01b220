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

// notice says that the provider knows of a payment. It is only a reason to check.
type notice struct {
	payment, source string // payment is the provider's id
	deposit         string // claimed by the provider; may not exist
	body            []byte
}

// tell stores a notice once and schedules a check of its deposit.
func (s *Service) tell(tx *db.Tx, n notice) error {
	known, err := isDeposit(tx, n.deposit)
	if err != nil {
		return err
	}
	if !known {
		n.deposit = ""
	}
	fresh, err := insertNotice(tx, s.Name, n)
	if err != nil || !fresh || !known {
		return err
	}
	d, err := lock(tx, n.deposit)
	if err != nil || !d.awaited() {
		return err
	}
	d.Looks, d.NextLook = 0, tx.Now
	return save(tx, d)
}

// Jobs returns the jobs that poll due deposits, search for payments without a notice, and refresh
// the price of SOL.
func (s *Service) Jobs() []jobs.Job {
	work := []jobs.Job{
		{Name: "deposits", Every: time.Second, Limit: time.Minute, Do: s.poll},
		{Name: "payments nobody told of", Every: time.Hour, Limit: time.Minute, Do: s.sweep},
		{Name: "price of SOL", Every: time.Minute, Limit: 20 * time.Second, Do: func(ctx context.Context) (int64, error) {
			return 0, s.Price.Refresh(ctx)
		}},
	}
	if s.StandIn != nil {
		work = append(work, s.StandIn.Jobs()...)
	}
	return work
}

// atOnce is the number of deposits polled per round.
const atOnce = 20

// poll settles the due deposits. Nodes skip deposits that another node has taken.
func (s *Service) poll(ctx context.Context) (int64, error) {
	waiting, due := false, []string(nil)
	err := s.DB.Peek(ctx, func(tx *db.Tx) (err error) { waiting, err = isDue(tx); return err })
	if err != nil || !waiting {
		return 0, err
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) { due, err = takeDue(tx, atOnce); return err })
	if err != nil {
		return 0, err
	}
	return 0, s.settleAll(ctx, due)
}

// sweepBack is how far back a sweep searches: policy.PaymentAwaited plus one round.
const sweepBack = 25 * time.Hour

// sweep searches for payments that belong to no deposit.
func (s *Service) sweep(ctx context.Context) (int64, error) {
	now := s.DB.Now()
	payments, err := s.Provider.Between(ctx, now.Add(-sweepBack), now)
	if err != nil {
		return 0, err
	}
	for _, p := range payments {
		if !slices.Contains(settledStatuses, p.Status) {
			continue
		}
		if err := s.DB.InTx(ctx, func(tx *db.Tx) error { return s.swept(tx, p) }); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

func (s *Service) swept(tx *db.Tx, p helio.Payment) error {
	got, err := isPayment(tx, s.Name, p.ID)
	if err != nil || got {
		return err
	}
	body, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return s.tell(tx, notice{payment: p.ID, source: fromSweep, deposit: p.Deposit, body: body})
}
