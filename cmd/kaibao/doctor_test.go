package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/db/sqlite"
)

// refusedStart checks that serve refuses to start for a reason, and that serve --check reports the
// same reason. It returns the output of both.
func refusedStart(t *testing.T, reason string, serve ...string) string {
	t.Helper()
	started, code := run(t, serve...)
	if code != 1 || !strings.Contains(started, reason) {
		t.Errorf("serve exits with %d, want a refusal that names %q: %s", code, reason, started)
	}
	checked, code := run(t, append(slices.Clone(serve), "--check")...)
	if code != 1 || !slices.ContainsFunc(strings.Split(checked, "\n"), func(line string) bool {
		return strings.HasPrefix(line, "FAIL ") && strings.Contains(line, reason)
	}) {
		t.Errorf("serve --check exits with %d, want a failure that names %q: %s", code, reason, checked)
	}
	return started + checked
}

// wantLines checks the exit code of a command, and that its output contains these lines' beginnings.
func wantLines(t *testing.T, code int, args []string, lines ...string) {
	t.Helper()
	out, got := run(t, args...)
	if got != code {
		t.Errorf("%q exits with %d, want %d: %s", args[:2], got, code, out)
	}
	for _, line := range lines {
		if !strings.Contains("\n"+out, "\n"+line) {
			t.Errorf("%q prints no line that begins with %q: %s", args[:2], line, out)
		}
	}
}

// serve --check on an empty data directory or database says what the server will create, and
// creates nothing.
func TestCheckBeforeTheFirstStart(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			o := dbtest.Empty(t, engine)
			dir := filepath.Join(t.TempDir(), "new", "data")
			check := []string{"serve", "--check", "--addr", "127.0.0.1:0", "--data", dir, "--database-url", o.URL}
			want := []string{"ok   settings: ", "ok   data directory: the server will create " + dir, "ok   log key: the server will create ", "ok   clock: "}
			if engine == "sqlite" {
				want = append(want, "ok   database: the server will create ")
			} else {
				want = append(want, "ok   schema: the database is empty: the server will set it up")
			}
			wantLines(t, 0, check, want...)
			if _, err := os.Stat(filepath.Dir(dir)); err == nil {
				t.Errorf("%s was created", filepath.Dir(dir))
			}
			wantLines(t, 0, check, want...) // again, so nothing has changed
			wantLines(t, 0, append([]string{"doctor", "--ops-addr", ""}, check[2:]...), "WARN server: not asked", "WARN books: not checked")
			wantLines(t, 1, append([]string{"doctor", "--ops-addr", freeAddress(t)}, check[2:]...), "FAIL server: no operator's listener answers")
		})
	}
}

// serve --check writes neither to the data directory nor to the database.
func TestCheckChangesNothing(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := apptest.Start(t, apptest.Config(t, engine))
			openPackAfterDeposit(t, s)
			s.WaitForLog(t)
			s.Stop()
			protectKeys(t, s.Config.Data)
			if engine == "sqlite" {
				if err := s.DB.Close(); err != nil {
					t.Fatal(err)
				}
			}
			content := func() map[string]string {
				if engine == "postgres" {
					return tableChecksums(t, s)
				}
				return map[string]string{}
			}
			before, files := content(), directory(t, s.Config.Data)
			wantLines(t, 0, append([]string{"serve", "--check", "--addr", "127.0.0.1:0"}, storage(s)...), "ok   schema: ", "ok   payments: sandbox", "ok   seed key: ")
			wantLines(t, 0, append([]string{"doctor", "--addr", "127.0.0.1:0", "--ops-addr", ""}, storage(s)...), "WARN server: ")
			for table, now := range content() {
				if before[table] != now {
					t.Errorf("%s changed from %s to %s", table, before[table], now)
				}
			}
			now := directory(t, s.Config.Data)
			for name, text := range now {
				if old, ok := files[name]; !ok || !bytes.Equal(old, text) {
					t.Errorf("%s was changed or created", name)
				}
			}
		})
	}
}

