package approval

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"kaibao/internal/adminlog"
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

const columns = `p.id, p.kind, p.subject, p.payload, p.reason, p.asked_by, p.created_at, p.expires_at, p.state, COALESCE(CAST(p.decided_by AS TEXT), ''),
	p.decision, COALESCE(p.decided_at, 0)`

func scanTargets(r *Request) (into []any, finish func()) {
	var payload string
	var created, expires, decided int64
	into = []any{&r.ID, &r.Kind, &r.Subject, &payload, &r.Reason, &r.AskedBy, &created, &expires, &r.State, &r.DecidedBy, &r.DecisionReason, &decided}
	return into, func() {
		r.Payload, r.CreatedAt, r.ExpiresAt = json.RawMessage(payload), db.Time(created), db.Time(expires)
		if decided != 0 {
			r.DecidedAt = db.Time(decided)
		}
	}
}

func scan(s db.Scanner) (r Request, err error) {
	into, finish := scanTargets(&r)
	err = s.Scan(into...)
	finish()
	return r, err
}

// insert fails as a duplicate if a request of the kind is pending for the subject.
func insert(tx *db.Tx, r Request) error {
	return tx.ExecOne(`INSERT INTO approvals (id, kind, subject, payload, reason, asked_by, created_at, expires_at, state)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'pending')`,
		r.ID, string(r.Kind), r.Subject, string(r.Payload), r.Reason, r.AskedBy, db.Micros(r.CreatedAt), db.Micros(r.ExpiresAt))
}

func lock(tx *db.Tx, id string) (Request, error) {
	return db.One(tx, scan, `SELECT `+columns+` FROM approvals p WHERE p.id = $1`+tx.ForUpdate(), id)
}

func lockExpired(tx *db.Tx) ([]Request, error) {
	return db.All(tx, scan, `SELECT `+columns+` FROM approvals p WHERE p.state = 'pending' AND p.expires_at <= $1 ORDER BY p.id`+tx.ForUpdateSkipLocked(), db.Micros(tx.Now))
}

func save(tx *db.Tx, r Request) error {
	return tx.ExecOne(`UPDATE approvals SET state = $2, decided_by = $3, decision = $4, decided_at = $5 WHERE id = $1`,
		r.ID, string(r.State), db.ID(r.DecidedBy), r.DecisionReason, db.Micros(r.DecidedAt))
}

// areAdmins returns which of the users are admins.
func areAdmins(tx *db.Tx, users ...string) (map[string]bool, error) {
	ids, err := db.All(tx, db.Column[string], `SELECT id FROM users WHERE `+tx.InList("id", "$1")+` AND role = 'admin'`, db.List(users))
	found := map[string]bool{}
	for _, id := range ids {
		found[id] = true
	}
	return found, err
}

// CountApprovedByCommand returns the number of requests approved from the server's command line.
func CountApprovedByCommand(tx *db.Tx) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM approvals WHERE state = 'approved' AND decided_by IS NULL`)
}

// soloTotalSince returns the total that an admin caused without approval since the given time. Acts
// from before the common daily total don't count.
func soloTotalSince(tx *db.Tx, admin string, since time.Time) (money.Cents, error) {
	return db.One(tx, db.Column[money.Cents], `SELECT CAST(COALESCE(SUM(amount_cents), 0) AS BIGINT) FROM solo_acts WHERE user_id = $1 AND created_at > $2 AND in_total`,
		admin, db.Micros(since))
}

func insertSolo(tx *db.Tx, admin string, by SoloKind, subject string, amount money.Cents) error {
	return tx.ExecOne(`INSERT INTO solo_acts (user_id, road, subject, amount_cents, created_at) VALUES ($1, $2, $3, $4, $5)`,
		admin, string(by), subject, amount, db.Micros(tx.Now))
}

// findExceededDailyTotals finds admins who exceeded the daily total.
func findExceededDailyTotals(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "no admin may exceed the daily total without a second admin", `
		WITH s AS (SELECT CAST(user_id AS TEXT) AS admin, road, subject, created_at,
			SUM(amount_cents) OVER (PARTITION BY user_id ORDER BY created_at RANGE BETWEEN $1 PRECEDING AND CURRENT ROW) AS cents FROM solo_acts WHERE in_total)
		SELECT 'admin ' || admin, 'moved ' || cents || ' cents within a day, most recently by ' || road || ' of ' || subject FROM s WHERE cents > $2`,
		policy.DailyTotalWithin.Microseconds()-1, int64(policy.DailyTotal))
}

// CountPending returns the number of pending requests.
func CountPending(tx *db.Tx) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM approvals WHERE state = 'pending' AND expires_at > $1`, db.Micros(tx.Now))
}

var newestFirst = db.Order[Waiting]{
	Keys: []db.Key[Waiting]{db.Text("p.id", func(v Waiting) string { return v.ID })}, Descending: true,
}

func (in *listInput) selection(limit int, cursor string) (*db.Selection[Waiting], error) {
	page, err := newestFirst.Select(limit, cursor)
	if err == nil {
		httpapi.Equal(page, "p.asked_by", in.User)
		httpapi.Equal(page, "p.state", in.State)
		httpapi.Equal(page, "p.kind", in.Kind)
		in.NarrowIDs(page, "p.id")
	}
	return page, err
}

const selectViews = `SELECT ` + columns + `, u.wallet_address, COALESCE(d.wallet_address, ''), t.taken_cents, t.asked_cents - t.taken_cents FROM approvals p
	JOIN users u ON u.id = p.asked_by LEFT JOIN users d ON d.id = p.decided_by LEFT JOIN debits t ON t.approval_id = p.id WHERE `

