package main

import (
	"context"
	"errors"
	"maps"
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

// pgBackup runs pg-backup for a shop.
type pgBackup struct {
	s       *apptest.Server
	backups string
	port    string
	env     []string
}

func newPgBackup(t *testing.T) *pgBackup {
	t.Helper()
	s := apptest.Start(t, apptest.Config(t, "postgres"))
	u, err := url.Parse(s.Config.DatabaseURL)
	if err != nil {
		t.Fatal(err)
	}
	password, _ := u.User.Password()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "password"), []byte(password))
	put(t, filepath.Join(dir, "deleted-users"), []byte("an id\n"))
	return &pgBackup{s: s, backups: t.TempDir(), port: u.Port(), env: append(os.Environ(), "PATH="+filepath.Dir(built)+":"+os.Getenv("PATH"), "PGHOST="+u.Hostname(), "PGUSER="+u.User.Username(),
		"PGDATABASE="+strings.TrimPrefix(u.Path, "/"), "PGPASSWORD_FILE="+filepath.Join(dir, "password"), "KAIBAO_DATABASE_URL="+s.Config.DatabaseURL,
		"DELETED_USERS="+filepath.Join(dir, "deleted-users"))}
}

// run makes a backup, with more settings.
func (p *pgBackup) run(t *testing.T, env ...string) (out string, err error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), filepath.Join(deployDir, "postgres", "pg-backup"), p.backups)
	command.Env = slices.Concat(p.env, []string{"PGPORT=" + p.port}, env)
	text, err := command.CombinedOutput()
	return string(text), err
}

func (p *pgBackup) state(t *testing.T) (state backup.State) {
	t.Helper()
	if err := p.s.DB.Read(t.Context(), func(tx *db.Tx) (err error) { state, err = backup.ReadState(tx); return err }); err != nil {
		t.Fatal(err)
	}
	return state
}

// names returns the names of the files in a folder.
func names(t *testing.T, folder string) []string {
	t.Helper()
	return slices.Sorted(maps.Keys(directory(t, folder)))
}

// pg-backup saves the database so that its owner can restore it, records the backup and deletes old
// ones. If the database can't be reached, it leaves nothing and records why.
func TestPgBackup(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only for PostgreSQL")
		return
	}
	p := newPgBackup(t)
	alter(t, p.s.DB, `CREATE EXTENSION amcheck`)
	for _, old := range []string{"kaibao-20200101T000000Z.dump", "kaibao-20200102T000000Z.dump", "other.dump"} {
		put(t, filepath.Join(p.backups, old), nil)
	}
	before := names(t, p.backups)
	_, closed, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	open := p.port
	p.port = closed
	if out, err := p.run(t); err == nil || !p.state(t).Last().IsZero() || !slices.Equal(names(t, p.backups), before) {
		t.Errorf("without a database: %v, recorded %+v, files %v: %s", err, p.state(t), names(t, p.backups), out)
	}
	if failure := p.state(t).Failure.Message; !strings.HasPrefix(failure, "pg-backup: pg_dump: error: ") || !strings.Contains(failure, "refused") {
		t.Errorf("without a database, the recorded reason is %q", failure)
	}
	p.port = open
	out, err := p.run(t, "KEEP=2")
	if state := p.state(t); err != nil || time.Since(state.Last()) > time.Hour || state.Failure.Message != "" {
		t.Fatalf("%v, recorded %+v: %s", err, state, out)
	}
	saved := names(t, p.backups)
	if len(saved) != 4 || saved[0] != "deleted-users" || saved[1] != "kaibao-20200102T000000Z.dump" || saved[3] != "other.dump" {
		t.Fatalf("with KEEP=2 the files are %v", saved)
	}
	file := filepath.Join(p.backups, saved[2])
	info, err := os.Stat(file)
	if err != nil || info.Size() == 0 || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has %d bytes and is %s: %v", info.Size(), info.Mode(), err)
	}
	restored := dbtest.Empty(t, "postgres").URL
	dbtest.PostgresTool(t, "pg_restore", "--single-transaction", "--exit-on-error", "--dbname", restored, file)
	succeed(t, "audit", "--full", "--database-url", restored)
	if list, err := exec.CommandContext(t.Context(), "pg_restore", "--list", file).Output(); err != nil || strings.Contains(string(list), "amcheck") {
		t.Errorf("only a superuser could restore the extension amcheck (%v)", err)
	}
}

