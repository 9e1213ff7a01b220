package tools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// probe is a file that breaks one rule and the finding that must follow. A probe
// without a finding must pass: a rule that forbids everything proves nothing.
type probe struct {
	in      string // the folder whose rules hold
	imports string
	body    string
	file    string // probe.go unless told
	finding string // "linter: part of the text"
}

var probes = []probe{
	{in: "internal/money", imports: `_ "kaibao/internal/fault"`, finding: "depguard: arrows-point-left"},
	{in: "internal/fault", imports: `_ "kaibao/internal/money"`, finding: "depguard: arrows-point-left"},
	{in: "internal/fair", imports: `_ "kaibao/internal/db"`, finding: "depguard: arrows-point-left"},
	{in: "internal/fair", imports: `_ "database/sql"`, finding: "depguard: pure-package"},
	{in: "internal/fair", imports: `_ "net/http"`, finding: "depguard: pure-package"},
	{in: "internal/fair", imports: `_ "context"`, finding: "depguard: pure-package"},
	{in: "internal/db", imports: `_ "kaibao/internal/ledger"`, finding: "depguard: arrows-point-left"},
	{in: "internal/db", imports: `_ "kaibao/internal/httpkit"`, finding: "depguard: arrows-point-left"},
	{in: "internal/httpkit", imports: `_ "kaibao/internal/tlog"`, finding: "depguard: arrows-point-left"},
	{in: "internal/audit", imports: `_ "kaibao/internal/httpkit"`, finding: "depguard: arrows-point-left"},
	{in: "internal/ledger", imports: `_ "kaibao/internal/tlog"`, finding: "depguard: arrows-point-left"},
	{in: "internal/tlog", imports: `_ "kaibao/internal/identity"`, finding: "depguard: arrows-point-left"},
	{in: "internal/identity", imports: `_ "kaibao/internal/guard"`, finding: "depguard: arrows-point-left"},
	{in: "internal/guard", imports: `_ "kaibao/internal/collection"`, finding: "depguard: arrows-point-left"},
	{in: "internal/catalogue", imports: `_ "kaibao/internal/opening"`, finding: "depguard: arrows-point-left"},
	{in: "internal/board", imports: `_ "kaibao/internal/market"`, finding: "depguard: arrows-point-left"},
	{in: "internal/collection", imports: `_ "kaibao/internal/opening"`, finding: "depguard: arrows-point-left"},
	{in: "internal/opening", imports: `_ "kaibao/internal/market"`, finding: "depguard: arrows-point-left"},
	{in: "internal/market", imports: `_ "kaibao/internal/claims"`, finding: "depguard: arrows-point-left"},
	{in: "internal/claims", imports: `_ "kaibao/internal/operate"`, finding: "depguard: arrows-point-left"},
	{in: "internal/topup", imports: `_ "kaibao/internal/app"`, finding: "depguard: arrows-point-left"},
	{in: "internal/operate", imports: `_ "kaibao/internal/app"`, finding: "depguard: arrows-point-left"},
	{in: "internal/opening", imports: `_ "kaibao/internal/app"`, file: "probe_test.go", finding: "depguard: arrows-point-left"},
	{in: "internal/opening", imports: `_ "kaibao/internal/db/dbtest"`, finding: "depguard: for-tests-alone"},
	{in: "internal/opening", imports: `_ "github.com/jackc/pgx/v5"`, finding: "depguard: engines-behind-db"},
	{in: "internal/opening", imports: `_ "math/rand"`, finding: "depguard: randomness-is-given"},

	{in: "internal/opening", imports: `_ "kaibao/internal/collection"`},
	{in: "internal/collection", imports: `_ "kaibao/internal/catalogue"`},
	{in: "internal/httpkit", imports: `_ "kaibao/internal/db"`},
	{in: "internal/ledger", imports: `_ "kaibao/internal/audit"`},
	{in: "internal/app", imports: `_ "kaibao/internal/operate"`},
	{in: "internal/opening", imports: `_ "kaibao/internal/app/apptest"`, file: "probe_test.go"},

	{in: "internal/opening", imports: `"time"`, body: `var _ = time.Now()`, finding: "forbidigo: real-clock"},
	{in: "internal/opening", imports: `"time"`, body: `func init() { time.Sleep(1) }`, finding: "forbidigo: wait-without-end"},
	{in: "internal/opening", imports: `"math/rand/v2"`, body: `var _ = rand.IntN(6)`, finding: "forbidigo: real-randomness"},
	{in: "internal/opening", imports: `"crypto/rand"`, body: `var _ = rand.Text()`, finding: "forbidigo: real-randomness"},
	{in: "internal/opening", imports: `"fmt"`, body: `func init() { fmt.Println() }`, finding: "forbidigo: print-to-terminal"},
	{in: "internal/opening", imports: `"time"`, body: `func init() { time.Sleep(1) }`, file: "probe_test.go", finding: "forbidigo: wait-without-end"},
	{in: "internal/db", imports: `"time"`, body: `func init() { time.Sleep(1) }`, file: "probe_test.go", finding: "forbidigo: wait-without-end"},

	{in: "internal/db", imports: `"time"`, body: `var _ = time.Now()`},
	{in: "internal/opening", imports: `"math/rand/v2"`, body: `var _ = rand.New(rand.NewPCG(1, 2)).IntN(6)`},
	{in: "cmd", imports: `"fmt"`, body: `func init() { fmt.Println() }`},
}

