package tools

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scripts/vulncheck exits 1 for vulnerabilities, 2 if a database doesn't answer, and says which.
func TestVulncheckTellsVulnerableFromUnchecked(t *testing.T) {
	dir := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	write("scripts/vulncheck", read(t, "../scripts/vulncheck"))
	const clean, vulnerable, silent = "exit 0", `echo '{"auditReportVersion": 2}'; exit 1`, "exit 1"
	for _, c := range []struct {
		goExit, npm string
		code        int
		want        []string
	}{
		{"exit 0", clean, 0, []string{"no known vulnerabilities"}},
		{"exit 3", clean, 1, []string{"known vulnerabilities found"}},
		{"exit 1", clean, 2, []string{"the server is not checked"}},
		{"exit 0", vulnerable, 1, []string{"known vulnerabilities found"}},
		{"exit 0", silent, 2, []string{"the web app is not checked"}},
		{"exit 1", silent, 2, []string{"the server is not checked", "the web app is not checked"}},
		{"exit 3", silent, 1, []string{"the web app is not checked", "known vulnerabilities found"}},
	} {
		write("bin/govulncheck", "#!/bin/sh\n"+c.goExit+"\n")
		write("npm", "#!/bin/sh\n"+c.npm+"\n")
		check := exec.CommandContext(t.Context(), filepath.Join(dir, "scripts", "vulncheck"))
		check.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		out, err := check.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if code := check.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), want) {
				t.Errorf("govulncheck: %s, npm: %s: exit %d, want %d and %q: %s", c.goExit, c.npm, code, c.code, want, out)
			}
		}
	}
}