// protectKeys makes the key files readable for their owner only, as a server creates them.
func protectKeys(t *testing.T, dir string) {
	t.Helper()
	for _, key := range []string{"log.key", "seed.key", "address.key"} {
		if err := os.Chmod(filepath.Join(dir, key), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// serve --check leaves a backup that was copied into place as it is: no server has used it yet.
func TestCheckChangesNothingInABackup(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "sqlite") {
		t.Log("only SQLite has a database file")
		return
	}
	s := apptest.Start(t, apptest.Config(t, "sqlite"))
	s.WaitForLog(t)
	s.Stop()
	dir := t.TempDir()
	succeed(t, "backup", filepath.Join(dir, sqlite.File), "--data", s.Config.Data)
	for _, name := range []string{"log.key", "seed.key", "address.key", "log.checkpoint"} {
		copyTo(t, filepath.Join(s.Config.Data, name), filepath.Join(dir, name))
	}
	files := directory(t, dir)
	wantLines(t, 0, []string{"serve", "--check", "--addr", "127.0.0.1:0", "--data", dir}, "ok   database: ", "ok   schema: ")
	for name, now := range directory(t, dir) {
		if old, ok := files[name]; !ok || !bytes.Equal(old, now) {
			t.Errorf("%s was changed or created", name)
		}
	}
}

// directory returns the files of a directory.
func directory(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		files[entry.Name()], err = os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// serve --check reports all problems in one run.
func TestCheckReportsAllProblems(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = conn.Close() // not an HTTP server
		}
	}()
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, []byte("5ecre7"))
	wantLines(t, 1, []string{"serve", "--check", "--addr", listener.Addr().String(), "--ops-addr", "nowhere:1", "--drain=2h", "--manifest-delay=1s", "--profile", "none",
		"--shipping-table", file, "--data", file, "--seed-key", "5ecre7", "--log-key", "5ecre7", "--address-keys", "5ecre7", "--database-url", "postgres://kaibao:5ecre7@127.0.0.1:1/x"},
		"FAIL settings: --drain (KAIBAO_DRAIN) is 2h0m0s", "FAIL settings: --manifest-delay (KAIBAO_MANIFEST_DELAY) is 1s", "FAIL profile: --profile none",
		"FAIL shipping table: ", "FAIL address: another program listens on "+listener.Addr().String(), "FAIL operator's listener: ", "WARN operator's listener: it refuses every caller", "FAIL data directory: "+file+" is not a directory",
		"FAIL database: connect to PostgreSQL: ", "FAIL log key: the log key must have the form", "FAIL seed key: the seed key must be 64 hex digits", "FAIL address keys: an address key must be 64 hex digits")
	out, _ := run(t, "serve", "--check", "--seed-key", "5ecre7", "--log-key", "5ecre7", "--address-keys", "5ecre7", "--database-url", "postgres://kaibao:5ecre7@127.0.0.1:1/x")
	if strings.Contains(out, "5ecre7") {
		t.Errorf("the output contains a secret: %s", out)
	}
}

// doctor works beside a running server, and sees what its operator forgot.
func TestDoctorBesideRunningServer(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			config := apptest.Config(t, engine)
			own := []string{"--addr", freeAddress(t), "--ops-addr", freeAddress(t)}
			n := newNode(t, append(nodeArgs(config.Data, config.DatabaseURL), own...))
			openPack(t, signedIn(t, n))
			s := &apptest.Server{DB: inspect(t, config), Config: config}
			s.WaitForLog(t)
			doctor := append(append([]string{"doctor"}, own...), storage(s)...)
			wantLines(t, 0, doctor, "ok   address: "+own[1]+" is used by a running server", "ok   operator's listener: "+own[3]+" is used by a running server",
				"ok   server: ready", "ok   jobs: ", "ok   clock: ", "ok   public log: ", "ok   followers: ", "WARN audit: none is recorded", "WARN backup: none is recorded")
			wantLines(t, 0, append([]string{"serve", "--check"}, doctor[1:]...), "ok   address: ")

			succeed(t, append([]string{"audit"}, storage(s)...)...)
			if engine == "sqlite" {
				succeed(t, append([]string{"backup", filepath.Join(t.TempDir(), "backup")}, storage(s)...)...)
			} else {
				succeed(t, append([]string{"backup", "--done-by", "test"}, storage(s)...)...)
			}
			wantLines(t, 0, append(doctor, "--quick"), "ok   audit: ", "ok   backup: ", "ok   files: not checked")
			alter(t, s.DB, `UPDATE settings SET value = '2026-01-01T00:00:00.000Z' WHERE name IN ('last_audit', 'last_backup')`,
				`UPDATE settings SET value = '2026-01-01T00:00:00.000Z test' WHERE name = 'reported_backup'`)
			wantLines(t, 0, doctor, "WARN audit: the last one was ", "WARN backup: the last one was ")
			if err := os.Chmod(filepath.Join(config.Data, "seed.key"), 0o640); err != nil {
				t.Fatal(err)
			}
			wantLines(t, 0, doctor, "WARN seed key: other users may read ")
		})
	}
}

