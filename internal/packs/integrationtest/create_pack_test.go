package integrationtest_test

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
)

var aPack = apptest.Body{
	"name": "Evening Five", "priceCents": 2500, "series": []string{"Starter"},
	"lootTableJson": apptest.Body{"rarities": apptest.Body{"Common": 0.6, "Rare": 0.25, "Epic": 0.1, "Legendary": 0.04, "Mythic": 0.01}, "itemsPerPack": 5},
}

type madePack struct {
	ID, Name, ManifestHash string
	IsActive               bool
	Supply                 int64
	PriceCents             int64
	Odds                   []struct {
		Label             string
		Published, Chance float64
	}
}

func TestCreatePack(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		var created, found madePack
		admin.Post(t, "/api/admin/packs", aPack).Want(t, http.StatusOK, &created)
		s.NewClient(t).Get(t, "/api/packs/"+created.ID).Want(t, http.StatusOK, &found)
		if !found.IsActive || found.Supply != -1 || found.PriceCents != 2500 || len(found.Odds) != 5 {
			t.Fatalf("created pack is %+v, want it on sale for $25, unlimited, with 5 tiers", found)
		}
		for _, tier := range found.Odds {
			if tier.Label == "Common" && (tier.Published != 0.6 || tier.Chance != 0.6) {
				t.Errorf("Common tier is %+v, want 0.6 published and effective", tier)
			}
		}
		buyer := s.SignIn(t)
		buyer.Deposit(t, 25)
		var opened struct{ Items []item }
		buyer.Post(t, "/api/packs/"+created.ID+"/open", apptest.Body{"clientSeed": "x", "manifest": found.ManifestHash}).Want(t, http.StatusOK, &opened)
		if len(opened.Items) != 5 {
			t.Errorf("the open yielded %d items", len(opened.Items))
		}
		var scarce madePack
		admin.Post(t, "/api/admin/packs", aPack.With("supply", 2).With("isActive", false)).Want(t, http.StatusOK, &scarce)
		if scarce.IsActive || scarce.Supply != 2 {
			t.Errorf("limited pack is %+v, want a supply of 2, off sale", scarce)
		}
		buyer.Post(t, "/api/packs/"+scarce.ID+"/open", apptest.Body{"clientSeed": "x"}).Refused(t, http.StatusGone, "inactive")
		s.WaitForLog(t)
		s.Audit(t)
	})
}

func TestCreatePackRefusals(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		shares := func(rarities apptest.Body, items int) apptest.Body {
			return apptest.Body{"rarities": rarities, "itemsPerPack": items}
		}
		for field, values := range map[string][]any{
			"name":       {"", "42", strings.Repeat("x", 61)},
			"nameZh":     {"42", strings.Repeat("包", 61), "篮\n球"},
			"priceCents": {0, -1, 2.5},
			"supply":     {-2},
			"series":     {[]string{"No such series"}, []string{""}, []string{"Star\x00ter"}, "Starter"},
			"lootTableJson": {
				shares(apptest.Body{}, 5), shares(apptest.Body{"Common": 0}, 5), shares(apptest.Body{"Common": -1, "Rare": 2}, 5), shares(apptest.Body{"Unique": 1}, 5),
				shares(apptest.Body{"Common": 1}, 0), shares(apptest.Body{"Common": 1}, 21), shares(apptest.Body{"Grail": 1}, 5), nil,
				shares(apptest.Body{"Common": 0.99}, 5), shares(apptest.Body{"Common": 1, "Rare": 0.000001}, 5), shares(apptest.Body{"Common": 60, "Rare": 40}, 5),
				shares(apptest.Body{"Common": json.Number("0.3333333"), "Rare": json.Number("0.6666667")}, 5), shares(apptest.Body{"Common": json.Number("1e0")}, 5),
			},
			"coverImageUrl": {"data:image/png;base64,x"},
		} {
			for _, value := range values {
				admin.Post(t, "/api/admin/packs", aPack.With(field, value)).Refused(t, http.StatusUnprocessableEntity, "invalid")
			}
		}
		admin.Post(t, "/api/admin/packs", aPack.With("acceptedLossCents", -1)).Refused(t, http.StatusUnprocessableEntity, "invalid")
		// All series together are worth far more than $25.
		generous := aPack.With("series", nil)
		admin.Post(t, "/api/admin/packs", generous).Refused(t, http.StatusConflict, "margin")
		var packs []madePack
		s.NewClient(t).Get(t, "/api/packs").Want(t, http.StatusOK, &packs)
		for _, p := range packs {
			if p.Name == aPack["name"] {
				t.Errorf("a refused pack is in the store: %+v", p)
			}
		}
		admin.Post(t, "/api/admin/packs", generous.With("acceptedLossCents", 100_000)).Want(t, http.StatusOK, nil)
	})
}

