package main

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/keyring"
	"kaibao/internal/keys"
	"kaibao/internal/nodes"
)

// shop is a shop of one or two nodes whose keys are rotated while users play.
type shop struct {
	*apptest.Server
	nodes   []*node
	folders []string // of the nodes
	storage []string // arguments of commands on the first node
	players []*apptest.Client
}

func openShop(t *testing.T, engine string) *shop {
	t.Helper()
	config := apptest.Config(t, engine)
	s := &shop{storage: []string{"--data", config.Data, "--database-url", config.DatabaseURL}}
	if engine == "postgres" {
		s.nodes = newNodes(t, config, 2)
	} else {
		s.nodes = []*node{newNode(t, nodeArgs(config.Data, ""))}
	}
	for _, n := range s.nodes {
		s.folders = append(s.folders, n.args[slices.Index(n.args, "--data")+1])
	}
	s.Server = &apptest.Server{Config: config, DB: inspect(t, config)}
	return s
}

// client returns a browser of a node.
func (s *shop) client(t *testing.T, n int) *apptest.Client {
	t.Helper()
	return (&apptest.Server{URL: *s.nodes[n%len(s.nodes)].url.Load()}).SignIn(t)
}

// play has two users open packs and claim cards, on different nodes if there are several, and new
// users sign up, until stop is called. Every request must succeed.
func (s *shop) play(t *testing.T) (stop func()) {
	t.Helper()
	playing, end := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for n := range 2 {
		c := s.client(t, n)
		s.players = append(s.players, c)
		all.Go(func() {
			for playing.Err() == nil {
				openAndClaim(t, c)
				s.client(t, n)
			}
		})
	}
	return func() { end(); all.Wait() }
}

// openAndClaim opens two packs and claims a card, whose address is read again.
func openAndClaim(t *testing.T, c *apptest.Client) {
	t.Helper()
	var opened struct {
		Items []struct{ InventoryID string }
	}
	c.Deposit(t, 1000)
	for range 2 {
		c.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
	}
	entry := opened.Items[0].InventoryID
	c.Vault(t, entry)
	claim := c.Claim(t, entry)
	if read := apptest.Get[struct{ Delivery *struct{} }](t, c, "/api/redemptions/"+claim); read.Delivery == nil {
		t.Error("the address of a claim can't be read")
	}
}

// keys runs a command of `kaibao keys` on the first node.
func (s *shop) keys(t *testing.T, wantCode int, want string, args ...string) string {
	t.Helper()
	out, code := run(t, append(append([]string{"keys"}, args...), s.storage...)...)
	if code != wantCode || !strings.Contains(out, want) {
		t.Fatalf("kaibao keys %s exits with %d, want %d and %q: %s", strings.Join(args, " "), code, wantCode, want, out)
	}
	return out
}

func (s *shop) uses(t *testing.T, kind keys.Kind) (uses keyring.Uses) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) { uses, err = keyring.ReadUses(tx, kind); return err }); err != nil {
		t.Fatal(err)
	}
	return uses
}

