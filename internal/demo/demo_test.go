package demo_test

import (
	"maps"
	"slices"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/demo"
	"kaibao/internal/packs"
)

func TestSeedingTwiceChangesNothing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		shop := &packs.Service{DB: s.DB, Delay: s.Config.ManifestDelay}
		err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { return demo.Seed(tx, shop) })
		if err != nil {
			t.Fatal(err)
		}
		if found := apptest.Get[[]any](t, s.NewClient(t), "/api/packs"); len(found) != 10 {
			t.Errorf("%d packs", len(found))
		}
	})
}

// Each demo item is found by exactly one category filter, that of catalogue.CategoryOf.
func TestEachItemIsInOneCategory(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		var found []string
		starterCounts := map[catalogue.CategoryID]int{}
		for _, category := range catalogue.Categories {
			for _, i := range apptest.Get[[]struct{ ID, Series, Name string }](t, c, "/api/items?limit=200&series="+string(category.ID)) {
				found = append(found, i.ID)
				if i.Series == catalogue.Starter {
					starterCounts[category.ID]++
				}
				if want := catalogue.CategoryOf(i.Series, i.Name); want != category.ID {
					t.Errorf("%s %s %q is in %s, want %q", i.ID, i.Series, i.Name, category.ID, want)
				}
			}
		}
		var all []string
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
			all, err = db.All(tx, db.Column[string], `SELECT id FROM items`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		slices.Sort(found)
		slices.Sort(all)
		if !slices.Equal(found, all) {
			t.Errorf("the categories have %d items, the catalogue has %d", len(found), len(all))
		}
		if want := map[catalogue.CategoryID]int{"pokemon": 11, "onepiece": 6, "basketball": 6, "football": 5, "soccer": 6, "baseball": 6}; !maps.Equal(starterCounts, want) {
			t.Errorf("Starter items by category: %v, want %v", starterCounts, want)
		}
	})
}
