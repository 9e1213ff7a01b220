package catalogue_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/audit"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/fair"
	"kaibao/internal/picture"
)

type asked map[string]any

// operator is somebody with the role admin.
func operator(t *testing.T, s *apptest.Server) *apptest.Client {
	t.Helper()
	c := s.SignIn(t)
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		return tx.ExecOne(`UPDATE users SET role = 'admin' WHERE wallet_address = $1`, c.Address)
	}); err != nil {
		t.Fatal(err)
	}
	return c
}

func with(base asked, field string, value any) asked {
	changed := asked{}
	for k, v := range base {
		changed[k] = v
	}
	changed[field] = value
	return changed
}

var anItem = asked{"name": "2026 Test Set #1 Somebody PSA 9.5", "series": "Test", "rarity": "Rare", "grade": 9.5, "baseValueCents": 1234}

type made struct {
	ID, Name, Series, Rarity, ImageURL string
	Grade                              *float64
	BaseValueCents                     int64
}

func TestAnAdminAddsAnItem(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := operator(t, s)
		var item, found made
		admin.Post(t, "/api/admin/items", anItem).Want(t, http.StatusOK, &item)
		s.NewClient(t).Get(t, "/api/items/"+item.ID).Want(t, http.StatusOK, &found)
		if found.Name != anItem["name"] || found.BaseValueCents != 1234 || *found.Grade != 9.5 || found.Rarity != "Rare" {
			t.Errorf("%+v", found)
		}
		if drawn := s.NewClient(t).Get(t, found.ImageURL); drawn.Status != http.StatusOK {
			t.Errorf("its picture: %d", drawn.Status)
		}
		var toy made
		admin.Post(t, "/api/admin/items", asked{"name": "Toy", "series": "Toys", "rarity": "Common", "baseValueCents": 1, "imageUrl": "https://pictures.example/1.png"}).Want(t, http.StatusOK, &toy)
		if toy.Grade != nil || toy.ImageURL != picture.Path(picture.Thing, "https://pictures.example/1.png") {
			t.Errorf("%+v", toy)
		}
		var trail []struct {
			Act, WalletAddress string
			Request            made
		}
		admin.Get(t, "/api/admin/audit?limit=1").Want(t, http.StatusOK, &trail)
		if len(trail) != 1 || trail[0].Act != "create-item" || trail[0].WalletAddress != admin.Address || trail[0].Request.Name != "Toy" {
			t.Errorf("the trail: %+v", trail)
		}
	})
}

func TestItemsThatAreRefused(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := operator(t, s)
		for field, values := range map[string][]any{
			"name":           {"", "  ", "12345", "$9.99", "4e3", "4.5E+3", "４ｅ３", "USD 40", "us$4k", "40 dollars", "25元", "0x1F", "a\nb", strings.Repeat("x", 201), nil},
			"series":         {"", " ", "9", "1e3"},
			"rarity":         {"", "rare", "Unique"},
			"grade":          {0, 11, 9.3, 10, 9},
			"certType":       {"", "BGS", "PSA"},
			"certNumber":     {"", "1234567", "1234567890123456", "1234567x", "00001234"},
			"baseValueCents": {0, -1, 1.5, 100_000_001, "12"},
			"imageUrl":       {"javascript:alert(1)", "http://insecure.example/x.png", "//other.example/x.png", "x.png", "https://"},
		} {
			for _, value := range values {
				admin.Post(t, "/api/admin/items", with(anItem, field, value)).Refused(t, http.StatusUnprocessableEntity, "invalid")
			}
		}
		for path, body := range map[string]asked{"/api/admin/items": anItem, "/api/admin/packs": aPack} {
			s.SignIn(t).Post(t, path, body).Refused(t, http.StatusForbidden, "forbidden")
			s.NewClient(t).Post(t, path, body).Refused(t, http.StatusUnauthorized, "unauthenticated")
		}
		s.SignIn(t).Get(t, "/api/admin/audit").Refused(t, http.StatusForbidden, "forbidden")
		var trail []any
		if admin.Get(t, "/api/admin/audit").Want(t, http.StatusOK, &trail); len(trail) != 0 {
			t.Errorf("refusals stand in the trail: %v", trail)
		}
	})
}

