package inapp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"kaibao/internal/app/apptest"
)

// entry holds the fields of an entry that the tests use.
type entry struct {
	ID, State, PackName string
	Vaulted             bool
	SellBackCents       int64
	Item                item
}

type item struct {
	ID, Name, Series, Rarity, Certification string
	Grade                                   *float64
	BaseValueCents                          int64
}

type card struct {
	ID, ItemID, State, ItemName, Series, Rarity, PackName string
	Value                                                 json.Number
	BaseValueCents, SellBackCents                         int64
}

type summary struct{ Count, ValueCents, VaultedCount, VaultedValueCents int64 }

func get[T any](t *testing.T, c *apptest.Client, path string) (v T) {
	t.Helper()
	c.Get(t, path).Want(t, http.StatusOK, &v)
	return v
}

// collector returns a user who has opened a demo pack, with its five entries.
func collector(t *testing.T, s *apptest.Server) (c *apptest.Client, owned []entry) {
	t.Helper()
	c = s.SignIn(t)
	c.Deposit(t, 100)
	c.Post(t, "/api/packs/demo-pack-1/open", map[string]any{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
	return c, get[[]entry](t, c, "/api/inventory/me")
}

type asked map[string]any

func TestSendingToTheVault(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, owned := collector(t, s)
		if before := get[[]card](t, c, "/api/inventory/vault"); len(before) != 0 {
			t.Fatalf("in the vault before: %+v", before)
		}
		sent := owned[2]

		var got card
		c.Post(t, "/api/inventory/vault", asked{"inventoryId": sent.ID}).Want(t, http.StatusOK, &got)

		want := card{ID: sent.ID, ItemID: sent.Item.ID, State: "held", SellBackCents: sent.SellBackCents, ItemName: sent.Item.Name, Series: sent.Item.Series, Rarity: sent.Item.Rarity,
			PackName: sent.PackName, Value: dollars(sent.Item.BaseValueCents), BaseValueCents: sent.Item.BaseValueCents}
		if got != want {
			t.Errorf("response %+v, want %+v", got, want)
		}
		if listed := get[[]card](t, c, "/api/inventory/vault"); len(listed) != 1 || listed[0] != want {
			t.Errorf("cards %+v, want %+v", listed, want)
		}
		in := get[[]entry](t, c, "/api/vault")
		if len(in) != 1 || in[0].ID != sent.ID || !in[0].Vaulted || in[0].State != "held" || in[0].SellBackCents != sent.SellBackCents {
			t.Errorf("vault %+v, want %+v, vaulted and held", in, sent)
		}
		for _, e := range get[[]entry](t, c, "/api/inventory/me") {
			if e.Vaulted != (e.ID == sent.ID) || e.State != "held" {
				t.Errorf("entry %+v after %s was sent", e, sent.ID)
			}
		}
		total := get[summary](t, c, "/api/inventory/summary")
		if total.Count != 5 || total.VaultedCount != 1 || total.VaultedValueCents != sent.Item.BaseValueCents {
			t.Errorf("summary %+v", total)
		}
		s.Audit(t)
		for n, e := range slices.DeleteFunc(owned, func(e entry) bool { return e.ID == sent.ID }) {
			c.Post(t, "/api/inventory/vault", asked{"inventoryId": e.ID}).Want(t, http.StatusOK, nil)
			if in := get[[]card](t, c, "/api/inventory/vault"); len(in) != n+2 {
				t.Errorf("%d in the vault after %d sends", len(in), n+2)
			}
			s.Audit(t)
		}
	})
}

// dollars formats cents as dollars like the API.
func dollars(cents int64) json.Number {
	text := fmt.Sprintf("%d.%02d", cents/100, cents%100)
	return json.Number(strings.TrimSuffix(strings.TrimRight(text, "0"), "."))
}

