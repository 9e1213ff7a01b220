package main

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/db/sqlite"
)

const wasMoved = "this database was moved to PostgreSQL"

// A server is killed, its shop moved, and a server started on PostgreSQL with the same keys:
// sessions, books and log go on for someone who followed from before. Every command, also of
// the last release, refuses the SQLite database and changes nothing in it. Until a server has
// started on PostgreSQL, a backup of SQLite made before the move can be put back.
func TestMoveToPostgres(t *testing.T) {
	t.Parallel()
	if len(dbtest.Engines()) < 2 {
		t.Log("a move needs both engines")
		return
	}
	data := apptest.Config(t, "sqlite").Data
	target := dbtest.Database(t, "template0")
	file := func(name string) string { return filepath.Join(data, name) }
	before := newNode(t, nodeArgs(data, ""))
	c := signedIn(t, before)
	openPack(t, c)
	succeed(t, "verify", "log", *before.url.Load(), "--state", file("state"))
	succeed(t, "backup", file("backup"), "--data", data)
	lastOpen := openPack(t, c)
	move := []string{"move", "--data", data, "--to", target}
	refused(t, "stop the server first", move...)
	before.kill()
	succeed(t, "backup", file("last backup"), "--data", data)
	goingBack := t.TempDir()
	for _, name := range []string{"log.key", "seed.key", "address.key", "log.checkpoint"} {
		copyTo(t, file(name), filepath.Join(goingBack, name))
	}

	out := succeed(t, move...)
	for _, want := range []string{"the database has ", "set up the target", "copied ", "checksum of every table are the same", "the books are in order", "as moved", "the move is complete"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output of move lacks %q: %s", want, out)
		}
	}
	moved := rowsOf(t, file(sqlite.File))
	for _, command := range []string{
		"backup " + file("backup2"), "restore", "migrate", "audit", "audit --full", "admin grant " + c.Address, "catalogue export " + file("items.csv"), "keys rotate log", "keys rotate address",
	} {
		refused(t, wasMoved, append(strings.Fields(command), "--data", data)...)
	}
	refused(t, wasMoved, "restore", file("backup"), "--data", data)
	refusedStart(t, wasMoved, "serve", "--addr", "127.0.0.1:0", "--data", data)
	unfinished := apptest.Config(t, "postgres")
	dbtest.PostgresTool(t, "psql", "-X", "-q", "-c", `INSERT INTO goose_db_version (version_id, is_applied) VALUES (1000000001, TRUE)`, unfinished.DatabaseURL)
	for _, command := range [][]string{
		{"serve", "--addr", "127.0.0.1:0", "--data", data}, {"admin", "grant", c.Address, "--data", data},
		{"serve", "--addr", "127.0.0.1:0", "--data", unfinished.Data, "--database-url", unfinished.DatabaseURL},
	} {
		out, err := exec.CommandContext(t.Context(), releasedProgram(t), command...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "use a newer kaibao") {
			t.Errorf("%q of the last release: %v: %s", command, err, out)
		}
	}
	if !bytes.Equal(rowsOf(t, file(sqlite.File)), moved) {
		t.Error("a command changed the moved database")
	}
	if out := succeed(t, move...); !strings.Contains(out, "already complete") {
		t.Errorf("the second move: %s", out)
	}
	refused(t, "not to this target", "move", "--data", data, "--to", dbtest.Database(t, "template0"))

	copyTo(t, file("last backup"), filepath.Join(goingBack, sqlite.File))
	newNode(t, nodeArgs(goingBack, "")).kill()

	after := newNode(t, nodeArgs(data, target))
	c.Base = *after.url.Load()
	var again struct{ Receipt string }
	c.Get(t, "/api/opens/"+lastOpen.OpenID).Want(t, http.StatusOK, &again)
	if again.Receipt != lastOpen.Receipt {
		t.Error("the last open before the move has another receipt")
	}
	openPack(t, c)
	if out := succeed(t, "verify", "log", c.Base, "--state", file("state")); !strings.Contains(out, "all checks passed") || strings.Contains(out, "restored") {
		t.Errorf("the log after the move: %s", out)
	}
	after.kill()
	wantLines(t, 0, []string{"doctor", "--quick", "--addr", "127.0.0.1:0", "--ops-addr", "", "--data", data, "--database-url", target},
		"WARN backup: none is recorded: make one, then run kaibao backup --done-by NAME", "WARN drill: none is recorded")
	succeed(t, "audit", "--full", "--database-url", target)
}

