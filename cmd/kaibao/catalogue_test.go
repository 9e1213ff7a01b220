package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/protocol"
)

const csvHeader = "id,name,series,rarity,baseValueCents\n"

func writeList(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func wantOutput(t *testing.T, code int, want string, args ...string) {
	t.Helper()
	out, got := run(t, args...)
	if got != code || !strings.Contains(out, want) {
		t.Errorf("%q: exit %d, want %d and %q: %s", args, got, code, want, out)
	}
}

// Imports by command appear in the admin log and pass the audit. An export contains what was
// imported.
func TestCatalogueImportAndExport(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		command := func(name string, args ...string) []string {
			return append(append([]string{"catalogue", name}, storage(s)...), args...)
		}
		good := "new-1,2026 Ann,Spring,Rare,4e3\nnew-2,2026 Ben,Spring,Common,$12.34\n"
		mixed := writeList(t, "list.csv", csvHeader+good+"bad-1,4e3,Spring,Rare,100\n")
		rejects := filepath.Join(t.TempDir(), "rejects.csv")
		wantOutput(t, 0, "2 items would be new, 0 changed, 0 unchanged; 1 rows rejected", command("import", mixed, "--dry-run", "--rejects", rejects)...)
		if text, err := os.ReadFile(rejects); err != nil || !strings.Contains(string(text), "bad-1") || strings.Contains(string(text), "new-1") {
			t.Errorf("the rejects are %q: %v", text, err)
		}
		wantOutput(t, 1, "nothing was imported", command("import", mixed)...)
		wantOutput(t, 1, "exist", command("import", mixed, "--rejects", rejects)...)
		if n := text(t, s, `SELECT COUNT(*) FROM items WHERE series = 'Spring'`); n != "0" {
			t.Errorf("%s items were imported", n)
		}
		wantOutput(t, 0, "2 items are new", command("import", mixed, "--skip-bad", "--reason", "A list came.")...)
		wantOutput(t, 0, "0 items are new, 1 changed, 1 unchanged", command("import", writeList(t, "more.csv", csvHeader+strings.Replace(good, "4e3", "5e3", 1)))...)
		if reasons := text(t, s, `SELECT MIN(reason) || ', ' || MAX(reason) FROM admin_acts WHERE act = 'import-catalogue' AND user_id IS NULL`); reasons != "A list came., imported from more.csv" {
			t.Errorf("the admin log has the reasons %q", reasons)
		}
		misspelled := writeList(t, "columns.csv", strings.Replace(csvHeader, "\n", ",graed\n", 1)+"new-3,2026 Cem,Spring,Rare,500,9\n")
		wantOutput(t, 0, `column "graed" is unknown and ignored: did you mean grade?`, command("import", misspelled, "--dry-run")...)
		wantOutput(t, 1, "nothing was imported: correct the column names", command("import", misspelled)...)
		wantOutput(t, 0, "1 items are new", command("import", misspelled, "--ignore-column", "graed")...)
		chinese := writeList(t, "gb.csv", csvHeader+"gb-1,2026 \xc6\xa4\xbf\xa8\xc7\xf0,Spring,Rare,500\n")
		wantOutput(t, 1, "--encoding gb18030       2026 皮卡丘\n", command("import", chinese)...)
		wantOutput(t, 1, "--encoding windows-1252  2026 Æ¤¿¨Çð\n", command("import", chinese)...)
		wantOutput(t, 1, "1 rows rejected", command("import", chinese, "--encoding", "utf-8")...)
		wantOutput(t, 0, "1 items are new", command("import", chinese, "--encoding", "gb18030")...)
		if name := text(t, s, `SELECT name FROM items WHERE id = 'gb-1'`); name != "2026 皮卡丘" {
			t.Errorf("it is called %q", name)
		}
		wide := writeList(t, "wide.csv", "\xff\xfe"+strings.Join(strings.Split(csvHeader+"wide-1,2026 Cem,Spring,Rare,500\n", ""), "\x00")+"\x00")
		wantOutput(t, 0, "1 items are new", command("import", wide)...)
		out := filepath.Join(t.TempDir(), "all.json")
		wantOutput(t, 0, "items written to "+out, command("export", out)...)
		wantOutput(t, 1, "exists", command("export", out)...)
		wantOutput(t, 0, "0 items are new, 0 changed", command("import", out)...)
		s.Audit(t)
	})
}

