package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/identity"
	"kaibao/internal/jobs"
	"kaibao/internal/once"
)

// What has expired goes in portions, each in a transaction of its own; what has
// not stays.
func TestHousekeepingLetsOthersInBetween(t *testing.T) {
	const old = 2*jobs.Portion + 10
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock, commits := dbtest.NewClock(), 0
			o := dbtest.Options(t, engine)
			o.Now, o.CallTime = clock.Now, time.Hour // thousands of rows in one call
			o.Commit = func(commit func() error) error { commits++; return commit() }
			d := dbtest.Open(t, o)
			fill(t, d, "old", old)
			clock.Advance(once.Lifetime + time.Second)
			fill(t, d, "new", 10)
			before := commits
			for _, job := range slices.Concat(once.Jobs(d), identity.Jobs(d)) {
				if _, err := job.Do(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if n := commits - before; n != 6 {
				t.Errorf("%d transactions, want 3 for each table", n)
			}
			for _, table := range []string{"idempotency", "sessions"} {
				left, err := number(t, d, `SELECT COUNT(*) FROM `+table)
				if err != nil || left != 10 {
					t.Errorf("%s has %d rows left (%v), want 10", table, left, err)
				}
			}
		})
	}
}

// A portion is found by its keys, not by reading or sorting all.
func TestAPortionIsFoundByItsKeys(t *testing.T) {
	d := dbtest.Open(t, db.Options{Dir: t.TempDir()})
	for _, query := range []string{
		`DELETE FROM idempotency WHERE place IN (SELECT place FROM idempotency WHERE created_at < 1 ORDER BY created_at LIMIT 1)`,
		`DELETE FROM alerts WHERE id IN (SELECT id FROM alerts WHERE id < '1' ORDER BY id LIMIT 1)`,
		`DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM sessions WHERE last_used_at < 1 ORDER BY last_used_at LIMIT 1)`,
	} {
		err := d.Read(t.Context(), func(tx *db.Tx) error {
			steps, err := db.All(tx, func(s db.Scanner) (step string, err error) {
				var id, parent, unused int
				err = s.Scan(&id, &parent, &unused, &step)
				return step, err
			}, `EXPLAIN QUERY PLAN `+query)
			if plan := strings.Join(steps, "\n"); !strings.Contains(plan, "SEARCH") || strings.Contains(plan, "SCAN") || strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("%s:\n%s", query, plan)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// fill stores answers and sessions of a user of their own.
func fill(t *testing.T, d *db.DB, user string, rows int) {
	t.Helper()
	answers := db.Rows{Columns: []string{"place", "fingerprint", "answer", "created_at"}}
	sessions := db.Rows{Columns: []string{"token_hash", "user_id", "created_at", "last_used_at"}}
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		now := db.Micros(tx.Now)
		for n := range rows {
			name := fmt.Sprint(user, n)
			answers.Add([]byte(name), []byte{}, []byte{}, now)
			sessions.Add([]byte(name), db.ID(dbtest.ID(user)), now, now)
		}
		if _, err := tx.Exec(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ($1, $2, $2, $3, 0)`,
			dbtest.ID(user), user, []byte{}); err != nil {
			return err
		}
		if err := tx.InsertRows("idempotency", answers); err != nil {
			return err
		}
		return tx.InsertRows("sessions", sessions)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func number(t *testing.T, d *db.DB, query string) (n int64, err error) {
	t.Helper()
	err = d.Read(t.Context(), func(tx *db.Tx) (err error) {
		n, err = db.One(tx, db.Column[int64], query)
		return err
	})
	return n, err
}
