package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// pgbouncerConfig is what docs/operations.md recommends, apart from the way to authenticate. The
// arguments are the server, its user and password, the port and the mode.
const pgbouncerConfig = `
[databases]
* = host=%s port=%s user=%s password=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = any
pool_mode = %s
default_pool_size = 100
max_client_conn = 500
`

// pgbouncer is a running PgBouncer.
type pgbouncer struct {
	url     string // of the database, through PgBouncer
	args    []string
	process *exec.Cmd
}

// startPgBouncer starts PgBouncer in front of a database.
func startPgBouncer(t *testing.T, database, mode string) *pgbouncer {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	password, _ := u.User.Password()
	address := freeAddress(t)
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "pgbouncer.ini")
	put(t, file, fmt.Appendf(nil, pgbouncerConfig, u.Hostname(), u.Port(), u.User.Username(), password, port, mode))
	u.Host = address
	p := &pgbouncer{url: u.String(), args: []string{"--quiet", file}}
	if os.Getuid() == 0 {
		p.args = []string{"--quiet", "--user", "nobody", file} // it refuses to run as root
	}
	p.start(t)
	t.Cleanup(p.kill)
	return p
}

func (p *pgbouncer) start(t *testing.T) {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program = "/usr/sbin/pgbouncer" // Debian's
	}
	p.process = exec.CommandContext(context.WithoutCancel(t.Context()), program, p.args...)
	p.process.Stderr = os.Stderr
	if err := p.process.Start(); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(p.url)
	if err != nil {
		t.Fatal(err)
	}
	apptest.Until(t, "PgBouncer listens", func() bool {
		conn, err := net.Dial("tcp", u.Host)
		return err == nil && conn.Close() == nil
	})
}

func (p *pgbouncer) kill() { _ = cmp.Or(p.process.Process.Kill(), p.process.Wait()) }

// Two nodes and all commands work through PgBouncer in session mode: the nodes keep their timeouts
// and locks, survive a restart of PgBouncer, and stop writing when a newer program migrates.
func TestPgBouncerInSessionMode(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only for PostgreSQL")
		return
	}
	config := apptest.Config(t, "postgres")
	direct := config.DatabaseURL
	bouncer := startPgBouncer(t, direct, "session")
	config.DatabaseURL = bouncer.url
	storage := []string{"--data", config.Data, "--database-url", bouncer.url}
	nodes := newNodes(t, config, 2)
	var clients []*apptest.Client
	for _, n := range nodes {
		c := signedIn(t, n)
		openPack(t, c)
		clients = append(clients, c)
	}
	wantSettings(t, bouncer.url)

	bouncer.kill()
	bouncer.start(t)
	for i, c := range clients {
		apptest.Until(t, "a node has reconnected", func() bool {
			return (&apptest.Client{Base: *nodes[i].url.Load(), HTTP: http.DefaultClient}).Get(t, "/readyz").Status == http.StatusOK
		})
		openPack(t, c)
	}
	nodes[1].kill()
	nodes[1].start(t)
	clients[1].Base = *nodes[1].url.Load()
	openPack(t, clients[1])

	s := &apptest.Server{DB: dbtest.Open(t, db.Options{URL: direct, CallTime: time.Hour})}
	s.WaitForLog(t)
	for _, command := range []string{"audit --full", "migrate", "keys", "keys rotate address", "doctor --addr 127.0.0.1:0", "serve --check --addr 127.0.0.1:0"} {
		args := storage
		if command == "audit --full" || command == "migrate" {
			args = storage[2:] // they don't need the keys, but the database
		}
		succeed(t, append(strings.Fields(command), args...)...)
	}
	migrateThrough(t, bouncer.url, config.Data, nodes, clients[0])
	s.WaitForLog(t)
	s.Audit(t)
}

// wantSettings checks that connections through PgBouncer have the settings of their pool and not the
// test server's defaults, where timeouts and synchronous_commit are off.
func wantSettings(t *testing.T, database string) {
	t.Helper()
	d := dbtest.Open(t, db.Options{URL: database})
	for name, c := range map[string]struct {
		run  func(context.Context, func(*db.Tx) error) error
		want map[string]string
	}{
		"write":  {d.InTx, map[string]string{"synchronous_commit": "on", "statement_timeout": "4s", "lock_timeout": "3s", "idle_in_transaction_session_timeout": "4s", "enable_seqscan": "off"}},
		"read":   {d.Read, map[string]string{"statement_timeout": "4s", "enable_seqscan": "on", "jit": "off"}},
		"search": {d.Search, map[string]string{"statement_timeout": "2400ms"}},
	} {
		if err := c.run(t.Context(), func(tx *db.Tx) error {
			for setting, want := range c.want {
				if got, err := db.One(tx, db.Column[string], `SELECT current_setting($1)`, setting); err != nil || got != want {
					t.Errorf("%s: %s is %q, want %q: %v", name, setting, got, want, err)
				}
			}
			return nil
		}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// migrateThrough migrates with a newer program while the nodes serve, and starts it instead of the
// second one.
func migrateThrough(t *testing.T, database, data string, nodes []*node, c *apptest.Client) {
	t.Helper()
	newer := newerProgram(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, args := range []string{"backup --done-by test", "migrate --while-serving"} {
		out, err := exec.CommandContext(ctx, newer, append(strings.Fields(args), "--database-url", database)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", args, err, out)
		}
	}
	c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "x"}).Refused(t, http.StatusServiceUnavailable, "unavailable")
	nodes[0].kill()
	nodes[1].kill()
	n := &node{args: nodeArgs(data, database), built: newer}
	n.start(t)
	t.Cleanup(n.kill)
	openPack(t, signedIn(t, n))
}

// In transaction mode connections would lose their timeouts and synchronous commits, so the program
// refuses to start.
func TestPgBouncerInTransactionModeIsRefused(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only for PostgreSQL")
		return
	}
	config := apptest.Config(t, "postgres")
	bouncer := startPgBouncer(t, config.DatabaseURL, "transaction")
	out, code := run(t, nodeArgs(config.Data, bouncer.url)...)
	if code != 1 || !strings.Contains(out, "pool_mode = session") {
		t.Errorf("exit %d: %s", code, out)
	}
}
