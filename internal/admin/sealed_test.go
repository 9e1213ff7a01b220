package admin_test

import (
	"net/http"
	"testing"
	"time"

	"kaibao/internal/admin"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// Admins see which orders wait, for which round, since when it is late and when refunds begin. Nobody else
// does.
func TestAdminsSeeWhatSealedPacksWaitFor(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		a, c := s.Admin(t), s.SignIn(t)
		read := func() admin.SealedStateView { return apptest.Get[admin.SealedStateView](t, a, "/api/admin/sealed") }
		c.Get(t, "/api/admin/sealed").Refused(t, http.StatusForbidden, "forbidden")
		if v := read(); len(v.Packs) != 0 || len(v.LateRounds) != 0 || v.Witnesses != nil || v.Beacon.Name != "kaibao-sandbox" || v.Beacon.ClockReady || v.Beacon.Problem == "" || v.Beacon.LastSeenAt != nil {
			t.Errorf("before a round was seen: %+v", v)
		}

		var pack struct{ ID string }
		a.Post(t, "/api/admin/packs", apptest.Body{"name": "Sealed", "nameZh": "封存", "priceCents": 2500, "series": []string{"Starter"}, "sealing": "sealed",
			"lootTableJson": apptest.Body{"rarities": apptest.Body{"Common": 0.9, "Rare": 0.1}, "itemsPerPack": 1}}).Want(t, http.StatusOK, &pack)
		c.Deposit(t, 100)
		clock.Advance(s.Config.ManifestDelay)
		var ordered struct {
			OpenID string
			Order  struct {
				Round   uint64
				RoundAt time.Time
			}
		}
		apptest.Until(t, "the node takes orders", func() bool {
			clock.Advance(100 * time.Millisecond)
			answer := c.Post(t, "/api/packs/"+pack.ID+"/open", apptest.Body{"clientSeed": "x", "sealed": true})
			return answer.Status == http.StatusOK && answer.Read(&ordered) == nil
		})
		placed := clock.Now()
		if v := read(); !v.Beacon.Checked || !v.Beacon.ClockReady || v.Beacon.Problem != "" || v.Beacon.LastRound == 0 || v.Beacon.LastSeenAt == nil || *v.Beacon.LatenessMs > 2500 {
			t.Errorf("while orders are taken: %+v", v.Beacon)
		}
		c.Post(t, "/sandbox/beacon/silent", nil).Want(t, http.StatusNoContent, nil)
		order := ordered.Order
		w := read().Packs
		if len(w) != 1 || w[0].PackID != pack.ID || w[0].PackName != "Sealed" || w[0].PackNameZH != "封存" || w[0].Orders != 1 || w[0].Round != order.Round || w[0].LateMs != 0 {
			t.Fatalf("one order waits for round %d: %+v", order.Round, w)
		}
		clock.Advance(order.RoundAt.Add(9 * time.Second).Sub(placed))
		if v := read(); v.Packs[0].LateMs != 9000 || v.Packs[0].OldestAgeMs < 9000 || len(v.LateRounds) != 0 {
			t.Errorf("9 s after its time: %+v", v)
		}
		clock.Advance(2 * time.Second)
		late := read().LateRounds
		if len(late) != 1 || late[0].Round != order.Round || late[0].LateMs != 11_000 || late[0].Orders != 1 || late[0].Published || late[0].Beacon != "kaibao-sandbox" ||
			late[0].RefundsAt != order.RoundAt.Add(24*time.Hour).Format("2006-01-02T15:04:05.000Z07:00") {
			t.Errorf("11 s after its time: %+v", late)
		}
		c.Post(t, "/sandbox/beacon/punctual", nil).Want(t, http.StatusNoContent, nil)
		apptest.Until(t, "the order is drawn", func() bool { return len(read().Packs) == 0 })
		if v := read(); len(v.LateRounds) != 0 {
			t.Errorf("after the draw: %+v", v)
		}
	})
}

// Admins see which witnesses cosign the log.
func TestAdminsSeeWitnesses(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		first, dead := s.Witness(t), s.Witness(t)
		dead.URL = "http://127.0.0.1:1"
		third := s.Witness(t)
		s.SetWitnesses(t, 2, first, dead, third)
		s.WaitForQuorum(t)
		a := s.Admin(t)
		var v *admin.WitnessHealthView
		apptest.Until(t, "a submission has failed", func() bool {
			v = apptest.Get[admin.SealedStateView](t, a, "/api/admin/sealed").Witnesses
			return v != nil && len(v.Witnesses) == 3 && v.Witnesses[1].LastFailure != nil
		})
		if v.Quorum != 2 || v.LastQuorumAt == nil || v.Witnesses[0].Name != first.Name || v.Witnesses[0].CosignedAt == nil || v.Witnesses[0].CosignedSize == 0 {
			t.Fatalf("%+v", v)
		}
		if w := v.Witnesses[1]; w.CosignedAt != nil || w.CosignedSize != 0 || w.URL != dead.URL || w.LastFailure.Result != "unreachable" || w.LastFailure.Cause == "" {
			t.Errorf("the witness that can't be reached: %+v", w)
		}
	})
}