var aPack = asked{
	"name": "Evening Five", "priceCents": 2500, "series": []string{"Starter"},
	"lootTableJson": asked{"rarities": asked{"Common": 0.6, "Rare": 0.25, "Epic": 0.1, "Legendary": 0.04, "Mythic": 0.01}, "itemsPerPack": 5},
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

func TestAnAdminMakesAPack(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := operator(t, s)
		var created, found madePack
		admin.Post(t, "/api/admin/packs", aPack).Want(t, http.StatusOK, &created)
		s.NewClient(t).Get(t, "/api/packs/"+created.ID).Want(t, http.StatusOK, &found)
		if !found.IsActive || found.Supply != -1 || found.PriceCents != 2500 || len(found.Odds) != 5 {
			t.Fatalf("%+v", found)
		}
		for _, tier := range found.Odds {
			if tier.Label == "Common" && (tier.Published != 0.6 || tier.Chance != 0.6) {
				t.Errorf("%+v", tier)
			}
		}
		buyer := s.SignIn(t)
		buyer.Deposit(t, 25)
		var opened struct{ Items []made }
		buyer.Post(t, "/api/packs/"+created.ID+"/open", asked{"clientSeed": "x", "manifest": found.ManifestHash}).Want(t, http.StatusOK, &opened)
		if len(opened.Items) != 5 {
			t.Errorf("%d items came out", len(opened.Items))
		}
		var scarce madePack
		admin.Post(t, "/api/admin/packs", with(with(aPack, "supply", 2), "isActive", false)).Want(t, http.StatusOK, &scarce)
		if scarce.IsActive || scarce.Supply != 2 {
			t.Errorf("%+v", scarce)
		}
		buyer.Post(t, "/api/packs/"+scarce.ID+"/open", asked{"clientSeed": "x"}).Refused(t, http.StatusGone, "inactive")
		s.Settle(t)
		s.Audit(t)
	})
}

func TestPacksThatAreRefused(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := operator(t, s)
		shares := func(rarities asked, items int) asked { return asked{"rarities": rarities, "itemsPerPack": items} }
		for field, values := range map[string][]any{
			"name":       {"", "42", strings.Repeat("x", 61)},
			"priceCents": {0, -1, 2.5},
			"supply":     {-2},
			"series":     {[]string{"No such series"}, []string{""}, []string{"Star\x00ter"}, "Starter"},
			"lootTableJson": {
				shares(asked{}, 5), shares(asked{"Common": 0}, 5), shares(asked{"Common": -1, "Rare": 2}, 5), shares(asked{"Unique": 1}, 5),
				shares(asked{"Common": 1}, 0), shares(asked{"Common": 1}, 21), shares(asked{"Grail": 1}, 5), nil,
				shares(asked{"Common": 0.99}, 5), shares(asked{"Common": 1, "Rare": 0.000001}, 5), shares(asked{"Common": 60, "Rare": 40}, 5),
				shares(asked{"Common": json.Number("0.3333333"), "Rare": json.Number("0.6666667")}, 5), shares(asked{"Common": json.Number("1e0")}, 5),
			},
			"coverImageUrl": {"data:image/png;base64,x"},
		} {
			for _, value := range values {
				admin.Post(t, "/api/admin/packs", with(aPack, field, value)).Refused(t, http.StatusUnprocessableEntity, "invalid")
			}
		}
		admin.Post(t, "/api/admin/packs", with(aPack, "acceptedLossCents", -1)).Refused(t, http.StatusUnprocessableEntity, "invalid")
		// Everything at once is worth far more than 25 dollars.
		generous := with(aPack, "series", nil)
		admin.Post(t, "/api/admin/packs", generous).Refused(t, http.StatusConflict, "margin")
		var packs []madePack
		s.NewClient(t).Get(t, "/api/packs").Want(t, http.StatusOK, &packs)
		for _, p := range packs {
			if p.Name == aPack["name"] {
				t.Errorf("a refused pack stands in the store: %+v", p)
			}
		}
		admin.Post(t, "/api/admin/packs", with(generous, "acceptedLossCents", 100_000)).Want(t, http.StatusOK, nil)
	})
}