// An item with a stock in one pack can't be drawn from another.
func TestFiniteCardsStayInTheirPack(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		loot := func(series any, rarities apptest.Body) apptest.Body {
			return apptest.Body{"name": "Second", "priceCents": 2500, "series": series, "acceptedLossCents": 10_000_000,
				"lootTableJson": apptest.Body{"rarities": rarities, "itemsPerPack": 1}}
		}
		deluxe := []string{"Labubu Deluxe Collection"}
		answer := admin.Post(t, "/api/admin/packs", loot(deluxe, apptest.Body{"Mythic": 1}))
		answer.Refused(t, http.StatusUnprocessableEntity, "invalid")
		toys := texts(t, s, `SELECT name FROM items WHERE series = 'Labubu Deluxe Collection' ORDER BY id`)
		for _, toy := range toys {
			if !strings.Contains(string(answer.Body), toy) {
				t.Errorf("%s is left out but not listed: %s", toy, answer.Body)
			}
		}
		var made struct {
			ID, ManifestHash string
			LeftOut          []struct{ ID, Name string }
		}
		admin.Post(t, "/api/admin/packs", loot(nil, apptest.Body{"Common": 0.5, "Mythic": 0.5})).Want(t, http.StatusOK, &made)
		manifest := string(admin.Get(t, "/api/fairness/manifests/"+made.ManifestHash).Body)
		if len(made.LeftOut) != len(toys) {
			t.Errorf("left out %v, want %v", made.LeftOut, toys)
		}
		for _, left := range made.LeftOut {
			if strings.Contains(manifest, "card "+left.ID+" ") || !slices.Contains(toys, left.Name) {
				t.Errorf("%v is listed as left out but in the manifest", left)
			}
		}
		admin.Post(t, "/api/admin/packs", aPack).Want(t, http.StatusOK, &made)
		if len(made.LeftOut) != 0 {
			t.Errorf("left out of the starter pool: %v", made.LeftOut)
		}
		s.Audit(t)
	})
}

