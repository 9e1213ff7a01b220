package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	formats "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/publiclog"
	"kaibao/internal/verify"
)

// Witnesses of our own cosign the log of a running server, one of three being dead. Verifiers who name
// them accept the log and its mirror.
func TestServerWithWitnesses(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		if r := s.NewClient(t).Get(t, "/log/witnesses"); r.Status != http.StatusOK || len(r.Body) != 0 {
			t.Errorf("before any witness is named: %d %s, want 200 and nothing", r.Status, r.Body)
		}
		first, second, dead := s.Witness(t), s.Witness(t), s.Witness(t)
		dead.URL = "http://127.0.0.1:1"
		s.SetWitnesses(t, 2, first, second, dead)
		c := s.SignIn(t)
		c.Deposit(t, 100)
		c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "seed"}).Want(t, http.StatusOK, nil)
		s.WaitForQuorum(t)

		if want := fmt.Sprintf("quorum 2\nwitness %s\nwitness %s\nwitness %s\n", first, second, dead); string(s.NewClient(t).Get(t, "/log/witnesses").Body) != want {
			t.Errorf("the witnesses in force aren't shown as %q", want)
		}

		// An independent library reads the served checkpoint.
		served := string(s.NewClient(t).Get(t, "/log/checkpoint").Body)
		var verifiers []note.Verifier
		for _, w := range []publiclog.WitnessAddress{first, second, dead} {
			v, err := formats.NewVerifierForCosignatureV1(w.String())
			if err != nil {
				t.Fatal(err)
			}
			verifiers = append(verifiers, v)
		}
		opened, err := note.Open([]byte(served), note.VerifierList(verifiers...))
		if err != nil || len(opened.Sigs) != 2 {
			t.Fatalf("%+v %v in %s", opened, err, served)
		}
		for _, signature := range opened.Sigs {
			if at, err := formats.CoSigV1Timestamp(signature); err != nil || time.Since(at).Abs() > time.Minute {
				t.Errorf("cosigned at %s: %v", at, err)
			}
		}
		// The largest tree that a quorum saw by now is the served one.
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
			text, err := publiclog.CheckpointBefore(tx, tx.Now.Add(2*time.Second), 0)
			if text != served {
				t.Errorf("the last cosigned checkpoint is %s, served is %s", text, served)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}

		mirror := t.TempDir()
		s.Mirror(t, mirror)
		for _, where := range []string{s.URL, mirror} {
			report, err := verify.Log(t.Context(), verify.Options{Location: where, Witnesses: []string{first.String(), second.String()}, Now: time.Now()})
			if err != nil || report.Fault != nil || report.Unknown != nil || !report.Sealed.Trusted || report.Sealed.Quorum != 2 {
				t.Errorf("%s: %v, %+v", where, err, report)
			}
		}
		if report := s.VerifyLog(t); report.Sealed.Quorum != 2 || !slices.Equal(report.Sealed.Witnesses, []string{first.String(), second.String(), dead.String()}) || report.Sealed.Trusted {
			t.Errorf("%+v", report.Sealed)
		}
		s.Audit(t)
	})
}