func TestVaultIgnoresFieldsOtherThanIDs(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, owned := collector(t, s)
		sent := owned[0]
		var got card
		c.Post(t, "/api/inventory/vault", asked{"itemId": sent.Item.ID, "itemName": "Another", "rarity": "Mythic", "value": 1e6,
			"series": 7, "packId": "8", "packName": nil}).Want(t, http.StatusOK, &got)
		if got.ItemName != sent.Item.Name || got.Rarity != sent.Item.Rarity || got.BaseValueCents != sent.Item.BaseValueCents {
			t.Errorf("response %+v for %+v", got, sent)
		}
		stranger, theirs := collector(t, s)
		rest := slices.DeleteFunc(slices.Clone(owned), func(e entry) bool { return e.Item.ID == sent.Item.ID })
		for why, body := range map[string]asked{
			"already in the vault":        {"inventoryId": got.ID},
			"somebody else's entry":       {"inventoryId": theirs[0].ID},
			"an entry of another item":    {"inventoryId": rest[0].ID, "itemId": sent.Item.ID},
			"an unknown item":             {"itemId": "labubu-1x"},
			"a number, as the demo sends": {"itemId": 7},
			"no such entry":               {"inventoryId": "x"},
		} {
			answer := c.Post(t, "/api/inventory/vault", body)
			t.Log(why)
			answer.Refused(t, http.StatusNotFound, "not_found")
		}
		for _, body := range []any{asked{}, asked{"itemId": ""}, asked{"itemId": true}, asked{"itemId": nil}, asked{"inventoryId": 1.5},
			asked{"itemId": []string{sent.Item.ID}}, asked{"inventoryId": strings.Repeat("x", 65)}} {
			c.Post(t, "/api/inventory/vault", body).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		if in := get[[]card](t, stranger, "/api/inventory/vault"); len(in) != 0 {
			t.Errorf("the stranger's vault holds %+v", in)
		}
		if in := get[[]card](t, c, "/api/inventory/vault"); len(in) != 1 {
			t.Errorf("the vault holds %+v", in)
		}
		s.Audit(t)
	})
}

func TestOldestEntryIsVaultedFirst(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, owned := collector(t, s)
		item := owned[0].Item.ID
		given := give(t, s, c, map[string]int{item: 2})
		// Age is by acquired_at, not by id: the entry inserted last is made the oldest.
		exec(t, s, `UPDATE inventory SET acquired_at = 1 WHERE id = $1`, given[1])
		exec(t, s, `UPDATE inventory SET acquired_at = 2 WHERE id = $1`, given[0])
		for _, want := range []string{given[1], given[0]} {
			var got card
			c.Post(t, "/api/inventory/vault", asked{"itemId": item}).Want(t, http.StatusOK, &got)
			if got.ID != want {
				t.Errorf("took %s, want %s of %s", got.ID, want, given)
			}
		}
		for _, state := range []string{"listed", "claimed"} {
			exec(t, s, `UPDATE inventory SET state = $2, listing_id = CASE $2 WHEN 'listed' THEN id END,
				sale_price_cents = CASE $2 WHEN 'listed' THEN 1 END WHERE item_id = $1 AND NOT vaulted`, item, state)
			c.Post(t, "/api/inventory/vault", asked{"itemId": item}).Refused(t, http.StatusConflict, "conflict")
			c.Post(t, "/api/inventory/vault", asked{"inventoryId": owned[0].ID}).Refused(t, http.StatusConflict, "conflict")
			s.SignIn(t).Post(t, "/api/inventory/vault", asked{"inventoryId": owned[0].ID}).Refused(t, http.StatusNotFound, "not_found")
		}
	})
}