// A manifest with another pack's finite card can't be published or put on sale, regardless of the
// stock table, and the audit reports one that exists anyway.
func TestSharedFiniteCardsAreRefusedAndAudited(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		shop := s.Shop(t)
		toy := texts(t, s, `SELECT MIN(item_id) FROM stock`)[0]
		undone := errors.New("undone")
		for name, act := range map[string]func(tx *db.Tx) error{
			"published": func(tx *db.Tx) error {
				if err := tx.ExecOne(`DELETE FROM stock WHERE item_id = $1`, toy); err != nil {
					return err
				}
				if err := tx.ExecOne(`UPDATE packs SET series = '[]' WHERE id = '7'`); err != nil {
					return err
				}
				return shop.Publish(tx, "7")
			},
			"put on sale": func(tx *db.Tx) error {
				if err := share(tx, toy); err != nil {
					return err
				}
				found, err := packs.Audit(tx)
				if err != nil || !slices.ContainsFunc(found, func(b audit.Breach) bool { return b.Row == "card "+toy }) {
					t.Errorf("the audit does not report %s: %v %v", toy, found, err)
				}
				return shop.Activate(tx, "demo-pack-2", nil)
			},
		} {
			err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { return errors.Join(act(tx), undone) })
			if !errors.Is(err, undone) || !strings.Contains(err.Error(), "Card "+toy+" has limited stock and is already in pack 8") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// share inserts a manifest of demo-pack-2 with the given card directly into the database.
func share(tx *db.Tx, card string) error {
	m := protocol.Manifest{Pack: "demo-pack-2", Name: "x", Price: 2500, Items: 1, Tiers: []protocol.Tier{
		{Weight: 1, Label: "all", Cards: []protocol.Card{{ID: card, Value: 100, Stock: protocol.Unlimited}}},
	}}
	text := m.Format()
	hash := protocol.Hash(text)
	if err := tx.ExecOne(`INSERT INTO manifests (hash, pack_id, body) VALUES ($1, 'demo-pack-2', $2)`, hash[:], string(text)); err != nil {
		return err
	}
	return tx.ExecOne(`INSERT INTO publications (pack_id, number, hash, supply, published_at, effective_at) VALUES ('demo-pack-2', 2, $1, -1, $2, $2)`,
		hash[:], db.Micros(tx.Now))
}

func texts(t *testing.T, s *apptest.Server, query string) (found []string) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		found, err = db.All(tx, db.Column[string], query)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

// fitting is the details of a refusal that suggests what would pass.
type fitting struct {
	PriceCents, ExpectedValueCents, ExpectedSellBackCents int64
	LowestPriceCents                                      *int64
	Series                                                []string
}

func fits(t *testing.T, r apptest.Refusal) (f fitting) {
	t.Helper()
	if err := json.Unmarshal(r.Details, &f); err != nil {
		t.Fatalf("%s: %v", r.Details, err)
	}
	return f
}

func TestRefusalSuggestsWhatWouldPass(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		dear := aPack.With("series", []string{"Pokemon"})
		d := fits(t, admin.Post(t, "/api/admin/packs", dear).Refused(t, http.StatusConflict, "margin"))
		if d.PriceCents != 2500 || d.ExpectedSellBackCents != d.ExpectedValueCents*90/100 ||
			d.LowestPriceCents == nil || *d.LowestPriceCents != d.ExpectedSellBackCents || !slices.Equal(d.Series, []string{"Starter"}) {
			t.Fatalf("refusal details are %+v, want price 2500, a sell-back of 90 %% of the value as lowest price, and series Starter", d)
		}
		admin.Post(t, "/api/admin/packs", dear.With("priceCents", *d.LowestPriceCents-1)).Refused(t, http.StatusConflict, "margin")
		admin.Post(t, "/api/admin/packs", dear.With("priceCents", *d.LowestPriceCents)).Want(t, http.StatusOK, nil)
		admin.Post(t, "/api/admin/packs", aPack.With("series", d.Series)).Want(t, http.StatusOK, nil)

		empty := admin.Post(t, "/api/admin/packs", aPack.With("series", []string{"Labubu Collection"})).Refused(t, http.StatusUnprocessableEntity, "invalid")
		if !strings.Contains(empty.Fields["series"], "Mythic") || !slices.Equal(fits(t, empty).Series, []string{"Starter"}) {
			t.Errorf("refusal is %+v, want one that names the empty Mythic tier and suggests series Starter", empty)
		}
		uneven := aPack.With("lootTableJson", apptest.Body{"rarities": apptest.Body{"Common": 0.6, "Rare": 0.39}, "itemsPerPack": 5})
		r := admin.Post(t, "/api/admin/packs", uneven).Refused(t, http.StatusUnprocessableEntity, "invalid")
		if r.Fields["lootTableJson.rarities"] != "must add up to 1, not 0.99" {
			t.Errorf("refusal is %+v, want one that says the rarities must add up to 1, not 0.99", r)
		}
	})
}

