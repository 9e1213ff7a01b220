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
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findLeafMismatches, findWrongDays, findWrongItemCounts)
}

// transferTotals is the total of transfers per day, by start of day.
type transferTotals map[time.Time]ledger.Totals

func transferTotalsByDay(tx *db.Tx) (transferTotals, error) {
	m := transferTotals{}
	err := ledger.EachDay(tx, protocol.Day, func(day time.Time, t ledger.Totals) { m[day] = m[day].Plus(t) })
	return m, err
}

// until adds the transfers before end to sum and removes them from m.
func (m transferTotals) until(sum protocol.BooksLeaf, end time.Time) protocol.BooksLeaf {
	all := totalsOf(sum)
	for day, t := range m {
		if day.Before(end) {
			all = all.Plus(t)
			delete(m, day)
		}
	}
	return leafOf(all)
}
