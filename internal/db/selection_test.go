package db_test

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"testing"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// thing is a row of a list. Many things have the same place, several the same name.
type thing struct {
	id, name string
	place    int64
}

var (
	byID    = db.Text("t.id", func(t thing) string { return t.id })
	byName  = db.BytewiseText("t.name", func(t thing) string { return t.name })
	byPlace = db.Number("t.place + 0", func(t thing) int64 { return t.place })
)

// createThings creates a table, fills it and returns its rows.
func createThings(t *testing.T, d *db.DB) (all []thing) {
	t.Helper()
	names := []string{"a", "B", "b", "é", "喷", "", "a b", `"`, "\\"}
	rows := db.Rows{Columns: []string{"id", "name", "place"}}
	for i := range 50 {
		one := thing{fmt.Sprintf("%02d", i), names[i%len(names)], int64(i % 7)}
		all = append(all, one)
		rows.Add(one.id, one.name, one.place)
	}
	if err := d.InTx(t.Context(), func(tx *db.Tx) error {
		if _, err := tx.Exec(`CREATE TABLE things (id TEXT NOT NULL, name TEXT NOT NULL, place BIGINT NOT NULL)`); err != nil {
			return err
		}
		return tx.InsertRows("things", rows)
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func scanThing(s db.Scanner) (t thing, err error) { return t, s.Scan(&t.id, &t.name, &t.place) }

// readAllPages reads all pages of the things with a place from 1 on, except two names.
func readAllPages(t *testing.T, d *db.DB, o db.Order[thing], limit int) (found []thing) {
	t.Helper()
	for cursor, more := "", true; more; more = cursor != "" {
		page, err := o.Select(limit, cursor)
		if err != nil {
			t.Fatal(err)
		}
		page.Where("t.name NOT IN (?, ?)", "é", "")
		var rows []thing
		if err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
			rows, err = page.Rows(tx, scanThing, `SELECT t.id, t.name, t.place FROM things t WHERE t.place >= $1`, 1)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		cursor = page.Next()
		if len(rows) > limit || cursor != "" && len(rows) < limit {
			t.Errorf("a page of %d with the cursor %q", len(rows), cursor)
		}
		found = append(found, rows...)
	}
	return found
}

// In every sort order, all pages together are the whole list.
func TestPagesCoverTheList(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		all := slices.DeleteFunc(createThings(t, d), func(t thing) bool { return t.name == "é" || t.name == "" || t.place < 1 })
		for name, c := range map[string]struct {
			keys    []db.Key[thing]
			compare func(a, b thing) int
		}{
			"id": {[]db.Key[thing]{byID}, func(a, b thing) int { return cmp.Compare(a.id, b.id) }},
			"place and id": {[]db.Key[thing]{byPlace, byID}, func(a, b thing) int {
				return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.id, b.id))
			}},
			"name, place and id": {[]db.Key[thing]{byName, byPlace, byID}, func(a, b thing) int {
				return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.place, b.place), cmp.Compare(a.id, b.id))
			}},
		} {
			for _, descending := range []bool{false, true} {
				want := slices.SortedFunc(slices.Values(all), c.compare)
				if descending {
					slices.Reverse(want)
				}
				for _, limit := range []int{1, 7, len(want) - 1, len(want), len(want) + 1} {
					got := readAllPages(t, d, db.Order[thing]{Keys: c.keys, Descending: descending}, limit)
					if !slices.Equal(got, want) {
						t.Errorf("by %s, descending %t, %d a page: %v, want %v", name, descending, limit, got, want)
					}
				}
			}
		}
	})
}

func TestInvalidCursorsAreRefused(t *testing.T) {
	byName := db.Order[thing]{Keys: []db.Key[thing]{byName, byID}}
	byPlace := db.Order[thing]{Keys: []db.Key[thing]{byPlace, byID}}
	for _, c := range []struct {
		order db.Order[thing]
		text  string
		fits  bool
	}{
		{byName, `["a","1"]`, true},
		{byPlace, `[1,"1"]`, true},
		{byPlace, `[-9223372036854775808,"1"]`, true},
		{byName, `[1,"1"]`, false},
		{byPlace, `["1","1"]`, false},
		{byPlace, `[1.5,"1"]`, false},
		{byPlace, `[1e300,"1"]`, false},
		{byPlace, `[9223372036854775808,"1"]`, false},
		{byPlace, `[1]`, false},
		{byPlace, `[1,"1","1"]`, false},
		{byPlace, `[[1],"1"]`, false},
		{byPlace, `[true,"1"]`, false},
		{byPlace, `{"k":1,"i":"1"}`, false},
		{byPlace, `[1,"1"] `, true},
		{byPlace, `[1,"1"]]`, false},
		{byPlace, ``, true}, // the first page
		{byPlace, ` `, false},
		{byPlace, "\xff", false},
	} {
		_, err := c.order.Select(1, base64.RawURLEncoding.EncodeToString([]byte(c.text)))
		if (err == nil) != c.fits || err != nil && !apperr.IsCode(err, apperr.Invalid) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
	for _, cursor := range []string{"x", "17", "?", "019cb8b8-1e01-7fff-bfff-ffffffffffff", "W10="} {
		if _, err := byName.Select(1, cursor); !apperr.IsCode(err, apperr.Invalid) {
			t.Errorf("%q: %v", cursor, err)
		}
	}
}
