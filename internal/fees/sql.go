package fees

import (
	"errors"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

const columns = `number, listing_points, bid_points, counter_points, announced_at, effective_at`

func scanChange(s db.Scanner) (c rateChange, err error) {
	var announced, effective int64
	err = s.Scan(&c.Number, &c.Listing, &c.Bid, &c.Counter, &announced, &effective)
	c.Announced, c.Effective = db.Time(announced), db.Time(effective)
	return c, err
}

// firstRates returns the rates that apply before any change.
func firstRates() rateChange { return rateChange{Rates: protocol.FirstRates} }

// QueueInForce queues a query for the rates in force at the transaction's time; it runs with the
// next statement. No lock is needed, because changes are announced a day ahead.
func QueueInForce(tx *db.Tx) db.Queued[protocol.Rates] {
	inForce := queueInForce(tx)
	return func() (protocol.Rates, error) {
		c, err := inForce()
		return c.Rates, err
	}
}

func queueInForce(tx *db.Tx) db.Queued[rateChange] {
	row := db.Queue(tx, scanChange, `SELECT `+columns+` FROM rates WHERE effective_at <= $1 ORDER BY number DESC LIMIT 1`, db.Micros(tx.Now))
	return func() (rateChange, error) { return orFirstRates(row()) }
}

func orFirstRates(c rateChange, err error) (rateChange, error) {
	if errors.Is(err, db.ErrNoRow) {
		return firstRates(), nil
	}
	return c, err
}

// lastChange returns the change announced last, or firstRates(), with number 0.
func lastChange(tx *db.Tx) (rateChange, error) {
	return orFirstRates(db.One(tx, scanChange, `SELECT `+columns+` FROM rates ORDER BY number DESC LIMIT 1`))
}

// announcedChanges returns the changes that aren't in force yet, in the order in which they take
// effect.
func announcedChanges(tx *db.Tx) ([]rateChange, error) {
	return db.All(tx, scanChange, `SELECT `+columns+` FROM rates WHERE effective_at > $1 ORDER BY number`, db.Micros(tx.Now))
}

func allChanges(tx *db.Tx) ([]rateChange, error) {
	return db.All(tx, scanChange, `SELECT `+columns+` FROM rates ORDER BY number`)
}

func insertChange(tx *db.Tx, c rateChange) error {
	return tx.ExecOne(`INSERT INTO rates (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
		c.Number, int64(c.Listing), int64(c.Bid), int64(c.Counter), db.Micros(c.Announced), db.Micros(c.Effective))
}