func TestVaultingIsIdempotentByKey(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, owned := collector(t, s)
		item := owned[0].Item.ID
		give(t, s, c, map[string]int{item: 1})
		first := c.Post(t, "/api/inventory/vault", asked{"itemId": item}, "Idempotency-Key", "keep-1")
		again := c.Post(t, "/api/inventory/vault", asked{"itemId": item}, "Idempotency-Key", "keep-1")
		if first.Status != http.StatusOK || string(first.Body) != string(again.Body) || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("first %d %s, then %s", first.Status, first.Body, again.Body)
		}
		c.Post(t, "/api/inventory/vault", asked{"inventoryId": owned[1].ID}, "Idempotency-Key", "keep-1").
			Refused(t, http.StatusUnprocessableEntity, "idempotency_mismatch")
		if total := get[summary](t, c, "/api/inventory/summary"); total.VaultedCount != 1 {
			t.Errorf("summary %+v", total)
		}
	})
}

// Each entry is vaulted once, however many concurrent requests name it by id or item.
func TestConcurrentVaulting(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, owned := collector(t, s)
		single, item := owned[0], owned[1].Item.ID
		if single.Item.ID == item {
			exec(t, s, `UPDATE inventory SET item_id = 'labubu-1' WHERE id = $1`, single.ID)
		}
		give(t, s, c, map[string]int{item: 2})
		var pairs int64
		for _, e := range get[[]entry](t, c, "/api/inventory/me") {
			if e.Item.ID == item {
				pairs++
			}
		}
		for _, race := range []struct {
			body asked
			want int64
		}{{asked{"inventoryId": single.ID}, 1}, {asked{"itemId": item}, pairs}} {
			if won := rivals(t, c, 8, race.body); won != race.want {
				t.Errorf("%v: %d calls succeeded, want %d", race.body, won, race.want)
			}
		}
		if total := get[summary](t, c, "/api/inventory/summary"); total.VaultedCount != 1+pairs {
			t.Errorf("summary %+v, want %d in the vault", total, 1+pairs)
		}
	})
}

// rivals sends n equal requests concurrently and counts those that succeed; the others must find
// nothing.
func rivals(t *testing.T, c *apptest.Client, n int, body asked) (won int64) {
	t.Helper()
	answers := make([]apptest.Answer, n)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() {
			answer, err := c.Try(t.Context(), http.MethodPost, "/api/inventory/vault", map[string]any(body))
			if err != nil {
				t.Error(err)
			}
			answers[i] = answer
		})
	}
	all.Wait()
	for _, answer := range answers {
		if answer.Status == http.StatusOK {
			won++
		} else {
			answer.Refused(t, http.StatusNotFound, "not_found")
		}
	}
	return won
}

// Nobody owns an entry that was sold back or delivered: it is in no list, and every act on it is
// refused.
func TestEndedEntriesAreHiddenAndFrozen(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, owned := collector(t, s)
		ended := map[string]string{"sold-back": owned[0].ID, "delivered": owned[1].ID}
		for state, id := range ended {
			exec(t, s, `UPDATE inventory SET state = $1, vaulted = TRUE WHERE id = $2`, state, id)
		}
		for _, path := range []string{"/api/inventory/me", "/api/vault"} {
			for _, e := range get[[]entry](t, c, path) {
				if ended["sold-back"] == e.ID || ended["delivered"] == e.ID {
					t.Errorf("%s has %+v", path, e)
				}
			}
		}
		if total := get[summary](t, c, "/api/inventory/summary"); total.Count != 3 || total.VaultedCount != 0 {
			t.Errorf("summary %+v", total)
		}
		for state, id := range ended {
			c.Get(t, "/api/inventory/me?state="+state).Refused(t, http.StatusUnprocessableEntity, "invalid")
			for act, body := range map[string]asked{
				"inventory/vault": {"inventoryId": id}, "marketplace/list": {"inventoryId": id, "priceCents": 1, "confirmedCents": 1},
				"marketplace/reprice": {"inventoryId": id, "priceCents": 1, "confirmedCents": 1}, "marketplace/delist": {"inventoryId": id},
			} {
				t.Log(state, act)
				c.Post(t, "/api/"+act, body).Refused(t, http.StatusNotFound, "not_found")
			}
			s.SignIn(t).Post(t, "/api/marketplace/buy", asked{"inventoryId": id}).Refused(t, http.StatusNotFound, "not_found")
		}
	})
}
