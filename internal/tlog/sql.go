package tlog

import (
	"encoding/json"

	"kaibao/internal/db"
)

// Append writes a leaf; kind and ref are unique together.
func Append(tx *db.Tx, kind, ref, body string) error {
	_, err := tx.Exec(`INSERT INTO log_leaves (kind, ref, body, created_at) VALUES ($1, $2, $3, $4)`,
		kind, ref, body, db.Micros(tx.Now))
	return err
}

// Leaves reads the texts of some leaves of one kind, by ref.
func Leaves(tx *db.Tx, kind string, refs []string) (map[string]string, error) {
	list, err := json.Marshal(refs)
	if err != nil {
		return nil, err
	}
	type leaf struct{ ref, body string }
	scan := func(s db.Scanner) (l leaf, err error) { return l, s.Scan(&l.ref, &l.body) }
	rows, err := db.All(tx, scan, `SELECT ref, body FROM log_leaves WHERE kind = $1 AND `+tx.InList("ref", "$2"), kind, string(list))
	found := make(map[string]string, len(rows))
	for _, row := range rows {
		found[row.ref] = row.body
	}
	return found, err
}
