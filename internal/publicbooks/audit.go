package publicbooks

import (
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
	"kaibao/internal/protocol"
)

// Audit checks that the closed days and the log's leaves match exactly, that no day is missing,
// that each contains the transfers until its end, and that the item counts match the last closed
// day.
func Audit(tx *db.Tx) ([]audit.Breach, error) { return audit.Collect(tx, untold, daysOff, itemsOff) }

// moved is the total of transfers per day, by start of day.
type moved map[time.Time]ledger.Totals

func movedByDay(tx *db.Tx) (moved, error) {
	m := moved{}
	err := ledger.EachDay(tx, protocol.Day, func(day time.Time, t ledger.Totals) { m[day] = m[day].Plus(t) })
	return m, err
}

// until adds the transfers before end to sum and removes them from m.
func (m moved) until(sum protocol.BooksLeaf, end time.Time) protocol.BooksLeaf {
	all := totals(sum)
	for day, t := range m {
		if day.Before(end) {
			all = all.Plus(t)
			delete(m, day)
		}
	}
	return summary(all)
}
