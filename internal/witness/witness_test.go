package witness_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	formats "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/witness"
)

// testLog is a log with a key and any number of leaves.
type testLog struct {
	origin, private, verifier string
	key                       ed25519.PrivateKey
	hashes                    []tlog.Hash
	size                      int64
}

const keyName = "kaibao.log/test"

func newLog(t *testing.T, origin string) *testLog {
	t.Helper()
	_, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	return newLogOf(t, origin, private)
}

// newLogOf returns a log with a key.
func newLogOf(t *testing.T, origin string, key ed25519.PrivateKey) *testLog {
	t.Helper()
	verifier, err := note.NewEd25519VerifierKey(origin, key.Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	hash, _, _ := strings.Cut(strings.TrimPrefix(verifier, origin+"+"), "+")
	private := "PRIVATE+KEY+" + origin + "+" + hash + "+" + base64.StdEncoding.EncodeToString(append([]byte{1}, key.Seed()...))
	return &testLog{origin: origin, key: key, private: private, verifier: verifier}
}

func (l *testLog) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	var read []tlog.Hash
	for _, index := range indexes {
		read = append(read, l.hashes[index])
	}
	return read, nil
}

// grow appends leaves of a kind.
func (l *testLog) grow(t *testing.T, leaves int, kind string) *testLog {
	t.Helper()
	for range leaves {
		hashes, err := tlog.StoredHashes(l.size, fmt.Appendf(nil, "%s %d", kind, l.size), l)
		if err != nil {
			t.Fatal(err)
		}
		l.hashes, l.size = append(l.hashes, hashes...), l.size+1
	}
	return l
}

func (l *testLog) checkpoint(t *testing.T) string {
	t.Helper()
	root, err := tlog.TreeHash(l.size, l)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(l.private)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", l.origin, l.size, root)}, signer)
	if err != nil {
		t.Fatal(err)
	}
	return string(signed)
}

// request returns the body of a request with a proof from a size on.
func (l *testLog) request(t *testing.T, old int64) string {
	t.Helper()
	text := fmt.Sprintf("old %d\n", old)
	if old > 0 && old < l.size {
		proof, err := tlog.ProveTree(l.size, old, l)
		if err != nil {
			t.Fatal(err)
		}
		for _, hash := range proof {
			text += hash.String() + "\n"
		}
	}
	return text + "\n" + l.checkpoint(t)
}

var begin = time.Date(2026, 3, 4, 12, 0, 0, 600e6, time.UTC)

type clock struct{ time.Time }

func (c *clock) now() time.Time { return c.Time }

func open(t *testing.T, dir string, c *clock, logs ...*testLog) *witness.Witness {
	t.Helper()
	o := witness.Options{Dir: dir, Now: c.now, Log: slog.New(slog.DiscardHandler), Random: rand.Reader}
	for _, l := range logs {
		o.Logs = append(o.Logs, l.verifier)
	}
	w, err := witness.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// post returns the status, content type and text of a response.
func post(t *testing.T, w *witness.Witness, body string) (status int, kind, text string) {
	t.Helper()
	r := httptest.NewRecorder()
	w.Handler().ServeHTTP(r, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/add-checkpoint", strings.NewReader(body)))
	answer, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.Code, r.Header().Get("Content-Type"), string(answer)
}

// wantCosigned checks a cosignature with an independent library.
func wantCosigned(t *testing.T, w *witness.Witness, l *testLog, old int64, at time.Time) {
	t.Helper()
	status, _, line := post(t, w, l.request(t, old))
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, line)
	}
	v, err := formats.NewVerifierForCosignatureV1(w.VerifierKey())
	if err != nil {
		t.Fatal(err)
	}
	opened, err := note.Open([]byte(l.checkpoint(t)+line), note.VerifierList(v))
	if err != nil {
		t.Fatal(err)
	}
	cosigned, err := formats.CoSigV1Timestamp(opened.Sigs[0])
	if err != nil || cosigned.Unix() != at.Unix() {
		t.Errorf("cosigned at %s, want %s (%v)", cosigned, at, err)
	}
}

func wantStatus(t *testing.T, w *witness.Witness, body string, want int) {
	t.Helper()
	if status, _, text := post(t, w, body); status != want {
		t.Errorf("%d %s, want %d", status, text, want)
	}
}

// wantConflict wants a response with the size of the last cosigned tree.
func wantConflict(t *testing.T, w *witness.Witness, body string, size int64) {
	t.Helper()
	status, kind, text := post(t, w, body)
	if status != http.StatusConflict || kind != "text/x.tlog.size" || text != fmt.Sprintf("%d\n", size) {
		t.Errorf("%d %s %q, want 409 with %d", status, kind, text, size)
	}
}

