package catalogue

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/imageproxy"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
	"kaibao/internal/searchtext"
)

// Columns are the columns that Item.Fields scans, in queries that name the table items i.
const Columns = `i.id, i.series, i.name, i.rarity, COALESCE(i.grade_tenths, 0), i.grader, i.cert_number, i.set_name, i.set_number, i.image_url, i.base_value_cents, i.is_active`

// Fields returns the scan targets for Columns.
func (i *Item) Fields() []any {
	return []any{&i.ID, &i.Series, &i.Name, &i.Rarity, &i.GradeTenths, &i.Grader, &i.CertNumber, &i.Set, &i.SetNumber, &i.ImageURL, &i.BaseValue, &i.Active}
}

// Scan scans Columns.
func Scan(s db.Scanner) (i Item, err error) { return i, s.Scan(i.Fields()...) }

// Add inserts a new item with its first valuation. by is the admin who set the value, or empty for
// built-in data.
func Add(tx *db.Tx, i Item, by string) error {
	_, err := tx.Exec(`INSERT INTO items (id, series, name, search, rarity, grade_tenths, grader, cert_number, image_url,
		base_value_cents, is_active, created_at, set_name, set_number) VALUES ($1, $2, $3, $4, $5, NULLIF($6, 0), $7, $8, $9, $10, $11, $12, $13, $14)`,
		i.ID, i.Series, i.Name, searchtext.Index(i.Name), i.Rarity, i.GradeTenths, i.Grader, i.CertNumber, i.ImageURL,
		i.BaseValue, i.Active, db.Micros(tx.Now), i.Set, i.SetNumber)
	if err != nil {
		return err
	}
	first := FirstValuation(by)
	first.Value, first.CarriedAt = i.BaseValue, tx.Now
	if err := insertValuation(tx, i.ID, first); err != nil {
		return err
	}
	return imageproxy.Register(tx, imageproxy.Thing, i.ImageURL)
}

// LockCertificates serializes transactions that assign certificates, so that no two assign the same
// one. Call it before locking any row, and after packs.LockPublishing.
func LockCertificates(tx *db.Tx) error { return tx.AdvisoryLock("certificates") }

// CertificateHolders finds the items that have the given items' certificates. It maps
// Item.Certificate to item ids.
func CertificateHolders(tx *db.Tx, items []Item) (map[string]string, error) {
	var numbers []string
	for _, i := range items {
		if i.Certificate() != "" {
			numbers = append(numbers, i.CertNumber)
		}
	}
	holders := map[string]string{}
	if numbers == nil {
		return holders, nil
	}
	return holders, db.Each(tx, Scan, func(i Item) error {
		holders[i.Certificate()] = i.ID
		return nil
	}, `SELECT `+Columns+` FROM items i WHERE i.cert_number <> '' AND `+tx.InList("i.cert_number", "$1"), db.List(numbers))
}

// Lock reads an item and locks it until the transaction ends.
func Lock(tx *db.Tx, id string) (Item, error) {
	return findOne(tx, `SELECT `+Columns+` FROM items i WHERE i.id = $1`+tx.ForUpdate(), id)
}

// Save writes a locked item's fields other than its value.
func Save(tx *db.Tx, i Item) error {
	err := tx.ExecOne(`UPDATE items SET series = $2, name = $3, search = $4, rarity = $5, grade_tenths = NULLIF($6, 0), grader = $7,
		cert_number = $8, image_url = $9, is_active = $10, set_name = $11, set_number = $12 WHERE id = $1`,
		i.ID, i.Series, i.Name, searchtext.Index(i.Name), i.Rarity, i.GradeTenths, i.Grader, i.CertNumber, i.ImageURL, i.Active, i.Set, i.SetNumber)
	if err != nil {
		return err
	}
	return marketevents.Add(tx, marketevents.Event{Kind: marketevents.Edited, Item: i.ID})
}

