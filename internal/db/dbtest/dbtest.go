// Package dbtest opens an empty test database on either engine.
package dbtest

import (
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kaibao/internal/db"
)

// ServerVariable is the environment variable with the URL of the PostgreSQL server for tests, as
// postgres://…. scripts/with-postgres sets it.
const ServerVariable = "KAIBAO_TEST_POSTGRES"

// Engines lists the engines that Each runs on. KAIBAO_TEST_ENGINES narrows it, for `make check`.
func Engines() []string {
	if only := os.Getenv("KAIBAO_TEST_ENGINES"); only != "" {
		return strings.Split(only, ",")
	}
	return []string{"sqlite", "postgres"}
}

// Each runs test once on every engine, each time on an empty database.
func Each(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	for _, engine := range Engines() {
		t.Run(engine, func(t *testing.T) { test(t, Open(t, Options(t, engine))) })
	}
}

// Options returns the options of a new database with an up-to-date schema. The database is dropped
// when the test ends.
func Options(t testing.TB, engine string) db.Options {
	t.Helper()
	mutex.Lock()
	defer mutex.Unlock()
	if _, ok := migrated[engine]; !ok {
		migrated[engine] = TakeSnapshot(t, engine, func(o db.Options) {
			d, err := db.Open(t.Context(), o)
			if err == nil {
				err = d.Close()
			}
			if err != nil {
				t.Fatalf("make a database: %v", err)
			}
		})
	}
	return migrated[engine].Copy(t)
}

var (
	migrated = map[string]Snapshot{}
	mutex    sync.Mutex
)

// Empty returns the options of a new database without a schema. The database is dropped when the
// test ends.
func Empty(t testing.TB, engine string) db.Options {
	t.Helper()
	o := db.Options{Dir: t.TempDir()}
	if engine == "postgres" {
		o.URL = Database(t, "template0")
	}
	return o
}

// Open opens a database until the test ends.
func Open(t testing.TB, o db.Options) *db.DB {
	t.Helper()
	d, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatalf("open the database: %v", err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Errorf("close the database: %v", err)
		}
	})
	return d
}

// AllowChanges makes an append-only table accept updates and deletes, from this transaction on.
func AllowChanges(t testing.TB, tx *db.Tx, engine, table string) {
	t.Helper()
	statements := []string{"DROP TRIGGER IF EXISTS " + table + "_kept", "DROP TRIGGER IF EXISTS " + table + "_kept_too"}
	if engine == "postgres" {
		statements = []string{"DROP TRIGGER IF EXISTS " + table + "_kept ON " + table, "DROP TRIGGER IF EXISTS " + table + "_erasable ON " + table}
	}
	for _, statement := range statements {
		if _, err := tx.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
}

// ID returns an id made from a name of at most 16 bytes. Such ids sort like their names.
func ID(name string) string {
	id, err := db.UnpackID([]byte(name + strings.Repeat("\x00", max(0, 16-len(name)))))
	if err != nil {
		panic("a name of more than 16 bytes: " + name)
	}
	return id
}

// Clock is a clock that only moves when a test advances it. It is safe for concurrent use.
type Clock struct{ micros atomic.Int64 }

// NewClock returns a clock set to 2026-03-04, 12:00 UTC.
func NewClock() *Clock {
	c := new(Clock)
	c.micros.Store(time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC).UnixMicro())
	return c
}

// Now returns the clock's time; pass it to db.Options.
func (c *Clock) Now() time.Time { return time.UnixMicro(c.micros.Load()).UTC() }

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) { c.micros.Add(d.Microseconds()) }

// Database copies a PostgreSQL database that has no connections, and returns the copy's URL. The
// copy is dropped when the test ends.
func Database(t testing.TB, template string) string {
	t.Helper()
	name := "t" + randomHex()
	execOnServer(t, "CREATE DATABASE "+name+" TEMPLATE "+template+" STRATEGY FILE_COPY")
	t.Cleanup(func() { execOnServer(t, "DROP DATABASE "+name+" WITH (FORCE)") })
	return databaseURL(t, name)
}

func databaseURL(t testing.TB, database string) string {
	t.Helper()
	u := server(t)
	u.Path = "/" + database
	return u.String()
}

func server(t testing.TB) *url.URL {
	t.Helper()
	address := os.Getenv(ServerVariable)
	if address == "" {
		t.Fatalf("%s is not set: run the tests with `make test`, or through scripts/with-postgres", ServerVariable)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// PostgresTool runs one of PostgreSQL's programs, which Debian doesn't put in the PATH.
func PostgresTool(t testing.TB, name string, args ...string) {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil {
		t.Fatal(err)
	}
	found = append(found, name) // in the PATH, on systems other than Debian
	if out, err := exec.CommandContext(t.Context(), found[0], args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, out)
	}
}

// execOnServer executes a statement on the PostgreSQL server, outside any test database.
func execOnServer(t testing.TB, statement string) {
	t.Helper()
	admin, err := sql.Open("pgx", server(t).String()) // db/postgres registers the driver
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = admin.Close() }()
	if _, err := admin.Exec(statement); err != nil {
		t.Errorf("%s: %v", statement, err)
	}
}

func randomHex() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}
