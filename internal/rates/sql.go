package rates

import (
	"errors"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

const columns = `number, listing_points, bid_points, counter_points, announced_at, effective_at`

func scan(s db.Scanner) (c change, err error) {
	var announced, effective int64
	err = s.Scan(&c.Number, &c.Listing, &c.Bid, &c.Counter, &announced, &effective)
	c.Announced, c.Effective = db.Time(announced), db.Time(effective)
	return c, err
}

// first returns the rates that apply before any change.
func first() change { return change{Rates: protocol.FirstRates} }

// InForce queues a query for the rates in force at the transaction's time; it runs with the next
// statement. No lock is needed, because changes are announced a day ahead.
func InForce(tx *db.Tx) func() (protocol.Rates, error) {
	found := soonInForce(tx)
	return func() (protocol.Rates, error) {
		c, err := found()
		return c.Rates, err
	}
}

func soonInForce(tx *db.Tx) func() (change, error) {
	found := db.Queue(tx, scan, `SELECT `+columns+` FROM rates WHERE effective_at <= $1 ORDER BY number DESC LIMIT 1`, db.Micros(tx.Now))
	return func() (change, error) { return orFirst(found()) }
}

func orFirst(c change, err error) (change, error) {
	if errors.Is(err, db.ErrNoRow) {
		return first(), nil
	}
	return c, err
}

// lastChange returns the change announced last, or first(), with number 0.
func lastChange(tx *db.Tx) (change, error) {
	return orFirst(db.One(tx, scan, `SELECT `+columns+` FROM rates ORDER BY number DESC LIMIT 1`))
}

// announced returns the changes that aren't in force yet, in the order in which they take effect.
func announced(tx *db.Tx) ([]change, error) {
	return db.All(tx, scan, `SELECT `+columns+` FROM rates WHERE effective_at > $1 ORDER BY number`, db.Micros(tx.Now))
}

func all(tx *db.Tx) ([]change, error) {
	return db.All(tx, scan, `SELECT `+columns+` FROM rates ORDER BY number`)
}

func insert(tx *db.Tx, c change) error {
	return tx.ExecOne(`INSERT INTO rates (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
		c.Number, int64(c.Listing), int64(c.Bid), int64(c.Counter), db.Micros(c.Announced), db.Micros(c.Effective))
}
