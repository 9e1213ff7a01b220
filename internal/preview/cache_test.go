package preview

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"
)

const testFile = 1000 // bytes

func testCache(dir string, clock *fakeClock) *cache {
	return newCache(dir, 5*(testFile+sha256.Size), slog.New(slog.DiscardHandler), clock.Now)
}

func body(n int) []byte { return bytes.Repeat([]byte{byte(n)}, testFile) }

// stored returns which of the files 0 to 9 are in the cache. It doesn't use them.
func (c *cache) stored() string {
	found := ""
	for n := range 10 {
		if c.files.Contains(fmt.Sprint(n)) {
			found += fmt.Sprint(n)
		}
	}
	return found
}

func TestCacheDeletesTheLeastRecentlyUsed(t *testing.T) {
	dir, clock := filepath.Join(t.TempDir(), "a", "b"), &fakeClock{}
	c := testCache(dir, clock)
	for n := range 5 {
		c.put(fmt.Sprint(n), body(n))
		clock.advance(time.Minute)
	}
	if got, ok := c.get("0"); !ok || !bytes.Equal(got, body(0)) {
		t.Error("file 0 isn't in the cache")
	}
	c.put("5", body(5))
	c.put("5", body(5)) // counts once
	if got := c.stored(); got != "02345" {
		t.Errorf("the cache has %s, want 02345", got)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 5 {
		t.Errorf("the folder has %d files (%v)", len(files), err)
	}
	c.put("6", bytes.Repeat([]byte{6}, 3*testFile))
	if got := c.stored(); got != "056" || c.total > c.max {
		t.Errorf("after a large file the cache has %s and %d bytes", got, c.total)
	}
}

func TestCacheKnowsTheLastUseAfterARestart(t *testing.T) {
	dir, clock := t.TempDir(), &fakeClock{}
	c := testCache(dir, clock)
	for n := range 4 {
		c.put(fmt.Sprint(n), body(n))
		at := clock.Now()
		if err := os.Chtimes(filepath.Join(dir, fmt.Sprint(n)), at, at); err != nil {
			t.Fatal(err)
		}
		clock.advance(time.Minute)
	}
	clock.advance(useRecorded)
	c.get("0")
	left := filepath.Join(dir, temporary+"123")
	if err := os.WriteFile(left, body(9), 0o600); err != nil {
		t.Fatal(err)
	}
	old := clock.Now().Add(-2 * useRecorded)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}
	c = testCache(dir, clock)
	c.put("4", body(4))
	c.put("5", body(5))
	if got := c.stored(); got != "02345" {
		t.Errorf("the cache has %s, want all but the least recently used", got)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("the file that a crash left is still there (%v)", err)
	}
}

func TestDamagedFilesAreMisses(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"deleted":   os.Remove,
		"empty":     func(path string) error { return os.Truncate(path, 0) },
		"cut off":   func(path string) error { return os.Truncate(path, 500) },
		"changed":   func(path string) error { return os.WriteFile(path, make([]byte, testFile+sha256.Size), 0o600) },
		"no folder": func(path string) error { return os.RemoveAll(filepath.Dir(path)) },
	} {
		dir := filepath.Join(t.TempDir(), "previews")
		c := testCache(dir, &fakeClock{})
		c.put("1", body(1))
		if err := damage(filepath.Join(dir, "1")); err != nil {
			t.Fatal(err)
		}
		if _, ok := c.get("1"); ok || c.total != 0 {
			t.Errorf("%s: the file is a hit, or still counted (%d bytes)", name, c.total)
		}
		if !c.put("1", body(1)) {
			t.Errorf("%s: the file can't be stored again", name)
		}
		if got, ok := c.get("1"); !ok || !bytes.Equal(got, body(1)) {
			t.Errorf("%s: the file that was stored again is a miss", name)
		}
	}
}
