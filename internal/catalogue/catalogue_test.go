package catalogue_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/fair"
	"kaibao/internal/fault"
)

type pack struct {
	ID, Name, Price, CoverImageURL, ManifestHash string
	PriceCents, ExpectedValueCents               int64
	ItemsPerPack                                 int64
	IsActive, IsNew                              bool
	Odds                                         []struct {
		Label             string
		Weight            uint64
		Published, Chance float64
	}
	Showcase []item
}

type item struct {
	ID, Name, Series, Rarity, ImageURL, CertType string
	BaseValueCents                               int64
	Grade                                        float64
}

func get[T any](t *testing.T, c *apptest.Client, path string) (v T) {
	t.Helper()
	c.Get(t, path).Want(t, http.StatusOK, &v)
	return v
}

func TestTenPacksAreOnSale(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		want := map[string][2]int64{ // bounds of the expected value in cents
			"1": {2450, 2550}, "2": {2450, 2550}, "3": {2450, 2550}, "4": {2450, 2550}, "5": {2450, 2550}, "6": {2450, 2550},
			"7": {3800, 4200}, "8": {66000, 200000}, "demo-pack-1": {2000, 2500}, "demo-pack-2": {2000, 2500},
		}
		packs := get[[]pack](t, c, "/api/packs")
		if len(packs) != len(want) {
			t.Fatalf("%d packs, want %d", len(packs), len(want))
		}
		for _, p := range packs {
			bounds := want[p.ID]
			if p.ExpectedValueCents < bounds[0] || p.ExpectedValueCents > bounds[1] || !p.IsActive {
				t.Errorf("pack %s: expected value %d, active %v; want %v", p.ID, p.ExpectedValueCents, p.IsActive, bounds)
			}
			if p.IsNew != (p.ID == "7" || p.ID == "8") {
				t.Errorf("pack %s: new %v", p.ID, p.IsNew)
			}
			drawable(t, c, p.CoverImageURL)
		}
	})
}

// drawable fetches a picture and reads it as XML to its end.
func drawable(t *testing.T, c *apptest.Client, address string) {
	t.Helper()
	answer := c.Get(t, address)
	if answer.Status != http.StatusOK || answer.Header.Get("Content-Type") != "image/svg+xml" ||
		!strings.Contains(answer.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("%s: %d %v", address, answer.Status, answer.Header)
	}
	for reader := xml.NewDecoder(strings.NewReader(string(answer.Body))); ; {
		if _, err := reader.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Errorf("%s: %v", address, err)
			return
		}
	}
}

func TestDetailIsComputedFromTheManifest(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		for _, listed := range get[[]pack](t, c, "/api/packs") {
			p := get[pack](t, c, "/api/packs/"+listed.ID)
			text := c.Get(t, "/api/fairness/manifests/"+p.ManifestHash)
			if fmt.Sprintf("%x", fair.Hash(text.Body)) != p.ManifestHash {
				t.Fatalf("pack %s: the manifest's hash is another", p.ID)
			}
			m, err := fair.ParseManifest(text.Body)
			if err != nil {
				t.Fatal(err)
			}
			if got := int64(fair.ExpectedValue(m, nil)); got != p.ExpectedValueCents {
				t.Errorf("pack %s: expected value %d, by the manifest %d", p.ID, p.ExpectedValueCents, got)
			}
			chances, weight := 0.0, uint64(0)
			for _, tier := range m.Tiers {
				weight += tier.Weight
			}
			for _, line := range p.Odds {
				chances += line.Chance
				if want := float64(line.Weight) / float64(weight); line.Chance-want > 1e-9 || want-line.Chance > 1e-9 {
					t.Errorf("pack %s, %s: chance %v, want %v", p.ID, line.Label, line.Chance, want)
				}
			}
			if chances < 0.999999 || chances > 1.000001 {
				t.Errorf("pack %s: chances add up to %v", p.ID, chances)
			}
		}
	})
}

