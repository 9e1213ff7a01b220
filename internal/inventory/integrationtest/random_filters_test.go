package integrationtest_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
)

// addRandomEntries gives a user 5,000 random entries of 500 random items.
func addRandomEntries(t *testing.T, s *apptest.Server, r *rand.Rand, c *apptest.Client) {
	t.Helper()
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	user := get[struct{ ID string }](t, c, "/api/auth/user").ID
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		opening, err := db.One(tx, db.Column[string], `SELECT id FROM openings WHERE user_id = $1`, user)
		if err != nil {
			return err
		}
		ids := make([]string, 500)
		for n := range ids {
			ids[n] = fmt.Sprint("random-", n)
			i := catalogue.Item{
				ID: ids[n], Series: pick("Pokemon", "One Piece", "Labubu Collection", "Labubu Deluxe Collection", "Odd"), Active: r.IntN(20) > 0,
				Name:   pick("1999", "2023", "２０２３") + " " + pick("Base", "收集啦", "Chrome") + " " + pick("Charizard", "喷火龙", "Messi", "Ｍessi-Junior"),
				Rarity: catalogue.Rarities[r.IntN(len(catalogue.Rarities))], Grader: pick("PSA", "CGC", ""),
			}
			if r.IntN(2) == 0 {
				i.BaseValue = money.Cents(r.IntN(100)) * 100
			} else {
				i.BaseValue = money.Cents(r.IntN(500_000))
			}
			if i.Grader != "" {
				i.GradeTenths = 10 + 5*int64(r.IntN(19))
			}
			if err := catalogue.Add(tx, i, ""); err != nil {
				return err
			}
		}
		entries := make([]inventory.Entry, 5000)
		for n := range entries {
			entries[n] = inventory.NewEntry(tx, user, opening, 100+n, catalogue.Item{ID: ids[r.IntN(len(ids))]}, 0)
		}
		return inventory.Add(tx, entries)
	}); err != nil {
		t.Fatal(err)
	}
	exec(t, s, `UPDATE inventory SET state = 'listed', listing_id = id, sale_price_cents = 1 WHERE position >= 100 AND position % 3 = 0`)
	exec(t, s, `UPDATE inventory SET state = 'claimed', vaulted = TRUE WHERE position >= 100 AND position % 7 = 1 AND state = 'held'`)
	exec(t, s, `UPDATE inventory SET state = 'sold-back' WHERE position >= 100 AND position % 11 = 1 AND state = 'held'`)
}

// Random filters over 5,000 entries return the wantEntries as checking each entry in memory.
func TestRandomFiltersMatchModel(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		r := rand.New(rand.NewPCG(uint64(len(s.DB.Engine())), 5000)) // a different seed per engine
		c, _ := collector(t, s)
		addRandomEntries(t, s, r, c)
		var all []entry
		for cursor := ""; all == nil || cursor != ""; {
			answer := c.Get(t, "/api/inventory/me?limit=200&cursor="+cursor)
			var page []entry
			answer.Want(t, 200, &page)
			all = append(all, page...)
			cursor = answer.Header.Get("X-Next-Cursor")
		}
		soldBack := 0
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
			soldBack, err = db.One(tx, db.Column[int], `SELECT COUNT(*) FROM inventory WHERE state = 'sold-back'`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if soldBack == 0 || len(all) != 5005-soldBack {
			t.Fatalf("the user has %d entries after selling back %d, want some sold back and 5005 in total", len(all), soldBack)
		}
		choices := map[string][]string{
			"series": {"Pokemon", "onepiece", "labubu", "Labubu Collection", "Odd", "nothing"}, "sortBy": {"price-low", "price-high", "name", "grade"},
			"certification": {"PSA", "CGC"}, "grade": {"1", "5", "9", "10"}, "minPrice": {"0", "1", "50", "2000"}, "maxPrice": {"0", "49", "50", "3000"},
			"search": {"char", "messi", "2023 messi", "喷火", "收集 1999", "junior", "base chrome"}, "state": {"held", "listed", "claimed"}, "rarity": catalogue.Rarities,
		}
		names := strings.Fields("series sortBy certification grade minPrice maxPrice search state rarity")
		for range 20 {
			query := url.Values{}
			for _, name := range names {
				if r.IntN(4) == 0 || name == "sortBy" && r.IntN(2) == 0 {
					query.Set(name, choices[name][r.IntN(len(choices[name]))])
				}
			}
			wantEntries(t, query, listAll(t, c, "/api/inventory/me", query, 200), filterInMemory(slices.Clone(all), query))
		}
	})
}
