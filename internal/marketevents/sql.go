package marketevents

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"kaibao/internal/db"
)

var columns = []string{"kind", "item_id", "inventory_id", "bid_id", "price_cents", "detail", "users", "created_at"}

func (e Event) values() []any {
	return []any{string(e.Kind), e.Item, db.ID(e.Entry), db.ID(e.Bid), e.Price, e.Detail, e.Users, db.Micros(e.At)}
}

const eventColumns = `kind, item_id, COALESCE(CAST(inventory_id AS TEXT), ''), COALESCE(CAST(bid_id AS TEXT), ''), price_cents, detail, users, created_at`

func scan(s db.Scanner) (e Event, err error) {
	var at int64
	err = s.Scan(&e.Number, &e.Kind, &e.Item, &e.Entry, &e.Bid, &e.Price, &e.Detail, &e.Users, &at)
	e.At = db.Time(at)
	return e, err
}

// Add stores an act's events in its transaction. Call it after taking all locks.
func Add(tx *db.Tx, events ...Event) error {
	if len(events) == 0 {
		return nil
	}
	rows := db.Rows{Columns: columns}
	for _, e := range events {
		e.At = tx.Now
		rows.Add(e.values()...)
	}
	tx.Publish(Added(events))
	return tx.InsertRows("events_waiting", rows)
}

func anyWaiting(tx *db.Tx) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM events_waiting)`)
}

// oldestWaiting returns the time of the oldest event without a number, in microseconds, or
// otherwise if there is none.
func oldestWaiting(tx *db.Tx, otherwise int64) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COALESCE(MIN(created_at), $1) FROM events_waiting`, otherwise)
}

// takeWaiting removes and returns the oldest waiting events, in order.
func takeWaiting(tx *db.Tx, limit int) ([]Event, error) {
	taken, err := db.All(tx, scan, `DELETE FROM events_waiting WHERE seq IN (SELECT seq FROM events_waiting ORDER BY seq LIMIT $1)
		RETURNING seq, `+eventColumns, limit)
	slices.SortFunc(taken, func(a, b Event) int { return cmp.Compare(a.Number, b.Number) })
	return taken, err
}

func insertNumbered(tx *db.Tx, events []Event) error {
	rows := db.Rows{Columns: append([]string{"number"}, columns...)}
	for _, e := range events {
		rows.Add(append([]any{e.Number}, e.values()...)...)
	}
	return tx.InsertRows("market_events", rows)
}

// headReader is the reader whose position is the last assigned number.
const headReader = "head"

// lockReader locks a reader and returns its position. free is false if another node has the lock.
func lockReader(tx *db.Tx, name string) (position int64, free bool, err error) {
	position, err = db.One(tx, db.Column[int64], `SELECT position FROM market_readers WHERE name = $1`+tx.ForUpdateSkipLocked(), name)
	if errors.Is(err, db.ErrNoRow) {
		return 0, false, nil
	}
	return position, err == nil, err
}

// Head returns the number of the last event.
func Head(tx *db.Tx) (int64, error) { return Position(tx, headReader) }

// Position returns the number of the last event that a reader has handled.
func Position(tx *db.Tx, reader string) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT position FROM market_readers WHERE name = $1`, reader)
}

// Advance moves a reader's position, unless another node already has.
func Advance(tx *db.Tx, reader string, from, to int64) error {
	_, err := tx.Exec(`UPDATE market_readers SET position = $3 WHERE name = $1 AND position = $2`, reader, from, to)
	return err
}

// After returns the events after a number, in order.
func After(tx *db.Tx, number int64, limit int) ([]Event, error) {
	return db.All(tx, scan, `SELECT number, `+eventColumns+` FROM market_events WHERE number > $1 ORDER BY number LIMIT $2`, number, limit)
}

// deleteOld deletes the oldest events that are past their retention and handled by all readers.
func deleteOld(tx *db.Tx, limit int) (int64, error) {
	return tx.Exec(`DELETE FROM market_events WHERE number IN (SELECT number FROM market_events WHERE created_at < $1
		AND number <= (SELECT MIN(position) FROM market_readers) ORDER BY created_at LIMIT $2)`,
		db.Micros(tx.Now.Add(-Retention)), limit)
}

// renumberGap is how many numbers a restored database skips, which is more than can have been
// assigned since the backup.
const renumberGap = 1_000_000_000

// Renumber skips numbers after a restore, so that none assigned since the backup is reused. Clients
// that know such a number are behind the events kept, and reload everything.
func Renumber(tx *db.Tx) error {
	return tx.ExecOne(`UPDATE market_readers SET position = position + $2 WHERE name = $1`, headReader, renumberGap)
}

// digestState is the state of a digest.
type digestState struct {
	publishedAt time.Time
	waiting     []Event
}

// lockDigest locks and returns the digest's row.
func lockDigest(tx *db.Tx, name string) (digestState, error) {
	return db.One(tx, func(s db.Scanner) (d digestState, err error) {
		var at int64
		var waiting string
		if err := s.Scan(&at, &waiting); err != nil {
			return d, err
		}
		d.publishedAt = db.Time(at)
		return d, json.Unmarshal([]byte(waiting), &d.waiting)
	}, `SELECT told_at, waiting FROM market_digests WHERE name = $1`+tx.ForUpdate(), name)
}

func saveDigest(tx *db.Tx, name string, d digestState) error {
	waiting, err := json.Marshal(append([]Event{}, d.waiting...))
	if err != nil {
		return err
	}
	return tx.ExecOne(`UPDATE market_digests SET told_at = $2, waiting = $3 WHERE name = $1`, name, db.Micros(d.publishedAt), string(waiting))
}

// isDue reports whether events wait and the last batch was published at or before since.
func isDue(tx *db.Tx, name string, since time.Time) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM market_digests WHERE name = $1 AND told_at <= $2 AND waiting <> '[]')`, name, db.Micros(since))
}