// Revalue sets the base value of a locked item and adds the valuation to its history.
func Revalue(tx *db.Tx, id string, v Valuation) error {
	if err := tx.ExecOne(`UPDATE items SET base_value_cents = $2 WHERE id = $1`, id, v.Value); err != nil {
		return err
	}
	if err := insertValuation(tx, id, v); err != nil {
		return err
	}
	return marketevents.Add(tx, marketevents.Event{Kind: marketevents.Valued, Item: id, Price: v.Value})
}

func insertValuation(tx *db.Tx, item string, v Valuation) error {
	return tx.ExecOne(`INSERT INTO valuations (item_id, number, value_cents, source, reason, user_id, created_at, carried_at)
		SELECT $1, COALESCE(MAX(number), 0) + 1, $2, $3, $4, $5, $6, $7 FROM valuations WHERE item_id = $1`,
		item, v.Value, v.Source, v.Reason, db.ID(v.By), db.Micros(tx.Now), db.Micros(v.CarriedAt))
}

// QuoteValues returns the items' current quote values: the minimum of the last value that all
// usable manifests carry and all later ones. So a lower value counts immediately, and a higher one
// when no draw can use an older value.
func QuoteValues(tx *db.Tx, ids []string) (map[string]money.Cents, error) {
	type itemValue struct {
		item  string
		value money.Cents
	}
	scan := func(s db.Scanner) (w itemValue, err error) { return w, s.Scan(&w.item, &w.value) }
	rows, err := db.All(tx, scan, `SELECT v.item_id, MIN(v.value_cents) FROM valuations v WHERE `+tx.InList("v.item_id", "$1")+`
		AND v.number >= `+lastCarried("$2")+` GROUP BY v.item_id`, db.List(ids), db.Micros(tx.Now))
	values := make(map[string]money.Cents, len(rows))
	for _, w := range rows {
		values[w.item] = w.value
	}
	return values, err
}

func findWrongValues(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "an item's base value must equal its last valuation", `
		SELECT 'item ' || i.id, 'base value ' || i.base_value_cents || ', last valuation ' || COALESCE(CAST(v.value_cents AS TEXT), 'nothing') ||
			', number ' || COALESCE(h.last, 0) || ' of ' || COALESCE(h.number, 0)
		FROM items i LEFT JOIN (SELECT item_id, MAX(number) AS last, COUNT(*) AS number FROM valuations GROUP BY item_id) h ON h.item_id = i.id
			LEFT JOIN valuations v ON v.item_id = i.id AND v.number = h.last
		WHERE v.value_cents IS NULL OR v.value_cents <> i.base_value_cents OR h.last <> h.number`)
}

// findUnloggedValues compares admins' valuations with the admin log in both directions, by the
// effect of an edit rather than its request. Imported values need the import in the admin log,
// unless a command without a user imported them.
func findUnloggedValues(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "each value set by an admin must be in the admin log", `
		WITH v AS (SELECT s.item_id, s.number, s.user_id, s.created_at
			FROM valuations s LEFT JOIN admin_acts i ON s.source = $3 AND i.act = $4 AND i.user_id = s.user_id AND i.created_at = s.created_at
			WHERE s.number > 1 AND i.id IS NULL AND NOT (s.source = $3 AND s.user_id IS NULL)),
		a AS (SELECT * FROM admin_acts WHERE act = $1)
		SELECT 'item ' || v.item_id, 'valuation ' || v.number || ' by user ' || COALESCE(CAST(v.user_id AS TEXT), 'nobody') || ' has no entry in the admin log'
		FROM v LEFT JOIN a ON a.created_at = v.created_at AND a.user_id = v.user_id AND a.subject = $2 || v.item_id WHERE a.id IS NULL
		UNION ALL
		SELECT a.subject, 'has no valuation for the entry in the admin log: ' || a.became
		FROM a LEFT JOIN v ON v.created_at = a.created_at AND v.user_id = a.user_id AND a.subject = $2 || v.item_id
		WHERE v.item_id IS NULL AND a.became LIKE '%"baseValueCents":%'`, EditOperation, Subject(""), ImportSource, ImportOperation)
}

