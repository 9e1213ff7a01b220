package main

import (
	"bufio"
	"bytes"
	"context"
	secure "crypto/rand"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// built is the program as it ships, without the race detector: that would make each of the hundred
// starts ten times as slow, and it already covers the packages' tests.
var built string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "kaibao-program")
	if err != nil {
		panic(err)
	}
	programs = dir
	code := 1
	_ = os.Setenv("KAIBAO_OPS_ADDR", "127.0.0.1:0") // a fixed port would be taken by the other tests' nodes
	built, err = buildProgram("current", nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func program(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, built, args...)
}

// run runs a command and returns its combined output.
func run(t *testing.T, args ...string) (output string, code int) {
	t.Helper()
	c := program(t.Context(), args...)
	text, err := c.CombinedOutput()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		t.Fatal(err)
	}
	return string(text), c.ProcessState.ExitCode()
}

func storage(s *apptest.Server) []string {
	return []string{"--data", s.Config.Data, "--database-url", s.Config.DatabaseURL}
}

// After five hundred random opens of all packs by ten users, some of them refused, the audit
// passes, and it reports a changed row. internal/app tests the audit column by column.
func TestAuditAfterFiveHundredOpens(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		openRandomly(t, s, 500)
		s.WaitForLog(t)
		audit := append([]string{"audit"}, storage(s)...)
		if out, code := run(t, audit...); code != 0 || !strings.Contains(out, "in order") {
			t.Fatalf("exit %d: %s", code, out)
		}
		proved := text(t, s, `SELECT value FROM settings WHERE name = 'last_audit'`)
		opening := text(t, s, `SELECT id FROM openings WHERE nonce = 3 ORDER BY id LIMIT 1`)
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			dbtest.AllowChanges(t, tx, s.DB.Engine(), "openings")
			return tx.ExecOne(`UPDATE openings SET price_cents = price_cents + 1 WHERE id = $1`, opening)
		}); err != nil {
			t.Fatal(err)
		}
		if out, code := run(t, audit...); code != 1 || !strings.Contains(out, opening) {
			t.Errorf("exit %d, want 1 and opening %s reported: %s", code, opening, out)
		}
		if at := text(t, s, `SELECT value FROM settings WHERE name = 'last_audit'`); at != proved {
			t.Errorf("an audit with a breach was recorded as successful at %s", at)
		}
	})
}

// An audit starts after what the last one proved, and trusts it. A full audit doesn't, and corrects
// it.
func TestIncrementalAudit(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 100)
		audit := append([]string{"audit"}, storage(s)...)
		full := append([]string{"audit", "--full"}, storage(s)...)
		prove := func(want int, command []string) {
			t.Helper()
			if out, code := run(t, command...); code != want {
				t.Errorf("%v exits with %d, want %d: %s", command[:2], code, want, out)
			}
		}
		prove(0, audit)
		c.Deposit(t, 100)
		prove(0, audit)
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			return tx.ExecOne(`UPDATE proven_lines SET balance_cents = balance_cents + 1`)
		}); err != nil {
			t.Fatal(err)
		}
		prove(1, audit)
		prove(0, full)
		prove(0, audit)
	})
}

// A leaf with a better bid than the price of a sell-back, as a bug in quick sell once caused, is
// reported by the incremental audit, the full audit and the log verifier.
func TestAuditVerifiesLog(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 25)
		c.Post(t, "/api/packs/demo-pack-1/open", map[string]any{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		s.WaitForLog(t)
		audit := append([]string{"audit"}, storage(s)...)
		full := append([]string{"audit", "--full"}, storage(s)...)
		for _, command := range [][]string{audit, full} {
			if out, code := run(t, command...); code != 0 {
				t.Fatalf("%v exits with %d: %s", command[:2], code, out)
			}
		}
		if at, size := text(t, s, `SELECT CAST(position AS TEXT) FROM log_followers WHERE name = 'audit'`),
			text(t, s, `SELECT CAST(size AS TEXT) FROM log_tree`); at != size {
			t.Errorf("the log of %s leaves is audited up to %s", size, at)
		}
		bad := protocol.TradeLeaf{
			V1: true, ID: "bad", Kind: protocol.TradeSellBack, Item: "card", Price: 1680, Route: protocol.RouteQuick, HouseQuote: 1680, BestBid: 1867, Time: time.Now(),
		}
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			return tx.ExecOne(`INSERT INTO log_waiting (body) VALUES ($1)`, string(bad.Format()))
		}); err != nil {
			t.Fatal(err)
		}
		s.WaitForLog(t)
		const reason = "the best bid of 18.67 was the higher offer"
		for _, command := range [][]string{audit, full, {"verify", "log", s.URL}} {
			if out, code := run(t, command...); code != 1 || !strings.Contains(out, reason) {
				t.Errorf("%v exits with %d and says %s", command[:2], code, out)
			}
		}
	})
}

