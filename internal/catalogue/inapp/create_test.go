package inapp_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/imageproxy"
)

type asked = apptest.Body

var anItem = asked{"name": "2026 Test Set #1 Somebody PSA 9.5", "series": "Test", "rarity": "Rare", "grade": 9.5, "baseValueCents": 1234}

type made struct {
	ID, Name, Series, Rarity, ImageURL string
	Grade                              *float64
	BaseValueCents                     int64
}

func TestCreateItem(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		var item, found made
		admin.Post(t, "/api/admin/items", anItem).Want(t, http.StatusOK, &item)
		s.NewClient(t).Get(t, "/api/items/"+item.ID).Want(t, http.StatusOK, &found)
		if found.Name != anItem["name"] || found.BaseValueCents != 1234 || *found.Grade != 9.5 || found.Rarity != "Rare" {
			t.Errorf("created item is %+v, want %v", found, anItem)
		}
		if drawn := s.NewClient(t).Get(t, found.ImageURL); drawn.Status != http.StatusOK {
			t.Errorf("picture: status %d", drawn.Status)
		}
		var toy made
		admin.Post(t, "/api/admin/items", asked{"name": "Toy", "series": "Toys", "rarity": "Common", "baseValueCents": 1, "imageUrl": "https://pictures.example/1.png"}).Want(t, http.StatusOK, &toy)
		if toy.Grade != nil || toy.ImageURL != imageproxy.Path(imageproxy.Thing, "https://pictures.example/1.png") {
			t.Errorf("toy is %+v, want no grade and its picture served through the image proxy", toy)
		}
		var trail []struct {
			Act, WalletAddress string
			Request            made
		}
		admin.Get(t, "/api/admin/audit?limit=1").Want(t, http.StatusOK, &trail)
		if len(trail) != 1 || trail[0].Act != "create-item" || trail[0].WalletAddress != admin.Address || trail[0].Request.Name != "Toy" {
			t.Errorf("admin log: %+v", trail)
		}
	})
}

func TestCreateItemRefusals(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		for field, values := range map[string][]any{
			"name":           {"", "  ", "12345", "$9.99", "4e3", "4.5E+3", "４ｅ３", "USD 40", "us$4k", "40 dollars", "25元", "0x1F", "a\nb", strings.Repeat("x", 201), nil},
			"series":         {"", " ", "9", "1e3"},
			"rarity":         {"", "rare", "Unique"},
			"grade":          {0, 11, 9.3, 10, 9},
			"certType":       {"", "BGS", "PSA"},
			"certNumber":     {"", "1234567", "1234567890123456", "1234567x", "00001234"},
			"baseValueCents": {0, -1, 1.5, 100_000_001, "12"},
			"imageUrl":       {"javascript:alert(1)", "http://insecure.example/x.png", "//other.example/x.png", "x.png", "https://", "https://pictures.example/1.png $45.00", "https://pictures.example/1.png#4500", "https://pictures.example/1.png,$45"},
		} {
			for _, value := range values {
				admin.Post(t, "/api/admin/items", anItem.With(field, value)).Refused(t, http.StatusUnprocessableEntity, "invalid")
			}
		}
		s.SignIn(t).Post(t, "/api/admin/items", anItem).Refused(t, http.StatusForbidden, "forbidden")
		s.NewClient(t).Post(t, "/api/admin/items", anItem).Refused(t, http.StatusUnauthorized, "unauthenticated")
		s.SignIn(t).Get(t, "/api/admin/audit").Refused(t, http.StatusForbidden, "forbidden")
		var trail []any
		admin.Get(t, "/api/admin/audit").Want(t, http.StatusOK, &trail)
		if len(trail) != 0 {
			t.Errorf("refusals are in the admin log: %v", trail)
		}
	})
}