// An import refuses a notice shorter than the protocol requires, even in a sandbox, and before
// doing anything.
func TestImportRefusesShortNotice(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		// The toy is in pack 8, which is sealed.
		list := writeList(t, "list.csv", csvHeader+"pkm-001,2026 Ann,Pokemon,Common,5\nlabubu-deluxe-1,Toy,Labubu Deluxe Collection,Rare,201\n")
		command := func(delay time.Duration, more ...string) []string {
			return append(append([]string{"catalogue", "import", list, "--manifest-delay=" + delay.String()}, more...), storage(s)...)
		}
		for _, more := range [][]string{{"--dry-run"}, {"--skip-bad"}, nil} {
			for _, short := range []time.Duration{protocol.MinNotice - time.Nanosecond, 0, -5 * time.Minute} {
				wantOutput(t, 1, "it must be at least 1m0s, or verifiers reject the log", command(short, more...)...)
			}
		}
		if n := text(t, s, `SELECT COUNT(*) FROM publications WHERE number > 1`); n != "0" {
			t.Errorf("%s publications were announced", n)
		}
		wantOutput(t, 0, "new odds are announced", command(protocol.MinNotice)...)
		if shortest := text(t, s, `SELECT MIN(effective_at - published_at) FROM publications WHERE number > 1`); shortest != fmt.Sprint(protocol.MinNotice.Microseconds()) {
			t.Errorf("the shortest notice has %s µs", shortest)
		}
		s.Audit(t)
	})
}

// A list longer than the existing catalogue makes the import rebuild the indexes. Two concurrent
// imports both succeed, regardless of their row order. Not parallel: the second one waits for the
// first one's lock for a limited time.
func TestConcurrentLongImports(t *testing.T) {
	const rows = 10_001
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			s := apptest.Start(t, apptest.Config(t, engine))
			indexes := `SELECT COUNT(*) FROM sqlite_master WHERE type = 'index' AND tbl_name = 'items'`
			if engine == "postgres" {
				indexes = `SELECT COUNT(*) FROM pg_indexes WHERE tablename = 'items' AND schemaname = current_schema()`
			}
			before := text(t, s, indexes)
			var up, down strings.Builder
			up.WriteString(csvHeader)
			down.WriteString(csvHeader)
			for n := range rows {
				fmt.Fprintf(&up, "long-%d,2026 Card %d,Long,Rare,%d\n", n, n, 100+n)
				fmt.Fprintf(&down, "long-%d,2026 Card %d,Long,Rare,%d\n", rows-1-n, rows-1-n, 100+rows-1-n)
			}
			ended := make(chan string, 2)
			for _, list := range []string{writeList(t, "up.csv", up.String()), writeList(t, "down.csv", down.String())} {
				go func() {
					out, err := program(t.Context(), append([]string{"catalogue", "import", list}, storage(s)...)...).CombinedOutput()
					ended <- fmt.Sprint(string(out), err)
				}()
			}
			for range 2 {
				if output := <-ended; !strings.HasSuffix(output, "<nil>") {
					t.Error(output)
				}
			}
			if n := text(t, s, `SELECT COUNT(*) FROM items WHERE series = 'Long'`); n != fmt.Sprint(rows) {
				t.Errorf("%s of %d items were imported", n, rows)
			}
			if after := text(t, s, indexes); after != before {
				t.Errorf("%s indexes, before %s", after, before)
			}
			s.Audit(t)
		})
	}
}

// A value that rises to more than twice that of a week ago may be a typo: the importer has to
// confirm it.
func TestSteepRiseNeedsConfirmation(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		command := func(more ...string) []string {
			return append(append([]string{"catalogue", "import"}, storage(s)...), more...)
		}
		wantOutput(t, 0, "2 items are new", command(writeList(t, "first.csv", csvHeader+"new-1,2026 Ann,Spring,Rare,500\nnew-2,2026 Ben,Spring,Rare,500\n"))...)
		steep := writeList(t, "steep.csv", csvHeader+"new-1,2026 Ann,Spring,Rare,1001\nnew-2,2026 Ben,Spring,Rare,1000\n")
		for _, more := range [][]string{nil, {"--skip-bad"}} {
			wantOutput(t, 1, "new-1 (2026 Ann) from 5.00 to 10.01", command(append(more, steep)...)...)
		}
		if n := text(t, s, `SELECT SUM(base_value_cents) FROM items WHERE series = 'Spring'`); n != "1000" {
			t.Errorf("the items are worth %s", n)
		}
		wantOutput(t, 0, "2 changed", command(steep, "--approve-raises")...)
		s.Audit(t)
	})
}