func TestPublishedOddsAreTheSpecifications(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		for id, want := range map[string]string{
			"2":           "[$5-15:29.8 $15-25:39.2 $25-50:23.1 $50-100:7.2 $100-200:1.4 $200-400:0.2]",
			"3":           "[$5-15:29.8 $15-25:39.2 $25-50:23.1 $50-100:7.2 $100-200:1.6]",
			"7":           "[Big into Energy:32.3 Have a Seat:32.3 Exciting Macaron:32.3 Secret Rare:3.0]",
			"demo-pack-1": "[Common:60.0 Rare:25.0 Epic:10.0 Legendary:4.0 Mythic:1.0]",
		} {
			var got []string
			for _, line := range get[pack](t, c, "/api/packs/"+id).Odds {
				got = append(got, fmt.Sprintf("%s:%.1f", line.Label, line.Published*100))
			}
			if fmt.Sprint(got) != want {
				t.Errorf("pack %s: %v, want %s", id, got, want)
			}
		}
	})
}

func TestShowcase(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		cards := get[pack](t, c, "/api/packs/2").Showcase
		if len(cards) != 10 || cards[0].BaseValueCents >= 40000 || cards[0].BaseValueCents < cards[9].BaseValueCents {
			t.Errorf("pokemon: %+v", cards)
		}
		for _, secret := range get[pack](t, c, "/api/packs/7").Showcase {
			if secret.Rarity != "Grail" {
				t.Errorf("base box shows %+v", secret)
			}
		}
		deluxe := get[pack](t, c, "/api/packs/8").Showcase
		if len(deluxe) != 6 || deluxe[1].BaseValueCents >= deluxe[5].BaseValueCents {
			t.Errorf("the seventh is not in the second place: %+v", deluxe)
		}
		c.Get(t, "/api/packs/nine").Refused(t, http.StatusNotFound, "not_found")
	})
}

func TestItemsAreFilteredSortedAndPaged(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		for query, check := range map[string]func(i item) bool{
			"series=onepiece":           func(i item) bool { return i.Series == "One Piece" },
			"series=One+Piece":          func(i item) bool { return i.Series == "One Piece" },
			"series=labubu":             func(i item) bool { return strings.HasPrefix(i.Series, "Labubu") },
			"certification=CGC":         func(i item) bool { return i.CertType == "CGC" },
			"grade=9":                   func(i item) bool { return i.Grade >= 9 },
			"minPrice=100&maxPrice=200": func(i item) bool { return i.BaseValueCents >= 10000 && i.BaseValueCents <= 20000 },
			"search=psa+CHAR":           func(i item) bool { return strings.Contains(i.Name, "Char") && strings.Contains(i.Name, "PSA") },
			"search=" + url.QueryEscape("ｃｈａｒ"): func(i item) bool { return strings.Contains(i.Name, "Char") },
		} {
			found := get[[]item](t, c, "/api/items?limit=200&"+query)
			if len(found) == 0 {
				t.Errorf("%s: nothing found", query)
			}
			for _, i := range found {
				if !check(i) {
					t.Errorf("%s: found %+v", query, i)
				}
			}
		}
		for _, none := range []string{"harizard", "!!!", "%25"} {
			if found := get[[]item](t, c, "/api/items?search="+none); len(found) != 0 {
				t.Errorf("%s: found %+v", none, found)
			}
		}
		for _, wrong := range []string{"sortBy=colour", "certification=ABC", "grade=ten", "minPrice=cheap", "minPrice=-1", "maxPrice=-3", "limit=0", "limit=201", "cursor=x",
			"sortBy=price-low&cursor=eyJrIjpbMV0sImkiOiJ4In0", "sortBy=price-low&cursor=eyJrIjp0cnVlLCJpIjoieCJ9"} {
			c.Get(t, "/api/items?"+wrong).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
	})
}

// Every word costs a look at every name: more than eight different ones are
// refused, of all lists alike.
func TestASearchHasAtMostEightWords(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		for _, list := range []string{"/api/items", "/api/marketplace", "/api/vault"} {
			eight := "a+b+c+d+e+f+g+h"
			c.Get(t, list+"?search="+eight+"+A+b+"+eight).Want(t, http.StatusOK, nil)
			c.Get(t, list+"?search="+eight+"+i").Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
	})
}

