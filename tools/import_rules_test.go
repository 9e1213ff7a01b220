package tools

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rules holds the rules of docs/rules/imports.md and docs/rules/tables.md.
type rules struct {
	packages map[string]place
	owners   map[string]string // of tables
	reads    map[reading]bool  // permissions to read; true once a query needs it
}

type place struct {
	layer, upTo int
	besides     string // a package above upTo that it may import, too
	noHTTP      bool
}

// reading is a package's permission to read another's table.
type reading struct{ by, table string }

// lastPure is the last layer without context, SQL or HTTP.
const lastPure = 3

// overHTTP are the packages that speak HTTP. Packages marked "no HTTP" don't import them.
var overHTTP = []string{"net/http", "github.com/danielgtaylor/huma", "kaibao/internal/httpapi", "kaibao/internal/action", "kaibao/internal/httpcache", "kaibao/internal/csvfile", "kaibao/internal/eventstream"}

// drivers maps libraries to the only package that may import each.
var drivers = map[string]string{
	"github.com/mattn/go-sqlite3":        "db/sqlite",
	"github.com/jackc/pgx":               "db/postgres",
	"github.com/exaring/otelpgx":         "db/postgres",
	"github.com/pressly/goose":           "db",
	"github.com/prometheus":              "metrics",
	"go.opentelemetry.io/otel/sdk":       "tracing",
	"go.opentelemetry.io/otel/exporters": "tracing",
}

func TestImportsFollowRules(t *testing.T) {
	h := readRules(t)
	eachSource(t, func(path string, text []byte) {
		for _, wrong := range h.imports(strings.TrimPrefix(path, "../"), parse(t, path, text)) {
			t.Errorf("%s: %s (docs/rules/imports.md)", path, wrong)
		}
	})
}

func TestQueriesFollowRules(t *testing.T) {
	h := readRules(t)
	if created, owned := tablesOfMigrations(t), slices.Sorted(maps.Keys(h.owners)); !slices.Equal(created, owned) {
		t.Errorf("the migrations create the tables %q, docs/rules/imports.md names owners of %q", created, owned)
	}
	eachSource(t, func(path string, text []byte) {
		if strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "../bench/") {
			return // tests corrupt rows, benchmarks insert millions of rows
		}
		for _, wrong := range h.queries(strings.TrimPrefix(path, "../"), parse(t, path, text)) {
			t.Errorf("%s: %s (docs/rules/tables.md)", path, wrong)
		}
	})
	for permission, needed := range h.reads {
		if !needed {
			t.Errorf("docs/rules/tables.md lets %s read %s, which no query does", permission.by, permission.table)
		}
	}
}

// readRules reads the rules from docs/rules.
func readRules(t *testing.T) rules {
	t.Helper()
	return parseRules(t, read(t, "../docs/rules/imports.md")+read(t, "../docs/rules/tables.md"))
}

// parseRules parses two tables: a row that starts with a number is a package's layer, a row that
// starts with a package is a permission to read.
func parseRules(t *testing.T, text string) rules {
	t.Helper()
	h := rules{map[string]place{}, map[string]string{}, map[reading]bool{}}
	for row := range strings.Lines(text) {
		cells := strings.Split(row, "|")
		if len(cells) == 7 && regexp.MustCompile(`\d`).MatchString(cells[1]) {
			h.enter(t, cells)
		}
		if len(cells) == 5 {
			for _, table := range inCode(cells[2]) {
				h.reads[reading{strings.Join(inCode(cells[1]), ""), table}] = false
			}
		}
	}
	for permission := range h.reads {
		if owner := h.owners[permission.table]; h.packages[permission.by] == (place{}) || owner == "" || owner == permission.by {
			t.Errorf("%s needs no permission to read %s, which %q owns", permission.by, permission.table, owner)
		}
	}
	return h
}

