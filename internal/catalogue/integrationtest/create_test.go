package integrationtest_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/imageproxy"
)

type payload = apptest.Body

var validItem = payload{"name": "2026 Test Set #1 Somebody PSA 9.5", "series": "Test", "rarity": "Rare", "grade": 9.5, "baseValueCents": 1234}

type createdItem struct {
	ID, Name, Series, Rarity, ImageURL string
	Grade                              *float64
	BaseValueCents                     int64
}

func TestCreateItem(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		var item, found createdItem
		admin.Post(t, "/api/admin/items", validItem).Want(t, http.StatusOK, &item)
		s.NewClient(t).Get(t, "/api/items/"+item.ID).Want(t, http.StatusOK, &found)
		if found.Name != validItem["name"] || found.BaseValueCents != 1234 || *found.Grade != 9.5 || found.Rarity != "Rare" {
			t.Errorf("created item is %+v, want %v", found, validItem)
		}
		if drawn := s.NewClient(t).Get(t, found.ImageURL); drawn.Status != http.StatusOK {
			t.Errorf("picture: status %d", drawn.Status)
		}
		var toy createdItem
		admin.Post(t, "/api/admin/items", payload{"name": "Toy", "series": "Toys", "rarity": "Common", "baseValueCents": 1, "imageUrl": "https://pictures.example/1.png"}).Want(t, http.StatusOK, &toy)
		if toy.Grade != nil || toy.ImageURL != imageproxy.Path(imageproxy.Thing, "https://pictures.example/1.png") {
			t.Errorf("toy is %+v, want no grade and its picture served through the image proxy", toy)
		}
		var log []struct {
			Act, WalletAddress string
			Request            createdItem
		}
		admin.Get(t, "/api/admin/audit?limit=1").Want(t, http.StatusOK, &log)
		if len(log) != 1 || log[0].Act != "create-item" || log[0].WalletAddress != admin.Address || log[0].Request.Name != "Toy" {
			t.Errorf("admin log: %+v", log)
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
			"set":            {"a\nb", "caf&eacute;", strings.Repeat("x", 65), 5},
			"setNumber":      {"4", "a\tb"},
			"baseValueCents": {0, -1, 1.5, 100_000_001, "12"},
			"imageUrl":       {"javascript:alert(1)", "http://insecure.example/x.png", "//other.example/x.png", "x.png", "https://", "https://pictures.example/1.png $45.00", "https://pictures.example/1.png#4500", "https://pictures.example/1.png,$45"},
		} {
			for _, value := range values {
				admin.Post(t, "/api/admin/items", validItem.With(field, value)).Refused(t, http.StatusUnprocessableEntity, "invalid")
			}
		}
		s.SignIn(t).Post(t, "/api/admin/items", validItem).Refused(t, http.StatusForbidden, "forbidden")
		s.NewClient(t).Post(t, "/api/admin/items", validItem).Refused(t, http.StatusUnauthorized, "unauthenticated")
		s.SignIn(t).Get(t, "/api/admin/audit").Refused(t, http.StatusForbidden, "forbidden")
		var log []any
		admin.Get(t, "/api/admin/audit").Want(t, http.StatusOK, &log)
		if len(log) != 0 {
			t.Errorf("refusals are in the admin log: %v", log)
		}
	})
}

// A certificate belongs to one item, even with concurrent requests. Sample certificates may be
// shared.
func TestCertificateIsUnique(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		graded := validItem.With("certType", "PSA").With("certNumber", "12345678")
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
		var other createdItem
		cgc := validItem.With("name", "2026 Test Set #1 Somebody CGC 9.5").With("certType", "CGC").With("certNumber", "12345678")
		admin.Post(t, "/api/admin/items", cgc).Want(t, http.StatusOK, &other)
		path := "/api/admin/items/" + other.ID
		changed := payload{"name": validItem["name"], "certType": "PSA"}
		if refused := admin.Call(t, http.MethodPatch, path, changed).Refused(t, http.StatusUnprocessableEntity, "invalid"); refused.Fields["certNumber"] == "" {
			t.Errorf("refusal is %+v, want certNumber reported", refused)
		}
		admin.Call(t, http.MethodPatch, path, changed.With("certNumber", "87654321")).Want(t, http.StatusOK, nil)
		admin.Call(t, http.MethodPatch, path, payload{"certNumber": "87654321", "series": "Other"}).Want(t, http.StatusOK, nil)
	})
}

