package ledger

import (
	"strings"

	"kaibao/internal/money"
)

// PlayLimits has the limits of a user's play and the counters that they apply to; package limits
// applies them. It is part of the account's row, so that it is read, locked and written together
// with the balance. Times are microseconds since 1970, 0 = never.
type PlayLimits struct {
	CountedAt int64
	Lost      Spans       // pack prices minus proceeds of own pulls; negative = won
	Deposited Spans       // deposits, and sale proceeds far above the value
	Spent     money.Cents // on opens, on the day of CountedAt
	Opens     int64       // on that day
	OpenedAt  int64

	LossLimits, DepositLimits Spans // limits of Lost and Deposited; NoLimit = no limit
	TimedOut, Excluded        int64 // ends of time-out and exclusion
	FrozenAt                  int64 // when an admin froze the account; SetFrozen changes it
}

// Spans are amounts of the current day, week and month.
type Spans [3]money.Cents

// NoLimit means that there is no limit.
const NoLimit money.Cents = -1

// counterColumns are the columns of PlayLimits that every transfer updates.
var counterColumns = []string{"counted_at", "lost_day_cents", "lost_week_cents", "lost_month_cents", "added_day_cents", "added_week_cents",
	"added_month_cents", "spent_day_cents", "opens_day", "opened_at"}

var (
	selectPlay = strings.Join(counterColumns, ", ") + `, most_lost_day_cents, most_lost_week_cents, most_lost_month_cents,
	most_added_day_cents, most_added_week_cents, most_added_month_cents, timed_out_until, excluded_until, frozen_at`
	setCounters = setColumns(counterColumns)
)

// Frozen reports whether the account is frozen: it may take part in no open, trade, deposit or claim.
func (p PlayLimits) Frozen() bool { return p.FrozenAt != 0 }

// setColumns returns assignments that set columns to those of v.
func setColumns(columns []string) string {
	sets := make([]string, len(columns))
	for i, column := range columns {
		sets[i] = column + " = v." + column
	}
	return strings.Join(sets, ", ")
}

// scanTargets returns the scan targets of selectPlay.
func (p *PlayLimits) scanTargets() []any {
	return []any{
		&p.CountedAt, &p.Lost[0], &p.Lost[1], &p.Lost[2], &p.Deposited[0], &p.Deposited[1], &p.Deposited[2], &p.Spent, &p.Opens, &p.OpenedAt,
		&p.LossLimits[0], &p.LossLimits[1], &p.LossLimits[2], &p.DepositLimits[0], &p.DepositLimits[1], &p.DepositLimits[2], &p.TimedOut, &p.Excluded, &p.FrozenAt,
	}
}

// counterValues returns the values of the counters.
func (p PlayLimits) counterValues() []any {
	return []any{p.CountedAt, p.Lost[0], p.Lost[1], p.Lost[2], p.Deposited[0], p.Deposited[1], p.Deposited[2], p.Spent, p.Opens, p.OpenedAt}
}
