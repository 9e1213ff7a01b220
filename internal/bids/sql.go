package bids

import (
	"errors"
	"maps"
	"slices"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/personaldata/userrows"
)

const columns = `b.id, b.user_id, b.scope, b.peg_percent, b.price_cents, b.quantity, b.remaining, b.place, b.hold, b.state, b.created_at, b.expires_at,
	COALESCE(b.ended_at, 0), COALESCE(b.counter_cents, 0), COALESCE(CAST(b.counter_by AS TEXT), ''), COALESCE(b.counter_at, 0)`

func scan(s db.Scanner) (b Bid, err error) {
	var key string
	var created, expires, ended, countered int64
	err = s.Scan(&b.ID, &b.User, &key, &b.Price.Peg, &b.Price.Max, &b.Quantity, &b.Remaining, &b.Place, &b.Hold, &b.State, &created, &expires,
		&ended, &b.Counter.Price, &b.Counter.By, &countered)
	if err != nil {
		return b, err
	}
	b.CreatedAt, b.ExpiresAt, b.EndedAt, b.Counter.At = db.Time(created), db.Time(expires), timeOrZero(ended), timeOrZero(countered)
	b.Scope, err = ParseScope(key)
	return b, err
}

// timeOrZero converts microseconds, where 0 means the zero time.
func timeOrZero(micros int64) time.Time {
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

// openPegged returns the user's open pegged bids.
func openPegged(tx *db.Tx, user string) ([]Bid, error) {
	return db.All(tx, scan, `SELECT `+columns+` FROM bids b WHERE b.user_id = $1 AND b.state = 'open' AND b.peg_percent > 0`, user)
}

// TopBids returns the best open bids of the given scopes, at most limit per percentage and scope.
// Their order doesn't depend on an item's value. It takes no lock, so callers must check a bid
// again after locking it. Use Best to find as many as needed.
func TopBids(tx *db.Tx, keys []string, limit int) ([]Bid, error) {
	scopes := db.Rows{Columns: []string{"scope", "most", "now"}}
	for _, key := range slices.Compact(slices.Sorted(slices.Values(keys))) {
		scopes.Add(key, int64(limit), db.Micros(tx.Now))
	}
	return db.AllWith(tx, scan, scopes, bestOfEachPeg)
}

// nextAfter returns, for each of the given bids, the next bids of the same scope and percentage.
func nextAfter(tx *db.Tx, last []string, limit int) ([]Bid, error) {
	bids := db.Rows{Columns: []string{"bid", "most", "now"}}
	for _, id := range last {
		bids.Add(db.ID(id), int64(limit), db.Micros(tx.Now))
	}
	return db.AllWith(tx, scan, bids, nextAfterEach)
}

// bestOfEachPeg walks down the percentages present in each scope, and the bids of each.
const bestOfEachPeg = `, pegs(scope, most, now, peg) AS (
		SELECT scope, most, now, (SELECT MAX(peg_percent) FROM bids WHERE bids.scope = v.scope AND state = 'open') FROM v
		UNION ALL SELECT scope, most, now, (SELECT MAX(peg_percent) FROM bids WHERE bids.scope = pegs.scope AND state = 'open' AND peg_percent < pegs.peg)
		FROM pegs WHERE peg IS NOT NULL
	), best(most, now, number, bid) AS (
		SELECT most, now, CAST(1 AS BIGINT), (SELECT b.id FROM bids b WHERE b.scope = pegs.scope AND b.peg_percent = pegs.peg AND b.state = 'open'
			AND b.expires_at > pegs.now ORDER BY b.price_cents DESC, b.place LIMIT 1) FROM pegs WHERE peg IS NOT NULL
		UNION ALL SELECT best.most, best.now, best.number + 1, ` + nextBid + ` FROM best JOIN bids was ON was.id = best.bid WHERE number < most
	) SELECT ` + columns + ` FROM best JOIN bids b ON b.id = best.bid`

// nextAfterEach walks down the bids after each given one.
const nextAfterEach = `, best(most, now, number, bid) AS (
		SELECT most, now, CAST(0 AS BIGINT), bid FROM v
		UNION ALL SELECT best.most, best.now, best.number + 1, ` + nextBid + ` FROM best JOIN bids was ON was.id = best.bid WHERE number < most
	) SELECT ` + columns + ` FROM best JOIN bids b ON b.id = best.bid WHERE best.number > 0`

// nextBid selects the bid after another one of its scope and percentage.
const nextBid = `(SELECT b.id FROM bids b WHERE b.scope = was.scope AND b.peg_percent = was.peg_percent AND b.state = 'open'
			AND b.expires_at > best.now AND b.price_cents <= was.price_cents AND (b.price_cents < was.price_cents OR b.place > was.place)
			ORDER BY b.price_cents DESC, b.place LIMIT 1)`

// Find returns a bid, or db.ErrNoRow.
func Find(tx *db.Tx, id string) (Bid, error) {
	return db.One(tx, scan, `SELECT `+columns+` FROM bids b WHERE b.id = $1`, id)
}

// Lock locks and returns the bids, in the order of their IDs.
func Lock(tx *db.Tx, ids []string) (map[string]Bid, error) {
	rows, err := db.All(tx, scan, `SELECT `+columns+` FROM bids b WHERE `+tx.InList("b.id", "$1")+` ORDER BY b.id`+tx.ForUpdate(), db.List(ids))
	found := make(map[string]Bid, len(rows))
	for _, b := range rows {
		found[b.ID] = b
	}
	return found, err
}

// ByIDs returns the bids with the given IDs, ordered by ID, without locking them.
func ByIDs(tx *db.Tx, ids []string) ([]Bid, error) {
	return db.All(tx, scan, `SELECT `+columns+` FROM bids b WHERE `+tx.InList("b.id", "$1")+` ORDER BY b.id`, db.List(ids))
}

// NewestFirst is the sort order of a user's bids.
var NewestFirst = db.Order[Bid]{
	Keys:       []db.Key[Bid]{db.Text("b.id", func(b Bid) string { return b.ID })},
	Descending: true,
}

func (in *adminInput) selection(limit int, cursor string) (*db.Selection[Bid], error) {
	page, err := NewestFirst.Select(limit, cursor)
	if err != nil {
		return nil, err
	}
	httpapi.Equal(page, "b.user_id", in.User)
	httpapi.Equal(page, "b.id", in.ID)
	httpapi.Equal(page, "b.state", in.State)
	in.NarrowIDs(page, "b.id")
	switch scopeKind(in.Kind) {
	case forEntry:
		page.Where("b.scope LIKE ?", entryKey+"%")
	case forItem:
		page.Where("b.scope LIKE ?", itemKey+"%")
	case forCriterion:
		page.Where("b.scope NOT LIKE ? AND b.scope NOT LIKE ?", entryKey+"%", itemKey+"%")
	}
	return page, err
}

func listAll(tx *db.Tx, page *db.Selection[Bid]) ([]Bid, error) {
	return page.Rows(tx, scan, `SELECT `+columns+` FROM bids b WHERE TRUE`)
}

// ByUser lists a user's bids by state: "open", "ended" or "" for all.
func ByUser(tx *db.Tx, user, state string, page *db.Selection[Bid]) ([]Bid, error) {
	return page.Rows(tx, scan, `SELECT `+columns+` FROM bids b WHERE b.user_id = $1 AND ($2 = '' OR (b.state = 'open') = ($2 = 'open'))`, user, state)
}

// OpenByScope returns the user's open bid for a scope, or db.ErrNoRow.
func OpenByScope(tx *db.Tx, user string, scope Scope) (Bid, error) {
	return db.One(tx, scan, `SELECT `+columns+` FROM bids b WHERE b.user_id = $1 AND b.scope = $2 AND b.state = 'open'`, user, scope.Key())
}

// OpenIDs returns the IDs of a user's open bids.
func OpenIDs(tx *db.Tx, user string) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM bids WHERE user_id = $1 AND state = 'open' ORDER BY id`, user)
}

// CounteredBy returns the IDs of the open bids to which a user made a counter-offer.
func CounteredBy(tx *db.Tx, user string) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM bids WHERE counter_by = $1 AND state = 'open' ORDER BY id`, user)
}

