package deposits

import (
	"encoding/json"
	"errors"
	"time"

	"kaibao/internal/adminlog"
	"kaibao/internal/approval"
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/personaldata/userrows"
)

// creditedSince returns the total of an admin's credits since a time, approved or not.
func creditedSince(tx *db.Tx, admin string, since time.Time) (money.Cents, error) {
	return db.One(tx, db.Column[money.Cents], `SELECT CAST(COALESCE(SUM(t.amount_cents), 0) AS BIGINT)
		FROM admin_acts a JOIN transfers t ON t.kind = $1 AND t.ref = a.id WHERE a.user_id = $2 AND a.created_at > $3`,
		ledger.KindAdminCredit, admin, db.Micros(since))
}

// auditedCredit is an admin's credit according to the ledger and the admin log. Either may be
// missing.
type auditedCredit struct {
	id                   string
	inLedger, inAdminLog bool
	approved             bool // by a second admin, or within the admin's own limit
	amount               money.Cents
	balance              money.Cents // after the credit
	recipient, wallet    string      // the user's id and address
	note                 string
	admin                string
	at, requestedAt      int64
	request              creditRequest
	change               adminlog.Change
}

// eachAdminCredit calls visit for every admin credit with its act.
func eachAdminCredit(tx *db.Tx, visit func(auditedCredit) error) error {
	scan := func(s db.Scanner) (c auditedCredit, err error) {
		var request, beforeJSON, afterJSON string
		err = s.Scan(&c.id, &c.inLedger, &c.inAdminLog, &c.approved, &c.amount, &c.balance, &c.recipient, &c.wallet, &c.note, &c.at,
			&c.admin, &c.requestedAt, &request, &c.change.Subject, &beforeJSON, &afterJSON, &c.change.Reason)
		if err == nil && c.inAdminLog {
			var before, after auditedBalance
			c.inAdminLog = json.Unmarshal([]byte(request), &c.request) == nil && json.Unmarshal([]byte(beforeJSON), &before) == nil && json.Unmarshal([]byte(afterJSON), &after) == nil
			c.change.Before, c.change.After = before, after
		}
		return c, err
	}
	return db.Each(tx, scan, visit, `
		WITH transfer AS (SELECT * FROM transfers WHERE kind = $1), admin_act AS (SELECT * FROM admin_acts WHERE act = $2)
		SELECT credit.id, transfer.ref IS NOT NULL, admin_act.id IS NOT NULL, solo_act.user_id IS NOT NULL OR approval.id IS NOT NULL,
			COALESCE(transfer.amount_cents, 0), COALESCE(transfer.credit_balance_cents, 0), COALESCE(transfer.credit, ''), COALESCE(recipient.wallet_address, ''), COALESCE(transfer.note, ''),
			COALESCE(transfer.created_at, 0), COALESCE(CAST(admin_act.user_id AS TEXT), ''), COALESCE(admin_act.created_at, 0), COALESCE(admin_act.request, ''),
			COALESCE(admin_act.subject, ''), COALESCE(admin_act.was, ''), COALESCE(admin_act.became, ''), COALESCE(admin_act.reason, '')
		FROM (SELECT ref AS id FROM transfer UNION SELECT id FROM admin_act) credit
		LEFT JOIN transfer ON transfer.ref = credit.id LEFT JOIN admin_act ON admin_act.id = credit.id
		LEFT JOIN approvals approval ON admin_act.path = '/api/admin/approvals/' || approval.id AND approval.state = 'approved'
			AND approval.payload = admin_act.request AND approval.asked_by = admin_act.user_id
		LEFT JOIN solo_acts solo_act ON admin_act.path = $4 AND solo_act.road = $3 AND solo_act.user_id = admin_act.user_id
			AND solo_act.subject = admin_act.subject AND admin_act.erased LIKE '%' || solo_act.erased || '%' AND solo_act.created_at = admin_act.created_at AND solo_act.amount_cents = transfer.amount_cents
		LEFT JOIN users recipient ON recipient.id = `+tx.AsID("transfer.credit"), ledger.KindAdminCredit, manualOperation, string(approval.ByCredit), manualPath)
}

