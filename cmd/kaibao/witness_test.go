package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/publiclog"
	"kaibao/internal/witness"
)

// witnessProcess is a witness that is killed and restarts at the same address.
type witnessProcess struct {
	dir, log, key, address string
	process                *exec.Cmd
}

func startWitness(t *testing.T, log string) *witnessProcess {
	t.Helper()
	w := &witnessProcess{dir: t.TempDir(), log: log, address: "http://127.0.0.1:0"}
	w.start(t)
	t.Cleanup(w.kill)
	return w
}

func (w *witnessProcess) start(t *testing.T) {
	t.Helper()
	w.process = program(context.WithoutCancel(t.Context()), "witness", "--data", w.dir, "--log", w.log, "--listen", strings.TrimPrefix(w.address, "http://"))
	out, err := w.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.process.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	read := func(prefix string) string {
		t.Helper()
		value, ok := "", lines.Scan()
		if ok {
			value, ok = strings.CutPrefix(lines.Text(), prefix)
		}
		if !ok {
			t.Fatalf("the witness printed %q, want %s…", lines.Text(), prefix)
		}
		return value
	}
	key := read("witness ")
	if w.key != "" && w.key != key {
		t.Errorf("the key %s became %s", w.key, key)
	}
	w.key, w.address = key, read("listening on ")
}

// kill ends the witness without warning.
func (w *witnessProcess) kill() {
	if w.process.ProcessState == nil {
		_ = w.process.Process.Kill()
		_ = w.process.Wait()
	}
}

// seen returns the last checkpoint that the witness has cosigned, and the number of all.
func (w *witnessProcess) seen(t *testing.T) (last witness.Seen, count int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(w.dir, "*.last"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err == nil {
		err = json.Unmarshal(text, &last)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err = os.ReadFile(strings.TrimSuffix(files[0], "last") + "seen")
	if err != nil {
		t.Fatal(err)
	}
	return last, bytes.Count(text, []byte("\n"))
}

// lastCosigned returns the size of the last cosigned checkpoint.
func lastCosigned(t *testing.T, s *apptest.Server) (size int64) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		signed, err := publiclog.SignedSize(tx)
		if err != nil {
			return err
		}
		c, err := publiclog.ReadCosigning(tx)
		if c != nil {
			size = signed - c.Uncosigned
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return size
}

// A witness is killed again and again while it cosigns a growing log, sometimes after it has stored a
// checkpoint and before it answers. It never forgets what it cosigned, and cosigns the log again after
// each start.
func TestWitnessSurvivesKills(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			s := apptest.Start(t, apptest.Config(t, engine))
			c := s.SignIn(t)
			c.Deposit(t, 5000)
			w := startWitness(t, strings.TrimSpace(string(c.Get(t, "/log/key").Body)))
			file := filepath.Join(t.TempDir(), "witnesses")
			put(t, file, []byte("quorum 1\nwitness "+w.key+" "+w.address+"\n"))
			set := append([]string{"witnesses", "set", file}, storage(s)...)
			if out, code := run(t, set...); code != 0 || !strings.Contains(out, "announced 1 witnesses with a quorum of 1") {
				t.Fatalf("%d %s", code, out)
			}
			if out, code := run(t, set...); code != 0 || !strings.Contains(out, "already names") {
				t.Fatalf("%d %s", code, out)
			}
			s.WaitForQuorum(t)
			for range killsAskedFor(t, 8) {
				before, _ := w.seen(t)
				c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
				apptest.Until(t, "the witness has stored a checkpoint", func() bool {
					last, _ := w.seen(t)
					return last.Size > before.Size
				})
				w.kill()
				cosigned := lastCosigned(t, s)
				if last, _ := w.seen(t); last.Size < cosigned {
					t.Errorf("the witness remembers %d leaves, but has cosigned %d", last.Size, cosigned)
				}
				w.start(t)
			}
			s.WaitForQuorum(t)
			if _, count := w.seen(t); count < 8 {
				t.Errorf("only %d checkpoints were kept", count)
			}
			if out, code := run(t, "verify", "log", s.URL, "--witness", w.key); code != 0 {
				t.Errorf("%d %s", code, out)
			}
			if out, code := run(t, append([]string{"witnesses"}, storage(s)...)...); code != 0 || !strings.Contains(out, "  "+w.key+" "+w.address+"\n") || !strings.Contains(out, " leaves at ") || !strings.Contains(out, "\nlast quorum at ") || !strings.Contains(out, "; 0 later leaves") {
				t.Errorf("%d %s", code, out)
			}
			s.Audit(t)
		})
	}
}