// untilLoaded waits until all running nodes have as many keys of a kind.
func (s *shop) untilLoaded(t *testing.T, kind keys.Kind, count int) {
	t.Helper()
	apptest.Until(t, "all nodes have read the changed key file", func() bool {
		loaded := true
		err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
			live, err := nodes.Live(tx)
			for _, n := range live {
				other := slices.DeleteFunc(slices.Clone(n.Keys), func(k nodes.Key) bool { return k.Kind != string(kind) })
				loaded = loaded && len(other) == count
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return loaded
	})
}

// copyKeys copies a key file from the first node to the other one.
func (s *shop) copyKeys(t *testing.T, kind keys.Kind) {
	t.Helper()
	name := string(kind) + ".key"
	text, err := os.ReadFile(filepath.Join(s.folders[0], name))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range s.folders[1:] {
		put(t, filepath.Join(folder, name), text)
	}
}

// failedRotations rotates before both nodes have the new key, and kills a rotation. Neither changes
// what users notice.
func (s *shop) failedRotations(t *testing.T, kind keys.Kind) {
	t.Helper()
	before := s.uses(t, kind)
	second := filepath.Join(s.folders[1], string(kind)+".key")
	old, err := os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	wait := "0s"
	if kind == keys.Seed {
		put(t, second, []byte("5ecre7"))
		wait = "3s" // the second node finds the broken file
	}
	s.keys(t, 1, "isn't loaded by", "rotate", string(kind), "--wait", wait)
	if after := s.uses(t, kind); !slices.Equal(after.InUse, before.InUse) {
		t.Errorf("the keys %v are in use after a rotation that failed, want %v", after.InUse, before.InUse)
	}
	s.copyKeys(t, kind)
	if kind == keys.Seed {
		s.killRotation(t)
		s.refuseOldNode(t, old)
	}
}

// killRotation kills the command while it waits for an account that is locked.
func (s *shop) killRotation(t *testing.T) {
	t.Helper()
	user := text(t, s.Server, `SELECT id FROM users WHERE wallet_address = '`+s.client(t, 0).Address+`'`)
	killed := errors.New("killed")
	err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		if _, err := tx.Exec(`SELECT nonce FROM accounts WHERE user_id = $1 FOR UPDATE`, user); err != nil {
			return err
		}
		c := program(t.Context(), append([]string{"keys", "rotate", "seed"}, s.storage...)...)
		if err := c.Start(); err != nil {
			return err
		}
		apptest.Until(t, "the rotation has begun", func() bool { return len(s.uses(t, keys.Seed).InUse) == 2 })
		if err := c.Process.Kill(); err != nil {
			return err
		}
		_ = c.Wait()
		return killed
	})
	if !errors.Is(err, killed) {
		t.Fatal(err)
	}
	if uses := s.uses(t, keys.Seed); len(uses.InUse) != 2 {
		t.Fatalf("the keys %v are in use after the rotation was killed, want two", uses.InUse)
	}
	s.keys(t, 0, "complete the rotation: kaibao keys rotate seed")
	if out, code := run(t, append([]string{"doctor", "--quick", "--addr", "127.0.0.1:0"}, s.storage...)...); !strings.Contains(out, "WARN seed key: ") {
		t.Errorf("doctor doesn't mention the rotation (%d): %s", code, out)
	}
}

// refuseOldNode starts a node without the new key.
func (s *shop) refuseOldNode(t *testing.T, old []byte) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"log.key", "address.key"} {
		text, err := os.ReadFile(filepath.Join(s.folders[0], name))
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(dir, name), text)
	}
	put(t, filepath.Join(dir, "seed.key"), old)
	args := append(nodeArgs(dir, s.Config.DatabaseURL), "--log-checkpoint", *s.nodes[0].url.Load()+"/log/checkpoint")
	refusedStart(t, "seeds are encrypted with the seed key "+s.uses(t, keys.Seed).Current()+", which is missing", args...)
}

// Both keys are rotated while users open packs, claim cards and sign up. No request fails. Rotations
// that fail or are killed can be repeated. In the end the new keys are enough for everything.
func TestKeysAreRotatedUnderLoad(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := openShop(t, engine)
			stop := s.play(t)
			for _, kind := range []keys.Kind{keys.Seed, keys.Address} {
				older := s.uses(t, kind).Current()
				s.keys(t, 1, "first rotate to another one", "remove", older)
				s.keys(t, 0, "added the "+string(kind)+" key", "add", string(kind))
				if engine == "postgres" {
					s.failedRotations(t, kind)
				}
				s.keys(t, 0, "nothing uses the key "+older+" any more", "rotate", string(kind))
				s.keys(t, 0, "not used any more: kaibao keys remove "+older)
				s.keys(t, 0, "0 were encrypted with it now", "rotate", string(kind)) // changes nothing
				s.keys(t, 0, "keep a copy in a safe place until", "remove", older)
				s.copyKeys(t, kind)
			}
			s.untilLoaded(t, keys.Seed, 1)
			s.untilLoaded(t, keys.Address, 1)
			s.rotateLog(t)
			stop()
			for n, node := range s.nodes {
				node.kill()
				node.start(t)
				for i, c := range s.players {
					if i%len(s.nodes) == n {
						c.Base = *node.url.Load()
						openAndClaim(t, c)
					}
				}
			}
			s.WaitForLog(t)
			succeed(t, "audit", "--full", "--data", s.Config.Data, "--database-url", s.Config.DatabaseURL)
			s.checkSummary(t)
		})
	}
}