// A leaf of an unknown kind is not a fault: `kaibao verify log` and `verify mirror` exit with 2,
// say what they need, and leave their saved state unchanged.
func TestUnknownLeafKindExitsWithTwo(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 25)
		c.Post(t, "/api/packs/demo-pack-1/open", map[string]any{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		s.WaitForLog(t)
		state, mirror := filepath.Join(t.TempDir(), "state"), filepath.Join(t.TempDir(), "mirror")
		verify, copying := []string{"verify", "log", s.URL, "--state", state}, []string{"verify", "mirror", s.URL, mirror}
		succeed(t, verify...)
		succeed(t, copying...)
		remembered, err := os.ReadFile(state)
		if err != nil {
			t.Fatal(err)
		}
		size := text(t, s, `SELECT CAST(size AS TEXT) FROM log_tree`)
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			return tx.ExecOne(`INSERT INTO log_waiting (body) VALUES ($1)`, "kaibao-gift/v1\nto somebody\n")
		}); err != nil {
			t.Fatal(err)
		}
		apptest.Until(t, "the leaf is in the log that the server shows", func() bool {
			return strings.Split(string(s.NewClient(t).Get(t, "/log/checkpoint").Body), "\n")[1] != size
		})
		for _, command := range [][]string{verify, copying} {
			want := "this log needs a newer verifier (leaf " + size + ", kind kaibao-gift/v1)"
			if out, code := run(t, command...); code != 2 || !strings.Contains(out, want) {
				t.Errorf("%v exits with %d, want 2 and %q: %s", command[:2], code, want, out)
			}
		}
		if now, err := os.ReadFile(state); err != nil || string(now) != string(remembered) {
			t.Errorf("remembered is %s, was %s: %v", now, remembered, err)
		}
	})
}

// openRandomly lets ten users open packs concurrently, opens in total.
func openRandomly(t *testing.T, s *apptest.Server, opens int) {
	t.Helper()
	const users = 10
	var all sync.WaitGroup
	for n := range uint64(users) {
		c, random := s.SignIn(t), rand.New(rand.NewPCG(n, 2))
		c.Deposit(t, 1000)
		ask := func(path string, body map[string]any) int {
			answer, err := c.Try(t.Context(), http.MethodPost, path, body)
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			return answer.Status
		}
		all.Go(func() {
			for done := 0; done < opens/users && !t.Failed(); {
				pack := packsOpened[random.IntN(len(packsOpened))]
				switch status := ask("/api/packs/"+pack+"/open", map[string]any{"clientSeed": fmt.Sprint(random.Uint64()), "sealed": pack == sealedPack}); status {
				case http.StatusOK:
					done++
				case http.StatusPaymentRequired:
					ask("/api/wallet/deposit/manual", map[string]any{"amount": 1 + random.IntN(3000)})
				case http.StatusGone, http.StatusServiceUnavailable: // sold out, or the beacon isn't seen yet
				default:
					t.Errorf("open %s: %d", pack, status)
				}
			}
		})
	}
	all.Wait()
}

const sealedPack = "8"

var packsOpened = []string{"1", "2", "3", "4", "5", "6", "7", sealedPack, "demo-pack-1", "demo-pack-2"}

func text(t *testing.T, s *apptest.Server, query string, args ...any) (found string) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		found, err = db.One(tx, db.Column[string], query, args...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAdminGrantAndRevoke(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		role := func() string {
			var user struct{ Role string }
			c.Get(t, "/api/auth/user").Want(t, http.StatusOK, &user)
			return user.Role
		}
		if out, code := run(t, append([]string{"admin", "grant", c.Address}, storage(s)...)...); code != 0 {
			t.Fatalf("exit %d: %s", code, out)
		}
		if out, code := run(t, append([]string{"admin", "revoke", c.Address}, storage(s)...)...); code == 0 {
			t.Errorf("the last admin was revoked: %s", out)
		}
		s.Admin(t)
		for _, step := range []struct{ command, want string }{{"revoke", "user"}, {"grant", "admin"}} {
			if out, code := run(t, append([]string{"admin", step.command, c.Address}, storage(s)...)...); code != 0 {
				t.Fatalf("exit %d: %s", code, out)
			}
			if got := role(); got != step.want {
				t.Errorf("after %s the role is %s", step.command, got)
			}
		}
		if out, code := run(t, append([]string{"admin", "grant", s.NewClient(t).Address}, storage(s)...)...); code == 0 {
			t.Errorf("an unknown wallet became an admin: %s", out)
		}
	})
}