// History returns an item's valuations, newest first.
func History(tx *db.Tx, id string, limit int) ([]Valuation, error) {
	scan := func(s db.Scanner) (v Valuation, err error) {
		var at, carried int64
		err = s.Scan(&v.Value, &v.Source, &v.Reason, &v.By, &at, &carried)
		v.At, v.CarriedAt = db.Time(at), db.Time(carried)
		return v, err
	}
	return db.All(tx, scan, `SELECT value_cents, source, reason, COALESCE(CAST(user_id AS TEXT), ''), created_at, carried_at FROM valuations
		WHERE item_id = $1 ORDER BY number DESC LIMIT $2`, id, limit)
}

// RecentValues returns the items' value history since a time.
func RecentValues(tx *db.Tx, ids []string, since time.Time) (map[string]RecentHistory, error) {
	recent := map[string]RecentHistory{}
	scan := func(s db.Scanner) (none struct{}, err error) {
		var item string
		var v Valuation
		var at int64
		err = s.Scan(&item, &v.Value, &at)
		v.At = db.Time(at)
		recent[item] = append(recent[item], v)
		return none, err
	}
	_, err := db.All(tx, scan, `SELECT item_id, value_cents, created_at FROM valuations v WHERE `+tx.InList("item_id", "$1")+`
		AND number >= COALESCE((SELECT MAX(b.number) FROM valuations b WHERE b.item_id = v.item_id AND b.created_at <= $2), 1)
		ORDER BY item_id, number`, db.List(ids), db.Micros(since))
	return recent, err
}

// Find returns an item, active or not.
func Find(tx *db.Tx, id string) (Item, error) {
	return findOne(tx, `SELECT `+Columns+` FROM items i WHERE i.id = $1`, id)
}

func findOne(tx *db.Tx, query, id string) (Item, error) {
	i, err := db.One(tx, Scan, query, id)
	if errors.Is(err, db.ErrNoRow) {
		err = apperr.Missing("Item")
	}
	return i, err
}

// QuotedSince returns when an item's quote value took effect: the time of the valuation if it
// lowered the value, or the time when every usable manifest carried it.
func QuotedSince(tx *db.Tx, id string) (time.Time, error) {
	at, err := db.One(tx, db.Column[int64], `SELECT CASE WHEN v.carried_at <= $2 THEN v.carried_at ELSE v.created_at END FROM valuations v
		WHERE v.item_id = $1 AND v.number >= `+lastCarried("$2")+` ORDER BY v.value_cents, v.number LIMIT 1`, id, db.Micros(tx.Now))
	return db.Time(at), err
}

// RaisesTakingEffect returns the ids of items whose raised value began to count in (after, until].
func RaisesTakingEffect(tx *db.Tx, after, until time.Time) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT DISTINCT item_id FROM valuations WHERE carried_at > $1 AND carried_at <= $2 AND carried_at > created_at
		ORDER BY item_id`, db.Micros(after), db.Micros(until))
}

// PostponeValues defers the values of the given items that this transaction has set until an announcement.
func PostponeValues(tx *db.Tx, ids []string) error {
	_, err := tx.Exec(`UPDATE valuations SET carried_at = $2 WHERE created_at = $3 AND number > 1 AND `+tx.InList("item_id", "$1"),
		db.List(ids), db.Micros(NotAnnounced), db.Micros(tx.Now))
	return err
}

// WaitingValues returns the ids of the items with values that wait for an announcement.
func WaitingValues(tx *db.Tx) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT DISTINCT item_id FROM valuations WHERE carried_at = $1 AND carried_at > created_at ORDER BY item_id`,
		db.Micros(NotAnnounced))
}

