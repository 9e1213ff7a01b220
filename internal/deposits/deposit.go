package deposits

import (
	"fmt"
	"slices"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Deposit is a purchase of points, and its state.
type Deposit struct {
	ID              string
	User            string // user id
	Provider        string
	Amount          money.Cents // requested
	Credited        money.Cents // points added: the requested amount, or less if less arrived; 0 = none yet
	State           State
	Exception       Exception
	Confirming      bool        // the payment is on the chain but not final
	ChargeToken     string      // of the provider's charge; empty until created
	SOLPrice        money.Cents // price of one SOL at creation
	PriceIsFallback bool        // SOLPrice is the fallback price
	Version         int64       // number of events
	CreatedAt       time.Time
	ExpiresAt       time.Time // end of the time to pay
	Polls           int64     // number of polls since the last notice
	NextPoll        time.Time // next poll; zero = none
}

// State is a state in a deposit's life cycle.
type State string

// The states.
const (
	Quoted   State = "quoted"   // not paid yet
	Pending  State = "pending"  // paid, but not final, or not confirmed by the provider
	Verified State = "verified" // provider and chain agree that it was paid; to be credited next
	Credited State = "credited"
	Expired  State = "expired" // not paid in time
	Review   State = "review"  // waits for an admin's decision
	Rejected State = "rejected"
	Refunded State = "refunded"
)

var states = []State{Quoted, Pending, Verified, Credited, Expired, Review, Rejected, Refunded}

// IsOpen reports whether the deposit still waits for its payment, its points or an admin.
func (s State) IsOpen() bool {
	return s == Quoted || s == Pending || s == Verified || s == Review
}

// Exception is how a payment differs from the request.
type Exception string

// The exceptions.
const (
	AsRequested Exception = ""
	Under       Exception = "under" // too little was paid
	Over        Exception = "over"  // too much was paid; only the requested amount is credited
	Late        Exception = "late"
)

// Reason is why a deposit changed state: one of these constants or an admin's text.
type Reason string

// The reasons set by the program, as stored.
const (
	reasonRequested      Reason = "asked"
	reasonSeen           Reason = "seen"         // the provider reports a payment
	reasonUnpaid         Reason = "unpaid"       // expired without a payment
	reasonPaid           Reason = "paid"         // confirmed by provider and chain
	reasonCredited       Reason = "moved"        // the points were credited
	reasonFailed         Reason = "failed"       // the charge's transaction failed on the chain
	reasonWrongRecipient Reason = "elsewhere"    // paid to another recipient or mint
	reasonUnderpaid      Reason = "underpaid"    //
	reasonLate           Reason = "late"         // paid after expiry
	reasonMismatch       Reason = "disagreement" // provider and chain disagree
	reasonDuplicate      Reason = "used-before"  // the payment was accepted for another deposit
	reasonNeverFinal     Reason = "never-final"  // not final within policy.PaymentAwaited
)

// checkTransitions maps each state to the states that can follow a check of the payment. Other states
// aren't checked.
var checkTransitions = map[State][]State{
	Quoted:   {Pending, Verified, Expired, Review, Rejected},
	Pending:  {Verified, Review, Rejected},
	Expired:  {Review, Rejected},
	Verified: {Credited},
}

// adminTransitions maps each state to the states that an admin may choose.
var adminTransitions = map[State][]State{
	Review:   {Credited, Rejected, Refunded},
	Credited: {Refunded},
}

// awaitsPayment reports whether the program still checks for the deposit's payment.
func (d Deposit) awaitsPayment() bool { return len(checkTransitions[d.State]) > 0 }

// event is a state change of a deposit.
type event struct {
	Number    int64
	State     State
	Exception Exception
	Reason    string
	By        string // an admin's id, or house
	At        time.Time
}

// systemAuthor is the author of the program's own events.
const systemAuthor = "house"

// applyCheck moves a locked deposit to another state after a check of its payment.
func (d *Deposit) applyCheck(tx *db.Tx, state State, exception Exception, reason Reason) error {
	return d.transition(tx, checkTransitions, event{State: state, Exception: exception, Reason: string(reason), By: systemAuthor})
}

// transition moves a locked deposit to another state if transitions allows it, and records the event.
func (d *Deposit) transition(tx *db.Tx, transitions map[State][]State, e event) error {
	if !transitionAllowed(transitions, d.State, e.State) {
		return fmt.Errorf("deposit %s is %s and can't become %s", d.ID, d.State, e.State)
	}
	d.State, d.Exception, d.Confirming = e.State, e.Exception, false
	d.Version++
	switch {
	case !d.awaitsPayment():
		d.NextPoll = time.Time{}
	case d.State == Verified:
		d.NextPoll = tx.Now
	}
	e.Number, e.At = d.Version, tx.Now
	if err := updateDeposit(tx, *d); err != nil {
		return err
	}
	return insertEvent(tx, d.ID, e)
}

func transitionAllowed(transitions map[State][]State, from, to State) bool {
	return slices.Contains(transitions[from], to)
}

// pollInterval returns the polling interval after a number of polls: 5 seconds, doubling up to 10
// minutes.
func pollInterval(polls int64) time.Duration {
	const first, longest = 5 * time.Second, 10 * time.Minute
	if polls > 7 {
		return longest
	}
	return min(first<<polls, longest)
}

// nextPollAfter returns the time of the next poll. It is zero if polling has ended; then only a notice
// restarts it.
func (d Deposit) nextPollAfter(now time.Time) time.Time {
	if d.State == Expired && !now.Before(d.pollDeadline()) {
		return time.Time{}
	}
	return now.Add(d.pollWait())
}

// pollWait returns the time until the next poll.
func (d Deposit) pollWait() time.Duration {
	if d.Confirming && d.Polls < maxConfirmingPolls {
		return confirmingPollInterval
	}
	return pollInterval(d.Polls)
}

// lastPoll returns when the deposit was polled last, as the time of the next poll tells. It is zero if the
// deposit hasn't been polled since the last notice, or polling has ended.
func (d Deposit) lastPoll() time.Time {
	if d.Polls == 0 || d.NextPoll.IsZero() {
		return time.Time{}
	}
	d.Polls--
	return d.NextPoll.Add(-d.pollWait())
}

// A payment that is on the chain becomes final within a minute, and its user is waiting, so poll
// more often. After maxConfirmingPolls polls, fall back to the usual interval.
const (
	confirmingPollInterval = 2 * time.Second
	maxConfirmingPolls     = 30
)

// pollDeadline returns when polling for a payment ends. A notice restarts it.
func (d Deposit) pollDeadline() time.Time { return d.CreatedAt.Add(policy.PaymentAwaited) }
