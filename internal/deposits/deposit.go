package deposits

import (
	"fmt"
	"slices"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Deposit is points that somebody wants to pay for, and what became of it.
type Deposit struct {
	ID         string
	User       string // id
	Provider   string
	Amount     money.Cents // asked for
	Credited   money.Cents // that was credited: the amount, or what arrived of it; 0 = nothing yet
	State      State
	Exception  Exception
	Confirming bool        // the chain has the payment, but not for good yet
	Token      string      // of the provider's charge; empty until it is made
	SOL        money.Cents // the price of one when the deposit was asked for
	Fallback   bool        // it is none of a market's
	Version    int64       // how many events it has
	CreatedAt  time.Time
	ExpiresAt  time.Time // from then on it can be paid no more
	Looks      int64     // how often it was looked at since it was last told of
	NextLook   time.Time // zero = not any more
}

// State is where a deposit is in its life.
type State string

// The states.
const (
	Quoted   State = "quoted"   // nothing was paid
	Pending  State = "pending"  // paid, but not for good or not as it should be known yet
	Verified State = "verified" // provider and chain agree that it was paid; the points come next
	Credited State = "credited"
	Expired  State = "expired" // nothing was paid in time
	Review   State = "review"  // an admin decides
	Rejected State = "rejected"
	Refunded State = "refunded"
)

// Exception is how a payment was not as it was asked for.
type Exception string

// The exceptions.
const (
	AsAsked Exception = ""
	Under   Exception = "under" // less was paid
	Over    Exception = "over"  // more was paid: what was asked for is credited
	Late    Exception = "late"
)

// Reason says why a deposit came into a state: one of these, or an admin's words.
type Reason string

// The reasons that are not an admin's.
const (
	asked        Reason = "asked"
	seen         Reason = "seen"         // the provider knows of a payment
	unpaid       Reason = "unpaid"       // until it expired
	paid         Reason = "paid"         // by provider and chain
	moved        Reason = "moved"        // the points
	failed       Reason = "failed"       // the charge's own transaction, on the chain
	elsewhere    Reason = "elsewhere"    // the payment went to another recipient or mint
	underpaid    Reason = "underpaid"    //
	late         Reason = "late"         // paid after it had expired
	disagreement Reason = "disagreement" // between provider and chain
	usedBefore   Reason = "used-before"  // the payment was accepted for another deposit
	neverFinal   Reason = "never-final"  // within policy.PaymentAwaited
)

// life is what a deposit may become of each state, by looking at its payment; the ends
// stand nowhere in it.
var life = map[State][]State{
	Quoted:   {Pending, Verified, Expired, Review, Rejected},
	Pending:  {Verified, Review, Rejected},
	Expired:  {Review, Rejected},
	Verified: {Credited},
}

// decisions are what an admin may make of a deposit.
var decisions = map[State][]State{
	Review:   {Credited, Rejected, Refunded},
	Credited: {Refunded},
}

// awaited tells whether the deposit's payment is still looked for.
func (d Deposit) awaited() bool { return len(life[d.State]) > 0 }

// event is one step in a deposit's life.
type event struct {
	Number    int64
	State     State
	Exception Exception
	Reason    string
	By        string // an admin's id, or house
	At        time.Time
}

// house stands for the operator where an admin's id would stand.
const house = "house"

// next takes a locked deposit to another state, by looking at its payment.
func (d *Deposit) next(tx *db.Tx, to State, exception Exception, why Reason) error {
	return d.step(tx, life, event{State: to, Exception: exception, Reason: string(why), By: house})
}

// step takes a locked deposit along a way that is allowed.
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

// pauseAfter is how long a deposit is not looked at again after so many looks: from 5
// seconds, doubling, to 10 minutes.
func pauseAfter(looks int64) time.Duration {
	const first, longest = 5 * time.Second, 10 * time.Minute
	if looks > 7 {
		return longest
	}
	return min(first<<looks, longest)
}

// after is when a deposit is looked at again after a look now; zero for never, unless
// somebody tells of a payment.
func (d Deposit) after(now time.Time) time.Time {
	if d.State == Expired && !now.Before(d.lookUntil()) {
		return time.Time{}
	}
	if d.Confirming && d.Looks < manyLooks {
		return now.Add(confirmingPause)
	}
	return now.Add(pauseAfter(d.Looks))
}

// A payment that the chain has is final within a minute: its user waits for it. One that
// is not, after so many looks, is looked at like any other.
const (
	confirmingPause = 2 * time.Second
	manyLooks       = 30
)

// lookUntil is when a deposit's payment is not looked for any more, unless somebody
// tells of one.
func (d Deposit) lookUntil() time.Time { return d.CreatedAt.Add(policy.PaymentAwaited) }