// OpenForEntries returns the IDs of the open bids for single entries.
func OpenForEntries(tx *db.Tx, entries []string) ([]string, error) {
	scopes := make(db.List, len(entries))
	for i, id := range entries {
		scopes[i] = Scope{Entry: id}.Key()
	}
	return db.All(tx, db.Column[string], `SELECT id FROM bids WHERE state = 'open' AND `+tx.InList("scope", "$1")+` ORDER BY id`, scopes)
}

// CountOpen returns the number of a user's open bids.
func CountOpen(tx *db.Tx, user string) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM bids WHERE user_id = $1 AND state = 'open'`, user)
}

// Insert inserts new bids.
func Insert(tx *db.Tx, all ...Bid) error {
	rows := db.Rows{Columns: []string{"id", "user_id", "scope", "peg_percent", "price_cents", "quantity", "remaining", "place", "hold", "state", "created_at", "expires_at", "ended_at"}}
	for _, b := range all {
		rows.Add(db.ID(b.ID), db.ID(b.User), b.Scope.Key(), int64(b.Price.Peg), b.Price.Max, b.Quantity, b.Remaining, db.ID(b.Place), db.ID(b.Hold),
			string(b.State), db.Micros(b.CreatedAt), db.Micros(b.ExpiresAt), timeOrNull(b.EndedAt))
	}
	return tx.InsertRows("bids", rows)
}

// Save updates bids that were open when they were locked.
func Save(tx *db.Tx, changed map[string]Bid) error {
	rows := db.Rows{Columns: []string{"id", "peg", "price", "quantity", "remaining", "place", "hold", "state", "expires", "ended", "counter", "by_whom", "countered"}}
	for _, id := range slices.Sorted(maps.Keys(changed)) {
		b := changed[id]
		var counter any
		if b.Counter.Price > 0 {
			counter = b.Counter.Price
		}
		rows.Add(db.ID(b.ID), int64(b.Price.Peg), b.Price.Max, b.Quantity, b.Remaining, db.ID(b.Place), db.ID(b.Hold), string(b.State),
			db.Micros(b.ExpiresAt), timeOrNull(b.EndedAt), counter, db.ID(b.Counter.By), timeOrNull(b.Counter.At))
	}
	return tx.WriteRows(rows, `UPDATE bids SET peg_percent = v.peg, price_cents = v.price, quantity = v.quantity, remaining = v.remaining, place = v.place,
		hold = v.hold, state = v.state, warned = warned AND expires_at = v.expires, expires_at = v.expires, ended_at = v.ended, counter_cents = v.counter, counter_by = v.by_whom, counter_at = v.countered
		FROM v WHERE bids.id = v.id AND bids.state = 'open'`, errors.New("not all bids were still open"))
}

// ExpiredIDs returns the IDs of open bids that have expired, earliest first.
func ExpiredIDs(tx *db.Tx, limit int) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT id FROM bids WHERE state = 'open' AND expires_at <= $1 ORDER BY expires_at LIMIT $2`, db.Micros(tx.Now), limit)
}

