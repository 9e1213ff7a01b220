package integrationtest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

func changeItem(t *testing.T, admin *apptest.Client, id string, change apptest.Body) apptest.Answer {
	t.Helper()
	return admin.Call(t, http.MethodPatch, "/api/admin/items/"+id, change)
}

type adminItem struct {
	item
	Name, CertNumber, OwnImageURL string
	Grade                         *float64
	IsActive                      bool
	Stock                         *struct {
		PackID, PackName string
		Left             int64
	}
}

func changedItem(t *testing.T, admin *apptest.Client, id string, change apptest.Body) (i adminItem) {
	t.Helper()
	changeItem(t, admin, id, change).Want(t, http.StatusOK, &i)
	return i
}

// Editing an item follows the same rules as creating it, field by field.
func TestEditItem(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		var made item
		admin.Post(t, "/api/admin/items", apptest.Body{"name": "2026 Set #1 Somebody PSA 9", "series": "Test", "rarity": "Rare", "grade": 9,
			"certType": "PSA", "certNumber": "0000123456", "baseValueCents": 500}).Want(t, http.StatusOK, &made)
		for field, values := range map[string][]any{
			"name":           {"", "42", "$9.99", "2026 Set #1 Somebody CGC 9", "2026 Set #1 Somebody PSA 10", "a\nb"},
			"series":         {"", "7"},
			"rarity":         {"Ultra", ""},
			"grade":          {0, 0.5, 9.7, 10.5, 8, "9"},
			"certType":       {"BGS", "CGC", ""},
			"certNumber":     {"1", "", "12345678x", "1234567890123456"},
			"imageUrl":       {"http://pictures.example/1.png", "javascript:x"},
			"baseValueCents": {0, -1, 1.5, 100_000_001},
			"restock":        {apptest.Body{"count": 0, "packId": "2"}, apptest.Body{"count": 1}, apptest.Body{"count": 2_000_000, "packId": "2"}},
			"isActive":       {"no"},
		} {
			for _, value := range values {
				changeItem(t, admin, made.ID, apptest.Body{field: value, "source": "A list", "reason": "So."}).Refused(t, http.StatusUnprocessableEntity, "invalid")
			}
		}
		got := changedItem(t, admin, made.ID, apptest.Body{"name": " 2026 Set #1 Somebody ", "certType": "", "certNumber": "", "grade": nil, "rarity": "Epic",
			"imageUrl": "https://pictures.example/1.png", "series": "Others"})
		if got.Name != "2026 Set #1 Somebody" || got.CertType != "" || got.CertNumber != "" || got.Grade != nil || got.Rarity != "Epic" ||
			got.OwnImageURL != "https://pictures.example/1.png" || got.Series != "Others" || got.BaseValueCents != 500 {
			t.Errorf("item is %+v, want the trimmed name, no certificate or grade, and the other new fields", got)
		}
		got = changedItem(t, admin, made.ID, apptest.Body{"grade": 9.5, "name": "2026 Set #1 Somebody CGC 9.5", "certType": "CGC", "certNumber": "12345678"})
		if got.Grade == nil || *got.Grade != 9.5 {
			t.Errorf("item is %+v, want grade 9.5", got)
		}
		if found := apptest.Get[[]item](t, admin, "/api/items?search=Somebody+CGC"); len(found) != 1 {
			t.Errorf("found by its new name: %+v", found)
		}
		changeItem(t, admin, "nothing", apptest.Body{"rarity": "Rare"}).Refused(t, http.StatusNotFound, "not_found")
		s.SignIn(t).Call(t, http.MethodPatch, "/api/admin/items/"+made.ID, apptest.Body{"rarity": "Rare"}).Refused(t, http.StatusForbidden, "forbidden")
		s.Audit(t)
	})
}

