package opening_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// An admin keeps editing a pack, and time advances, while 20 buyers open it 500 times concurrently.
// Each open must cost the price in the manifest named by its receipt and yield that manifest's
// draw, and the pack's counters must be right at the end.
func TestPackCanBeEditedWhileItIsOpened(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		const buyers, each = 20, 25
		admin := s.Admin(t)
		clients := make([]*apptest.Client, buyers)
		for n := range clients {
			clients[n] = s.SignIn(t)
			clients[n].Deposit(t, 5000)
		}
		opened := make([][]result, buyers)
		var work sync.WaitGroup
		done := make(chan struct{})
		for n, c := range clients {
			work.Go(func() {
				for i := range each {
					answer := c.Post(t, "/api/packs/3/open", body(fmt.Sprint(i)))
					var r result
					if answer.Status != http.StatusOK || answer.Read(&r) != nil {
						t.Errorf("open %d has status %d, want 200: %s", i, answer.Status, answer.Body)
						return
					}
					opened[n] = append(opened[n], r)
				}
			})
		}
		go func() {
			work.Wait()
			close(done)
		}()
		edits := editUntil(t, admin, clock, done)
		<-done
		prices := map[int64]int{}
		manifests := map[string][]byte{}
		for n, rs := range opened {
			spent := int64(0)
			for _, r := range rs {
				leaf := verifyPriceAndDraw(t, clients[n], r, manifests)
				prices[int64(leaf.Price)]++
				spent += r.PriceCents
			}
			if got := balance(t, clients[n]); got != 500_000-spent {
				t.Errorf("balance of buyer %d is %d, want 500000 - %d", n, got, spent)
			}
		}
		if len(prices) < 2 {
			t.Errorf("during %d edits all opens had the same price, want several: %v", edits, prices)
		}
		if report := s.VerifyLog(t); report.Opens != buyers*each {
			t.Errorf("the log has %d opens, want %d", report.Opens, buyers*each)
		}
		s.Audit(t)
	})
}

// editUntil edits pack 3 until done: its price, its odds, and which counters it keeps.
func editUntil(t *testing.T, admin *apptest.Client, clock *dbtest.Clock, done <-chan struct{}) (edits int) {
	t.Helper()
	for {
		select {
		case <-done:
			return edits
		default:
		}
		change := map[string]any{"priceCents": 2500 + 100*(edits%5), "name": fmt.Sprintf("Edition %d", edits)}
		switch edits % 3 {
		case 0:
			change["supply"], change["acceptedLossCents"] = 1_000_000, int64(policy.SandboxSoloLossLimit)
		case 1:
			change["supply"], change["acceptedLossCents"] = -1, 0
		}
		admin.Call(t, http.MethodPatch, "/api/admin/packs/3", change).Want(t, http.StatusOK, nil)
		edits++
		clock.Advance(4 * time.Minute)
	}
}

// verifyPriceAndDraw verifies an open from its receipt and public manifest.
func verifyPriceAndDraw(t *testing.T, c *apptest.Client, r result, manifests map[string][]byte) protocol.OpenLeaf {
	t.Helper()
	if manifests[r.ManifestHash] == nil {
		manifests[r.ManifestHash] = c.Get(t, "/api/fairness/manifests/"+r.ManifestHash).Body
	}
	leaf := receiptOf(t, c, r)
	if err := protocol.VerifyOpen(leaf, manifests[r.ManifestHash], nil); err != nil {
		t.Errorf("open %s can't be verified: %v", r.OpenID, err)
	}
	if int64(leaf.Price) != r.PriceCents || fmt.Sprintf("%x", leaf.Manifest) != r.ManifestHash {
		t.Errorf("the receipt has price %d and manifest %x, want %d and %s as in the response", leaf.Price, leaf.Manifest, r.PriceCents, r.ManifestHash)
	}
	return leaf
}
