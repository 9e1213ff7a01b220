package catalogue

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"kaibao/internal/db"
	"kaibao/internal/fault"
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
var everything = Shelf{Items: "items.", ID: "items.id", Price: "items.base_value_cents"}

func selected(tx *db.Tx, s *Selection) ([]Item, error) {
	s.Where("is_active")
	clauses, args := s.SQL(tx)
	return db.All(tx, scanItem, `SELECT `+itemColumns+` FROM items `+clauses, args...)
}

// count counts the catalogue, as the header of a list writes it.
func count(tx *db.Tx) (string, error) {
	return db.One(tx, db.Column[string], `SELECT COUNT(*) FROM items WHERE is_active`)
}

// Where adds a condition; each ? in it stands for the next argument.
func (s *Selection) Where(clause string, args ...any) { s.conditions.add(clause, args...) }

// SQL is all that follows FROM, with its arguments. It takes one row more than
// the page has, for httpkit.Cut.
func (s *Selection) SQL(tx *db.Tx) (clauses string, args []any) {
	key, direction, sign := s.order(tx)
	c := conditions{clauses: slices.Clone(s.conditions.clauses), args: slices.Clone(s.conditions.args)}
	by := key + direction
	switch {
	case key != s.shelf.ID:
		by += ", " + s.shelf.ID + direction
		if s.last != nil {
			c.add("("+key+", "+s.shelf.ID+") "+sign+" (?, ?)", s.last.Key, s.last.ID)
		}
	case s.last != nil:
		c.add(key+" "+sign+" ?", s.last.ID)
	}
	c.args = append(c.args, s.limit+1)
	return fmt.Sprintf("WHERE %s ORDER BY %s LIMIT $%d", strings.Join(c.clauses, " AND "), by, len(c.args)), c.args
}

// order is the key that the rows go by, which way, and how a later one compares
// with an earlier one.
func (s *Selection) order(tx *db.Tx) (key, direction, sign string) {
	descending := false
	switch s.sortBy {
	case "price-low":
		key = s.shelf.Price
	case "price-high":
		key, descending = s.shelf.Price, true
	case "name":
		key = tx.Bytewise(s.shelf.Items + "name")
	case "grade":
		key, descending = "COALESCE("+s.shelf.Items+"grade_tenths, 0)", true
	default:
		key, descending = s.shelf.ID, s.shelf.NewestFirst
	}
	if descending {
		return key, " DESC", "<"
	}
	return key, "", ">"
}

// conditions collects a WHERE clause with its arguments.
type conditions struct {
	clauses []string
	args    []any
}

func (c *conditions) add(clause string, args ...any) {
	for _, arg := range args {
		c.args = append(c.args, arg)
		clause = strings.Replace(clause, "?", "$"+strconv.Itoa(len(c.args)), 1)
	}
	c.clauses = append(c.clauses, clause)
}

func (f Filter) conditions(shelf Shelf, words []string) (c conditions) {
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
		c.add(shelf.Items+"series IN ("+marks+")", args...)
	}
	if f.Certification != "" {
		c.add(shelf.Items+"cert_type = ?", f.Certification)
	}
	if f.Grade > 0 {
		c.add(shelf.Items+"grade_tenths >= ?", f.Grade*10)
	}
	if f.MinPrice.Given {
		c.add(shelf.Price+" >= ?", f.MinPrice.Value*100)
	}
	if f.MaxPrice.Given {
		c.add(shelf.Price+" <= ?", f.MaxPrice.Value*100)
	}
	if strings.TrimSpace(f.Search) != "" && len(words) == 0 {
		c.add("FALSE") // nothing that a name could hold was searched for
	}
	for _, word := range words {
		c.add(shelf.Items+"search LIKE ?", pattern(word))
	}
	return c
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
