package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/db/sqlite"
)

// A newer program migrates while two nodes of an older one are under load. From then on the old nodes
// write nothing and answer 503. Nodes of the newer program continue: no acknowledged act is lost, the
// books are in order, and the log continues for those who followed it.
func TestMigrationUnderLoad(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only on PostgreSQL")
		return
	}
	t.Run("to the next schema", func(t *testing.T) {
		t.Parallel()
		migrateUnderLoad(t, apptest.Config(t, "postgres"), built, newerProgram(t))
	})
	t.Run("from the last release", func(t *testing.T) {
		t.Parallel()
		empty := app.Config{Storage: app.Storage{Data: t.TempDir(), DatabaseURL: dbtest.Database(t, "template0")}}
		migrateUnderLoad(t, empty, releasedProgram(t), built)
	})
}

func migrateUnderLoad(t *testing.T, config app.Config, older, newer string) {
	url := []string{"--database-url", config.DatabaseURL}
	command := func(wantCode int, want string, args ...string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		c := exec.CommandContext(ctx, newer, append(args, url...)...)
		out, _ := c.CombinedOutput()
		if ctx.Err() != nil {
			t.Fatalf("%v: still running after a minute: %s", args, out)
		}
		if code := c.ProcessState.ExitCode(); code != wantCode || !strings.Contains(string(out), want) {
			t.Fatalf("%v: exit %d, want %d and %q: %s", args, code, wantCode, want, out)
		}
	}
	nodes := newNodesOf(t, older, config, 2)
	s := &apptest.Server{URL: *nodes[0].url.Load(), DB: dbtest.Open(t, db.Options{URL: config.DatabaseURL, Schema: db.SchemaOlder, CallTime: time.Hour})}
	loading, stop := context.WithCancel(t.Context())
	defer stop()
	load := &writeLoad{}
	var all sync.WaitGroup
	const clients = 8
	for i := range clients {
		c := signedIn(t, nodes[i%2])
		all.Go(func() { load.run(loading, t, c) })
	}
	playing, stopPlaying := context.WithCancel(t.Context())
	defer stopPlaying()
	var stopped sync.WaitGroup
	players, offers := make([]*player, 4), newBoard()
	for i := range players {
		p := newPlayer(t, nodes[i%2], offers)
		players[i] = p
		stopped.Go(func() { p.play(playing, nodes[i%2]) })
	}
	apptest.Until(t, "the nodes are busy", func() bool { return load.done.Load() > 200 })
	nodes[0].awaitAnswers(t, 40)
	nodes[1].awaitAnswers(t, 40)
	state, mirror := filepath.Join(t.TempDir(), "state"), t.TempDir()
	succeed(t, "verify", "log", s.URL, "--state", state)
	s.Mirror(t, mirror)

	command(1, "no backup is recorded", "migrate")
	command(0, "recorded", "backup", "--done-by", "the test")
	command(1, "--backup-age", "migrate", "--backup-age", "0s")
	command(1, "--while-serving", "migrate")
	command(1, "kaibao migrate", "serve", "--addr", "127.0.0.1:0", "--data", config.Data)
	command(1, "FAIL schema: the database has schema", "serve", "--check", "--addr", "127.0.0.1:0", "--data", config.Data)
	before := load.done.Load()
	apptest.Until(t, "the nodes continue to serve", func() bool { return load.done.Load() > before+50 })
	begin := time.Now()
	command(0, "migrated from schema", "migrate", "--while-serving")
	migrated := time.Since(begin)

	wantNoWrites(t, s, load, clients)
	for _, n := range nodes {
		browser := &apptest.Client{Base: *n.url.Load(), HTTP: http.DefaultClient}
		if a := browser.Get(t, "/readyz"); a.Status != http.StatusServiceUnavailable {
			t.Errorf("an older node is ready: %d %s", a.Status, a.Body)
		}
	}
	stop()
	all.Wait()
	if answers := load.unexpected(); len(answers) > 0 {
		t.Errorf("unexpected answers, neither 200, 402 nor 503: %v", answers)
	}

	begin = time.Now()
	for _, n := range nodes {
		n.kill()
		n.built = newer
		n.start(t)
	}
	for _, n := range nodes {
		for len(n.answered) > 0 {
			<-n.answered
		}
		n.awaitAnswers(t, 40)
	}
	t.Logf("the migration took %s, two new nodes and 80 acts %s", migrated, time.Since(begin))
	stopPlaying()
	stopped.Wait()
	acts := 0
	for i, p := range players {
		p.repeat(t, nodes[i%2], sameFields)
		p.check(t, s)
		acts += len(p.acknowledged)
	}
	t.Logf("%d acts acknowledged", acts)
	s.URL = *nodes[0].url.Load()
	s.WaitForLog(t)
	command(0, "the books are in order", "audit", "--full")
	succeed(t, "verify", "log", s.URL, "--state", state)
	s.Mirror(t, mirror)
}

// wantNoWrites waits until older nodes have refused many requests after a migration, and fails the test
// if they wrote anything.
func wantNoWrites(t *testing.T, s *apptest.Server, load *writeLoad, clients int64) {
	t.Helper()
	written := tableChecksums(t, s)
	refused, done, deadline := load.refused.Load(), load.done.Load(), time.Now().Add(time.Minute)
	apptest.Until(t, "the nodes have refused 400 requests", func() bool {
		// Each client may still get the response of one act committed before.
		if more := load.done.Load() - done; more > clients {
			t.Fatalf("after the migration the older nodes did %d more acts for %d clients", more, clients)
		}
		if time.Now().After(deadline) {
			t.Fatalf("in a minute the older nodes refused only %d acts", load.refused.Load()-refused)
		}
		return load.refused.Load() > refused+400
	})
	if now := tableChecksums(t, s); !maps.Equal(written, now) {
		for table, content := range now {
			if written[table] != content {
				t.Errorf("the older nodes wrote to %s: %s, was %s", table, content, written[table])
			}
		}
	}
}