// If no node could draw or void an order for more than a day, the proof that witnesses saw it in time is
// still there.
func TestQuorumOfPendingOrderIsKept(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetWitnesses(t, 1, s.Witness(t))
		s.WaitForQuorum(t)
		c := s.SignIn(t)
		c.Deposit(t, 100)
		id := c.Order(t, sealedPack(t, s.Admin(t)), "x")
		c.Post(t, "/sandbox/beacon/silent", nil).Want(t, http.StatusNoContent, nil)
		s.WaitForQuorum(t)
		apptest.Until(t, "the round's time is over", func() bool {
			var open struct{ Order struct{ RoundInMs int64 } }
			c.Get(t, "/api/opens/"+id).Want(t, http.StatusOK, &open)
			return open.Order.RoundInMs == 0
		})
		later := dbtest.Open(t, db.Options{Dir: s.Config.Data, URL: s.Config.DatabaseURL, Now: func() time.Time { return time.Now().Add(30 * time.Hour) }})
		for _, job := range (*publiclog.Log)(nil).Jobs(later) {
			if job.Name == "cosigned checkpoints" {
				if _, err := job.Do(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		c.Post(t, "/sandbox/beacon/punctual", nil).Want(t, http.StatusNoContent, nil)
		c.WaitForDraw(t, id)
		s.WaitForLog(t)
		if report := s.VerifyLog(t); len(report.Sealed.Unproven) != 0 || report.Sealed.Fixed != 1 {
			t.Errorf("%d orders are fixed and %d unproven, want 1 fixed", report.Sealed.Fixed, len(report.Sealed.Unproven))
		}
	})
}

// The proof of a sealed open shows order, round, draw, and that trusted witnesses saw the order in time. A
// proof that misses a part or has a wrong one doesn't pass.
func TestProofOfSealedOpen(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		w := s.Witness(t)
		s.SetWitnesses(t, 1, w)
		s.WaitForQuorum(t)
		c := s.SignIn(t)
		c.Deposit(t, 100)
		id := c.Order(t, sealedPack(t, s.Admin(t)), "x")
		c.WaitForDraw(t, id)
		s.WaitForLog(t)
		url := s.URL + "/api/fairness/opens/" + id
		steps := func(location string, witnesses ...string) map[string]verify.State {
			found, err := verify.Receipt(t.Context(), verify.ReceiptOptions{Location: location, Key: strings.TrimSpace(string(c.Get(t, "/log/key").Body)), Witnesses: witnesses, Now: time.Now()})
			if err != nil {
				t.Fatal(err)
			}
			states := map[string]verify.State{}
			for _, step := range found {
				states[step.Name] = step.State
			}
			return states
		}
		for name, state := range steps(url, w.String()) {
			if state != verify.Passed {
				t.Errorf("%s is %s, want it to pass", name, state)
			}
		}
		if got := steps(url)["fixed in time"]; got != verify.Unchecked {
			t.Errorf("without trusted witnesses, fixed in time is %s, want open", got)
		}
		if got := steps(url, s.Witness(t).String())["fixed in time"]; got != verify.Unchecked {
			t.Errorf("with another witness, fixed in time is %s, want open", got)
		}
		proof := string(c.Get(t, "/api/fairness/opens/"+id).Body)
		for name, change := range map[string]func(map[string]any){
			"order":         func(p map[string]any) { p["order"].(map[string]any)["leaf"] = p["leaf"] },
			"fixed in time": func(p map[string]any) { p["order"].(map[string]any)["index"] = 0 },
			"inclusion":     func(p map[string]any) { p["index"] = 0 },
		} {
			var p map[string]any
			if err := json.Unmarshal([]byte(proof), &p); err != nil {
				t.Fatal(err)
			}
			change(p)
			changed, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "proof.json")
			if err := os.WriteFile(file, changed, 0o600); err != nil {
				t.Fatal(err)
			}
			if got := steps(file, w.String())[name]; got != verify.Failed {
				t.Errorf("with a wrong %s, the step is %q, want it to fail", name, got)
			}
		}
	})
}

// A restore or a new log key begins another log. Its first trees are cosigned as well, and an order that
// was pending is drawn with its round, which the ended log's witnesses have seen in time.
func TestWitnessesFollowTheNextLog(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetWitnesses(t, 1, s.Witness(t))
		s.WaitForQuorum(t)
		ended, _, _ := strings.Cut(string(s.NewClient(t).Get(t, "/log/checkpoint").Body), "\n")
		c := s.SignIn(t)
		c.Deposit(t, 100)
		pending := c.Order(t, sealedPack(t, s.Admin(t)), "x")
		c.Post(t, "/sandbox/beacon/silent", nil).Want(t, http.StatusNoContent, nil)
		s.WaitForQuorum(t)
		s.Stop()
		if err := s.DB.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := app.ReplaceSeeds(t.Context(), s.Config.Storage, s.Config.Keys); err != nil {
			t.Fatal(err)
		}
		next := apptest.Start(t, s.Config)
		next.WaitForQuorum(t)
		served := string(next.NewClient(t).Get(t, "/log/checkpoint").Body)
		origin, _, _ := strings.Cut(served, "\n")
		if origin == ended || strings.Count(served, "\u2014") != 2 {
			t.Errorf("%s after %s", served, ended)
		}
		next.VerifyLog(t)
		next.Audit(t)
		there := next.NewClient(t)
		there.Address, there.Key = c.Address, c.Key
		there.SignIn(t)
		there.Post(t, "/sandbox/beacon/punctual", nil).Want(t, http.StatusNoContent, nil)
		there.WaitForDraw(t, pending)
		if report := next.VerifyLog(t); report.Opens != 1 || report.Sealed.Fixed != 1 || len(report.Sealed.Unproven) != 0 {
			t.Errorf("the log has %d opens, %d of them fixed, and these unproven orders: %v", report.Opens, report.Sealed.Fixed, report.Sealed.Unproven)
		}
		next.Audit(t)
	})
}
