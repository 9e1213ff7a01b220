package db_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/db/engine"
	"kaibao/internal/db/sqlite"
)

// bothEngines reports whether both engines are tested.
func bothEngines(t *testing.T) bool {
	t.Helper()
	if len(dbtest.Engines()) == 2 {
		return true
	}
	t.Log("a move needs both engines")
	return false
}

// moveTest is a shop on SQLite and an empty PostgreSQL database.
type moveTest struct {
	*testing.T
	dir, url string
}

// newMoveTest returns a test whose SQLite database has the rows that statements insert.
func newMoveTest(t *testing.T, target string, statements ...string) moveTest {
	t.Helper()
	m := moveTest{t, dbtest.Options(t, "sqlite").Dir, target}
	m.write(append([]string{`INSERT INTO settings (name, value) VALUES ('log_key', 'the log')`}, statements...)...)
	return m
}

func (m moveTest) write(statements ...string) {
	m.Helper()
	d, err := db.Open(m.Context(), db.Options{Dir: m.dir})
	if err != nil {
		m.Fatal(err)
	}
	if err := errors.Join(d.InTx(m.Context(), func(tx *db.Tx) error {
		for _, statement := range statements {
			if _, err := tx.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	}), d.Close()); err != nil {
		m.Fatal(err)
	}
}

// open opens a move until the test ends or closed is called.
func (m moveTest) open(target string) (*db.Move, func()) {
	m.Helper()
	move, err := db.OpenMove(m.Context(), m.dir, target)
	if err != nil {
		m.Fatal(err)
	}
	closed := false
	end := func() {
		if !closed {
			closed = true
			if err := move.Close(); err != nil {
				m.Error(err)
			}
		}
	}
	m.Cleanup(end)
	return move, end
}

func noProgress(string, int64, int64) {}

// copyRows runs the steps of a move up to the comparison.
func copyRows(t *testing.T, move *db.Move) error {
	err := move.SetUp(t.Context())
	if err == nil {
		_, err = move.Copy(t.Context(), noProgress)
	}
	if err == nil {
		err = move.Compare(t.Context(), noProgress)
	}
	return err
}

// The values that the engines store differently arrive as they are, and so do the numbers that the
// database counts up. Later versions can migrate the target.
func TestMoveKeepsEveryValue(t *testing.T) {
	if !bothEngines(t) {
		return
	}
	const id, other = "00000000-0000-7000-8000-000000000001", "ffffffff-ffff-ffff-ffff-ffffffffffff"
	m := newMoveTest(t, dbtest.Database(t, "template0"),
		`INSERT INTO settings (name, value) VALUES ('empty', ''), ('text', 'Ä 宝可梦 🎴 ''"\N' || char(9, 10, 13, 1) || '{"a": null}')`,
		fmt.Sprintf(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ('%s', 'a', 'a', x'00ff0a5c', 9223372036854775807), ('%s', 'b', 'b', x'', -1)`, id, other),
		fmt.Sprintf(`UPDATE users SET deletion_asked_at = 1, deletion_due_at = 2 WHERE id = '%s'`, id),
		fmt.Sprintf(`INSERT INTO accounts (user_id, nonce, commitment, sealed_seed) VALUES ('%s', 0, x'01', x'02')`, id),
		fmt.Sprintf(`INSERT INTO deposits (id, user_id, provider, amount_cents, state, exception, confirming, charge_token, sol_price_cents, price_is_fallback, version, created_at, expires_at)
			VALUES ('%s', '%[1]s', 'helio', 1, 'quoted', '', TRUE, NULL, 1, FALSE, 1, 1, 2)`, id),
		`INSERT INTO log_waiting (body) VALUES ('1'), ('2'), ('3')`, `DELETE FROM log_waiting WHERE body > '1'`,
		`INSERT INTO events_waiting (kind, item_id, price_cents, created_at) VALUES ('a', '', 0, 0)`, `DELETE FROM events_waiting`,
		`UPDATE market_readers SET position = 7 WHERE name = 'head'`,
	)
	read := func(d *db.DB) (found []string) {
		t.Helper()
		if err := d.Read(t.Context(), func(tx *db.Tx) error {
			for _, query := range []string{
				`SELECT value FROM settings WHERE name IN ('empty', 'text') ORDER BY name`,
				`SELECT id || ' ' || created_at || ' ' || COALESCE(deletion_due_at, -2) FROM users ORDER BY tag`,
				`SELECT CASE WHEN confirming AND NOT price_is_fallback AND charge_token IS NULL THEN 'as it was' ELSE 'changed' END FROM deposits`,
				`SELECT body || ' ' || seq FROM log_waiting`,
				`SELECT name || ' ' || position FROM market_readers ORDER BY name`,
			} {
				texts, err := db.All(tx, db.Column[string], query)
				if err != nil {
					return err
				}
				found = append(found, texts...)
			}
			salts, err := db.All(tx, db.Column[[]byte], `SELECT tag_salt FROM users ORDER BY tag`)
			found = append(found, fmt.Sprintf("%x", salts))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return found
	}
	source, err := db.Open(t.Context(), db.Options{Dir: m.dir})
	if err != nil {
		t.Fatal(err)
	}
	want := read(source)
	if err := source.Close(); err != nil {
		t.Fatal(err)
	}
	move, end := m.open(m.url)
	if err := errors.Join(copyRows(t, move), move.MarkSource(t.Context()), move.Finish(t.Context())); err != nil {
		t.Fatal(err)
	}
	end()
	target := dbtest.Open(t, db.Options{URL: m.url})
	if found := read(target); !slices.Equal(found, want) || len(want) != 9 {
		t.Errorf("the target has\n%q, the source\n%q", found, want)
	}
	if err := target.InTx(t.Context(), func(tx *db.Tx) error {
		for table, want := range map[string]int64{
			`INSERT INTO log_waiting (body) VALUES ('4') RETURNING seq`:                                                                                          4,
			`INSERT INTO events_waiting (kind, item_id, price_cents, created_at) VALUES ('b', '', 0, 0) RETURNING seq`:                                           2,
			`INSERT INTO solo_acts (user_id, road, subject, amount_cents, created_at) SELECT id, 'credit', '', 0, 0 FROM users WHERE tag = 'a' RETURNING number`: 1,
		} {
			if number, err := db.One(tx, db.Column[int64], table); err != nil || number != want {
				t.Errorf("%s returns %d (%v), want %d", table, number, err, want)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	db.AddMigration(t, `INSERT INTO settings (name, value) VALUES ('migrated', '')`)
	dbtest.Open(t, db.Options{URL: m.url, Schema: db.SchemaMigrate})
}

// A text that PostgreSQL can't store stops the move with the place of the row. The source stays
// usable.
func TestMoveRefusesWhatPostgresCannotStore(t *testing.T) {
	if !bothEngines(t) {
		return
	}
	target := dbtest.Database(t, "template0") // of all moves, because it has the same shop each time
	for name, c := range map[string]struct{ statement, want string }{
		"a NUL":         {`INSERT INTO settings (name, value) VALUES ('bad', 'a' || char(0) || 'b')`, "settings: row 2, column value: PostgreSQL can't store a text with a NUL"},
		"invalid UTF-8": {`INSERT INTO settings (name, value) VALUES ('bad', CAST(x'ff' AS TEXT))`, "column value: PostgreSQL can't store a text"},
		"another type":  {`INSERT INTO sessions (token_hash, user_id, created_at, last_used_at) SELECT 'text', id, 1, 1 FROM users`, "sessions: row 1, column token_hash: SQLite has a string where PostgreSQL has the type bytea"},
		"no id":         {`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ('me', 'b', 'b', x'', 1)`, "users: row 2, column id: SQLite has a string"},
		"a new table":   {`CREATE TABLE mine (name TEXT)`, "tables or columns that aren't part of the schema: mine.name"},
		"a new column":  {`ALTER TABLE users ADD COLUMN mine TEXT`, "tables or columns that aren't part of the schema: users.mine"},
		"a lost column": {`ALTER TABLE users DROP COLUMN profile_lock_reason`, "the source has no column users.profile_lock_reason"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMoveTest(t, target, `INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ('00000000-0000-7000-8000-000000000001', 'a', 'a', x'', 1)`, c.statement)
			move, end := m.open(m.url)
			if err := copyRows(t, move); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the move returns %v, want %q", err, c.want)
			}
			end()
			m.write()
			if d, err := db.Open(t.Context(), db.Options{URL: m.url}); !errors.Is(err, db.ErrUnfinished) {
				t.Errorf("a program starts on the target: %v, %v", d, err)
			}
		})
	}
}

// A row that changed, or is missing or added, after it was copied is found by the comparison.
func TestMoveFindsChangedRows(t *testing.T) {
	if !bothEngines(t) {
		return
	}
	target := dbtest.Database(t, "template0")
	for name, change := range map[string]string{
		"changed": `UPDATE settings SET value = 'another log' WHERE name = 'log_key'`,
		"missing": `DELETE FROM settings`,
		"swapped": `UPDATE log_followers SET position = CASE name WHEN 'draws' THEN 1 ELSE 2 END`,
		"added":   `INSERT INTO settings (name, value) VALUES ('new', '')`,
	} {
		t.Run(name, func(t *testing.T) {
			m := newMoveTest(t, target, `UPDATE log_followers SET position = CASE name WHEN 'draws' THEN 2 ELSE 1 END`)
			move, _ := m.open(m.url)
			if err := copyRows(t, move); err != nil {
				t.Fatal(err)
			}
			if _, err := connect(t, db.Options{URL: m.url}, "psql").ExecContext(t.Context(), change); err != nil {
				t.Fatal(err)
			}
			if err := move.Compare(t.Context(), noProgress); err == nil || !strings.Contains(err.Error(), "differs") {
				t.Errorf("the comparison returns %v", err)
			}
		})
	}
}

// A source can be moved to one target only, and only an incomplete target of the same shop is used
// again.
func TestMoveChoosesItsTarget(t *testing.T) {
	if !bothEngines(t) {
		return
	}
	m := newMoveTest(t, dbtest.Database(t, "template0"))
	ctx := t.Context()
	abandoned, end := m.open(m.url)
	if err := copyRows(t, abandoned); err != nil {
		t.Fatal(err)
	}
	end()
	other := newMoveTest(t, dbtest.Database(t, "template0"))
	other.write(`UPDATE settings SET value = 'another log' WHERE name = 'log_key'`)
	wrong, endWrong := other.open(m.url)
	const anotherShop = "incomplete move of another shop, with the log key the log"
	if _, err := wrong.Stage(ctx); err == nil || !strings.Contains(err.Error(), anotherShop) {
		t.Errorf("the stage of another shop's move: %v", err)
	}
	if err := wrong.SetUp(ctx); err == nil || !strings.Contains(err.Error(), anotherShop) {
		t.Errorf("another shop took the target: %v", err)
	}
	endWrong()

	move, end := m.open(other.url)
	if stage, err := move.Stage(ctx); err != nil || stage != db.NotMoved {
		t.Errorf("before the move: stage %v, %v", stage, err)
	}
	if err := errors.Join(copyRows(t, move), move.MarkSource(ctx)); err != nil {
		t.Fatal(err)
	}
	if stage, err := move.Stage(ctx); err != nil || stage != db.SourceMarked {
		t.Errorf("after the mark: stage %v, %v", stage, err)
	}
	end()
	wantElsewhere := func() {
		t.Helper()
		move, end := m.open(m.url)
		defer end()
		if stage, err := move.Stage(ctx); err == nil || !strings.Contains(err.Error(), "not to this target") {
			t.Errorf("the abandoned target: stage %v, %v", stage, err)
		}
	}
	wantElsewhere()
	again, end := m.open(other.url)
	if _, err := again.Stage(ctx); err != nil {
		t.Fatal(err)
	}
	change := func(statement string) {
		t.Helper()
		if _, err := connect(t, db.Options{URL: other.url}, "psql").ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	change(`UPDATE move_target SET move = move || ' 2'`)
	if err := again.Finish(ctx); err == nil || !strings.Contains(err.Error(), "another move into the target") {
		t.Errorf("finish a target that another move has taken: %v", err)
	}
	change(`UPDATE move_target SET move = REPLACE(move, ' 2', '')`)
	if err := again.Finish(ctx); err != nil {
		t.Fatal(err)
	}
	if stage, err := again.Stage(ctx); err != nil || stage != db.Moved {
		t.Errorf("after the move: stage %v, %v", stage, err)
	}
	end()
	wantElsewhere()
	dbtest.Open(t, db.Options{URL: other.url})
}

// Nothing writes to a source after it was moved: neither a program that starts, nor one that was
// already running, nor a restore.
func TestNothingUsesAMovedDatabase(t *testing.T) {
	if !bothEngines(t) {
		return
	}
	m := newMoveTest(t, dbtest.Database(t, "template0"))
	file := m.TempDir() + "/backup"
	if err := sqlite.Backup(t.Context(), m.dir, file); err != nil {
		t.Fatal(err)
	}
	running, err := db.Open(t.Context(), db.Options{Dir: m.dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.OpenMove(t.Context(), m.dir, m.url); !errors.Is(err, sqlite.ErrInUse) {
		t.Errorf("a move while a program runs: %v", err)
	}
	if err := running.Close(); err != nil {
		t.Fatal(err)
	}
	move, end := m.open(m.url)
	if _, err := db.OpenMove(t.Context(), m.dir, m.url); !errors.Is(err, sqlite.ErrInUse) {
		t.Errorf("a second move at the same time: %v", err)
	}
	if _, err := db.Open(t.Context(), db.Options{Dir: m.dir, CallTime: 50 * time.Millisecond}); err == nil || !strings.Contains(err.Error(), "another program has locked the database") {
		t.Errorf("a server starts during a move: %v", err)
	}
	if err := copyRows(t, move); err != nil {
		t.Fatal(err)
	}
	if err := move.MarkSource(t.Context()); err != nil {
		t.Fatal(err)
	}
	end()
	for name, use := range map[string]db.SchemaUse{"serve": db.SchemaServe, "a command": db.SchemaExact, "backup": db.SchemaOlder, "migrate": db.SchemaMigrate} {
		for database, o := range map[string]db.Options{"the source": {Dir: m.dir, Schema: use}, "the target": {URL: m.url, Schema: use}} {
			want := map[string]error{"the source": db.ErrMoved, "the target": db.ErrUnfinished}[database]
			if _, err := db.Open(t.Context(), o); !errors.Is(err, want) {
				t.Errorf("%s opens %s: %v", name, database, err)
			}
		}
	}
	if err := sqlite.Backup(t.Context(), m.dir, file+"2"); !errors.Is(err, db.ErrMoved) {
		t.Errorf("a backup: %v", err)
	}
	if _, err := sqlite.Restore(t.Context(), file, m.dir, running.Schema()); !errors.Is(err, db.ErrMoved) {
		t.Errorf("a restore: %v", err)
	}
}

// A program that has PostgreSQL or SQLite open when the mark appears writes nothing from then on.
func TestMarkStopsRunningPrograms(t *testing.T) {
	for name, c := range map[string]struct {
		version int64
		want    error
	}{"sqlite": {engine.MovedVersion, db.ErrMoved}, "postgres": {engine.UnfinishedVersion, db.ErrUnfinished}} {
		if !slices.Contains(dbtest.Engines(), name) {
			continue
		}
		d := dbtest.Open(t, dbtest.Options(t, name))
		if err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, TRUE)`, c.version)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return insertName(tx, "late") }); !errors.Is(err, c.want) {
			t.Errorf("%s: a write after the mark: %v", name, err)
		}
		wantNames(t, d)
	}
}