func TestServePrintsAddressAndDrains(t *testing.T) {
	t.Parallel()
	c := program(t.Context(), "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir())
	var log bytes.Buffer
	c.Stderr = &log
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	first, err := bufio.NewReader(out).ReadString('\n')
	address, found := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
	if err != nil || !found {
		t.Fatalf("first line %q: %v %s", first, err, &log)
	}
	browser := &apptest.Client{Base: address, HTTP: http.DefaultClient}
	browser.Get(t, "/readyz").Want(t, http.StatusOK, nil)
	http.DefaultClient.CloseIdleConnections()
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v %s", err, &log)
	}
}

const usdc = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

// realMoney are all settings required for real payments, with dummy values.
const realMoney = "--payments helio --helio-public-key public --helio-secret-key 5ecre7 --helio-paylink link --helio-webhook-token 70ken" +
	" --solana-rpc-url https://rpc.example/5ecre7 --treasury So11111111111111111111111111111111111111112 --payment-origin https://pay.example"

func TestContradictingSettingsAreRefused(t *testing.T) {
	t.Parallel()
	for name, refused := range map[string]struct{ args, reason string }{
		"sandbox in public":         {"--public-url https://kaibao.example", "--sandbox-public"},
		"limits off with money":     {"--payments helio --rate-limits off", "sandbox"},
		"sandbox-public with money": {"--payments helio --sandbox-public", "sandbox"},
		"too short a delay":         {"--manifest-delay 59s", "--manifest-delay (KAIBAO_MANIFEST_DELAY) is 59s: it must be at least 1m0s"},
		"no delay":                  {"--manifest-delay 0s", "must be at least 1m0s"},
		"a delay in the past":       {"--manifest-delay=-5m", "--manifest-delay (KAIBAO_MANIFEST_DELAY) is -5m0s: it must be at least 1m0s"},
		"a short delay with money":  {"--payments helio --manifest-delay 59s", "must be at least 1m0s"},
		"money over plain http":     {realMoney + " --public-url http://kaibao.example", "an https address as --public-url"},
		"money on the loopback":     {realMoney, "an https address as --public-url"},
		"money without a provider":  {"--payments helio", "KAIBAO_HELIO_SECRET_KEY, KAIBAO_HELIO_PAYLINK, KAIBAO_HELIO_WEBHOOK_TOKEN, KAIBAO_SOLANA_RPC_URL, KAIBAO_TREASURY"},
		"a treasury of nobody":      {realMoney + " --treasury nonsense", "--treasury must be a Solana address"},
		"a treasury that is a coin": {realMoney + " --treasury " + usdc, "not the mint"},
		"a node over plain http":    {realMoney + " --solana-rpc-url http://rpc.example", "--solana-rpc-url must be an https address"},
		"a node at a dot":           {realMoney + " --solana-rpc-url https://rpc.example.", "--solana-rpc-url: host \"rpc.example.\" must not end with a dot"},
		"one key for both":          {realMoney + " --helio-secret-key public", "must differ from its public key"},
		"test money for real":       {realMoney + " --helio-url https://api.dev.hel.io", "--usdc-mint"},
		"the widget in the shop":    {realMoney + " --public-url https://kaibao.example --payment-origin=", "needs --payment-origin"},
		"the widget at a port":      {realMoney + " --public-url https://kaibao.example --payment-origin https://kaibao.example:8443", "must have another host"},
		"the widget over http":      {realMoney + " --public-url https://kaibao.example --payment-origin http://pay.example", "--payment-origin must be an https address"},
		"real keys for play money":  {"--helio-secret-key 5ecre7", "need --payments helio"},
		"public URL with a path":    {"--public-url http://localhost:1/shop", "public URL"},
		"public URL with a dot":     {"--public-url http://localhost.:1", "must not end with a dot"},
		"the widget at a dot":       {realMoney + " --public-url https://shop.example --payment-origin https://pay.shop.example.", "--payment-origin (KAIBAO_PAYMENT_ORIGIN)"},
		"monitoring with a scheme":  {"--ops-host http://node1.internal", "--ops-host (KAIBAO_OPS_HOST), without https:// and port"},
		"monitoring at a dot":       {"--ops-host node1,node1.internal.", `host "node1.internal." must not end with a dot`},
		"all addresses, no URL":     {"--addr 0.0.0.0:0", "--public-url"},
		"no connections":            {"--pool-reads=-1", "--pool-reads (KAIBAO_POOL_READS) is -1: it must be between 1 and 1000"},
		"one for maintenance":       {"--pool-audits 1", "--pool-audits (KAIBAO_POOL_AUDITS) is 1: it must be between 2 and 1000"},
		"a slow request of -1 s":    {"--slow-request=-1s", "must not be negative"},
		"two ways with passkeys":    {"--passkey-rp old.example --abandon-passkeys", "set one of them"},
		"passkeys of an address":    {"--passkey-rp https://old.example", "--passkey-rp (KAIBAO_PASSKEY_RP)"},
		"several problems":          {"--drain 2h --manifest-delay 0s --pool-writes 1001", "--pool-writes (KAIBAO_POOL_WRITES) is 1001"},
		"half a seed key":           {"--seed-key abcd", "32 bytes"},
		"no log key":                {"--log-key nonsense", "log key"},
		"a database of nobody":      {"--database-url postgres://%zz", "database URL"},
	} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"serve", "--addr", "127.0.0.1:0", "--data", t.TempDir()}, strings.Fields(refused.args)...)
			out := refusedStart(t, refused.reason, args...)
			if strings.Contains(out, "5ecre7") || strings.Contains(out, "70ken") {
				t.Errorf("the output contains a secret: %s", out)
			}
		})
	}
}

