package publicbooks

import (
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/ledger"
	"kaibao/internal/protocol"
)

// Audit proves that every closed day is in the log as it is stored, that none was left
// out, that it says what was moved until its end, and the items counted with the last.
func Audit(tx *db.Tx) ([]audit.Breach, error) { return audit.Collect(tx, untold, daysOff, itemsOff) }

// moved is what was moved each day, by when it began.
type moved map[time.Time]ledger.Totals

func movedByDay(tx *db.Tx) (moved, error) {
	m := moved{}
	err := ledger.EachDay(tx, protocol.Day, func(day time.Time, t ledger.Totals) { m[day] = m[day].Plus(t) })
	return m, err
}

// until adds to books what was moved before a time and is not in them.
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
