package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

func TestVerifyCommands(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, apptest.Config(t, "sqlite"))
	c := s.SignIn(t)
	c.Deposit(t, 1000)
	var opened struct{ OpenID string }
	c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "mine"}).Want(t, http.StatusOK, &opened)
	shop := s.Shop(t)
	restock := protocol.Restock{Card: "labubu-deluxe-1", Count: 2}
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { return shop.Publish(tx, "8", restock) }); err != nil {
		t.Fatal(err)
	}
	s.WaitForLog(t)
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	proof := c.Get(t, "/api/fairness/opens/"+opened.OpenID).Body
	put(t, file("proof.json"), proof)
	put(t, file("forged.json"), bytes.Replace(proof, []byte(`\nprice 2500\n`), []byte(`\nprice 2400\n`), 2))
	if out, code := run(t, "verify", "mirror", s.URL, file("mirror")); code != 0 || !strings.Contains(out, "leaves of kaibao.log/") {
		t.Fatalf("mirror: exit %d: %s", code, out)
	}
	if out, code := run(t, "verify", "mirror", s.URL, file("falsified")); code != 0 {
		t.Fatalf("mirror: exit %d: %s", code, out)
	}
	falsify(t, file("falsified"))
	other := apptest.Start(t, apptest.Config(t, "sqlite", apptest.Seeds(strings.Repeat("5e", 32))))
	other.WaitForLog(t)
	put(t, file("key"), c.Get(t, "/log/key").Body)
	put(t, file("other"), other.NewClient(t).Get(t, "/log/checkpoint").Body)

	seen := func(root string) []byte {
		tree := strings.Split(string(other.NewClient(t).Get(t, "/log/checkpoint").Body), "\n")
		return fmt.Appendf(nil, "{\"origin\":%q,\"size\":%s,\"root\":%q,\"time\":%q}\n{\"incomplete", tree[0], tree[1], cmp.Or(root, tree[2]), time.Now().Format(time.RFC3339))
	}
	put(t, file("seen"), seen(""))
	put(t, file("rootless"), []byte(`{"origin":"kaibao.log/x","size":1,"time":"2026-03-04T12:00:00Z"}`+"\n"))
	put(t, file("forked"), seen("B"+strings.Repeat("A", 42)+"="))

	for _, step := range []struct {
		args string // of verify; @ = the test's folder, % = the server
		code int
		want string
	}{
		{"log % --state @/state", 0, "1 opens by 1 users"},
		{"log @/mirror --state @/state", 0, "of the last run"},
		{"log @/mirror --compare @/mirror/checkpoint", 0, "the other party was shown"},
		{"log @/mirror --compare @/other", 1, "not signed"},
		{"log @/mirror --key @/mirror/key", 0, "all checks passed"},
		{"log @/falsified", 1, "✗ leaf "},
		{"log @/mirror --witness nobody", 2, "not a verifier key"},
		{"log @/mirror --quorum 2", 2, "needs as many witnesses"},
		{"log @/mirror --seen @/key", 2, "line 1 of"},
		{"log " + other.URL + " --seen @/seen", 0, "✓ 1 trees of @/seen are part of the log\n"},
		{"log @/mirror --seen @/seen", 2, "@/seen has no tree of this log"},
		{"log @/mirror --seen @/rootless", 2, "line 1 of @/rootless isn't a tree"},
		{"log " + other.URL + " --seen @/seen --seen @/forked", 1, "leaves were seen with the root"},
		{"log @/mirror --outage 2026-03-04T12:00:00Z,2026-03-05T13:00:00Z --relay http://127.0.0.1:1", 0, "all checks passed"},
		{"log @/mirror --outage 2026-03-05T12:00:00Z,2026-03-04T13:00:00Z", 2, "FROM,TO"},
		{"log @/nowhere", 2, "no such file"},
		{"log @/mirror --compare @/nowhere", 2, "no such file"},
		{"log @/mirror --state @/mirror", 2, "is a directory"},
		{"log @/mirror --state @/nowhere/state", 2, "no such file"},
		{"log @/falsified --state @/nowhere/state", 1, "✗ leaf "},
		{"log --help", 0, "3  no fault was found, but orders drawn since the last run are unproven"},
		{"receipt --help", 0, "1  a step failed"},
		{"receipt @/nowhere", 2, "no such file"},
		{"receipt %/api/fairness/opens/" + opened.OpenID, 0, "✓ inclusion"},
		{"receipt %/verify/" + opened.OpenID, 0, "✓ inclusion"},
		{"receipt %/verify/" + opened.OpenID + "/?from=history#steps", 0, "✓ draw"},
		{"receipt @/proof.json", 0, "✓ signature"},
		{"receipt @/forged.json", 1, "✗ signature"},
		{"receipt @/proof.json --no-such-flag", 2, "unknown flag"},
		{"receipt @/proof.json --witness nobody", 2, "is not a verifier key"},
		{"receipt @/proof.json --quorum 1", 2, "needs as many witnesses"},
		{"log", 2, "expected"},
		{"nonsense", 2, "unexpected argument"},
	} {
		names := strings.NewReplacer("@", dir, "%", s.URL)
		args, want := strings.Fields("verify "+names.Replace(step.args)), names.Replace(step.want)
		if out, code := run(t, args...); code != step.code || !strings.Contains(out, want) {
			t.Errorf("%s: exit %d, want %d and %q: %s", step.args, code, step.code, want, out)
		}
	}

	out, code := run(t, "verify", "log", file("mirror"), "--json")
	var report struct {
		Opens int
		Fault *struct{ Reason string }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || report.Opens != 1 || report.Fault != nil {
		t.Errorf("exit %d (%v): %s", code, err, out)
	}
	if out, code := run(t, "verify", "log", file("falsified"), "--json"); code != 1 || !strings.Contains(out, `"leaf": `) {
		t.Errorf("exit %d: %s", code, out)
	}
}

// The state keeps one time for each tree: the last at which it was the newest.
func TestSeenTreesInState(t *testing.T) {
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	tree := func(origin string, size int64, hours time.Duration) verify.SeenTree {
		return verify.SeenTree{Origin: origin, Size: size, Time: at.Add(hours * time.Hour)}
	}
	var seen []verify.SeenTree
	for _, s := range []verify.SeenTree{tree("a", 5, 0), tree("a", 5, 1), tree("a", 7, 2), tree("b", 7, 3), tree("b", 7, 4)} {
		seen = addSeen(seen, s)
	}
	if want := []verify.SeenTree{tree("a", 5, 1), tree("a", 7, 2), tree("b", 7, 4)}; !slices.Equal(seen, want) {
		t.Errorf("%+v, want %+v", seen, want)
	}
}

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// falsify changes a price in a mirror's leaves.
func falsify(t *testing.T, mirror string) {
	t.Helper()
	bundles, err := filepath.Glob(filepath.Join(mirror, "tile", "entries", "*", "*"))
	if err != nil || len(bundles) != 1 {
		t.Fatal(bundles, err)
	}
	data, err := os.ReadFile(bundles[0])
	if err != nil {
		t.Fatal(err)
	}
	put(t, bundles[0], bytes.Replace(data, []byte("\nprice 2500\n"), []byte("\nprice 2400\n"), 1))
}
