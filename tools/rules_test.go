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
	finding string // the rule's message
}

var probes = []probe{
	{in: "internal/opening", imports: `"time"`, body: `var _ = time.Now()`, finding: "real-clock"},
	{in: "internal/opening", imports: `"time"`, body: `func init() { time.Sleep(1) }`, finding: "wait-without-end"},
	{in: "internal/opening", imports: `"math/rand/v2"`, body: `var _ = rand.IntN(6)`, finding: "real-randomness"},
	{in: "internal/opening", imports: `"crypto/rand"`, body: `var _ = rand.Text()`, finding: "real-randomness"},
	{in: "internal/opening", imports: `"fmt"`, body: `func init() { fmt.Println() }`, finding: "print-to-terminal"},
	{in: "internal/opening", imports: `"time"`, body: `func init() { time.Sleep(1) }`, file: "probe_test.go", finding: "wait-without-end"},
	{in: "internal/db", imports: `"time"`, body: `func init() { time.Sleep(1) }`, file: "probe_test.go", finding: "wait-without-end"},

	{in: "internal/db", imports: `"time"`, body: `var _ = time.Now()`},
	{in: "internal/opening", imports: `"math/rand/v2"`, body: `var _ = rand.New(rand.NewPCG(1, 2)).IntN(6)`},
	{in: "cmd", imports: `"fmt"`, body: `func init() { fmt.Println() }`},
}

// TestRulesCatchWhatTheyForbid runs the linter with the repository's settings over
// a module of the same name that holds nothing but the probes.
func TestRulesCatchWhatTheyForbid(t *testing.T) {
	findings := lint(t, writeProbes(t))
	for i, p := range probes {
		got := strings.Join(findings[p.path(i)], "; ")
		if (got == "") != (p.finding == "") || !strings.Contains(got, p.finding) {
			t.Errorf("%s with %s %s: %q, want %q", p.in, p.imports, p.body, got, p.finding)
		}
	}
}

// writeProbes makes the probe module.
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

// path gives every probe a package of its own.
func (p probe) path(number int) string {
	return filepath.Join(p.in, "probe"+strconv.Itoa(number), cmp.Or(p.file, "probe.go"))
}

// lint gives what the rules of our own found, by file.
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
		if path := strings.TrimPrefix(issue.Pos.Filename, root+"/"); issue.FromLinter == "forbidigo" {
			findings[path] = append(findings[path], issue.Text)
		}
	}
	return findings
}
