package bids

import (
	"errors"
	"maps"
	"slices"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
)

const columns = `b.id, b.user_id, b.scope, b.peg_percent, b.price_cents, b.quantity, b.remaining, b.place, b.hold, b.state, b.created_at, b.expires_at,
	COALESCE(b.ended_at, 0), COALESCE(b.counter_cents, 0), COALESCE(CAST(b.counter_by AS TEXT), ''), COALESCE(b.counter_at, 0)`

func scan(s db.Scanner) (b Bid, err error) {
	var key string
	var created, expires, ended, countered int64
	err = s.Scan(&b.ID, &b.User, &key, &b.Price.Peg, &b.Price.Most, &b.Quantity, &b.Remaining, &b.Place, &b.Hold, &b.State, &created, &expires,
		&ended, &b.Counter.Price, &b.Counter.By, &countered)
	if err != nil {
		return b, err
	}
	b.CreatedAt, b.ExpiresAt, b.EndedAt, b.Counter.At = db.Time(created), db.Time(expires), someTime(ended), someTime(countered)
	b.Scope, err = ParseScope(key)
	return b, err
}

// someTime is a time that is stored as 0 where there is none.
func someTime(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return db.Time(micros)
}

func timeOrNull(at time.Time) any {
	if at.IsZero() {
		return nil
	}
	return db.Micros(at)
}

// pegged reads a user's open bids of a part of what items are worth.
func pegged(tx *db.Tx, user string) ([]Bid, error) {
	return db.All(tx, scan, `SELECT `+columns+` FROM bids b WHERE b.user_id = $1 AND b.state = 'open' AND b.peg_percent > 0`, user)
}

// Candidates reads the best bids of some scopes that stand: of each per cent of each scope
// so many, few, which are its best whatever an item is worth; Best reads as many as are asked
// for. It locks nothing; who takes one looks again under its lock.
func Candidates(tx *db.Tx, keys []string, most int) ([]Bid, error) {
	scopes := db.Rows{Columns: []string{"scope", "most", "now"}}
	for _, key := range slices.Compact(slices.Sorted(slices.Values(keys))) {
		scopes.Add(key, int64(most), db.Micros(tx.Now))
	}
	return db.AllWith(tx, scan, scopes, bestOfEachPeg)
}

// behind reads the bids that stand behind some in their scopes, by the same per cent, so many
// behind each.
func behind(tx *db.Tx, last []string, most int) ([]Bid, error) {
	bids := db.Rows{Columns: []string{"bid", "most", "now"}}
	for _, id := range last {
		bids.Add(db.ID(id), int64(most), db.Micros(tx.Now))
	}
	return db.AllWith(tx, scan, bids, behindEach)
}

// bestOfEachPeg walks down the per cents that are present in a scope, and the bids of each.
const bestOfEachPeg = `, pegs(scope, most, now, peg) AS (
		SELECT scope, most, now, (SELECT MAX(peg_percent) FROM bids WHERE bids.scope = v.scope AND state = 'open') FROM v
		UNION ALL SELECT scope, most, now, (SELECT MAX(peg_percent) FROM bids WHERE bids.scope = pegs.scope AND state = 'open' AND peg_percent < pegs.peg)
		FROM pegs WHERE peg IS NOT NULL
	), best(most, now, number, bid) AS (
		SELECT most, now, CAST(1 AS BIGINT), (SELECT b.id FROM bids b WHERE b.scope = pegs.scope AND b.peg_percent = pegs.peg AND b.state = 'open'
			AND b.expires_at > pegs.now ORDER BY b.price_cents DESC, b.place LIMIT 1) FROM pegs WHERE peg IS NOT NULL
		UNION ALL SELECT best.most, best.now, best.number + 1, ` + nextBid + ` FROM best JOIN bids was ON was.id = best.bid WHERE number < most
	) SELECT ` + columns + ` FROM best JOIN bids b ON b.id = best.bid`

// behindEach walks down the bids behind some.
const behindEach = `, best(most, now, number, bid) AS (
		SELECT most, now, CAST(0 AS BIGINT), bid FROM v
		UNION ALL SELECT best.most, best.now, best.number + 1, ` + nextBid + ` FROM best JOIN bids was ON was.id = best.bid WHERE number < most
	) SELECT ` + columns + ` FROM best JOIN bids b ON b.id = best.bid WHERE best.number > 0`

// nextBid is the one behind another of its scope and per cent.
const nextBid = `(SELECT b.id FROM bids b WHERE b.scope = was.scope AND b.peg_percent = was.peg_percent AND b.state = 'open'
			AND b.expires_at > best.now AND b.price_cents <= was.price_cents AND (b.price_cents < was.price_cents OR b.place > was.place)
			ORDER BY b.price_cents DESC, b.place LIMIT 1)`

// Find reads a bid, or db.ErrNoRow.
func Find(tx *db.Tx, id string) (Bid, error) {
	return db.One(tx, scan, `SELECT `+columns+` FROM bids b WHERE b.id = $1`, id)
}

