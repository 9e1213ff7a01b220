package limits

import (
	"strings"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/personaldata/userrows"
	"kaibao/internal/policy"
)

// insert records a user's acts. The account must be locked.
func insert(tx *db.Tx, user string, acts []limitAct) error {
	last, err := db.One(tx, db.Column[int64], `SELECT COALESCE(MAX(number), 0) FROM limit_acts WHERE user_id = $1`, user)
	if err != nil {
		return err
	}
	rows := db.Rows{Columns: []string{"user_id", "number", "bound", "act", "value", "created_at"}}
	for n, a := range acts {
		rows.Add(db.ID(user), last+int64(n)+1, string(a.bound), string(a.kind), a.value, db.Micros(tx.Now))
	}
	return tx.InsertRows("limit_acts", rows)
}

// lastActs returns a user's last act on each bound.
func lastActs(tx *db.Tx, user string) (map[Bound]limitAct, error) {
	scan := func(s db.Scanner) (a limitAct, err error) {
		var at int64
		err = s.Scan(&a.bound, &a.kind, &a.value, &at)
		a.at = db.Time(at)
		return a, err
	}
	rows, err := db.All(tx, scan, `SELECT bound, act, value, created_at FROM limit_acts WHERE user_id = $1 ORDER BY number`, user)
	last := map[Bound]limitAct{}
	for _, a := range rows {
		last[a.bound] = a
	}
	return last, err
}

var newestFirst = db.Order[LimitChange]{
	Keys:       []db.Key[LimitChange]{db.Number("number", func(c LimitChange) int64 { return c.Number })},
	Descending: true,
}

func (in *changesInput) selection(limit int, cursor string) (*db.Selection[LimitChange], error) {
	page, err := newestFirst.Select(limit, cursor)
	if err == nil {
		httpapi.Equal(page, "act", in.Kind)
		httpapi.Equal(page, "bound", in.Limit)
		in.Narrow(page, "created_at")
	}
	return page, err
}

// list returns a page of a user's changes to their limits.
func (in *changesInput) list(tx *db.Tx, page *db.Selection[LimitChange]) ([]LimitChange, error) {
	scan := func(s db.Scanner) (c LimitChange, err error) {
		var value, at int64
		err = s.Scan(&c.Number, &c.Limit, &c.Kind, &value, &at)
		c.CreatedAt = httpapi.Timestamp(db.Time(at))
		c.setValue(value)
		return c, err
	}
	return page.Rows(tx, scan, `SELECT number, bound, act, value, created_at FROM limit_acts WHERE user_id = $1`, string(in.User))
}

// Hidden returns which of the users, by their tags in the log, are excluded. Boards, feed and other
// public views must not show them.
func Hidden(tx *db.Tx, tags []string) (map[string]bool, error) {
	rows, err := db.All(tx, db.Column[string], `SELECT u.tag FROM users u JOIN accounts a ON a.user_id = u.id
		WHERE a.excluded_until > $2 AND `+tx.InList("u.tag", "$1"), db.List(tags), db.Micros(tx.Now))
	hidden := make(map[string]bool, len(rows))
	for _, tag := range rows {
		hidden[tag] = true
	}
	return hidden, err
}

