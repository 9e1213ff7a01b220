package db

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// AddMigration adds a migration for databases opened until the test ends, as a newer program would
// have.
func AddMigration(t *testing.T, script string) {
	t.Helper()
	all := copyMigrations(t)
	all["migrations/99999_next.sql"] = &fstest.MapFile{Data: []byte(script)}
	replaceMigrations(t, all)
}

// FirstMigration removes all migrations but the first one, as in the oldest program, until restore is
// called.
func FirstMigration(t *testing.T) (restore func()) {
	t.Helper()
	before := migrations
	const first = "migrations/00001_base.sql"
	replaceMigrations(t, fstest.MapFS{first: copyMigrations(t)[first]})
	return func() { migrations = before }
}

func copyMigrations(t *testing.T) fstest.MapFS {
	t.Helper()
	all := fstest.MapFS{}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(migrations, file)
		if err != nil {
			t.Fatal(err)
		}
		all[file] = &fstest.MapFile{Data: text}
	}
	return all
}

func replaceMigrations(t *testing.T, files fs.FS) {
	before := migrations
	migrations = files
	t.Cleanup(func() { migrations = before })
}

// ShiftServerClock shifts the server's clock by a number of microseconds. It reports whether the
// engine has such a clock.
func (d *DB) ShiftServerClock(by string) bool {
	own, _, _ := strings.Cut(d.dialect.Clock, clockShift)
	if own != "" {
		d.dialect.Clock = own + clockShift + by
	}
	return own != ""
}

const clockShift = " /* shifted */ "
