package deposits

import (
	"fmt"
	"slices"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Deposit is a top-up: points to be paid for, and its state.
type Deposit struct {
	ID         string
	User       string // user id
	Provider   string
	Amount     money.Cents // requested
	Credited   money.Cents // credited: the amount or what arrived of it; 0 = nothing yet
	State      State
	Exception  Exception
	Confirming bool        // the payment is on the chain but not final
	Token      string      // of the provider's charge; empty until created
	SOL        money.Cents // price of one SOL at creation
	Fallback   bool        // SOL is the fallback price
	Version    int64       // number of events
	CreatedAt  time.Time
	ExpiresAt  time.Time // no longer payable from then on
	Looks      int64     // number of polls since the last notice
	NextLook   time.Time // next poll; zero = none
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

// Exception is how a payment differs from the request.
type Exception string

// The exceptions.
const (
	AsAsked Exception = ""
	Under   Exception = "under" // too little was paid
	Over    Exception = "over"  // too much was paid; only the requested amount is credited
	Late    Exception = "late"
)

// Reason is why a deposit changed state: one of these constants or an admin's text.
type Reason string

// The reasons set by the program.
const (
	asked        Reason = "asked"
	seen         Reason = "seen"         // the provider reports a payment
	unpaid       Reason = "unpaid"       // expired without a payment
	paid         Reason = "paid"         // confirmed by provider and chain
	moved        Reason = "moved"        // the points were credited
	failed       Reason = "failed"       // the charge's transaction failed on the chain
	elsewhere    Reason = "elsewhere"    // paid to another recipient or mint
	underpaid    Reason = "underpaid"    //
	late         Reason = "late"         // paid after expiry
	disagreement Reason = "disagreement" // provider and chain disagree
	usedBefore   Reason = "used-before"  // the payment was accepted for another deposit
	neverFinal   Reason = "never-final"  // not final within policy.PaymentAwaited
)

// life maps each state to the states that a deposit may enter after a check of its payment. Final
// states aren't in it.
var life = map[State][]State{
	Quoted:   {Pending, Verified, Expired, Review, Rejected},
	Pending:  {Verified, Review, Rejected},
	Expired:  {Review, Rejected},
	Verified: {Credited},
}

// decisions maps each state to the states that an admin may choose.
var decisions = map[State][]State{
	Review:   {Credited, Rejected, Refunded},
	Credited: {Refunded},
}

// awaited reports whether the program still looks for the deposit's payment.
func (d Deposit) awaited() bool { return len(life[d.State]) > 0 }

// event is a state change of a deposit.
type event struct {
	Number    int64
	State     State
	Exception Exception
	Reason    string
	By        string // an admin's id, or house
	At        time.Time
}

// house is the author of events caused by the program.
const house = "house"

// next moves a locked deposit to another state after a check of its payment.
func (d *Deposit) next(tx *db.Tx, to State, exception Exception, why Reason) error {
	return d.step(tx, life, event{State: to, Exception: exception, Reason: string(why), By: house})
}

// step moves a locked deposit to another state if ways allows it, and records the event.
func (d *Deposit) step(tx *db.Tx, ways map[State][]State, e event) error {
	if !allowed(ways, d.State, e.State) {
		return fmt.Errorf("deposit %s is %s: it cannot become %s", d.ID, d.State, e.State)
	}
	d.State, d.Exception, d.Confirming = e.State, e.Exception, false
	d.Version++
	switch {
	case !d.awaited():
		d.NextLook = time.Time{}
	case d.State == Verified:
		d.NextLook = tx.Now
	}
	e.Number, e.At = d.Version, tx.Now
	if err := save(tx, *d); err != nil {
		return err
	}
	return insertEvent(tx, d.ID, e)
}

func allowed(ways map[State][]State, from, to State) bool { return slices.Contains(ways[from], to) }

// pauseAfter returns the polling interval after a number of polls: 5 seconds, doubling up to 10
// minutes.
func pauseAfter(looks int64) time.Duration {
	const first, longest = 5 * time.Second, 10 * time.Minute
	if looks > 7 {
		return longest
	}
	return min(first<<looks, longest)
}

// after returns the time of the next poll, or zero if the deposit is polled no more unless a notice
// arrives.
func (d Deposit) after(now time.Time) time.Time {
	if d.State == Expired && !now.Before(d.lookUntil()) {
		return time.Time{}
	}
	if d.Confirming && d.Looks < manyLooks {
		return now.Add(confirmingPause)
	}
	return now.Add(pauseAfter(d.Looks))
}

// A payment that is on the chain becomes final within a minute, and its user is waiting, so poll
// more often. After manyLooks polls, fall back to the usual interval.
const (
	confirmingPause = 2 * time.Second
	manyLooks       = 30
)

// lookUntil returns when polling for a payment ends, unless a notice arrives.
func (d Deposit) lookUntil() time.Time { return d.CreatedAt.Add(policy.PaymentAwaited) }
