package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"kaibao/internal/app/apptest"
	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/db/sqlite"
	"kaibao/internal/publiclog"
)

// startBucket starts an S3 service with the bucket "shop". It returns the address of a folder in it and
// the flags that reach it. intercept may answer a request itself, and then returns true.
func startBucket(t *testing.T, intercept func(http.ResponseWriter, *http.Request) bool) (location string, flags []string) {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("shop"); err != nil {
		t.Fatal(err)
	}
	bucket := gofakes3.New(backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if intercept == nil || !intercept(w, r) {
			bucket.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return "s3://shop/backups", []string{"--s3-endpoint", server.URL, "--s3-region", "eu", "--s3-access-key", "key", "--s3-secret-key", "secret"}
}

// newIdentity returns the file of a new age identity, and its public key.
func newIdentity(t *testing.T) (file, recipient string) {
	t.Helper()
	own, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "identity.txt")
	put(t, file, []byte("# created: 2026-03-04\n"+own.String()+"\n"))
	return file, own.Recipient().String()
}

// newShop starts a server on SQLite that has sold a pack.
func newShop(t *testing.T) *apptest.Server {
	t.Helper()
	s := apptest.Start(t, apptest.Config(t, "sqlite"))
	openPackAfterDeposit(t, s)
	s.WaitForLog(t)
	return s
}

// A killed backup leaves nothing under the name of the backup, and can be repeated.
func TestKilledBackup(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	var dir, file string
	var args []string
	for killed := false; !killed; { // on a busy machine it may complete first
		dir = t.TempDir()
		file = filepath.Join(dir, "backup")
		args = []string{"backup", file, "--data", s.Config.Data}
		running := program(t.Context(), args...)
		if err := running.Start(); err != nil {
			t.Fatal(err)
		}
		apptest.Until(t, "the backup has begun", func() bool {
			entries, err := os.ReadDir(dir)
			return err != nil || len(entries) > 0
		})
		_ = running.Process.Kill() // it may have ended
		killed = running.Wait() != nil
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the killed backup left %s: %v", file, err)
	}
	succeed(t, args...)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v (%v), want only the backup", entries, err)
	}
	restored := t.TempDir()
	for _, key := range []string{"log.key", "seed.key", "address.key"} {
		copyTo(t, filepath.Join(s.Config.Data, key), filepath.Join(restored, key))
	}
	succeed(t, "restore", file, "--data", restored)
}

// storeBackup makes a backup in a location, and returns its name. It waits for another second if there
// is a backup of the same one already.
func storeBackup(t *testing.T, s *apptest.Server, location string, flags ...string) (name string) {
	t.Helper()
	var out string
	apptest.Until(t, "a backup is stored", func() bool {
		var code int
		out, code = run(t, append([]string{"backup", "--data", s.Config.Data, "--backup-to", location}, flags...)...)
		if code != 0 && !strings.Contains(out, "file exists") && !strings.Contains(out, "file already exists") {
			t.Fatalf("exit %d: %s", code, out)
		}
		return code == 0
	})
	if !strings.HasPrefix(out, "stored kaibao-") || !strings.Contains(out, "verified") {
		t.Errorf("the output is %s", out)
	}
	return strings.Fields(out)[1]
}

// keepBackup gives a backup in a folder the name of one two hours earlier, and returns that.
func keepBackup(t *testing.T, folder, name string) string {
	t.Helper()
	const layout = "20060102T150405Z"
	made := name[len("kaibao-"):][:len(layout)]
	at, err := time.Parse(layout, made)
	if err != nil {
		t.Fatal(err)
	}
	older := strings.Replace(name, made, at.Add(-2*time.Hour).Format(layout), 1)
	if err := os.Rename(filepath.Join(folder, name), filepath.Join(folder, older)); err != nil {
		t.Fatal(err)
	}
	return older
}

// copyKeys copies the keys of a shop into a new data directory.
func copyKeys(t *testing.T, from string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, key := range []string{"log.key", "seed.key", "address.key"} {
		copyTo(t, filepath.Join(from, key), filepath.Join(dir, key))
	}
	return dir
}