// rotateLog rotates the log key. Someone who followed the log from before accepts the new key.
func (s *shop) rotateLog(t *testing.T) {
	t.Helper()
	verify := []string{"verify", "log", *s.nodes[0].url.Load(), "--state", filepath.Join(t.TempDir(), "state")}
	succeed(t, verify...)
	s.keys(t, 0, "added the log key", "add", "log")
	if len(s.nodes) > 1 {
		s.keys(t, 1, "isn't loaded by", "rotate", "log", "--wait", "0s")
		s.copyKeys(t, keys.Log)
	}
	s.keys(t, 0, "and named its next key", "rotate", "log")
	// A rotation may end after the commit and before it has moved the key to the front.
	path := filepath.Join(s.folders[0], "log.key")
	readKeys := func() []string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(string(text))
	}
	moved := readKeys()
	put(t, path, []byte(moved[1]+"\n"+moved[0]+"\n"))
	s.keys(t, 1, "already signs the log", "rotate", "log")
	if after := readKeys(); !slices.Equal(after, moved) {
		t.Error("the repeated rotation left the key behind the old one")
	}
	old := regexp.MustCompile(`(?m)^log +([0-9a-f]{16})  retired`).FindStringSubmatch(s.keys(t, 0, "signs receipts of older pulls"))
	if old == nil {
		t.Fatal("the old log key isn't listed as retired")
	}
	s.keys(t, 1, "signs the receipts of repeated requests until", "remove", old[1])
	doctor := append([]string{"doctor", "--quick", "--addr", "127.0.0.1:0"}, s.storage...)
	if out, code := run(t, doctor...); !strings.Contains(out, "ok   log key: "+old[1]+" (retired): ") || strings.Contains(out, "WARN log key") {
		t.Errorf("doctor doesn't wait for the old log key's last day (%d): %s", code, out)
	}
	if out := succeed(t, verify...); !strings.Contains(out, "the key was replaced") || !strings.Contains(out, "all checks passed") {
		t.Errorf("the log was verified with %s", out)
	}
}

// checkSummary checks what `kaibao keys` lists after the rotations.
func (s *shop) checkSummary(t *testing.T) {
	t.Helper()
	out := s.keys(t, 0, "")
	for _, want := range []string{
		`(?m)^log +[0-9a-f]{16}  current, signs the log; in `, `(?m)^seed +[0-9a-f]{16}  current, encrypts [1-9][0-9]* seeds; in [^;]*seed\.key$`,
		`(?m)^address [0-9a-f]{16}  current, encrypts [1-9][0-9]* addresses; in [^;]*address\.key$`,
	} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("the list of keys has no line like %s:\n%s", want, out)
		}
	}
	if lines := strings.Count(out, "\n"); lines != 4 { // the fourth is the old log key
		t.Errorf("the list has %d lines, want 4:\n%s", lines, out)
	}
}

// After a theft of the seed key all seeds are replaced, under a key that the thief doesn't have.
func TestSeedsAreReplacedAfterTheft(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			config := apptest.Config(t, engine)
			n := newNode(t, nodeArgs(config.Data, config.DatabaseURL))
			c := (&apptest.Server{URL: *n.url.Load()}).SignIn(t)
			c.Deposit(t, 1000)
			c.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
			commitment := func() string {
				return apptest.Get[struct{ Commitment string }](t, c, "/api/fairness/commitment").Commitment
			}
			before := commitment()
			stolen, err := os.ReadFile(filepath.Join(config.Data, "seed.key"))
			if err != nil {
				t.Fatal(err)
			}
			data := []string{"--data", config.Data, "--database-url", config.DatabaseURL}
			replace := append([]string{"keys", "replace-seeds"}, data...)
			if out, code := run(t, replace...); code != 1 || !strings.Contains(out, "stop") {
				t.Fatalf("seeds were replaced while a node runs: %s", out)
			}
			if err := n.process.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := n.process.Wait(); err != nil {
				t.Fatal(err)
			}
			if out := succeed(t, replace...); !strings.Contains(out, "all unused seeds were replaced") || !strings.Contains(out, "keep a copy in a safe place until") {
				t.Errorf("the output is %s", out)
			}
			serve := append(nodeArgs(config.Data, config.DatabaseURL), "--seed-key", strings.TrimSpace(string(stolen)))
			refusedStart(t, "which is missing in KAIBAO_SEED_KEY", serve...)

			n.start(t)
			c.Base = *n.url.Load()
			if commitment() == before {
				t.Error("the user has the same commitment as before the theft")
			}
			c.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
			s := &apptest.Server{URL: c.Base, DB: inspect(t, config)}
			s.VerifyLog(t)
			s.Audit(t)
		})
	}
}

