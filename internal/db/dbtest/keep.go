package dbtest

import (
	"errors"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"kaibao/internal/db"
)

// Kept is a snapshot of a database and its data directory. Expensive data is created once and
// copied for each test.
type Kept struct {
	folder   fs.FS
	template string // name of the database on the PostgreSQL server; it is never dropped
}

// Keep calls fill to create a database on engine and returns a snapshot of it. fill must close the
// database. Both engines get a data directory.
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

// Copy returns the options of a copy, which is dropped when the test ends.
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

// inMemory copies all files of a directory to memory, as the directory is removed when its test
// ends.
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