// A shop whose database is lost is restored from a folder or a bucket on another machine, which needs
// the keys and the identity only. Users who were deleted since the backup are deleted again, and
// followers of the log see a new epoch.
func TestLostShopIsRestored(t *testing.T) {
	t.Parallel()
	identity, recipient := newIdentity(t)
	bucket, reach := startBucket(t, nil)
	for kind, target := range map[string]struct {
		location string
		flags    []string
	}{"folder": {filepath.Join(t.TempDir(), "backups"), nil}, "bucket": {bucket, reach}} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			ann := s.SignIn(t)
			encrypted := append([]string{"--backup-recipient", recipient}, target.flags...)
			older := storeBackup(t, s, target.location, encrypted...)
			if kind == "folder" { // which keeps only the last backup of an hour
				older = keepBackup(t, target.location, older)
			}
			id := s.DeleteUser(t, ann)
			storeBackup(t, s, target.location, encrypted...)
			state := filepath.Join(t.TempDir(), "state")
			succeed(t, "verify", "log", s.URL, "--state", state)
			s.Stop()

			dir := copyKeys(t, s.Config.Data)
			from := append([]string{"restore", "--data", dir, "--identity", identity, "--from", target.location}, target.flags...)
			if out := succeed(t, append(from, older)...); !strings.Contains(out, "restored "+older+", made at 20") || !strings.Contains(out, "users deleted again: 1. ") {
				t.Errorf("the older backup: %s", out)
			}
			if list, err := os.ReadFile(filepath.Join(dir, "deleted-users")); err != nil || string(list) != id+"\n" {
				t.Errorf("the list of deleted users is %q (%v)", list, err)
			}
			dir = copyKeys(t, s.Config.Data)
			from[2] = dir
			if out := succeed(t, from...); strings.Contains(out, older) || strings.Contains(out, "deleted again") {
				t.Errorf("the newest backup: %s", out)
			}
			config := s.Config
			config.Data = dir
			again := apptest.Start(t, config)
			openPackAfterDeposit(t, again)
			again.WaitForLog(t)
			again.Audit(t)
			if out := succeed(t, "verify", "log", again.URL, "--state", state); !strings.Contains(out, "the database was restored") {
				t.Errorf("the log after the restore: %s", out)
			}
			storeBackup(t, again, target.location, encrypted...) // the restored shop is the same one
		})
	}
}

// A target that contains the backups of a shop refuses those of another one, even if it has the same
// keys. Backups, the list of deleted users and the newest backup stay as they were.
func TestTargetOfAnotherShopIsRefused(t *testing.T) {
	t.Parallel()
	bucket, reach := startBucket(t, nil)
	s := newShop(t)
	gone := s.DeleteUser(t, s.SignIn(t))
	config := apptest.Config(t, "sqlite")
	config.Data = copyKeys(t, s.Config.Data) // a new database; apptest.Config copies one
	other := apptest.Start(t, config)
	other.WaitForLog(t)
	for kind, target := range map[string]struct {
		location string
		flags    []string
	}{"folder": {t.TempDir(), nil}, "bucket": {bucket, append(reach, "--unencrypted")}} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			name := storeBackup(t, s, target.location, target.flags...)
			list := append([]string{"backup", "--list", "--backup-to", target.location}, target.flags...)
			listed := succeed(t, list...)
			if fields := strings.Fields(listed); len(fields) != 3 || fields[2] != name || fields[1] == "0" {
				t.Errorf("listed %s, want %s", listed, name)
			}
			attempt := append([]string{"backup", "--data", config.Data, "--backup-to", target.location}, target.flags...)
			if out, code := run(t, attempt...); code != 1 || !strings.Contains(out, "contains the backups of another shop") {
				t.Errorf("a backup of another shop: exit %d: %s", code, out)
			}
			wantLines(t, 0, []string{"doctor", "--quick", "--addr", "127.0.0.1:0", "--ops-addr", "", "--data", config.Data}, "WARN backup: the last one failed ")
			check := append([]string{"serve", "--check", "--addr", "127.0.0.1:0", "--ops-addr", "", "--backup-to", target.location}, target.flags...)
			wantLines(t, 1, append(check, "--data", config.Data), "FAIL backups: "+target.location+" contains the backups of another shop")
			wantLines(t, 1, append(check, "--data", t.TempDir()), "FAIL backups: "+target.location+" contains the backups of the shop ")
			wantLines(t, 0, append(check, "--data", s.Config.Data), "ok   backups: "+target.location+", not encrypted, 1 stored")
			if again := succeed(t, list...); again != listed {
				t.Errorf("the target has %s, before %s", again, listed)
			}
			dir := copyKeys(t, s.Config.Data)
			from := target.flags
			if kind == "bucket" {
				from = reach
			}
			succeed(t, append([]string{"restore", "--data", dir, "--from", target.location}, from...)...)
			if ids, err := os.ReadFile(filepath.Join(dir, "deleted-users")); err != nil || string(ids) != gone+"\n" {
				t.Errorf("the list of deleted users is %q (%v)", ids, err)
			}
		})
	}
}

