package deposits

import (
	"context"
	"sync"
	"time"

	"kaibao/internal/httpapi"
)

// check is what this node saw when it last checked a deposit's payment.
type check struct {
	at        time.Time
	signature string // reported by the provider, unverified; empty = none
	failure   string // why the provider or the chain couldn't be asked; empty = none
}

// checks are the last checks of deposits that await their payment. They explain a deposit and decide
// nothing, so they aren't stored.
type checks struct {
	mutex     sync.Mutex
	byDeposit map[string]check
}

// maxChecks limits the memory of checks. Above it, all are dropped; the next polls add them again.
const maxChecks = 10_000

// record remembers a check. A failed one keeps the signature of the one before.
func (c *checks) record(deposit string, latest check) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if latest.failure != "" {
		latest.signature = c.byDeposit[deposit].signature
	}
	if c.byDeposit == nil || len(c.byDeposit) >= maxChecks {
		c.byDeposit = map[string]check{}
	}
	c.byDeposit[deposit] = latest
}

func (c *checks) forget(deposit string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.byDeposit, deposit)
}

func (c *checks) find(deposit string) check {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.byDeposit[deposit]
}

// recordCheck remembers the outcome of queryPayment, unless its caller gave up.
func (s *Service) recordCheck(ctx context.Context, d Deposit, observed observation, err error) {
	latest := check{at: s.DB.Now()}
	switch {
	case err != nil && ctx.Err() != nil:
		return
	case err != nil:
		latest.failure = err.Error()
	case observed.payment != nil:
		latest.signature = observed.payment.Signature
	}
	s.checks.record(d.ID, latest)
}

// describeCheck adds to a deposit that awaits its payment when it was checked last, when it is checked
// next, and the transaction that the provider reports. It returns why the last check failed, or "".
func (s *Service) describeCheck(life *DepositLife, d Deposit) (failure string) {
	if !d.awaitsPayment() {
		return ""
	}
	latest, checked := s.checks.find(d.ID), d.lastPoll()
	if !latest.at.Before(checked) { // no other node has checked since
		failure, checked = latest.failure, latest.at
	}
	if !checked.IsZero() {
		life.LastCheckedAt = httpapi.Timestamp(checked)
	}
	if !d.NextPoll.IsZero() {
		life.NextCheckAt = httpapi.Timestamp(d.NextPoll)
	}
	life.ReportedTransactionID = latest.signature
	return failure
}
