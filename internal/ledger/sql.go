package ledger

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/personaldata/userrows"
)

// CreateAccount creates a new user's account with a zero balance and the first seed.
func CreateAccount(tx *db.Tx, userID string, s Seed) error {
	_, err := tx.Exec(`INSERT INTO accounts (user_id, nonce, commitment, sealed_seed) VALUES ($1, $2, $3, $4)`,
		userID, s.Nonce, s.Commitment, s.Sealed)
	return err
}

// CreateAccountWith is CreateAccount for a user who had an account before. The new one inherits
// limits and counters.
func CreateAccountWith(tx *db.Tx, userID string, s Seed, p PlayLimits) error {
	rows := db.Rows{Columns: append([]string{"user_id", "nonce", "commitment", "sealed_seed", "most_lost_day_cents", "most_lost_week_cents", "most_lost_month_cents",
		"most_added_day_cents", "most_added_week_cents", "most_added_month_cents", "timed_out_until", "excluded_until"}, counterColumns...)}
	values := []any{db.ID(userID), s.Nonce, s.Commitment, s.Sealed, p.LossLimits[0], p.LossLimits[1], p.LossLimits[2],
		p.DepositLimits[0], p.DepositLimits[1], p.DepositLimits[2], p.TimedOut, p.Excluded}
	rows.Add(append(values, p.counterValues()...)...)
	return tx.InsertRows("accounts", rows)
}

func scanAccount(s db.Scanner) (row AccountRow, err error) {
	own := []any{&row.UserID, &row.Balance, &row.InBids, &row.Lines, &row.Seed.Nonce, &row.Seed.Commitment, &row.Seed.Sealed}
	return row, s.Scan(append(own, row.Play.scanTargets()...)...)
}

var selectAccount = `SELECT user_id, balance_cents, in_bids_cents, lines, nonce, commitment, sealed_seed, ` + selectPlay + ` FROM accounts WHERE `

// Find returns a user's account row, without locking it.
func Find(tx *db.Tx, userID string) (AccountRow, error) {
	return db.One(tx, scanAccount, selectAccount+`user_id = $1`, userID)
}

// LockAll locks users' account rows until the end of the transaction and returns them. Rows are
// locked in the order of their ids, so that transactions can't deadlock.
func LockAll(tx *db.Tx, userIDs []string) (map[string]AccountRow, error) {
	return QueueLockAll(tx, userIDs)()
}

// QueueLockAll is LockAll deferred like db.Queue.
func QueueLockAll(tx *db.Tx, userIDs []string) db.Queued[map[string]AccountRow] {
	lock := db.QueueAll(tx, scanAccount, selectAccount+tx.InList("user_id", "$1")+` ORDER BY user_id`+tx.ForUpdate(), db.List(userIDs))
	return func() (map[string]AccountRow, error) {
		rows, err := lock()
		byUser := make(map[string]AccountRow, len(rows))
		for _, row := range rows {
			byUser[row.UserID] = row
		}
		return byUser, err
	}
}

// PayAll makes every payment to a house account and stores the payments' next seeds and counters.
// The rows must still be as LockAll returned them.
func PayAll(tx *db.Tx, to Account, payments []Payment) error {
	accounts := db.Rows{Columns: append([]string{"user_id", "amount", "nonce", "commitment", "sealed_seed"}, counterColumns...)}
	transfers := db.Rows{Columns: []string{"id", "debit", "credit", "amount_cents", "debit_line",
		"debit_balance_cents", "kind", "ref", "created_at"}}
	for _, p := range payments {
		accounts.Add(append([]any{db.ID(p.UserID), p.Amount, p.NextSeed.Nonce, p.NextSeed.Commitment, p.NextSeed.Sealed}, p.NextPlay.counterValues()...)...)
		transfers.Add(db.ID(tx.NewID()), p.UserID, string(to), p.Amount, p.Lines+1, p.BalanceAfter(), p.Kind, db.ID(p.Ref), db.Micros(tx.Now))
	}
	err := tx.WriteRows(accounts, `UPDATE accounts SET balance_cents = balance_cents - v.amount, lines = lines + 1,
		nonce = v.nonce, commitment = v.commitment, sealed_seed = v.sealed_seed, `+setCounters+`
		FROM v WHERE accounts.user_id = v.user_id AND accounts.nonce = v.nonce - 1`, errors.New("some accounts have changed since they were locked"))
	if err != nil {
		return fmt.Errorf("charge the accounts: %w", err)
	}
	return tx.InsertRows("transfers", transfers)
}