// Restores and drills report what is wrong with a backup or the keys before they change anything.
// A drill is recorded as failed if it found out something about a backup, and not if the operator made
// a mistake or something else was missing.
func TestUnusableBackupsChangeNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	identity, recipient := newIdentity(t)
	stranger, _ := newIdentity(t)
	text, err := os.ReadFile(stranger)
	if err != nil {
		t.Fatal(err)
	}
	_, secret, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	folder := t.TempDir()
	lossy, reach := startBucket(t, cutOffBackups)
	plain := filepath.Join(folder, keepBackup(t, folder, storeBackup(t, s, folder)))
	encrypted := filepath.Join(folder, storeBackup(t, s, folder, "--backup-recipient", recipient))
	putObject(t, lossy, reach, plain)
	s.Stop()
	if err := s.DB.Close(); err != nil {
		t.Fatal(err)
	}
	variant := func(name, of string, change func([]byte) []byte) string {
		text, err := os.ReadFile(of)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), name)
		put(t, path, change(text))
		return path
	}
	half := func(text []byte) []byte { return text[:len(text)/2] }
	flip := func(text []byte) []byte { text[len(text)-20] ^= 1; return text }
	foreign := variant("notes.txt", plain, func([]byte) []byte { return []byte("my notes about the shop, 2026") })
	list := t.TempDir()
	copyTo(t, plain, filepath.Join(list, "backup"))
	put(t, filepath.Join(list, "deleted-users"), []byte("somebody\n"))
	for name, c := range map[string]struct {
		args     []string
		want     string
		recorded bool
	}{
		"cut off":                         {[]string{variant("half", plain, half)}, "damaged or incomplete", true},
		"encrypted and cut off":           {[]string{variant("half", encrypted, half), "--identity", identity}, "damaged or incomplete", true},
		"damaged":                         {[]string{variant("damaged", encrypted, flip), "--identity", identity}, "damaged", true},
		"foreign file":                    {[]string{foreign}, "not a backup made by kaibao", true},
		"no identity":                     {[]string{encrypted}, "--identity", false},
		"wrong recipient":                 {[]string{encrypted, "--identity", stranger}, "encrypted for another recipient", false},
		"no identity file":                {[]string{encrypted, "--identity", foreign}, "isn't an age identity file", false},
		"missing identity file":           {[]string{encrypted, "--identity", filepath.Join(folder, "none")}, "no such file", false},
		"an identity instead of its file": {[]string{encrypted, "--identity", secret}, "--identity is the secret identity itself", false},
		"missing file":                    {[]string{filepath.Join(folder, "kaibao-none")}, "no such file", false},
		"missing name":                    {[]string{"kaibao-none", "--from", folder}, "no such file", false},
		"empty folder":                    {[]string{"--from", t.TempDir()}, "there is no backup in", false},
		"missing folder":                  {[]string{"--from", filepath.Join(folder, "none")}, "there is no backup in", false},
		"a location that isn't one":       {[]string{"--from", "ftp://shop"}, "s3://BUCKET", false},
		"a location that lacks a slash":   {[]string{"--from", "s3:/shop"}, "s3://BUCKET", false},
		"an unreachable bucket":           {[]string{"--from", "s3://shop", "--s3-endpoint", "http://127.0.0.1:1", "--s3-region", "eu"}, "refused", false},
		"a lost connection":               {append([]string{"--from", lossy}, reach...), "read " + filepath.Base(plain), false},
		"a damaged list of deleted users": {[]string{filepath.Join(list, "backup")}, "no user id", false},
	} {
		t.Run(name, func(t *testing.T) {
			data := s.Config.Data
			before := directory(t, data)
			out, code := run(t, append([]string{"restore", "--data", data}, c.args...)...)
			if code != 1 || !strings.Contains(out, c.want) {
				t.Errorf("restore exits with %d, want %q: %s", code, c.want, out)
			}
			for name, text := range directory(t, data) {
				if !bytes.Equal(before[name], text) || before[name] == nil {
					t.Errorf("restore changed or left %s", name)
				}
			}
			if strings.Contains(out, "AGE-SECRET-KEY") {
				t.Errorf("the output contains the identity: %s", out)
			}
			if name == "a damaged list of deleted users" {
				return // a drill doesn't read the list
			}
			recorded := drillState(t, data)
			out, code = run(t, append([]string{"restore", "--drill", "--data", data}, c.args...)...)
			said := "the drill didn't start: "
			if c.recorded {
				said = "the drill failed for "
			}
			if code != 1 || !strings.Contains(out, c.want) || !strings.Contains(out, said) || strings.Contains(out, "AGE-SECRET-KEY") {
				t.Errorf("the drill exits with %d, want %q and %q: %s", code, said, c.want, out)
			}
			after := drillState(t, data)
			if !c.recorded && after != recorded || c.recorded && !strings.Contains(after.Failure, c.want) {
				t.Errorf("the recorded drill is %+v, before %+v", after, recorded)
			}
		})
	}
	logKey, err := publiclog.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for key, another := range map[string]string{"log.key": logKey, "seed.key": strings.Repeat("5e", 32), "address.key": strings.Repeat("ad", 32)} {
		dir := copyKeys(t, s.Config.Data)
		put(t, filepath.Join(dir, key), []byte(another))
		out, code := run(t, "restore", plain, "--data", dir)
		if code != 1 || !strings.Contains(out, "the backup needs the key with the fingerprint ") || !strings.Contains(out, " in "+key) || strings.Count(out, "fingerprint") != 1 {
			t.Errorf("with another %s: exit %d: %s", key, code, out)
		}
		if files := directory(t, dir); len(files) != 3 {
			t.Errorf("with another %s: %d files are in the data directory", key, len(files))
		}
		if err := os.Remove(filepath.Join(dir, key)); err != nil {
			t.Fatal(err)
		}
		if out, code := run(t, "restore", plain, "--data", dir); code != 1 || !strings.Contains(out, "first put the "+key) {
			t.Errorf("without %s: exit %d: %s", key, code, out)
		}
	}
	succeed(t, "restore", plain, "--data", s.Config.Data)
}

