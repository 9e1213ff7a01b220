package db_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// slowLog records what SlowQueries reports.
type slowLog struct {
	mutex   sync.Mutex
	reports []string
}

func (l *slowLog) report(_ context.Context, statements string, took time.Duration) {
	if took <= 0 {
		statements += " (no time)"
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.reports = append(l.reports, statements)
}

// take returns the reports since the last call, without those that only begin or end a transaction.
func (l *slowLog) take() (reports []string) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, report := range l.reports {
		if strings.Contains(report, " ") && !strings.HasPrefix(report, "BEGIN") && !strings.HasPrefix(report, "SAVEPOINT") &&
			!strings.HasPrefix(report, "RELEASE") && !strings.HasPrefix(report, "ROLLBACK") && !strings.Contains(report, "goose_db_version") {
			reports = append(reports, report)
		}
	}
	l.reports = nil
	return reports
}

// Statements that take too long are reported once, on one line and without their arguments.
func TestSlowStatementsAreReported(t *testing.T) {
	const secret = "5ecre7"
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			log := &slowLog{}
			o := dbtest.Options(t, engine)
			o.Slow = db.SlowQueries{Report: log.report}
			d := dbtest.Open(t, o)
			insert := func(tx *db.Tx) error {
				_, err := tx.Exec("INSERT INTO settings\n\t(name, value) VALUES ($1, $2)", secret, secret)
				return err
			}
			log.take()
			if err := d.InTx(t.Context(), insert); err != nil {
				t.Fatal(err)
			}
			if got := log.take(); !slices.Equal(got, []string{"INSERT INTO settings (name, value) VALUES ($1, $2)"}) {
				t.Errorf("after an insert: %q", got)
			}
			both := func(tx *db.Tx) error {
				rows := db.Rows{Columns: []string{"name"}}
				rows.Add(secret)
				if err := tx.ExecRows(rows, `UPDATE settings SET value = 'x' WHERE name IN (SELECT name FROM v)`); err != nil {
					return err
				}
				_, err := db.One(tx, db.Column[string], `SELECT value FROM settings WHERE name = $1`, secret)
				return err
			}
			if err := d.InTx(t.Context(), both); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(log.take(), "; "); got != "UPDATE settings SET value = 'x' WHERE name IN (SELECT name FROM v); SELECT value FROM settings WHERE name = $1" {
				t.Errorf("after a batch: %q", got)
			}
			each := func(tx *db.Tx) error {
				return db.Each(tx, db.Column[string], func(string) error { return nil }, `SELECT value FROM settings WHERE name = $1`, secret)
			}
			for name, read := range map[string]func(context.Context, func(*db.Tx) error) error{"read": d.Read, "peek": d.Peek, "search": d.Search, "inspect": d.Inspect} {
				if err := read(t.Context(), each); err != nil {
					t.Fatal(err)
				}
				if got := log.take(); !slices.Equal(got, []string{"SELECT value FROM settings WHERE name = $1"}) {
					t.Errorf("%s: %q", name, got)
				}
			}
			if err := d.InTx(t.Context(), insert); err == nil {
				t.Error("the same row was inserted twice")
			}
			if got := strings.Join(log.take(), "; "); !strings.Contains(got, "INSERT INTO settings") || strings.Contains(got, secret) {
				t.Errorf("after a failure: %q", got)
			}
		})
	}
}

// Statements within the threshold aren't reported.
func TestFastStatementsAreNotReported(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			log := &slowLog{}
			o := dbtest.Options(t, engine)
			o.Slow = db.SlowQueries{Above: time.Hour, Report: log.report}
			d := dbtest.Open(t, o)
			if err := d.InTx(t.Context(), func(tx *db.Tx) error { return db.SetSetting(tx, "a", "b") }); err != nil {
				t.Fatal(err)
			}
			if len(log.reports) > 0 {
				t.Errorf("reported %q", log.reports)
			}
		})
	}
}
