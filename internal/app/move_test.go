package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/ledger"
	"kaibao/internal/verify"
)

// moveConfigs returns the configuration of a shop on SQLite, and that of the same shop on an empty
// PostgreSQL database. ok is false if only one engine is tested.
func moveConfigs(t *testing.T) (source, target app.Config, ok bool) {
	t.Helper()
	if len(dbtest.Engines()) < 2 {
		t.Log("a move needs both engines")
		return source, target, false
	}
	source = apptest.Config(t, "sqlite")
	target = source
	target.DatabaseURL = dbtest.Database(t, "template0")
	return source, target, true
}

func moveOptions(to app.Config) app.MoveOptions {
	return app.MoveOptions{Data: to.Data, To: to.DatabaseURL, Done: func(app.MoveStep, string) {}, Progress: func(string, int64, int64) {}}
}

// stopped stops a server and closes its database, so that it can be moved.
func stopped(t *testing.T, s *apptest.Server) {
	t.Helper()
	s.Stop()
	if err := s.DB.Close(); err != nil {
		t.Fatal(err)
	}
}

// A shop with rows in every table is moved while leaves wait for the log. On PostgreSQL the books
// are in order, users sign in, open, trade and claim, and someone who followed the log from before
// notices nothing.
func TestMovedShopWorks(t *testing.T) {
	source, target, ok := moveConfigs(t)
	if !ok {
		return
	}
	before := apptest.Start(t, source)
	ann := before.SignIn(t)
	ann.Deposit(t, 100)
	w := newWorld(t, before)
	followed, err := verify.Log(t.Context(), verify.Options{Location: before.URL})
	if err != nil || followed.Fault != nil {
		t.Fatalf("verify the log: %v, %+v", err, followed)
	}
	mirror := t.TempDir()
	before.Mirror(t, mirror)
	before.Stop()
	fillOtherTables(t, w)
	closeBooks(t, source, 50*time.Hour) // its leaf waits for the log
	wantNoEmptyTable(t, before.DB)
	if err := before.DB.Close(); err != nil {
		t.Fatal(err)
	}
	if err := app.MoveToPostgres(t.Context(), moveOptions(target)); err != nil {
		t.Fatal(err)
	}
	if _, err := app.Open(t.Context(), source, "test"); !errors.Is(err, db.ErrMoved) {
		t.Errorf("a server starts on SQLite after the move: %v", err)
	}

	applyReturns(t, target)                                                     // no order is pending, so the publication that waits is announced
	target.Now = func() time.Time { return time.Now().Add(3 * 24 * time.Hour) } // after the days whose books were closed
	after := apptest.Start(t, target)
	after.Audit(t)
	report, err := verify.Log(t.Context(), verify.Options{Location: after.URL, Key: followed.Key, EarlierCheckpoint: followed.SignedCheckpoint()})
	if err != nil || report.Fault != nil || len(report.EndedLogs) > 0 || *report.EarlierSize == 0 {
		t.Errorf("the log after the move: %v, %+v", err, report)
	}
	ann.Base = after.URL
	ann.SignIn(t)
	ben := after.SignIn(t)
	ben.Deposit(t, 100)
	var opened struct {
		Items []struct{ InventoryID string }
	}
	ann.Post(t, "/api/packs/2/open", payload{"clientSeed": "moved"}).Want(t, http.StatusOK, &opened)
	entry := opened.Items[0].InventoryID
	ann.Post(t, "/api/marketplace/list", payload{"inventoryId": entry, "priceCents": 500, "confirmedCents": 500}).Want(t, http.StatusOK, nil)
	ben.Post(t, "/api/marketplace/buy", payload{"inventoryId": entry}).Want(t, http.StatusOK, nil)
	ben.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": []string{entry}}).Want(t, http.StatusOK, nil)
	after.VerifyLog(t)
	after.Mirror(t, mirror)
	after.Audit(t)
}

