// Package limits enforces the limits that users set for themselves: losses and deposits per day,
// week and month (UTC), time-outs and self-exclusion. Limits apply to one wallet. They are checked
// and counted in the transaction that moves the money, on the locked account row (ledger.Play).
package limits

import (
	"math"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/houserules"
	"kaibao/internal/httpkit"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Service keeps what users choose.
type Service struct {
	DB *db.DB
	// End ends what a user bids, in the transaction in which they stop.
	End func(tx *db.Tx, user string) error
}

// Span is a stretch of time that a limit is for: a place in ledger.Spans.
type Span int

// The spans, in UTC.
const (
	Day   Span = iota
	Week       // from Monday
	Month      // of the calendar
)

var spans = []Span{Day, Week, Month}

const (
	day  = int64(24 * time.Hour / time.Microsecond)
	week = 7 * day
	// firstMonday is that of 1970, which began on a Thursday.
	firstMonday = 4 * day
)

// Began is when the span of a moment began, in microseconds.
func (s Span) Began(micros int64) int64 {
	switch s {
	case Day:
		return micros - micros%day
	case Week:
		return micros - ((micros-firstMonday)%week+week)%week
	}
	at := db.Time(micros)
	return db.Micros(time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC))
}

// Ends is when the span of a moment ends, and the next one begins.
func (s Span) Ends(at time.Time) time.Time {
	began := db.Time(s.Began(db.Micros(at)))
	switch s {
	case Day:
		return began.AddDate(0, 0, 1)
	case Week:
		return began.AddDate(0, 0, 7)
	}
	return began.AddDate(0, 1, 0)
}

// at is a user's play as it counts at a moment: nothing of spans that are over.
func at(p ledger.Play, now time.Time) ledger.Play {
	if p.CountedAt >= Day.Began(db.Micros(now)) {
		return p
	}
	p.Spent, p.Opens = 0, 0
	for _, s := range spans {
		if p.CountedAt < s.Began(db.Micros(now)) {
			p.Lost[s], p.Added[s] = 0, 0
		}
	}
	return p
}

// add is a user's play with what is lost and added now; won is below 0.
func add(p ledger.Play, now time.Time, lost, added money.Cents) ledger.Play {
	p = at(p, now)
	p.CountedAt = max(p.CountedAt, db.Micros(now)) // who waited for the account has the older time
	for _, s := range spans {
		p.Lost[s] += lost
		p.Added[s] += added
	}
	return p
}

// Open is a user's play after an open at a price, or why they may not open now.
func Open(p ledger.Play, now time.Time, price money.Cents, house houserules.Rules) (ledger.Play, error) {
	if err := Stopped(p, now); err != nil {
		return p, err
	}
	p = at(p, now)
	if err := allowed(p, now, price, house); err != nil {
		return p, err
	}
	if err := within(lossLimits, p.MostLost, p.Lost, price, now, errLoss); err != nil {
		return p, err
	}
	// What sales brought far above the value counts as topped up, and can pass that limit.
	if err := within(depositLimits, p.MostAdded, p.Added, 0, now, errDeposit); err != nil {
		return p, err
	}
	p = add(p, now, price, 0)
	p.Spent += price
	p.Opens++
	p.OpenedAt = max(p.OpenedAt, db.Micros(now))
	return p, nil
}

// MayAdd refuses to let a user top up so much now; waiting is what they have asked to pay
// for and not paid yet, which counts.
func MayAdd(p ledger.Play, now time.Time, amount, waiting money.Cents) error {
	if err := Stopped(p, now); err != nil {
		return err
	}
	added := at(p, now).Added
	for _, s := range spans {
		added[s] += waiting
	}
	return within(depositLimits, p.MostAdded, added, amount, now, errDeposit)
}

// Added is a user's play after they topped up, which nothing refuses once it is paid.
func Added(p ledger.Play, now time.Time, amount money.Cents) ledger.Play {
	return add(p, now, 0, amount)
}

// Sale is a sale as it counts for its seller.
type Sale struct {
	Seller string
	Own    bool        // they had pulled the entry
	Net    money.Cents // the price less the fee
	Quote  money.Cents // what the house would have paid
	Value  money.Cents // of the item then
}

// Back is what the sale takes off its seller's net loss: what a pull brought, but no more
// than the house would have paid, so that nobody pays a loss back from another wallet.
func (s Sale) Back() money.Cents {
	if !s.Own {
		return 0
	}
	return max(0, min(s.Net, s.Quote))
}

// Excess is what counts as topped up: what is far above the value came from elsewhere.
func (s Sale) Excess() money.Cents { return max(0, s.Net-policy.FarProceeds*s.Value) }

// Sold counts a sale for its seller, whose money has moved in the till.
func Sold(batch *ledger.Batch, now time.Time, s Sale) {
	batch.Count(s.Seller, add(batch.Play(s.Seller), now, -s.Back(), s.Excess()))
}

// Reached is the limit that refuses something.
type Reached struct {
	Limit      Bound       `json:"limit"`
	LimitCents money.Cents `json:"limitCents"`
	LeftCents  money.Cents `json:"leftCents" doc:"What it leaves until then."`
	RenewsAt   string      `json:"renewsAt"`
}

var (
	errLoss = apperr.New(apperr.LossLimit,
		"Your limit on net losses does not leave as much. You were not charged.")
	errDeposit = apperr.New(apperr.DepositLimit,
		"Your top-up limit does not leave as much. Nothing was charged or added.")
	errTimedOut = apperr.New(apperr.TimedOut, "You are taking a time-out. You were not charged.")
	errExcluded = apperr.New(apperr.Excluded, "You have excluded yourself. You were not charged.")
)

// within refuses an amount that one of three limits does not leave, by that which renews
// last.
func within(names [3]Bound, most, used ledger.Spans, amount money.Cents, now time.Time, refusal *apperr.Error) error {
	for s := Month; s >= Day; s-- {
		if most[s] != ledger.NoLimit && used[s]+amount > most[s] {
			return refusal.WithDetails(Reached{names[s], most[s], max(0, most[s]-used[s]), httpkit.Timestamp(s.Ends(now))})
		}
	}
	return nil
}

// Forever is the end of an exclusion for good, in microseconds.
const Forever int64 = math.MaxInt64

// Until is when somebody who is stopped may go on.
type Until struct {
	Until *string `json:"until" nullable:"true" doc:"Null for never."`
}

// Stopped refuses whoever takes a time-out or has excluded themselves: to open, to buy, to
// bid and to top up.
func Stopped(p ledger.Play, now time.Time) error {
	switch {
	case Excluded(p, now):
		return errExcluded.WithDetails(Until{end(p.Excluded)})
	case p.TimedOut > db.Micros(now):
		return errTimedOut.WithDetails(Until{end(p.TimedOut)})
	}
	return nil
}

// Excluded tells whether a user has excluded themselves.
func Excluded(p ledger.Play, now time.Time) bool { return p.Excluded > db.Micros(now) }

// end is a time as callers see it, nil for never.
func end(micros int64) *string {
	if micros == Forever {
		return nil
	}
	text := httpkit.Timestamp(db.Time(micros))
	return &text
}
