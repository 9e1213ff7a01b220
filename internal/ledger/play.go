package ledger

import (
	"strings"

	"kaibao/internal/money"
)

// Play is the counters and limits of a user's play; package limits applies the rules. It is part of
// the account's row, so that it is read, locked and written together with the money. Times are
// microseconds since 1970, 0 = never.
type Play struct {
	CountedAt int64
	Lost      Spans       // pack prices minus proceeds of own pulls; negative = won
	Added     Spans       // topped up
	Spent     money.Cents // on opens, on the day of CountedAt
	Opens     int64       // on that day
	OpenedAt  int64

	MostLost, MostAdded Spans // limits of Lost and Added; NoLimit = no limit
	TimedOut, Excluded  int64 // ends of time-out and exclusion
}

// Spans are amounts of the current day, week and month.
type Spans [3]money.Cents

// NoLimit means that there is no limit.
const NoLimit money.Cents = -1

// counters are the columns that every transfer updates.
var counters = []string{"counted_at", "lost_day_cents", "lost_week_cents", "lost_month_cents", "added_day_cents", "added_week_cents",
	"added_month_cents", "spent_day_cents", "opens_day", "opened_at"}

var (
	selectPlay = strings.Join(counters, ", ") + `, most_lost_day_cents, most_lost_week_cents, most_lost_month_cents,
	most_added_day_cents, most_added_week_cents, most_added_month_cents, timed_out_until, excluded_until`
	setCounters = setAll(counters)
)

// setAll returns assignments that set columns to those of v.
func setAll(columns []string) string {
	sets := make([]string, len(columns))
	for n, column := range columns {
		sets[n] = column + " = v." + column
	}
	return strings.Join(sets, ", ")
}

// columns returns the scan targets of selectPlay.
func (p *Play) columns() []any {
	return []any{
		&p.CountedAt, &p.Lost[0], &p.Lost[1], &p.Lost[2], &p.Added[0], &p.Added[1], &p.Added[2], &p.Spent, &p.Opens, &p.OpenedAt,
		&p.MostLost[0], &p.MostLost[1], &p.MostLost[2], &p.MostAdded[0], &p.MostAdded[1], &p.MostAdded[2], &p.TimedOut, &p.Excluded,
	}
}

// counted returns the values of the counters.
func (p Play) counted() []any {
	return []any{p.CountedAt, p.Lost[0], p.Lost[1], p.Lost[2], p.Added[0], p.Added[1], p.Added[2], p.Spent, p.Opens, p.OpenedAt}
}
