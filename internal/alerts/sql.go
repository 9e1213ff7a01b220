package alerts

import (
	"time"

	"kaibao/internal/db"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/personaldata/userrows"
)

func insert(tx *db.Tx, list []Alert) error {
	rows := db.Rows{Columns: []string{"id", "user_id", "kind", "item_id", "inventory_id", "bid_id", "price_cents", "gift_id", "gift_event"}}
	for _, a := range list {
		var item, price, giftEvent any
		if a.Item != "" {
			item = a.Item
		}
		if a.Price != 0 {
			price = a.Price
		}
		if a.GiftEvent != "" {
			giftEvent = string(a.GiftEvent)
		}
		rows.Add(db.ID(tx.NewID()), db.ID(a.User), string(a.Kind), item, db.ID(a.Entry), db.ID(a.Bid), price, db.ID(a.Gift), giftEvent)
	}
	return tx.InsertRows("alerts", rows)
}

// removeUnread deletes the unread alerts with the same bid and kind as one in the list.
func removeUnread(tx *db.Tx, list []Alert) error {
	rows := db.Rows{Columns: []string{"user_id", "kind", "bid_id"}}
	for _, a := range list {
		if a.Bid != "" {
			rows.Add(db.ID(a.User), string(a.Kind), db.ID(a.Bid))
		}
	}
	return tx.ExecRows(rows, `DELETE FROM alerts WHERE id IN (SELECT a.id FROM v JOIN alerts a ON a.bid_id = v.bid_id AND a.kind = v.kind
		LEFT JOIN alert_marks m ON m.user_id = a.user_id WHERE a.user_id = v.user_id AND (m.up_to IS NULL OR a.id > m.up_to))`)
}

func scanUserAlert(s db.Scanner) (a userAlert, err error) {
	return a, s.Scan(&a.id, &a.User, &a.Kind, &a.Item, &a.Entry, &a.Bid, &a.Price)
}

// storedAlerts returns a user's stored alerts.
func storedAlerts(tx *db.Tx, user string, after cursor, limit int) ([]userAlert, error) {
	scan := func(s db.Scanner) (a userAlert, err error) {
		return a, s.Scan(&a.id, &a.User, &a.Kind, &a.Item, &a.Entry, &a.Bid, &a.Price, &a.Gift, &a.GiftEvent)
	}
	return db.All(tx, scan, `SELECT id, user_id, kind, COALESCE(item_id, ''), COALESCE(CAST(inventory_id AS TEXT), ''),
		COALESCE(CAST(bid_id AS TEXT), ''), COALESCE(price_cents, 0), COALESCE(CAST(gift_id AS TEXT), ''), COALESCE(gift_event, '') FROM alerts WHERE user_id = $1 AND id <= $2
		ORDER BY id DESC LIMIT $3`, user, after.maxID(), limit)
}

// cheapest is an SQL expression for the ID of the cheapest listing, by another user, of the item
// watched in row w.
const cheapest = `(SELECT c.id FROM inventory c WHERE c.state = '` + string(inventory.Listed) + `' AND c.item_id = w.item_id AND c.user_id <> w.user_id
	ORDER BY c.sale_price_cents, c.listing_id LIMIT 1)`

// watchAlerts returns the cheapest listings of a user's watched items that are at or below the
// user's price.
func watchAlerts(tx *db.Tx, user string, after cursor, limit int) ([]userAlert, error) {
	return db.All(tx, scanUserAlert, `SELECT * FROM (
		SELECT CASE WHEN n.listing_id > w.id THEN n.listing_id ELSE w.id END AS alert_id, w.user_id, '`+string(price)+`', w.item_id, CAST(n.id AS TEXT), '', n.sale_price_cents
		FROM watches w JOIN inventory n ON n.id = `+cheapest+` WHERE w.user_id = $1 AND n.sale_price_cents <= w.below_cents
		) AS cheap WHERE alert_id <= $2 ORDER BY alert_id DESC LIMIT $3`, user, after.maxID(), limit)
}

// lock locks the caller's watchlist and saved searches until the end of the transaction.
func lock(tx *db.Tx, user string) error {
	if err := identity.LockCaller(tx, user); err != nil {
		return err
	}
	return tx.ExecOne(`INSERT INTO alert_marks (user_id, up_to) VALUES ($1, $2)
		ON CONFLICT (user_id) DO UPDATE SET up_to = alert_marks.up_to`, user, db.MinID(db.Time(0)))
}

