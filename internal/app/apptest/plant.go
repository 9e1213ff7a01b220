package apptest

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"testing"
	"testing/fstest"

	"kaibao/internal/app"
	"kaibao/internal/db/dbtest"
)

// seedling is what a first start left: migrated, with the demo data, all of it in the
// signed log. The demo data takes a second to make, and none to copy.
type seedling struct {
	data     fs.FS
	database string // on the PostgreSQL server
}

// kind tells seedlings apart: what a clock moved by hand began at is in their rows.
type kind struct {
	engine string
	byHand bool
}

var (
	seedlings = map[kind]seedling{}
	growing   sync.Mutex
)

// planted is Config whose storage a first start has filled already; with a clock, one
// that showed the same.
func planted(t testing.TB, engine string, clock *dbtest.Clock) app.Config {
	t.Helper()
	s := seedlingOf(t, kind{engine, clock != nil})
	storage := app.Storage{Data: t.TempDir()}
	if err := os.CopyFS(storage.Data, s.data); err != nil {
		t.Fatalf("copy the data of a first start: %v", err)
	}
	if s.database != "" {
		storage.DatabaseURL = dbtest.Database(t, s.database)
	}
	config := configOn(storage)
	if clock != nil {
		config.Now = clock.Now
	}
	return config
}

func seedlingOf(t testing.TB, k kind) seedling {
	t.Helper()
	growing.Lock()
	defer growing.Unlock()
	if grown, ok := seedlings[k]; ok {
		return grown
	}
	var grown seedling
	var storage app.Storage
	storage.Data = t.TempDir()
	if k.engine == "postgres" {
		grown.database, storage.DatabaseURL = dbtest.Template(t)
	}
	config := configOn(storage)
	if k.byHand {
		config.Now = dbtest.NewClock().Now
	}
	s := Start(t, config)
	s.Settle(t)
	s.Stop()
	if err := s.DB.Close(); err != nil { // nobody may be in a database that is copied
		t.Fatalf("close the database: %v", err)
	}
	files, err := inMemory(os.DirFS(storage.Data))
	if err != nil {
		t.Fatalf("keep the data of a first start: %v", err)
	}
	grown.data = files
	seedlings[k] = grown
	return grown
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