// applyReturns puts the cards that world.returnLater keeps back into the stock.
func applyReturns(t *testing.T, c app.Config) {
	t.Helper()
	d := dbtest.Open(t, db.Options{Dir: c.Data, URL: c.DatabaseURL})
	if err := d.InTx(t.Context(), func(tx *db.Tx) error {
		return errors.Join(tx.ExecOne(`UPDATE stock SET remaining = remaining + 1 WHERE item_id = (SELECT item_id FROM waiting_returns)`),
			tx.ExecOne(`DELETE FROM waiting_returns`))
	}); err != nil {
		t.Fatal(err)
	}
}

// fillOtherTables fills the tables that a world leaves empty.
func fillOtherTables(t *testing.T, w *world) {
	t.Helper()
	err := w.DB.InTx(t.Context(), func(tx *db.Tx) error {
		const later = "9000000000000000" // in microseconds, in the year 2255
		for _, insert := range []string{
			`pictures (id, kind, address, body) VALUES ('a', 'thing', 'https://images.example/a', x'89504e47')`,
			`challenges (cookie_hash, address, nonce, issued_at, expires_at) VALUES (x'00', 'a', 'a', 1, ` + later + `)`,
			`claim_challenges (user_id, nonce, shipping_cents, issued_at, expires_at) SELECT id, 'a', 0, 1, ` + later + ` FROM users`,
			`gift_challenges (user_id, nonce, issued_at, expires_at) SELECT id, 'a', 1, ` + later + ` FROM users`,
			`handle_reservations (hash) VALUES (x'00')`,
			`gift_blocks (id, user_id, giver_id, created_at) SELECT id, id, '` + w.ann + `', 1 FROM users WHERE id <> '` + w.ann + `'`,
			`data_challenges (user_id, purpose, session_hash, nonce, issued_at, expires_at) SELECT id, 'export', x'00', 'a', 1, ` + later + ` FROM users`,
			`data_exports (id, user_id, session_hash, created_at, expires_at) SELECT id, id, x'00', 1, ` + later + ` FROM users`,
			`sandbox_webhooks (id, charge_token, due_at) SELECT token, token, ` + later + ` FROM sandbox_charges`,
			`declined_bids (inventory_id, user_id, day, number) SELECT id, user_id, 0, 1 FROM inventory`,
			`events_waiting (kind, item_id, price_cents, created_at) VALUES ('value', 'pkm-001', 0, 1)`,
			`alert_marks (user_id, up_to) SELECT id, id FROM users`,
			`watches (id, user_id, item_id) SELECT id, id, 'pkm-001' FROM users`,
			`saved_searches (id, user_id, name, query, alert) SELECT id, id, 'a', '', TRUE FROM users`,
			`kept_limits SELECT x'00', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, 0, 0, ` + later,
			`inherited_counters SELECT '` + w.idle + `', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0`,
			`beacon_rounds (chain, round, signature, fetched_at) VALUES (x'00', 1, zeroblob(48), 1)`,
			`nodes (id, host, process, address, version, keys, started_at, seen_at) SELECT id, 'a', 1, 'a', 'a', '[]', 1, 1 FROM users`,
			`waiting_restocks (item_id, pack_id, count) SELECT MIN(item_id), '8', 1 FROM stock WHERE pack_id = '8'`,
			`user_notes (id, user_id, admin_id, text, created_at) SELECT id, id, id, 'a', 1 FROM users WHERE role = 'admin'`,
		} {
			if _, err := tx.Exec("INSERT INTO " + insert); err != nil {
				return err
			}
		}
		for _, statement := range append(w.returnLater(), `UPDATE packs SET publishing_since = 1 WHERE id = '8'`) {
			if err := tx.ExecOne(statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	proven := []ledger.ProvenLine{}
	if err := w.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		proven, err = ledger.NewProvenLines(tx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := ledger.SaveProvenLines(t.Context(), w.DB, proven); err != nil {
		t.Fatal(err)
	}
}

// wantNoEmptyTable fails the test for each table without rows.
func wantNoEmptyTable(t *testing.T, d *db.DB) {
	t.Helper()
	if err := d.Read(t.Context(), func(tx *db.Tx) error {
		tables, err := db.All(tx, db.Column[string], `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
		if err != nil {
			return err
		}
		for _, table := range tables {
			rows, err := db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM `+table)
			if err != nil {
				return err
			}
			if rows == 0 {
				t.Errorf("the table %s is empty: let the test fill it", table)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// A move is killed after each step, and in the middle of copying, comparing and the audit. At no
// point can servers start on both databases. The next run moves what happened on SQLite meanwhile,
// too.
func TestMoveKilledAtEveryStep(t *testing.T) {
	if at := os.Getenv(killMoveAt); at != "" {
		moveUntilKilled(t, at)
		return
	}
	source, target, ok := moveConfigs(t)
	if !ok {
		return
	}
	for _, kill := range []struct {
		at     string
		starts string // the engine on which a server starts then
	}{
		{afterStep(app.MoveSetUp), "sqlite"},
		{"copying the table users", "sqlite"},
		{afterStep(app.MoveCopied), "sqlite"},
		{"comparing the table users", "sqlite"},
		{afterStep(app.MoveCompared), "sqlite"},
		{"checking the balances", "sqlite"},
		{afterStep(app.MoveVerified), "sqlite"},
		{afterStep(app.MoveMarked), ""},
		{afterStep(app.MoveFinished), "postgres"},
	} {
		killMove(t, target, kill.at)
		starts := ""
		for engine, config := range map[string]app.Config{"sqlite": source, "postgres": target} {
			a, err := app.Open(t.Context(), config, "test")
			if err == nil {
				starts += engine
				err = a.Close()
			}
			if want := map[string]error{"sqlite": db.ErrMoved, "postgres": db.ErrUnfinished}[engine]; err != nil && !errors.Is(err, want) {
				t.Errorf("killed at %s, a server on %s says %v, want %v", kill.at, engine, err, want)
			}
		}
		if starts != kill.starts {
			t.Fatalf("killed at %s, a server starts on %q, want %q", kill.at, starts, kill.starts)
		}
		if kill.starts == "sqlite" {
			openOnce(t, source)
		}
	}
	var last app.MoveStep
	o := moveOptions(target)
	o.Done = func(step app.MoveStep, _ string) { last = step }
	if err := app.MoveToPostgres(t.Context(), o); err != nil || last != app.MoveFinished {
		t.Errorf("a move that is complete: step %d, %v", last, err)
	}
	s := apptest.Start(t, target)
	s.VerifyLog(t)
	s.Audit(t)
}

// openOnce opens a pack on a server that runs only meanwhile.
func openOnce(t *testing.T, c app.Config) {
	t.Helper()
	s := apptest.Start(t, c)
	u := s.SignIn(t)
	u.Deposit(t, 100)
	u.Post(t, "/api/packs/2/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
	stopped(t, s)
}

// Environment of the process that moves until it kills itself: where, and the two databases.
const (
	killMoveAt   = "MOVE_TEST_KILL_AT"
	killMoveData = "MOVE_TEST_DATA"
	killMoveTo   = "MOVE_TEST_TO"
)

// afterStep is the place to kill a move after a step.
func afterStep(step app.MoveStep) string { return fmt.Sprintf("after step %d", step) }

// killMove runs a move in another process, which is killed at a step or when it reports some
// progress.
func killMove(t *testing.T, target app.Config, at string) {
	t.Helper()
	mover := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestMoveKilledAtEveryStep$")
	mover.Env = append(os.Environ(), killMoveAt+"="+at, killMoveData+"="+target.Data, killMoveTo+"="+target.DatabaseURL)
	out, _ := mover.CombinedOutput()
	if status, ok := mover.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Fatalf("the move wasn't killed at %s: %v: %s", at, mover.ProcessState, out)
	}
}

func moveUntilKilled(t *testing.T, at string) {
	kill := func(now string) {
		if now == at {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {} // until the signal arrives
		}
	}
	err := app.MoveToPostgres(t.Context(), app.MoveOptions{
		Data: os.Getenv(killMoveData), To: os.Getenv(killMoveTo),
		Done:     func(step app.MoveStep, _ string) { kill(afterStep(step)) },
		Progress: func(what string, _, _ int64) { kill(what) },
	})
	t.Fatalf("not killed: %v", err)
}
