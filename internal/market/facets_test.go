package market_test

import (
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
)

type facet struct {
	Value string
	Count int64
}

// Each facet count equals the number of listings with that choice applied.
func TestFacetCountsMatchListings(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		seller, _ := newCollector(t, s, "Ann")
		for range 5 {
			seller.Deposit(t, 500)
			seller.Post(t, "/api/packs/7/open", apptest.Body{"clientSeed": "y"}).Want(t, http.StatusOK, nil)
			seller.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "y"}).Want(t, http.StatusOK, nil)
		}
		owned := get[[]entry](t, seller, "/api/inventory/me?limit=200")
		for n, e := range owned {
			listEntry(t, seller, e.ID, int64(500+700*n))
		}
		s.WaitForLog(t)
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
			rows, err := inventory.CountListings(tx, catalogue.Filter{})
			counted, indexed := catalogue.Filter{}.Facets(rows), get[catalogue.Facets](t, seller, "/api/marketplace/facets")
			if !reflect.DeepEqual(counted, indexed) {
				t.Errorf("facets from the database %v, from the index %v", counted, indexed)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		word := url.QueryEscape(owned[0].Item.Name[:4])
		for _, query := range []string{"", "series=Starter", "certification=PSA&minPrice=10", "grade=9", "rarity=Common&maxPrice=60", "series=pokemon&grade=2&rarity=Rare", "series=Pokemon", "series=soccer",
			"search=" + word, "search=%21", "grade=10&certification=CGC&series=labubu"} {
			chosen, err := url.ParseQuery(query)
			if err != nil {
				t.Fatal(err)
			}
			found := get[map[string][]facet](t, seller, "/api/marketplace/facets?"+query)
			if len(found) != 4 {
				t.Errorf("%d facets", len(found))
			}
			for name, counts := range found {
				for _, one := range counts {
					with := maps.Clone(chosen)
					with[name] = []string{one.Value}
					if n := len(get[[]entry](t, seller, "/api/marketplace?limit=200&"+with.Encode())); int64(n) != one.Count || n == 0 {
						t.Errorf("%q with %s %q lists %d, facet says %d", query, name, one.Value, n, one.Count)
					}
				}
				// A value without a count has no listings.
				for _, e := range get[[]entry](t, seller, "/api/marketplace?limit=200&"+withoutParam(chosen, name).Encode()) {
					if value := map[string]string{"series": e.Item.Series, "certification": e.Item.Certification}[name]; value != "" && !slices.ContainsFunc(counts, func(f facet) bool { return f.Value == value }) {
						t.Errorf("%q has no facet for %s %q", query, name, value)
					}
				}
			}
		}
	})
}

func withoutParam(chosen url.Values, name string) url.Values {
	rest := maps.Clone(chosen)
	delete(rest, name)
	return rest
}
