package integrationtest_test

import (
	"net/http"
	"slices"
	"testing"

	"kaibao/internal/app/apptest"
)

type historyEvent struct {
	Kind, At   string
	PriceCents *int64
	Ref        *string
}

type history struct {
	ID, State, AcquiredFrom  string
	Own, ForSale, Vaulted    bool
	ListingID, SellBackUntil *string
	SellBackCents            *int64
	Events                   []historyEvent
}

func (h history) kinds() (kinds []string) {
	for _, e := range h.Events {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// An entry's history shows every act on it. Only the owner sees floor and quote, only the puller
// the open, and only the last owner its end.
func TestEntryHistory(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := collector(t, s)
		ben, _ := collector(t, s)
		id := owned[0].ID
		act := func(c *apptest.Client, path string, body apptest.Body) {
			t.Helper()
			c.Post(t, path, body.With("inventoryId", id)).Want(t, http.StatusOK, nil)
		}
		see := func(c *apptest.Client) history {
			t.Helper()
			return get[history](t, c, "/api/inventory/"+id)
		}
		act(ann, "/api/inventory/vault", apptest.Body{})
		act(ann, "/api/marketplace/list", apptest.Body{"priceCents": 500, "confirmedCents": 500})
		act(ann, "/api/marketplace/reprice", apptest.Body{"priceCents": 600, "confirmedCents": 600})
		act(ann, "/api/marketplace/delist", apptest.Body{})
		act(ann, "/api/marketplace/list", apptest.Body{"priceCents": 700, "confirmedCents": 700})

		mine, theirs := see(ann), see(ben)
		if !mine.Own || mine.SellBackCents == nil || mine.SellBackUntil == nil || mine.ListingID == nil || *mine.Events[0].Ref == "" {
			t.Errorf("the owner sees %+v, want quote, floor, listing and open", mine)
		}
		if theirs.Own || theirs.SellBackCents != nil || theirs.SellBackUntil != nil || theirs.ListingID == nil || theirs.Events[0].Ref != nil {
			t.Errorf("another user sees %+v, want the listing, and no quote, floor or open", theirs)
		}
		if open := get[struct {
			Items []struct{ InventoryID string }
		}](t, ann, "/api/opens/"+*mine.Events[0].Ref); open.Items[0].InventoryID == "" {
			t.Error("the open does not contain the entry")
		}
		if last := mine.Events[5]; *last.PriceCents != 700 || *last.Ref != *mine.ListingID {
			t.Errorf("the last event is %+v, want the current listing at 700", last)
		}
		act(ben, "/api/marketplace/buy", apptest.Body{"expectedPriceCents": 700})
		kinds := []string{"pulled", "vaulted", "listed", "repriced", "delisted", "listed"}
		if got, want := see(ben).kinds(), append(slices.Clone(kinds), "bought"); !slices.Equal(got, want) {
			t.Errorf("the buyer sees events %v, want %v", got, want)
		}
		if got, want := see(ann).kinds(), append(slices.Clone(kinds), "sold"); !slices.Equal(got, want) {
			t.Errorf("the seller sees events %v, want %v", got, want)
		}
		if now := see(ben); now.SellBackUntil != nil || *now.SellBackCents == 0 || now.AcquiredFrom != "market" || now.ListingID != nil {
			t.Errorf("the buyer's entry is %+v, want a quote, no floor and no listing, acquired from the market", now)
		}
		ben.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{id}}).Want(t, http.StatusOK, nil)
		ended := see(ben)
		if last := ended.Events[7]; ended.State != "sold-back" || ended.SellBackCents != nil || last.Kind != "sold-back" || *last.Ref != "value" || *last.PriceCents == 0 {
			t.Errorf("the sold-back entry is %+v, want no quote, and a last event with the price by value", ended)
		}
		ann.Get(t, "/api/inventory/"+id).Refused(t, http.StatusNotFound, "not_found")
		ann.Get(t, "/api/inventory/nothing").Refused(t, http.StatusNotFound, "not_found")
		s.NewClient(t).Get(t, "/api/inventory/"+id).Refused(t, http.StatusUnauthorized, "unauthenticated")
		s.Audit(t)
	})
}