// Every order lists every item once, whatever the size of the page.
func TestPagingSkipsAndRepeatsNothing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		ordered := map[string]func(a, b item) bool{
			"":           func(a, b item) bool { return a.ID < b.ID },
			"price-low":  func(a, b item) bool { return a.BaseValueCents <= b.BaseValueCents },
			"price-high": func(a, b item) bool { return a.BaseValueCents >= b.BaseValueCents },
			"name":       func(a, b item) bool { return a.Name <= b.Name },
			"grade":      func(a, b item) bool { return a.Grade >= b.Grade },
		}
		for sortBy, inOrder := range ordered {
			seen, cursor := map[string]bool{}, ""
			var last *item
			for {
				query := url.Values{"series": {"Pokemon"}, "limit": {"17"}}
				for name, value := range map[string]string{"sortBy": sortBy, "cursor": cursor} {
					if value != "" {
						query.Set(name, value)
					}
				}
				answer := c.Get(t, "/api/items?"+query.Encode())
				var page []item
				answer.Want(t, http.StatusOK, &page)
				for _, i := range page {
					if seen[i.ID] || (last != nil && !inOrder(*last, i)) {
						t.Fatalf("%q: %+v after %+v", sortBy, i, last)
					}
					seen[i.ID], last = true, &i
				}
				if cursor = answer.Header.Get("X-Next-Cursor"); cursor == "" {
					break
				}
			}
			if len(seen) != 179 {
				t.Errorf("%q: %d items, want 179", sortBy, len(seen))
			}
		}
	})
}

func TestTheWholeCatalogueIsCounted(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		counted, cursor := 0, ""
		for first := true; first || cursor != ""; first = false {
			answer := c.Get(t, "/api/items?limit=200&cursor="+cursor)
			var page []item
			answer.Want(t, http.StatusOK, &page)
			counted += len(page)
			if total := answer.Header.Get("X-Total-Count"); (total != "") != first {
				t.Errorf("total %q on page %q", total, cursor)
			}
			cursor = answer.Header.Get("X-Next-Cursor")
		}
		if total := c.Get(t, "/api/items?limit=1").Header.Get("X-Total-Count"); total != strconv.Itoa(counted) {
			t.Errorf("total %s of %d items", total, counted)
		}
		if total := c.Get(t, "/api/items?series=Pokemon").Header.Get("X-Total-Count"); total != "" {
			t.Errorf("total %s of a part", total)
		}
	})
}

func TestSeedingTwiceChangesNothing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := catalogue.Catalogue{DB: s.DB, Delay: s.Config.ManifestDelay}
		if err := s.DB.InTx(t.Context(), c.Seed); err != nil {
			t.Fatal(err)
		}
		var packs []pack
		s.NewClient(t).Get(t, "/api/packs").Want(t, http.StatusOK, &packs)
		if len(packs) != 10 {
			t.Errorf("%d packs", len(packs))
		}
	})
}

func TestMarginGuard(t *testing.T) {
	ptr := func(n int64) *int64 { return &n }
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		c := catalogue.Catalogue{DB: d}
		if err := d.InTx(t.Context(), c.Seed); err != nil {
			t.Fatal(err)
		}
		for _, step := range []struct {
			name, pack string
			accepted   *int64
			refused    bool
		}{
			{"a fair pack needs no acknowledgement", "2", nil, false},
			{"a losing pack needs one", "8", nil, true},
			{"of nothing is none", "8", ptr(0), true},
			{"of some loss", "8", ptr(1), false},
			{"of any loss", "8", ptr(catalogue.Unlimited), false},
		} {
			err := d.InTx(t.Context(), func(tx *db.Tx) error { return c.Activate(tx, step.pack, step.accepted) })
			if fault.IsCode(err, fault.Margin) != step.refused || (err != nil && !step.refused) {
				t.Errorf("%s: %v", step.name, err)
			}
		}
	})
}