// sameFields reports whether a response has all fields of an older program's, with their values. It
// may have new ones.
func sameFields(older, newer []byte) bool {
	var was, is any
	if json.Unmarshal(older, &was) != nil || json.Unmarshal(newer, &is) != nil {
		return bytes.Equal(older, newer)
	}
	return hasFields(was, is)
}

func hasFields(older, newer any) bool {
	switch older := older.(type) {
	case map[string]any:
		object, ok := newer.(map[string]any)
		for field, was := range older {
			is, found := object[field]
			ok = ok && found && hasFields(was, is)
		}
		return ok
	case []any:
		list, ok := newer.([]any)
		return ok && slices.EqualFunc(older, list, hasFields)
	}
	return older == newer
}

// signedIn returns a wallet with points on a node.
func signedIn(t *testing.T, n *node) *apptest.Client {
	t.Helper()
	c := (&apptest.Server{URL: *n.url.Load()}).SignIn(t)
	c.Deposit(t, 3000)
	return c
}

// writeLoad makes clients write in various ways and counts the responses.
type writeLoad struct {
	done, refused atomic.Int64
	mutex         sync.Mutex
	others        map[string]int
}

func (l *writeLoad) run(ctx context.Context, t *testing.T, c *apptest.Client) {
	for i := 0; ctx.Err() == nil; i++ {
		call := []struct {
			path string
			body any
		}{
			{"/api/packs/2/open", map[string]any{"clientSeed": fmt.Sprint(i)}},
			{"/api/wallet/deposit/manual", map[string]any{"amount": 1}},
			{"/api/auth/challenge", map[string]any{"address": c.Address}},
			{"/api/packs/1/open", map[string]any{"clientSeed": fmt.Sprint(i)}},
		}[i%4]
		answer, err := c.Try(ctx, http.MethodPost, call.path, call.body)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			t.Errorf("%s: %v", call.path, err)
			return
		case answer.Status == http.StatusOK:
			l.done.Add(1)
		case answer.Status == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") != "":
			l.refused.Add(1)
		case answer.Status != http.StatusPaymentRequired:
			l.mutex.Lock()
			if l.others == nil {
				l.others = map[string]int{}
			}
			l.others[fmt.Sprintf("%s: %d %s", call.path, answer.Status, answer.Body)]++
			l.mutex.Unlock()
		}
	}
}

func (l *writeLoad) unexpected() map[string]int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.others
}

// tableChecksums returns a checksum of the rows of each table.
func tableChecksums(t *testing.T, s *apptest.Server) map[string]string {
	t.Helper()
	found := map[string]string{}
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		tables, err := db.All(tx, db.Column[string], `SELECT tablename FROM pg_tables WHERE schemaname = current_schema()`)
		if err != nil {
			return err
		}
		for _, table := range tables {
			found[table], err = db.One(tx, db.Column[string],
				`SELECT COUNT(*) || ' rows, sum ' || COALESCE(SUM(hashtext(t::text)), 0) FROM `+table+` t`)
			if err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

// On SQLite, a newer server migrates at startup: it refuses to do so under a running server, and
// backs up the database first.
func TestNewerServerMigratesSQLite(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "sqlite") {
		t.Log("only on SQLite")
		return
	}
	newer := newerProgram(t)
	config := apptest.Config(t, "sqlite")
	running := newNode(t, nodeArgs(config.Data, ""))
	serve := exec.CommandContext(t.Context(), newer, nodeArgs(config.Data, "")...)
	if out, err := serve.CombinedOutput(); err == nil || !strings.Contains(string(out), "stop the server first") {
		t.Errorf("migrated under another server: %v %s", err, out)
	}
	signedIn(t, running) // the running server still works
	check := exec.CommandContext(t.Context(), newer, "serve", "--check", "--addr", "127.0.0.1:0", "--data", config.Data)
	if out, err := check.CombinedOutput(); err != nil || !strings.Contains(string(out), "the server will back the database up and migrate it to") {
		t.Errorf("the check of the newer program: %v %s", err, out)
	}
	running.kill()
	put(t, filepath.Join(config.Data, sqlite.File+".schema-1-20260101T000000Z.part"), []byte("left by a migration that was killed"))
	n := &node{args: nodeArgs(config.Data, ""), answered: running.answered, broken: running.broken, built: newer}
	n.start(t)
	t.Cleanup(n.kill)
	signedIn(t, n)
	n.kill()
	backups, err := filepath.Glob(filepath.Join(config.Data, sqlite.File+".schema-*"))
	if err != nil || len(backups) != 1 {
		t.Fatalf("backups %q (%v)", backups, err)
	}
	if info, err := os.Stat(backups[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has mode %v (%v)", info.Mode(), err)
	}
	refusedStart(t, "use a newer kaibao", "serve", "--addr", "127.0.0.1:0", "--data", config.Data)
	succeed(t, "restore", backups[0], "--data", config.Data)
	again := newNode(t, nodeArgs(config.Data, ""))
	signedIn(t, again)
	again.kill()
	succeed(t, "audit", "--full", "--data", config.Data)
}
