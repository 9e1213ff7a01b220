package alerts

import (
	"time"

	"kaibao/internal/db"
)

func insert(tx *db.Tx, list []Alert) error {
	rows := db.Rows{Columns: []string{"id", "user_id", "kind", "item_id", "inventory_id", "bid_id", "price_cents"}}
	for _, a := range list {
		var item, price any
		if a.Item != "" {
			item = a.Item
		}
		if a.Price != 0 {
			price = a.Price
		}
		rows.Add(db.ID(tx.NewID()), db.ID(a.User), string(a.Kind), item, db.ID(a.Entry), db.ID(a.Bid), price)
	}
	return tx.InsertRows("alerts", rows)
}

// newestFirst is the order in which alerts were written.
var newestFirst = db.Order[told]{
	Keys:       []db.Key[told]{db.Text("id", func(t told) string { return t.id })},
	Descending: true,
}

func written(tx *db.Tx, user string, page *db.Selection[told]) ([]told, error) {
	scan := func(s db.Scanner) (t told, err error) {
		return t, s.Scan(&t.id, &t.User, &t.Kind, &t.Item, &t.Entry, &t.Bid, &t.Price)
	}
	return page.Rows(tx, scan, `SELECT id, user_id, kind, COALESCE(item_id, ''), COALESCE(CAST(inventory_id AS TEXT), ''),
		COALESCE(CAST(bid_id AS TEXT), ''), COALESCE(price_cents, 0) FROM alerts WHERE user_id = $1`, user)
}

// markOf is up to which alert a user has read, empty if none.
func markOf(tx *db.Tx, user string) (string, error) {
	return db.One(tx, db.Column[string], `SELECT COALESCE(MAX(CAST(up_to AS TEXT)), '') FROM alert_marks WHERE user_id = $1`, user)
}

// mark moves a user's mark on, never back.
func mark(tx *db.Tx, user, upTo string) error {
	return tx.ExecOne(`INSERT INTO alert_marks (user_id, up_to) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE
		SET up_to = CASE WHEN excluded.up_to > alert_marks.up_to THEN excluded.up_to ELSE alert_marks.up_to END`, user, upTo)
}

// forget deletes some of the alerts from before a time, the oldest first, and says how
// many.
func forget(tx *db.Tx, before time.Time, most int) (int64, error) {
	return tx.Exec(`DELETE FROM alerts WHERE id IN (
		SELECT id FROM alerts WHERE id < $1 ORDER BY id LIMIT $2`+tx.ForUpdateSkipLocked()+`)`, db.FirstID(before), most)
}