// TakeExpiring returns open bids that expire before the given time and marks them as warned, so
// that each is returned once.
func TakeExpiring(tx *db.Tx, before time.Time, limit int) ([]Bid, error) {
	ids, err := db.All(tx, db.Column[string], `SELECT id FROM bids WHERE state = 'open' AND NOT warned AND expires_at < $1 ORDER BY expires_at LIMIT $2`+tx.ForUpdateSkipLocked(),
		db.Micros(before), limit)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	if _, err := tx.Exec(`UPDATE bids SET warned = TRUE WHERE `+tx.InList("id", "$1"), db.List(ids)); err != nil {
		return nil, err
	}
	return ByIDs(tx, ids)
}

// EntriesWithPeggedBids returns the listed entries of an item that have an open pegged bid of their
// own.
func EntriesWithPeggedBids(tx *db.Tx, item string) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT DISTINCT n.id FROM inventory n JOIN bids b ON b.scope = 'entry:' || n.id AND b.state = 'open'
		WHERE n.item_id = $1 AND n.state = $2 AND b.peg_percent > 0 ORDER BY n.id`, item, string(inventory.Listed))
}

// Unfillable returns open bids that can't be filled any more: bids for entries that left their
// owner's hands, and bids of users who now own the traded entry. The result holds as long as the
// entries are locked.
func Unfillable(tx *db.Tx, left, traded []string, limit int) ([]Bid, error) {
	return db.All(tx, scan, `SELECT `+columns+` FROM inventory n JOIN bids b ON b.scope = 'entry:' || n.id AND b.state = 'open'
		WHERE `+tx.InList("n.id", "$1")+` AND NOT `+tx.InList("n.state", "$4")+`
		UNION ALL SELECT `+columns+` FROM inventory n JOIN bids b ON b.user_id = n.user_id AND b.scope = 'entry:' || n.id AND b.state = 'open'
		WHERE `+tx.InList("n.id", "$2")+` LIMIT $3`, db.List(left), db.List(traded), limit, db.List{string(inventory.Held), string(inventory.Listed)})
}

// CountDeclined counts a declined bid. Bids below an owner's minimum are limited, because unlimited
// attempts would reveal it.
func CountDeclined(tx *db.Tx, entry, user string) error {
	return tx.ExecOne(`INSERT INTO declined_bids (inventory_id, user_id, day, number) VALUES ($1, $2, $3, 1)
		ON CONFLICT (inventory_id, user_id, day) DO UPDATE SET number = declined_bids.number + 1`, entry, user, db.Micros(tx.Now.Truncate(24*time.Hour)))
}

// DeclinedToday returns how many of the user's bids on an entry were declined today (UTC).
func DeclinedToday(tx *db.Tx, entry, user string) (number int64, err error) {
	return db.One(tx, db.Column[int64], `SELECT COALESCE(MAX(number), 0) FROM declined_bids WHERE inventory_id = $1 AND user_id = $2 AND day = $3`,
		entry, user, db.Micros(tx.Now.Truncate(24*time.Hour)))
}

// DeleteOldDeclined deletes counts of past days.
func DeleteOldDeclined(tx *db.Tx, limit int) (int64, error) {
	return tx.Exec(`DELETE FROM declined_bids WHERE day < $1 AND (inventory_id, user_id, day) IN
		(SELECT inventory_id, user_id, day FROM declined_bids WHERE day < $1 ORDER BY day LIMIT $2)`, db.Micros(tx.Now.Add(-48*time.Hour)), limit)
}

func findWrongHolds(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "the money held for bids must equal what the open bids need", `
		SELECT 'account ' || a.user_id, 'holds ' || a.in_bids_cents || ' for bids, but its open bids need ' || COALESCE(b.needed, 0)
		FROM accounts a LEFT JOIN (SELECT user_id, SUM(price_cents * remaining) AS needed FROM bids WHERE state = 'open' GROUP BY user_id) b ON b.user_id = a.user_id
		WHERE a.in_bids_cents <> COALESCE(b.needed, 0)`)
}

// findUnfundedBids finds open bids that weren't funded by their hold.
func findUnfundedBids(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each open bid's money must have been held by a transfer", `
		SELECT 'bid ' || b.id, 'needs ' || b.price_cents || ' each, but its hold took ' || COALESCE(t.amount_cents, 0) || ' from ' || COALESCE(t.debit, 'nobody')
		FROM bids b LEFT JOIN transfers t ON t.ref = b.hold AND t.kind = 'bid'
		WHERE b.state = 'open' AND (t.id IS NULL OR t.debit <> CAST(b.user_id AS TEXT) OR t.amount_cents < b.price_cents * b.remaining OR t.amount_cents % b.price_cents <> 0)`)
}

func scopes(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT DISTINCT scope FROM bids`)
}