// After the log key was lost, the log continues with a new key that its predecessor doesn't name.
// Those who trust the old key have to accept it by hand.
func TestLostLogKeyIsReplaced(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			config := apptest.Config(t, engine)
			data := []string{"--data", config.Data, "--database-url", config.DatabaseURL}
			n := newNode(t, nodeArgs(config.Data, config.DatabaseURL))
			c := (&apptest.Server{URL: *n.url.Load()}).SignIn(t)
			openAndClaim(t, c)
			state := filepath.Join(t.TempDir(), "state")
			succeed(t, "verify", "log", c.Base, "--state", state)
			if err := n.process.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := n.process.Wait(); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(filepath.Join(config.Data, "log.key")); err != nil {
				t.Fatal(err)
			}
			const advice = "if it is lost for good, stop all nodes, then run kaibao keys add log and kaibao restore --new-log-key"
			refused(t, advice, append([]string{"keys"}, data...)...)
			refusedStart(t, advice, nodeArgs(config.Data, config.DatabaseURL)...)
			succeed(t, append([]string{"keys", "add", "log"}, data...)...)
			out := succeed(t, append([]string{"keys"}, data...)...)
			if !regexp.MustCompile(`(?m)^log .*; MISSING; restore it to .*; `+advice+`$`).MatchString(out) ||
				!regexp.MustCompile(`(?m)^log .*  new; .*; if [0-9a-f]{16} is lost for good, stop all nodes, then run kaibao restore --new-log-key$`).MatchString(out) {
				t.Errorf("the list of keys doesn't say what to do about the lost key:\n%s", out)
			}
			refusedStart(t, "the log key", nodeArgs(config.Data, config.DatabaseURL)...)
			succeed(t, append([]string{"restore", "--new-log-key"}, data...)...)

			n.start(t)
			c.Base = *n.url.Load()
			openAndClaim(t, c)
			s := &apptest.Server{URL: c.Base, DB: inspect(t, config)}
			s.VerifyLog(t)
			s.Audit(t)
			if out, code := run(t, "verify", "log", c.Base, "--state", state); code != 1 || !strings.Contains(out, "continues with another key") {
				t.Errorf("someone who trusts the old key gets exit %d: %s", code, out)
			}
			newKey := strings.TrimSpace(string(c.Get(t, "/log/key").Body))
			if out := succeed(t, "verify", "log", c.Base, "--state", state, "--key", newKey); !regexp.MustCompile(`✓ the first [0-9]+ leaves of the log kaibao\.log/[^ ]+ are those of the last run`).MatchString(out) {
				t.Errorf("with the new key and the old state file: %s", out)
			}
			if out := succeed(t, "verify", "log", c.Base); !strings.Contains(out, "doesn't name the next key") {
				t.Errorf("the report doesn't mention the other key: %s", out)
			}
		})
	}
}