func TestCertificateMustMatchName(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		graded := func(name string, grade any, certType string) payload {
			return payload{"name": name, "series": "Test", "rarity": "Rare", "grade": grade, "certType": certType, "certNumber": "0000417733", "baseValueCents": 1}
		}
		for _, valid := range []payload{
			graded("1999 Somebody PSA 9 MINT", 9, "PSA"), graded("1999 Somebody psa10", 10, "PSA"), graded("宝可梦PSA GEM MT 10", 10, "PSA"),
			graded("2020 Somebody CGC 9.5", 9.5, "CGC"), graded("2020 Somebody CGC 9.5 (was PSA 9)", 9.5, "CGC"), graded("2020 Somebody PSA", 7, "PSA"),
			graded("2020 Somebody #10", 7, "CGC"), graded("2020 Somebody PSA 9", nil, "PSA"),
		} {
			var item struct{ CertType, CertNumber string }
			admin.Post(t, "/api/admin/items", valid).Want(t, http.StatusOK, &item)
			if item.CertType != valid["certType"] || item.CertNumber != "0000417733" {
				t.Errorf("%v: %+v", valid, item)
			}
		}
		for _, invalid := range []struct {
			field string
			payload
		}{
			{"grade", graded("1999 Somebody PSA 9 MINT", 10, "PSA")}, {"grade", graded("1999 Somebody PSA NM-MT 8", 8.5, "PSA")},
			{"grade", graded("2020 Somebody CGC 9.5 (was PSA 9)", 9, "CGC")}, {"certType", graded("1999 Somebody PSA 9 MINT", 9, "CGC")},
			{"certType", graded("1999 Somebody BGS 9", 9, "PSA")}, {"name", graded("4e3", 9, "PSA")},
		} {
			r := admin.Post(t, "/api/admin/items", invalid.payload).Refused(t, http.StatusUnprocessableEntity, "invalid")
			if len(r.Fields) != 1 || r.Fields[invalid.field] == "" {
				t.Errorf("%v: %+v", invalid, r)
			}
		}
		both := admin.Post(t, "/api/admin/items", payload{"name": "4e3", "series": "5", "rarity": "Rare", "baseValueCents": 1}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		if len(both.Fields) != 2 || both.Message != "name: must be a name, not a number or a price; series: must be a name, not a number or a price" {
			t.Errorf("not all errors are reported: %+v", both)
		}
	})
}

// A card's set and number are fields of the item, shown wherever items are. A set's name may be a
// number.
func TestItemSet(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		type card struct{ ID, Set, SetNumber string }
		admin := s.Admin(t)
		var item card
		admin.Post(t, "/api/admin/items", validItem.With("set", " 151 ").With("setNumber", "TG-7")).Want(t, http.StatusOK, &item)
		want := func(set, number string) {
			t.Helper()
			if found := apptest.Get[card](t, s.NewClient(t), "/api/items/"+item.ID); found.Set != set || found.SetNumber != number {
				t.Errorf("the item is %+v, want set %q and number %q", found, set, number)
			}
		}
		want("151", "TG-7")
		path := "/api/admin/items/" + item.ID
		admin.Call(t, http.MethodPatch, path, payload{"set": "2026 Test", "setNumber": ""}).Want(t, http.StatusOK, nil)
		want("2026 Test", "")
		admin.Call(t, http.MethodPatch, path, payload{"setNumber": "8"}).Want(t, http.StatusOK, nil)
		want("2026 Test", "8")
		admin.Call(t, http.MethodPatch, path, payload{"set": "", "setNumber": "8"}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		admin.Call(t, http.MethodPatch, path, payload{"set": ""}).Want(t, http.StatusOK, nil)
		want("", "")
	})
}
