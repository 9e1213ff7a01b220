// Package limits enforces the limits that users set for themselves: losses and deposits per day,
// week and month (UTC), time-outs and self-exclusion. It also enforces the house rules on opens:
// their price, spending and number per day, and the wait between two. Limits apply to one wallet.
// They are checked and counted in the transaction that moves the money, on the locked account row
// (ledger.PlayLimits).
package limits

import (
	"math"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/houserules"
	"kaibao/internal/httpapi"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Service manages users' limits.
type Service struct {
	DB *db.DB
	// EndOffers ends a user's bids and gifts in the transaction that stops their play.
	EndOffers func(tx *db.Tx, user string) error
}

// Span is the period of a limit, an index into ledger.Spans.
type Span int

// The spans, in UTC.
const (
	Day   Span = iota
	Week       // from Monday
	Month      // calendar month
)

var spans = []Span{Day, Week, Month}

const (
	day  = int64(24 * time.Hour / time.Microsecond)
	week = 7 * day
	// firstMonday is that of 1970, a year that began on a Thursday.
	firstMonday = 4 * day
)

// Began returns when the span that contains a time began, both in microseconds.
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

// Ends returns when the span that contains a time ends and the next begins.
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

// resetSpans returns a user's counters at a time, with those of past spans reset.
func resetSpans(p ledger.PlayLimits, now time.Time) ledger.PlayLimits {
	if p.CountedAt >= Day.Began(db.Micros(now)) {
		return p
	}
	p.Spent, p.Opens = 0, 0
	for _, s := range spans {
		if p.CountedAt < s.Began(db.Micros(now)) {
			p.Lost[s], p.Deposited[s] = 0, 0
		}
	}
	return p
}

// addAmounts returns a user's counters after a loss and a deposit now. A win is a negative loss.
func addAmounts(p ledger.PlayLimits, now time.Time, lost, deposited money.Cents) ledger.PlayLimits {
	p = resetSpans(p, now)
	p.CountedAt = max(p.CountedAt, db.Micros(now)) // a call that waited for the account's lock has an older time
	for _, s := range spans {
		p.Lost[s] += lost
		p.Deposited[s] += deposited
	}
	return p
}

// CountOpen returns a user's counters after an open at a price, or the error that refuses the open.
func CountOpen(p ledger.PlayLimits, now time.Time, price money.Cents, house houserules.Rules) (ledger.PlayLimits, error) {
	if err := CheckStopped(p, now); err != nil {
		return p, err
	}
	p = resetSpans(p, now)
	if err := checkHouseRules(p, now, price, house); err != nil {
		return p, err
	}
	if err := checkWithin(lossLimits, p.LossLimits, p.Lost, price, now, errLossLimit); err != nil {
		return p, err
	}
	// Sale proceeds far above the value count as a deposit and can exceed that limit.
	if err := checkWithin(depositLimits, p.DepositLimits, p.Deposited, 0, now, errDepositLimit); err != nil {
		return p, err
	}
	p = addAmounts(p, now, price, 0)
	p.Spent += price
	p.Opens++
	p.OpenedAt = max(p.OpenedAt, db.Micros(now))
	return p, nil
}

// UncountOpen returns a user's counters after the refund of an open that was counted at a time: it no
// longer counts in the spans that it was counted in.
func UncountOpen(p ledger.PlayLimits, countedAt time.Time, price money.Cents) ledger.PlayLimits {
	at := db.Micros(countedAt)
	for _, s := range spans {
		if at >= s.Began(p.CountedAt) {
			p.Lost[s] -= price
		}
	}
	if at >= Day.Began(p.CountedAt) {
		p.Spent -= price
		p.Opens--
	}
	return p
}

// CheckDeposit refuses a deposit that exceeds the user's limits. Waiting is the amount of unpaid
// deposits, which counts too.
func CheckDeposit(p ledger.PlayLimits, now time.Time, amount, waiting money.Cents) error {
	if err := CheckStopped(p, now); err != nil {
		return err
	}
	deposited := resetSpans(p, now).Deposited
	for _, s := range spans {
		deposited[s] += waiting
	}
	return checkWithin(depositLimits, p.DepositLimits, deposited, amount, now, errDepositLimit)
}

// CountDeposit returns a user's counters after a deposit, which is never refused once it is paid.
func CountDeposit(p ledger.PlayLimits, now time.Time, amount money.Cents) ledger.PlayLimits {
	return addAmounts(p, now, 0, amount)
}

// CountedSale has the figures of a sale that count for its seller's limits.
type CountedSale struct {
	Seller string
	Own    bool        // the seller pulled the entry
	Gift   bool        // the seller got the entry as a gift
	Net    money.Cents // price minus fee
	Quote  money.Cents // Kaibao's quote at the time
	Value  money.Cents // the item's value at the time
}

// Back is the amount that the sale takes off its seller's net loss: the proceeds of a pull, but at
// most Kaibao's quote. Users thus can't offset a loss with money from another wallet.
func (s CountedSale) Back() money.Cents {
	if !s.Own {
		return 0
	}
	return max(0, min(s.Net, s.Quote))
}

// Excess is the part that counts as a deposit, because it came from elsewhere: proceeds far above
// the value, and all proceeds of a gift.
func (s CountedSale) Excess() money.Cents {
	if s.Gift {
		return max(0, s.Net)
	}
	return max(0, s.Net-policy.FarProceeds*s.Value)
}

// CountSale counts a sale in its seller's counters. The batch has already moved the money.
func CountSale(batch *ledger.Batch, now time.Time, s CountedSale) {
	batch.SetPlay(s.Seller, addAmounts(batch.Play(s.Seller), now, -s.Back(), s.Excess()))
}

// ReachedLimit is the limit that refuses an act.
type ReachedLimit struct {
	Limit      Bound       `json:"limit"`
	LimitCents money.Cents `json:"limitCents"`
	LeftCents  money.Cents `json:"leftCents" doc:"What is left of the limit until it renews."`
	RenewsAt   string      `json:"renewsAt"`
}

var (
	errLossLimit = apperr.New(apperr.LossLimit,
		"This would exceed your loss limit. You were not charged.")
	errDepositLimit = apperr.New(apperr.DepositLimit,
		"This would exceed your top-up limit. You were not charged, and no points were added.")
	errTimedOut = apperr.New(apperr.TimedOut, "You're on a break. You were not charged.")
	errExcluded = apperr.New(apperr.Excluded, "You've excluded yourself. You were not charged.")
)

// checkWithin returns refusal with details if any of three limits doesn't leave the amount. It
// reports the exceeded limit that renews last.
func checkWithin(names [3]Bound, most, used ledger.Spans, amount money.Cents, now time.Time, refusal *apperr.Error) error {
	for s := Month; s >= Day; s-- {
		if most[s] != ledger.NoLimit && used[s]+amount > most[s] {
			return refusal.WithDetails(ReachedLimit{names[s], most[s], max(0, most[s]-used[s]), httpapi.Timestamp(s.Ends(now))})
		}
	}
	return nil
}

// Forever is the end of a permanent exclusion, in microseconds.
const Forever int64 = math.MaxInt64

// Until is the end of a time-out or exclusion.
type Until struct {
	Until *string `json:"until" nullable:"true" doc:"End of the block; null = no end."`
}

// CheckStopped returns an error while a user is frozen, or during a time-out or exclusion, when they
// can't open, buy, bid or top up.
func CheckStopped(p ledger.PlayLimits, now time.Time) error {
	switch {
	case p.Frozen():
		return apperr.ErrFrozen
	case Excluded(p, now):
		return errExcluded.WithDetails(ExcludedUntil(p))
	case p.TimedOut > db.Micros(now):
		return errTimedOut.WithDetails(Until{formatEnd(p.TimedOut)})
	}
	return nil
}

// Excluded reports whether a user is excluded.
func Excluded(p ledger.PlayLimits, now time.Time) bool { return p.Excluded > db.Micros(now) }

// ExcludedUntil returns the end of a user's exclusion.
func ExcludedUntil(p ledger.PlayLimits) Until { return Until{formatEnd(p.Excluded)} }

// formatEnd returns a time in the API's format, or nil for never.
func formatEnd(micros int64) *string {
	if micros == Forever {
		return nil
	}
	text := httpapi.Timestamp(db.Time(micros))
	return &text
}