// rowsOf returns a SQLite file without its header, which says how SQLite writes the file.
func rowsOf(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const header = 100
	return content[header:]
}

// refused runs a command that must fail and say why.
func refused(t *testing.T, reason string, args ...string) {
	t.Helper()
	if out, code := run(t, args...); code != 1 || !strings.Contains(out, reason) || strings.Contains(out, "5ecre7") {
		t.Errorf("%s exits with %d, want 1 and %q: %s", strings.Join(args, " "), code, reason, out)
	}
}

// When move refuses, a server still starts on SQLite, and none on the target that has been set up.
func TestMoveRefuses(t *testing.T) {
	t.Parallel()
	if len(dbtest.Engines()) < 2 {
		t.Log("a move needs both engines")
		return
	}
	data := apptest.Config(t, "sqlite").Data
	otherKeys := t.TempDir()
	succeed(t, "serve", "--check", "--addr", "127.0.0.1:0", "--data", data)
	copyTo(t, filepath.Join(data, sqlite.File), filepath.Join(otherKeys, sqlite.File))
	refused(t, "put the log.key of this database", "move", "--data", otherKeys, "--to", dbtest.Database(t, "template0"))
	for _, key := range []string{"address.key", "log.checkpoint", "log.key"} {
		copyTo(t, filepath.Join(data, key), filepath.Join(otherKeys, key))
	}
	put(t, filepath.Join(otherKeys, "seed.key"), []byte(strings.Repeat("0", 64)))
	refused(t, "seeds are encrypted with the seed key", "move", "--data", otherKeys, "--to", dbtest.Database(t, "template0"))

	target := dbtest.Database(t, "template0")
	onTarget := func(statements ...string) {
		t.Helper()
		args := []string{"-X", "-q", "-v", "ON_ERROR_STOP=1"}
		for _, statement := range statements {
			args = append(args, "-c", statement)
		}
		dbtest.PostgresTool(t, "psql", append(args, target)...)
	}
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.Trim(to.Path, "/")
	guest := *to
	guest.User = url.UserPassword("guest_of_"+name, "secret")
	onTarget(`REVOKE CREATE ON SCHEMA public FROM PUBLIC`, `CREATE ROLE guest_of_`+name+` LOGIN PASSWORD 'secret'`,
		`ALTER DATABASE `+name+` SET default_transaction_read_only = on`)
	for address, want := range map[string]string{
		"mysql://localhost/shop":                  "--to must have the form postgres://",
		"postgres://me:5ecre7@127.0.0.1:1/shop":   "connect to PostgreSQL",
		apptest.Config(t, "postgres").DatabaseURL: "the target isn't empty",
		target: "read-only",
	} {
		refused(t, want, "move", "--data", data, "--to", address)
	}
	onTarget(`SET default_transaction_read_only = off`, `ALTER DATABASE `+name+` RESET default_transaction_read_only`)
	refused(t, "may not create tables", "move", "--data", data, "--to", guest.String())
	if out, err := exec.CommandContext(t.Context(), newerProgram(t), "move", "--data", data, "--to", target).CombinedOutput(); err == nil || !strings.Contains(string(out), "start the server of this version first") {
		t.Errorf("a newer program moves an older schema: %v: %s", err, out)
	}
	if out, code := run(t, "move", "--data", t.TempDir(), "--to", target); code != 1 || !strings.Contains(out, "there is no database to move") || strings.Contains(out, "--database-url") {
		t.Errorf("without a database: exit %d: %s", code, out)
	}
	if out, code := run(t, "move", "--data", data); code != usageError || !strings.Contains(out, "--to") {
		t.Errorf("without a target: exit %d: %s", code, out)
	}
	newNode(t, nodeArgs(data, ""))
}
