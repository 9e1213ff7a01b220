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

// Columns are what Item.Fields are scanned from, in queries that name the table items i.
const Columns = `i.id, i.series, i.name, i.rarity, COALESCE(i.grade_tenths, 0), i.grader, i.cert_number, i.image_url, i.base_value_cents, i.is_active`

// Fields are where to scan Columns to.
func (i *Item) Fields() []any {
	return []any{&i.ID, &i.Series, &i.Name, &i.Rarity, &i.GradeTenths, &i.Grader, &i.CertNumber, &i.ImageURL, &i.BaseValue, &i.Active}
}

// Scan reads Columns.
func Scan(s db.Scanner) (i Item, err error) { return i, s.Scan(i.Fields()...) }

// Add writes down a new item. Its first value is set by an admin, or by nobody where by
// is empty: it is the catalogue's own.
func Add(tx *db.Tx, i Item, by string) error {
	_, err := tx.Exec(`INSERT INTO items (id, series, name, search, rarity, grade_tenths, grader, cert_number, image_url,
		base_value_cents, is_active, created_at) VALUES ($1, $2, $3, $4, $5, NULLIF($6, 0), $7, $8, $9, $10, $11, $12)`,
		i.ID, i.Series, i.Name, searchtext.Index(i.Name), i.Rarity, i.GradeTenths, i.Grader, i.CertNumber, i.ImageURL,
		i.BaseValue, i.Active, db.Micros(tx.Now))
	if err != nil {
		return err
	}
	first := First(by)
	first.Value, first.CarriedAt = i.BaseValue, tx.Now
	if err := insertValuation(tx, i.ID, first); err != nil {
		return err
	}
	return imageproxy.Register(tx, imageproxy.Thing, i.ImageURL)
}

// GivingCertificates has transactions that give items certificates follow one another, so
// that two can't give the same one. It comes before any row is locked, after "publishing".
func GivingCertificates(tx *db.Tx) error { return tx.AdvisoryLock("certificates") }