// cutOffBackups breaks the connection while a backup is being read from a bucket.
func cutOffBackups(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/kaibao-") {
		return false
	}
	w.Header().Set("Content-Length", "1000000")
	w.Header().Set("Last-Modified", "Wed, 04 Mar 2026 12:00:00 GMT")
	w.Header().Set("ETag", `"x"`)
	_, _ = io.WriteString(w, "\x28\xb5\x2f\xfd")
	return true
}

// putObject puts a file into a bucket.
func putObject(t *testing.T, location string, reach []string, file string) {
	t.Helper()
	target, err := backup.OpenS3(location, backup.S3Settings{Endpoint: reach[1], Region: reach[3], AccessKey: reach[5], SecretKey: reach[7]})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = target.Put(t.Context(), filepath.Base(file), bytes.NewReader(text), int64(len(text)))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// drillState returns the last drill that a shop has recorded.
func drillState(t *testing.T, data string) (d backup.Drill) {
	t.Helper()
	shop, err := db.Open(t.Context(), db.Options{Dir: data, Schema: db.SchemaExact})
	if err != nil {
		t.Fatal(err)
	}
	err = shop.Read(t.Context(), func(tx *db.Tx) error {
		state, err := backup.ReadState(tx)
		d = state.Drill
		return err
	})
	if err := errors.Join(err, shop.Close()); err != nil {
		t.Fatal(err)
	}
	return d
}

// A full disk and a full bucket are reported. They leave neither a backup nor a half restored database.
func TestFullDiskLosesNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	folder := t.TempDir()
	file := filepath.Join(folder, storeBackup(t, s, folder))
	limited := func(blocks string, args ...string) {
		t.Helper()
		c := exec.CommandContext(t.Context(), "sh", append([]string{"-c", "ulimit -f " + blocks + `; exec "$0" "$@"`, built}, args...)...)
		out, err := c.CombinedOutput()
		if err == nil {
			t.Fatalf("%v succeeds on a full disk: %s", args, out)
		}
		if strings.Contains(string(out), "panic") || strings.Contains(string(out), "damaged or incomplete") {
			t.Errorf("the error is %s", out)
		}
	}
	full := t.TempDir()
	limited("20", "backup", "--data", s.Config.Data, "--backup-to", full)
	if files := directory(t, full); len(files) != 1 || files["shop"] == nil {
		t.Errorf("a failed backup left %d files", len(files))
	}
	bucket, reach := startBucket(t, func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut {
			w.WriteHeader(http.StatusInsufficientStorage)
		}
		return r.Method == http.MethodPut
	})
	if out, code := run(t, append([]string{"backup", "--unencrypted", "--data", s.Config.Data, "--backup-to", bucket}, reach...)...); code != 1 || !strings.Contains(out, "507") {
		t.Errorf("a full bucket: exit %d: %s", code, out)
	}
	wantLines(t, 0, []string{"doctor", "--quick", "--addr", "127.0.0.1:0", "--ops-addr", "", "--data", s.Config.Data}, "WARN backup: the last one failed ")
	s.Stop()
	if err := s.DB.Close(); err != nil {
		t.Fatal(err)
	}
	recorded := drillState(t, s.Config.Data)
	limited("100", "restore", "--drill", file, "--data", s.Config.Data)
	if after := drillState(t, s.Config.Data); after != recorded {
		t.Errorf("a full TMPDIR was recorded as a failed drill: %+v", after)
	}
	before := directory(t, s.Config.Data)
	limited("100", "restore", file, "--data", s.Config.Data)
	for name, text := range directory(t, s.Config.Data) {
		if !bytes.Equal(before[name], text) {
			t.Errorf("a failed restore changed or left %s", name)
		}
	}
	succeed(t, "restore", file, "--data", s.Config.Data)
}