const depositColumns = `id, user_id, provider, amount_cents, state, exception, confirming, COALESCE(charge_token, ''), sol_price_cents,
	price_is_fallback, version, created_at, expires_at, looks, COALESCE(next_look_at, 0), COALESCE(credited_cents, 0)`

func scanDeposit(s db.Scanner) (d Deposit, err error) {
	var created, expires, next int64
	err = s.Scan(&d.ID, &d.User, &d.Provider, &d.Amount, &d.State, &d.Exception, &d.Confirming, &d.ChargeToken, &d.SOLPrice,
		&d.PriceIsFallback, &d.Version, &created, &expires, &d.Polls, &next, &d.Credited)
	d.CreatedAt, d.ExpiresAt = db.Time(created), db.Time(expires)
	if next != 0 {
		d.NextPoll = db.Time(next)
	}
	return d, err
}

// CountByState counts the deposits in every state.
func CountByState(tx *db.Tx) ([]db.StateCount[State], error) {
	return db.CountByState(tx, "deposits", states)
}

// findDeposit returns a deposit, or db.ErrNoRow.
func findDeposit(tx *db.Tx, id string) (Deposit, error) {
	return db.One(tx, scanDeposit, `SELECT `+depositColumns+` FROM deposits WHERE id = $1`, id)
}

// lockDeposit is like findDeposit and locks the row.
func lockDeposit(tx *db.Tx, id string) (Deposit, error) {
	return db.One(tx, scanDeposit, `SELECT `+depositColumns+` FROM deposits WHERE id = $1`+tx.ForUpdate(), id)
}

func insertDeposit(tx *db.Tx, d Deposit) error {
	_, err := tx.Exec(`INSERT INTO deposits (id, user_id, provider, amount_cents, state, exception, confirming, sol_price_cents,
		price_is_fallback, version, created_at, expires_at, next_look_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		d.ID, d.User, d.Provider, d.Amount, string(d.State), string(d.Exception), d.Confirming, d.SOLPrice,
		d.PriceIsFallback, d.Version, db.Micros(d.CreatedAt), db.Micros(d.ExpiresAt), nullableMicros(d.NextPoll))
	return err
}

// updateDeposit updates the mutable columns of a deposit.
func updateDeposit(tx *db.Tx, d Deposit) error {
	return tx.ExecOne(`UPDATE deposits SET state = $2, exception = $3, confirming = $4, charge_token = $5, version = $6, looks = $7,
		next_look_at = $8, credited_cents = NULLIF($9, 0) WHERE id = $1`,
		d.ID, string(d.State), string(d.Exception), d.Confirming, nullableText(d.ChargeToken), d.Version, d.Polls, nullableMicros(d.NextPoll), d.Credited)
}

// nullableMicros returns NULL for the zero time.
func nullableMicros(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return db.Micros(t)
}

func nullableText(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func insertEvent(tx *db.Tx, deposit string, e event) error {
	_, err := tx.Exec(`INSERT INTO deposit_events (deposit_id, number, state, exception, reason, by_whom, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		deposit, e.Number, string(e.State), string(e.Exception), e.Reason, e.By, db.Micros(e.At))
	return err
}

func loadEvents(tx *db.Tx, deposit string) ([]event, error) {
	scan := func(s db.Scanner) (e event, err error) {
		var at int64
		err = s.Scan(&e.Number, &e.State, &e.Exception, &e.Reason, &e.By, &at)
		e.At = db.Time(at)
		return e, err
	}
	return db.All(tx, scan, `SELECT number, state, exception, reason, by_whom, created_at FROM deposit_events
		WHERE deposit_id = $1 ORDER BY number`, deposit)
}

// insertPayment records the payment of a deposit. inserted is false if the payment or signature is
// already recorded, for any deposit.
func insertPayment(tx *db.Tx, p recordedPayment) (inserted bool, err error) {
	n, err := tx.Exec(`INSERT INTO deposit_payments (deposit_id, provider, payment_id, network, signature, currency, units, over_units, arrived_cents, paid_at, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING`,
		p.deposit, p.provider, p.ID, p.network, p.Signature, p.Currency, p.receivedUnits, p.excessUnits, p.receivedValue, db.Micros(p.paidAt), db.Micros(tx.Now))
	return n == 1, err
}

// loadPayment returns the payment of a deposit. Without one, its ID is empty.
func loadPayment(tx *db.Tx, deposit string) (recordedPayment, error) {
	scan := func(s db.Scanner) (p recordedPayment, err error) {
		var at int64
		err = s.Scan(&p.ID, &p.network, &p.Signature, &p.Currency, &p.receivedUnits, &p.excessUnits, &p.receivedValue, &at)
		p.paidAt = db.Time(at)
		return p, err
	}
	p, err := db.One(tx, scan, `SELECT payment_id, network, signature, currency, units, over_units, COALESCE(arrived_cents, 0), paid_at FROM deposit_payments
		WHERE deposit_id = $1`, deposit)
	if errors.Is(err, db.ErrNoRow) {
		err = nil
	}
	return p, err
}

// depositBySignature returns the deposit paid by a transaction, or "".
func depositBySignature(tx *db.Tx, network, signature string) (string, error) {
	id, err := db.One(tx, db.Column[string], `SELECT deposit_id FROM deposit_payments WHERE network = $1 AND signature = $2`, network, signature)
	if errors.Is(err, db.ErrNoRow) {
		err = nil
	}
	return id, err
}

func paymentExists(tx *db.Tx, provider, id string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM deposit_payments WHERE provider = $1 AND payment_id = $2)`, provider, id)
}

func depositExists(tx *db.Tx, id string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM deposits WHERE id = $1)`, id)
}

