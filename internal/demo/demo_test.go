package demo_test

import (
	"testing"

	"kaibao/internal/app/apptest"
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
