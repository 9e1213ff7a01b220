package main

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"kaibao/internal/app/apptest"
	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

var settingName = regexp.MustCompile(`\bKAIBAO_[A-Z_]+\b`)

// Every setting in the files of deploy/ exists.
func TestDeployedSettingsExist(t *testing.T) {
	k, err := kong.New(&commands{}, kong.BindTo(t.Context(), (*context.Context)(nil)))
	if err != nil {
		t.Fatal(err)
	}
	known, named := settings(k.Model.Node), 0
	for _, pattern := range []string{"*.*", "Dockerfile", "systemd/*", "postgres/*"} {
		files, err := filepath.Glob(filepath.Join(deployDir, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no file %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range settingName.FindAllString(string(text), -1) {
				named++
				if !slices.Contains(known, name) {
					t.Errorf("%s has the setting %s, which doesn't exist", file, name)
				}
			}
		}
	}
	if named < 30 {
		t.Errorf("read only %d settings", named)
	}
}

// environmentFile returns the variables of a file in deploy/, with parts of their values replaced.
func environmentFile(t *testing.T, name string, values map[string]string) (variables []string) {
	t.Helper()
	for line := range strings.Lines(string(replaced(t, filepath.Join(deployDir, name), values))) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") {
			variables = append(variables, line)
		}
	}
	return variables
}

var execStart = regexp.MustCompile(`(?m)^ExecStart=(\S+) ?(.*)$`)

// systemd accepts the units and finds them well sandboxed, and their commands exist. The server
// would start with the settings of the example.
func TestSystemdUnits(t *testing.T) {
	t.Parallel()
	script, err := filepath.Abs(filepath.Join(deployDir, "postgres", "pg-backup"))
	if err != nil {
		t.Fatal(err)
	}
	installed := map[string]string{"/usr/local/bin/kaibao": built, "/usr/local/bin/pg-backup": script}
	readme, err := os.ReadFile(filepath.Join(deployDir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir, units := t.TempDir(), []string{}
	for name, want := range map[string]string{"kaibao": "serve", "kaibao-audit": "audit", "kaibao-audit-full": "audit --full", "kaibao-pg-backup": "/var/lib/kaibao-backups"} {
		text, err := os.ReadFile(filepath.Join(deployDir, "systemd", name+".service"))
		if err != nil {
			t.Fatal(err)
		}
		command := execStart.FindSubmatch(text)
		if len(command) != 3 || string(command[2]) != want || installed[string(command[1])] == "" {
			t.Fatalf("%s runs %q, want %s", name, command, want)
		}
		for _, path := range []string{string(command[1]), "/etc/kaibao/kaibao.env"} {
			if !strings.Contains(string(readme), " "+path) || !strings.Contains(string(text), "="+path) {
				t.Errorf("deploy/README.md doesn't install %s, or %s doesn't use it", path, name)
			}
		}
		path := filepath.Join(dir, name+".service")
		units = append(units, path)
		put(t, path, []byte(strings.ReplaceAll(string(text), string(command[1]), installed[string(command[1])])))
		const exposure = "20" // tenths of 10
		if out, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=yes", "--threshold="+exposure, path).CombinedOutput(); err != nil {
			t.Errorf("%s isn't sandboxed enough: %v\n%s", name, err, out)
		}
		if name != "kaibao" {
			timer := filepath.Join(dir, name+".timer")
			put(t, timer, replaced(t, filepath.Join(deployDir, "systemd", name+".timer"), nil))
			units = append(units, timer)
		}
	}
	verify := exec.CommandContext(t.Context(), "systemd-analyze", append([]string{"verify", "--man=no"}, units...)...)
	verify.Env = append(os.Environ(), "SYSTEMD_UNIT_PATH="+dir+":")
	if out, err := verify.CombinedOutput(); err != nil || strings.Contains(string(out), dir) {
		t.Errorf("systemd refuses the units: %v\n%s", err, out)
	}

	check := program(t.Context(), "serve", "--check")
	check.Env = append(os.Environ(), environmentFile(t, "systemd/kaibao.env", map[string]string{"/var/lib/kaibao": t.TempDir(), "127.0.0.1:8080": freeAddress(t)})...)
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("the server wouldn't start: %v\n%s", err, out)
	}
}