func TestWitnessFollowsLog(t *testing.T) {
	dir, c, l := t.TempDir(), &clock{begin}, newLog(t, keyName)
	w := open(t, dir, c, l)
	wantCosigned(t, w, l, 0, begin) // the empty tree
	wantCosigned(t, w, l.grow(t, 3, "a"), 0, begin)
	c.Time = c.Add(5 * time.Second)
	wantCosigned(t, w, l, 3, c.Time) // the same tree again
	wantCosigned(t, w, l.grow(t, 300, "a"), 3, c.Time)
	wantConflict(t, w, l.request(t, 3), 303)
	wantConflict(t, w, l.request(t, 0), 303)

	key := w.VerifierKey()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = open(t, dir, c, l)
	defer func() { _ = w.Close() }()
	if w.VerifierKey() != key {
		t.Error("another key after a restart")
	}
	wantConflict(t, w, l.request(t, 0), 303)
	wantCosigned(t, w, l.grow(t, 1, "a"), 303, c.Time)

	seen := readSeen(t, dir)
	if len(seen) != 5 || seen[4].Size != 304 || !seen[4].Time.Equal(c.Truncate(time.Second)) || seen[4].Checkpoint != l.checkpoint(t) || seen[1].Size != 3 || seen[2].Size != 3 {
		t.Errorf("%+v", seen)
	}
}

// readSeen reads the file of all cosigned checkpoints.
func readSeen(t *testing.T, dir string) (all []witness.Seen) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "kaibao.log%2Ftest.seen"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var s witness.Seen
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

func TestWitnessRefuses(t *testing.T) {
	l := newLog(t, keyName)
	w := open(t, t.TempDir(), &clock{begin}, l)
	defer func() { _ = w.Close() }()
	wantCosigned(t, w, l.grow(t, 5, "a"), 0, begin)

	fork := &testLog{origin: l.origin, private: l.private}
	wantConflict(t, w, fork.grow(t, 5, "b").request(t, 5), 5)
	wantConflict(t, w, fork.request(t, 0), 5)
	wantStatus(t, w, fork.grow(t, 4, "b").request(t, 5), http.StatusUnprocessableEntity)

	shorter := &testLog{origin: l.origin, private: l.private}
	wantStatus(t, w, shorter.grow(t, 3, "a").request(t, 5), http.StatusBadRequest)
	wantConflict(t, w, shorter.request(t, 3), 5)

	longer := (&testLog{origin: l.origin, private: l.private}).grow(t, 9, "a")
	valid := longer.request(t, 5)
	lines := strings.Split(valid, "\n")
	wantStatus(t, w, strings.Join(append([]string{lines[0]}, lines[2:]...), "\n"), http.StatusUnprocessableEntity)  // a hash is missing
	wantStatus(t, w, strings.Replace(valid, "\n", "\n"+lines[1]+"\n", 1), http.StatusUnprocessableEntity)           // one too many
	wantStatus(t, w, strings.Replace(l.request(t, 5), "\n", "\n"+lines[1]+"\n", 1), http.StatusUnprocessableEntity) // for the same tree
	wantStatus(t, w, strings.Replace(valid, "\n9\n", "\n8\n", 1), http.StatusForbidden)                             // not what was signed

	other := newLog(t, keyName) // the same name, but another key
	wantStatus(t, w, other.grow(t, 9, "a").request(t, 5), http.StatusForbidden)
	wantStatus(t, w, newLog(t, "kaibao.log/other").grow(t, 1, "a").request(t, 0), http.StatusNotFound)
	for _, malformed := range []string{
		"", "old 5", "old 05\n\n" + longer.checkpoint(t), "old -1\n\n" + longer.checkpoint(t), "old 5\nx\n\n" + longer.checkpoint(t),
		"old 5\n" + strings.Repeat(lines[1]+"\n", 64) + "\n" + longer.checkpoint(t), "old 5\n\n" + keyName + "\n9\n", "old 5\n\n" + strings.Repeat("x", 1<<17),
	} {
		wantStatus(t, w, malformed, http.StatusBadRequest)
	}
	wantCosigned(t, w, longer, 5, begin) // no refusal changed anything
}

