package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/verify"
)

// testDatabase is a database with an operator's way to back it up and restore it.
type testDatabase struct {
	config  app.Config
	backUp  func(t *testing.T, file string)
	restore func(t *testing.T, file string) // without renewal
}

func newTestDatabase(t *testing.T, engine string) testDatabase {
	t.Helper()
	config := apptest.Config(t, engine)
	if engine == "sqlite" {
		return testDatabase{
			config,
			func(t *testing.T, file string) { succeed(t, "backup", file, "--data", config.Data) },
			func(t *testing.T, file string) {
				stale, err := filepath.Glob(filepath.Join(config.Data, "kaibao.db*"))
				if err != nil {
					t.Fatal(err)
				}
				for _, path := range stale {
					if err := os.Remove(path); err != nil {
						t.Fatal(err)
					}
				}
				copyTo(t, file, filepath.Join(config.Data, "kaibao.db"))
			},
		}
	}
	return testDatabase{
		config,
		func(t *testing.T, file string) {
			dbtest.PostgresTool(t, "pg_dump", "--file", file, config.DatabaseURL)
		},
		func(t *testing.T, file string) {
			// Renamed instead of dropped: dropping would deadlock with writers.
			dbtest.PostgresTool(t, "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", "ALTER SCHEMA public RENAME TO before", "-c", "CREATE SCHEMA public", config.DatabaseURL)
			dbtest.PostgresTool(t, "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "--single-transaction", "-f", file, config.DatabaseURL)
		},
	}
}

func copyTo(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	put(t, to, data)
}

// succeed runs a command that must succeed.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	out, code := run(t, args...)
	if code != 0 {
		t.Fatalf("%s: exit %d: %s", strings.Join(args, " "), code, out)
	}
	return out
}

type openedPack struct {
	OpenID, ServerSeedRevealed, Commitment, Receipt string
	Next                                            struct{ Commitment string }
}

func openPack(t *testing.T, c *apptest.Client) (o openedPack) {
	t.Helper()
	c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "seed"}).Want(t, http.StatusOK, &o)
	return o
}

func currentCommitment(t *testing.T, c *apptest.Client) (commitment string) {
	t.Helper()
	var now struct{ Commitment string }
	c.Get(t, "/api/fairness/commitment").Want(t, http.StatusOK, &now)
	return now.Commitment
}

