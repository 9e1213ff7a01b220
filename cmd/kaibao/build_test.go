package main

import (
	"archive/zip"
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

// releasedProgram returns the path of the program of the last release. It is built once.
func releasedProgram(t *testing.T) string {
	t.Helper()
	path, err := builtReleased()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// builtReleased builds the archived source of the last release (CONTRIBUTING.md says how it is
// archived), because a clone may not have that commit.
var builtReleased = sync.OnceValues(func() (string, error) {
	archives, err := filepath.Glob("testdata/released/*.zip")
	if err != nil {
		return "", err
	}
	if len(archives) != 1 {
		return "", fmt.Errorf("want the archived source of one release, got %q", archives)
	}
	source, err := zip.OpenReader(archives[0])
	if err != nil {
		return "", err
	}
	defer func() { _ = source.Close() }()
	dir := filepath.Join(programs, "released")
	if err := os.CopyFS(dir, source); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "kaibao")
	// With -trimpath the build cache doesn't depend on the folder.
	return path, goBuild(filepath.Join(dir, "cmd", "kaibao"), path, "-trimpath")
})

// buildProgram builds this program with some source files added or replaced, and returns its path.
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
	return path, goBuild(".", path, "-overlay", overlayFile)
}

// goBuild builds the program in a folder, without debug information, which halves the time to link.
func goBuild(folder, program string, flags ...string) error {
	build := exec.Command("go", append([]string{"build", "-ldflags=-w", "-o", program}, flags...)...)
	build.Dir = folder
	build.Env = append(os.Environ(), "GOGC=400") // compiles faster
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}
