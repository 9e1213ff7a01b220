package dbtest

import (
	"errors"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"kaibao/internal/db"
)

// Kept is a database, with the folder beside it, as somebody left it: what takes long to
// make is made once, and copied for each test.
type Kept struct {
	folder   fs.FS
	template string // on the PostgreSQL server; it stays until that ends
}

// Keep has fill make a database on engine, and leave it, in a folder that both engines have.
func Keep(t testing.TB, engine string, fill func(o db.Options)) Kept {
	t.Helper()
	var k Kept
	o := db.Options{Dir: t.TempDir()}
	if engine == "postgres" {
		k.template = "t" + randomHex()
		manage(t, "CREATE DATABASE "+k.template)
		o.URL = at(t, k.template)
	}
	fill(o)
	folder, err := inMemory(os.DirFS(o.Dir))
	if err != nil {
		t.Fatalf("keep a database: %v", err)
	}
	k.folder = folder
	return k
}

// Copy are the options of a copy, dropped when the test ends.
func (k Kept) Copy(t testing.TB) db.Options {
	t.Helper()
	o := db.Options{Dir: t.TempDir()}
	if err := os.CopyFS(o.Dir, k.folder); err != nil {
		t.Fatalf("copy a database: %v", err)
	}
	if k.template != "" {
		o.URL = Database(t, k.template)
	}
	return o
}

// inMemory is all files of a folder, which ends with the test that made it.
func inMemory(folder fs.FS) (fs.FS, error) {
	kept := fstest.MapFS{}
	err := fs.WalkDir(folder, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(folder, path)
		info, e := entry.Info()
		if err := errors.Join(err, e); err != nil {
			return err
		}
		kept[path] = &fstest.MapFile{Data: content, Mode: info.Mode()}
		return nil
	})
	return kept, err
}