// Spaces around a picture's URL are trimmed, for items and packs, when created and edited. An
// old URL that today's rules would refuse does not block other changes to the item.
func TestPictureAddressIsTrimmed(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		const address, other = "https://pictures.example/1.png", "/other.png"
		var made item
		admin.Post(t, "/api/admin/items", apptest.Body{"name": "Trimmed", "series": "Trimmed", "rarity": "Rare", "baseValueCents": 500, "imageUrl": " \u3000" + address + " "}).Want(t, http.StatusOK, &made)
		own := func() string {
			list := apptest.Get[[]adminItem](t, admin, "/api/admin/items?series=Trimmed")
			if len(list) != 1 {
				t.Fatalf("series Trimmed has %+v, want one item", list)
			}
			return list[0].OwnImageURL
		}
		if got := own(); got != address {
			t.Errorf("created with %q", got)
		}
		if got := changedItem(t, admin, made.ID, apptest.Body{"imageUrl": other + " "}); got.OwnImageURL != other {
			t.Errorf("edited to %q", got.OwnImageURL)
		}
		var p adminPack
		admin.Post(t, "/api/admin/packs", apptest.Body{"name": "Trimmed", "priceCents": 1000, "coverImageUrl": " " + address + " ", "series": []string{"Trimmed"},
			"lootTableJson": apptest.Body{"rarities": apptest.Body{"Rare": 1}, "itemsPerPack": 1}}).Want(t, http.StatusOK, &p)
		if p.Wanted.CoverImageURL != address {
			t.Errorf("pack created with %q", p.Wanted.CoverImageURL)
		}
		if got := edited(t, admin, p.ID, apptest.Body{"coverImageUrl": "\t" + other + "\n"}); got.Wanted.CoverImageURL != other {
			t.Errorf("pack edited to %q", got.Wanted.CoverImageURL)
		}
		const before = "https://pictures.example/1.png#45"
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			return tx.ExecOne(`UPDATE items SET image_url = $2 WHERE id = $1`, made.ID, before)
		}); err != nil {
			t.Fatal(err)
		}
		if got := changedItem(t, admin, made.ID, apptest.Body{"name": "Renamed"}); got.OwnImageURL != before || got.Name != "Renamed" {
			t.Errorf("item is %+v, want the new name and the stored picture URL %q", got, before)
		}
		changeItem(t, admin, made.ID, apptest.Body{"imageUrl": before + "0"}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		s.Audit(t)
	})
}

// New manifests don't draw a retired item. Owners keep it and can sell it, and it can be
// reactivated.
func TestItemCanBeRetiredAndReactivated(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin, owner := s.Admin(t), s.SignIn(t)
		owner.Deposit(t, 500)
		var opened struct {
			Items []struct{ InventoryID, ID string }
		}
		owner.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
		card, entry := opened.Items[0].ID, opened.Items[0].InventoryID
		if got := changedItem(t, admin, card, apptest.Body{"isActive": false}); got.IsActive {
			t.Fatalf("item is %+v, want it retired", got)
		}
		clock.Advance(21 * time.Minute)
		manifest := func() string {
			return string(owner.Get(t, "/api/fairness/manifests/"+apptest.Get[pack](t, owner, "/api/packs/2").ManifestHash).Body)
		}
		holds := func() bool { return slices.Contains(cardsOf(manifest()), card) }
		listed := func(path string) bool {
			return slices.ContainsFunc(apptest.Get[[]item](t, admin, path), func(i item) bool { return i.ID == card })
		}
		if holds() || listed("/api/items?series=Pokemon&limit=200") || listed("/api/admin/items?series=Pokemon&limit=200") || !listed("/api/admin/items?retired=true") {
			t.Error("the retired item is still in the manifest")
		}
		owner.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": entry, "priceCents": 1000, "confirmedCents": 1000}).Want(t, http.StatusOK, nil)
		buyer := s.SignIn(t)
		buyer.Deposit(t, 10)
		buyer.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": entry}).Want(t, http.StatusOK, nil)
		buyer.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{entry}}).Want(t, http.StatusOK, nil)
		changedItem(t, admin, card, apptest.Body{"isActive": true})
		clock.Advance(10 * time.Minute)
		if !holds() || !listed("/api/items?series=Pokemon&limit=200") {
			t.Error("the reactivated item is not in the manifest")
		}
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// A tier's last card can't be retired or moved, because the pack could no longer draw by its
// shares.
func TestTierCannotLoseItsLastCard(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		var made item
		admin.Post(t, "/api/admin/items", apptest.Body{"name": "Alone", "series": "Lonely", "rarity": "Rare", "baseValueCents": 500}).Want(t, http.StatusOK, &made)
		admin.Post(t, "/api/admin/packs", apptest.Body{"name": "One", "priceCents": 900, "series": []string{"Lonely"},
			"lootTableJson": apptest.Body{"rarities": apptest.Body{"Rare": 1}, "itemsPerPack": 1}}).Want(t, http.StatusOK, nil)
		for _, change := range []apptest.Body{{"isActive": false}, {"rarity": "Epic"}, {"series": "Elsewhere"}} {
			changeItem(t, admin, made.ID, change).Refused(t, http.StatusConflict, "conflict")
		}
		changedItem(t, admin, made.ID, apptest.Body{"name": "Alone still"})
		s.Audit(t)
	})
}

