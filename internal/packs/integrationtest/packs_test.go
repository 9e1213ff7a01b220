package integrationtest_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/image/webp"

	"kaibao/internal/app/apptest"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
)

type pack struct {
	ID, Name, Price, CoverImageURL, CoverSources, ManifestHash string
	PriceCents, ExpectedValueCents                             int64
	ItemsPerPack                                               int64
	IsActive, IsNew                                            bool
	Odds                                                       []struct {
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

func TestTenPacksAreOnSale(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		want := map[string][2]int64{ // bounds of the expected value in cents
			"1": {2450, 2550}, "2": {2450, 2550}, "3": {2450, 2550}, "4": {2450, 2550}, "5": {2450, 2550}, "6": {2450, 2550},
			"7": {3800, 4200}, "8": {66000, 200000}, "demo-pack-1": {2000, 2500}, "demo-pack-2": {2000, 2500},
		}
		found := apptest.Get[[]pack](t, c, "/api/packs")
		if len(found) != len(want) {
			t.Fatalf("%d packs, want %d", len(found), len(want))
		}
		for _, p := range found {
			bounds := want[p.ID]
			if p.ExpectedValueCents < bounds[0] || p.ExpectedValueCents > bounds[1] || !p.IsActive {
				t.Errorf("pack %s: expected value %d, active %v; want %v", p.ID, p.ExpectedValueCents, p.IsActive, bounds)
			}
			if p.IsNew != (p.ID == "7" || p.ID == "8") {
				t.Errorf("pack %s: new %v", p.ID, p.IsNew)
			}
			covered(t, c, p)
		}
	})
}

// covered fetches a pack's cover in all its widths and checks that the widest has the cover's own
// URL. A drawn cover must be well-formed XML.
func covered(t *testing.T, c *apptest.Client, p pack) {
	t.Helper()
	if drawn := strings.HasPrefix(p.ID, "demo-"); drawn != (p.CoverSources == "") {
		t.Errorf("the cover of %s has sources %q", p.ID, p.CoverSources)
	}
	if p.CoverSources == "" {
		if err := wellFormed(kept(t, c, p.CoverImageURL, "image/svg+xml")); err != nil {
			t.Errorf("%s: %v", p.CoverImageURL, err)
		}
		return
	}
	if !strings.Contains(p.CoverSources, p.CoverImageURL) {
		t.Errorf("%s is not in %s", p.CoverImageURL, p.CoverSources)
	}
	for source := range strings.SplitSeq(p.CoverSources, ", ") {
		address, width, _ := strings.Cut(source, " ")
		pixels, err := webp.DecodeConfig(bytes.NewReader(kept(t, c, address, "image/webp")))
		if err != nil || width != fmt.Sprintf("%dw", pixels.Width) {
			t.Errorf("%s: %v wide (%v)", source, pixels.Width, err)
		}
	}
}

// kept fetches a picture and checks its type and that browsers may cache it forever.
func kept(t *testing.T, c *apptest.Client, address, contentType string) []byte {
	t.Helper()
	answer := c.Get(t, address)
	if answer.Status != http.StatusOK || answer.Header.Get("Content-Type") != contentType ||
		!strings.Contains(answer.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("%s: %d %v", address, answer.Status, answer.Header)
	}
	return answer.Body
}

func wellFormed(text []byte) error {
	for reader := xml.NewDecoder(bytes.NewReader(text)); ; {
		if _, err := reader.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestDetailMatchesManifest(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		for _, listed := range apptest.Get[[]pack](t, c, "/api/packs") {
			p := apptest.Get[pack](t, c, "/api/packs/"+listed.ID)
			text := c.Get(t, "/api/fairness/manifests/"+p.ManifestHash)
			if fmt.Sprintf("%x", protocol.Hash(text.Body)) != p.ManifestHash {
				t.Fatalf("pack %s: the manifest does not match its hash", p.ID)
			}
			m, err := protocol.ParseManifest(text.Body)
			if err != nil {
				t.Fatal(err)
			}
			if got := int64(protocol.ExpectedValue(m, nil)); got != p.ExpectedValueCents {
				t.Errorf("pack %s: expected value %d, the manifest's is %d", p.ID, p.ExpectedValueCents, got)
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

func TestPublishedOddsMatchSpecification(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		for id, want := range map[string]string{
			"2":           "[$5-15:29.8 $15-25:39.2 $25-50:23.1 $50-100:7.2 $100-200:1.4 $200-400:0.2]",
			"3":           "[$5-15:29.8 $15-25:39.2 $25-50:23.1 $50-100:7.2 $100-200:1.6]",
			"7":           "[Big into Energy:32.3 Have a Seat:32.3 Exciting Macaron:32.3 Secret Rare:3.0]",
			"demo-pack-1": "[Common:60.0 Rare:25.0 Epic:10.0 Legendary:4.0 Mythic:1.0]",
		} {
			var got []string
			for _, line := range apptest.Get[pack](t, c, "/api/packs/"+id).Odds {
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
		cards := apptest.Get[pack](t, c, "/api/packs/2").Showcase
		if len(cards) != 10 || cards[0].BaseValueCents >= 40000 || cards[0].BaseValueCents < cards[9].BaseValueCents {
			t.Errorf("pokemon: %+v", cards)
		}
		for _, secret := range apptest.Get[pack](t, c, "/api/packs/7").Showcase {
			if secret.Rarity != "Grail" {
				t.Errorf("base box shows %+v", secret)
			}
		}
		deluxe := apptest.Get[pack](t, c, "/api/packs/8").Showcase
		if len(deluxe) != 6 || deluxe[1].BaseValueCents >= deluxe[5].BaseValueCents {
			t.Errorf("the seventh is not in second place: %+v", deluxe)
		}
		c.Get(t, "/api/packs/nine").Refused(t, http.StatusNotFound, "not_found")
	})
}

func TestMarginGuard(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		shop := packs.Service{DB: s.DB}
		for _, step := range []struct {
			name, pack string
			accepted   *int64
			refused    bool
		}{
			{"a fair pack without accepted loss", "2", nil, false},
			{"a losing pack without accepted loss", "8", nil, true},
			{"an accepted loss of 0", "8", new(int64(0)), true},
			{"some accepted loss", "8", new(int64(1)), false},
			{"any accepted loss", "8", new(int64(packs.Unlimited)), false},
		} {
			err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { return shop.Activate(tx, step.pack, step.accepted) })
			if apperr.IsCode(err, apperr.Margin) != step.refused || (err != nil && !step.refused) {
				t.Errorf("%s: %v", step.name, err)
			}
		}
	})
}
