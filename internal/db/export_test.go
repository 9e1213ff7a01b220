package db

import (
	"context"
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

// FirstMigration reduces the migrations to the first one, as the oldest program has, until back is
// called.
func FirstMigration(t *testing.T) (back func()) {
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

// Waiting returns how many lookups wait for the next query.
func (g *Gatherer[K, V]) Waiting() int {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return len(g.waiting)
}

// MaxPrepared is how many prepared statements a SQLite connection caches.
const MaxPrepared = maxPrepared

// Prepared returns how many prepared statements a transaction's connection has cached.
func Prepared(tx *Tx) int { return tx.conn.(*statements).prepared.Len() }

// ShiftServerClock shifts the server's clock by a number of microseconds. It reports whether the
// engine has such a clock.
func (d *DB) ShiftServerClock(by string) bool {
	own, _, _ := strings.Cut(d.traits.clock, clockShift)
	if own != "" {
		d.traits.clock = own + clockShift + by
	}
	return own != ""
}

const clockShift = " /* shifted */ "

// Batch runs commands as one batch; all callers share a context.
func (c *Combiner[C, R]) Batch(ctx context.Context, commands ...C) []Outcome[R] {
	batch := make([]*order[C, R], len(commands))
	for n, command := range commands {
		batch[n] = &order[C, R]{ctx: ctx, command: command, ticket: newTicket()}
	}
	c.commit(batch)
	outcomes := make([]Outcome[R], len(batch))
	for n, o := range batch {
		outcomes[n] = o.Outcome
	}
	return outcomes
}

// Waiting returns how many commands are in no batch yet.
func (c *Combiner[C, R]) Waiting() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return len(c.waiting)
}

// Writers returns how many batches can be in flight.
func (c *Combiner[C, R]) Writers() int { return c.db.traits.writers }