// What has a stock in a pack stands in that one alone.
func TestAFinitePackKeepsItsCards(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := operator(t, s)
		loot := func(series any, rarities asked) asked {
			return asked{"name": "Second", "priceCents": 2500, "series": series, "acceptedLossCents": 10_000_000,
				"lootTableJson": asked{"rarities": rarities, "itemsPerPack": 1}}
		}
		deluxe := []string{"Labubu Deluxe Collection"}
		answer := admin.Post(t, "/api/admin/packs", loot(deluxe, asked{"Mythic": 1}))
		answer.Refused(t, http.StatusUnprocessableEntity, "invalid")
		toys := texts(t, s, `SELECT name FROM items WHERE series = 'Labubu Deluxe Collection' ORDER BY id`)
		for _, toy := range toys {
			if !strings.Contains(string(answer.Body), toy) {
				t.Errorf("%s is left out and not named: %s", toy, answer.Body)
			}
		}
		var made struct {
			ID, ManifestHash string
			LeftOut          []struct{ ID, Name string }
		}
		admin.Post(t, "/api/admin/packs", loot(nil, asked{"Common": 0.5, "Mythic": 0.5})).Want(t, http.StatusOK, &made)
		manifest := string(admin.Get(t, "/api/fairness/manifests/"+made.ManifestHash).Body)
		if len(made.LeftOut) != len(toys) {
			t.Errorf("left out %v, want %v", made.LeftOut, toys)
		}
		for _, left := range made.LeftOut {
			if strings.Contains(manifest, "card "+left.ID+" ") || !slices.Contains(toys, left.Name) {
				t.Errorf("%v is left out by word alone", left)
			}
		}
		admin.Post(t, "/api/admin/packs", aPack).Want(t, http.StatusOK, &made)
		if len(made.LeftOut) != 0 {
			t.Errorf("left out of the starter pool: %v", made.LeftOut)
		}
		s.Audit(t)
	})
}

// A pack is neither published nor put on sale with another's finite card, whatever
// the stock says; and what is there all the same is named.
func TestSharedFiniteCardsAreRefusedAndNamed(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := &catalogue.Catalogue{DB: s.DB, Delay: s.Config.ManifestDelay}
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
				return c.Publish(tx, "7")
			},
			"put on sale": func(tx *db.Tx) error {
				if err := share(tx, toy); err != nil {
					return err
				}
				found, err := catalogue.Audit(tx)
				if err != nil || !slices.ContainsFunc(found, func(b audit.Breach) bool { return b.Row == "card "+toy }) {
					t.Errorf("%s is not named: %v %v", toy, found, err)
				}
				return c.Activate(tx, "demo-pack-2", nil)
			},
		} {
			err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { return errors.Join(act(tx), undone) })
			if !errors.Is(err, undone) || !strings.Contains(err.Error(), "Card "+toy+" is limited and stands in pack 8") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// share publishes a manifest of demo-pack-2 with a card, behind the server's back.
func share(tx *db.Tx, card string) error {
	m := fair.Manifest{Pack: "demo-pack-2", Name: "x", Price: 2500, Items: 1, Tiers: []fair.Tier{
		{Weight: 1, Label: "all", Cards: []fair.Card{{ID: card, Value: 100, Stock: fair.Unlimited}}},
	}}
	text := m.Format()
	hash := fair.Hash(text)
	if err := tx.ExecOne(`INSERT INTO manifests (hash, pack_id, body) VALUES ($1, 'demo-pack-2', $2)`, hash[:], string(text)); err != nil {
		return err
	}
	return tx.ExecOne(`INSERT INTO publications (pack_id, number, hash, published_at, effective_at) VALUES ('demo-pack-2', 2, $1, $2, $2)`,
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

// refusal is what a refused call says.
type refusal struct {
	Message, Code string
	Fields        map[string]string
	Details       struct {
		PriceCents, ExpectedValueCents, ExpectedSellBackCents int64
		LowestPriceCents                                      *int64
		Series                                                []string
	}
}

func refused(t *testing.T, c *apptest.Client, path string, body asked) (r refusal) {
	t.Helper()
	answer := c.Post(t, path, body)
	if err := json.Unmarshal(answer.Body, &r); err != nil || answer.Status < 400 {
		t.Fatalf("%d %s: %v", answer.Status, answer.Body, err)
	}
	return r
}

func TestACertificateBelongsToItsName(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := operator(t, s)
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
			if r := refused(t, admin, "/api/admin/items", wrong.asked); r.Code != "invalid" || len(r.Fields) != 1 || r.Fields[wrong.field] == "" {
				t.Errorf("%v: %+v", wrong, r)
			}
		}
		both := refused(t, admin, "/api/admin/items", asked{"name": "4e3", "series": "5", "rarity": "Rare", "baseValueCents": 1})
		if len(both.Fields) != 2 || both.Message != "name: must be a name, not a number or a price; series: must be a name, not a number or a price" {
			t.Errorf("not all that is wrong is said: %+v", both)
		}
	})
}