// SaveLimits stores the limits of a user's play. The account must be locked.
func SaveLimits(tx *db.Tx, userID string, p PlayLimits) error {
	return tx.ExecOne(`UPDATE accounts SET most_lost_day_cents = $2, most_lost_week_cents = $3, most_lost_month_cents = $4,
		most_added_day_cents = $5, most_added_week_cents = $6, most_added_month_cents = $7, timed_out_until = $8, excluded_until = $9
		WHERE user_id = $1`, userID, p.LossLimits[0], p.LossLimits[1], p.LossLimits[2], p.DepositLimits[0], p.DepositLimits[1], p.DepositLimits[2], p.TimedOut, p.Excluded)
}

// SetFrozen stores when a locked account was frozen, in microseconds; 0 unfreezes it.
func SetFrozen(tx *db.Tx, userID string, frozenAt int64) error {
	return tx.ExecOne(`UPDATE accounts SET frozen_at = $2 WHERE user_id = $1`, userID, frozenAt)
}

// updateAccounts stores the new balances, numbers of lines and counters of locked accounts. Accounts
// that aren't in after are unchanged.
func updateAccounts(tx *db.Tx, before map[string]AccountRow, after map[Account]lineState) error {
	rows := db.Rows{Columns: append([]string{"user_id", "amount", "in_bids", "new_lines", "lines"}, counterColumns...)}
	for user, row := range before {
		account, moved := after[Account(user)]
		bids, bidsMoved := after[BidsAccount(user)]
		if !moved {
			account = lineState{row.Lines, row.Balance}
		}
		if !bidsMoved {
			bids.balance = row.InBids
		}
		if moved || bidsMoved {
			changes := []any{db.ID(user), account.balance - row.Balance, bids.balance - row.InBids, account.line - row.Lines, row.Lines}
			rows.Add(append(changes, row.Play.counterValues()...)...)
		}
	}
	return tx.WriteRows(rows, `UPDATE accounts SET balance_cents = balance_cents + v.amount, in_bids_cents = in_bids_cents + v.in_bids,
		lines = accounts.lines + v.new_lines, `+setCounters+`
		FROM v WHERE accounts.user_id = v.user_id AND accounts.lines = v.lines`, errors.New("some accounts have changed since they were read"))
}

func insertTransfers(tx *db.Tx, transfers []postedTransfer) error {
	rows := db.Rows{Columns: []string{"id", "debit", "credit", "amount_cents", "debit_line",
		"debit_balance_cents", "credit_line", "credit_balance_cents", "kind", "ref", "note", "created_at"}}
	for _, t := range transfers {
		debitLine, debitBalance := lineColumns(t.debit)
		creditLine, creditBalance := lineColumns(t.credit)
		rows.Add(db.ID(t.id), string(t.Debit), string(t.Credit), t.Amount, debitLine, debitBalance, creditLine, creditBalance,
			t.Kind, db.ID(t.Ref), t.Note, db.Micros(tx.Now))
	}
	return tx.InsertRows("transfers", rows)
}

// lineColumns returns the columns of an account's line, NULL for an account without lines.
func lineColumns(s *lineState) (line, balance any) {
	if s == nil {
		return nil, nil
	}
	return s.line, int64(s.balance)
}

// Reseed replaces users' unused seeds by seeds with the same nonces.
func Reseed(tx *db.Tx, seeds map[string]Seed) error {
	rows := db.Rows{Columns: []string{"user_id", "nonce", "commitment", "sealed_seed"}}
	for userID, s := range seeds {
		rows.Add(db.ID(userID), s.Nonce, s.Commitment, s.Sealed)
	}
	return tx.WriteRows(rows, `UPDATE accounts SET commitment = v.commitment, sealed_seed = v.sealed_seed
		FROM v WHERE accounts.user_id = v.user_id AND accounts.nonce = v.nonce`, errors.New("some seeds were not replaced"))
}

