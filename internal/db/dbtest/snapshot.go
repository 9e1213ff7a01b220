package dbtest

import (
	"errors"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"

	"kaibao/internal/db"
)

// Snapshot is a copy of a database and its data directory. Expensive data is created once and
// copied for each test.
type Snapshot struct {
	files    fs.FS
	template string // name of the database on the PostgreSQL server; it is never dropped
}

// TakeSnapshot calls fill to create a database on engine and returns a snapshot of it. fill must
// close the database. Both engines get a data directory.
func TakeSnapshot(t testing.TB, engine string, fill func(o db.Options)) Snapshot {
	t.Helper()
	var s Snapshot
	o := db.Options{Dir: t.TempDir()}
	if engine == "postgres" {
		s.template = "t" + randomHex()
		execOnServer(t, "CREATE DATABASE "+s.template)
		o.URL = databaseURL(t, s.template)
	}
	fill(o)
	folder, err := copyToMemory(os.DirFS(o.Dir))
	if err != nil {
		t.Fatalf("copy the data directory to memory: %v", err)
	}
	s.files = folder
	return s
}

// Copy returns the options of a copy, which is dropped when the test ends.
func (s Snapshot) Copy(t testing.TB) db.Options {
	t.Helper()
	o := db.Options{Dir: t.TempDir()}
	if err := os.CopyFS(o.Dir, s.files); err != nil {
		t.Fatalf("copy a database: %v", err)
	}
	if s.template != "" {
		o.URL = Database(t, s.template)
	}
	return o
}

// copyToMemory copies all files of a directory to memory, because the directory is removed when its
// test ends.
func copyToMemory(folder fs.FS) (fs.FS, error) {
	files := fstest.MapFS{}
	err := fs.WalkDir(folder, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(folder, path)
		info, e := entry.Info()
		if err := errors.Join(err, e); err != nil {
			return err
		}
		files[path] = &fstest.MapFile{Data: content, Mode: info.Mode()}
		return nil
	})
	return files, err
}
