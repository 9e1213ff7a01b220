package main

import (
	"bufio"
	"bytes"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

func TestMisspelledVariablesAreRefused(t *testing.T) {
	settings := []string{"KAIBAO_DATABASE_URL", "KAIBAO_DATA", "KAIBAO_SUPPORT_URL", "KAIBAO_LOG_FORMAT"}
	for variable, want := range map[string]struct{ refusal, unknown string }{
		"KAIBAO_DATABASE_URL=x":          {},
		"KAIBAO_SUPPORT_URL=x":           {},
		"KAIBAO_DATABSE_URL=x":           {refusal: "unknown setting KAIBAO_DATABSE_URL: did you mean KAIBAO_DATABASE_URL?"},
		"KAIBAO_DATBAASE_URL=":           {refusal: "did you mean KAIBAO_DATABASE_URL?"},
		"KAIBAO_SUPPPORT_URL=x":          {refusal: "did you mean KAIBAO_SUPPORT_URL?"},
		"KAIBAO_DATABASES=x":             {unknown: "KAIBAO_DATABASES"},
		"KAIBAO_ROLE=x":                  {unknown: "KAIBAO_ROLE"},
		"KAIBAO_SERVICE_HOST=x":          {},
		"KAIBAO_SERVICE_PORT_HTTP=80":    {},
		"KAIBAO_PORT=tcp://10.0.0.1:80":  {},
		"KAIBAO_PORT_80_TCP_ADDR=x":      {},
		"KAIBAO_LOG_SERVICE_HOST=x":      {},
		"KAIBAO_LOG_PORT_80_TCP_PROTO=x": {},
		"KAIBA_DATA=x":                   {},
	} {
		unknown, err := checkEnvironment([]string{variable}, settings)
		if got := strings.Join(unknown, " "); got != want.unknown {
			t.Errorf("%s: unknown %q, want %q", variable, got, want.unknown)
		}
		if err == nil && want.refusal != "" || err != nil && (want.refusal == "" || !strings.Contains(err.Error(), want.refusal)) {
			t.Errorf("%s: %v, want %q", variable, err, want.refusal)
		}
	}
}

// Each setting can come from a file. Files that can't be used are refused by the name of their
// setting, without their content.
func TestSettingsFromFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		put(t, path, []byte(text))
		return path
	}
	data, seedKey := filepath.Join(dir, "data"), strings.Repeat("5ec7e7", 10)+"abcd"
	for name, c := range map[string]struct {
		environment []string
		args, want  string
		code        int
	}{
		"a usable file":      {[]string{"KAIBAO_SEED_KEY_FILE=" + file("seed", seedKey+"\r\n")}, "serve --ops-addr=nowhere", "nowhere", 1},
		"a wrong key":        {[]string{"KAIBAO_SEED_KEY_FILE=" + file("wrong", "5ec7e7\n")}, "serve", "32 bytes", 1},
		"several keys":       {[]string{"KAIBAO_ADDRESS_KEYS_FILE=" + file("addresses", seedKey+"\n5ec7e7\n")}, "serve", "an address key must be 64 hex digits", 1},
		"a database":         {[]string{"KAIBAO_DATABASE_URL_FILE=" + file("url", "postgres://kaibao:5ec7e7@[broken\n")}, "audit", "correct --database-url", 1},
		"any setting":        {[]string{"KAIBAO_DRAIN_FILE=" + file("drain", "2h\n")}, "serve", "--drain (KAIBAO_DRAIN) is 2h0m0s", 1},
		"the flag wins":      {[]string{"KAIBAO_DRAIN_FILE=/missing"}, "serve --drain 3h", "--drain (KAIBAO_DRAIN) is 3h0m0s", 1},
		"both":               {[]string{"KAIBAO_SEED_KEY_FILE=" + file("both", seedKey), "KAIBAO_SEED_KEY=" + seedKey}, "serve", "KAIBAO_SEED_KEY and KAIBAO_SEED_KEY_FILE are both set", 2},
		"no such file":       {[]string{"KAIBAO_JUPITER_KEY_FILE=/missing"}, "serve", "KAIBAO_JUPITER_KEY_FILE: can't open the file: no such file", 2},
		"the secret itself":  {[]string{"KAIBAO_SEED_KEY_FILE=" + seedKey}, "serve", "KAIBAO_SEED_KEY_FILE: can't open the file: no such file", 2},
		"an endpoint":        {[]string{"KAIBAO_TRACE_ENDPOINT=otlp://token:5ec7e7@host"}, "serve", "KAIBAO_TRACE_ENDPOINT) must be an address", 1},
		"a folder":           {[]string{"KAIBAO_LOG_KEY_FILE=" + dir}, "serve", "KAIBAO_LOG_KEY_FILE: can't read the file: is a directory", 2},
		"an empty file":      {[]string{"KAIBAO_HELIO_WEBHOOK_TOKEN_FILE=" + file("empty", "\n")}, "serve", "KAIBAO_HELIO_WEBHOOK_TOKEN_FILE: the file " + filepath.Join(dir, "empty") + " is empty", 2},
		"a misspelled name":  {[]string{"KAIBAO_SEED_KEY_FLIE=x"}, "serve", "did you mean KAIBAO_SEED_KEY_FILE?", 2},
		"of another command": {[]string{"KAIBAO_SEED_KEY_FILE=/missing"}, "audit", "there is no database", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := program(t.Context(), append(strings.Fields(c.args), "--data", filepath.Join(data, strings.ReplaceAll(name, " ", "-")))...)
			command.Env = append(os.Environ(), append(c.environment, "KAIBAO_ADDR=127.0.0.1:0")...)
			out, err := command.CombinedOutput()
			if code := command.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.want) {
				t.Errorf("exit %d, want %d and %q (%v): %s", code, c.code, c.want, err, out)
			}
			if strings.Contains(string(out), "5ec7e7") {
				t.Errorf("the output contains a secret: %s", out)
			}
		})
	}
}