var newestFirst = db.Order[Line]{
	Keys:       []db.Key[Line]{db.Number("line", func(l Line) int64 { return l.Number })},
	Descending: true,
}

// listLines returns a page of a user's lines.
func listLines(tx *db.Tx, userID string, page *db.Selection[Line]) ([]Line, error) {
	scan := func(s db.Scanner) (l Line, err error) {
		var at int64
		err = s.Scan(&l.ID, &l.Number, &l.Kind, &l.Ref, &l.Amount, &l.Balance, &l.Note, &at)
		l.At = db.Time(at)
		return l, err
	}
	return page.Rows(tx, scan, `SELECT * FROM (
		SELECT id, debit_line AS line, kind, ref, -amount_cents AS amount, debit_balance_cents AS balance, note, created_at
		FROM transfers WHERE debit = $1 AND debit_line IS NOT NULL
		UNION ALL
		SELECT id, credit_line, kind, ref, amount_cents, credit_balance_cents, note, created_at
		FROM transfers WHERE credit = $1 AND credit_line IS NOT NULL
		) AS both_sides WHERE TRUE`, userID)
}

// byRef sorts by the primary key: newest first, because refs are UUIDv7.
var byRef = db.Order[AdminTransfer]{
	Keys: []db.Key[AdminTransfer]{
		db.Text("t.ref", func(t AdminTransfer) string { return t.Ref }), db.Text("t.kind", func(t AdminTransfer) string { return t.Kind }),
	},
	Descending: true,
}

// byTime sorts the transfers of a user or a period.
var byTime = db.Order[AdminTransfer]{
	Keys:       append([]db.Key[AdminTransfer]{db.Number("t.created_at", func(t AdminTransfer) int64 { return t.micros })}, byRef.Keys...),
	Descending: true,
}

func (in *transfersInput) selection(limit int, cursor string) (*db.Selection[AdminTransfer], error) {
	order := byRef
	if in.User != "" || in.Period != (httpapi.Period{}) {
		order = byTime
	}
	page, err := order.Select(limit, cursor)
	if err == nil {
		httpapi.Equal(page, "t.kind", in.Kind)
		httpapi.Equal(page, "t.ref", in.ID)
		in.Narrow(page, "t.created_at")
	}
	return page, err
}

// list returns a page of transfers. Those of a user include payments from the money held for their
// bids, which are no lines of theirs. A period is found by its index and the refs of opens.
func (in *transfersInput) list(tx *db.Tx, page *db.Selection[AdminTransfer]) ([]AdminTransfer, error) {
	from, args := `transfers`, []any{}
	switch {
	case in.User != "":
		from = `(SELECT * FROM transfers WHERE debit = $1 AND debit_line IS NOT NULL
			UNION ALL SELECT * FROM transfers WHERE credit = $1 AND credit_line IS NOT NULL
			UNION ALL SELECT * FROM transfers WHERE debit = $2 AND kind = 'bid-fill')`
		args = []any{in.User, string(BidsAccount(in.User))}
	case in.Period != (httpapi.Period{}):
		first, end := in.IDs()
		from = `(SELECT * FROM transfers WHERE kind <> 'open' UNION ALL SELECT * FROM transfers WHERE kind = 'open' AND ref >= $1 AND ref < $2)`
		args = []any{first, end}
	}
	scan := func(s db.Scanner) (t AdminTransfer, err error) {
		err = s.Scan(&t.ID, &t.Kind, &t.Ref, &t.From, &t.FromUserID, &t.To, &t.ToUserID, &t.AmountCents, &t.FromBalanceCents, &t.ToBalanceCents, &t.Note, &t.micros)
		t.RefKind, t.CreatedAt = refKinds[t.Kind], httpapi.Timestamp(db.Time(t.micros))
		return t, err
	}
	return page.Rows(tx, scan, `SELECT t.id, t.kind, t.ref, COALESCE(d.wallet_address, t.debit), COALESCE(CAST(d.id AS TEXT), ''),
		COALESCE(c.wallet_address, t.credit), COALESCE(CAST(c.id AS TEXT), ''),
		t.amount_cents, t.debit_balance_cents, t.credit_balance_cents, t.note, t.created_at
		FROM `+from+` t LEFT JOIN users d ON d.id = `+tx.AsID("t.debit")+` LEFT JOIN users c ON c.id = `+tx.AsID("t.credit")+` WHERE TRUE`, args...)
}