// pg-backup encrypts the backup and gives it to a program that uploads it, with the list of deleted
// users. No unencrypted file remains, failures are recorded, and the last KEEP backups are kept.
func TestPgBackupIsEncryptedAndUploaded(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only for PostgreSQL")
		return
	}
	p := newPgBackup(t)
	identity, recipient := newIdentity(t)
	_, second := newIdentity(t)
	bucket := t.TempDir()
	upload := []string{"AGE_RECIPIENTS=" + recipient + "," + second, `UPLOAD=cp "$1" ` + bucket}
	if out, err := p.run(t, upload...); err != nil || time.Since(p.state(t).Last()) > time.Hour {
		t.Fatalf("%v, recorded %+v: %s", err, p.state(t), out)
	}
	uploaded := directory(t, bucket)
	if saved := directory(t, p.backups); len(uploaded) != 2 || !maps.EqualFunc(uploaded, saved, slices.Equal) || string(uploaded["deleted-users"]) != "an id\n" {
		t.Fatalf("uploaded %v, saved %v", names(t, bucket), names(t, p.backups))
	}
	name := names(t, bucket)[1]
	if !strings.HasSuffix(name, ".dump.age") {
		t.Errorf("the encrypted backup is %s", name)
	}
	dump, restored := filepath.Join(t.TempDir(), "dump"), dbtest.Empty(t, "postgres").URL
	if out, err := exec.CommandContext(t.Context(), "age", "--decrypt", "--identity", identity, "--output", dump, filepath.Join(bucket, name)).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dbtest.PostgresTool(t, "pg_restore", "--single-transaction", "--exit-on-error", "--dbname", restored, dump)
	succeed(t, "restore", "--drill", "--scratch-url", restored, "--database-url", p.s.Config.DatabaseURL)

	for name, c := range map[string]struct {
		env  []string
		want string
	}{
		"upload fails":                   {[]string{upload[0], "UPLOAD=echo access denied >&2; false"}, "pg-backup: access denied"},
		"upload fails without a message": {[]string{upload[0], "UPLOAD=false"}, "pg-backup: sh exits with 1"},
		"wrong recipient":                {[]string{"AGE_RECIPIENTS=" + recipient[1:], upload[1]}, "pg-backup: age: error: "},
		"no deleted users to copy":       {[]string{"DELETED_USERS=" + bucket}, "pg-backup: cp: "},
	} {
		out, err := p.run(t, append(c.env, "KEEP=1")...)
		if failure := p.state(t).Failure.Message; err == nil || !strings.HasPrefix(failure, c.want) {
			t.Errorf("%s: %v, recorded %q, want %q: %s", name, err, failure, c.want, out)
		}
		if !maps.EqualFunc(directory(t, bucket), uploaded, slices.Equal) {
			t.Errorf("%s: the bucket has %v", name, names(t, bucket))
		}
		if saved := names(t, p.backups); len(saved) != 2 || strings.HasSuffix(saved[1], ".partial") {
			t.Errorf("%s: with KEEP=1 the files are %v", name, saved)
		}
	}
	if out, err := p.run(t); err != nil || p.state(t).Failure.Message != "" {
		t.Errorf("after a backup: %v, recorded %+v: %s", err, p.state(t), out)
	}
}

// pg-backup without its folder says how to use it.
func TestPgBackupUsage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"/nowhere", "more"}, {""}} {
		out, err := exec.CommandContext(t.Context(), filepath.Join(deployDir, "postgres", "pg-backup"), args...).CombinedOutput()
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok || exit.ExitCode() != 2 || string(out) != "usage: pg-backup DIR\n" {
			t.Errorf("with %q: %v: %s", args, err, out)
		}
	}
}

// The systemd service saves the list of deleted users with each backup.
func TestServiceSavesDeletedUsers(t *testing.T) {
	t.Parallel()
	env := environmentFile(t, "systemd/kaibao.env", nil)
	for _, want := range []string{"KAIBAO_DATA=/var/lib/kaibao", "DELETED_USERS=/var/lib/kaibao/deleted-users"} {
		if !slices.Contains(env, want) {
			t.Errorf("kaibao.env doesn't set %s: %v", want, env)
		}
	}
}
