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

// notice is that the provider knows of a payment. It is a reason to look, and no more.
type notice struct {
	payment, source string // payment is the provider's id
	deposit         string // that the provider names; it may be none of ours
	body            []byte
}

// tell keeps a notice, once, and has its deposit looked at soon.
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

// Jobs look at what is to be paid, look for what was paid and told by nobody, and keep
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

// atOnce is how many deposits one round looks at.
const atOnce = 20

// poll settles the deposits that are to be looked at. Each node takes others.
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

// sweepBack is how far back a sweep looks: as long as payments are awaited, and a round.
const sweepBack = 25 * time.Hour

// sweep looks for payments that no deposit has got.
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