// FindLine returns the line of a user for the transfer with a kind and ref, or db.ErrNoRow.
func FindLine(tx *db.Tx, userID, kind, ref string) (Line, error) {
	scan := func(s db.Scanner) (l Line, err error) {
		var at int64
		err = s.Scan(&l.ID, &l.Number, &l.Amount, &l.Balance, &at)
		l.Kind, l.Ref, l.At = kind, ref, db.Time(at)
		return l, err
	}
	return db.One(tx, scan, `SELECT id, line, amount, balance, created_at FROM (
		SELECT id, debit AS account, debit_line AS line, -amount_cents AS amount, debit_balance_cents AS balance, created_at FROM transfers WHERE kind = $1 AND ref = $2
		UNION ALL
		SELECT id, credit, credit_line, amount_cents, credit_balance_cents, created_at FROM transfers WHERE kind = $1 AND ref = $2
		) AS both_sides WHERE account = $3`, kind, ref, userID)
}

// soldEntries returns the ids of the inventory entries that were sold, by the refs of their lines.
func soldEntries(tx *db.Tx, lines []Line) (map[string]string, error) {
	sold, trades := map[string]string{}, []string{}
	for _, l := range lines {
		switch refKinds[l.Kind] {
		case "entry":
			sold[l.Ref] = l.Ref
		case "trade":
			trades = append(trades, l.Ref)
		}
	}
	if len(trades) == 0 {
		return sold, nil
	}
	type trade struct{ id, entry string }
	scan := func(s db.Scanner) (t trade, err error) { return t, s.Scan(&t.id, &t.entry) }
	rows, err := db.All(tx, scan, `SELECT id, inventory_id FROM trades WHERE `+tx.InList("id", "$1"), db.List(trades))
	for _, t := range rows {
		sold[t.id] = t.entry
	}
	return sold, err
}

// TotalsBetween sums the transfers in [from, to); a zero to means no end. Both are whole
// milliseconds. It reads only the transfers in that range: opens by their refs, which are UUIDv7 of
// the same time.
func TotalsBetween(tx *db.Tx, from, to time.Time) (Totals, error) {
	end, endID := int64(math.MaxInt64), db.MaxID
	if !to.IsZero() {
		end, endID = db.Micros(to), db.MinID(to)
	}
	totals := Totals{}
	err := db.Each(tx, scanTotal, func(t kindTotal) error { totals[t.kind] = t.Total; return nil }, `
		SELECT kind, COUNT(*), CAST(SUM(amount_cents) AS BIGINT) FROM transfers
		WHERE kind <> 'open' AND created_at >= $1 AND created_at < $2 GROUP BY kind
		UNION ALL SELECT kind, COUNT(*), CAST(SUM(amount_cents) AS BIGINT) FROM transfers
		WHERE kind = 'open' AND ref >= $3 AND ref < $4 GROUP BY kind`, db.Micros(from), end, db.MinID(from), endID)
	return totals, err
}

// EachDay calls visit with the total of each day and kind of transfer; days begin at multiples of
// dayLength since 1970. It reads the whole table.
func EachDay(tx *db.Tx, dayLength time.Duration, visit func(start time.Time, totals Totals)) error {
	type dayTotal struct {
		number int64
		kindTotal
	}
	scan := func(s db.Scanner) (d dayTotal, err error) { return d, s.Scan(&d.number, &d.kind, &d.Number, &d.Amount) }
	return db.Each(tx, scan, func(d dayTotal) error {
		visit(db.Time(d.number*dayLength.Microseconds()), Totals{d.kind: d.Total})
		return nil
	}, `SELECT created_at / $1, kind, COUNT(*), CAST(SUM(amount_cents) AS BIGINT) FROM transfers GROUP BY 1, 2`, dayLength.Microseconds())
}