// findWrongBidTrades finds trades that name another user's bid, and filled bids without a trade.
func findWrongBidTrades(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a trade's bid must belong to its buyer, and each filled bid must have a trade", `
		SELECT 'trade ' || t.id, 'has bid ' || t.bid_id || ' of user ' || COALESCE(CAST(b.user_id AS TEXT), 'nobody')
		FROM trades t LEFT JOIN bids b ON b.id = t.bid_id WHERE t.bid_id IS NOT NULL AND (b.id IS NULL OR b.user_id <> t.buyer_id)
		UNION ALL
		SELECT 'bid ' || b.id, 'is filled, but has no trade'
		FROM bids b LEFT JOIN (SELECT DISTINCT bid_id FROM trades WHERE bid_id IS NOT NULL) t ON t.bid_id = b.id
		WHERE b.state = 'filled' AND t.bid_id IS NULL`)
}

// PersonalData are the queries of a user's rows for their export.
var PersonalData = []userrows.Query{
	{File: "bids", Columns: []userrows.Column{userrows.Text("id"), userrows.Text("scope"), userrows.Number("pegPercent"), userrows.Number("priceCents"),
		userrows.Number("quantity"), userrows.Number("left"), userrows.Text("state"), userrows.Number("counterOfferCents"), userrows.Time("counterOfferAt"),
		userrows.Time("createdAt"), userrows.Time("expiresAt"), userrows.Time("endedAt")},
		SQL: `SELECT id, scope, peg_percent, price_cents, quantity, remaining, state, COALESCE(counter_cents, 0), COALESCE(counter_at, 0),
			created_at, expires_at, COALESCE(ended_at, 0) FROM bids WHERE user_id = $1 ORDER BY id`},
	{File: "counter-offers", Columns: []userrows.Column{userrows.Text("scope"), userrows.Number("priceCents"), userrows.Time("createdAt")},
		SQL: `SELECT scope, counter_cents, counter_at FROM bids WHERE counter_by = $1 ORDER BY counter_at`},
	{File: "declined-bids", Columns: []userrows.Column{userrows.Text("itemEntryId"), userrows.Time("day"), userrows.Number("number")},
		SQL: `SELECT inventory_id, day, number FROM declined_bids WHERE user_id = $1 ORDER BY day, inventory_id`},
}
