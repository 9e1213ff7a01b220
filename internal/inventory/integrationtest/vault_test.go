package integrationtest_test

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

func TestSendToVault(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, owned := collector(t, s)
		if before := get[[]card](t, c, "/api/inventory/vault"); len(before) != 0 {
			t.Fatalf("the vault has %+v at the start, want nothing", before)
		}
		sent := owned[2]

		var got card
		c.Post(t, "/api/inventory/vault", apptest.Body{"inventoryId": sent.ID}).Want(t, http.StatusOK, &got)

		want := card{ID: sent.ID, ItemID: sent.Item.ID, State: "held", SellBackCents: sent.SellBackCents, ItemName: sent.Item.Name, Series: sent.Item.Series, Rarity: sent.Item.Rarity,
			PackName: sent.PackName, Value: dollars(sent.Item.BaseValueCents), BaseValueCents: sent.Item.BaseValueCents}
		if got != want {
			t.Errorf("the response is %+v, want %+v", got, want)
		}
		if listed := get[[]card](t, c, "/api/inventory/vault"); len(listed) != 1 || listed[0] != want {
			t.Errorf("the vault's cards are %+v, want %+v", listed, want)
		}
		vaulted := get[[]entry](t, c, "/api/vault")
		if len(vaulted) != 1 || vaulted[0].ID != sent.ID || !vaulted[0].Vaulted || vaulted[0].State != "held" || vaulted[0].SellBackCents != sent.SellBackCents {
			t.Errorf("the vault has %+v, want %+v, vaulted and held", vaulted, sent)
		}
		for _, e := range get[[]entry](t, c, "/api/inventory/me") {
			if e.Vaulted != (e.ID == sent.ID) || e.State != "held" {
				t.Errorf("entry is %+v, want all held and only %s in the vault", e, sent.ID)
			}
		}
		total := get[summary](t, c, "/api/inventory/summary")
		if total.Count != 5 || total.VaultedCount != 1 || total.VaultedValueCents != sent.Item.BaseValueCents {
			t.Errorf("the summary is %+v, want 5 entries, one of them in the vault worth %d", total, sent.Item.BaseValueCents)
		}
		s.Audit(t)
		for n, e := range slices.DeleteFunc(owned, func(e entry) bool { return e.ID == sent.ID }) {
			c.Post(t, "/api/inventory/vault", apptest.Body{"inventoryId": e.ID}).Want(t, http.StatusOK, nil)
			if cards := get[[]card](t, c, "/api/inventory/vault"); len(cards) != n+2 {
				t.Errorf("the vault has %d cards, want %d", len(cards), n+2)
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
		c.Post(t, "/api/inventory/vault", apptest.Body{"itemId": sent.Item.ID, "itemName": "Another", "rarity": "Mythic", "value": 1e6,
			"series": 7, "packId": "8", "packName": nil}).Want(t, http.StatusOK, &got)
		if got.ItemName != sent.Item.Name || got.Rarity != sent.Item.Rarity || got.BaseValueCents != sent.Item.BaseValueCents {
			t.Errorf("the response is %+v, want the entry's own %+v", got, sent.Item)
		}
		stranger, theirs := collector(t, s)
		rest := slices.DeleteFunc(slices.Clone(owned), func(e entry) bool { return e.Item.ID == sent.Item.ID })
		for why, body := range map[string]apptest.Body{
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
		for _, body := range []any{apptest.Body{}, apptest.Body{"itemId": ""}, apptest.Body{"itemId": true}, apptest.Body{"itemId": nil}, apptest.Body{"inventoryId": 1.5},
			apptest.Body{"itemId": []string{sent.Item.ID}}, apptest.Body{"inventoryId": strings.Repeat("x", 65)}} {
			c.Post(t, "/api/inventory/vault", body).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		if cards := get[[]card](t, stranger, "/api/inventory/vault"); len(cards) != 0 {
			t.Errorf("the other user's vault has %+v, want nothing", cards)
		}
		if cards := get[[]card](t, c, "/api/inventory/vault"); len(cards) != 1 {
			t.Errorf("the vault has %+v, want one card", cards)
		}
		s.Audit(t)
	})
}

func TestOldestEntryIsVaultedFirst(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, owned := collector(t, s)
		item := owned[0].Item.ID
		given := addEntries(t, s, c, map[string]int{item: 2})
		// Age is by acquired_at, not by id: the entry inserted last is made the oldest.
		exec(t, s, `UPDATE inventory SET acquired_at = 1 WHERE id = $1`, given[1])
		exec(t, s, `UPDATE inventory SET acquired_at = 2 WHERE id = $1`, given[0])
		for _, want := range []string{given[1], given[0]} {
			var got card
			c.Post(t, "/api/inventory/vault", apptest.Body{"itemId": item}).Want(t, http.StatusOK, &got)
			if got.ID != want {
				t.Errorf("vaulted entry %s, want %s of %s", got.ID, want, given)
			}
		}
		for _, state := range []string{"listed", "claimed"} {
			exec(t, s, `UPDATE inventory SET state = $2, listing_id = CASE $2 WHEN 'listed' THEN id END,
				sale_price_cents = CASE $2 WHEN 'listed' THEN 1 END WHERE item_id = $1 AND NOT vaulted`, item, state)
			c.Post(t, "/api/inventory/vault", apptest.Body{"itemId": item}).Refused(t, http.StatusConflict, "conflict")
			c.Post(t, "/api/inventory/vault", apptest.Body{"inventoryId": owned[0].ID}).Refused(t, http.StatusConflict, "conflict")
			s.SignIn(t).Post(t, "/api/inventory/vault", apptest.Body{"inventoryId": owned[0].ID}).Refused(t, http.StatusNotFound, "not_found")
		}
	})
}

