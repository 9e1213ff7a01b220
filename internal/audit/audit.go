// Package audit collects rows that break an invariant. Each feature defines the invariants of its
// own tables.
package audit

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kaibao/internal/db"
)

// MaxDelay is how much older an act's time may be than that of an act before it, in microseconds: it
// may have waited for a lock, and nodes' clocks differ slightly.
const MaxDelay = int64(2 * db.CallTime / time.Microsecond)

// Breach is a row that violates a rule.
type Breach struct {
	Rule   string `json:"rule"`   // the rule, as a sentence
	Row    string `json:"row"`    // the row that violates it
	Detail string `json:"detail"` // the actual and the expected value
}

// Check checks rules on one snapshot and returns every row that violates one.
type Check func(tx *db.Tx) ([]Breach, error)

// Collect runs checks one after the other and returns all breaches.
func Collect(tx *db.Tx, checks ...Check) ([]Breach, error) {
	var all []Breach
	for _, check := range checks {
		breaches, err := check(tx)
		if err != nil {
			return nil, err
		}
		all = append(all, breaches...)
	}
	return all, nil
}

// Query returns the breaches of a rule that a query finds. The query selects two texts: Row and
// Detail.
func Query(tx *db.Tx, rule, query string, args ...any) ([]Breach, error) {
	return db.All(tx, ScanBreach(rule), query, args...)
}

// ScanBreach returns a scan function for the rows of a query as in Query.
func ScanBreach(rule string) func(db.Scanner) (Breach, error) {
	return func(s db.Scanner) (b Breach, err error) {
		b.Rule = rule
		return b, s.Scan(&b.Row, &b.Detail)
	}
}

// Compare returns a breach for each number that differs from the expected one, is missing, or is
// unexpected.
func Compare[K comparable](rule, row string, numbers, expected map[K]int64) (breaches []Breach) {
	for key, n := range numbers {
		if want, ok := expected[key]; !ok || want != n {
			breaches = append(breaches, Breach{Rule: rule, Row: row + fmt.Sprint(key), Detail: fmt.Sprintf("is %d, want %d", n, want)})
		}
	}
	for key, want := range expected {
		if _, ok := numbers[key]; !ok {
			breaches = append(breaches, Breach{Rule: rule, Row: row + fmt.Sprint(key), Detail: fmt.Sprintf("is missing, want %d", want)})
		}
	}
	slices.SortFunc(breaches, func(a, b Breach) int { return strings.Compare(a.Row, b.Row) })
	return breaches
}