// A log gets a new origin after a restore. Each origin is a log of its own, with the same key.
func TestOriginsOfOneKey(t *testing.T) {
	l := newLog(t, keyName)
	next := newLog(t, keyName+"/0123456789abcdef")
	w := open(t, t.TempDir(), &clock{begin}, l)
	defer func() { _ = w.Close() }()
	wantCosigned(t, w, l.grow(t, 5, "a"), 0, begin)
	wantStatus(t, w, next.grow(t, 1, "a").request(t, 0), http.StatusForbidden) // another key

	restored := newLogOf(t, next.origin, l.key)
	wantCosigned(t, w, restored.grow(t, 2, "b"), 0, begin)
	wantConflict(t, w, restored.request(t, 0), 2)
	wantConflict(t, w, l.request(t, 0), 5)
	wantStatus(t, w, newLog(t, keyName+"/other").grow(t, 1, "a").request(t, 0), http.StatusNotFound)

	later := open(t, t.TempDir(), &clock{begin}, restored) // told about the later one first
	defer func() { _ = later.Close() }()
	wantCosigned(t, later, l, 0, begin)
	wantCosigned(t, later, restored, 0, begin)
}

// Concurrent requests can't make a witness cosign two trees of one size, or go back.
func TestConcurrentSubmissions(t *testing.T) {
	l := newLog(t, keyName).grow(t, 5, "a")
	w := open(t, t.TempDir(), &clock{begin}, l)
	defer func() { _ = w.Close() }()
	wantCosigned(t, w, l, 0, begin)
	var bodies []string
	for n := range 8 {
		fork := newLogOf(t, keyName, l.key).grow(t, 5, "a")
		bodies = append(bodies, fork.grow(t, 1+n%4, fmt.Sprint("fork ", n)).request(t, 5))
	}
	var all sync.WaitGroup
	cosigned := make([]bool, len(bodies))
	for n, body := range bodies {
		all.Go(func() {
			r := httptest.NewRecorder()
			w.Handler().ServeHTTP(r, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/add-checkpoint", strings.NewReader(body)))
			cosigned[n] = r.Code == http.StatusOK
		})
	}
	all.Wait()
	count := 0
	for _, ok := range cosigned {
		if ok {
			count++
		}
	}
	if count != 1 {
		t.Errorf("%d of 8 forks were cosigned", count)
	}
}

func TestDamagedState(t *testing.T) {
	dir, c, l := t.TempDir(), &clock{begin}, newLog(t, keyName).grow(t, 5, "a")
	w := open(t, dir, c, l)
	if _, err := witness.Open(witness.Options{Dir: dir, Logs: []string{l.verifier}, Now: c.now, Random: rand.Reader}); err == nil {
		t.Error("two witnesses share a directory")
	}
	wantCosigned(t, w, l, 0, begin)
	c.Time = begin.Add(-time.Second)
	wantStatus(t, w, l.request(t, 5), http.StatusInternalServerError) // the clock went back
	c.Time = begin
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	seen := filepath.Join(dir, "kaibao.log%2Ftest.seen")
	text, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	write(t, seen, string(text)+string(text[:40])) // the machine crashed while it was written
	w = open(t, dir, c, l)
	wantCosigned(t, w, l, 5, begin)
	if len(readSeen(t, dir)) != 2 {
		t.Error("the incomplete line was kept")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "kaibao.log%2Ftest.last"), "{")
	w = open(t, dir, c, l)
	wantStatus(t, w, l.request(t, 0), http.StatusInternalServerError) // it doesn't start again at 0
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	key := filepath.Join(dir, "witness.key")
	text, err = os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, key, strings.Replace(string(text), "witness/", "witness/x", 1))
	if _, err := witness.Open(witness.Options{Dir: dir, Logs: []string{l.verifier}, Now: c.now, Random: rand.Reader}); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("a damaged key: %v", err)
	}
	for _, o := range []witness.Options{{Dir: t.TempDir()}, {Dir: t.TempDir(), Logs: []string{"x"}}, {Dir: t.TempDir(), Logs: []string{l.verifier}, Name: "a b", Random: rand.Reader}} {
		if _, err := witness.Open(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A witness that stored a checkpoint and was killed before it answered cosigns it later, if asked
// again, and nothing else of that size.
func TestLostAnswer(t *testing.T) {
	dir, c, l := t.TempDir(), &clock{begin}, newLog(t, keyName).grow(t, 5, "a")
	w := open(t, dir, c, l)
	wantCosigned(t, w, l, 0, begin)
	if status, _, _ := post(t, w, l.grow(t, 2, "a").request(t, 5)); status != http.StatusOK { // the answer is lost
		t.Fatal(status)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = open(t, dir, c, l)
	defer func() { _ = w.Close() }()
	fork := newLogOf(t, keyName, l.key).grow(t, 5, "a").grow(t, 2, "b")
	wantConflict(t, w, fork.request(t, 5), 7)
	wantConflict(t, w, fork.request(t, 7), 7)
	wantConflict(t, w, l.request(t, 5), 7)
	wantCosigned(t, w, l, 7, begin)
}