func scanView(s db.Scanner) (Waiting, error) {
	var r Request
	var by, decidedBy string
	var taken, missing *money.Cents
	into, finish := scanTargets(&r)
	err := s.Scan(append(into, &by, &decidedBy, &taken, &missing)...)
	finish()
	v := Waiting{
		ID: r.ID, Kind: r.Kind, Subject: r.Subject, Payload: r.Payload, Reason: r.Reason, AskedBy: by, State: r.State, DecidedBy: decidedBy,
		Decision: r.DecisionReason, CreatedAt: httpapi.Timestamp(r.CreatedAt), ExpiresAt: httpapi.Timestamp(r.ExpiresAt),
	}
	if r.State != Pending {
		v.DecidedAt = httpapi.Timestamp(r.DecidedAt)
	}
	if taken != nil && missing != nil {
		v.Debit = &DebitOutcome{*taken, *missing}
	}
	return v, err
}

func list(tx *db.Tx, page *db.Selection[Waiting]) ([]Waiting, error) {
	return page.Rows(tx, scanView, selectViews+`TRUE`)
}

// PendingRequests lists the pending requests, oldest first.
func PendingRequests(tx *db.Tx) ([]Waiting, error) {
	return db.All(tx, scanView, selectViews+`p.state = 'pending' AND p.expires_at > $1 ORDER BY p.id`, db.Micros(tx.Now))
}

func findView(tx *db.Tx, id string) (Waiting, error) {
	return db.One(tx, scanView, selectViews+`p.id = $1`, id)
}

// logStep is a line of the admin log about a request.
type logStep struct {
	by, request, became, reason string
	at                          time.Time
}

// eachWithLogSteps calls see for every request in the table or the admin log, with its first and
// last step in the admin log.
func eachWithLogSteps(tx *db.Tx, see func(r Request, subject string, began, ended logStep) error) error {
	type row struct {
		Request
		subject      string
		began, ended logStep
	}
	rows := func(s db.Scanner) (w row, err error) {
		into, finish := scanTargets(&w.Request)
		var began, ended int64
		err = s.Scan(append(into, &w.subject, &w.began.by, &w.began.request, &w.began.became, &w.began.reason, &began,
			&w.ended.by, &w.ended.became, &w.ended.reason, &ended)...)
		finish()
		w.began.at, w.ended.at = db.Time(began), db.Time(ended)
		return w, err
	}
	return db.Each(tx, rows, func(w row) error { return see(w.Request, w.subject, w.began, w.ended) }, `
		WITH a AS (SELECT * FROM admin_acts WHERE act = $1)
		SELECT COALESCE(CAST(p.id AS TEXT), ''), COALESCE(p.kind, ''), COALESCE(p.subject, ''), COALESCE(p.payload, ''), COALESCE(p.reason, ''),
			COALESCE(CAST(p.asked_by AS TEXT), ''), COALESCE(p.created_at, 0), COALESCE(p.expires_at, 0), COALESCE(p.state, ''), COALESCE(CAST(p.decided_by AS TEXT), ''),
			COALESCE(p.decision, ''), COALESCE(p.decided_at, 0), COALESCE(a.subject, ''),
			COALESCE(CAST(a.user_id AS TEXT), ''), COALESCE(a.request, ''), COALESCE(a.became, ''), COALESCE(a.reason, ''), COALESCE(a.created_at, 0),
			COALESCE(CAST(d.user_id AS TEXT), ''), COALESCE(d.became, ''), COALESCE(d.reason, ''), COALESCE(d.created_at, 0)
		FROM (SELECT 'approval ' || id AS subject FROM approvals UNION SELECT subject FROM a) k
			LEFT JOIN approvals p ON p.id = `+tx.AsID("SUBSTR(k.subject, 10)")+` LEFT JOIN a ON a.subject = k.subject
			LEFT JOIN (SELECT * FROM admin_acts WHERE act IN ($2, $3)) d ON d.subject = a.subject`, askAct, expireAct, decideAct)
}

// lockAbout locks the requests that name a user or one of their claims, by id.
func lockAbout(tx *db.Tx, e adminlog.Erasure) ([]Request, error) {
	const all = `p.subject || ' ' || p.payload || ' ' || p.reason || ' ' || p.decision`
	conditions, marks := []string{}, []any{}
	for _, mark := range append([]string{e.UserID, e.Address}, e.Claims...) {
		marks = append(marks, "%"+mark+"%")
		conditions = append(conditions, fmt.Sprintf("%s LIKE $%d", all, len(marks)))
	}
	return db.All(tx, scan, `SELECT `+columns+` FROM approvals p WHERE `+strings.Join(conditions, " OR ")+` ORDER BY p.id`+tx.ForUpdate(), marks...)
}

// saveTexts stores the texts of a request.
func saveTexts(tx *db.Tx, r Request) error {
	return tx.ExecOne(`UPDATE approvals SET subject = $2, payload = $3, reason = $4, decision = $5 WHERE id = $1`,
		r.ID, r.Subject, string(r.Payload), r.Reason, r.DecisionReason)
}

// eraseFromDailyTotals replaces a deleted user's address in the acts that count for daily totals.
func eraseFromDailyTotals(tx *db.Tx, e adminlog.Erasure) error {
	_, err := tx.Exec(`UPDATE solo_acts SET subject = $2, erased = erased || ' ' || $3 WHERE subject = $1`, "user "+e.Address, "user "+e.UserID, e.UserID)
	return err
}
