package adminlog

import (
	"cmp"
	"maps"
	"slices"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/personaldata/userrows"
)

func insert(tx *db.Tx, a Act, was, became []byte) (id string, err error) {
	id = tx.NewID()
	_, err = tx.Exec(`INSERT INTO admin_acts (id, user_id, act, path, request, subject, was, became, reason, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		id, db.ID(a.Admin), a.Name, a.Path, cmp.Or(string(a.Request), "{}"), a.Subject, string(was), string(became), a.Reason, db.Micros(tx.Now))
	return id, err
}

// textRow has the texts of a row.
type textRow struct {
	id    string
	texts []string
}

const textColumns = `path, request, subject, was, became, reason`

// textsAbout returns the rows of the log that name a user or one of their claims, by id.
func textsAbout(tx *db.Tx, e Erasure) ([]textRow, error) {
	scan := func(s db.Scanner) (row textRow, err error) {
		row.texts = make([]string, 6)
		into := []any{&row.id}
		for i := range row.texts {
			into = append(into, &row.texts[i])
		}
		return row, s.Scan(into...)
	}
	const all = `path || ' ' || request || ' ' || subject || ' ' || was || ' ' || became || ' ' || reason`
	rows := map[string]textRow{}
	for _, mark := range e.marks() {
		found, err := db.All(tx, scan, `SELECT id, `+textColumns+` FROM admin_acts WHERE `+all+` LIKE $1`, "%"+mark+"%")
		if err != nil {
			return nil, err
		}
		for _, row := range found {
			rows[row.id] = row
		}
	}
	sorted := make([]textRow, 0, len(rows))
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		sorted = append(sorted, rows[id])
	}
	return sorted, nil
}

// replaceTexts stores the texts of a row without a deleted user's name and address.
func replaceTexts(tx *db.Tx, id string, texts []string, userID string) error {
	return tx.ExecOne(`UPDATE admin_acts SET path = $2, request = $3, subject = $4, was = $5, became = $6, reason = $7, erased = erased || ' ' || $8 WHERE id = $1`,
		id, texts[0], texts[1], texts[2], texts[3], texts[4], texts[5], userID)
}

// FindWrongErasures finds rows of an append-only table that were changed for users who aren't
// deleted. The column erased has the users' ids, each after a space.
func FindWrongErasures(tx *db.Tx, table, key string) ([]audit.Breach, error) {
	return audit.Query(tx, "only the deletion of a user may change a row of the admin log", `
		SELECT '`+table+` ' || t.`+key+`, 'was changed for' || t.erased || ', of whom ' || (SELECT COUNT(*) FROM users u
			WHERE u.deleted_at IS NOT NULL AND t.erased LIKE '% ' || u.id || '%') || ' are deleted'
		FROM `+table+` t WHERE t.erased <> '' AND LENGTH(t.erased) <> 37 * (SELECT COUNT(*) FROM users u WHERE u.deleted_at IS NOT NULL AND t.erased LIKE '% ' || u.id || '%')`)
}

// PersonalData are the queries of a user's rows for their export: what admins did to the user, and
// what the user did as an admin. Reasons are the admins' own notes, and
// requests may name others. Views, notes and exports are left out: they would tell a suspect of an
// investigation.
var PersonalData = []userrows.Query{
	{File: "admin-acts-about-you", Columns: []userrows.Column{userrows.Text("act"), userrows.Text("before"), userrows.Text("after"), userrows.Time("createdAt")},
		SQL: `SELECT a.act, a.was, a.became, a.created_at FROM admin_acts a JOIN users u ON u.id = $1
			WHERE (a.subject = 'user ' || u.id OR a.subject = 'user ' || u.wallet_address)
				AND a.act IN ('freeze-user', 'unfreeze-user', 'edit-user-profile', 'debit-user', 'deposit-manual', 'set-role', 'sign-out-user') ORDER BY a.id`},
	{File: "your-admin-acts", Columns: []userrows.Column{userrows.Text("act"), userrows.Time("createdAt")},
		SQL: `SELECT act, created_at FROM admin_acts WHERE user_id = $1 ORDER BY id`},
}