// The nodes of the compose file start with their settings and the secrets of make-secrets: the
// first one sets up the empty database, and the second one joins it. Both are healthy.
func TestComposeNodesStart(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only PostgreSQL can have several nodes")
		return
	}
	secrets, first, second := filepath.Join(t.TempDir(), "secrets"), t.TempDir(), t.TempDir()
	makeSecrets(t, secrets)
	createDatabase(t, secrets)
	joins := strings.ReplaceAll(composeValue(t, "KAIBAO_LOG_CHECKPOINT"), "/first", first)
	for _, c := range []struct {
		data string
		own  []string // settings of this node only
	}{{first, nil}, {second, []string{"KAIBAO_LOG_CHECKPOINT=" + joins}}} {
		ops := freeAddress(t)
		env := environmentFile(t, "node.env", map[string]string{"/run/secrets": secrets, "0.0.0.0:8090": ops})
		env = slices.Concat(os.Environ(), env, []string{"KAIBAO_DATA=" + c.data, "KAIBAO_ADDR=" + freeAddress(t)}, c.own)
		n := &node{args: []string{"serve"}, env: env}
		n.start(t)
		t.Cleanup(n.kill)
		apptest.Until(t, "the node is ready", func() bool {
			response, err := http.Get(*n.url.Load() + "/readyz")
			return err == nil && response.Body.Close() == nil && response.StatusCode == http.StatusOK
		})
		apptest.Until(t, "the node has signed the log", func() bool {
			_, err := os.Stat(filepath.Join(c.data, "log.checkpoint"))
			return err == nil
		})
		health := program(t.Context(), "doctor", "--quick") // as in the Dockerfile
		health.Env = env
		if out, err := health.CombinedOutput(); err != nil {
			t.Errorf("the node isn't healthy: %v\n%s", err, out)
		}
	}
}

// createDatabase creates a database as PostgreSQL's container does, and sets its address on the tests'
// server in the secrets.
func createDatabase(t *testing.T, secrets string) {
	t.Helper()
	const name = "composed"
	server, err := url.Parse(dbtest.Empty(t, "postgres").URL)
	if err != nil {
		t.Fatal(err)
	}
	password, _ := server.User.Password()
	superuser := append(os.Environ(), "PGHOST="+server.Hostname(), "PGPORT="+server.Port(), "PGUSER="+server.User.Username(), "PGPASSWORD="+password,
		"PGDATABASE="+strings.TrimPrefix(server.Path, "/"))
	create := exec.CommandContext(t.Context(), filepath.Join(deployDir, "postgres", "create-database"))
	create.Env = append(superuser, "DATABASE="+name, "PASSWORD_FILE="+filepath.Join(secrets, "database-password"))
	if out, err := create.CombinedOutput(); err != nil {
		t.Fatalf("create-database: %v: %s", err, out)
	}
	t.Cleanup(func() {
		drop := exec.CommandContext(context.WithoutCancel(t.Context()), "psql", "--command=DROP DATABASE "+name+" WITH (FORCE)", "--command=DROP USER "+name)
		drop.Env = superuser
		if out, err := drop.CombinedOutput(); err != nil {
			t.Errorf("drop the database: %v: %s", err, out)
		}
	})
	file := filepath.Join(secrets, "database-url")
	text := replaced(t, file, map[string]string{"kaibao:": name + ":", "@postgres:5432/kaibao": "@" + server.Host + "/" + name})
	if err := os.Remove(file); err != nil { // it is read-only
		t.Fatal(err)
	}
	put(t, file, text)
}

