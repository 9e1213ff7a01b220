package topup

import (
	"encoding/json"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
)

// given is what an admin gave since a time.
func given(tx *db.Tx, admin string, since time.Time) (money.Cents, error) {
	return db.One(tx, db.Column[money.Cents], `SELECT CAST(COALESCE(SUM(t.amount_cents), 0) AS BIGINT)
		FROM admin_acts a JOIN transfers t ON t.kind = $1 AND t.ref = a.id WHERE a.user_id = $2 AND a.created_at > $3`,
		ledger.KindAdminCredit, admin, db.Micros(since))
}

// credit is what an admin gave, as the ledger has it and as the audit trail does;
// either may be missing.
type credit struct {
	id           string
	moved, acted bool
	amount       money.Cents
	wallet, note string
	admin        string
	at, asked    int64
	request      manualInputBody
}

// eachCredit shows the credits with their acts.
func eachCredit(tx *db.Tx, see func(credit) error) error {
	scan := func(s db.Scanner) (c credit, err error) {
		var request string
		err = s.Scan(&c.id, &c.moved, &c.acted, &c.amount, &c.wallet, &c.note, &c.at, &c.admin, &c.asked, &request)
		if err == nil {
			c.acted = c.acted && json.Unmarshal([]byte(request), &c.request) == nil
		}
		return c, err
	}
	return db.Each(tx, scan, see, `SELECT COALESCE(t.ref, a.id), t.ref IS NOT NULL, a.id IS NOT NULL, COALESCE(t.amount_cents, 0),
		COALESCE(u.wallet_address, ''), COALESCE(t.note, ''), COALESCE(t.created_at, 0), COALESCE(a.user_id, ''), COALESCE(a.created_at, 0), COALESCE(a.request, '{}')
		FROM (SELECT * FROM transfers WHERE kind = $1) t
		FULL JOIN (SELECT * FROM admin_acts WHERE act = $2) a ON a.id = t.ref
		LEFT JOIN users u ON u.id = t.credit`, ledger.KindAdminCredit, operation)
}