// enter parses a package's row: layer, package, last layer it may import and perhaps a
// package above it or "no HTTP", purpose, tables.
func (h rules) enter(t *testing.T, cells []string) {
	t.Helper()
	layer, err := strconv.Atoi(strings.TrimSpace(cells[1]))
	last, also, _ := strings.Cut(cells[3], ",")
	upTo, err2 := strconv.Atoi(strings.TrimSpace(last))
	name, besides := inCode(cells[2]), strings.Join(inCode(also), " ")
	if _, above := h.packages[besides]; err != nil || err2 != nil || len(name) != 1 || upTo >= layer || above == (besides == "") {
		t.Fatalf("%q is not a package's row: layer, `package`, a lower layer and perhaps a `package` above it, purpose, `tables`", strings.Join(cells, "|"))
	}
	for other, at := range h.packages {
		if other == name[0] || at.layer > layer {
			t.Errorf("%s in layer %d comes after %s in layer %d", name[0], layer, other, at.layer)
		}
	}
	h.packages[name[0]] = place{layer, upTo, besides, strings.TrimSpace(also) == "no HTTP"}
	for _, table := range inCode(cells[5]) {
		if h.owners[table] != "" {
			t.Errorf("table %s has two owners", table)
		}
		h.owners[table] = name[0]
	}
}

func inCode(text string) (names []string) {
	for _, found := range regexp.MustCompile("`([a-z_/]+)`").FindAllStringSubmatch(text, -1) {
		names = append(names, found[1])
	}
	return names
}

// packageOf returns the listed package that a folder or file belongs to: the nearest parent folder
// with a row, otherwise its first folder.
func (h rules) packageOf(path string) string {
	name := strings.TrimPrefix(path, "internal/")
	for h.packages[name] == (place{}) && strings.Contains(name, "/") {
		name = name[:strings.LastIndex(name, "/")]
	}
	return name
}

// imports returns the forbidden imports of a file.
func (h rules) imports(path string, file *ast.File) (wrong []string) {
	from := h.packageOf(path)
	if h.packages[from] == (place{}) {
		return []string{"package " + from + " has no layer"}
	}
	for _, spec := range file.Imports {
		to, err := strconv.Unquote(spec.Path.Value)
		if err == nil {
			if why := h.refusal(path, from, to); why != "" {
				wrong = append(wrong, "imports "+to+": "+why)
			}
		}
	}
	return wrong
}

// refusal returns why a package may not import another, or "".
func (h rules) refusal(path, from, to string) string {
	folder, ours := strings.CutPrefix(to, "kaibao/")
	pure := h.packages[from].layer <= lastPure
	switch {
	case to == "math/rand":
		return "use the transaction's randomness, or math/rand/v2 with a seed"
	case pure && (to == "context" || within(to, "net") || within(to, "database/sql")):
		return "the package is pure"
	case h.packages[from].noHTTP && slices.ContainsFunc(overHTTP, func(http string) bool { return within(to, http) }):
		return "the package is without HTTP"
	case driverOwner(to) != "" && driverOwner(to) != from:
		return "only " + driverOwner(to) + " imports it"
	case !ours:
		return ""
	case isHelper(folder) && !strings.HasSuffix(path, "_test.go") && !isHelper(filepath.Dir(path)):
		return "it is only for tests"
	case strings.HasSuffix(path, "_test.go") && (folder == "internal/app/apptest" || topFolder(h.packageOf(folder)) == topFolder(from)), h.packageOf(folder) == from:
		return ""
	}
	own, known := h.packages[from], h.packageOf(folder)
	if layer := h.packages[known].layer; known != own.besides && (layer == 0 || layer > own.upTo) {
		return fmt.Sprintf("it is in layer %d, and %s may import layers up to %d", layer, from, own.upTo)
	}
	return ""
}

// driverOwner returns the package that may import a library, "" if any may.
func driverOwner(library string) string {
	for driver, owner := range drivers {
		if within(library, driver) {
			return owner
		}
	}
	return ""
}

func topFolder(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return top
}

func within(path, folder string) bool { return strings.HasPrefix(path+"/", folder+"/") }

// isHelper reports whether a folder contains test helpers: their names end in "test", like
// net/http/httptest.
func isHelper(folder string) bool { return strings.HasSuffix(folder, "test") }

// queries returns the tables that a file's queries may not read or write.
func (h rules) queries(path string, file *ast.File) (wrong []string) {
	by := h.packageOf(path)
	for table, written := range tables(file) {
		owner := h.owners[table]
		_, mayRead := h.reads[reading{by, table}]
		switch {
		case owner == "" || owner == by:
		case written:
			wrong = append(wrong, fmt.Sprintf("writes %s, which is %s's", table, owner))
		case mayRead:
			h.reads[reading{by, table}] = true
		default:
			wrong = append(wrong, fmt.Sprintf("reads %s, which is %s's", table, owner))
		}
	}
	slices.Sort(wrong)
	return wrong
}

