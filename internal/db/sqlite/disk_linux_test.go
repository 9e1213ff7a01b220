package sqlite

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"kaibao/internal/db/engine"
)

// A transaction that doesn't fit on the disk fails and leaves nothing: not for this process, and
// not after a crash. The next one succeeds once there is space again.
func TestFullDiskUndoesTheTransaction(t *testing.T) {
	for name, c := range map[string]struct {
		cache int64 // bytes
		rows  int   // of 600 bytes
		room  int64 // bytes; below 0 nothing can be written at all
	}{
		"no space, one row":                   {16 << 20, 1, -1},
		"no space, many rows":                 {16 << 20, 5000, 0},
		"little space, fails at the commit":   {16 << 20, 5000, 300 << 10},
		"little space, fails at the sync":     {16 << 20, 1000, 100 << 10},
		"no space, larger than the cache":     {64 << 10, 5000, 0},
		"little space, larger than the cache": {64 << 10, 5000, 300 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			e := open(t, Options{Dir: dir, Cache: c.cache})
			if err := e.Write(t.Context(), insert("before")); err != nil {
				t.Fatal(err)
			}
			log, err := os.Stat(filepath.Join(dir, File+"-wal"))
			if err != nil {
				t.Fatal(err)
			}
			limit := log.Size() + c.room
			if c.room < 0 {
				limit = 0
			}
			free := limitFiles(t, limit)
			err = e.Write(t.Context(), func(ctx context.Context, conn engine.Conn) error {
				for i := range c.rows {
					if _, err := conn.Exec(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2)`, []any{fmt.Sprint("lost ", i), strings.Repeat("x", 600)}); err != nil {
						return err
					}
				}
				return nil
			})
			free()
			if err == nil {
				t.Fatal("there was enough space")
			}
			if got := committedNames(t, e); !slices.Equal(got, []string{"before"}) {
				t.Errorf("after the failure the names are %.100q", got)
			}
			if got := committedNames(t, afterCrash(t, dir)); !slices.Equal(got, []string{"before"}) {
				t.Errorf("after a crash the names are %.100q", got)
			}
			if err := e.Write(t.Context(), insert("next")); err != nil {
				t.Fatalf("with space again: %v", err)
			}
			if got := committedNames(t, afterCrash(t, dir)); !slices.Equal(got, []string{"before", "next"}) {
				t.Errorf("after the next commit and a crash: %.100q", got)
			}
		})
	}
}

// afterCrash opens a copy of a database's files.
func afterCrash(t *testing.T, dir string) *Engine {
	t.Helper()
	copied := t.TempDir()
	for _, name := range []string{File, File + "-wal"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(copied, name), text, ownerOnly)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return open(t, Options{Dir: copied})
}

// limitFiles limits the size of every file that this process writes until the returned function is
// called.
func limitFiles(t *testing.T, size int64) (free func()) {
	t.Helper()
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	set := func(limit syscall.Rlimit) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			t.Fatal(err)
		}
	}
	set(syscall.Rlimit{Cur: uint64(size), Max: before.Max})
	return func() {
		set(before)
		signal.Reset(syscall.SIGXFSZ)
	}
}
