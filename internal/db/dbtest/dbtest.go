// Package dbtest opens a fresh database on either engine for a test.
package dbtest

import (
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // registers the driver "pgx"

	"kaibao/internal/db"
)

// ServerVariable names the PostgreSQL server that tests make their schemas on,
// as postgres://…; scripts/with-postgres sets it.
const ServerVariable = "KAIBAO_TEST_POSTGRES"

// Engines lists what Each runs on. KAIBAO_TEST_ENGINES narrows it, for `make check`.
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

// Options are those of a fresh database on engine, dropped when the test ends.
func Options(t testing.TB, engine string) db.Options {
	t.Helper()
	if engine == "sqlite" {
		return db.Options{Dir: t.TempDir()}
	}
	return db.Options{URL: schema(t)}
}

// Open opens a database for the test's duration.
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

// Clock is a clock that a test moves by hand while a server reads it.
type Clock struct{ micros atomic.Int64 }

// NewClock starts at noon of an arbitrary day.
func NewClock() *Clock {
	c := new(Clock)
	c.micros.Store(time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC).UnixMicro())
	return c
}

// Now reads the clock; it is given to db.Options.
func (c *Clock) Now() time.Time { return time.UnixMicro(c.micros.Load()).UTC() }

// Advance moves the clock on.
func (c *Clock) Advance(d time.Duration) { c.micros.Add(d.Microseconds()) }

func schema(t testing.TB) string {
	t.Helper()
	server := os.Getenv(ServerVariable)
	if server == "" {
		t.Fatalf("%s is not set: run the tests with `make test`, or through scripts/with-postgres", ServerVariable)
	}
	admin, err := sql.Open("pgx", server)
	if err != nil {
		t.Fatal(err)
	}
	name := "t" + randomHex()
	if _, err := admin.Exec("CREATE SCHEMA " + name); err != nil {
		t.Fatalf("make a schema: %v", err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec("DROP SCHEMA " + name + " CASCADE"); err != nil {
			t.Errorf("drop the schema: %v", err)
		}
		_ = admin.Close()
	})
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("search_path", name)
	u.RawQuery = q.Encode()
	return u.String()
}

func randomHex() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b)
	return hex.EncodeToString(b)
}
