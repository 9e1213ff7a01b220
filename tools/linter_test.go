package tools

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// probe is a file that violates one rule, and the expected finding. A probe without a finding must
// pass: a rule that forbids everything proves nothing.
type probe struct {
	in      string // folder in which the file is placed
	imports string // separated by spaces
	body    string
	file    string // default probe.go
	linter  string // default forbidigo
	finding string // the rule's message
}

const (
	useTx   = "tx.Now"
	useRand = "tx.Random"
	useWait = "wait for an event"
)

var probes = []probe{
	{in: "internal/opening", imports: "time", body: `var _ = time.Now()`, finding: useTx},
	{in: "internal/opening", imports: "time", body: `func init() { time.Sleep(1) }`, finding: useWait},
	{in: "internal/opening", imports: "time", body: `func init() { <-time.After(1) }`, finding: "time.NewTimer"},
	{in: "internal/opening", imports: "math/rand/v2", body: `var _ = rand.IntN(6)`, finding: useRand},
	{in: "internal/opening", imports: "crypto/rand", body: `var _ = rand.Text()`, finding: useRand},
	{in: "internal/opening", imports: "fmt", body: `func init() { fmt.Println() }`, finding: "log with slog"},
	{in: "internal/opening", imports: "time", body: `func init() { time.Sleep(1) }`, file: "probe_test.go", finding: useWait},
	{in: "internal/db", imports: "time", body: `func init() { time.Sleep(1) }`, file: "probe_test.go", finding: useWait},
	{in: "internal/approval", imports: "time", body: `var _ = time.Now()`, finding: useTx}, // its name starts like app

	{in: "internal/db", imports: "time", body: `var _ = time.Now()`},
	{in: "internal/opening", imports: "time", body: `var _ = time.Now()`, file: "probe_test.go"},
	{in: "internal/opening", imports: "math/rand/v2", body: `var _ = rand.New(rand.NewPCG(1, 2)).IntN(6)`},
	{in: "cmd", imports: "fmt", body: "func init() { fmt.Println() }\n\nvar Given = 1"},

	// The other linters, and the checks that .golangci.yml turns on or off.
	{in: "internal/opening", imports: "net/http", body: "func get() bool {\n\tr, err := http.DefaultClient.Get(\"a\")\n\treturn err == nil && r.Close\n}\n\nvar _ = get()", linter: "bodyclose", finding: "response body must be closed"},
	{in: "internal/opening", imports: "os", body: `func init() { os.Remove("a") }`, linter: "errcheck", finding: "is not checked"},
	{in: "internal/opening", imports: "os", body: `var _ = os.Remove("a") == os.ErrExist`, linter: "errorlint", finding: "errors.Is"},
	{in: "internal/opening", imports: "time", body: `func init() { for range 2 { defer time.Local.String() } }`, linter: "gocritic", finding: "deferInLoop"},
	{in: "internal/opening", imports: "time", body: `var _  =  time.Local`, linter: "gofmt", finding: "not properly formatted"},
	{in: "internal/opening", imports: "kaibao/cmd/probe12 time", body: `var _, _ = probe.Given, time.Local`, linter: "goimports", finding: "not properly formatted"},
	{in: "internal/opening", imports: "time", body: "func init() {\n\tvar at *time.Time\n\tif at == nil {\n\t\t_ = *at\n\t}\n}", linter: "govet", finding: "nilness: nil dereference"},
	{in: "internal/opening", imports: "time", body: "func init() {\n\tat := time.UTC\n\tat = time.Local\n\t_ = at\n}", linter: "ineffassign", finding: "ineffectual assignment to at"},
	{in: "internal/opening", imports: "time", body: "// Zone is rec" + "ieved.\nvar Zone = time.Local", linter: "misspell", finding: "`rec" + "ieved` is a misspelling of `received`"},
	{in: "internal/opening", imports: "time", body: "func init() {\n\tfor i := 0; i < 3; i++ {\n\t\t_ = time.Month(i)\n\t}\n}", linter: "modernize", finding: "range over int"},
	{in: "internal/opening", imports: "os", body: "func remove() error {\n\tif err := os.Remove(\"a\"); err != nil {\n\t\treturn nil\n\t}\n\treturn os.Remove(\"b\")\n}\n\nvar _ = remove()", linter: "nilerr", finding: "returns nil"},
	{in: "internal/opening", imports: "time", body: `func Zone() *time.Location { return time.Local }`, linter: "revive", finding: "exported function Zone should have comment"},
	{in: "internal/opening", imports: "database/sql", body: "func ask(d *sql.DB) bool {\n\trows, err := d.Query(\"a\")\n\tif err != nil {\n\t\treturn false\n\t}\n\tdefer rows.Close()\n\treturn rows.Next()\n}\n\nvar _ = ask", linter: "rowserrcheck", finding: "rows.Err must be checked"},
	{in: "internal/opening", imports: "database/sql", body: "func ask(d *sql.DB) bool {\n\trows, err := d.Query(\"a\")\n\treturn err == nil && rows.Next() && rows.Err() == nil\n}\n\nvar _ = ask", linter: "sqlclosecheck", finding: "was not closed"},
	{in: "internal/opening", imports: "time", body: `var _ = time.Local == time.Local`, linter: "staticcheck", finding: "SA4000: identical expressions"},
	{in: "internal/opening", imports: "errors", body: `var errWrong = errors.New("Say what to do.")`, linter: "staticcheck"},
	{in: "internal/opening", imports: "time", body: `var _ = time.Duration(time.Second)`, linter: "unconvert", finding: "unnecessary conversion"},
	{in: "internal/opening", imports: "time", body: "func sum(a, b time.Duration) time.Duration { return a + 1 }\n\nvar _ = sum(1, 2) + sum(2, 3)", linter: "unparam", finding: "b is unused"},
	{in: "internal/opening", imports: "time", body: "func sum(a, b time.Duration) time.Duration { return a + b }\n\nvar _ = sum(1, 2) + sum(2, 2)", linter: "unparam"}, // a helper that all callers use the same way
	{in: "internal/opening", imports: "time", body: `var zone = time.Local`, linter: "unused", finding: "var zone is unused"},
	{in: "internal/opening", imports: "os testing", body: `func TestA(t *testing.T) { _ = os.Setenv("a", "b") }`, file: "probe_test.go", linter: "usetesting", finding: "t.Setenv"},
}

