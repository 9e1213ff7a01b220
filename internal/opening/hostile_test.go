package opening_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/keyring"
	"kaibao/internal/keys"
	"kaibao/internal/opening"
	"kaibao/internal/packs"
	"kaibao/internal/publiclog"
)

// hostile lists requests meant to break parsers, with the expected status of each.
var hostile = []struct {
	opening.Request
	status int
}{
	{opening.Request{PackID: "\x00", ClientSeed: "s"}, 404},
	{opening.Request{PackID: "2\x00", ClientSeed: "s"}, 404},
	{opening.Request{PackID: "\xff\xfe", ClientSeed: "s"}, 404},
	{opening.Request{PackID: "\xed\xa0\x80", ClientSeed: "s"}, 404},
	{opening.Request{PackID: "' OR 1=1", ClientSeed: "s"}, 404},
	{opening.Request{PackID: strings.Repeat("2", 5000), ClientSeed: "s"}, 404},
	{opening.Request{PackID: "nothing", ClientSeed: "s"}, 404},
	{opening.Request{PackID: "2", ClientSeed: ""}, 422},
	{opening.Request{PackID: "2", ClientSeed: strings.Repeat("é", 65)}, 422},
	{opening.Request{PackID: "2", ClientSeed: "s", Commitment: "00"}, 422},
	{opening.Request{PackID: "2", ClientSeed: "s", Commitment: "\x00"}, 422},
	{opening.Request{PackID: "2", ClientSeed: "s", Commitment: strings.Repeat("g", 64)}, 422},
	{opening.Request{PackID: "2", ClientSeed: "s", Commitment: strings.Repeat("A", 64)}, 422},
	{opening.Request{PackID: "2", ClientSeed: "s", Commitment: strings.Repeat("0", 66)}, 422},
	{opening.Request{PackID: "2", ClientSeed: "s", Commitment: strings.Repeat("0", 64)}, 409},
	{opening.Request{PackID: "2", ClientSeed: "s", Manifest: strings.Repeat("0", 64)}, 409},
}

// Hostile requests in a batch must not abort its transaction: all valid opens succeed in it.
func TestHostileRequestsDoNotAbortBatch(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			config := apptest.Config(t, engine, apptest.Seeds(strings.Repeat("5e", 32)))
			s := apptest.Start(t, config)
			requests := []opening.Request{{PackID: "2", ClientSeed: "\x00"}, {PackID: "1", ClientSeed: "种子"}, {PackID: "demo-pack-1", ClientSeed: "s"}}
			valid := len(requests)
			for _, h := range hostile {
				requests = append(requests, h.Request)
			}
			requests = append(requests, opening.Request{PackID: "2", ClientSeed: "\xed\xa0\x80"}, opening.Request{PackID: "2", ClientSeed: "s", Manifest: "\x00"})
			userRequests := make([]opening.UserRequest, len(requests))
			for n, request := range requests {
				userRequests[n] = userRequest(t, s, request)
			}
			opens := newService(t, s)
			var outcomes []batch.Outcome[opening.OpenResult]
			if err := s.DB.InTx(t.Context(), func(tx *db.Tx) (err error) {
				outcomes, err = opens.OpenAll(tx, userRequests)
				return err
			}); err != nil {
				t.Fatalf("the batch was aborted: %v", err)
			}
			for n, o := range outcomes {
				if refused := apperr.As(o.Err).Code != apperr.Internal; o.Err != nil && !refused || (o.Err == nil) != (n < valid) {
					t.Errorf("request %+v has the error %v, want one: %t, and never an internal one", requests[n], o.Err, n >= valid)
				}
			}
			s.Audit(t)
		})
	}
}

