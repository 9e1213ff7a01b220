package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// programs is the folder of the programs that the tests build.
var programs string

// newerProgram returns the path of this program with one more migration. It is built once.
func newerProgram(t *testing.T) string {
	t.Helper()
	path, err := builtNewer()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var builtNewer = sync.OnceValues(func() (string, error) {
	const migration = "../../internal/db/migrations/99999_next.sql"
	return buildProgram("newer", map[string]string{migration: "INSERT INTO settings (name, value) VALUES ('next', '');"})
})

// buildProgram builds this program with some source files added or replaced, and returns its path.
// It leaves out debug information, which halves the time to link.
func buildProgram(name string, replaced map[string]string) (path string, err error) {
	dir := filepath.Join(programs, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	files := map[string]string{}
	for file, text := range replaced {
		original, err := filepath.Abs(file)
		if err != nil {
			return "", err
		}
		files[original] = filepath.Join(dir, filepath.Base(file))
		if err := os.WriteFile(files[original], []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		return "", err
	}
	overlayFile := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlayFile, overlay, 0o600); err != nil {
		return "", err
	}
	path = filepath.Join(dir, "kaibao")
	build := exec.Command("go", "build", "-ldflags=-w", "-overlay", overlayFile, "-o", path, ".")
	build.Env = append(os.Environ(), "GOGC=400") // compiles faster
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
}