// TestRulesCatchWhatTheyForbid runs the linter with the repository's settings over
// a module of the same name that holds nothing but the probes.
func TestRulesCatchWhatTheyForbid(t *testing.T) {
	findings := lint(t, writeProbes(t))
	for i, p := range probes {
		var got []string
		for _, finding := range findings[p.path(i)] {
			if linter, _, _ := strings.Cut(finding, ":"); linter == "depguard" || linter == "forbidigo" {
				got = append(got, finding)
			}
		}
		if p.finding == "" && len(got) > 0 {
			t.Errorf("%s may import %s and say %q, but: %q", p.in, p.imports, p.body, got)
		}
		if p.finding != "" && !anyMatches(got, p.finding) {
			t.Errorf("%s with %s %s: no %q among %q", p.in, p.imports, p.body, p.finding, findings[p.path(i)])
		}
	}
}

func anyMatches(findings []string, want string) bool {
	linter, part, _ := strings.Cut(want, ": ")
	for _, finding := range findings {
		if strings.HasPrefix(finding, linter+":") && strings.Contains(finding, part) {
			return true
		}
	}
	return false
}

// writeProbes makes the probe module; each package that a probe lies in or imports
// exists.
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
	write("go.mod", "module kaibao\n\ngo 1.26\n\nrequire github.com/jackc/pgx/v5 v5.0.0\n\n"+
		"replace github.com/jackc/pgx/v5 => ./pgx\n")
	write("pgx/go.mod", "module github.com/jackc/pgx/v5\n")
	write("pgx/pgx.go", "// Package pgx stands for the driver.\npackage pgx\n")
	for i, p := range probes {
		write(p.path(i), "package probe\n\nimport "+p.imports+"\n\n"+p.body+"\n")
		if _, path, ours := strings.Cut(strings.Trim(p.imports, `_ "`), "kaibao/"); ours {
			write(path+"/doc.go", "package "+filepath.Base(path)+"\n")
		}
	}
	return root
}

// path gives every probe a package of its own, so that none closes a cycle.
func (p probe) path(number int) string {
	return filepath.Join(p.in, "probe"+strconv.Itoa(number), cmp.Or(p.file, "probe.go"))
}

// lint gives the findings by file as "linter: text".
func lint(t *testing.T, root string) map[string][]string {
	t.Helper()
	linter, err := exec.Command("go", "tool", "-n", "golangci-lint").Output()
	if err != nil {
		t.Fatalf("finding the linter: %v", err)
	}
	settings, err := filepath.Abs("../.golangci.yml")
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(strings.TrimSpace(string(linter)), "run", "--config", settings, "--path-mode", "abs",
		"--issues-exit-code", "0", "--output.json.path", "stdout", "--show-stats=false", "./...")
	run.Dir = root
	run.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var complaints bytes.Buffer
	run.Stderr = &complaints
	output, err := run.Output()
	if err != nil {
		t.Fatalf("linting: %v\n%s", err, complaints.String())
	}
	var report struct {
		Issues []struct {
			FromLinter, Text string
			Pos              struct{ Filename string }
		}
	}
	if err := json.Unmarshal(output, &report); err != nil {
		t.Fatalf("%v in %s", err, output)
	}
	findings := map[string][]string{}
	for _, issue := range report.Issues {
		path := strings.TrimPrefix(issue.Pos.Filename, root+"/")
		findings[path] = append(findings[path], issue.FromLinter+": "+issue.Text)
	}
	return findings
}
