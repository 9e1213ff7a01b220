package market_test

import (
	"net/http"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
)

type ownBids struct {
	MinimumBidCents *int64 `json:"lowestBidCents"`
	Bids            []struct {
		ID              string
		PaysCents, Left int64
		ForThis         bool
		Counter         *struct{ PriceCents int64 }
	}
}

// An owner sees the bids their entry could be sold to, but not who placed them.
func TestOwnerSeesBidsOnEntry(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		owner, owned := newCollector(t, s, "Ann")
		bidder, _ := newCollector(t, s, "Ben")
		id, path := owned[0].ID, "/api/inventory/"+owned[0].ID+"/bids"
		bid := func(scope apptest.Body, price int64) (b struct{ ID string }) {
			bidder.Post(t, "/api/bids", apptest.Body{"scope": scope, "priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, &b)
			return b
		}
		forThis, forItem := bid(apptest.Body{"inventoryId": id}, 100), bid(apptest.Body{"itemId": owned[0].Item.ID}, 150)
		owner.Post(t, "/api/bids/"+forThis.ID+"/counter", apptest.Body{"inventoryId": id, "priceCents": 100_000, "confirmedCents": 100_000}).Want(t, http.StatusOK, nil)
		owner.Call(t, http.MethodPatch, "/api/inventory/"+id, apptest.Body{"lowestBidCents": 90}).Want(t, http.StatusOK, nil)
		seen := get[ownBids](t, owner, path)
		if len(seen.Bids) != 2 || seen.MinimumBidCents == nil || *seen.MinimumBidCents != 90 {
			t.Fatalf("the owner sees %+v", seen)
		}
		if b := seen.Bids[0]; b.ID != forItem.ID || b.PaysCents != 150 || b.ForThis || b.Counter != nil {
			t.Errorf("best bid %+v", b)
		}
		if b := seen.Bids[1]; b.ID != forThis.ID || b.PaysCents != 100 || b.Left != 1 || !b.ForThis || b.Counter == nil || b.Counter.PriceCents != 100_000 {
			t.Errorf("bid for the entry %+v", b)
		}
		if body := string(owner.Get(t, path).Body); strings.Contains(body, bidder.Address) || strings.Contains(body, "Ben") {
			t.Errorf("the response reveals the bidder: %s", body)
		}
		bidder.Get(t, path).Want(t, http.StatusNotFound, nil)
	})
}