func insertNotice(tx *db.Tx, provider string, n notice) (inserted bool, err error) {
	affected, err := tx.Exec(`INSERT INTO payment_notices (provider, payment_id, source, deposit_id, body, created_at)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
		provider, n.paymentID, n.source, db.ID(n.depositID), string(n.body), db.Micros(tx.Now))
	return affected == 1, err
}

// countOpen counts a user's deposits that can still be paid or are being paid. amount is the sum of all
// deposits that may still be credited, also expired ones, because a payment made in time may be found
// later.
func countOpen(tx *db.Tx, user string, now time.Time) (number int64, amount money.Cents, err error) {
	scan := func(s db.Scanner) (none struct{}, err error) { return none, s.Scan(&number, &amount) }
	_, err = db.One(tx, scan, `SELECT COUNT(CASE WHEN state <> 'quoted' OR expires_at > $2 THEN 1 END), CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT)
		FROM deposits WHERE user_id = $1 AND state IN ('quoted', 'pending', 'verified')`, user, db.Micros(now))
	return number, amount, err
}

// HasCredited reports whether a user's deposit was credited and not refunded.
func HasCredited(tx *db.Tx, user string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM deposits WHERE user_id = $1 AND state = 'credited')`, user)
}

// isAnyDue reports whether a deposit is due for polling.
func isAnyDue(tx *db.Tx) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM deposits WHERE next_look_at <= $1)`, db.Micros(tx.Now))
}

// claimDue returns at most limit deposits that are due and postpones their next poll, so that no
// other node claims them.
func claimDue(tx *db.Tx, limit int) ([]string, error) {
	deposits, err := db.All(tx, scanDeposit, `SELECT `+depositColumns+` FROM deposits WHERE next_look_at <= $1
		ORDER BY next_look_at LIMIT $2`+tx.ForUpdateSkipLocked(), db.Micros(tx.Now), limit)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(deposits))
	for i, d := range deposits {
		ids[i] = d.ID
		d.NextPoll = d.nextPollAfter(tx.Now)
		d.Polls++
		if err := updateDeposit(tx, d); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

var newestFirst = db.Order[Deposit]{
	Keys:       []db.Key[Deposit]{db.Text("id", func(d Deposit) string { return d.ID })},
	Descending: true,
}

func (in *adminListInput) selection(limit int, cursor string) (*db.Selection[Deposit], error) {
	page, err := newestFirst.Select(limit, cursor)
	if err == nil {
		httpapi.Equal(page, "user_id", in.User)
		httpapi.Equal(page, "id", in.ID)
		httpapi.Equal(page, "state", in.State)
		in.NarrowIDs(page, "id")
	}
	return page, err
}

func listDeposits(tx *db.Tx, page *db.Selection[Deposit]) ([]Deposit, error) {
	return page.Rows(tx, scanDeposit, `SELECT `+depositColumns+` FROM deposits WHERE TRUE`)
}

var newestOrphansFirst = db.Order[orphan]{
	Keys: []db.Key[orphan]{
		db.Number("n.created_at", func(o orphan) int64 { return o.at }), db.Text("n.payment_id", func(o orphan) string { return o.PaymentID }),
		db.Text("n.source", func(o orphan) string { return o.Source }),
	},
	Descending: true,
}

func (in *orphansInput) selection(limit int, cursor string) (*db.Selection[orphan], error) {
	page, err := newestOrphansFirst.Select(limit, cursor)
	if err == nil {
		httpapi.Equal(page, "d.user_id", in.User)
		httpapi.Equal(page, "n.source", in.Kind)
		in.Narrow(page, "n.created_at")
	}
	return page, err
}

type orphan struct {
	Orphan
	at int64
}

// listOrphans returns the payments that won't be credited: their deposit is unknown, or has ended
// without them.
func listOrphans(tx *db.Tx, page *db.Selection[orphan]) ([]Orphan, error) {
	scan := func(s db.Scanner) (o orphan, err error) {
		err = s.Scan(&o.PaymentID, &o.Source, &o.DepositID, &o.Details, &o.at)
		o.CreatedAt = httpapi.Timestamp(db.Time(o.at))
		return o, err
	}
	rows, err := page.Rows(tx, scan, `SELECT n.payment_id, n.source, COALESCE(CAST(n.deposit_id AS TEXT), ''), n.body, n.created_at
		FROM payment_notices n LEFT JOIN deposits d ON d.id = n.deposit_id
		WHERE (d.id IS NULL OR d.state IN ('credited', 'rejected', 'refunded'))
			AND NOT EXISTS (SELECT 1 FROM deposit_payments p WHERE p.provider = n.provider AND p.payment_id = n.payment_id)`)
	orphans := make([]Orphan, len(rows))
	for i, row := range rows {
		orphans[i] = row.Orphan
	}
	return orphans, err
}

// eachPayment calls visit for every payment through a provider, with its deposit.
func eachPayment(tx *db.Tx, provider string, visit func(Deposit, recordedPayment) error) error {
	type row struct {
		deposit Deposit
		payment recordedPayment
	}
	scan := func(s db.Scanner) (r row, err error) {
		var at int64
		err = s.Scan(&r.deposit.ID, &r.deposit.Amount, &r.payment.ID, &r.payment.network, &r.payment.Signature, &r.payment.Currency, &r.payment.receivedUnits, &r.payment.excessUnits, &at)
		r.payment.paidAt = db.Time(at)
		return r, err
	}
	return db.Each(tx, scan, func(r row) error { return visit(r.deposit, r.payment) }, `SELECT d.id, d.amount_cents, p.payment_id, p.network, p.signature,
		p.currency, p.units, p.over_units, p.paid_at FROM deposits d JOIN deposit_payments p ON p.deposit_id = d.id WHERE p.provider = $1`, provider)
}

// depositWithEvent is a deposit with one of its events and their total number.
type depositWithEvent struct {
	Deposit
	event
	eventCount int64
}

// eachDepositEvent calls visit for the events of all deposits, ordered by deposit and number.
func eachDepositEvent(tx *db.Tx, visit func(depositWithEvent) error) error {
	scan := func(s db.Scanner) (l depositWithEvent, err error) {
		var created, at int64
		err = s.Scan(&l.ID, &l.Deposit.State, &l.Deposit.Exception, &l.Version, &created,
			&l.Number, &l.event.State, &l.event.Exception, &l.By, &at, &l.eventCount)
		l.CreatedAt, l.At = db.Time(created), db.Time(at)
		return l, err
	}
	return db.Each(tx, scan, visit, `SELECT d.id, d.state, d.exception, d.version, d.created_at,
		COALESCE(e.number, 0), COALESCE(e.state, ''), COALESCE(e.exception, ''), COALESCE(e.by_whom, ''), COALESCE(e.created_at, 0),
			COUNT(e.number) OVER (PARTITION BY d.id)
		FROM deposits d LEFT JOIN deposit_events e ON e.deposit_id = d.id ORDER BY d.id, e.number`)
}

// findCreditTransferMismatches compares the ledger's credits with credited deposits, both ways.
func findCreditTransferMismatches(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each credited deposit must have a matching transfer in the ledger", `
		WITH d AS (SELECT s.id, s.user_id, s.provider, s.credited_cents AS amount_cents, e.created_at AS credited_at
			FROM deposits s JOIN deposit_events e ON e.deposit_id = s.id AND e.state = 'credited'),
		t AS (SELECT ref, debit, credit, amount_cents, created_at FROM transfers WHERE kind = $1)
		SELECT 'deposit ' || k.id, 'deposit has ' || COALESCE(d.amount_cents, 0) || ' for user ' || COALESCE(CAST(d.user_id AS TEXT), 'nobody') ||
			', the ledger has ' || COALESCE(t.amount_cents, 0) || ' from ' || COALESCE(t.debit, 'nobody') || ' to ' || COALESCE(t.credit, 'nobody')
		FROM (SELECT id FROM d UNION SELECT ref FROM t) k LEFT JOIN d ON d.id = k.id LEFT JOIN t ON t.ref = k.id
		WHERE d.id IS NULL OR t.ref IS NULL OR d.amount_cents IS NULL OR t.amount_cents <> d.amount_cents OR t.credit <> CAST(d.user_id AS TEXT)
			OR t.debit <> $2 || d.provider OR t.created_at <> d.credited_at`, ledger.KindDeposit, string(ledger.ProviderAccount("")))
}

// findRefundTransferMismatches compares the ledger's refunds with refunded deposits, both ways.
func findRefundTransferMismatches(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each refunded deposit must be taken back in the ledger", `
		WITH d AS (SELECT s.id, s.user_id, s.provider, s.credited_cents AS amount_cents, r.created_at AS refunded_at
			FROM deposits s JOIN deposit_events r ON r.deposit_id = s.id AND r.state = 'refunded'
			WHERE EXISTS (SELECT 1 FROM deposit_events c WHERE c.deposit_id = s.id AND c.state = 'credited')),
		t AS (SELECT ref, SUM(amount_cents) AS cents, MIN(CASE WHEN kind = $1 THEN debit END) AS debits, MIN(credit) AS credit,
				MAX(credit) AS last_credit, MIN(created_at) AS first_at, MAX(created_at) AS last_at
			FROM transfers WHERE kind IN ($1, $2) GROUP BY ref)
		SELECT 'deposit ' || k.id, 'deposit has ' || COALESCE(d.amount_cents, 0) || ' of user ' || COALESCE(CAST(d.user_id AS TEXT), 'nobody') ||
			', the ledger has ' || COALESCE(t.cents, 0) || ' from ' || COALESCE(t.debits, 'nobody')
		FROM (SELECT id FROM d UNION SELECT ref FROM t) k LEFT JOIN d ON d.id = k.id LEFT JOIN t ON t.ref = k.id
		WHERE d.id IS NULL OR t.ref IS NULL OR t.cents <> d.amount_cents OR t.debits <> CAST(d.user_id AS TEXT)
			OR t.credit <> $3 || d.provider OR t.last_credit <> t.credit OR t.first_at <> d.refunded_at OR t.last_at <> d.refunded_at`,
		ledger.KindRefund, ledger.KindShortfall, string(ledger.ProviderAccount("")))
}

// findPaymentMismatches finds deposits verified without a payment, and payments that were neither verified nor
// reviewed for an exception.
func findPaymentMismatches(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each verified deposit must have a matching payment", `
		SELECT 'deposit ' || d.id, 'is ' || d.state || ' ' || d.exception || '; payment ' || COALESCE(p.payment_id, 'none') || ' has ' ||
			COALESCE(p.units, 0) || ' units, ' || COALESCE(p.over_units, 0) || ' of them above the amount due'
		FROM deposits d LEFT JOIN deposit_payments p ON p.deposit_id = d.id
			LEFT JOIN deposit_events v ON v.deposit_id = d.id AND v.state = 'verified'
			LEFT JOIN deposit_events x ON x.deposit_id = d.id AND x.state = 'review' AND x.exception <> ''
		WHERE (p.deposit_id IS NULL) <> (v.deposit_id IS NULL AND x.deposit_id IS NULL)
			OR p.provider <> d.provider OR p.over_units > p.units OR p.paid_at < d.created_at - 1000000
			OR p.created_at <> COALESCE(v.created_at, x.created_at) OR d.credited_cents > p.arrived_cents OR v.deposit_id IS NOT NULL AND d.credited_cents <> d.amount_cents`)
}

// UnderWay reports whether a user has a deposit that can still be paid or is being paid or reviewed.
func UnderWay(tx *db.Tx, user string) (bool, error) {
	return db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM deposits WHERE user_id = $1 AND state IN ('quoted', 'pending', 'verified', 'review'))`, user)
}