// A backup that is killed while it is being sent leaves nothing in the bucket. The next one succeeds.
func TestKilledBackupLeavesNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	arrived, hold := make(chan struct{}, 1), true
	bucket, reach := startBucket(t, func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut || !hold || strings.HasSuffix(r.URL.Path, "/shop") {
			return false
		}
		hold = false
		arrived <- struct{}{}
		_, _ = io.Copy(io.Discard, r.Body) // the server notices a broken connection only after the body
		<-r.Context().Done()
		return true
	})
	args := append([]string{"backup", "--unencrypted", "--data", s.Config.Data, "--backup-to", bucket}, reach...)
	ctx, kill := context.WithCancel(t.Context())
	c := program(ctx, args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	<-arrived
	kill()
	if err := c.Wait(); err == nil {
		t.Error("the killed backup succeeded")
	}
	drill := append([]string{"restore", "--drill", "--data", s.Config.Data, "--backup-to", bucket}, reach...)
	if out, code := run(t, drill...); code != 1 || !strings.Contains(out, "there is no backup in") {
		t.Errorf("a drill of nothing: exit %d: %s", code, out)
	}
	storeBackup(t, s, bucket, append(reach, "--unencrypted")...)
	succeed(t, drill...)
}

// A backup doesn't leave the machine unencrypted by accident, and settings that can't work are refused.
func TestBackupSettingsAreChecked(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	const secret = "AGE-SECRET-KEY-1QQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQPQQ"
	for args, want := range map[string]string{
		"--backup-to s3://shop": "--backup-recipient",
		"--backup-to " + t.TempDir() + " --backup-recipient " + secret:                       "is the secret identity: give the public key",
		"--backup-to " + t.TempDir() + " --backup-recipient " + strings.ToLower(secret):      "is the secret identity: give the public key",
		"--backup-to s3:/shop --unencrypted":                                                 "must have the form s3://BUCKET",
		"--backup-to S3://shop --unencrypted":                                                "must have the form s3://BUCKET",
		"--backup-to s3://5ec7e7:5ec7e7@shop --unencrypted":                                  "must have the form s3://BUCKET",
		"--backup-to s3://shop --unencrypted --s3-endpoint https://5ec7e7:5ec7e7@s3.example": "must have the form https://HOST",
		"--backup-to s3://shop --unencrypted --s3-endpoint nowhere":                          "must have the form https://HOST",
		"--backup-to " + t.TempDir() + " --backup-recipient key":                             "age public key",
		"--backup-to " + t.TempDir() + " --database-url postgres://host/x":                   "only for SQLite",
	} {
		for _, command := range []string{"backup", "serve --addr 127.0.0.1:0"} {
			all := append(strings.Fields(command), append(strings.Fields(args), "--data", s.Config.Data)...)
			out, code := run(t, all...)
			if code != 1 || !strings.Contains(out, want) && !strings.Contains(out, "pg_dump") {
				t.Errorf("%v: exit %d, want %q: %s", all, code, want, out)
			}
			if strings.Contains(strings.ToUpper(out), secret) || strings.Contains(out, "5ec7e7") {
				t.Errorf("the output contains a secret: %s", out)
			}
		}
	}
}

