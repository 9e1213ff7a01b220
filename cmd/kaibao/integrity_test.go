package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/db/sqlite"
)

// Backup, restore, move and audit detect a corrupted page of items, and nothing is replaced with it.
func TestDamagedFileIsDetected(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "sqlite") {
		t.Log("only SQLite has a database file")
		return
	}
	config := apptest.Config(t, "sqlite")
	s := apptest.Start(t, config)
	s.SignIn(t).Deposit(t, 10)
	root := queryInt(t, s, `SELECT rootpage FROM sqlite_schema WHERE name = 'items'`)
	size := queryInt(t, s, `SELECT page_size FROM pragma_page_size`)
	s.Stop()
	if err := s.DB.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(config.Data, sqlite.File)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	leaf := firstLeaf(whole, root, size)
	for name, offset := range map[string]int64{"at its beginning": 0, "in its middle": size / 2, "at its end": size - 400} {
		t.Run(name, func(t *testing.T) {
			damaged := bytes.Clone(whole)
			for i := leaf + offset; i < leaf+offset+400; i++ {
				damaged[i] ^= 0xff
			}
			dir := t.TempDir()
			for _, key := range []string{"log.key", "seed.key", "address.key", "log.checkpoint"} {
				copyTo(t, filepath.Join(config.Data, key), filepath.Join(dir, key))
			}
			inPlace, file := filepath.Join(dir, sqlite.File), filepath.Join(t.TempDir(), "backup")
			wantDamaged := func(args ...string) {
				t.Helper()
				if out, code := run(t, append(args, "--data", dir)...); code != 1 || !strings.Contains(out, "damaged") {
					t.Errorf("%v: exit %d: %s", args, code, out)
				}
			}
			put(t, inPlace, damaged)
			wantDamaged("audit", "--full")
			wantDamaged("doctor", "--addr", "127.0.0.1:0")
			wantDamaged("backup", file)
			wantDamaged("move", "--to", "postgres://127.0.0.1:1/shop")
			if _, err := os.Stat(file); err == nil {
				t.Error("a damaged database was backed up")
			}
			wantDamaged("restore")

			put(t, file, damaged)
			put(t, inPlace, whole)
			wantDamaged("restore", file)
			if now, err := os.ReadFile(inPlace); err != nil || !bytes.Equal(now, whole) {
				t.Errorf("the database was replaced with a damaged one (%v)", err)
			}
			if left, err := filepath.Glob(inPlace + ".*[^k]"); err != nil || len(left) > 1 { // its lock files
				t.Errorf("left behind %q (%v)", left, err)
			}
		})
	}
}

// firstLeaf returns the offset of a table's first leaf page.
func firstLeaf(file []byte, page, size int64) int64 {
	const interior, childAt = 5, 12
	at := (page - 1) * size
	for file[at] == interior {
		cell := int64(binary.BigEndian.Uint16(file[at+childAt:]))
		at = (int64(binary.BigEndian.Uint32(file[at+cell:])) - 1) * size
	}
	return at
}

func queryInt(t *testing.T, s *apptest.Server, query string) (n int64) {
	t.Helper()
	if _, err := fmt.Sscan(text(t, s, query), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// An audit reports that PostgreSQL's files couldn't be checked, and still succeeds.
func TestFullAuditReportsUncheckedPostgres(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only on PostgreSQL")
		return
	}
	s := apptest.Start(t, apptest.Config(t, "postgres"))
	full := append([]string{"audit", "--full"}, storage(s)...)
	if out := succeed(t, full...); !strings.Contains(out, "CREATE EXTENSION amcheck") || !strings.Contains(out, "in order") {
		t.Errorf("without amcheck: %s", out)
	}
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { _, err := tx.Exec(`CREATE EXTENSION amcheck`); return err }); err != nil {
		t.Fatal(err)
	}
	if out := succeed(t, full...); strings.Contains(out, "not checked") {
		t.Errorf("with amcheck: %s", out)
	}
}