// findWrongBounds compares users' limits with their last act on each bound. In the query,
// -1 is no limit and -2 no row; deposit limits are "most_added" in accounts and "deposit" in acts.
func findWrongBounds(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each limit must be the one that the user last chose", `
		WITH placed AS (SELECT user_id, bound, value, ROW_NUMBER() OVER (PARTITION BY user_id, bound ORDER BY number DESC) AS place
			FROM limit_acts WHERE act <> 'ask'),
		chosen AS (SELECT user_id, bound, value FROM placed WHERE place = 1 AND bound <> $1),
		allowed AS (SELECT user_id, 'loss-day' AS bound, most_lost_day_cents AS value, -1 AS unset FROM accounts
			UNION ALL SELECT user_id, 'loss-week', most_lost_week_cents, -1 FROM accounts
			UNION ALL SELECT user_id, 'loss-month', most_lost_month_cents, -1 FROM accounts
			UNION ALL SELECT user_id, 'deposit-day', most_added_day_cents, -1 FROM accounts
			UNION ALL SELECT user_id, 'deposit-week', most_added_week_cents, -1 FROM accounts
			UNION ALL SELECT user_id, 'deposit-month', most_added_month_cents, -1 FROM accounts
			UNION ALL SELECT user_id, 'time-out', timed_out_until, 0 FROM accounts
			UNION ALL SELECT user_id, 'exclusion', excluded_until, 0 FROM accounts),
		changed AS (SELECT * FROM allowed WHERE value <> unset)
		SELECT 'account ' || k.user_id, k.bound || ' is ' || COALESCE(a.value, -2) || ', but the user chose ' || COALESCE(c.value, a.unset)
		FROM (SELECT user_id, bound FROM changed UNION SELECT user_id, bound FROM chosen) k
			LEFT JOIN changed a ON a.user_id = k.user_id AND a.bound = k.bound LEFT JOIN chosen c ON c.user_id = k.user_id AND c.bound = k.bound
		WHERE COALESCE(a.value, -2) <> COALESCE(c.value, -2) AND NOT (a.user_id IS NULL AND c.value = -1)`, string(realityCheck))
}

// findUnrequestedRaises finds limits that were confirmed without a request at least
// policy.LimitRaisedAfter earlier.
func findUnrequestedRaises(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a higher limit must have been requested a day before its confirmation", `
		SELECT 'limit of ' || user_id, bound || ' was confirmed as ' || value || ', but the act before was ' || COALESCE(before_act, 'none') || ' of ' || COALESCE(before_value, 0)
		FROM (SELECT l.*, LAG(act) OVER w AS before_act, LAG(value) OVER w AS before_value, LAG(created_at) OVER w AS before_at
			FROM limit_acts l WINDOW w AS (PARTITION BY user_id, bound ORDER BY number)) x
		WHERE act = 'confirm' AND (before_act IS NULL OR before_act <> 'ask' OR before_value <> value OR created_at < before_at + $1)`,
		policy.LimitRaisedAfter.Microseconds())
}

func findGaps(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a user's acts on limits must be numbered without gaps", `
		SELECT 'limits of ' || user_id, 'has ' || COUNT(*) || ' acts, but the last has number ' || MAX(number) FROM limit_acts GROUP BY user_id HAVING MAX(number) <> COUNT(*)`)
}

// findWrongTradeAmounts finds trades with wrong amounts. The entry's events, not the times, decide
// how its seller got it: of two sales in quick succession, the first may have the later time.
func findWrongTradeAmounts(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a trade must count its proceeds for limits", `
		SELECT 'trade ' || t.id, 'counts ' || t.back_cents || ', excess ' || t.excess_cents || '; but its proceeds are ' || (t.price_cents - t.fee_cents) || ' at a value of ' || t.value_cents
		FROM (SELECT d.*, COALESCE((SELECT e.act FROM entry_events s JOIN entry_events e ON e.inventory_id = s.inventory_id AND e.number < s.number
				WHERE s.inventory_id = d.inventory_id AND (s.act = 'sell back' AND d.kind = 'sell-back' OR s.act IN ('buy', 'fill a bid') AND s.ref = CAST(d.id AS TEXT))
				AND e.act IN ('buy', 'fill a bid', $2) ORDER BY e.number DESC LIMIT 1), '') AS acquired
			FROM trades d WHERE d.back_cents IS NOT NULL) t
			JOIN inventory n ON n.id = t.inventory_id JOIN openings o ON o.id = n.opening_id
		WHERE t.excess_cents IS NULL OR t.back_cents > t.price_cents - t.fee_cents
			OR (t.seller_id <> o.user_id OR t.acquired <> '') AND t.back_cents > 0
			OR t.kind = 'sell-back' AND t.seller_id = o.user_id AND t.back_cents <> t.price_cents AND t.acquired = ''
			OR t.kind = 'sell-back' AND t.acquired <> $2 AND t.excess_cents <> 0
			OR t.acquired = $2 AND t.excess_cents <> t.price_cents - t.fee_cents
			OR t.kind <> 'sell-back' AND t.acquired <> $2 AND NOT EXISTS (SELECT 1 FROM valuations v WHERE v.item_id = t.item_id
				AND t.excess_cents = CASE WHEN t.price_cents - t.fee_cents > $1 * v.value_cents THEN t.price_cents - t.fee_cents - $1 * v.value_cents ELSE 0 END)`,
		int64(policy.FarProceeds), acceptedGift)
}

// acceptedGift is the act (inventory.AcceptingGift) by which an entry became its owner's as a gift.
const acceptedGift = "accept the gift"

// counters has a user's counters, the time from which they count, and the counters that the account
// began with.
type counters struct {
	user string
	from int64
	ledger.PlayLimits
	inherited ledger.PlayLimits
}

// countersAfter returns the counters of up to most users, in the order of their ids, after the
// given one.
func countersAfter(tx *db.Tx, user string, most int) ([]counters, error) {
	scan := func(s db.Scanner) (c counters, err error) {
		fields := append([]any{&c.user, &c.from}, keptFields(&c.PlayLimits)[:len(inheritedColumns)]...)
		return c, s.Scan(append(fields, keptFields(&c.inherited)[:len(inheritedColumns)]...)...)
	}
	return db.All(tx, scan, `SELECT a.user_id, a.counted_from, a.counted_at, a.lost_day_cents, a.lost_week_cents, a.lost_month_cents,
		a.added_day_cents, a.added_week_cents, a.added_month_cents, a.spent_day_cents, a.opens_day, a.opened_at,
		COALESCE(i.counted_at, 0), COALESCE(i.lost_day_cents, 0), COALESCE(i.lost_week_cents, 0), COALESCE(i.lost_month_cents, 0),
		COALESCE(i.added_day_cents, 0), COALESCE(i.added_week_cents, 0), COALESCE(i.added_month_cents, 0),
		COALESCE(i.spent_day_cents, 0), COALESCE(i.opens_day, 0), COALESCE(i.opened_at, 0)
		FROM accounts a LEFT JOIN inherited_counters i ON i.user_id = a.user_id WHERE a.user_id > $1 ORDER BY a.user_id LIMIT $2`, user, most)
}

// countedAct is a user's act with the amounts that count.
type countedAct struct {
	user                   string
	at                     int64
	lost, deposited, spent money.Cents
	opens                  int64
	isOpen                 bool // also if its order was voided, so that it doesn't count in opens
}

// countedActsSince lists users' acts, for each user from a time on.
func countedActsSince(tx *db.Tx, some []counters, since func(counters) int64) ([]countedAct, error) {
	rows := db.Rows{Columns: []string{"user_id", "since"}}
	for _, c := range some {
		rows.Add(db.ID(c.user), since(c))
	}
	scan := func(s db.Scanner) (act countedAct, err error) {
		return act, s.Scan(&act.user, &act.at, &act.lost, &act.deposited, &act.spent, &act.opens, &act.isOpen)
	}
	return db.AllWith(tx, scan, rows, `SELECT v.user_id, o.created_at, o.price_cents, 0, o.price_cents, 1, TRUE
			FROM v JOIN openings o ON o.user_id = v.user_id AND o.created_at >= v.since
			WHERE NOT EXISTS (SELECT 1 FROM orders r WHERE r.id = o.id)
		UNION ALL SELECT v.user_id, r.created_at, CASE r.state WHEN 'void' THEN 0 ELSE r.price_cents END, 0, CASE r.state WHEN 'void' THEN 0 ELSE r.price_cents END,
				CASE r.state WHEN 'void' THEN 0 ELSE 1 END, TRUE
			FROM v JOIN orders r ON r.user_id = v.user_id AND r.created_at >= v.since
		UNION ALL SELECT v.user_id, t.created_at, -t.back_cents, t.excess_cents, 0, 0, FALSE
			FROM v JOIN trades t ON t.seller_id = v.user_id AND t.created_at >= v.since AND t.back_cents IS NOT NULL
		UNION ALL SELECT v.user_id, t.created_at, 0, t.amount_cents, 0, 0, FALSE
			FROM v JOIN transfers t ON t.credit = CAST(v.user_id AS TEXT) AND t.credit_line IS NOT NULL AND t.created_at >= v.since AND t.kind IN (`+depositKinds+`)`)
}

// depositKinds are the kinds of transfers, in SQL, that count as deposits.
const depositKinds = `'` + ledger.KindDeposit + `', '` + ledger.KindGrant + `'`

var keptColumns = []string{"counted_at", "lost_day_cents", "lost_week_cents", "lost_month_cents", "added_day_cents", "added_week_cents", "added_month_cents",
	"spent_day_cents", "opens_day", "opened_at", "most_lost_day_cents", "most_lost_week_cents", "most_lost_month_cents",
	"most_added_day_cents", "most_added_week_cents", "most_added_month_cents", "timed_out_until", "excluded_until"}

// inheritedColumns are the counters among keptColumns.
var inheritedColumns = keptColumns[:10]

// keptFields returns pointers to the fields of keptColumns.
func keptFields(p *ledger.PlayLimits) []any {
	return []any{&p.CountedAt, &p.Lost[0], &p.Lost[1], &p.Lost[2], &p.Deposited[0], &p.Deposited[1], &p.Deposited[2], &p.Spent, &p.Opens, &p.OpenedAt,
		&p.LossLimits[0], &p.LossLimits[1], &p.LossLimits[2], &p.DepositLimits[0], &p.DepositLimits[1], &p.DepositLimits[2], &p.TimedOut, &p.Excluded}
}

// keptValues returns the values of the first number keptColumns.
func keptValues(p ledger.PlayLimits, number int) []any {
	return []any{p.CountedAt, p.Lost[0], p.Lost[1], p.Lost[2], p.Deposited[0], p.Deposited[1], p.Deposited[2], p.Spent, p.Opens, p.OpenedAt,
		p.LossLimits[0], p.LossLimits[1], p.LossLimits[2], p.DepositLimits[0], p.DepositLimits[1], p.DepositLimits[2], p.TimedOut, p.Excluded}[:number]
}

// saveKept stores limits under the hash of an address until a time.
func saveKept(tx *db.Tx, addressHash []byte, p ledger.PlayLimits, ends int64) error {
	if err := deleteKept(tx, addressHash); err != nil {
		return err
	}
	rows := db.Rows{Columns: append([]string{"address_hash", "ends_at"}, keptColumns...)}
	rows.Add(append([]any{addressHash, ends}, keptValues(p, len(keptColumns))...)...)
	return tx.InsertRows("kept_limits", rows)
}

// findKept returns the limits of an address and when they end, or db.ErrNoRow.
func findKept(tx *db.Tx, addressHash []byte) (p ledger.PlayLimits, ends int64, err error) {
	scan := func(s db.Scanner) (none struct{}, err error) { return none, s.Scan(append(keptFields(&p), &ends)...) }
	_, err = db.One(tx, scan, `SELECT `+strings.Join(keptColumns, ", ")+`, ends_at FROM kept_limits WHERE address_hash = $1`, addressHash)
	return p, ends, err
}

func deleteKept(tx *db.Tx, addressHash []byte) error {
	_, err := tx.Exec(`DELETE FROM kept_limits WHERE address_hash = $1`, addressHash)
	return err
}

// deleteEndedKept deletes up to limit rows of limits that have ended and returns their number.
func deleteEndedKept(tx *db.Tx, limit int) (int64, error) {
	return tx.Exec(`DELETE FROM kept_limits WHERE address_hash IN (
		SELECT address_hash FROM kept_limits WHERE ends_at <= $1 ORDER BY ends_at LIMIT $2`+tx.ForUpdateSkipLocked()+`)`, db.Micros(tx.Now), limit)
}

// insertInherited records the counters that a new account begins with.
func insertInherited(tx *db.Tx, user string, p ledger.PlayLimits) error {
	rows := db.Rows{Columns: append([]string{"user_id"}, inheritedColumns...)}
	rows.Add(append([]any{db.ID(user)}, keptValues(p, len(inheritedColumns))...)...)
	return tx.InsertRows("inherited_counters", rows)
}

// PersonalData are the queries of a user's rows for their export.
var PersonalData = []userrows.Query{
	{File: "limits", Columns: []userrows.Column{
		userrows.Number("lossDayLimitCents"), userrows.Number("lossWeekLimitCents"), userrows.Number("lossMonthLimitCents"),
		userrows.Number("topUpDayLimitCents"), userrows.Number("topUpWeekLimitCents"), userrows.Number("topUpMonthLimitCents"),
		userrows.Number("lostDayCents"), userrows.Number("lostWeekCents"), userrows.Number("lostMonthCents"),
		userrows.Number("toppedUpDayCents"), userrows.Number("toppedUpWeekCents"), userrows.Number("toppedUpMonthCents"),
		userrows.Number("spentDayCents"), userrows.Number("opensDay"), userrows.Time("countedAt"), userrows.Time("lastOpenAt"),
		userrows.Time("timeOutUntil"), userrows.Time("excludedUntil"), userrows.Bool("excludedForGood")},
		SQL: `SELECT most_lost_day_cents, most_lost_week_cents, most_lost_month_cents, most_added_day_cents, most_added_week_cents, most_added_month_cents,
			lost_day_cents, lost_week_cents, lost_month_cents, added_day_cents, added_week_cents, added_month_cents, spent_day_cents, opens_day,
			counted_at, opened_at, timed_out_until, CASE WHEN excluded_until = ` + forever + ` THEN 0 ELSE excluded_until END, excluded_until = ` + forever + `
			FROM accounts WHERE user_id = $1`},
	{File: "limit-changes", Columns: []userrows.Column{userrows.Number("number"), userrows.Text("limit"), userrows.Text("change"), userrows.Number("value"), userrows.Time("createdAt")},
		SQL: `SELECT number, bound, act, value, created_at FROM limit_acts WHERE user_id = $1 ORDER BY number`},
}

// forever is Forever in SQL.
const forever = "9223372036854775807"