// A certificate belongs to one item, even with concurrent requests. Sample certificates may be
// shared.
func TestCertificateIsUnique(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		graded := anItem.With("certType", "PSA").With("certNumber", "12345678")
		var codes [4]int
		var all sync.WaitGroup
		for n := range codes {
			all.Go(func() {
				if answer, err := admin.Try(t.Context(), http.MethodPost, "/api/admin/items", graded); err == nil {
					codes[n] = answer.Status
				}
			})
		}
		all.Wait()
		slices.Sort(codes[:])
		if codes != [...]int{http.StatusOK, http.StatusUnprocessableEntity, http.StatusUnprocessableEntity, http.StatusUnprocessableEntity} {
			t.Errorf("concurrent requests: %v", codes)
		}
		refused := admin.Post(t, "/api/admin/items", graded).Refused(t, http.StatusUnprocessableEntity, "invalid")
		if !strings.HasPrefix(refused.Fields["certNumber"], "is already used by item ") {
			t.Errorf("refusal is %+v, want certNumber reported as used by another item", refused)
		}
		var other made
		cgc := anItem.With("name", "2026 Test Set #1 Somebody CGC 9.5").With("certType", "CGC").With("certNumber", "12345678")
		admin.Post(t, "/api/admin/items", cgc).Want(t, http.StatusOK, &other)
		path := "/api/admin/items/" + other.ID
		changed := asked{"name": anItem["name"], "certType": "PSA"}
		if refused := admin.Call(t, http.MethodPatch, path, changed).Refused(t, http.StatusUnprocessableEntity, "invalid"); refused.Fields["certNumber"] == "" {
			t.Errorf("refusal is %+v, want certNumber reported", refused)
		}
		admin.Call(t, http.MethodPatch, path, changed.With("certNumber", "87654321")).Want(t, http.StatusOK, nil)
		admin.Call(t, http.MethodPatch, path, asked{"certNumber": "87654321", "series": "Other"}).Want(t, http.StatusOK, nil)
	})
}

func TestCertificateMustMatchName(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		graded := func(name string, grade any, certType string) asked {
			return asked{"name": name, "series": "Test", "rarity": "Rare", "grade": grade, "certType": certType, "certNumber": "0000417733", "baseValueCents": 1}
		}
		for _, right := range []asked{
			graded("1999 Somebody PSA 9 MINT", 9, "PSA"), graded("1999 Somebody psa10", 10, "PSA"), graded("宝可梦PSA GEM MT 10", 10, "PSA"),
			graded("2020 Somebody CGC 9.5", 9.5, "CGC"), graded("2020 Somebody CGC 9.5 (was PSA 9)", 9.5, "CGC"), graded("2020 Somebody PSA", 7, "PSA"),
			graded("2020 Somebody #10", 7, "CGC"), graded("2020 Somebody PSA 9", nil, "PSA"),
		} {
			var item struct{ CertType, CertNumber string }
			admin.Post(t, "/api/admin/items", right).Want(t, http.StatusOK, &item)
			if item.CertType != right["certType"] || item.CertNumber != "0000417733" {
				t.Errorf("%v: %+v", right, item)
			}
		}
		for _, wrong := range []struct {
			field string
			asked
		}{
			{"grade", graded("1999 Somebody PSA 9 MINT", 10, "PSA")}, {"grade", graded("1999 Somebody PSA NM-MT 8", 8.5, "PSA")},
			{"grade", graded("2020 Somebody CGC 9.5 (was PSA 9)", 9, "CGC")}, {"certType", graded("1999 Somebody PSA 9 MINT", 9, "CGC")},
			{"certType", graded("1999 Somebody BGS 9", 9, "PSA")}, {"name", graded("4e3", 9, "PSA")},
		} {
			r := admin.Post(t, "/api/admin/items", wrong.asked).Refused(t, http.StatusUnprocessableEntity, "invalid")
			if len(r.Fields) != 1 || r.Fields[wrong.field] == "" {
				t.Errorf("%v: %+v", wrong, r)
			}
		}
		both := admin.Post(t, "/api/admin/items", asked{"name": "4e3", "series": "5", "rarity": "Rare", "baseValueCents": 1}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		if len(both.Fields) != 2 || both.Message != "name: must be a name, not a number or a price; series: must be a name, not a number or a price" {
			t.Errorf("not all errors are reported: %+v", both)
		}
	})
}
