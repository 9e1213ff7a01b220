package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/beacon"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/rounds"
	"kaibao/internal/verify"
)

// ownBeacon returns the beacon of a server's sandbox.
func ownBeacon(t *testing.T, s *apptest.Server) (b *beacon.Beacon) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		b, err = rounds.SandboxBeacon(tx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return b
}

// Verifiers get a sandbox's beacon and its rounds from any node, also after a restart. Tests can change
// how it behaves on all of them.
func TestSandboxBeacon(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock := dbtest.NewClock()
			config := apptest.Config(t, engine, apptest.At(clock))
			nodes := []*apptest.Server{apptest.Start(t, config), apptest.Start(t, config)}
			own := ownBeacon(t, nodes[0])
			round := own.RoundOf(clock.Now(), 5)
			clock.Advance(own.Time(round).Sub(clock.Now()))
			for n, s := range nodes {
				c := s.NewClient(t)
				for _, b := range []*beacon.Beacon{own, beacon.Quicknet()} {
					path := fmt.Sprintf("/api/fairness/beacons/%x", b.Hash())
					answer := c.Get(t, path)
					var chain beacon.Chain
					if err := json.Unmarshal(answer.Body, &chain); err != nil || chain != b.Chain {
						t.Errorf("node %d describes %s as %s (%v)", n, b.ID, answer.Body, err)
					}
					cached, err := c.Try(t.Context(), http.MethodGet, path, nil, "If-None-Match", answer.Header.Get("ETag"))
					if err != nil || cached.Status != http.StatusNotModified {
						t.Errorf("node %d with an ETag: %d, %v", n, cached.Status, err)
					}
				}
				c.Get(t, fmt.Sprintf("/api/fairness/beacons/%064x", 1)).Refused(t, http.StatusNotFound, "not_found")
				fetch := verify.Relays([]string{s.URL + "/sandbox/beacon"})
				if _, err := fetch(t.Context(), own, round); err != nil {
					t.Errorf("node %d has no round %d: %v", n, round, err)
				}
				if _, err := fetch(t.Context(), own, round+1); err == nil {
					t.Errorf("node %d has a round before its time", n)
				}
				nodes[1-n].NewClient(t).Post(t, "/sandbox/beacon/forked", nil).Want(t, http.StatusNoContent, nil)
				if _, err := fetch(t.Context(), own, round); err == nil {
					t.Errorf("node %d doesn't see that the beacon is forked", n)
				}
				c.Post(t, "/sandbox/beacon/punctual", nil).Want(t, http.StatusNoContent, nil)
			}
			nodes[0].Stop()
			clock.Advance(1000)
			if again := ownBeacon(t, apptest.Start(t, config)); again.Hash() != own.Hash() {
				t.Error("a restart made another beacon")
			}
		})
	}
}

// On a public sandbox nobody can change how the beacon behaves.
func TestPublicSandboxBeacon(t *testing.T) {
	s := apptest.Start(t, apptest.Config(t, dbtest.Engines()[0], func(c *app.Config) { c.SandboxPublic = true }))
	c := s.NewClient(t)
	if status := c.Post(t, "/sandbox/beacon/silent", nil).Status; status/100 != 4 {
		t.Errorf("the beacon can be silenced: %d", status)
	}
	c.Get(t, fmt.Sprintf("/sandbox/beacon/%x/public/latest", ownBeacon(t, s).Hash())).Want(t, http.StatusOK, nil)
}
