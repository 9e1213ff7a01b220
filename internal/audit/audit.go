// Package audit collects rows that break an invariant. Each feature defines the invariants of its
// own tables.
package audit

import (
	"fmt"
	"slices"
	"strings"

	"kaibao/internal/db"
)

// Breach is a row that violates a rule.
type Breach struct {
	Rule   string `json:"rule"`   // the rule, as a sentence
	Row    string `json:"row"`    // the row that violates it
	Detail string `json:"detail"` // the value found, and the one expected
}

// Check checks rules on one snapshot and returns every row that violates one.
type Check func(tx *db.Tx) ([]Breach, error)

// Collect runs checks one after the other and returns all breaches.
func Collect(tx *db.Tx, checks ...Check) ([]Breach, error) {
	var found []Breach
	for _, check := range checks {
		breaches, err := check(tx)
		if err != nil {
			return nil, err
		}
		found = append(found, breaches...)
	}
	return found, nil
}

// Query returns the breaches of a rule that a query finds. The query selects two texts: Row and
// Detail.
func Query(tx *db.Tx, rule, query string, args ...any) ([]Breach, error) {
	return db.All(tx, Of(rule), query, args...)
}

// Of returns a scanner for the breaches that a query for Query selects.
func Of(rule string) func(db.Scanner) (Breach, error) {
	return func(s db.Scanner) (b Breach, err error) {
		b.Rule = rule
		return b, s.Scan(&b.Row, &b.Detail)
	}
}

// Compare returns a breach for each number that differs from the expected one, is missing, or is
// unexpected.
func Compare[K comparable](rule, row string, numbers, expected map[K]int64) (found []Breach) {
	for key, n := range numbers {
		if want, ok := expected[key]; !ok || want != n {
			found = append(found, Breach{Rule: rule, Row: row + fmt.Sprint(key), Detail: fmt.Sprintf("is %d, want %d", n, want)})
		}
	}
	for key, want := range expected {
		if _, ok := numbers[key]; !ok {
			found = append(found, Breach{Rule: rule, Row: row + fmt.Sprint(key), Detail: fmt.Sprintf("is missing, want %d", want)})
		}
	}
	slices.SortFunc(found, func(a, b Breach) int { return strings.Compare(a.Row, b.Row) })
	return found
}
