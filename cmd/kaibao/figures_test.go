package main

import (
	"archive/zip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// figure matches a number in a constant of the policy.
var figure = regexp.MustCompile(`(?m)^(\t\w+\b[^=\n]*= *)([1-9][0-9_]*)`)

// A program with all policy constants changed still verifies every archived log: verification
// depends only on the protocol.
func TestArchivedLogsVerifyWithOtherPolicy(t *testing.T) {
	t.Parallel()
	const source = "../../internal/policy/policy.go"
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	if figures := len(figure.FindAll(text, -1)); figures < 60 {
		t.Fatalf("only %d figures are changed", figures)
	}
	other, err := buildProgram("other-policy", map[string]string{source: figure.ReplaceAllString(string(text), "${1}(1+$2)")})
	if err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob("../../internal/app/testdata/kept/*.zip")
	if err != nil || len(kept) == 0 {
		t.Fatal(kept, err)
	}
	for _, archive := range kept {
		t.Run(filepath.Base(archive), func(t *testing.T) {
			mirror := mirrorOf(t, archive)
			out, err := exec.CommandContext(t.Context(), other, "verify", "log", mirror).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "all checks passed") {
				t.Errorf("the archived log doesn't verify: %v: %s", err, out)
			}
		})
	}
}

// mirrorOf unpacks the mirror in an archived database.
func mirrorOf(t *testing.T, archive string) (dir string) {
	t.Helper()
	packed, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = packed.Close() }()
	dir = t.TempDir()
	for _, f := range packed.File {
		name, ok := strings.CutPrefix(f.Name, "mirror/")
		if !ok || f.FileInfo().IsDir() {
			continue
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o750); err != nil {
			t.Fatal(err)
		}
		put(t, to, data)
	}
	return dir
}