// doctor finds leaves that nobody signs, a checkpoint that isn't valid, and a clock that went back.
func TestDoctorFindsProblemsOfTheLog(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := apptest.Start(t, apptest.Config(t, engine))
			openPackAfterDeposit(t, s)
			s.WaitForLog(t)
			s.Stop()
			doctor := append([]string{"doctor", "--addr", "127.0.0.1:0"}, storage(s)...)
			alter(t, s.DB, `INSERT INTO log_waiting (body) VALUES ('kaibao-stock/v1
time 2026-01-01T00:00:00.000Z
')`)
			wantLines(t, 0, doctor, "WARN public log: 1 leaves wait for their place, the first for ")
			if engine == "sqlite" {
				alter(t, s.DB, `UPDATE log_tree SET signed_at = signed_at + 86400000000`)
				wantLines(t, 1, doctor, "FAIL clock: this machine's clock is ")
			}
			alter(t, s.DB, `UPDATE log_tree SET checkpoint = REPLACE(checkpoint, 'kaibao', 'kaibap')`)
			wantLines(t, 1, doctor, "FAIL log key: the public log: ")
		})
	}
}

// doctor warns about a PostgreSQL server that allows too few connections, or that a crash can damage,
// and fails for one that is read-only.
func TestDoctorChecksPostgres(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only for PostgreSQL")
		return
	}
	s := apptest.Start(t, apptest.Config(t, "postgres"))
	doctor := append([]string{"doctor", "--addr", "127.0.0.1:0"}, storage(s)...)
	wantLines(t, 0, doctor, "WARN database: settings of PostgreSQL are off, so a crash can destroy data: turn on fsync and full_page_writes", "ok   connections: up to 42 for each node; PostgreSQL allows 39", "WARN files: not checked: the extension amcheck")
	wantLines(t, 0, append(doctor, "--pool-reads", "1000"), "WARN connections: nodes: 1, which can open 1026 connections each")
	apptest.Start(t, s.Config) // from the same address
	wantLines(t, 0, append(doctor, "--pool-reads", "180"), "WARN connections: nodes: 2, which can open 206 connections each, 412 together, assuming that all nodes have the same pool settings")
	name := text(t, s, `SELECT current_database()`)
	alter(t, s.DB, `ALTER DATABASE `+name+` SET default_transaction_read_only = on`)
	wantLines(t, 1, doctor, "FAIL database: the server is a standby or read-only")
}

// With the database down, doctor says so once. What follows from it is one line: a server that isn't
// ready, its failing jobs, and the checks that need the database.
func TestDoctorWithoutDatabase(t *testing.T) {
	t.Parallel()
	const refused = "The server is busy. Please try again: reach the database: refused"
	health := `{"status":"unready","reason":"The database isn't responding: ` + refused + `","jobs":[
		{"name":"clock","lastSuccess":"2026-03-04T12:00:00Z","lastError":{"at":"2026-03-04T12:00:01Z","message":"` + refused + `"}}]}`
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, health) }))
	t.Cleanup(listener.Close)
	out, code := run(t, "doctor", "--addr", "127.0.0.1:0", "--ops-addr", listener.Listener.Addr().String(), "--data", t.TempDir(),
		"--database-url", "postgres://kaibao@127.0.0.1:1/kaibao?sslmode=disable")
	const unchecked = "WARN not checked: server, jobs, audit, backup, drill, public log, followers and files, because the database can't be used\n"
	if code != 1 || strings.Count(out, "\nFAIL ") != 1 || !strings.Contains(out, "\nFAIL database: ") || !strings.Contains(out, "\n"+unchecked) {
		t.Errorf("exit %d: %s", code, out)
	}
	if strings.Contains(out, "Please try again") || strings.Contains(out, "clock") {
		t.Errorf("it repeats the cause: %s", out)
	}
}

// Jobs that fail for the same reason share a line, without the text for users.
func TestDoctorGroupsFailingJobs(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Config(t, "sqlite"))
	failed := func(name, message string) string {
		return `{"name":"` + name + `","lastSuccess":"2026-03-04T12:00:00Z","lastError":{"at":"2026-03-04T12:00:01Z","message":"` + message + `"}}`
	}
	health := `{"status":"ok","jobs":[` + failed("clock", "The server is busy. Please try again: disk full") + "," + failed("draws", "wrong leaf") + "," +
		failed("node", "The server is busy. Please try again: disk full") + `]}`
	listener := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, health) }))
	t.Cleanup(listener.Close)
	wantLines(t, 0, append([]string{"doctor", "--quick", "--addr", "127.0.0.1:0", "--ops-addr", listener.Listener.Addr().String()}, storage(s)...),
		"WARN jobs: clock, node failed at 2026-03-04T12:00:01Z: disk full\n", "WARN jobs: draws failed at 2026-03-04T12:00:01Z: wrong leaf\n")
}

// A file that isn't a database is reported, not replaced.
func TestCheckFindsADamagedDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, sqlite.File), []byte(strings.Repeat("not a database ", 1000)))
	wantLines(t, 1, []string{"serve", "--check", "--addr", "127.0.0.1:0", "--data", dir}, "FAIL database: ", "WARN log key: ")
}
