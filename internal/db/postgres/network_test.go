package postgres_test

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/db/dbtest"
)

// withProxy runs a test on PostgreSQL through a dbtest.Proxy, which can break connections.
func withProxy(t *testing.T, o db.Options, test func(t *testing.T, w *dbtest.Proxy, d *db.DB)) {
	t.Helper()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only PostgreSQL is reached over a network")
		return
	}
	w, address := dbtest.StartProxy(t, dbtest.Options(t, "postgres").URL)
	o.URL = address
	test(t, w, dbtest.Open(t, o))
}

// TestUnknownCommit simulates this failure; here the connection really breaks.
func TestConnectionBreaksAtCommit(t *testing.T) {
	for name, arrives := range map[string]bool{"before COMMIT arrives": false, "after COMMIT arrives": true} {
		t.Run(name, func(t *testing.T) {
			withProxy(t, db.Options{}, func(t *testing.T, w *dbtest.Proxy, d *db.DB) {
				w.AtCommit <- arrives
				if err := d.InTx(t.Context(), func(tx *db.Tx) error { return insertName(tx, "in doubt") }); !errors.Is(err, db.ErrUnknownCommit) {
					t.Errorf("returned %v", err)
				}
				<-w.Broken
				if err := d.InTx(t.Context(), func(tx *db.Tx) error { return insertName(tx, "next") }); err != nil {
					t.Errorf("the next transaction: %v", err)
				}
				if found := committedNames(t, d); slices.Contains(found, "in doubt") != arrives || !slices.Contains(found, "next") {
					t.Errorf("the committed names are %q", found)
				}
			})
		})
	}
}

func TestQueuedQueriesShareOneRoundTrip(t *testing.T) {
	withProxy(t, db.Options{}, func(t *testing.T, w *dbtest.Proxy, d *db.DB) {
		run := func() int64 {
			before := w.Sent.Load()
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				first := db.Queue(tx, db.Column[int64], `SELECT 1`)
				all := db.QueueAll(tx, db.Column[string], `SELECT name FROM settings`)
				rows := db.Rows{Columns: []string{"name", "value"}}
				rows.Add("name", "value")
				last := db.QueueWith(tx, db.Column[string], rows, `SELECT value FROM v`)
				_, err := last()
				_, firstErr := first()
				_, allErr := all()
				return errors.Join(err, firstErr, allErr)
			})
			if err != nil {
				t.Fatal(err)
			}
			return w.Sent.Load() - before
		}
		run() // connects and prepares the statements
		if sent := run(); sent != 2 {
			t.Errorf("sent %d times, want 2: the queries and the commit", sent)
		}
	})
}

// Connections stop answering without breaking. Every call returns apperr.Unavailable within its
// time limit, also calls that share a lookup or a batch. Soon everything works again over new
// connections.
func TestUnresponsiveConnections(t *testing.T) {
	withProxy(t, db.Options{CallTime: 2 * time.Second}, func(t *testing.T, w *dbtest.Proxy, d *db.DB) {
		number := func(tx *db.Tx) error { _, err := db.One(tx, db.Column[int64], `SELECT 1`); return err }
		lookups := batch.NewGatherer(d, func(tx *db.Tx, keys []string) (map[string]bool, error) {
			return map[string]bool{"a": true}, number(tx)
		})
		together := batch.NewCombiner(d, func(key string) string { return key },
			func(tx *db.Tx, keys []string) ([]batch.Outcome[bool], error) {
				return make([]batch.Outcome[bool], len(keys)), number(tx)
			})
		t.Cleanup(together.Close)
		ways := map[string]func() error{
			"InTx":     func() error { return d.InTx(t.Context(), number) },
			"Read":     func() error { return d.Read(t.Context(), number) },
			"Peek":     func() error { return d.Peek(t.Context(), number) },
			"Search":   func() error { return d.Search(t.Context(), number) },
			"Gatherer": func() error { _, err := lookups.Find(t.Context(), "a"); return err },
			"Combiner": func() error { _, err := together.Do(t.Context(), "a"); return err },
			"Ready":    func() error { return d.Ready(t.Context()) },
		}
		for round := range 2 {
			for name, call := range ways {
				if err := call(); err != nil {
					t.Errorf("%s, round %d: %v", name, round, err)
				}
			}
			w.DropData()
			var all sync.WaitGroup
			for name, call := range ways {
				all.Go(func() {
					if err := call(); err != nil && !apperr.IsCode(err, apperr.Unavailable) {
						t.Errorf("%s over an unresponsive connection: %v", name, err)
					}
				})
			}
			all.Wait()
			for d.Ready(t.Context()) != nil || d.Search(t.Context(), number) != nil {
				if t.Context().Err() != nil {
					t.Fatal("calls never succeed again")
				}
			}
		}
	})
}