// A server logs its version, its address, variables without effect, and its shutdown.
func TestServeLogsItsStartAndStop(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	c := program(t.Context(), "serve", "--addr", "127.0.0.1:0", "--public-url", "http://localhost:1", "--data", data, "--log-format", "json")
	c.Env = append(os.Environ(), "KAIBAO_ROLE=web", "KAIBAO_SERVICE_HOST=10.0.0.1")
	var log bytes.Buffer
	c.Stderr = &log
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	address, found := strings.CutPrefix(strings.TrimSpace(line), "listening on http://")
	if err != nil || !found {
		t.Fatalf("first line %q: %v %s", line, err, &log)
	}
	if connection, err := net.Dial("tcp", address); err != nil {
		t.Errorf("the server does not listen there: %v", err)
	} else if err := connection.Close(); err != nil {
		t.Error(err)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	logged := log.String()
	for _, want := range []string{
		`"msg":"set up the database"`, `"msg":"started","version":"dev","payments":"sandbox","engine":"sqlite","schema":`, `"publicURL":"http://localhost:1"`,
		`"msg":"stopped"`, "KAIBAO_ROLE",
	} {
		if strings.Count(logged, want) != 1 {
			t.Errorf("not exactly once in the log: %s\n%s", want, logged)
		}
	}
	if strings.Contains(logged, "KAIBAO_SERVICE_HOST") {
		t.Errorf("the platform's variable was reported: %s", logged)
	}
	c = program(t.Context(), "audit", "--data", data)
	c.Env = append(os.Environ(), "KAIBAO_DATABSE_URL=x")
	if text, err := c.CombinedOutput(); err == nil || c.ProcessState.ExitCode() != 2 || !strings.Contains(string(text), "KAIBAO_DATABASE_URL") {
		t.Errorf("with a mistyped variable: exit %d: %s", c.ProcessState.ExitCode(), text)
	}
}

// A start refused because of a missing key creates no keys.
func TestRefusedStartCreatesNoKey(t *testing.T) {
	t.Parallel()
	keys := []string{"log.key", "seed.key", "address.key"}
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			config := apptest.Config(t, engine)
			s := apptest.Start(t, config)
			s.Stop()
			for i := range 1 << len(keys) {
				lost := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return i>>slices.Index(keys, key)&1 == 0 })
				if len(lost) == 0 {
					continue
				}
				for _, key := range lost {
					move(t, filepath.Join(config.Data, key), filepath.Join(config.Data, key+".away"))
				}
				out, code := run(t, append([]string{"serve", "--addr", "127.0.0.1:0"}, storage(s)...)...)
				if code != 1 || !strings.Contains(out, lost[0]) {
					t.Errorf("without %q: exit %d: %s", lost, code, out)
				}
				for _, key := range lost {
					if _, err := os.Stat(filepath.Join(config.Data, key)); err == nil {
						t.Errorf("without %q, %s was created", lost, key)
					}
					move(t, filepath.Join(config.Data, key+".away"), filepath.Join(config.Data, key))
				}
			}
		})
	}
}

func move(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// A misspelled command of a group that has a default command is named, not taken for an argument.
func TestMisspelledCommandIsSuggested(t *testing.T) {
	t.Parallel()
	if out, code := run(t, "keys", "roatte", "seed"); code != usageError || !strings.Contains(out, `did you mean "rotate"?`) {
		t.Errorf("exit %d: %s", code, out)
	}
	if out, code := run(t, "keys", "something"); code != usageError || strings.Contains(out, "did you mean") {
		t.Errorf("exit %d: %s", code, out)
	}
}