// A target must be empty and UTF-8. What belongs to an extension doesn't count.
func TestMoveNeedsAnEmptyTarget(t *testing.T) {
	if !bothEngines(t) {
		return
	}
	m := newMoveTest(t, dbtest.Database(t, "template0"))
	for name, c := range map[string]struct {
		url   string
		setUp string
		want  string
	}{
		"a shop":       {url: dbtest.Options(t, "postgres").URL, setUp: `SELECT 1`, want: "isn't empty"},
		"a table":      {url: dbtest.Database(t, "template0"), setUp: `CREATE TABLE mine (name TEXT)`, want: "isn't empty"},
		"a view":       {url: dbtest.Database(t, "template0"), setUp: `CREATE VIEW mine AS SELECT 1`, want: "isn't empty"},
		"Latin 1":      {url: dbtest.Database(t, "template0 ENCODING 'LATIN1'"), setUp: `SELECT 1`, want: "encoding is LATIN1"},
		"an extension": {url: dbtest.Database(t, "template0"), setUp: `CREATE EXTENSION pg_stat_statements`},
	} {
		if _, err := connect(t, db.Options{URL: c.url}, "psql").ExecContext(t.Context(), c.setUp); err != nil {
			t.Fatal(err)
		}
		move, end := m.open(c.url)
		_, err := move.Stage(t.Context())
		setUpErr := move.SetUp(t.Context())
		for _, err := range []error{err, setUpErr} {
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%s: %v, want %q", name, err, c.want)
			}
		}
		end()
	}
}