// A database restored from an old copy doesn't know which seeds were revealed since, so servers
// refuse it. After kaibao restore, no earlier commitment is offered, none of the earlier seeds can
// be opened, and the log can be verified from its very beginning.
func TestOldDatabaseNeedsRestore(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			database := newTestDatabase(t, engine)
			s := apptest.Start(t, database.config)
			c := s.SignIn(t)
			c.Deposit(t, 1000)
			var kept, lost []openedPack
			for range 5 {
				kept = append(kept, openPack(t, c))
			}
			s.WaitForLog(t)
			dir := t.TempDir()
			file := func(name string) string { return filepath.Join(dir, name) }
			database.backUp(t, file("backup"))
			before := readSeed(t, s)
			for range 3 {
				lost = append(lost, openPack(t, c))
			}
			s.WaitForLog(t)
			succeed(t, "verify", "log", s.URL, "--state", file("state"))
			succeed(t, "verify", "mirror", s.URL, file("mirror"))
			put(t, file("seen"), seenBy(t, file("state")))
			s.Stop()

			database.restore(t, file("backup"))
			serve := append([]string{"serve", "--addr", "127.0.0.1:0"}, storage(s)...)
			refusedStart(t, "doesn't continue", serve...) // with a newer memory file
			if err := os.Remove(filepath.Join(database.config.Data, "log.checkpoint")); err != nil {
				t.Fatal(err)
			}
			refusedStart(t, "kaibao restore", serve...) // without a memory file
			if out := succeed(t, append([]string{"restore"}, storage(s)...)...); !strings.Contains(out, "all unused seeds") {
				t.Errorf("the output of restore is %s", out)
			}

			again := apptest.Start(t, database.config)
			c.Base = again.URL
			fresh := readSeed(t, again)
			writeSeed(t, again, before)
			c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "seed"}).Want(t, http.StatusInternalServerError, nil)
			writeSeed(t, again, fresh)
			var later []openedPack
			for range 4 {
				commitment := currentCommitment(t, c)
				for _, o := range append(kept, lost...) {
					if commitment == o.Commitment || commitment == o.Next.Commitment {
						t.Fatalf("the commitment %s was offered before", commitment)
					}
				}
				later = append(later, openPack(t, c))
			}
			again.WaitForLog(t)
			again.Audit(t)
			out := succeed(t, "verify", "log", again.URL, "--state", file("state"))
			for _, want := range []string{"the database was restored", "! 3 later leaves that were shown to someone are lost", "9 opens by 1 users", "all checks passed"} {
				if !strings.Contains(out, want) {
					t.Errorf("the output of verify log lacks %q: %s", want, out)
				}
			}
			if out := succeed(t, "verify", "log", again.URL, "--seen", file("seen")); !strings.Contains(out, "! 3 later leaves that were shown to someone are lost") || !strings.Contains(out, file("seen")+" are part of the log; 1 can't be compared") {
				t.Errorf("with what someone saw before the restore: %s", out)
			}
			if out := succeed(t, "verify", "log", again.URL, "--state", file("state")); !strings.Contains(out, "of the last run") {
				t.Errorf("the second run across the epoch: %s", out)
			}
			for _, o := range []openedPack{kept[0], later[3]} {
				put(t, file("proof.json"), c.Get(t, "/api/fairness/opens/"+o.OpenID).Body)
				out := succeed(t, "verify", "receipt", file("proof.json"))
				if !strings.Contains(out, "✓ inclusion") {
					t.Errorf("the proof of an open: %s", out)
				}
				for _, path := range []string{"/api/fairness/opens/", "/api/opens/"} {
					var again struct{ Receipt string }
					c.Get(t, path+o.OpenID).Want(t, http.StatusOK, &again)
					if again.Receipt != o.Receipt {
						t.Errorf("%s returns another receipt after the restore", path)
					}
				}
			}
			if out, code := run(t, "verify", "mirror", again.URL, file("mirror")); code == 0 || !strings.Contains(out, "another folder") {
				t.Errorf("the copy of the ended log is overwritten: exit %d: %s", code, out)
			}
			succeed(t, "verify", "mirror", again.URL, file("mirror 2"))
			if out := succeed(t, "verify", "log", file("mirror 2")); !strings.Contains(out, "9 opens by 1 users") {
				t.Errorf("the copy across the epoch: %s", out)
			}
		})
	}
}

// seenBy returns the trees in a verifier's state file as lines.
func seenBy(t *testing.T, state string) (lines []byte) {
	t.Helper()
	text, err := os.ReadFile(state)
	if err != nil {
		t.Fatal(err)
	}
	var stored struct{ Seen []json.RawMessage }
	if err := json.Unmarshal(text, &stored); err != nil || len(stored.Seen) == 0 {
		t.Fatalf("%s has no trees (%v)", text, err)
	}
	for _, tree := range stored.Seen {
		lines = append(append(lines, tree...), '\n')
	}
	return lines
}