func TestSandboxAndRealMoneyAreSeparate(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			s := apptest.Start(t, apptest.Config(t, engine))
			s.Stop()
			args := append([]string{"serve", "--addr", "127.0.0.1:0", "--public-url", "https://kaibao.example"}, storage(s)...)
			args = append(args, strings.Fields(realMoney)...)
			refusedStart(t, "created with --payments sandbox", args...)
		})
	}
}

// Passkeys work only at their host, so a shop that has moved must say what becomes of them.
func TestAnotherHostNeedsADecisionAboutPasskeys(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			s := apptest.Start(t, apptest.Config(t, engine))
			s.Stop()
			at := func(url string, flags ...string) []string {
				return append(append([]string{"serve", "--addr", "127.0.0.1:0", "--ops-addr", "", "--sandbox-public", "--public-url", url}, storage(s)...), flags...)
			}
			wantLines(t, 0, append([]string{"serve", "--check", "--addr", "127.0.0.1:0", "--ops-addr", ""}, storage(s)...), "ok   passkeys: at localhost")
			config := s.Config
			config.PublicURL, config.SandboxPublic = "https://shop.example", true
			apptest.Start(t, config).Stop()
			const refusal = "passkey wallets belong to the host shop.example"
			refusedStart(t, refusal, at("https://new.example")...)
			if out, code := run(t, append(at("https://new.example"), "--check")...); code != 1 || !strings.Contains(out, "FAIL passkeys: "+refusal) {
				t.Errorf("--check exits with %d:\n%s", code, out)
			}
			moved := config
			moved.PublicURL, moved.PasskeyRP, moved.Addr = "https://new.example", "shop.example", freeAddress(t)
			n := apptest.Start(t, moved)
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+moved.Addr+"/.well-known/webauthn", nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Host = "shop.example"
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			origins, err := io.ReadAll(answer.Body)
			if err := errors.Join(err, answer.Body.Close()); err != nil || !strings.Contains(string(origins), `{"origins":["https://new.example"]}`) {
				t.Errorf("the earlier host answers %q, %v", origins, err)
			}
			n.Stop()
			wantLines(t, 0, append(at("https://new.example", "--passkey-rp", "shop.example"), "--check"), "ok   passkeys: at shop.example")
			config.PublicURL, config.AbandonPasskeys = "https://new.example", true
			apptest.Start(t, config).Stop()
			config.AbandonPasskeys = false
			apptest.Start(t, config).Stop()
			refusedStart(t, "belong to the host new.example", at("https://shop.example")...)
		})
	}
}

// With another key, the log would fork and no seed could be decrypted.
func TestOtherKeysAreRefused(t *testing.T) {
	t.Parallel()
	logKey, err := publiclog.GenerateKey(secure.Reader)
	if err != nil {
		t.Fatal(err)
	}
	others := map[string]struct{ key, reason string }{
		"log.key":  {logKey, "log key"},
		"seed.key": {strings.Repeat("0", 64), "seed key"},
	}
	for _, engine := range dbtest.Engines() {
		for file, other := range others {
			t.Run(engine+" "+file, func(t *testing.T) {
				s := apptest.Start(t, apptest.Config(t, engine))
				s.Stop()
				if err := os.WriteFile(filepath.Join(s.Config.Data, file), []byte(other.key+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				args := append([]string{"serve", "--addr", "127.0.0.1:0"}, storage(s)...)
				refusedStart(t, other.reason, args...)
			})
		}
	}
}

// A missing key isn't replaced by a new one.
func TestStartWithoutKeyIsRefused(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		for _, file := range []string{"log.key", "seed.key"} {
			t.Run(engine+" "+file, func(t *testing.T) {
				s := apptest.Start(t, apptest.Config(t, engine))
				s.Stop()
				if err := os.Remove(filepath.Join(s.Config.Data, file)); err != nil {
					t.Fatal(err)
				}
				args := append([]string{"serve", "--addr", "127.0.0.1:0"}, storage(s)...)
				refusedStart(t, "put the "+file+" of this database", args...)
			})
		}
	}
}
