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
	imports string
	body    string
	file    string // default probe.go
	linter  string // default forbidigo
	finding string // the rule's message
}

var probes = []probe{
	{in: "internal/opening", imports: `"time"`, body: `var _ = time.Now()`, finding: "real-clock"},
	{in: "internal/opening", imports: `"time"`, body: `func init() { time.Sleep(1) }`, finding: "wait-without-end"},
	{in: "internal/opening", imports: `"time"`, body: `func init() { <-time.After(1) }`, finding: "wait-without-end"},
	{in: "internal/opening", imports: `"math/rand/v2"`, body: `var _ = rand.IntN(6)`, finding: "real-randomness"},
	{in: "internal/opening", imports: `"crypto/rand"`, body: `var _ = rand.Text()`, finding: "real-randomness"},
	{in: "internal/opening", imports: `"fmt"`, body: `func init() { fmt.Println() }`, finding: "print-to-terminal"},
	{in: "internal/opening", imports: `"time"`, body: `func init() { time.Sleep(1) }`, file: "probe_test.go", finding: "wait-without-end"},
	{in: "internal/db", imports: `"time"`, body: `func init() { time.Sleep(1) }`, file: "probe_test.go", finding: "wait-without-end"},
	{in: "internal/approval", imports: `"time"`, body: `var _ = time.Now()`, finding: "real-clock"}, // its name starts like app

	{in: "internal/db", imports: `"time"`, body: `var _ = time.Now()`},
	{in: "internal/opening", imports: `"time"`, body: `var _ = time.Now()`, file: "probe_test.go"},
	{in: "internal/opening", imports: `"math/rand/v2"`, body: `var _ = rand.New(rand.NewPCG(1, 2)).IntN(6)`},
	{in: "cmd", imports: `"fmt"`, body: "func init() { fmt.Println() }\n\nvar Given = 1"},

	// Linters that we added ourselves must report something.
	{in: "internal/opening", imports: `"os"`, body: `func init() { os.Remove("a") }`, linter: "errcheck", finding: "unchecked error"},
	{in: "internal/opening", imports: `"time"`, body: `func init() { for range 2 { defer time.Local.String() } }`, linter: "gocritic", finding: "deferInLoop"},
	{in: "internal/opening", imports: "(\n\t\"kaibao/cmd/probe12\"\n\t\"time\"\n)", body: `var _, _ = probe.Given, time.Local`, linter: "goimports", finding: "run goimports"},
	{in: "internal/opening", imports: `"time"`, body: "// Zone is recieved.\nvar Zone = time.Local", linter: "misspell", finding: `"recieved" is a misspelling of "received"`},
	{in: "internal/opening", imports: `"time"`, body: `func Zone() *time.Location { return time.Local }`, linter: "revive", finding: "exported function Zone should have comment"},
	{in: "internal/opening", imports: `"time"`, body: `var _ = time.Local == time.Local`, linter: "SA4000", finding: "identical expressions"},
	{in: "internal/opening", imports: `"time"`, body: `var _ = time.Duration(time.Second)`, linter: "unconvert", finding: "unnecessary conversion"},
	{in: "internal/opening", imports: `"time"`, body: "func sum(a, b time.Duration) time.Duration { return a + 1 }\n\nvar _ = sum(1, 2) + sum(2, 3)", linter: "unparam", finding: "b is unused"},
	{in: "internal/opening", imports: `"time"`, body: "func sum(a, b time.Duration) time.Duration { return a + b }\n\nvar _ = sum(1, 2) + sum(2, 2)", linter: "unparam"}, // a helper that nobody varies yet
	{in: "internal/opening", imports: `"time"`, body: `var zone = time.Local`, linter: "unused", finding: "var zone is unused"},
}

// TestRulesFindViolations runs the linter on a module of the same name that contains only the
// probes.
func TestRulesFindViolations(t *testing.T) {
	found := lint(t, writeProbes(t))
	for i, p := range probes {
		got := ""
		for line := range strings.Lines(found) {
			if strings.Contains(line, p.path(i)) && strings.Contains(line, ": "+cmp.Or(p.linter, "forbidigo")+": ") {
				got += line
			}
		}
		if (got == "") != (p.finding == "") || !strings.Contains(got, p.finding) {
			t.Errorf("%s with %s %s: %q, want %q", p.in, p.imports, p.body, got, p.finding)
		}
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
	for i, p := range probes {
		write(p.path(i), "package probe\n\nimport "+p.imports+"\n\n"+p.body+"\n")
	}
	return root
}

// path puts every probe into a package of its own.
func (p probe) path(number int) string {
	return filepath.Join(p.in, "probe"+strconv.Itoa(number), cmp.Or(p.file, "probe.go"))
}

// lint returns the linter's output for a module.
func lint(t *testing.T, root string) string {
	t.Helper()
	linter, err := filepath.Abs("../bin/lint")
	if err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command("go", "build", "-o", linter, "./lint").CombinedOutput(); err != nil {
		t.Fatalf("building the linter: %v\n%s", err, output)
	}
	run := exec.Command("go", "vet", "-vettool="+linter, "./...")
	run.Dir = root
	run.Env = append(os.Environ(), "GOWORK=off")
	output, err := run.CombinedOutput()
	if err == nil {
		t.Fatalf("nothing was found: %s", output)
	}
	return string(output)
}