// serve --check says whether backups can be stored, as far as that is known without storing one.
func TestCheckReachesTarget(t *testing.T) {
	t.Parallel()
	bucket, reach := startBucket(t, nil)
	_, recipient := newIdentity(t)
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, nil)
	missing := filepath.Join(t.TempDir(), "not", "yet")
	for target, c := range map[string]struct {
		code int
		want string
	}{
		bucket:              {0, "ok   backups: " + bucket + ", for 1 recipients, 0 stored"},
		missing:             {0, "ok   backups: " + missing + ", for 1 recipients, 0 stored"},
		"s3://none/backups": {1, "FAIL backups: list the objects in s3://none/backups: "},
		file + "/backups":   {1, "FAIL backups: stat " + file + "/backups: not a directory"},
		file:                {1, "FAIL backups: " + file + " is not a directory"},
	} {
		args := append([]string{"serve", "--check", "--addr", "127.0.0.1:0", "--ops-addr", "", "--data", t.TempDir(), "--backup-recipient", recipient, "--backup-to", target}, reach...)
		wantLines(t, c.code, args, c.want)
	}
	if _, err := os.Stat(missing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the check created the folder (%v)", err)
	}
}

// A drill proves a backup beside the running server. It needs no key and no network, signs nothing, and
// changes nothing but its own result.
func TestDrillSignsNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	folder := t.TempDir()
	name := storeBackup(t, s, folder)
	openPackAfterDeposit(t, s)
	s.WaitForLog(t)
	s.Stop()
	dir := t.TempDir() // without the keys
	succeed(t, "backup", filepath.Join(dir, sqlite.File), "--data", s.Config.Data)
	shop := &apptest.Server{Config: s.Config}
	shop.Config.Data = dir
	log := func() string { return logState(t, dir) }
	before := log()
	args := []string{"restore", "--drill", "--data", dir, "--from", folder}
	out := succeedAlone(t, args...)
	for _, want := range []string{"unpacked " + name, "a restore needs the key with the fingerprint ", "tables and indexes are intact", "verifiers accept each leaf", "are the first ones of the server's log", "the drill succeeded: " + name} {
		if !strings.Contains(out, want) {
			t.Errorf("the output lacks %q: %s", want, out)
		}
	}
	if strings.Contains(out, "WARN") {
		t.Errorf("the drill warns: %s", out)
	}
	if after := log(); after != before {
		t.Errorf("the log changed from %s to %s", before, after)
	}
	for name := range directory(t, dir) {
		if !strings.HasPrefix(name, sqlite.File) {
			t.Errorf("the drill created %s", name)
		}
	}
	if d := drillState(t, dir); !d.Proven() || d.Backup != name || d.SignedAt.IsZero() {
		t.Errorf("recorded %+v", d)
	}
	wantLines(t, 1, []string{"doctor", "--quick", "--addr", "127.0.0.1:0", "--ops-addr", "", "--data", dir}, "ok   drill: ")

	// Keys and settings of the server don't matter, even if they are wrong.
	t.Run("with the server's settings", func(t *testing.T) {
		c := program(t.Context(), args...)
		c.Env = append(os.Environ(), "KAIBAO_LOG_KEY=none", "KAIBAO_SEED_KEY=none", "KAIBAO_ADDRESS_KEYS=none", "KAIBAO_PAYMENTS=helio", "KAIBAO_ADDR=256.0.0.1:1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "kaibao-drill-*")); err != nil || len(left) > 0 {
		t.Logf("scratch folders of drills that run now: %v (%v)", left, err)
	}
}

// logState returns all that signing would change.
func logState(t *testing.T, data string) (state string) {
	t.Helper()
	shop, err := db.Open(t.Context(), db.Options{Dir: data, Schema: db.SchemaExact})
	if err != nil {
		t.Fatal(err)
	}
	err = shop.Read(t.Context(), func(tx *db.Tx) (err error) {
		state, err = db.One(tx, db.Column[string], `SELECT group_concat(epoch || ' ' || size || ' ' || checkpoint || ' ' || signed_at) || (SELECT COUNT(*) FROM log_waiting) FROM log_tree`)
		return err
	})
	if err := errors.Join(err, shop.Close()); err != nil {
		t.Fatal(err)
	}
	return state
}

// A drill fails for a backup of another shop, and for one with more leaves than the server's log. It
// still proves a backup if the server's database is gone.
func TestDrillComparesWithServer(t *testing.T) {
	t.Parallel()
	s, other := newShop(t), newShop(t)
	folder := t.TempDir()
	early := filepath.Join(folder, keepBackup(t, folder, storeBackup(t, s, folder)))
	openPackAfterDeposit(t, s)
	s.WaitForLog(t)
	late := filepath.Join(folder, storeBackup(t, s, folder))
	drill := func(file, data string) (string, int) { return run(t, "restore", "--drill", file, "--data", data) }
	openPackAfterDeposit(t, other)
	openPackAfterDeposit(t, other)
	other.WaitForLog(t)
	if out, code := drill(late, other.Config.Data); code != 1 || !strings.Contains(out, "differ from the server's") {
		t.Errorf("a backup of another shop: exit %d: %s", code, out)
	}
	if out, code := drill(late, filepath.Join(t.TempDir(), "gone")); code != 0 || !strings.Contains(out, "WARN not compared") || !strings.Contains(out, "WARN the result isn't recorded") {
		t.Errorf("without the server's database: exit %d: %s", code, out)
	}
	s.Stop()
	if err := s.DB.Close(); err != nil {
		t.Fatal(err)
	}
	succeed(t, "restore", early, "--data", s.Config.Data)
	if out, code := drill(late, s.Config.Data); code != 1 || !strings.Contains(out, "was restored from an older backup") {
		t.Errorf("a backup with lost leaves: exit %d: %s", code, out)
	}
	if out, code := drill(early, s.Config.Data); code != 0 {
		t.Errorf("the restored backup: exit %d: %s", code, out)
	}
	plain := filepath.Join(folder, "plain.db")
	succeed(t, "backup", plain, "--data", s.Config.Data)
	if out, code := drill(plain, s.Config.Data); code != 0 {
		t.Errorf("a plain copy of the database: exit %d: %s", code, out)
	}
	for _, args := range [][]string{{"--drill"}, {"--drill", early, "--scratch-url", "postgres://host/x"}, {"--drill", "--database-url", "postgres://host/x"}} {
		if out, code := run(t, append(append([]string{"restore"}, args...), "--data", s.Config.Data)...); code != 1 || strings.Contains(out, "the drill failed") {
			t.Errorf("%v: exit %d: %s", args, code, out)
		}
	}
}

// On PostgreSQL, a backup by another tool is reported, not verified, until a drill has proven one that
// was restored into a scratch database. The server's own database proves nothing.
func TestDrillOnPostgres(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only on PostgreSQL")
		return
	}
	database := newTestDatabase(t, "postgres")
	s := apptest.Start(t, database.config)
	openPackAfterDeposit(t, s)
	s.WaitForLog(t)
	file := filepath.Join(t.TempDir(), "backup.sql")
	database.backUp(t, file)
	succeed(t, append([]string{"backup", "--done-by", "pg_dump at night"}, storage(s)...)...)
	openPackAfterDeposit(t, s)
	s.WaitForLog(t)
	doctor := append([]string{"doctor", "--quick", "--addr", "127.0.0.1:0", "--ops-addr", ""}, storage(s)...)
	wantLines(t, 0, doctor, "ok   backup: ", "WARN backup: reported by pg_dump at night, not verified", "WARN drill: none is recorded")

	scratch := dbtest.Empty(t, "postgres").URL
	drill := append([]string{"restore", "--drill"}, "--database-url", database.config.DatabaseURL, "--data", t.TempDir())
	for url, want := range map[string]string{
		scratch:                              "the database of --scratch-url is empty: first restore the backup into it",
		"postgres://kaibao:5ec7e7@[broken":   "--scratch-url (KAIBAO_SCRATCH_URL) must have the form postgres://",
		"postgres://kaibao@127.0.0.1:1/none": "open the database of --scratch-url",
	} {
		if out, code := run(t, append(drill, "--scratch-url", url)...); code != 1 || !strings.Contains(out, "the drill didn't start: "+want) || strings.Contains(out, "5ec7e7") {
			t.Errorf("the scratch database %s: exit %d: %s", url, code, out)
		}
	}
	if out, code := run(t, append(drill, "--scratch-url", database.config.DatabaseURL)...); code != 1 || !strings.Contains(out, "the server's own database") {
		t.Errorf("the server's own database: exit %d: %s", code, out)
	}
	wantLines(t, 0, doctor, "WARN drill: none is recorded") // none of these mistakes says anything about a backup
	dbtest.PostgresTool(t, "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "--single-transaction", "-f", file, scratch)
	if out := succeed(t, append(drill, "--scratch-url", scratch)...); !strings.Contains(out, "the first ones of the server's log") || strings.Contains(out, "isn't recorded") {
		t.Errorf("the restored backup: %s", out)
	}
	out := succeed(t, doctor...)
	if !strings.Contains(out, "ok   drill: ") || !strings.Contains(out, "ok   backup: ") || strings.Contains(out, "not verified") {
		t.Errorf("after the drill: %s", out)
	}
}

// A tool that couldn't back PostgreSQL up reports why. The next backup ends the failure. Uses of the
// flags that would record nothing, or something else, are refused.
func TestFailedBackupIsReported(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := apptest.Start(t, apptest.Config(t, engine))
			report := func(args ...string) (string, int) {
				return run(t, append(append([]string{"backup"}, args...), storage(s)...)...)
			}
			failure := func() (f backup.Failure) {
				if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
					state, err := backup.ReadState(tx)
					f = state.Failure
					return err
				}); err != nil {
					t.Fatal(err)
				}
				return f
			}
			if engine == "sqlite" {
				if out, code := report("--failed", "disk full", "--done-by", "cron"); code != 1 || !strings.Contains(out, "only for PostgreSQL") || failure().Message != "" {
					t.Errorf("on SQLite: exit %d, recorded %+v: %s", code, failure(), out)
				}
				return
			}
			if out, code := report("--failed", "disk\nfull", "--done-by", "cron"); code != 0 || out != "recorded: a backup by cron has failed: disk full\n" {
				t.Errorf("exit %d: %s", code, out)
			}
			if f := failure(); f.Message != "cron: disk full" || time.Since(f.At) > time.Hour {
				t.Errorf("recorded %+v", f)
			}
			wantLines(t, 0, append([]string{"doctor", "--quick", "--addr", "127.0.0.1:0", "--ops-addr", ""}, storage(s)...), "WARN backup: the last one failed ")
			for name, c := range map[string]struct {
				args []string
				want string
			}{
				"no reason":              {[]string{"--failed", " ", "--done-by", "cron"}, "--failed needs the reason"},
				"no name":                {[]string{"--failed", "disk full"}, "--done-by"},
				"--backup-to and a name": {[]string{"--done-by", "cron", "--backup-to", "s3://shop/backups"}, "without --backup-to"},
				"a file and a name":      {[]string{"--done-by", "cron", filepath.Join(t.TempDir(), "backup")}, "without a file"},
			} {
				if out, code := report(c.args...); code != 1 || !strings.Contains(out, c.want) || failure().Message != "cron: disk full" {
					t.Errorf("%s: exit %d, recorded %+v: %s", name, code, failure(), out)
				}
			}
			if out, code := report("--done-by", "cron"); code != 0 || failure().Message != "" {
				t.Errorf("after a backup: exit %d, recorded %+v: %s", code, failure(), out)
			}
		})
	}
}