// DateValues sets the CarriedAt of values that waited for an announcement, by item.
func DateValues(tx *db.Tx, from map[string]time.Time) error {
	rows := db.Rows{Columns: []string{"item", "carried"}}
	for id, at := range from {
		rows.Add(id, db.Micros(at))
	}
	return tx.ExecRows(rows, `UPDATE valuations SET carried_at = v.carried FROM v WHERE valuations.item_id = v.item AND valuations.carried_at = `+strconv.FormatInt(db.Micros(NotAnnounced), 10))
}

// lastCarried is an SQL expression for the number of the last valuation of v's item that every
// usable manifest carries at a time.
func lastCarried(at string) string {
	return `(SELECT c.number FROM valuations c WHERE c.item_id = v.item_id AND c.carried_at <= ` + at + ` ORDER BY c.number DESC LIMIT 1)`
}

// QuoteValueOf is an SQL expression for the quote value of an item at a time; see QuoteValues.
func QuoteValueOf(item, at string) string {
	return `(SELECT MIN(v.value_cents) FROM valuations v WHERE v.item_id = ` + item + ` AND v.number >= ` + lastCarried(at) + `)`
}

// LeastQuoteValue returns the lowest quote value of the matching active items; an empty argument or
// 0 matches all, and the grade is in tenths. The error is db.ErrNoRow if none match. Only items
// with a pending raise have a quote value below their base value.
func LeastQuoteValue(tx *db.Tx, series, grader, rarity string, minGrade int64) (money.Cents, error) {
	const matching = ` is_active AND ($1 = '' OR series = $1) AND ($2 = '' OR grader = $2) AND ($3 = '' OR rarity = $3) AND ($4 = 0 OR grade_tenths >= $4)`
	return db.One(tx, db.Column[money.Cents], `SELECT value_cents FROM (
			SELECT MIN(base_value_cents) AS value_cents FROM items WHERE`+matching+`
			UNION ALL SELECT MIN(`+QuoteValueOf("items.id", "$5")+`) FROM items WHERE`+matching+`
				AND id IN (SELECT item_id FROM valuations WHERE carried_at > $5 AND carried_at > created_at)
		) l WHERE value_cents IS NOT NULL ORDER BY value_cents LIMIT 1`, series, grader, rarity, minGrade, db.Micros(tx.Now))
}

// Items returns the items with the given ids, keyed by id.
func Items(tx *db.Tx, ids []string) (map[string]Item, error) {
	rows, err := db.All(tx, Scan, `SELECT `+Columns+` FROM items i WHERE `+tx.InList("i.id", "$1"), db.List(ids))
	items := make(map[string]Item, len(rows))
	for _, i := range rows {
		items[i.ID] = i
	}
	return items, err
}

// InSeries returns the active items of the given series, or of all if none are given, ordered
// bytewise by id.
func InSeries(tx *db.Tx, series []string) ([]Item, error) {
	query, args := `SELECT `+Columns+` FROM items i WHERE i.is_active`, []any{}
	if len(series) > 0 {
		query, args = query+` AND `+tx.InList("i.series", "$1"), []any{db.List(series)}
	}
	return db.All(tx, Scan, query+` ORDER BY `+tx.Bytewise("i.id"), args...)
}

// allItems is the list of the whole catalogue.
var allItems = ItemList[Item]{
	Item:  func(i Item) Item { return i },
	ID:    db.Text("i.id", func(i Item) string { return i.ID }),
	Price: db.Number("i.base_value_cents", func(i Item) money.Cents { return i.BaseValue }),
}

func selected(tx *db.Tx, page *db.Selection[Item]) ([]Item, error) {
	return page.Rows(tx, Scan, `SELECT `+Columns+` FROM items i WHERE i.is_active`)
}

// PageOf returns a function for httpapi.Paged that selects pages of the active or the retired items
// matching a Filter; Selected reads one.
func PageOf(f Filter, retired bool) func(limit int, cursor string) (*db.Selection[Item], error) {
	choose := allItems.Filtered(f)
	return func(limit int, cursor string) (*db.Selection[Item], error) {
		page, err := choose(limit, cursor)
		if err == nil {
			page.Where("i.is_active = ?", !retired)
		}
		return page, err
	}
}

