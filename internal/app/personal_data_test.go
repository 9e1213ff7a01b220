package app_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
)

// classifiedColumns reads the columns that docs/security.md lists, with what deletion does to them,
// and the tables that it says have no personal data.
func classifiedColumns(t *testing.T) (treatment map[string]string, without []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	treatment = map[string]string{}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "Tables without personal data:"); ok {
			for _, name := range quotedName.FindAllStringSubmatch(rest, -1) {
				without = append(without, name[1])
			}
		}
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| `") || len(cells) != 4 {
			continue
		}
		table := strings.Trim(cells[0], "| `")
		for _, name := range quotedName.FindAllStringSubmatch(cells[1], -1) {
			column := table + "." + name[1]
			if treatment[column] != "" {
				t.Errorf("%s is listed twice", column)
			}
			treatment[column] = cells[2]
		}
		if !regexp.MustCompile(`erased|replaced|kept|written`).MatchString(cells[2]) || strings.Trim(cells[3], " |\n") == "" {
			t.Errorf("say whether it is erased, replaced or kept, and why: %s", line)
		}
	}
	return treatment, without
}

var quotedName = regexp.MustCompile("`([a-z0-9_]+)`")

// The table of personal data (docs/security.md) lists every column of the schema, or says that its
// table has no personal data.
func TestEveryColumnIsClassified(t *testing.T) {
	treatment, without := classifiedColumns(t)
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		query := `SELECT t.name || '.' || c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`
		if s.DB.Engine() == "postgres" {
			query = `SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = current_schema()`
		}
		var columns []string
		err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
			columns, err = db.All(tx, db.Column[string], query)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, column := range columns {
			table, _, _ := strings.Cut(column, ".")
			if (treatment[column] == "") != slices.Contains(without, table) {
				t.Errorf("%s: list it in docs/security.md, with what happens to it when its user is deleted, or its table among those without personal data", column)
			}
		}
		for column := range treatment {
			if !slices.Contains(columns, column) {
				t.Errorf("docs/security.md lists %s, which does not exist", column)
			}
		}
		for _, table := range without {
			if !slices.ContainsFunc(columns, func(column string) bool { return strings.HasPrefix(column, table+".") }) {
				t.Errorf("docs/security.md lists the table %s, which does not exist", table)
			}
		}
	})
}