// An order that was placed after the backup, and was pending when the database was lost, is voided in the
// new log if a mirror has it. Its user isn't charged. The verifier reports it, because the operator could
// have wanted to avoid its draw.
func TestRestoreVoidsLostOrders(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			database := newTestDatabase(t, engine)
			s := apptest.Start(t, database.config)
			c := s.SignIn(t)
			c.Deposit(t, 5000)
			c.OpenSealed(t, "8", "kept")
			var before, after struct{ BalanceCents int64 }
			c.Get(t, "/api/wallet").Want(t, http.StatusOK, &before)
			s.WaitForLog(t)
			file := filepath.Join(t.TempDir(), "backup")
			mirror := filepath.Join(t.TempDir(), "mirror")
			database.backUp(t, file)
			drawn := c.Order(t, "8", "drawn")
			c.WaitForDraw(t, drawn)
			lost := []string{c.Order(t, "8", "lost"), c.Order(t, "8", "lost too")}
			c.Post(t, "/sandbox/beacon/silent", nil).Want(t, http.StatusNoContent, nil)
			s.WaitForLog(t)
			succeed(t, "verify", "mirror", s.URL, mirror)
			s.Stop()

			database.restore(t, file)
			if err := os.Remove(filepath.Join(database.config.Data, "log.checkpoint")); err != nil {
				t.Fatal(err)
			}
			if out, code := run(t, append([]string{"restore", "--mirror", t.TempDir()}, storage(s)...)...); code == 0 || !strings.Contains(out, "no mirror of a log") {
				t.Errorf("an empty mirror: exit %d: %s", code, out)
			}
			out := succeed(t, append([]string{"restore", "--mirror", mirror}, storage(s)...)...)
			if !strings.Contains(out, "pending sealed orders that the backup lacks: 2") || !strings.Contains(out, "leaves signed after the backup are lost") {
				t.Errorf("the output of restore is %s", out)
			}

			again := apptest.Start(t, database.config)
			c.Base = again.URL
			c.Get(t, "/api/wallet").Want(t, http.StatusOK, &after)
			if after != before {
				t.Errorf("the balance is %d after the restore, and was %d at the time of the backup", after.BalanceCents, before.BalanceCents)
			}
			c.Post(t, "/sandbox/beacon/punctual", nil).Want(t, http.StatusNoContent, nil)
			c.OpenSealed(t, "8", "later")
			again.WaitForLog(t)
			again.Audit(t)
			state := filepath.Join(t.TempDir(), "state")
			for _, want := range []string{"2 orders were voided", "of the last run"} { // the state is saved, because nothing else is wrong
				out, code := run(t, "verify", "log", again.URL, "--state", state)
				for _, want := range append([]string{want}, lost...) {
					if code != 1 || !strings.Contains(out, want) || strings.Contains(out, drawn) {
						t.Errorf("exit %d, want 1 and %q: %s", code, want, out)
					}
				}
				if !strings.Contains(out, ": order "+lost[0]+" was voided, because the operator lost its server seed") {
					t.Errorf("the lost order %s isn't reported: %s", lost[0], out)
				}
			}
		})
	}
}

// unusedSeed is an account's seed as stored in the database.
type unusedSeed struct{ commitment, sealed []byte }

func readSeed(t *testing.T, s *apptest.Server) (u unusedSeed) {
	t.Helper()
	scan := func(s db.Scanner) (u unusedSeed, err error) { return u, s.Scan(&u.commitment, &u.sealed) }
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		u, err = db.One(tx, scan, `SELECT commitment, sealed_seed FROM accounts`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return u
}

func writeSeed(t *testing.T, s *apptest.Server, u unusedSeed) {
	t.Helper()
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return tx.ExecOne(`UPDATE accounts SET commitment = $1, sealed_seed = $2`, u.commitment, u.sealed)
	}); err != nil {
		t.Fatal(err)
	}
}