type kindTotal struct {
	kind string
	Total
}

func scanTotal(s db.Scanner) (t kindTotal, err error) {
	return t, s.Scan(&t.kind, &t.Number, &t.Amount)
}

// Balances returns the number of accounts and the sum of their balances, including the money held
// for bids.
func Balances(tx *db.Tx) (all Total, err error) {
	return db.One(tx, func(s db.Scanner) (all Total, err error) { return all, s.Scan(&all.Number, &all.Amount) },
		`SELECT COUNT(*), CAST(COALESCE(SUM(balance_cents + in_bids_cents), 0) AS BIGINT) FROM accounts`)
}

// userSides lists the user's side of every transfer, without the accounts of bids.
const userSides = `(SELECT debit AS account, debit_line AS line, debit_balance_cents AS balance, -amount_cents AS amount, id
	FROM transfers WHERE debit NOT LIKE 'house:%' AND debit NOT LIKE 'bids:%'
	UNION ALL
	SELECT credit, credit_line, credit_balance_cents, amount_cents, id
	FROM transfers WHERE credit NOT LIKE 'house:%' AND credit NOT LIKE 'bids:%')`

// bidSides lists the side of every transfer that is a user's bids account.
const bidSides = `(SELECT CAST(SUBSTR(debit, 6) AS TEXT) AS account, -amount_cents AS amount, id FROM transfers WHERE debit LIKE 'bids:%'
	UNION ALL
	SELECT CAST(SUBSTR(credit, 6) AS TEXT), amount_cents, id FROM transfers WHERE credit LIKE 'bids:%')`

func findWrongHolds(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "the money held for bids must equal the sum of its transfers", `
		SELECT 'account ' || a.user_id, 'holds ' || a.in_bids_cents || ' for bids, but its transfers add up to ' || COALESCE(s.total, 0)
		FROM accounts a LEFT JOIN (SELECT account, SUM(amount) AS total FROM `+bidSides+` AS x GROUP BY account) s
			ON s.account = CAST(a.user_id AS TEXT)
		WHERE a.in_bids_cents <> COALESCE(s.total, 0)
		UNION ALL
		SELECT 'transfer ' || x.id, 'its bids account has no user ' || x.account
		FROM `+bidSides+` AS x LEFT JOIN accounts a ON a.user_id = `+tx.AsID("x.account")+` WHERE a.user_id IS NULL`)
}