func TestARefusedPackSaysWhatFits(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := operator(t, s)
		dear := with(aPack, "series", []string{"Pokemon"})
		r := refused(t, admin, "/api/admin/packs", dear)
		d := r.Details
		if r.Code != "margin" || d.PriceCents != 2500 || d.ExpectedSellBackCents != d.ExpectedValueCents*90/100 ||
			d.LowestPriceCents == nil || *d.LowestPriceCents != d.ExpectedSellBackCents || !slices.Equal(d.Series, []string{"Starter"}) {
			t.Fatalf("%+v", r)
		}
		refused(t, admin, "/api/admin/packs", with(dear, "priceCents", *d.LowestPriceCents-1))
		admin.Post(t, "/api/admin/packs", with(dear, "priceCents", *d.LowestPriceCents)).Want(t, http.StatusOK, nil)
		admin.Post(t, "/api/admin/packs", with(aPack, "series", d.Series)).Want(t, http.StatusOK, nil)

		empty := refused(t, admin, "/api/admin/packs", with(aPack, "series", []string{"Labubu Collection"}))
		if empty.Code != "invalid" || !strings.Contains(empty.Fields["series"], "Mythic") || !slices.Equal(empty.Details.Series, []string{"Starter"}) {
			t.Errorf("%+v", empty)
		}
		uneven := with(aPack, "lootTableJson", asked{"rarities": asked{"Common": 0.6, "Rare": 0.39}, "itemsPerPack": 5})
		if r := refused(t, admin, "/api/admin/packs", uneven); r.Fields["lootTableJson.rarities"] != "are 0.99 together and must be 1" {
			t.Errorf("%+v", r)
		}
	})
}

// What stands in the store as sold out, and what only admins see.
func TestSoldOutAndInactivePacks(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := operator(t, s)
		type pack struct {
			ID, Name, Paused          string
			IsActive, SoldOut, IsDemo bool
		}
		var none, last, hidden pack
		admin.Post(t, "/api/admin/packs", with(aPack, "supply", 0)).Want(t, http.StatusOK, &none)
		admin.Post(t, "/api/admin/packs", with(aPack, "supply", 1)).Want(t, http.StatusOK, &last)
		admin.Post(t, "/api/admin/packs", with(aPack, "isActive", false)).Want(t, http.StatusOK, &hidden)
		if !none.IsActive || !none.SoldOut || last.SoldOut {
			t.Errorf("at first: %+v %+v", none, last)
		}
		buyer := s.SignIn(t)
		buyer.Deposit(t, 50)
		open := asked{"clientSeed": "x"}
		buyer.Post(t, "/api/packs/"+none.ID+"/open", open).Refused(t, http.StatusGone, "sold_out")
		buyer.Post(t, "/api/packs/"+last.ID+"/open", open).Want(t, http.StatusOK, nil)
		buyer.Post(t, "/api/packs/"+last.ID+"/open", open).Refused(t, http.StatusGone, "sold_out")
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			if _, err := tx.Exec(`UPDATE stock SET remaining = 0 WHERE pack_id = '8'`); err != nil {
				return err
			}
			return tx.ExecOne(`UPDATE packs SET paused = 'It loses.' WHERE id = '2'`)
		}); err != nil {
			t.Fatal(err)
		}

		all, seen := map[string]pack{}, map[string]pack{}
		for path, into := range map[string]map[string]pack{"/api/packs": seen, "/api/admin/packs": all} {
			var packs []pack
			admin.Get(t, path).Want(t, http.StatusOK, &packs)
			for _, p := range packs {
				into[p.ID] = p
				if p.IsDemo != (p.ID == "demo-pack-1" || p.ID == "demo-pack-2") {
					t.Errorf("%+v", p)
				}
			}
		}
		for _, id := range []string{"8", none.ID, last.ID} {
			if p := seen[id]; !p.IsActive || !p.SoldOut {
				t.Errorf("sold out: %+v", p)
			}
		}
		if p := all["2"]; p.IsActive || p.SoldOut || p.Paused != "It loses." {
			t.Errorf("paused: %+v", p)
		}
		if _, public := seen[hidden.ID]; public || all[hidden.ID].Name == "" || all[hidden.ID].IsActive || len(all) != len(seen)+1 {
			t.Errorf("not on sale: %+v", all[hidden.ID])
		}
		s.SignIn(t).Get(t, "/api/admin/packs").Refused(t, http.StatusForbidden, "forbidden")
		s.NewClient(t).Get(t, "/api/admin/packs").Refused(t, http.StatusUnauthorized, "unauthenticated")
	})
}