// A node stops at the next request if its PostgreSQL is replaced by a lagging copy while the
// connections stay open. The copy is prepared for service only when no node runs.
func TestNodeStopsOnLaggingDatabase(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only on PostgreSQL")
		return
	}
	database := newTestDatabase(t, "postgres")
	s := apptest.Start(t, database.config)
	c := s.SignIn(t)
	c.Deposit(t, 1000)
	openPack(t, c)
	s.WaitForLog(t)
	backup := filepath.Join(t.TempDir(), "backup")
	database.backUp(t, backup)
	opened := openPack(t, c)
	s.WaitForLog(t)

	balance := func() (cents int) {
		var w struct{ BalanceCents int }
		c.Get(t, "/api/wallet").Want(t, http.StatusOK, &w)
		return w.BalanceCents
	}
	wantStopped := func() {
		before := balance()
		for path, body := range map[string]any{
			"/api/packs/2/open":          map[string]any{"clientSeed": "chosen with a known seed", "commitment": opened.Commitment},
			"/api/wallet/deposit/manual": map[string]any{"amount": 5},
		} {
			c.Post(t, path, body).Refused(t, http.StatusServiceUnavailable, "log_forked")
		}
		c.Get(t, "/api/fairness/commitment").Refused(t, http.StatusServiceUnavailable, "log_forked")
		if after := balance(); after != before {
			t.Errorf("the balance went from %d to %d", before, after)
		}
	}
	database.restore(t, backup)
	wantStopped()
	dir := t.TempDir()
	for _, key := range []string{"log.key", "seed.key", "address.key"} {
		copyTo(t, filepath.Join(database.config.Data, key), filepath.Join(dir, key))
	}
	restore := []string{"restore", "--data", dir, "--database-url", database.config.DatabaseURL}
	if out, code := run(t, restore...); code != 1 || !strings.Contains(out, "first stop ") {
		t.Errorf("beside a running node, restore ends with %d: %s", code, out)
	}
	wantStopped()
	s.Stop()
	succeed(t, restore...)

	serve := append([]string{"serve", "--addr", "127.0.0.1:0"}, storage(s)...)
	refusedStart(t, "--log-checkpoint", serve...) // with the old memory file
	if err := os.Remove(filepath.Join(database.config.Data, "log.checkpoint")); err != nil {
		t.Fatal(err)
	}
	database.config.LogCheckpoint = filepath.Join(dir, "log.checkpoint")
	again := apptest.Start(t, database.config)
	c.Base = again.URL
	c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "seed", "commitment": opened.Commitment}).Refused(t, http.StatusConflict, "commitment_changed")
	openPack(t, c)
	again.WaitForLog(t)
	again.Audit(t)
	succeed(t, "verify", "log", again.URL)
}

// stoppedShop returns a shop that was used and whose database no program has open.
func stoppedShop(t *testing.T, engine string) *apptest.Server {
	t.Helper()
	s := apptest.Start(t, apptest.Config(t, engine))
	openPackAfterDeposit(t, s)
	s.WaitForLog(t)
	s.Stop()
	if err := s.DB.Close(); err != nil {
		t.Fatal(err)
	}
	return s
}

// An empty database isn't set up by a node that has signed a log, nor restored as if it were a backup.
func TestLostDatabaseIsNotSetUpAgain(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := stoppedShop(t, engine)
			empty := s.Config.Storage
			empty.DatabaseURL = dbtest.Empty(t, engine).URL
			if engine == "sqlite" {
				for _, file := range []string{"kaibao.db", "kaibao.db-wal", "kaibao.db-shm"} {
					if err := os.Remove(filepath.Join(empty.Data, file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
						t.Fatal(err)
					}
				}
			}
			where := []string{"--data", empty.Data, "--database-url", empty.DatabaseURL}
			refusal := "the database is empty, but this node has signed "
			refusedStart(t, refusal, append([]string{"serve", "--addr", "127.0.0.1:0"}, where...)...)
			if out, code := run(t, append([]string{"serve", "--check", "--addr", "127.0.0.1:0"}, where...)...); code != 1 || !strings.Contains(out, refusal) {
				t.Errorf("the check ends with %d: %s", code, out)
			}
			if out, code := run(t, append([]string{"restore"}, where...)...); code != 1 || !strings.Contains(out, "restore a backup") && !strings.Contains(out, "there is no database") {
				t.Errorf("restore ends with %d: %s", code, out)
			}
			// A server with another data directory has set it up meanwhile.
			fresh := apptest.Start(t, apptest.Config(t, engine, func(c *app.Config) { c.Demo = false }))
			fresh.Stop()
			if engine == "sqlite" {
				copyTo(t, filepath.Join(fresh.Config.Data, "kaibao.db"), filepath.Join(empty.Data, "kaibao.db"))
			}
			for _, key := range []string{"log.key", "seed.key", "address.key"} {
				if err := os.Remove(filepath.Join(empty.Data, key)); err != nil {
					t.Fatal(err)
				}
				copyTo(t, filepath.Join(fresh.Config.Data, key), filepath.Join(empty.Data, key))
			}
			where = []string{"--data", empty.Data, "--database-url", fresh.Config.DatabaseURL}
			signed, err := os.ReadFile(filepath.Join(empty.Data, "log.checkpoint"))
			if err != nil {
				t.Fatal(err)
			}
			if out, code := run(t, append([]string{"restore"}, where...)...); code != 1 || !strings.Contains(out, "restore a backup first") {
				t.Errorf("a new shop is restored with %d: %s", code, out)
			}
			if now, err := os.ReadFile(filepath.Join(empty.Data, "log.checkpoint")); err != nil || !slices.Equal(now, signed) {
				t.Errorf("the checkpoint file was changed (%v)", err)
			}
		})
	}
}

