package playstats_test

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/protocol"
)

type body = apptest.Body

type figures struct {
	Opens, SpentCents, BackCents, NetCents, Minutes int64
	Luck                                            *struct {
		DrawnCents, ExpectedCents, DeviationCents int64
		Z, P                                      float64
	}
}

// The figures must equal those that anyone can compute from the leaves of the player's opens in the
// public log and their manifests.
func TestLuckMatchesPublicLog(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := s.SignIn(t)
		ann.Deposit(t, 5000)
		if f := apptest.Get[figures](t, ann, "/api/limits/figures"); f != (figures{}) {
			t.Errorf("before any open: %+v", f)
		}
		var sold string
		for n := range 24 {
			var pulled struct {
				Items []struct{ InventoryID string }
			}
			pack := []string{"2", "1", "demo-pack-1"}[n%3]
			ann.Post(t, "/api/packs/"+pack+"/open", body{"clientSeed": fmt.Sprint(n)}).Want(t, http.StatusOK, &pulled)
			sold = pulled.Items[0].InventoryID
			clock.Advance(time.Minute)
		}
		clock.Advance(time.Hour)
		later := clock.Now()
		ann.Post(t, "/api/packs/2/open", body{"clientSeed": "late"}).Want(t, http.StatusOK, nil)
		var quote struct{ PayoutCents int64 }
		ann.Post(t, "/api/inventory/sell-back", body{"inventoryIds": []string{sold}}).Want(t, http.StatusOK, &quote)
		s.WaitForLog(t)

		var spent, drawn int64
		var mean, variance float64
		for _, o := range apptest.Get[[]struct{ OpenID string }](t, ann, "/api/opens") {
			proof := apptest.Get[struct{ Leaf string }](t, ann, "/api/fairness/opens/"+o.OpenID)
			parsed, err := protocol.ParseLeaf([]byte(proof.Leaf))
			if err != nil {
				t.Fatal(err)
			}
			leaf := parsed.(protocol.OpenLeaf)
			spent += int64(leaf.Price)
			for _, item := range leaf.Items {
				drawn += int64(item.Value)
			}
			m, v := moments(t, ann, leaf)
			mean, variance = mean+m, variance+v
		}
		f := apptest.Get[figures](t, ann, "/api/limits/figures")
		if f.Opens != 25 || f.SpentCents != spent || f.BackCents != quote.PayoutCents || f.NetCents != f.BackCents-spent || f.Minutes != 23 {
			t.Errorf("got %+v; spent %d, paid back %d in 23 minutes", f, spent, quote.PayoutCents)
		}
		z := (float64(drawn) - mean) / math.Sqrt(variance)
		if l := f.Luck; l.DrawnCents != drawn || l.ExpectedCents != int64(math.Round(mean)) || l.DeviationCents != int64(math.Round(math.Sqrt(variance))) ||
			math.Abs(l.Z-z) > 1e-9 || math.Abs(l.P-math.Erfc(math.Abs(z)/math.Sqrt2)) > 1e-9 {
			t.Errorf("got %+v; drawn %d, by the log %f ± %f: z %f", *l, drawn, mean, math.Sqrt(variance), z)
		}
		since := apptest.Get[figures](t, ann, "/api/limits/figures?since="+url.QueryEscape(later.Format(time.RFC3339Nano)))
		if since.Opens != 1 || since.SpentCents != 2500 || since.Minutes != 0 || since.BackCents != quote.PayoutCents {
			t.Errorf("since the pause: %+v", since)
		}
	})
}

// moments computes the mean and variance of an open's value from its published manifest.
func moments(t *testing.T, c *apptest.Client, leaf protocol.OpenLeaf) (mean, variance float64) {
	t.Helper()
	m, err := protocol.ParseManifest(c.Get(t, fmt.Sprintf("/api/fairness/manifests/%x", leaf.Manifest)).Body)
	if err != nil {
		t.Fatal(err)
	}
	var total, first, second float64
	for _, tier := range m.Tiers {
		total += float64(tier.Weight)
	}
	for _, tier := range m.Tiers {
		for _, card := range tier.Cards {
			chance := float64(tier.Weight) / total / float64(len(tier.Cards))
			first += chance * float64(card.Value)
			second += chance * float64(card.Value) * float64(card.Value)
		}
	}
	return first * float64(m.Items), (second - first*first) * float64(m.Items)
}
