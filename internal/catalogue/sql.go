package catalogue

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode"

	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/money"
	"kaibao/internal/picture"
)

const itemColumns = `id, series, name, rarity, COALESCE(grade_tenths, 0), cert_type, cert_number, image_url, base_value_cents, is_active`

func scanItem(s db.Scanner) (i Item, err error) {
	return i, s.Scan(&i.ID, &i.Series, &i.Name, &i.Rarity, &i.GradeTenths, &i.CertType, &i.CertNumber,
		&i.ImageURL, &i.BaseValue, &i.Active)
}

// Add writes down a new item.
func Add(tx *db.Tx, i Item) error {
	_, err := tx.Exec(`INSERT INTO items (id, series, name, search, rarity, grade_tenths, cert_type, cert_number, image_url,
		base_value_cents, is_active, created_at) VALUES ($1, $2, $3, $4, $5, NULLIF($6, 0), $7, $8, $9, $10, $11, $12)`,
		i.ID, i.Series, i.Name, Fold(i.Name), i.Rarity, i.GradeTenths, i.CertType, i.CertNumber, i.ImageURL,
		i.BaseValue, i.Active, db.Micros(tx.Now))
	if err != nil {
		return err
	}
	return picture.Register(tx, picture.Thing, i.ImageURL)
}

func find(tx *db.Tx, id string) (Item, error) {
	i, err := db.One(tx, scanItem, `SELECT `+itemColumns+` FROM items WHERE id = $1`, id)
	if errors.Is(err, db.ErrNoRow) {
		err = fault.Missing("Item")
	}
	return i, err
}

// Items reads some items, by id.
func Items(tx *db.Tx, ids []string) (map[string]Item, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	rows, err := db.All(tx, scanItem, `SELECT `+itemColumns+` FROM items WHERE `+tx.InList("id", "$1"), string(list))
	items := make(map[string]Item, len(rows))
	for _, i := range rows {
		items[i.ID] = i
	}
	return items, err
}

// InSeries lists the active items of some series, without any of all, by id bytewise.
func InSeries(tx *db.Tx, series []string) ([]Item, error) {
	list, err := json.Marshal(series)
	if err != nil {
		return nil, err
	}
	return db.All(tx, scanItem, `SELECT `+itemColumns+` FROM items WHERE is_active
		AND ($1 = '[]' OR `+tx.InList("series", "$1")+`) ORDER BY `+tx.Bytewise("id"), string(list))
}

// everything is the shelf of the whole catalogue.
var everything = Shelf[Item]{
	Item:  func(i Item) Item { return i },
	ID:    db.Text("i.id", func(i Item) string { return i.ID }),
	Price: db.Number("i.base_value_cents", func(i Item) money.Cents { return i.BaseValue }),
}

func selected(tx *db.Tx, page *db.Selection[Item]) ([]Item, error) {
	return page.Rows(tx, scanItem, `SELECT `+itemColumns+` FROM items i WHERE i.is_active`)
}

// count counts the catalogue, as the header of a list writes it.
func count(tx *db.Tx) (string, error) {
	return db.One(tx, db.Column[string], `SELECT COUNT(*) FROM items WHERE is_active`)
}

// orders are the ways through a shelf. What a call can ask for with SortBy, the SQL
// and the cursors follow from them.
func (s Shelf[R]) orders() []db.Order[R] {
	name := db.BytewiseText("i.name", func(row R) string { return s.Item(row).Name })
	grade := db.Number("COALESCE(i.grade_tenths, 0)", func(row R) int64 { return s.Item(row).GradeTenths })
	return []db.Order[R]{
		{Name: "", Keys: []db.Key[R]{s.ID}, Descending: s.NewestFirst},
		{Name: "price-low", Keys: []db.Key[R]{s.Price, s.ID}},
		{Name: "price-high", Keys: []db.Key[R]{s.Price, s.ID}, Descending: true},
		{Name: "name", Keys: []db.Key[R]{name, s.ID}},
		{Name: "grade", Keys: []db.Key[R]{grade, s.ID}, Descending: true},
	}
}

// narrow takes from a selection of the shelf what does not pass a filter, whose
// search has these words.
func (s Shelf[R]) narrow(page *db.Selection[R], f Filter, words []string) {
	if f.Series != "" {
		series, ok := Categories[strings.ToLower(f.Series)]
		if !ok {
			series = []string{f.Series}
		}
		marks := strings.TrimSuffix(strings.Repeat("?, ", len(series)), ", ")
		args := make([]any, len(series))
		for i, s := range series {
			args[i] = s
		}
		page.Where("i.series IN ("+marks+")", args...)
	}
	if f.Certification != "" {
		page.Where("i.cert_type = ?", f.Certification)
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
	if strings.TrimSpace(f.Search) != "" && len(words) == 0 {
		page.Where("FALSE") // nothing that a name could hold was searched for
	}
	for _, word := range words {
		page.Where("i.search LIKE ?", pattern(word))
	}
}

// pattern matches where a word begins; in Chinese, which has no spaces, anywhere.
func pattern(word string) string {
	for _, r := range word {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
			return "%" + word + "%"
		}
	}
	return "% " + word + "%"
}
