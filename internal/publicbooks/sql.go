package publicbooks

import (
	"errors"
	"fmt"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// lastClosed returns the last closed day, or an empty one if there is none.
func lastClosed(tx *db.Tx) (c closedDay, err error) {
	c.items = map[string]int64{}
	body, err := db.One(tx, db.Column[string], `SELECT body FROM book_days ORDER BY day DESC LIMIT 1`)
	if errors.Is(err, db.ErrNoRow) {
		return c, nil
	}
	if err != nil {
		return c, err
	}
	c.leaf, err = parse(body)
	if err != nil {
		return c, err
	}
	c.items, err = readItems(tx)
	return c, err
}

func parse(body string) (protocol.BooksLeaf, error) {
	leaf, err := protocol.ParseLeaf([]byte(body))
	if err != nil {
		return protocol.BooksLeaf{}, err
	}
	books, ok := leaf.(protocol.BooksLeaf)
	if !ok {
		return books, fmt.Errorf("no books of a day: %q", body)
	}
	return books, nil
}

type itemCount struct {
	item   string
	number int64
}

func readItems(tx *db.Tx) (map[string]int64, error) {
	items := map[string]int64{}
	scan := func(s db.Scanner) (i itemCount, err error) { return i, s.Scan(&i.item, &i.number) }
	err := db.Each(tx, scan, func(i itemCount) error { items[i.item] = i.number; return nil }, `SELECT item_id, number FROM book_items`)
	return items, err
}

// insertDay returns false if another node has inserted the day.
func insertDay(tx *db.Tx, day time.Time, body string) (first bool, err error) {
	n, err := tx.Exec(`INSERT INTO book_days (day, body) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING`, db.Micros(day), body)
	return n == 1, err
}

func replaceItems(tx *db.Tx, items map[string]int64) error {
	rows := db.Rows{Columns: []string{"item_id", "number"}}
	for item, n := range items {
		rows.Add(item, n)
	}
	return tx.UpsertRows("book_items", rows, `(item_id) DO UPDATE SET number = excluded.number`, errors.New("not all items were counted"))
}

// findLeafMismatches compares the stored days with the log's leaves, both ways.
func findLeafMismatches(tx *db.Tx) (found []audit.Breach, err error) {
	leaves, err := publiclog.AllLeaves[protocol.BooksLeaf](tx)
	if err != nil {
		return nil, err
	}
	left := map[string]int{}
	for _, leaf := range leaves {
		left[string(leaf.Format())]++
	}
	days, err := storedDays(tx)
	off := func(day, detail string) {
		found = append(found, audit.Breach{Rule: "the books of each closed day must match their leaf in the log", Row: "books " + day, Detail: detail})
	}
	for _, d := range days {
		left[d.body]--
		if left[d.body] < 0 {
			off(fmt.Sprint(d.at), fmt.Sprintf("is stored as %q, which is not in the log", d.body))
		}
	}
	for body, n := range left {
		if n > 0 {
			off("in the log", fmt.Sprintf("has %q, which is not stored", body))
		}
	}
	return found, err
}

// storedDay is a row of book_days.
type storedDay struct {
	at   int64
	body string
}

func storedDays(tx *db.Tx) ([]storedDay, error) {
	scan := func(s db.Scanner) (d storedDay, err error) { return d, s.Scan(&d.at, &d.body) }
	return db.All(tx, scan, `SELECT day, body FROM book_days ORDER BY day`)
}

// findWrongDays recomputes the books of every day from the transfers.
func findWrongDays(tx *db.Tx) (found []audit.Breach, err error) {
	days, err := storedDays(tx)
	if err != nil {
		return nil, err
	}
	moved, err := transferTotalsByDay(tx)
	if err != nil {
		return nil, err
	}
	const rule = "the books of each closed day must match the transfers"
	var sum protocol.BooksLeaf
	for n, d := range days {
		leaf, err := parse(d.body)
		if err != nil || db.Micros(leaf.Day) != d.at || n > 0 && d.at != days[n-1].at+protocol.Day.Microseconds() {
			found = append(found, audit.Breach{Rule: rule, Row: fmt.Sprint("books ", d.at), Detail: fmt.Sprintf("is not the day after the previous one, or unreadable: %v", err)})
			continue
		}
		sum = moved.until(sum, leaf.End())
		want := sum
		want.Day, want.Time, want.Balances = leaf.Day, leaf.Time, sum.ImpliedBalances()
		if want != leaf {
			found = append(found, audit.Breach{Rule: rule, Row: fmt.Sprint("books ", d.at), Detail: fmt.Sprintf("is %q, but the transfers give %q", leaf.Format(), want.Format())})
		}
	}
	return found, nil
}

// findWrongItemCounts recounts the entries of the closed days.
func findWrongItemCounts(tx *db.Tx) ([]audit.Breach, error) {
	kept, err := readItems(tx)
	if err != nil {
		return nil, err
	}
	day, err := db.One(tx, db.Column[int64], `SELECT COALESCE(MAX(day), -1) FROM book_days`)
	if err != nil {
		return nil, err
	}
	expected := map[string]int64{}
	if day >= 0 {
		expected, err = inventory.CountChanges(tx, time.UnixMilli(0), db.Time(day).Truncate(protocol.Day).Add(protocol.Day))
	}
	return audit.Compare("item counts must match the items owned at the end of the last closed day", "item ", kept, expected), err
}

// dayRow is a closed day and the one before it.
type dayRow struct {
	day          int64
	leaf, before protocol.BooksLeaf
}

var lastFirst = db.Order[dayRow]{
	Keys:       []db.Key[dayRow]{db.Number("d.day", func(r dayRow) int64 { return r.day })},
	Descending: true,
}

func listDays(tx *db.Tx, page *db.Selection[dayRow]) ([]dayRow, error) {
	scan := func(s db.Scanner) (r dayRow, err error) {
		var body, before string
		if err := s.Scan(&r.day, &body, &before); err != nil {
			return r, err
		}
		if before != "" {
			r.before, err = parse(before)
		}
		if err == nil {
			r.leaf, err = parse(body)
		}
		return r, err
	}
	return page.Rows(tx, scan, `SELECT d.day, d.body, COALESCE((SELECT b.body FROM book_days b WHERE b.day < d.day ORDER BY b.day DESC LIMIT 1), '')
		FROM book_days d WHERE TRUE`)
}