// A list of deleted users that is missing or damaged is refused before anything changes.
func TestRestoreNeedsTheListOfDeletedUsers(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := stoppedShop(t, engine)
			dir := t.TempDir()
			damaged, empty := filepath.Join(dir, "damaged"), filepath.Join(dir, "empty")
			put(t, damaged, []byte("no id\n"))
			put(t, empty, nil)
			for list, want := range map[string]string{filepath.Join(dir, "none"): "there is no list of deleted users at ", damaged: "a line that is no user id"} {
				if out, code := run(t, append([]string{"restore", "--deleted-users", list}, storage(s)...)...); code != 1 || !strings.Contains(out, want) {
					t.Errorf("%s: exit %d: %s", list, code, out)
				}
			}
			if out := succeed(t, append([]string{"restore", "--deleted-users", empty}, storage(s)...)...); !strings.Contains(out, "list of deleted users: "+empty+", with 0") {
				t.Errorf("with an empty list: %s", out)
			}
			again := apptest.Start(t, s.Config)
			again.WaitForLog(t)
			report, err := verify.Log(t.Context(), verify.Options{Location: again.URL})
			if err != nil || report.Fault != nil || len(report.EndedLogs) != 1 {
				t.Errorf("the log is %+v (%v)", report, err)
			}
		})
	}
}

// When restore refuses, it changes nothing.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Config(t, "sqlite"))
	backup, dir := filepath.Join(t.TempDir(), "backup"), s.Config.Data
	succeed(t, "backup", backup, "--data", dir)
	put(t, backup+".txt", []byte("not a database"))
	for _, c := range []struct{ args, want string }{
		{"backup " + backup + " --data " + dir, "exists"},
		{"backup " + backup + ".2 --data " + t.TempDir(), "no database"},
		{"backup " + backup + ".2 --database-url postgres://localhost/x", "pg_dump"},
		{"restore " + backup + " --database-url postgres://localhost/x", "pg_restore"},
		{"restore " + backup + " --data " + dir, "stop the server"},
		{"restore --data " + dir, "stop the server"},
		{"restore " + backup + ".txt --data " + dir, "not a backup"},
		{"restore " + backup + " --data " + t.TempDir(), "log.key"},
	} {
		if out, code := run(t, strings.Fields(c.args)...); code == 0 || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit %d, want %q: %s", c.args, code, c.want, out)
		}
	}
	openPackAfterDeposit(t, s)
	info, err := os.Stat(backup)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the back-up has the mode %v (%v)", info.Mode(), err)
	}
}

func openPackAfterDeposit(t *testing.T, s *apptest.Server) {
	t.Helper()
	c := s.SignIn(t)
	c.Deposit(t, 100)
	openPack(t, c)
}