// composeValue returns the value of a variable in the compose file.
func composeValue(t *testing.T, variable string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(deployDir, "compose.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	_, value, found := strings.Cut(string(text), " "+variable+": ")
	if !found {
		t.Fatalf("compose.yaml doesn't set %s", variable)
	}
	value, _, _ = strings.Cut(value, "\n")
	return value
}

// makeSecrets runs make-secrets, which doesn't overwrite secrets.
func makeSecrets(t *testing.T, dir string) {
	t.Helper()
	for _, want := range []string{"", "already has the secrets"} {
		command := exec.CommandContext(t.Context(), filepath.Join(deployDir, "make-secrets"), dir)
		command.Env = append(os.Environ(), "KAIBAO="+built)
		out, err := command.CombinedOutput()
		if (err == nil) != (want == "") || !strings.Contains(string(out), want) {
			t.Fatalf("make-secrets: %v, want %q: %s", err, want, out)
		}
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("others may read the secrets: %v %v", info.Mode(), err)
	}
}

// pg-backup saves the database so that it can be restored, records the backup and deletes old ones. If the database can't be
// reached, it leaves and records nothing.
func TestPgBackup(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only for PostgreSQL")
		return
	}
	s := apptest.Start(t, apptest.Config(t, "postgres"))
	recorded := func() (at time.Time) {
		t.Helper()
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
			state, err := backup.ReadState(tx)
			at = state.Last()
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return at
	}
	u, err := url.Parse(s.Config.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	password, _ := u.User.Password()
	dir, backups := t.TempDir(), t.TempDir()
	put(t, filepath.Join(dir, "password"), []byte(password))
	put(t, filepath.Join(dir, "deleted-users"), []byte("an id\n"))
	for _, old := range []string{"kaibao-20200101T000000Z.dump", "kaibao-20200102T000000Z.dump", "other.dump"} {
		put(t, filepath.Join(backups, old), nil)
	}
	backUp := func(port string) (string, error) {
		command := exec.CommandContext(t.Context(), filepath.Join(deployDir, "postgres", "pg-backup"), backups)
		command.Env = append(os.Environ(), "PATH="+filepath.Dir(built)+":"+os.Getenv("PATH"), "PGHOST="+u.Hostname(), "PGPORT="+port, "PGUSER="+u.User.Username(),
			"PGDATABASE="+strings.TrimPrefix(u.Path, "/"), "PGPASSWORD_FILE="+filepath.Join(dir, "password"), "KAIBAO_DATABASE_URL="+s.Config.DatabaseURL,
			"DELETED_USERS="+filepath.Join(dir, "deleted-users"), "KEEP=2")
		out, err := command.CombinedOutput()
		return string(out), err
	}
	files := func() (names []string) {
		entries, err := os.ReadDir(backups)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		return names
	}

	before := files()
	_, closed, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	if out, err := backUp(closed); err == nil || !recorded().IsZero() || !slices.Equal(files(), before) {
		t.Errorf("without a database: %v, recorded at %v, files %v: %s", err, recorded(), files(), out)
	}
	out, err := backUp(u.Port())
	if err != nil || time.Since(recorded()) > time.Hour {
		t.Fatalf("%v, recorded at %v: %s", err, recorded(), out)
	}
	saved := files()
	if len(saved) != 4 || saved[0] != "deleted-users" || saved[1] != "kaibao-20200102T000000Z.dump" || saved[3] != "other.dump" {
		t.Fatalf("with KEEP=2 the files are %v", saved)
	}
	info, err := os.Stat(filepath.Join(backups, saved[2]))
	if err != nil || info.Size() == 0 || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has %d bytes and is %s: %v", info.Size(), info.Mode(), err)
	}
	restored := dbtest.Empty(t, "postgres").URL
	dbtest.PostgresTool(t, "pg_restore", "--dbname", restored, filepath.Join(backups, saved[2]))
	succeed(t, "audit", "--full", "--database-url", restored)
}