// Lock reads some bids and keeps rivals off them until the end of the transaction; they
// are locked in the order of their ids.
func Lock(tx *db.Tx, ids []string) (map[string]Bid, error) {
	rows, err := db.All(tx, scan, `SELECT `+columns+` FROM bids b WHERE `+tx.InList("b.id", "$1")+` ORDER BY b.id`+tx.ForUpdate(), db.List(ids))
	found := make(map[string]Bid, len(rows))
	for _, b := range rows {
		found[b.ID] = b
	}
	return found, err
}

// ByIDs reads some bids.
func ByIDs(tx *db.Tx, ids []string) ([]Bid, error) {
	return db.All(tx, scan, `SELECT `+columns+` FROM bids b WHERE `+tx.InList("b.id", "$1")+` ORDER BY b.id`, db.List(ids))
}

// NewestFirst is the order of a user's bids.
var NewestFirst = db.Order[Bid]{
	Keys:       []db.Key[Bid]{db.Text("b.id", func(b Bid) string { return b.ID })},
	Descending: true,
}

// Of lists a user's bids: those that are open, those that have ended, or all.
func Of(tx *db.Tx, user, state string, page *db.Selection[Bid]) ([]Bid, error) {
	return page.Rows(tx, scan, `SELECT `+columns+` FROM bids b WHERE b.user_id = $1 AND ($2 = '' OR (b.state = 'open') = ($2 = 'open'))`, user, state)
}

// OfUser reads the open bid of a user for a scope, or db.ErrNoRow.
func OfUser(tx *db.Tx, user string, scope Scope) (Bid, error) {
	return db.One(tx, scan, `SELECT `+columns+` FROM bids b WHERE b.user_id = $1 AND b.scope = $2 AND b.state = 'open'`, user, scope.Key())
}

// OpenOf lists a user's open bids.
func OpenOf(tx *db.Tx, user string) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM bids WHERE user_id = $1 AND state = 'open' ORDER BY id`, user)
}

// CountOpen is how many open bids a user has.
func CountOpen(tx *db.Tx, user string) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM bids WHERE user_id = $1 AND state = 'open'`, user)
}

// Insert writes new bids.
func Insert(tx *db.Tx, all ...Bid) error {
	rows := db.Rows{Columns: []string{"id", "user_id", "scope", "peg_percent", "price_cents", "quantity", "remaining", "place", "hold", "state", "created_at", "expires_at", "ended_at"}}
	for _, b := range all {
		rows.Add(db.ID(b.ID), db.ID(b.User), b.Scope.Key(), int64(b.Price.Peg), b.Price.Most, b.Quantity, b.Remaining, db.ID(b.Place), db.ID(b.Hold),
			string(b.State), db.Micros(b.CreatedAt), db.Micros(b.ExpiresAt), timeOrNull(b.EndedAt))
	}
	return tx.InsertRows("bids", rows)
}

// Save writes what became of bids that were locked while they were open.
func Save(tx *db.Tx, changed map[string]Bid) error {
	rows := db.Rows{Columns: []string{"id", "peg", "price", "quantity", "remaining", "place", "hold", "state", "expires", "ended", "counter", "by_whom", "countered"}}
	for _, id := range slices.Sorted(maps.Keys(changed)) {
		b := changed[id]
		var counter any
		if b.Counter.Price > 0 {
			counter = b.Counter.Price
		}
		rows.Add(db.ID(b.ID), int64(b.Price.Peg), b.Price.Most, b.Quantity, b.Remaining, db.ID(b.Place), db.ID(b.Hold), string(b.State),
			db.Micros(b.ExpiresAt), timeOrNull(b.EndedAt), counter, db.ID(b.Counter.By), timeOrNull(b.Counter.At))
	}
	return tx.WriteRows(rows, `UPDATE bids SET peg_percent = v.peg, price_cents = v.price, quantity = v.quantity, remaining = v.remaining, place = v.place,
		hold = v.hold, state = v.state, warned = warned AND expires_at = v.expires, expires_at = v.expires, ended_at = v.ended, counter_cents = v.counter, counter_by = v.by_whom, counter_at = v.countered
		FROM v WHERE bids.id = v.id AND bids.state = 'open'`, errors.New("not all bids were still open"))
}

// Over lists open bids that have expired, the first of them.
func Over(tx *db.Tx, most int) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM bids WHERE state = 'open' AND expires_at <= $1 ORDER BY expires_at LIMIT $2`, db.Micros(tx.Now), most)
}

// Warn marks open bids that end before a time as told of, each once, and lists them.
func Warn(tx *db.Tx, before time.Time, most int) ([]Bid, error) {
	soon, err := db.All(tx, db.Column[string], `SELECT id FROM bids WHERE state = 'open' AND NOT warned AND expires_at < $1 ORDER BY expires_at LIMIT $2`+tx.ForUpdateSkipLocked(),
		db.Micros(before), most)
	if err != nil || len(soon) == 0 {
		return nil, err
	}
	if _, err := tx.Exec(`UPDATE bids SET warned = TRUE WHERE `+tx.InList("id", "$1"), db.List(soon)); err != nil {
		return nil, err
	}
	return ByIDs(tx, soon)
}

// Aimed lists the entries for sale of an item that bids name which go by its value.
func Aimed(tx *db.Tx, item string) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT DISTINCT n.id FROM inventory n JOIN bids b ON b.scope = 'entry:' || n.id AND b.state = 'open'
		WHERE n.item_id = $1 AND n.state = $2 AND b.peg_percent > 0 ORDER BY n.id`, item, string(inventory.Listed))
}

