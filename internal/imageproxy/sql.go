package imageproxy

import (
	"errors"
	"slices"
	"strings"
	"time"

	"kaibao/internal/db"
)

// insert registers an image. If its row exists, the update, which changes nothing, locks it, so that
// a concurrent transaction can't delete it.
func insert(tx *db.Tx, kind Kind, imageURL string) error {
	_, err := tx.Exec(`INSERT INTO pictures (id, kind, address) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET address = excluded.address`,
		id(kind, imageURL), string(kind), imageURL)
	return err
}

// insertAll is like insert for many rows, in order of id to avoid deadlocks.
func insertAll(tx *db.Tx, rows db.Rows) error {
	slices.SortFunc(rows.Values, func(a, b []any) int { return strings.Compare(a[0].(string), b[0].(string)) })
	return tx.UpsertRows("pictures", rows, `(id) DO UPDATE SET address = excluded.address`, errors.New("not all pictures were registered"))
}

func lock(tx *db.Tx, id string) error {
	_, err := db.All(tx, db.Column[string], `SELECT id FROM pictures WHERE id = $1`+tx.ForUpdate(), id)
	return err
}

func remove(tx *db.Tx, id string) error {
	_, err := tx.Exec(`DELETE FROM pictures WHERE id = $1`, id)
	return err
}

type row struct {
	id, imageURL string
	kind         Kind
	body         []byte // nil until it has been fetched
	tried        time.Time
}

func find(tx *db.Tx, id string) (row, error) {
	scan := func(s db.Scanner) (p row, err error) {
		var tried int64
		err = s.Scan(&p.id, &p.kind, &p.imageURL, &p.body, &tried)
		p.tried = db.Time(tried)
		return p, err
	}
	return db.One(tx, scan, `SELECT id, kind, address, body, tried_at FROM pictures WHERE id = $1`, id)
}

// store stores a fetched image; nil means that there was none.
func store(tx *db.Tx, id string, body []byte) error {
	_, err := tx.Exec(`UPDATE pictures SET body = $2, tried_at = $3 WHERE id = $1`, id, body, db.Micros(tx.Now))
	return err
}
