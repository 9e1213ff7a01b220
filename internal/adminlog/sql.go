package adminlog

import (
	"cmp"

	"kaibao/internal/db"
)

func insert(tx *db.Tx, a Act, was, became []byte) (id string, err error) {
	id = tx.NewID()
	_, err = tx.Exec(`INSERT INTO admin_acts (id, user_id, act, path, request, subject, was, became, reason, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		id, db.ID(a.Admin), a.Name, a.Path, cmp.Or(string(a.Request), "{}"), a.Subject, string(was), string(became), a.Reason, db.Micros(tx.Now))
	return id, err
}