// Lost lists open bids that nothing can fill any more: those for entries that left, and
// those of their own owners for entries that were traded. It is so for as long as the
// entries are locked.
func Lost(tx *db.Tx, left, traded []string, most int) ([]Bid, error) {
	return db.All(tx, scan, `SELECT `+columns+` FROM inventory n JOIN bids b ON b.scope = 'entry:' || n.id AND b.state = 'open'
		WHERE `+tx.InList("n.id", "$1")+` AND NOT `+tx.InList("n.state", "$4")+`
		UNION ALL SELECT `+columns+` FROM inventory n JOIN bids b ON b.user_id = n.user_id AND b.scope = 'entry:' || n.id AND b.state = 'open'
		WHERE `+tx.InList("n.id", "$2")+` LIMIT $3`, db.List(left), db.List(traded), most, db.List{string(inventory.Held), string(inventory.Listed)})
}

// Decline counts a bid that is below what the entry's owner would take: whoever could ask
// again and again would find that price.
func Decline(tx *db.Tx, entry, user string) error {
	return tx.ExecOne(`INSERT INTO declined_bids (inventory_id, user_id, day, number) VALUES ($1, $2, $3, 1)
		ON CONFLICT (inventory_id, user_id, day) DO UPDATE SET number = declined_bids.number + 1`, entry, user, db.Micros(tx.Now.Truncate(24*time.Hour)))
}

// Declined is how often a user's bids on an entry were declined on this day.
func Declined(tx *db.Tx, entry, user string) (number int64, err error) {
	return db.One(tx, db.Column[int64], `SELECT COALESCE(MAX(number), 0) FROM declined_bids WHERE inventory_id = $1 AND user_id = $2 AND day = $3`,
		entry, user, db.Micros(tx.Now.Truncate(24*time.Hour)))
}

// DeleteOldDeclined deletes counts of days that are over.
func DeleteOldDeclined(tx *db.Tx, most int) (int64, error) {
	return tx.Exec(`DELETE FROM declined_bids WHERE day < $1 AND (inventory_id, user_id, day) IN
		(SELECT inventory_id, user_id, day FROM declined_bids WHERE day < $1 ORDER BY day LIMIT $2)`, db.Micros(tx.Now.Add(-48*time.Hour)), most)
}

func holdsOff(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "what is held for bids is what the open ones need", `
		SELECT 'account ' || a.user_id, 'bids hold ' || a.in_bids_cents || ', the open ones need ' || COALESCE(b.needed, 0)
		FROM accounts a LEFT JOIN (SELECT user_id, SUM(price_cents * remaining) AS needed FROM bids WHERE state = 'open' GROUP BY user_id) b ON b.user_id = a.user_id
		WHERE a.in_bids_cents <> COALESCE(b.needed, 0)`)
}

// unheld are open bids whose money was not taken for them.
func unheld(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "an open bid's money was taken for it", `
		SELECT 'bid ' || b.id, 'for ' || b.price_cents || ' each, its hold took ' || COALESCE(t.amount_cents, 0) || ' from ' || COALESCE(t.debit, 'nobody')
		FROM bids b LEFT JOIN transfers t ON t.ref = b.hold AND t.kind = 'bid'
		WHERE b.state = 'open' AND (t.id IS NULL OR t.debit <> CAST(b.user_id AS TEXT) OR t.amount_cents < b.price_cents * b.remaining OR t.amount_cents % b.price_cents <> 0)`)
}

func scopes(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT DISTINCT scope FROM bids`)
}

// unmeant compares bids with the trades that name them.
func unmeant(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a trade's bid is its buyer's, and a filled bid bought something", `
		SELECT 'trade ' || t.id, 'names bid ' || t.bid_id || ' of ' || COALESCE(CAST(b.user_id AS TEXT), 'nobody')
		FROM trades t LEFT JOIN bids b ON b.id = t.bid_id WHERE t.bid_id IS NOT NULL AND (b.id IS NULL OR b.user_id <> t.buyer_id)
		UNION ALL
		SELECT 'bid ' || b.id, 'is filled by no trade'
		FROM bids b LEFT JOIN (SELECT DISTINCT bid_id FROM trades WHERE bid_id IS NOT NULL) t ON t.bid_id = b.id
		WHERE b.state = 'filled' AND t.bid_id IS NULL`)
}