// TestRulesFindViolations runs the linter with our settings on a module of the same name that
// contains only the probes.
func TestRulesFindViolations(t *testing.T) {
	found := lint(t, writeProbes(t))
	for i, p := range probes {
		got := ""
		for line := range strings.Lines(found) {
			if strings.HasPrefix(line, p.path(i)+":") && strings.HasSuffix(line, "("+cmp.Or(p.linter, "forbidigo")+")\n") {
				got += line
			}
		}
		if (got == "") != (p.finding == "") || !strings.Contains(got, p.finding) {
			t.Errorf("%s with %s %s: %q, want %q", p.in, p.imports, p.body, got, p.finding)
		}
	}
	if t.Failed() {
		t.Log(found)
	}
}

// writeProbes creates the probe module.
func writeProbes(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	write := func(path, text string) {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module kaibao\n\ngo 1.26\n")
	write(".golangci.yml", read(t, "../.golangci.yml"))
	for i, p := range probes {
		write(p.path(i), p.source())
	}
	return root
}

// path puts every probe into a package of its own.
func (p probe) path(number int) string {
	return filepath.Join(p.in, "probe"+strconv.Itoa(number), cmp.Or(p.file, "probe.go"))
}

func (p probe) source() string {
	imports := strings.Join(strings.Fields(p.imports), "\"\n\t\"")
	return "package probe\n\nimport (\n\t\"" + imports + "\"\n)\n\n" + p.body + "\n"
}

// lint returns the linter's output for a module.
func lint(t *testing.T, root string) string {
	t.Helper()
	if output, err := exec.Command("make", "-C", "..", "bin/golangci-lint").CombinedOutput(); err != nil {
		t.Fatalf("building the linter: %v\n%s", err, output)
	}
	linter, err := filepath.Abs("../bin/golangci-lint")
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(linter, "run", "./...")
	run.Dir = root
	run.Env = append(os.Environ(), "GOWORK=off")
	output, err := run.CombinedOutput()
	if err == nil {
		t.Fatalf("nothing was found: %s", output)
	}
	return string(output)
}
