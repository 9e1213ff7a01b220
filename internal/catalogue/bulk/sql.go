// Package bulk reads and writes thousands of items per query.
package bulk

import (
	"errors"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/marketevents"
	"kaibao/internal/searchtext"
)

// Find returns the items with the given ids, keyed by id; unknown ids are left out.
func Find(tx *db.Tx, ids []string) (map[string]catalogue.Item, error) { return find(tx, ids, "") }

// Lock is like Find but locks the items until the transaction ends.
func Lock(tx *db.Tx, ids []string) (map[string]catalogue.Item, error) {
	return find(tx, ids, ` ORDER BY `+tx.Bytewise("i.id")+tx.ForUpdate())
}

func find(tx *db.Tx, ids []string, clause string) (map[string]catalogue.Item, error) {
	found := make(map[string]catalogue.Item, len(ids))
	return found, db.Each(tx, catalogue.Scan, func(i catalogue.Item) error {
		found[i.ID] = i
		return nil
	}, `SELECT `+catalogue.Columns+` FROM items i WHERE `+tx.InList("i.id", "$1")+clause, db.List(ids))
}

// PageAfter returns up to limit items, active or not, with ids greater than id, ordered by id.
func PageAfter(tx *db.Tx, id string, limit int) ([]catalogue.Item, error) {
	return db.All(tx, catalogue.Scan, `SELECT `+catalogue.Columns+` FROM items i WHERE `+tx.Bytewise("i.id")+` > $1 ORDER BY `+tx.Bytewise("i.id")+` LIMIT $2`, id, limit)
}

// Count returns the number of items, active or not.
func Count(tx *db.Tx) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM items`)
}

// WithoutIndexes runs do, which writes a very large number of items; see db.Tx.WithoutIndexes.
func WithoutIndexes(tx *db.Tx, do func() error) error { return tx.WithoutIndexes("items", do) }

var itemColumns = []string{"id", "series", "name", "search", "rarity", "grade", "grader", "cert", "image", "value", "active", "at", "set_name", "set_number"}

func itemRows(tx *db.Tx, items []catalogue.Item) db.Rows {
	rows := db.Rows{Columns: itemColumns, Values: make([][]any, 0, len(items))}
	for _, i := range items {
		active := int64(0)
		if i.Active {
			active = 1
		}
		rows.Add(i.ID, i.Series, i.Name, searchtext.Index(i.Name), i.Rarity, i.GradeTenths, i.Grader, i.CertNumber, i.ImageURL,
			int64(i.BaseValue), active, db.Micros(tx.Now), i.Set, i.SetNumber)
	}
	return rows
}

// Insert adds new items. If another transaction has just added one of them, it returns db.ErrAgain,
// and the retry finds it. InsertFirstValuations writes their first valuations.
func Insert(tx *db.Tx, items []catalogue.Item) error {
	return tx.WriteRows(itemRows(tx, items), `INSERT INTO items (id, series, name, search, rarity, grade_tenths, grader, cert_number, image_url,
		base_value_cents, is_active, created_at, set_name, set_number) SELECT v.id, v.series, v.name, v.search, v.rarity, NULLIF(v.grade, 0), v.grader, v.cert, v.image,
		v.value, v.active <> 0, v.at, v.set_name, v.set_number FROM v WHERE TRUE ON CONFLICT (id) DO NOTHING`, db.ErrAgain)
}

// Update saves changed items.
func Update(tx *db.Tx, items []catalogue.Item) error {
	if err := tx.WriteRows(itemRows(tx, items), `UPDATE items SET series = v.series, name = v.name, search = v.search, rarity = v.rarity,
		grade_tenths = NULLIF(v.grade, 0), grader = v.grader, cert_number = v.cert, image_url = v.image, base_value_cents = v.value,
		is_active = v.active <> 0, set_name = v.set_name, set_number = v.set_number FROM v WHERE items.id = v.id`, errors.New("not all items were updated")); err != nil {
		return err
	}
	events := make([]marketevents.Event, len(items))
	for n, i := range items {
		events[n] = marketevents.Event{Kind: marketevents.Edited, Item: i.ID}
	}
	return marketevents.Add(tx, events...)
}

// InsertFirstValuations writes the first valuations of new items, which no manifest contains yet.
// All share v's source, reason and admin.
func InsertFirstValuations(tx *db.Tx, items []catalogue.Item, v catalogue.Valuation) error {
	return tx.WriteRows(valuationRows(tx, items, v, nil), `INSERT INTO valuations (item_id, number, value_cents, source, reason, user_id, created_at, carried_at)
		SELECT v.item, 1, v.value, v.source, v.reason, v.admin, v.at, v.carried FROM v`, errNotAll)
}

// AppendValuations adds valuations to existing items. carried has each item's CarriedAt where that
// is later than now.
func AppendValuations(tx *db.Tx, items []catalogue.Item, v catalogue.Valuation, carried map[string]time.Time) error {
	if err := tx.WriteRows(valuationRows(tx, items, v, carried), `INSERT INTO valuations (item_id, number, value_cents, source, reason, user_id, created_at, carried_at)
		SELECT v.item, (SELECT MAX(h.number) FROM valuations h WHERE h.item_id = v.item) + 1, v.value, v.source, v.reason,
			v.admin, v.at, v.carried FROM v`, errNotAll); err != nil {
		return err
	}
	events := make([]marketevents.Event, len(items))
	for n, i := range items {
		events[n] = marketevents.Event{Kind: marketevents.Valued, Item: i.ID, Price: i.BaseValue}
	}
	return marketevents.Add(tx, events...)
}

var errNotAll = errors.New("not all values were written")

func valuationRows(tx *db.Tx, items []catalogue.Item, v catalogue.Valuation, carried map[string]time.Time) db.Rows {
	rows := db.Rows{Columns: []string{"item", "value", "source", "reason", "admin", "at", "carried"}, Values: make([][]any, 0, len(items))}
	for _, i := range items {
		from := tx.Now
		if later, ok := carried[i.ID]; ok {
			from = later
		}
		rows.Add(i.ID, int64(i.BaseValue), v.Source, v.Reason, db.ID(v.By), db.Micros(tx.Now), db.Micros(from))
	}
	return rows
}