func TestVaultingIsIdempotentByKey(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, owned := collector(t, s)
		item := owned[0].Item.ID
		addEntries(t, s, c, map[string]int{item: 1})
		first := c.Post(t, "/api/inventory/vault", apptest.Body{"itemId": item}, "Idempotency-Key", "keep-1")
		again := c.Post(t, "/api/inventory/vault", apptest.Body{"itemId": item}, "Idempotency-Key", "keep-1")
		if first.Status != http.StatusOK || string(first.Body) != string(again.Body) || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("the first response is %d %s and the repeated one %s, want 200 and the same, replayed", first.Status, first.Body, again.Body)
		}
		c.Post(t, "/api/inventory/vault", apptest.Body{"inventoryId": owned[1].ID}, "Idempotency-Key", "keep-1").
			Refused(t, http.StatusUnprocessableEntity, "idempotency_mismatch")
		if total := get[summary](t, c, "/api/inventory/summary"); total.VaultedCount != 1 {
			t.Errorf("the summary is %+v, want one entry in the vault", total)
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
		addEntries(t, s, c, map[string]int{item: 2})
		var pairs int64
		for _, e := range get[[]entry](t, c, "/api/inventory/me") {
			if e.Item.ID == item {
				pairs++
			}
		}
		for _, race := range []struct {
			body apptest.Body
			want int64
		}{{apptest.Body{"inventoryId": single.ID}, 1}, {apptest.Body{"itemId": item}, pairs}} {
			if got := vaultConcurrently(t, c, 8, race.body); got != race.want {
				t.Errorf("with %v, %d calls succeeded, want %d", race.body, got, race.want)
			}
		}
		if total := get[summary](t, c, "/api/inventory/summary"); total.VaultedCount != 1+pairs {
			t.Errorf("the summary is %+v, want %d in the vault", total, 1+pairs)
		}
	})
}

// vaultConcurrently sends n equal requests concurrently and counts those that succeed. The others
// must be refused as not found.
func vaultConcurrently(t *testing.T, c *apptest.Client, n int, body apptest.Body) (succeeded int64) {
	t.Helper()
	answers := make([]apptest.Answer, n)
	var calls sync.WaitGroup
	for i := range answers {
		calls.Go(func() {
			answer, err := c.Try(t.Context(), http.MethodPost, "/api/inventory/vault", map[string]any(body))
			if err != nil {
				t.Error(err)
			}
			answers[i] = answer
		})
	}
	calls.Wait()
	for _, answer := range answers {
		if answer.Status == http.StatusOK {
			succeeded++
		} else {
			answer.Refused(t, http.StatusNotFound, "not_found")
		}
	}
	return succeeded
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
					t.Errorf("%s lists the ended entry %+v", path, e)
				}
			}
		}
		if total := get[summary](t, c, "/api/inventory/summary"); total.Count != 3 || total.VaultedCount != 0 {
			t.Errorf("the summary is %+v, want 3 entries and none in the vault", total)
		}
		for state, id := range ended {
			c.Get(t, "/api/inventory/me?state="+state).Refused(t, http.StatusUnprocessableEntity, "invalid")
			for act, body := range map[string]apptest.Body{
				"inventory/vault": {"inventoryId": id}, "marketplace/list": {"inventoryId": id, "priceCents": 1, "confirmedCents": 1},
				"marketplace/reprice": {"inventoryId": id, "priceCents": 1, "confirmedCents": 1}, "marketplace/delist": {"inventoryId": id},
			} {
				t.Log(state, act)
				c.Post(t, "/api/"+act, body).Refused(t, http.StatusNotFound, "not_found")
			}
			s.SignIn(t).Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": id}).Refused(t, http.StatusNotFound, "not_found")
		}
	})
}
