package apptest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// locking matches statements that may wait for row locks, and captures the table.
var locking = regexp.MustCompile(`(?s)\b(?:UPDATE|DELETE\s+FROM)\s+(\w+)|\bINSERT\s+INTO\s+(\w+).*\bON CONFLICT\b|\bFROM\s+(\w+).*\bFOR (?:UPDATE|SHARE)\b`)

// seen caches the results of lockedBy: a test has few distinct statements and runs each often.
var seen sync.Map

// lockedBy returns the table whose rows a statement locks, or an empty string.
func lockedBy(statement string) string {
	if table, ok := seen.Load(statement); ok {
		return table.(string)
	}
	table := ""
	if match := locking.FindStringSubmatch(statement); match != nil {
		table = match[1] + match[2] + match[3]
	}
	seen.Store(statement, table)
	return table
}

// watchLocks fails the test for every transaction that locks tables in another order than
// docs/rules/locks.md.
func watchLocks(t testing.TB) func() (see func(statement string)) {
	t.Helper()
	order := lockOrder(t)
	var mutex sync.Mutex
	wrong := map[string]string{}
	t.Cleanup(func() {
		mutex.Lock()
		defer mutex.Unlock()
		for tables, statement := range wrong {
			t.Errorf("locked in the order %s, which docs/rules/locks.md does not have: %s", tables, statement)
		}
	})
	return func() func(string) {
		var held []string
		return func(statement string) {
			table := lockedBy(statement)
			if table == "" || slices.Contains(held, table) {
				return
			}
			held = append(held, table)
			place := func(table string) int { return slices.Index(order, table) }
			if place(table) < 0 || !slices.IsSortedFunc(held, func(a, b string) int { return place(a) - place(b) }) {
				mutex.Lock()
				defer mutex.Unlock()
				wrong[strings.Join(held, ", ")] = strings.Join(strings.Fields(statement), " ")
			}
		}
	}
}

// lockOrder reads the tables of docs/rules/locks.md in locking order.
func lockOrder(t testing.TB) (tables []string) {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for root != filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		root = filepath.Dir(root)
	}
	text, err := os.ReadFile(filepath.Join(root, "docs", "rules", "locks.md"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if row, ok := strings.CutPrefix(line, "|"); ok {
			first, _, _ := strings.Cut(row, "|")
			for _, name := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(first, -1) {
				tables = append(tables, name[1])
			}
		}
	}
	if len(tables) == 0 {
		t.Fatal("docs/rules/locks.md has no table of locks")
	}
	return tables
}
