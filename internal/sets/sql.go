package sets

import (
	"unicode/utf8"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
)

// countSets returns the number of active items of each set, and of each series outside sets. It reads
// the whole index items_by_set.
func countSets(tx *db.Tx) ([]set, error) {
	scan := func(s db.Scanner) (c set, err error) { return c, s.Scan(&c.series, &c.name, &c.cards, &c.best) }
	return db.All(tx, scan, `SELECT series, set_name, COUNT(*), MAX(base_value_cents) FROM items WHERE is_active GROUP BY series, set_name`)
}

// picturesPerSet is the maximum number of pictures in a SetView.
const picturesPerSet = 3

// topCards has the ids of a set's most valuable cards, most valuable first; empty ids if it has fewer.
type topCards struct {
	series, name string
	items        [picturesPerSet]string
}

// topCardsOf returns the most valuable cards of the sets. An empty name stands for the cards of a series
// without a set.
func topCardsOf(tx *db.Tx, sets []inventory.SetName) ([]topCards, error) {
	rows := db.Rows{Columns: []string{"series", "name"}}
	for _, s := range sets {
		rows.Add(s.Series, s.Set)
	}
	const nth = `COALESCE((SELECT i.id FROM items i WHERE i.is_active AND i.series = v.series AND i.set_name = v.name
		ORDER BY i.base_value_cents DESC, i.id DESC LIMIT 1 OFFSET `
	scan := func(s db.Scanner) (c topCards, err error) {
		return c, s.Scan(&c.series, &c.name, &c.items[0], &c.items[1], &c.items[2])
	}
	return db.AllWith(tx, scan, rows, `SELECT v.series, v.name, `+nth+`0), ''), `+nth+`1), ''), `+nth+`2), '') FROM v`)
}

// cardOrder sorts by set, then by number: 2 before 10, and TG-2 before TG-10.
var cardOrder = db.Order[catalogue.Item]{Keys: []db.Key[catalogue.Item]{
	db.BytewiseText("i.set_name", func(i catalogue.Item) string { return i.Set }),
	db.Number("LENGTH(i.set_number)", func(i catalogue.Item) int64 { return int64(utf8.RuneCountInString(i.SetNumber)) }),
	db.BytewiseText("i.set_number", func(i catalogue.Item) string { return i.SetNumber }),
	db.Text("i.id", func(i catalogue.Item) string { return i.ID }),
}}

// condition returns the condition that item i is a card of the set, and its arguments.
func (s set) condition() (string, []any) {
	if s.name == "" {
		return `i.is_active AND i.series = $1`, []any{s.series}
	}
	return `i.is_active AND i.series = $1 AND i.set_name = $2`, []any{s.series, s.name}
}

// readCards reads a page of the set's cards.
func (s set) readCards(tx *db.Tx, page *db.Selection[catalogue.Item]) ([]catalogue.Item, error) {
	condition, args := s.condition()
	return page.Rows(tx, catalogue.Scan, `SELECT `+catalogue.Columns+` FROM items i WHERE `+condition, args...)
}

// cardIDs returns the ids of all cards of the set.
func (s set) cardIDs(tx *db.Tx) ([]string, error) {
	condition, args := s.condition()
	return db.All(tx, db.Column[string], `SELECT i.id FROM items i WHERE `+condition, args...)
}