// hashesOf returns the stored hashes of a log's first leaves and of another one, in the order of package tlog.
func hashesOf(t *testing.T, s *apptest.Server, size int64, another string) tlog.HashReaderFunc {
	t.Helper()
	var hashes []tlog.Hash
	stored := tlog.HashReaderFunc(func(indexes []int64) (read []tlog.Hash, err error) {
		for _, index := range indexes {
			read = append(read, hashes[index])
		}
		return read, nil
	})
	add := func(index int64, leaf string) error {
		added, err := tlog.StoredHashes(index, []byte(leaf), stored)
		hashes = append(hashes, added...)
		return err
	}
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		return publiclog.EachLeafFrom(tx, publiclog.Position{}, func(at publiclog.Position, leaf string) error {
			if at.Index >= size {
				return nil
			}
			return add(at.Index, leaf)
		})
	}); err != nil {
		t.Fatal(err)
	}
	if err := add(size, another); err != nil {
		t.Fatal(err)
	}
	return stored
}

// An operator shows one witness of three another tree. The other two still are a quorum, so the log goes on.
// What the third one saw proves the fork.
func TestForkShownToOneWitness(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			s := apptest.Start(t, apptest.Config(t, engine))
			c := s.SignIn(t)
			c.Deposit(t, 5000)
			key := strings.TrimSpace(string(c.Get(t, "/log/key").Body))
			list := "quorum 2\n"
			var witnesses []*witnessProcess
			for range 3 {
				w := startWitness(t, key)
				witnesses, list = append(witnesses, w), list+"witness "+w.key+" "+w.address+"\n"
			}
			file := filepath.Join(t.TempDir(), "witnesses")
			put(t, file, []byte(list))
			succeed(t, append([]string{"witnesses", "set", file}, storage(s)...)...)
			c.OpenSealed(t, "8", "before")
			s.WaitForQuorum(t)

			private, err := os.ReadFile(filepath.Join(s.Config.Data, "log.key"))
			if err != nil {
				t.Fatal(err)
			}
			victim := witnesses[2]
			apptest.Until(t, "the witness accepts the fork", func() bool {
				last, _ := victim.seen(t)
				return victim.accept(t, strings.TrimSpace(string(private)), hashesOf(t, s, last.Size, "another leaf"), last)
			})

			c.OpenSealed(t, "8", "after")
			s.WaitForQuorum(t)
			verifyLog := []string{"verify", "log", s.URL}
			for _, w := range witnesses {
				verifyLog = append(verifyLog, "--witness", w.key)
			}
			if out := succeed(t, append(verifyLog, "--quorum", "2")...); !strings.Contains(out, "all checks passed") {
				t.Error(out)
			}
			if out, code := run(t, "verify", "log", s.URL, "--witness", victim.key); code != 2 || !strings.Contains(out, "the log's quorum is 2: name at least 2 witnesses, or pass --quorum") {
				t.Errorf("with one witness: exit %d: %s", code, out)
			}
			files, err := filepath.Glob(filepath.Join(victim.dir, "*.seen"))
			if err != nil || len(files) != 1 {
				t.Fatalf("%v %v", files, err)
			}
			if out, code := run(t, append(verifyLog, "--quorum", "2", "--seen", files[0])...); code != 1 || !strings.Contains(out, "leaves were seen with the root") {
				t.Errorf("exit %d: %s", code, out)
			}
			s.Audit(t)
		})
	}
}

// accept sends the witness a tree with one more leaf than the last one that it saw, signed by the log's
// key, and reports whether it cosigned the tree.
func (w *witnessProcess) accept(t *testing.T, key string, hashes tlog.HashReader, last witness.Seen) bool {
	t.Helper()
	signer, err := note.NewSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	root, err := tlog.TreeHash(last.Size+1, hashes)
	if err != nil {
		t.Fatal(err)
	}
	proof, err := tlog.ProveTree(last.Size+1, last.Size, hashes)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\n", last.Origin, last.Size+1, root)}, signer)
	if err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf("old %d\n", last.Size)
	for _, hash := range proof {
		body += hash.String() + "\n"
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.address+"/add-checkpoint", strings.NewReader(body+"\n"+string(signed)))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := response.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode == http.StatusOK
}

// maxSubmitterTakeover is how long the log may grow without cosignatures after the death of the node
// that submitted it.
const maxSubmitterTakeover = 8 * time.Second

// The node that submits checkpoints to the witness is killed. Another one takes over.
func TestSubmitterIsKilled(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only PostgreSQL can have several nodes")
		return
	}
	config := apptest.Config(t, "postgres")
	nodes := newNodes(t, config, 2)
	s := &apptest.Server{URL: *nodes[0].url.Load(), DB: inspect(t, config)}
	s.SetWitnesses(t, 1, s.Witness(t))
	s.WaitForQuorum(t)
	for round := range 4 { // one of two consecutive rounds kills the submitter
		survivor := &apptest.Server{URL: *nodes[(round+1)%2].url.Load(), DB: s.DB}
		c := survivor.SignIn(t)
		nodes[round%2].kill()
		begin, before := time.Now(), lastCosigned(t, s)
		c.Deposit(t, 100)
		c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		for lastCosigned(t, s) <= before {
			if waited := time.Since(begin); waited > maxSubmitterTakeover {
				t.Fatalf("nothing was cosigned for %s after a node died", waited)
			}
		}
		nodes[round%2].start(t)
	}
	(&apptest.Server{URL: *nodes[0].url.Load(), DB: s.DB}).VerifyLog(t)
}
