package tlog

import (
	"encoding/json"

	"kaibao/internal/db"
)

// Leaf is a fact for the log; kind and ref are unique together.
type Leaf struct{ Kind, Ref, Body string }

// Append writes leaves, in their order.
func Append(tx *db.Tx, leaves ...Leaf) error {
	rows := db.Rows{Columns: []string{"kind", "ref", "body", "created_at"}}
	for _, l := range leaves {
		rows.Add(l.Kind, l.Ref, l.Body, db.Micros(tx.Now))
	}
	return tx.InsertRows("log_leaves", rows)
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
