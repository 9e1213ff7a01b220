package market_test

import (
	"net/http"
	"slices"
	"testing"

	"kaibao/internal/app/apptest"
)

type itemPage struct {
	ID             string
	BaseValueCents int64
	SellBackCents  int64
	Values         []struct {
		ValueCents                     int64
		Source, Reason, At, CountsFrom string
	}
	Sales []struct {
		PriceCents int64
		At         string
	}
	Odds []struct {
		PackID   string
		IsActive bool
		Chance   float64
	}
	Listings []struct {
		ID, ListingID  string
		SalePriceCents int64
		User           struct{ FirstName string }
	}
}

// An item's page shows its value history, sales and listings to everyone.
func TestItemPage(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		anybody, admin, of := s.NewClient(t), s.Admin(t), owned[0].Item
		page := get[itemPage](t, anybody, "/api/items/"+of.ID)
		if len(page.Values) != 1 || page.Values[0].ValueCents != of.BaseValueCents || page.SellBackCents != of.BaseValueCents*90/100 ||
			len(page.Sales)+len(page.Listings) != 0 {
			t.Errorf("before any sale %+v", page)
		}
		listEntry(t, ann, owned[0].ID, 900)
		ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": owned[0].ID}).Want(t, http.StatusOK, nil)
		listEntry(t, ben, owned[0].ID, 1200)
		dearer := of.BaseValueCents + 100
		admin.Call(t, http.MethodPatch, "/api/admin/items/"+of.ID, apptest.Body{"baseValueCents": dearer, "source": "An auction", "reason": "It rose."}).Want(t, http.StatusOK, nil)
		page = get[itemPage](t, anybody, "/api/items/"+of.ID)
		if page.BaseValueCents != dearer || page.SellBackCents != of.BaseValueCents*90/100 || len(page.Values) != 2 || page.Values[0].Reason != "It rose." ||
			page.Values[0].CountsFrom <= page.Values[0].At {
			t.Errorf("after the rise: values %+v, quote %d", page.Values, page.SellBackCents)
		}
		if len(page.Sales) != 1 || page.Sales[0].PriceCents != 900 {
			t.Errorf("sales %+v", page.Sales)
		}
		if len(page.Listings) != 1 || page.Listings[0].ID != owned[0].ID || page.Listings[0].SalePriceCents != 1200 || page.Listings[0].User.FirstName != "Ben" {
			t.Errorf("listings %+v", page.Listings)
		}
		anybody.Get(t, "/api/items/nothing").Refused(t, http.StatusNotFound, "not_found")
	})
}

// The chances of all items of a tier add up to the tier's chance.
func TestItemChances(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		var sum, want float64
		for _, i := range get[[]item](t, c, "/api/items?series=Pokemon&minPrice=5&limit=200&sortBy=price-low") {
			if i.BaseValueCents >= 1500 {
				break
			}
			page := get[itemPage](t, c, "/api/items/"+i.ID)
			for _, odds := range page.Odds {
				if odds.PackID == "2" && odds.IsActive {
					sum += odds.Chance
				}
			}
		}
		tiers := get[struct {
			Odds []struct {
				LowCents, HighCents int64
				Chance              float64
			}
		}](t, c, "/api/packs/2").Odds
		for _, tier := range tiers[slices.IndexFunc(tiers, func(o struct {
			LowCents, HighCents int64
			Chance              float64
		}) bool {
			return o.LowCents == 500
		}):][:1] {
			want = tier.Chance
		}
		if sum < want-1e-9 || sum > want+1e-9 || want == 0 {
			t.Errorf("the items' chances add up to %f, the tier's is %f", sum, want)
		}
	})
}