// CertificateHolders finds the items that have the certificates of some: an id by
// Item.Certificate.
func CertificateHolders(tx *db.Tx, of []Item) (map[string]string, error) {
	var numbers []string
	for _, i := range of {
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

// Lock reads an item and keeps other valuations of it off until the end of the
// transaction.
func Lock(tx *db.Tx, id string) (Item, error) {
	return one(tx, `SELECT `+Columns+` FROM items i WHERE i.id = $1`+tx.ForUpdate(), id)
}

// Save writes down what an item that is locked has become, its value apart.
func Save(tx *db.Tx, i Item) error {
	err := tx.ExecOne(`UPDATE items SET series = $2, name = $3, search = $4, rarity = $5, grade_tenths = NULLIF($6, 0), grader = $7,
		cert_number = $8, image_url = $9, is_active = $10 WHERE id = $1`,
		i.ID, i.Series, i.Name, searchtext.Index(i.Name), i.Rarity, i.GradeTenths, i.Grader, i.CertNumber, i.ImageURL, i.Active)
	if err != nil {
		return err
	}
	return marketevents.Add(tx, marketevents.Event{Kind: marketevents.Edited, Item: i.ID})
}

// Revalue sets the base value of an item that is locked, and writes the valuation into
// its history.
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

// QuoteValues reads what some items count for in quotes now: the lowest of the last
// value that is carried everywhere and of those after it, so that a fall counts at once
// and a rise only when nobody can draw by an older value.
func QuoteValues(tx *db.Tx, ids []string) (map[string]money.Cents, error) {
	type worth struct {
		item  string
		value money.Cents
	}
	scan := func(s db.Scanner) (w worth, err error) { return w, s.Scan(&w.item, &w.value) }
	rows, err := db.All(tx, scan, `SELECT v.item_id, MIN(v.value_cents) FROM valuations v WHERE `+tx.InList("v.item_id", "$1")+`
		AND v.number >= `+lastCarried("$2")+` GROUP BY v.item_id`, db.List(ids), db.Micros(tx.Now))
	values := make(map[string]money.Cents, len(rows))
	for _, w := range rows {
		values[w.item] = w.value
	}
	return values, err
}

func valuesOff(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "an item's base value is its last valuation", `
		SELECT 'item ' || i.id, 'worth ' || i.base_value_cents || ', valued at ' || COALESCE(CAST(v.value_cents AS TEXT), 'nothing') ||
			', valuation ' || COALESCE(h.last, 0) || ' of ' || COALESCE(h.number, 0)
		FROM items i LEFT JOIN (SELECT item_id, MAX(number) AS last, COUNT(*) AS number FROM valuations GROUP BY item_id) h ON h.item_id = i.id
			LEFT JOIN valuations v ON v.item_id = i.id AND v.number = h.last
		WHERE v.value_cents IS NULL OR v.value_cents <> i.base_value_cents OR h.last <> h.number`)
}

// unasked compares both ways, with what an edit did and not with how it was asked for. What
// an import has set needs the import in the trail, unless it was a command, behind which
// nobody stands.
func unasked(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Query(tx, "a value that an admin set stands in the audit trail", `
		WITH v AS (SELECT s.item_id, s.number, s.user_id, s.created_at
			FROM valuations s LEFT JOIN admin_acts i ON s.source = $3 AND i.act = $4 AND i.user_id = s.user_id AND i.created_at = s.created_at
			WHERE s.number > 1 AND i.id IS NULL AND NOT (s.source = $3 AND s.user_id IS NULL)),
		a AS (SELECT * FROM admin_acts WHERE act = $1)
		SELECT 'item ' || v.item_id, 'valuation ' || v.number || ' by ' || COALESCE(CAST(v.user_id AS TEXT), 'nobody') || ', the trail has nothing'
		FROM v LEFT JOIN a ON a.created_at = v.created_at AND a.user_id = v.user_id AND a.subject = $2 || v.item_id WHERE a.id IS NULL
		UNION ALL
		SELECT a.subject, 'no valuation, the trail has ' || a.became
		FROM a LEFT JOIN v ON v.created_at = a.created_at AND v.user_id = a.user_id AND a.subject = $2 || v.item_id
		WHERE v.item_id IS NULL AND a.became LIKE '%"baseValueCents":%'`, Edit, Subject(""), Imported, Import)
}

// History lists what an item was worth, the newest first.
func History(tx *db.Tx, id string, most int) ([]Valuation, error) {
	scan := func(s db.Scanner) (v Valuation, err error) {
		var at, carried int64
		err = s.Scan(&v.Value, &v.Source, &v.Reason, &v.By, &at, &carried)
		v.At, v.CarriedAt = db.Time(at), db.Time(carried)
		return v, err
	}
	return db.All(tx, scan, `SELECT value_cents, source, reason, COALESCE(CAST(user_id AS TEXT), ''), created_at, carried_at FROM valuations
		WHERE item_id = $1 ORDER BY number DESC LIMIT $2`, id, most)
}

// RecentValues reads what some items were worth since a time.
func RecentValues(tx *db.Tx, ids []string, since time.Time) (map[string]Recent, error) {
	recent := map[string]Recent{}
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

// Find reads an item, on sale or not.
func Find(tx *db.Tx, id string) (Item, error) {
	return one(tx, `SELECT `+Columns+` FROM items i WHERE i.id = $1`, id)
}

func one(tx *db.Tx, query, id string) (Item, error) {
	i, err := db.One(tx, Scan, query, id)
	if errors.Is(err, db.ErrNoRow) {
		err = apperr.Missing("Item")
	}
	return i, err
}

// QuotedSince returns when an item's quote value began to count: the time of the valuation
// that fell to it, or when a rise to it was carried by every manifest.
func QuotedSince(tx *db.Tx, id string) (time.Time, error) {
	at, err := db.One(tx, db.Column[int64], `SELECT CASE WHEN v.carried_at <= $2 THEN v.carried_at ELSE v.created_at END FROM valuations v
		WHERE v.item_id = $1 AND v.number >= `+lastCarried("$2")+` ORDER BY v.value_cents, v.number LIMIT 1`, id, db.Micros(tx.Now))
	return db.Time(at), err
}

// Risen lists the items of which a raised value began to count after one time and up to
// another.
func Risen(tx *db.Tx, after, until time.Time) ([]string, error) {
	return db.All(tx, db.Column[string], `SELECT DISTINCT item_id FROM valuations WHERE carried_at > $1 AND carried_at <= $2 AND carried_at > created_at
		ORDER BY item_id`, db.Micros(after), db.Micros(until))
}

// lastCarried is SQL for the number of the last valuation of v's item that every manifest
// carries at a time.
func lastCarried(at string) string {
	return `(SELECT c.number FROM valuations c WHERE c.item_id = v.item_id AND c.carried_at <= ` + at + ` ORDER BY c.number DESC LIMIT 1)`
}

// QuoteValueOf is SQL for the quote value of an item at a time, as QuoteValues reads it.
func QuoteValueOf(item, at string) string {
	return `(SELECT MIN(v.value_cents) FROM valuations v WHERE v.item_id = ` + item + ` AND v.number >= ` + lastCarried(at) + `)`
}

// LeastQuoteValue returns the lowest quote value of the active items that match; an empty
// argument or 0 matches all, the grade is in tenths. It is db.ErrNoRow if none match. Only
// items with a rise that doesn't count yet have a quote value below their value.
func LeastQuoteValue(tx *db.Tx, series, grader, rarity string, minGrade int64) (money.Cents, error) {
	const matching = ` is_active AND ($1 = '' OR series = $1) AND ($2 = '' OR grader = $2) AND ($3 = '' OR rarity = $3) AND ($4 = 0 OR grade_tenths >= $4)`
	return db.One(tx, db.Column[money.Cents], `SELECT value_cents FROM (
			SELECT MIN(base_value_cents) AS value_cents FROM items WHERE`+matching+`
			UNION ALL SELECT MIN(`+QuoteValueOf("items.id", "$5")+`) FROM items WHERE`+matching+`
				AND id IN (SELECT item_id FROM valuations WHERE carried_at > $5 AND carried_at > created_at)
		) l WHERE value_cents IS NOT NULL ORDER BY value_cents LIMIT 1`, series, grader, rarity, minGrade, db.Micros(tx.Now))
}

// Items reads some items, by id.
func Items(tx *db.Tx, ids []string) (map[string]Item, error) {
	rows, err := db.All(tx, Scan, `SELECT `+Columns+` FROM items i WHERE `+tx.InList("i.id", "$1"), db.List(ids))
	items := make(map[string]Item, len(rows))
	for _, i := range rows {
		items[i.ID] = i
	}
	return items, err
}

// InSeries lists the active items of some series, without any of all, by id bytewise.
func InSeries(tx *db.Tx, series []string) ([]Item, error) {
	query, args := `SELECT `+Columns+` FROM items i WHERE i.is_active`, []any{}
	if len(series) > 0 {
		query, args = query+` AND `+tx.InList("i.series", "$1"), []any{db.List(series)}
	}
	return db.All(tx, Scan, query+` ORDER BY `+tx.Bytewise("i.id"), args...)
}

// everything is the shelf of the whole catalogue.
var everything = Shelf[Item]{
	Item:  func(i Item) Item { return i },
	ID:    db.Text("i.id", func(i Item) string { return i.ID }),
	Price: db.Number("i.base_value_cents", func(i Item) money.Cents { return i.BaseValue }),
}

func selected(tx *db.Tx, page *db.Selection[Item]) ([]Item, error) {
	return page.Rows(tx, Scan, `SELECT `+Columns+` FROM items i WHERE i.is_active`)
}

// PageOf selects pages of all items, those that are retired or those that are not, which
// a Filter lets through; Selected reads one.
func PageOf(f Filter, retired bool) func(limit int, cursor string) (*db.Selection[Item], error) {
	choose := everything.Filtered(f)
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

// Orders are the sort orders that every list with a Filter offers. The schema of SortBy, the
// SQL, the cursors and the order of what is for sale in memory follow from them.
var Orders = []Order{
	{Name: ""},
	{Name: "price-low", By: ByPrice},
	{Name: "price-high", By: ByPrice, Descending: true},
	{Name: "name", By: &SortKey{Column: "i.name", Text: func(i Item) string { return i.Name }}},
	{Name: "grade", By: ByGrade, Descending: true},
}

// The keys that lists know more about than how to compare them.
var (
	ByPrice = &SortKey{}
	ByGrade = &SortKey{Column: "COALESCE(i.grade_tenths, 0)", Number: func(i Item) int64 { return i.GradeTenths }}
)

// order makes a sort order one of the shelf's.
func (s Shelf[R]) order(o Order) db.Order[R] {
	by := db.Order[R]{Name: string(o.Name), Keys: []db.Key[R]{s.ID}, Descending: o.Descending}
	var key db.Key[R]
	switch {
	case o.By == nil:
		by.Descending = s.NewestFirst
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

// narrow takes from a selection of the shelf what does not pass a filter, whose
// search has these words.
func (s Shelf[R]) narrow(page *db.Selection[R], f Filter, words []Word) {
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

// Named is the condition that an item i is called what a filter searches for; its
// arguments are numbered behind those of which there are so many.
func (f Filter) Named(behind int) (clause string, args []any, err error) {
	words, err := f.Words()
	clause = "TRUE"
	for n, word := range words {
		clause += " AND i.search LIKE $" + strconv.Itoa(behind+n+1)
		args = append(args, word.pattern())
	}
	return clause, args, err
}

// WhereSeries takes from a selection the items, under the name i, that are not of a series by
// its name, or of a category by its id.
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

// pattern is what the search text of an item must match.
func (w Word) pattern() string {
	switch {
	case w.Text == "":
		return ""
	case w.Inside:
		return "%" + w.Text + "%"
	}
	return "% " + w.Text + "%"
}

// Count is how many items the catalogue has.
func Count(tx *db.Tx) (int64, error) {
	return db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM items WHERE is_active`)
}