// A backup from before a rotation needs the old keys to be restored. The restored database uses the
// current ones, and says when the old ones can be removed.
func TestBackupFromBeforeRotationIsRestored(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			d := newTestDatabase(t, engine)
			backup := filepath.Join(t.TempDir(), "backup")
			data := []string{"--data", d.config.Data, "--database-url", d.config.DatabaseURL}
			n := newNode(t, nodeArgs(d.config.Data, d.config.DatabaseURL))
			c := (&apptest.Server{URL: *n.url.Load()}).SignIn(t)
			openAndClaim(t, c)
			d.backUp(t, backup)
			old := map[keys.Kind][]byte{}
			for _, kind := range []keys.Kind{keys.Seed, keys.Address} {
				var err error
				old[kind], err = os.ReadFile(filepath.Join(d.config.Data, string(kind)+".key"))
				if err != nil {
					t.Fatal(err)
				}
				out := ""
				for _, command := range []string{"add", "rotate"} {
					out = succeed(t, append([]string{"keys", command, string(kind)}, data...)...)
				}
				fingerprint := regexp.MustCompile(`kaibao keys remove ([0-9a-f]{16})`).FindStringSubmatch(out)[1]
				succeed(t, append([]string{"keys", "remove", fingerprint}, data...)...)
			}
			for _, command := range []string{"add", "rotate"} {
				succeed(t, append([]string{"keys", command, "log"}, data...)...)
			}
			n.kill()
			d.restore(t, backup)

			restore := append([]string{"restore"}, data...)
			if out, code := run(t, restore...); code != 1 || !strings.Contains(out, "which is missing in") {
				t.Errorf("the backup was restored without its keys (%d): %s", code, out)
			}
			for kind, text := range old {
				path := filepath.Join(d.config.Data, string(kind)+".key")
				current, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				put(t, path, append(current, text...))
			}
			if out := succeed(t, restore...); !strings.Contains(out, "the log continues with the key that it had at the time of the backup") {
				t.Errorf("the restore doesn't mention the newer log key: %s", out)
			}
			n.start(t)
			c.Base = *n.url.Load()
			c.SignIn(t)
			openAndClaim(t, c)
			if out := succeed(t, append([]string{"keys"}, data...)...); strings.Count(out, " retired ") != 1 || strings.Count(out, "  replaced, encrypts ") != 1 || strings.Contains(out, "give it to") || !strings.Contains(out, "if it signed the log after the backup that was restored: kaibao keys remove ") {
				t.Errorf("the restored database's keys are\n%s", out)
			}
			succeed(t, append([]string{"keys", "rotate", "address"}, data...)...)
			if out := succeed(t, append([]string{"keys"}, data...)...); strings.Count(out, " retired ") != 2 {
				t.Errorf("after the rotation the keys are\n%s", out)
			}
			(&apptest.Server{URL: c.Base, DB: inspect(t, d.config)}).VerifyLog(t)
		})
	}
}

// Keys from settings can't be changed by commands. A new one is printed for the operator.
func TestKeysFromSettings(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := apptest.Start(t, apptest.Config(t, engine))
			s.Stop()
			oldKeys, err := os.ReadFile(filepath.Join(s.Config.Data, "seed.key"))
			if err != nil {
				t.Fatal(err)
			}
			setting := strings.TrimSpace(string(oldKeys))
			command := func(setting string, args ...string) []string {
				return append(append(append([]string{"keys"}, args...), storage(s)...), "--seed-key", setting)
			}
			added := program(t.Context(), command(setting, "add", "seed")...)
			added.Stderr = nil
			fresh, err := added.Output()
			if err != nil || len(fresh) != 65 {
				t.Fatalf("the output is %q, want one key: %v", fresh, err)
			}
			both := setting + "," + strings.TrimSpace(string(fresh))
			if out, code := run(t, command(both, "add", "seed")...); code != 0 || !strings.Contains(out, "WARN nothing uses the seed key ") {
				t.Errorf("exit %d, want a warning of the unused key: %s", code, out)
			}
			if out, code := run(t, command(both)...); code != 0 || !strings.Contains(out, "no node runs; give it to all nodes, then: kaibao keys rotate seed") {
				t.Errorf("exit %d: %s", code, out)
			}
			if out, code := run(t, command(both, "rotate", "seed")...); code != 0 || !strings.Contains(out, "remove it from the setting") {
				t.Fatalf("exit %d: %s", code, out)
			}
			refusedStart(t, "which is missing in KAIBAO_SEED_KEY", append(append([]string{"serve", "--addr", "127.0.0.1:0"}, storage(s)...), "--seed-key", setting)...)
			fingerprint, err := keys.Fingerprint(keys.Seed, setting)
			if err != nil {
				t.Fatal(err)
			}
			if out, code := run(t, command(both)...); code != 0 || !strings.Contains(out, "not used any more: remove it from KAIBAO_SEED_KEY") {
				t.Errorf("exit %d: %s", code, out)
			}
			if out, code := run(t, command(both, "remove", fingerprint)...); code != 1 || !strings.Contains(out, "change it there") {
				t.Errorf("exit %d: %s", code, out)
			}
		})
	}
}