// Erase erases the provider's messages about a user's payments, and what admins wrote to the user.
func Erase(tx *db.Tx, user string) error {
	const own = `deposit_id IN (SELECT id FROM deposits WHERE user_id = $1)`
	if _, err := tx.Exec(`UPDATE payment_notices SET body = '' WHERE `+own, user); err != nil {
		return err
	}
	_, err := tx.Exec(`UPDATE deposit_events SET reason = '' WHERE `+own+` AND by_whom <> $2`, user, systemAuthor)
	return err
}

// EraseSandboxPayer replaces the wallet that paid a user's sandbox charges.
func EraseSandboxPayer(tx *db.Tx, user, placeholder string) error {
	_, err := tx.Exec(`UPDATE sandbox_charges SET payer = $2 WHERE payer IS NOT NULL AND deposit_id IN (SELECT CAST(id AS TEXT) FROM deposits WHERE user_id = $1)`, user, placeholder)
	return err
}

// PersonalData are the queries of a user's rows for their export.
var PersonalData = []userrows.Query{
	{File: "top-ups", Columns: []userrows.Column{userrows.Text("id"), userrows.Text("provider"), userrows.Number("amountCents"), userrows.Number("creditedCents"),
		userrows.Text("state"), userrows.Text("exception"), userrows.Text("chargeToken"), userrows.Time("createdAt"), userrows.Time("expiresAt")},
		SQL: `SELECT id, provider, amount_cents, COALESCE(credited_cents, 0), state, exception, COALESCE(charge_token, ''), created_at, expires_at
			FROM deposits WHERE user_id = $1 ORDER BY id`},
	{File: "top-up-steps", Columns: []userrows.Column{userrows.Text("topUpId"), userrows.Number("number"), userrows.Text("state"), userrows.Text("exception"), userrows.Text("reason"), userrows.Time("createdAt")},
		SQL: `SELECT e.deposit_id, e.number, e.state, e.exception, e.reason, e.created_at FROM deposit_events e JOIN deposits d ON d.id = e.deposit_id
			WHERE d.user_id = $1 ORDER BY e.deposit_id, e.number`},
	{File: "payments", Columns: []userrows.Column{userrows.Text("topUpId"), userrows.Text("paymentId"), userrows.Text("network"), userrows.Text("transaction"), userrows.Text("currency"),
		userrows.Number("units"), userrows.Time("paidAt")},
		SQL: `SELECT p.deposit_id, p.payment_id, p.network, p.signature, p.currency, p.units, p.paid_at FROM deposit_payments p JOIN deposits d ON d.id = p.deposit_id
			WHERE d.user_id = $1 ORDER BY p.deposit_id`},
	{File: "payment-notices", Columns: []userrows.Column{userrows.Text("topUpId"), userrows.Text("paymentId"), userrows.Text("source"), userrows.Text("message"), userrows.Time("createdAt")},
		SQL: `SELECT n.deposit_id, n.payment_id, n.source, n.body, n.created_at FROM payment_notices n JOIN deposits d ON d.id = n.deposit_id
			WHERE d.user_id = $1 ORDER BY n.created_at, n.payment_id, n.source`},
}
