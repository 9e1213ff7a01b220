package integrationtest_test

import (
	"net/http"
	"slices"
	"testing"

	"kaibao/internal/app/apptest"
)

type preview struct {
	Fields  map[string]string
	Refusal string
	Figures *struct {
		Tiers []struct {
			Label                             string
			Chance                            float64
			Cards                             int
			ExpectedCents, WorstSellBackCents int64
		}
		ExpectedValueCents, ExpectedSellBackCents, MarginCents, WorstSellBackCents, BestCardCents int64
		IsLimited                                                                                 bool
	}
	Fits struct {
		LowestPriceCents *int64
		Series           []string
	}
	LeftOut []struct{ ID, Name string }
}

func foresee(t *testing.T, admin *apptest.Client, body apptest.Body) (p preview) {
	t.Helper()
	admin.Post(t, "/api/admin/packs/preview", body).Want(t, http.StatusOK, &p)
	return p
}

// A preview must agree with creating the pack: the same fields, refusal and figures.
func TestPreviewMatchesCreate(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		for _, body := range []apptest.Body{
			aPack, aPack.With("series", []string{"Pokemon"}), aPack.With("series", nil), aPack.With("series", []string{"Labubu Collection"}),
			aPack.With("name", "42"), aPack.With("priceCents", 900), aPack.With("series", []string{"Pokemon"}).With("acceptedLossCents", 100),
			aPack.With("lootTableJson", apptest.Body{"rarities": apptest.Body{"Common": 0.6, "Rare": 0.39}, "itemsPerPack": 5}),
			aPack.With("lootTableJson", apptest.Body{"rarities": apptest.Body{"Common": 1}, "itemsPerPack": 20}),
		} {
			p := foresee(t, admin, body)
			answer := admin.Post(t, "/api/admin/packs", body)
			if answer.Status == http.StatusOK {
				var made pack
				answer.Want(t, http.StatusOK, &made)
				if p.Refusal != "" || len(p.Fields) != 0 || p.Figures == nil || p.Figures.ExpectedValueCents != made.ExpectedValueCents {
					t.Errorf("%v was created, but the preview was %+v", body, p)
				}
				continue
			}
			var refusal apptest.Refusal
			if err := answer.Read(&refusal); err != nil {
				t.Fatal(err)
			}
			for field, why := range refusal.Fields {
				if p.Fields[field] != why {
					t.Errorf("%v: %s is refused with %q, the preview said %q", body, field, why, p.Fields[field])
				}
			}
			if answer.Status == http.StatusConflict {
				f := fits(t, refusal)
				if p.Refusal == "" || *p.Fits.LowestPriceCents != *f.LowestPriceCents || !slices.Equal(p.Fits.Series, f.Series) ||
					p.Figures.ExpectedSellBackCents != f.ExpectedSellBackCents || p.Figures.MarginCents != f.PriceCents-f.ExpectedSellBackCents {
					t.Errorf("%v: the preview was %+v, the refusal says %+v", body, p, f)
				}
			}
		}
		if n := len(apptest.Get[[]struct{}](t, admin, "/api/admin/audit")); n == 0 || n > 4 {
			t.Errorf("%d audit lines; previews must not be recorded", n)
		}
	})
}

func TestEditPreviewShowsEachTier(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		p := foresee(t, admin, apptest.Body{"packId": "8"})
		var chances float64
		var expected int64
		for _, tier := range p.Figures.Tiers {
			chances += tier.Chance
			expected += tier.ExpectedCents
			if tier.WorstSellBackCents > p.Figures.WorstSellBackCents {
				t.Errorf("%+v has a higher worst sell-back than the pack", tier)
			}
		}
		if chances < 0.999 || chances > 1.001 || max(expected, p.Figures.ExpectedValueCents)-min(expected, p.Figures.ExpectedValueCents) > 5 || p.Refusal != "" {
			t.Errorf("preview is %+v, want chances that add up to 1, tiers that add up to the expected value, no refusal", p)
		}
		if best := p.Figures.BestCardCents; !p.Figures.IsLimited || best <= p.Figures.ExpectedValueCents {
			t.Errorf("the toys of pack 8 are limited: %+v", p.Figures)
		}
		if p := foresee(t, admin, apptest.Body{"packId": "2"}); p.Figures.IsLimited || p.Figures.BestCardCents == 0 {
			t.Errorf("the cards of pack 2 are unlimited: %+v", p.Figures)
		}
		p = foresee(t, admin, apptest.Body{"packId": "8", "acceptedLossCents": 0})
		if p.Refusal == "" || p.Fits.LowestPriceCents == nil {
			t.Errorf("without an accepted loss: %+v", p)
		}
		p = foresee(t, admin, apptest.Body{"packId": "2", "lootTableJson": apptest.Body{"rarities": apptest.Body{"$100-200": 1}}})
		if p.Refusal == "" || p.Figures.Tiers[len(p.Figures.Tiers)-2].Chance != 1 {
			t.Errorf("with expensive cards only: %+v", p)
		}
		p = foresee(t, admin, apptest.Body{})
		if p.Figures != nil || len(p.Fields) == 0 {
			t.Errorf("for an empty request: %+v", p)
		}
		admin.Post(t, "/api/admin/packs/preview", apptest.Body{"packId": "nine"}).Refused(t, http.StatusNotFound, "not_found")
		s.SignIn(t).Post(t, "/api/admin/packs/preview", apptest.Body{}).Refused(t, http.StatusForbidden, "forbidden")
	})
}
