// Package audit collects rows that break an invariant. Each feature defines the invariants of its
// own tables.
package audit

import (
	"fmt"
	"slices"
	"strings"

	"kaibao/internal/db"
)

// Breach is a row that breaks a rule.
type Breach struct {
	Rule   string `json:"rule"`   // what must hold
	Row    string `json:"row"`    // where it does not
	Detail string `json:"detail"` // what is there instead
}

// Check proves a rule on one snapshot and returns every row that breaks it.
type Check func(tx *db.Tx) ([]Breach, error)

// Collect runs checks one after the other and gathers what they find.
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

// Query finds the rows that break a rule by a query that selects each with what
// is wrong about it.
func Query(tx *db.Tx, rule, query string, args ...any) ([]Breach, error) {
	return db.All(tx, Of(rule), query, args...)
}

// Of reads a row that breaks a rule, and what is wrong about it.
func Of(rule string) func(db.Scanner) (Breach, error) {
	return func(s db.Scanner) (b Breach, err error) {
		b.Rule = rule
		return b, s.Scan(&b.Row, &b.Detail)
	}
}

// Compare finds the numbers that are not the expected ones; what is not there is 0,
// but must not be there for nothing.
func Compare[K comparable](rule, row string, numbers, expected map[K]int64) (found []Breach) {
	for key, n := range numbers {
		if want, ok := expected[key]; !ok || want != n {
			found = append(found, Breach{Rule: rule, Row: row + fmt.Sprint(key), Detail: fmt.Sprintf("%d, the leaves say %d", n, want)})
		}
	}
	for key, want := range expected {
		if _, ok := numbers[key]; !ok {
			found = append(found, Breach{Rule: rule, Row: row + fmt.Sprint(key), Detail: fmt.Sprintf("nothing, the leaves say %d", want)})
		}
	}
	slices.SortFunc(found, func(a, b Breach) int { return strings.Compare(a.Row, b.Row) })
	return found
}