// An unknown commitment is refused without reading the openings table: scanning the opens of a user
// who has many would delay the rest of the batch.
func TestUnknownCommitmentIsRefusedWithoutScan(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			config := apptest.Config(t, engine, apptest.Seeds(strings.Repeat("5e", 32)))
			s := apptest.Start(t, config)
			userRequests := []opening.UserRequest{userRequest(t, s, opening.Request{PackID: "2", ClientSeed: "s", Commitment: strings.Repeat("0", 64)})}
			opens := newService(t, s)
			undone := errors.New("undone")
			if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				if _, err := tx.Exec(`ALTER TABLE openings RENAME TO hidden`); err != nil {
					return err
				}
				outcomes, err := opens.OpenAll(tx, userRequests)
				if err != nil || !apperr.IsCode(outcomes[0].Err, apperr.CommitmentChanged) {
					t.Errorf("outcomes are %v (%v), want the refusal %s", outcomes, err, apperr.CommitmentChanged)
				}
				return undone
			}); !errors.Is(err, undone) {
				t.Fatal(err)
			}
		})
	}
}

// newService returns a second opening service on the server's database.
func newService(t testing.TB, s *apptest.Server) *opening.Service {
	t.Helper()
	seeds, err := keyring.Load(keys.Source{Kind: keys.Seed, Setting: s.Config.SeedKey})
	if err != nil {
		t.Fatal(err)
	}
	logKey, err := os.ReadFile(filepath.Join(s.Config.Data, "log.key"))
	if err != nil {
		t.Fatal(err)
	}
	s.WaitForLog(t)
	log, err := publiclog.Open(t.Context(), publiclog.Options{DB: s.DB, Keys: publiclog.FixedKeys(string(logKey)), CheckpointFile: filepath.Join(s.Config.Data, "log.checkpoint")})
	if err != nil {
		t.Fatal(err)
	}
	return &opening.Service{DB: s.DB, Packs: &packs.Service{DB: s.DB, Delay: time.Minute}, Log: log, Sealer: opening.NewSealer(seeds)}
}

// userRequest returns a request of a new user with $100.
func userRequest(t *testing.T, s *apptest.Server, r opening.Request) opening.UserRequest {
	t.Helper()
	c := s.SignIn(t)
	c.Deposit(t, 100)
	var user struct{ ID, UserTag string }
	c.Get(t, "/api/auth/user").Want(t, http.StatusOK, &user)
	return opening.UserRequest{UserID: user.ID, UserTag: user.UserTag, Request: r}
}

// Over HTTP each hostile request is refused on its own, and concurrent opens succeed.
func TestHostileOpensDoNotAffectOthers(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		players := make([]*apptest.Client, 4)
		for n := range players {
			players[n] = s.SignIn(t)
			players[n].Deposit(t, 250)
		}
		attacker := s.SignIn(t)
		attacker.Deposit(t, 100)
		type call struct {
			path, body string
			status     int
		}
		calls := []call{
			{"/api/packs/2/open", `{"clientSeed":"\ud800"}`, 422},
			{"/api/packs/2/open", `{"clientSeed":"a","commitment":""}`, 422},
			{"/api/packs/2/open", "{\"clientSeed\":\"\xff\"}", 400},
		}
		for _, h := range hostile {
			body := map[string]string{"clientSeed": h.ClientSeed}
			for name, value := range map[string]string{"commitment": h.Commitment, "manifest": h.Manifest} {
				if value != "" {
					body[name] = value
				}
			}
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			calls = append(calls, call{"/api/packs/" + url.PathEscape(h.PackID) + "/open", string(text), h.status})
		}
		got := callConcurrently(t, len(players)*10+len(calls), func(n int) apptest.Answer {
			if n >= len(calls) {
				return players[n%len(players)].Post(t, "/api/packs/2/open", body(fmt.Sprint(n)))
			}
			answer := attacker.Post(t, calls[n].path, calls[n].body)
			if answer.Status != calls[n].status {
				t.Errorf("POST %q with %q has status %d, want %d: %s", calls[n].path, calls[n].body, answer.Status, calls[n].status, answer.Body)
			}
			return answer
		})
		if got[http.StatusOK] != len(players)*10 {
			t.Errorf("statuses are %v, want %d times 200", got, len(players)*10)
		}
		if left := balance(t, attacker); left != 100_00 {
			t.Errorf("the attacker's balance is %d, want 10000", left)
		}
		s.Audit(t)
	})
}