func findWrongBalances(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each balance must equal the sum of its transfers", `
		SELECT 'account ' || a.user_id, 'balance is ' || a.balance_cents || ', but its transfers add up to ' || COALESCE(s.total, 0) ||
			'; it counts ' || a.lines || ' lines, and has ' || COALESCE(s.number, 0)
		FROM accounts a LEFT JOIN (SELECT account, SUM(amount) AS total, COUNT(*) AS number FROM `+userSides+` AS x GROUP BY account) s
			ON s.account = CAST(a.user_id AS TEXT)
		WHERE a.balance_cents <> COALESCE(s.total, 0) OR a.lines <> COALESCE(s.number, 0)`)
}

func findBrokenLines(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each ledger line must continue the previous balance", `
		SELECT 'transfer ' || id, 'line ' || line || ' has balance ' || balance || ', expected ' || expected || ' at line ' || place
		FROM (SELECT id, line, balance, SUM(amount) OVER w AS expected, ROW_NUMBER() OVER w AS place
			FROM `+userSides+` AS x WINDOW w AS (PARTITION BY account ORDER BY line)) AS y
		WHERE line IS NULL OR balance IS NULL OR line <> place OR balance <> expected`)
}

func findUnknownAccounts(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each transfer's accounts must exist", `
		SELECT 'transfer ' || x.id, 'account ' || x.account || ' does not exist'
		FROM `+userSides+` AS x LEFT JOIN accounts a ON a.user_id = `+tx.AsID("x.account")+` WHERE a.user_id IS NULL`)
}

func findUnbalancedSum(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "all accounts together must add up to zero", `
		SELECT 'all accounts', 'users have ' || users || ', the house accounts ' || house
		FROM (SELECT (SELECT COALESCE(SUM(balance_cents + in_bids_cents), 0) FROM accounts) AS users,
			(SELECT COALESCE(SUM(CASE WHEN credit LIKE 'house:%' THEN amount_cents ELSE 0 END
				- CASE WHEN debit LIKE 'house:%' THEN amount_cents ELSE 0 END), 0) FROM transfers) AS house) AS t
		WHERE users + house <> 0`)
}

func findWrongFlows(tx *db.Tx) ([]audit.Breach, error) { return findWrongFlowsIn(tx, `transfers`) }

func findWrongNewFlows(tx *db.Tx) ([]audit.Breach, error) { return findWrongFlowsIn(tx, newLines) }

// findWrongFlowsIn finds transfers whose flow doesn't match their kind, in a table or subquery.
func findWrongFlowsIn(tx *db.Tx, from string) ([]audit.Breach, error) {
	var known []string
	var args []any
	for _, kind := range slices.Sorted(maps.Keys(flows)) {
		n := len(args)
		known = append(known, fmt.Sprintf("(kind = $%d AND %s = $%d AND %s = $%d)", n+1, flowAccountSQL("debit"), n+2, flowAccountSQL("credit"), n+3))
		args = append(args, kind, string(flows[kind].debit), string(flows[kind].credit))
	}
	return audit.Query(tx, "each transfer must use the accounts of its kind", `
		SELECT 'transfer ' || id, kind || ' from ' || debit || ' to ' || credit
		FROM `+from+` AS t WHERE NOT (`+strings.Join(known, " OR ")+`)`, args...)
}

// newUserSides lists the user's side of every transfer after the proven line. It compares pairs of
// account and line so that PostgreSQL uses the index for each account. With an equality on the
// account, the planner estimates that a third of all lines are new and reads the whole table.
const newUserSides = `(SELECT a.user_id AS account, p.line AS proven, p.balance_cents AS began, debit_line AS line, debit_balance_cents AS balance,
		-amount_cents AS amount, id, kind, debit, credit
	FROM accounts a LEFT JOIN proven_lines p ON p.user_id = a.user_id
		JOIN transfers t ON t.debit_line IS NOT NULL AND (t.debit, t.debit_line) > (CAST(a.user_id AS TEXT), COALESCE(p.line, 0))
			AND (t.debit, t.debit_line) <= (CAST(a.user_id AS TEXT), 9223372036854775807)
	UNION ALL
	SELECT a.user_id, p.line, p.balance_cents, credit_line, credit_balance_cents, amount_cents, id, kind, debit, credit
	FROM accounts a LEFT JOIN proven_lines p ON p.user_id = a.user_id
		JOIN transfers t ON t.credit_line IS NOT NULL AND (t.credit, t.credit_line) > (CAST(a.user_id AS TEXT), COALESCE(p.line, 0))
			AND (t.credit, t.credit_line) <= (CAST(a.user_id AS TEXT), 9223372036854775807))`

func findWrongNewBalances(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each balance must equal the proven balance plus later transfers", `
		SELECT 'account ' || a.user_id, 'balance is ' || a.balance_cents || ', but ' || COALESCE(p.balance_cents, 0) || ' were proven, and later transfers add up to ' || COALESCE(s.total, 0) ||
			'; it counts ' || a.lines || ' lines, and has ' || COALESCE(p.line, 0) || ' proven and ' || COALESCE(s.number, 0) || ' later ones'
		FROM accounts a LEFT JOIN proven_lines p ON p.user_id = a.user_id
			LEFT JOIN (SELECT account, SUM(amount) AS total, COUNT(*) AS number FROM `+newUserSides+` AS x GROUP BY account) s ON s.account = a.user_id
		WHERE a.balance_cents <> COALESCE(p.balance_cents, 0) + COALESCE(s.total, 0) OR a.lines <> COALESCE(p.line, 0) + COALESCE(s.number, 0)`)
}

// newLines is newUserSides with the expected balance and line number. Its window functions make
// PostgreSQL compute it before filtering rows. Otherwise it would expect few matches and search
// for them among all transfers.
const newLines = `(SELECT x.*, COALESCE(began, 0) + SUM(amount) OVER w AS expected, COALESCE(proven, 0) + ROW_NUMBER() OVER w AS place
	FROM ` + newUserSides + ` AS x WINDOW w AS (PARTITION BY account ORDER BY line))`

func findBrokenNewLines(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each ledger line must continue the previous balance", `
		SELECT 'transfer ' || id, 'line ' || line || ' has balance ' || balance || ', expected ' || expected || ' at line ' || place
		FROM `+newLines+` AS y WHERE balance IS NULL OR line <> place OR balance <> expected`)
}

// NewProvenLines returns the proven lines of all accounts that have changed since theirs was stored.
// Call it on a snapshot in which the audit found nothing.
func NewProvenLines(tx *db.Tx) ([]ProvenLine, error) {
	scan := func(s db.Scanner) (p ProvenLine, err error) {
		var user string
		if err := s.Scan(&user, &p.lines, &p.balance); err != nil {
			return p, err
		}
		packed, err := db.ID(user).Packed()
		copy(p.user[:], packed)
		return p, err
	}
	return db.All(tx, scan, `SELECT a.user_id, a.lines, a.balance_cents FROM accounts a LEFT JOIN proven_lines p ON p.user_id = a.user_id
		WHERE a.lines > 0 AND (p.line IS NULL OR p.line <> a.lines OR p.balance_cents <> a.balance_cents)`)
}

func upsertProvenLines(tx *db.Tx, proven []ProvenLine) error {
	rows := db.Rows{Columns: []string{"user_id", "line", "balance_cents"}}
	for _, p := range proven {
		user, err := db.UnpackID(p.user[:])
		if err != nil {
			return err
		}
		rows.Add(db.ID(user), p.lines, p.balance)
	}
	return tx.UpsertRows("proven_lines", rows, `(user_id) DO UPDATE SET line = excluded.line, balance_cents = excluded.balance_cents`,
		errors.New("some proven lines were not stored"))
}

// flowAccountSQL returns an SQL expression that maps an account to its form in flows.
func flowAccountSQL(column string) string {
	return "CASE WHEN " + column + " LIKE '" + string(providerPrefix) + ":%' THEN '" + string(providerPrefix) + "' WHEN " + column + " LIKE '" + string(bidsPrefix) + ":%' THEN '" + string(bidsPrefix) + "' WHEN " + column + " LIKE 'house:%' THEN " + column + " ELSE '' END"
}

// PersonalData are the queries of a user's rows for their export. The seed isn't in it: it decides
// the next open.
var PersonalData = []userrows.Query{
	{File: "balance", Columns: []userrows.Column{userrows.Number("balanceCents"), userrows.Number("heldForBidsCents"), userrows.Number("opens")},
		SQL: `SELECT balance_cents, in_bids_cents, nonce FROM accounts WHERE user_id = $1`},
	{File: "transactions", Columns: []userrows.Column{userrows.Number("number"), userrows.Text("kind"), userrows.Number("amountCents"), userrows.Number("balanceCents"),
		userrows.Text("ref"), userrows.Text("reason"), userrows.Time("createdAt"), userrows.Text("id")},
		SQL: `SELECT line, kind, amount, balance, ref, CASE WHEN kind = '` + KindAdminCredit + `' THEN SUBSTR(note, 1, LENGTH(note) - 42) ELSE note END, created_at, id FROM (
			SELECT debit_line AS line, kind, -amount_cents AS amount, debit_balance_cents AS balance, ref, note, created_at, id
				FROM transfers WHERE debit = $1 AND debit_line IS NOT NULL
			UNION ALL SELECT credit_line, kind, amount_cents, credit_balance_cents, ref, note, created_at, id
				FROM transfers WHERE credit = $1 AND credit_line IS NOT NULL) AS both_sides ORDER BY line`},
}