var (
	// A keyword followed by tables, and the list of tables with their aliases.
	naming  = regexp.MustCompile(`\b(?:FROM|JOIN|USING|INTO|UPDATE|TABLE)\s+((?:\w+(?:\s+(?:AS\s+)?\w+)?\s*,\s*)*\w+)`)
	writing = regexp.MustCompile(`\b(?:INTO|UPDATE|DELETE FROM|TABLE)\s+(\w+)`)
)

// tables returns the table names in a file's SQL, and whether a statement writes each.
func tables(file *ast.File) map[string]bool {
	found := map[string]bool{}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			if called, ok := node.Fun.(*ast.SelectorExpr); ok && (called.Sel.Name == "InsertRows" || called.Sel.Name == "UpsertRows") && len(node.Args) > 0 {
				found[text(node.Args[0])] = true
			}
		case *ast.BinaryExpr, *ast.BasicLit:
			sql := text(node.(ast.Expr))
			for _, list := range naming.FindAllStringSubmatch(sql, -1) {
				for one := range strings.SplitSeq(list[1], ",") {
					table := strings.Fields(one)[0]
					found[table] = found[table] || false
				}
			}
			for _, one := range writing.FindAllStringSubmatch(sql, -1) {
				found[one[1]] = true
			}
		}
		return true
	})
	return found
}

// text returns the constant parts of a string expression.
func text(expression ast.Expr) string {
	switch expression := expression.(type) {
	case *ast.BasicLit:
		if said, err := strconv.Unquote(expression.Value); err == nil && expression.Kind == token.STRING {
			return said
		}
	case *ast.BinaryExpr:
		return text(expression.X) + text(expression.Y)
	}
	return "?"
}

func parse(t *testing.T, path string, text []byte) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func tablesOfMigrations(t *testing.T) (made []string) {
	t.Helper()
	paths, err := filepath.Glob("../internal/db/migrations/*.sql")
	if err != nil || len(paths) == 0 {
		t.Fatal("no migrations", err)
	}
	there := map[string]bool{}
	for _, path := range paths {
		for _, act := range regexp.MustCompile(`(CREATE|DROP) TABLE (\w+)`).FindAllStringSubmatch(read(t, path), -1) {
			there[act[2]] = act[1] == "CREATE"
		}
	}
	for table, stays := range there {
		if stays {
			made = append(made, table)
		}
	}
	slices.Sort(made)
	return made
}

// small contains the rules for the examples below.
const small = "| 1 | `money` | 0 | cents | |\n" +
	"| 4 | `db/sqlite` | 3 | SQLite | |\n" +
	"| 5 | `db` | 4 | transactions | `settings` |\n" +
	"| 6 | `ledger` | 5 | transfers | `accounts` `transfers` |\n" +
	"| 6 | `httpapi` | 5 | routes | |\n" +
	"| 8 | `market/index` | 7 | search | |\n" +
	"| 8 | `market/match` | 7, no HTTP | rules | |\n" +
	"| 9 | `market` | 8 | sales | `sales` |\n" +
	"| 9 | `deposits` | 8 | deposits | |\n" +
	"| 11 | `verify` | 0 | checks | |\n" +
	"| 11 | `loadgen` | 0, `verify` | load | |\n" +
	"| 12 | `app` | 11 | wiring | |\n" +
	"| `market` | `accounts` | a reason |\n"