// Selected reads a page of items.
func Selected(tx *db.Tx, page *db.Selection[Item]) ([]Item, error) {
	return page.Rows(tx, Scan, `SELECT `+Columns+` FROM items i WHERE TRUE`)
}

// order returns the list's sort keys for a sort order.
func (s ItemList[R]) order(o Order) db.Order[R] {
	by := db.Order[R]{Name: string(o.Name), Keys: []db.Key[R]{s.ID}, Descending: o.Descending}
	var key db.Key[R]
	switch {
	case o.By == nil:
		by.Descending = o.Descending || o.Name == "" && s.NewestFirst
		return by
	case o.By == ByPrice:
		key = s.Price
	case o.By.Text != nil:
		key = db.BytewiseText(o.By.Column, func(row R) string { return o.By.Text(s.Item(row)) })
	default:
		key = db.Number(o.By.Column, func(row R) int64 { return o.By.Number(s.Item(row)) })
	}
	by.Keys = []db.Key[R]{key, s.ID}
	return by
}

// applyFilter restricts a selection to the rows that match the filter and its search words.
func (s ItemList[R]) applyFilter(page *db.Selection[R], f Filter, words []Word) {
	if f.Series != "" {
		WhereSeries(page, f.Series)
	}
	if f.Grader != "" {
		page.Where("i.grader = ?", f.Grader)
	}
	if f.Rarity != "" {
		page.Where("i.rarity = ?", f.Rarity)
	}
	if f.Grade > 0 {
		page.Where("i.grade_tenths >= ?", f.Grade*10)
	}
	if f.MinPrice.Given {
		page.Where(s.Price.Column+" >= ?", f.MinPrice.Value*100)
	}
	if f.MaxPrice.Given {
		page.Where(s.Price.Column+" <= ?", f.MaxPrice.Value*100)
	}
	for _, word := range words {
		page.Where("i.search LIKE ?", word.pattern())
	}
}

// SearchCondition returns an SQL condition that item i matches the filter's search, and its
// arguments. The query already has params parameters.
func (f Filter) SearchCondition(params int) (clause string, args []any, err error) {
	words, err := f.Words()
	clause = "TRUE"
	for n, word := range words {
		clause += " AND i.search LIKE $" + strconv.Itoa(params+n+1)
		args = append(args, word.pattern())
	}
	return clause, args, err
}

// MatchingIDs returns which of the items match a search by words, as in Filter.
func MatchingIDs(tx *db.Tx, ids []string, search string) (map[string]bool, error) {
	condition, args, err := Filter{Search: search}.SearchCondition(1)
	if err != nil {
		return nil, err
	}
	rows, err := db.All(tx, db.Column[string], `SELECT i.id FROM items i WHERE `+tx.InList("i.id", "$1")+` AND `+condition, append([]any{db.List(ids)}, args...)...)
	found := make(map[string]bool, len(rows))
	for _, id := range rows {
		found[id] = true
	}
	return found, err
}

// WhereSeries restricts a selection to items (table i) of the named series or category.
func WhereSeries[R any](page *db.Selection[R], name string) {
	category, ok := categoryNamed(name)
	if !ok {
		page.Where("i.series = ?", name)
		return
	}
	args := []any{Starter}
	for _, series := range category.Series {
		args = append(args, series)
	}
	page.Where("i.series IN (?"+strings.Repeat(", ?", len(category.Series))+")", args...)
	page.Where("(i.series <> ? OR "+StarterCategory()+" = ?)", Starter, string(category.ID))
}

// pattern returns the LIKE pattern for an item's search text.
func (w Word) pattern() string {
	switch {
	case w.Text == "":
		return ""
	case w.Inside:
		return "%" + w.Text + "%"
	}
	return "% " + w.Text + "%"
}

// Count returns the number of active items.
func Count(tx *db.Tx) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM items WHERE is_active`)
}