// Unless its admin chooses, a new pack is sealed if insiders would gain most there: its opens are limited,
// or its best card is worth at least 20 times the price.
func TestNewPacksAreSealedByDefault(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		for name, value := range map[string]int64{"Cheap": 19_99, "Dear": 20_00} {
			admin.Post(t, "/api/admin/items", apptest.Body{"name": name, "series": name, "rarity": "Common", "baseValueCents": value}).Want(t, http.StatusOK, nil)
		}
		for _, c := range []struct {
			why, series string
			with        apptest.Body
			want        string
		}{
			{"19 times the price", "Cheap", nil, "instant"},
			{"20 times the price", "Dear", nil, "sealed"},
			{"20 times the price, but the admin chooses", "Dear", apptest.Body{"sealing": "choice"}, "choice"},
			{"a limited supply", "Cheap", apptest.Body{"supply": 100}, "sealed"},
			{"a limited supply, but the admin chooses", "Cheap", apptest.Body{"supply": 100, "sealing": "instant"}, "instant"},
		} {
			body := apptest.Body{"name": "New", "priceCents": 100, "series": []string{c.series}, "isActive": false,
				"lootTableJson": apptest.Body{"itemsPerPack": 1, "rarities": apptest.Body{"Common": 1}}}
			maps.Copy(body, c.with)
			var made struct{ Wanted struct{ Sealing string } }
			admin.Post(t, "/api/admin/packs", body).Want(t, http.StatusOK, &made)
			if made.Wanted.Sealing != c.want {
				t.Errorf("%s: the pack is %s, want %s", c.why, made.Wanted.Sealing, c.want)
			}
		}
		s.Audit(t)
	})
}

// The store shows sold-out packs as such; only admins see inactive ones.
func TestSoldOutAndInactivePacks(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		type pack struct {
			ID, Name, Paused          string
			IsActive, SoldOut, IsDemo bool
		}
		var none, last, hidden pack
		admin.Post(t, "/api/admin/packs", aPack.With("supply", 0).With("sealing", "instant")).Want(t, http.StatusOK, &none)
		admin.Post(t, "/api/admin/packs", aPack.With("supply", 1).With("sealing", "instant")).Want(t, http.StatusOK, &last)
		admin.Post(t, "/api/admin/packs", aPack.With("isActive", false)).Want(t, http.StatusOK, &hidden)
		if !none.IsActive || !none.SoldOut || last.SoldOut {
			t.Errorf("initially: %+v %+v", none, last)
		}
		buyer := s.SignIn(t)
		buyer.Deposit(t, 50)
		open := apptest.Body{"clientSeed": "x"}
		buyer.Post(t, "/api/packs/"+none.ID+"/open", open).Refused(t, http.StatusGone, "sold_out")
		buyer.Post(t, "/api/packs/"+last.ID+"/open", open).Want(t, http.StatusOK, nil)
		buyer.Post(t, "/api/packs/"+last.ID+"/open", open).Refused(t, http.StatusGone, "sold_out")
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE stock SET remaining = 0 WHERE pack_id = '8'`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		s.SetValue(t, admin, "pkm-001", 4_000_000)

		all, seen := map[string]pack{}, map[string]pack{}
		for path, into := range map[string]map[string]pack{"/api/packs": seen, "/api/admin/packs": all} {
			var packs []pack
			admin.Get(t, path).Want(t, http.StatusOK, &packs)
			for _, p := range packs {
				into[p.ID] = p
				if p.IsDemo != (p.ID == "demo-pack-1" || p.ID == "demo-pack-2") {
					t.Errorf("pack is %+v, want isDemo for the demo packs only", p)
				}
			}
		}
		for _, id := range []string{"8", none.ID, last.ID} {
			if p := seen[id]; !p.IsActive || !p.SoldOut {
				t.Errorf("sold out: %+v", p)
			}
		}
		if p := all["2"]; p.IsActive || p.SoldOut || !strings.Contains(p.Paused, "is expected to return $") {
			t.Errorf("paused: %+v", p)
		}
		if _, public := seen[hidden.ID]; public || all[hidden.ID].Name == "" || all[hidden.ID].IsActive || len(all) != len(seen)+1 {
			t.Errorf("not on sale: %+v", all[hidden.ID])
		}
		s.SignIn(t).Get(t, "/api/admin/packs").Refused(t, http.StatusForbidden, "forbidden")
		s.NewClient(t).Get(t, "/api/admin/packs").Refused(t, http.StatusUnauthorized, "unauthenticated")
	})
}