// countOf returns the number of a user's rows in a table.
func countOf(tx *db.Tx, table, user string) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM `+table+` WHERE user_id = $1`, user)
}

func saveWatch(tx *db.Tx, user string, w watched) error {
	return tx.ExecOne(`INSERT INTO watches (id, user_id, item_id, below_cents) VALUES ($1, $2, $3, NULLIF($4, 0))
		ON CONFLICT (user_id, item_id) DO UPDATE SET id = excluded.id, below_cents = excluded.below_cents`, w.id, user, w.item, w.below)
}

func saveSearch(tx *db.Tx, user string, s search) error {
	return tx.ExecOne(`INSERT INTO saved_searches (id, user_id, name, query, alert) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (user_id, name) DO UPDATE SET id = excluded.id, query = excluded.query, alert = excluded.alert`, s.id, user, s.name, s.query, s.alert)
}

// remove deletes a user's row, or returns db.ErrNoRow. It selects the row first, because a DELETE
// with an invalid ID would fail.
func remove(tx *db.Tx, table, user, id string) error {
	found, err := db.One(tx, db.Column[string], `SELECT id FROM `+table+` WHERE id = $1 AND user_id = $2`, id, user)
	if err != nil {
		return err
	}
	return tx.ExecOne(`DELETE FROM `+table+` WHERE id = $1`, found)
}

var newestWatches = db.Order[watched]{
	Keys:       []db.Key[watched]{db.Text("w.id", func(w watched) string { return w.id })},
	Descending: true,
}

func watchlist(tx *db.Tx, user string, page *db.Selection[watched]) ([]watched, error) {
	scan := func(s db.Scanner) (w watched, err error) { return w, s.Scan(&w.id, &w.item, &w.below, &w.lowest) }
	return page.Rows(tx, scan, `SELECT w.id, w.item_id, COALESCE(w.below_cents, 0), COALESCE(n.sale_price_cents, 0)
		FROM watches w LEFT JOIN inventory n ON n.id = `+cheapest+` WHERE w.user_id = $1`, user)
}

var newestSearches = db.Order[search]{
	Keys:       []db.Key[search]{db.Text("id", func(s search) string { return s.id })},
	Descending: true,
}

func scanSearch(s db.Scanner) (v search, err error) {
	return v, s.Scan(&v.id, &v.name, &v.query, &v.alert)
}

const selectSearches = `SELECT id, name, query, alert FROM saved_searches WHERE user_id = $1`

func searches(tx *db.Tx, user string, page *db.Selection[search]) ([]search, error) {
	return page.Rows(tx, scanSearch, selectSearches, user)
}

// alertingSearches returns the user's saved searches with alerts on.
func alertingSearches(tx *db.Tx, user string) ([]search, error) {
	return db.All(tx, scanSearch, selectSearches+` AND alert ORDER BY id DESC`, user)
}

// markOf returns the ID up to which the user has read alerts, or "".
func markOf(tx *db.Tx, user string) (string, error) {
	return db.One(tx, db.Column[string], `SELECT COALESCE(MAX(CAST(up_to AS TEXT)), '') FROM alert_marks WHERE user_id = $1`, user)
}

// mark moves the user's read mark forward, never backward.
func mark(tx *db.Tx, user, upTo string) error {
	return tx.ExecOne(`INSERT INTO alert_marks (user_id, up_to) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE
		SET up_to = CASE WHEN excluded.up_to > alert_marks.up_to THEN excluded.up_to ELSE alert_marks.up_to END`, user, upTo)
}

// deleteOld deletes the oldest alerts from before the given time and returns their number.
func deleteOld(tx *db.Tx, before time.Time, limit int) (int64, error) {
	return tx.Exec(`DELETE FROM alerts WHERE id IN (
		SELECT id FROM alerts WHERE id < $1 ORDER BY id LIMIT $2`+tx.ForUpdateSkipLocked()+`)`, db.MinID(before), limit)
}

// Erase deletes a user's alerts, watchlist and saved searches.
func Erase(tx *db.Tx, user string) error {
	for _, table := range []string{"alert_marks", "watches", "saved_searches", "alerts"} {
		if _, err := tx.Exec(`DELETE FROM `+table+` WHERE user_id = $1`, user); err != nil {
			return err
		}
	}
	return nil
}

// PersonalData are the queries of a user's rows for their export.
var PersonalData = []userrows.Query{
	{File: "alerts", Columns: []userrows.Column{userrows.Text("id"), userrows.Text("kind"), userrows.Text("itemId"), userrows.Text("itemEntryId"), userrows.Text("bidId"), userrows.Number("priceCents"), userrows.Text("giftId"), userrows.Text("giftEvent"), userrows.Bool("read")},
		SQL: `SELECT a.id, a.kind, COALESCE(a.item_id, ''), COALESCE(CAST(a.inventory_id AS TEXT), ''), COALESCE(CAST(a.bid_id AS TEXT), ''), COALESCE(a.price_cents, 0),
			COALESCE(CAST(a.gift_id AS TEXT), ''), COALESCE(a.gift_event, ''), m.up_to IS NOT NULL AND a.id <= m.up_to FROM alerts a LEFT JOIN alert_marks m ON m.user_id = a.user_id WHERE a.user_id = $1 ORDER BY a.id`},
	{File: "watchlist", Columns: []userrows.Column{userrows.Text("id"), userrows.Text("itemId"), userrows.Number("alertBelowCents")},
		SQL: `SELECT id, item_id, COALESCE(below_cents, 0) FROM watches WHERE user_id = $1 ORDER BY id`},
	{File: "saved-searches", Columns: []userrows.Column{userrows.Text("id"), userrows.Text("name"), userrows.Text("query"), userrows.Bool("alert")},
		SQL: `SELECT id, name, query, alert FROM saved_searches WHERE user_id = $1 ORDER BY id`},
}