func TestRuleViolationsAreFound(t *testing.T) {
	for _, example := range []struct{ path, source, wrong string }{
		{"internal/money/a.go", `import "kaibao/internal/ledger"`, "it is in layer 6, and money may import layers up to 0"},
		{"internal/money/a.go", `import "context"`, "the package is pure"},
		{"internal/money/a_test.go", `import "net/url"`, "the package is pure"},
		{"internal/money/a.go", `import "database/sql/driver"`, "the package is pure"},
		{"internal/market/a.go", `import "kaibao/internal/deposits"`, "it is in layer 9, and market may import layers up to 8"},
		{"internal/market/a.go", `import "kaibao/internal/news"`, "it is in layer 0, and market may import layers up to 8"},
		{"internal/market/match/a.go", `import "net/http"`, "the package is without HTTP"},
		{"internal/market/match/a_test.go", `import "net/http/httptest"`, "the package is without HTTP"},
		{"internal/market/match/a.go", `import "github.com/danielgtaylor/huma/v2"`, "the package is without HTTP"},
		{"internal/market/match/a.go", `import "kaibao/internal/httpapi"`, "the package is without HTTP"},
		{"internal/market/a_test.go", `import "kaibao/internal/app"`, "it is in layer 12, and market may import layers up to 8"},
		{"internal/market/a.go", `import "kaibao/internal/app/apptest"`, "it is only for tests"},
		{"internal/market/a.go", `import "kaibao/internal/db/dbtest"`, "it is only for tests"},
		{"internal/market/a.go", `import _ "github.com/jackc/pgx/v5/stdlib"`, "only db/postgres imports it"},
		{"internal/db/a_test.go", `import "github.com/jackc/pgx/v5/pgconn"`, "only db/postgres imports it"},
		{"internal/db/sqlite/a.go", `import "github.com/pressly/goose/v3"`, "only db imports it"},
		{"internal/db/a.go", `import "math/rand"`, "use the transaction's randomness, or math/rand/v2 with a seed"},
		{"internal/news/a.go", ``, "package news has no layer"},

		{"internal/loadgen/a.go", `import "kaibao/internal/money"`, "it is in layer 1, and loadgen may import layers up to 0"},
		{"internal/verify/a.go", `import "kaibao/internal/loadgen"`, "it is in layer 11, and verify may import layers up to 0"},

		{"internal/loadgen/a.go", `import "kaibao/internal/verify"`, ""},
		{"internal/market/a.go", `import ("kaibao/internal/ledger"; "kaibao/internal/httpapi"; "net/http")`, ""},
		{"internal/market/match/a.go", `import "kaibao/internal/ledger"`, ""},
		{"internal/market/a.go", `import "kaibao/internal/market/art"`, ""},
		{"internal/market/a.go", `import "kaibao/internal/market/index"`, ""},
		{"internal/market/index/a.go", `import "kaibao/internal/market"`, "it is in layer 9, and market/index may import layers up to 7"},
		{"internal/market/index/a_test.go", `import "kaibao/internal/market"`, ""},
		{"internal/market/a_test.go", `import ("kaibao/internal/app/apptest"; "kaibao/internal/db/dbtest")`, ""},
		{"internal/db/a.go", `import ("github.com/pressly/goose/v3"; "math/rand/v2"; "context")`, ""},
		{"internal/db/sqlite/a.go", `import "github.com/mattn/go-sqlite3"`, ""},
		{"internal/money/a.go", `import "netip"`, ""},

		{"internal/market/sql.go", "const a = `SELECT a\n FROM sales, transfers`", "reads transfers, which is ledger's"},
		{"internal/market/sql.go", "const a = `SELECT a FROM sales s JOIN transfers t ON t.a = s.a`", "reads transfers, which is ledger's"},
		{"internal/market/sql.go", `const a = b + "DELETE FROM " + "accounts"`, "writes accounts, which is ledger's"},
		{"internal/market/sql.go", `const a = "UPDATE accounts SET nonce = 0"`, "writes accounts, which is ledger's"},
		{"internal/market/sql.go", `const a = "INSERT INTO accounts (a) VALUES ($1)"`, "writes accounts, which is ledger's"},
		{"internal/market/sql.go", `var a = tx.InsertRows("accounts", rows)`, "writes accounts, which is ledger's"},
		{"internal/market/sql.go", `var a = tx.UpsertRows("accounts", rows, "(a) DO NOTHING", nil)`, "writes accounts, which is ledger's"},
		{"internal/deposits/sql.go", `const a = "SELECT a FROM accounts"`, "reads accounts, which is ledger's"},

		{"internal/market/sql.go", `const a = "SELECT a FROM sales JOIN accounts ON TRUE" + "UPDATE sales SET a = 1"`, ""},
		{"internal/market/sql.go", `const a = "SELECT SUM(transfers) AS transfers FROM x"`, ""},
	} {
		h := parseRules(t, small)
		file := parse(t, example.path, []byte("package a\n"+example.source+"\n"))
		wrong := strings.Join(append(h.imports(example.path, file), h.queries(example.path, file)...), "; ")
		if (wrong == "") != (example.wrong == "") || !strings.HasSuffix(wrong, example.wrong) {
			t.Errorf("%s with %s: %q, want %q", example.path, example.source, wrong, example.wrong)
		}
	}
}
