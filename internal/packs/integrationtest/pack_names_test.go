package integrationtest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// named is what a response says of a pack's name.
type named struct{ Name, NameZH string }

// packNamed is the same in responses about something from a pack.
type packNamed struct{ PackName, PackNameZH string }

// A Chinese name applies immediately, because no manifest contains it.
func TestChinesePackNameIsNotInTheManifest(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin, visitor := s.Admin(t), s.NewClient(t)
		before := apptest.Get[adminPack](t, visitor, "/api/packs/3")
		manifests := len(announced(t, s, "3"))

		edited(t, admin, "3", apptest.Body{"nameZh": "  海上卡包 "})
		clock.Advance(time.Second) // the cache of public responses expires
		after := apptest.Get[struct {
			named
			ManifestHash string
		}](t, visitor, "/api/packs/3")
		if after.named != (named{"One Piece", "海上卡包"}) || after.ManifestHash != before.ManifestHash {
			t.Errorf("after the edit the pack is %+v, want One Piece and 海上卡包 with manifest %s", after, before.ManifestHash)
		}
		edited(t, admin, "3", apptest.Body{"priceCents": 2500})
		if got := apptest.Get[named](t, visitor, "/api/packs/3"); got.NameZH != "海上卡包" {
			t.Errorf("an edit of another field left the Chinese name %q, want 海上卡包", got.NameZH)
		}
		edited(t, admin, "3", apptest.Body{"nameZh": ""})
		clock.Advance(time.Second)
		if got := string(visitor.Get(t, "/api/packs/3").Body); strings.Contains(got, "nameZh") {
			t.Errorf("a pack without a Chinese name still has the field: %s", got)
		}
		if n := len(announced(t, s, "3")); n != manifests {
			t.Errorf("the log announces %d manifests of the pack, want still %d", n, manifests)
		}

		var created struct{ named }
		admin.Post(t, "/api/admin/packs", aPack.With("nameZh", " 晚间五张 ")).Want(t, http.StatusOK, &created)
		if created.named != (named{"Evening Five", "晚间五张"}) {
			t.Errorf("the new pack is named %+v, want Evening Five and 晚间五张", created.named)
		}
		s.WaitForLog(t)
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// Every response with a pack's name also has its Chinese name.
func TestChinesePackNameIsWhereverThePackIsNamed(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, buyer := s.Admin(t), s.SignIn(t)
		buyer.Deposit(t, 500)
		var opened struct {
			packNamed
			OpenID string
			Items  []struct{ ID, InventoryID string }
		}
		buyer.OpenSealed(t, "8", "x").Want(t, http.StatusOK, &opened)
		item, entry := opened.Items[0].ID, opened.Items[0].InventoryID
		if want := (packNamed{"Labubu Deluxe Box", "Labubu 豪华盲盒"}); opened.packNamed != want {
			t.Errorf("the open is of %+v, want %+v", opened.packNamed, want)
		}
		buyer.Vault(t, entry)
		s.WaitForLog(t)
		const want = "Labubu 豪华盲盒"
		for path, client := range map[string]*apptest.Client{
			"/api/opens":                     buyer,
			"/api/opens/" + opened.OpenID:    buyer,
			"/api/inventory/me":              buyer,
			"/api/inventory/" + entry:        buyer,
			"/api/vault":                     buyer,
			"/api/books":                     buyer,
			"/api/packs":                     buyer,
			"/api/activity/recent":           buyer,
			"/api/items/" + item:             buyer,
			"/api/admin/opens":               admin,
			"/api/admin/packs":               admin,
			"/api/admin/top-pulls":           admin,
			"/api/admin/items?series=labubu": admin,
		} {
			body := client.Get(t, path).Body
			if !json.Valid(body) || !strings.Contains(string(body), want) {
				t.Errorf("%s does not have the name %s: %.300s", path, want, body)
			}
		}
		s.Audit(t)
	})
}