// Stock changes are logged, in both directions, and the log verifies.
func TestRestockIsLogged(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin, buyer := s.Admin(t), s.SignIn(t)
		buyer.Deposit(t, 5000)
		s.MakeInstant(t, "8", clock)
		toy := apptest.Get[[]item](t, admin, "/api/items?series=Labubu+Deluxe+Collection&sortBy=price-low")[0].ID
		left := func(change apptest.Body, want int64) {
			t.Helper()
			if got := changedItem(t, admin, toy, change); got.Stock == nil || got.Stock.Left != want || got.Stock.PackID != "8" {
				t.Errorf("%v: %+v, want %d left", change, got.Stock, want)
			}
		}
		left(apptest.Body{"restock": apptest.Body{"count": 5}}, 30)
		left(apptest.Body{"restock": apptest.Body{"count": -28, "packId": "8"}}, 2)
		openPack(t, buyer, "8", "")
		changeItem(t, admin, toy, apptest.Body{"restock": apptest.Body{"count": -3}}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		changeItem(t, admin, toy, apptest.Body{"restock": apptest.Body{"count": 1, "packId": "7"}}).Refused(t, http.StatusConflict, "conflict")
		changeItem(t, admin, "pkm-001", apptest.Body{"restock": apptest.Body{"count": 1, "packId": "2"}}).Refused(t, http.StatusConflict, "conflict")
		changeItem(t, admin, "pkm-001", apptest.Body{"restock": apptest.Body{"count": 1, "packId": "nine"}}).Refused(t, http.StatusConflict, "conflict")
		s.Audit(t)

		// A retired card's stock can't change. A card that no manifest holds any more can get one.
		changedItem(t, admin, toy, apptest.Body{"isActive": false})
		changeItem(t, admin, toy, apptest.Body{"restock": apptest.Body{"count": 1}}).Refused(t, http.StatusConflict, "conflict")
		changedItem(t, admin, "pkm-001", apptest.Body{"isActive": false})
		clock.Advance(21 * time.Minute)
		openPack(t, buyer, "8", "")
		changedItem(t, admin, toy, apptest.Body{"isActive": true, "restock": apptest.Body{"count": 4}})
		got := changedItem(t, admin, "pkm-001", apptest.Body{"isActive": true, "restock": apptest.Body{"count": 1, "packId": "2"}})
		if got.Stock == nil || got.Stock.Left != 1 || got.Stock.PackName != "Pokemon" {
			t.Errorf("stock is %+v, want 1 left in pack Pokemon", got.Stock)
		}
		s.Audit(t)
		clock.Advance(10 * time.Minute)
		for _, id := range []string{"2", "8"} {
			openPack(t, buyer, id, "")
			openPack(t, buyer, id, apptest.Get[pack](t, admin, "/api/packs/"+id).ManifestHash)
		}
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// cardsOf returns the ids of a manifest's cards.
func cardsOf(manifest string) (ids []string) {
	for line := range strings.Lines(manifest) {
		if card, ok := strings.CutPrefix(line, "card "); ok {
			id, _, _ := strings.Cut(card, " ")
			ids = append(ids, id)
		}
	}
	return ids
}
