package integrationtest_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/searchtext"
)

// exec runs a statement directly on the server's database.
func exec(t *testing.T, s *apptest.Server, query string, args ...any) {
	t.Helper()
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// addEntries adds the given number of entries of each item to the user's first open, and returns their
// ids.
func addEntries(t *testing.T, s *apptest.Server, c *apptest.Client, items map[string]int) (ids []string) {
	t.Helper()
	owner := get[struct{ ID string }](t, c, "/api/auth/user").ID
	err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		ids = nil
		opening, err := db.One(tx, db.Column[string], `SELECT id FROM openings WHERE user_id = $1`, owner)
		if err != nil {
			return err
		}
		position, err := db.One(tx, db.Column[int], `SELECT COUNT(*) FROM inventory WHERE opening_id = $1`, opening)
		if err != nil {
			return err
		}
		var entries []inventory.Entry
		for id, n := range items {
			for range n {
				e := inventory.NewEntry(tx, owner, opening, position+len(entries), catalogue.Item{ID: id}, 0)
				entries, ids = append(entries, e), append(ids, e.ID)
			}
		}
		return inventory.Add(tx, entries)
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// oddItems lists items unlike any in the demo data.
var oddItems = []struct {
	id, series, name, cert string
	tenths                 any
	cents                  int64
}{
	{"oddItems-1", "Pokemon", "2023 收集啦 #12 喷火龙 Holo PSA 9 MINT", "PSA", 90, 50_00},
	{"oddItems-2", "Pokemon", "2023 collect #12 charizard holo CGC 9.5", "CGC", 95, 50_01},
	{"oddItems-3", "Labubu Collection", "Wide ＬＡＢＵＢＵ & <friends>", "", nil, 0},
	{"oddItems-4", "One Piece", strings.Repeat("長い名前 ", 40), "CGC", 10, 50_00},
	{"oddItems-5", "Soccer", "2001 retired #1 Nobody PSA 10 GEM MINT", "PSA", 100, 4000_00},
}

// fillVault returns a new user with many entries: all of them, and those in the vault.
func fillVault(t *testing.T, s *apptest.Server) (c *apptest.Client, all, vaulted []entry) {
	t.Helper()
	for _, o := range oddItems {
		exec(t, s, `INSERT INTO items (id, series, name, search, rarity, grade_tenths, grader, cert_number, image_url,
			base_value_cents, is_active, created_at) VALUES ($1, $2, $3, $4, 'Rare', $5, $6, '00001234', '', $7, $8, 1)`,
			o.id, o.series, o.name, searchtext.Index(o.name), o.tenths, o.cert, o.cents, o.id != "oddItems-5")
	}
	c, pulled := collector(t, s)
	items := map[string]int{"oddItems-1": 2, "oddItems-2": 1, "oddItems-3": 3, "oddItems-4": 1, "oddItems-5": 2}
	for _, series := range []string{"Pokemon", "One Piece", "Basketball", "labubu"} {
		for n, i := range get[[]item](t, c, "/api/items?limit=60&sortBy=grade&series="+url.QueryEscape(series)) {
			if n%3 == 0 {
				items[i.ID] = 1
			}
		}
	}
	stranger, _ := collector(t, s)
	for _, id := range append(addEntries(t, s, c, items), addEntries(t, s, stranger, map[string]int{"oddItems-1": 3})...) {
		exec(t, s, `UPDATE inventory SET vaulted = TRUE WHERE id = $1`, id)
	}
	exec(t, s, `UPDATE inventory SET state = 'listed', listing_id = id, sale_price_cents = 1 WHERE id = (SELECT id FROM inventory WHERE item_id = 'oddItems-3' ORDER BY id LIMIT 1)`)
	claimed := addEntries(t, s, c, map[string]int{"oddItems-2": 1})
	exec(t, s, `UPDATE inventory SET vaulted = TRUE, state = 'claimed' WHERE id = $1`, claimed[0])

	all = get[[]entry](t, c, "/api/inventory/me?limit=200")
	vaulted = slices.DeleteFunc(slices.Clone(all), func(e entry) bool { return !e.Vaulted || e.State == "claimed" })
	if len(pulled) != 5 || len(vaulted) < 70 {
		t.Fatalf("%d entries pulled and %d in the vault, want 5 and at least 70", len(pulled), len(vaulted))
	}
	return c, all, vaulted
}

func TestVaultFiltersAndSorting(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, all, vaulted := fillVault(t, s)
		orders := []string{"", "price-low", "price-high", "name", "grade"}
		for n, query := range []string{
			"", "series=Pokemon", "series=onepiece", "series=OnePiece", "series=One+Piece", "series=labubu", "series=Labubu+Collection", "series=nothing",
			"certification=PSA", "certification=CGC", "grade=1", "grade=9", "grade=10", "minPrice=0", "maxPrice=0", "minPrice=50", "maxPrice=50",
			"minPrice=50&maxPrice=50", "minPrice=51&maxPrice=50", "minPrice=100000000", "search=char", "search=CHARIZARD+2023", "search=izard",
			"search=ＣＨＡＲ", "search=labubu+friends", "search=喷火", "search=火龙+psa", "search=長い", "search=%25", "search=_", "search=!!!", "search=9.5",
			"search=retired", "search=+", "search=+%09%E3%80%80", "series=pokemon&certification=PSA&grade=9&minPrice=10&maxPrice=300&search=psa",
		} {
			sorts := orders
			if n > 0 { // in turn: sorting doesn't depend on the filter
				sorts = []string{orders[n%len(orders)], orders[(n+2)%len(orders)]}
			}
			for _, sortBy := range sorts {
				query, err := url.ParseQuery(query)
				if err != nil {
					t.Fatal(err)
				}
				if sortBy != "" {
					query.Set("sortBy", sortBy)
				}
				wantEntries(t, query, listAll(t, c, "/api/vault", query, 13), filterInMemory(vaulted, query))
				wantEntries(t, query, listAll(t, c, "/api/inventory/me", query, 29), filterInMemory(all, query))
				for _, state := range []string{"held", "listed", "claimed"} {
					query.Set("state", state)
					query.Set("rarity", "Rare")
					wantEntries(t, query, listAll(t, c, "/api/inventory/me", query, 29), filterInMemory(all, query))
				}
			}
		}
		for _, wrong := range []string{"sortBy=colour", "certification=BGS", "certification=psa", "grade=ten", "grade=11", "minPrice=cheap", "maxPrice=1.5", "minPrice=-1", "maxPrice=-5",
			"limit=0", "cursor=x", "cursor=019cb8b8-1e01-7fff-bfff-ffffffffffff", "sortBy=price-low&cursor=WyJ4IiwieCJd", "cursor=WzEsIngiXQ"} {
			for _, list := range []string{"/api/vault", "/api/inventory/me"} {
				c.Get(t, list+"?"+wrong).Refused(t, http.StatusUnprocessableEntity, "invalid")
			}
		}
	})
}

func TestVaultCardsListWholeVault(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, _, vaulted := fillVault(t, s)
		var got, want []string
		cursor := ""
		for {
			answer := c.Get(t, "/api/inventory/vault?limit=11&cursor="+cursor)
			var page []card
			answer.Want(t, http.StatusOK, &page)
			for _, e := range page {
				got = append(got, fmt.Sprint(e.ID, e.ItemName, e.Value, e.BaseValueCents))
			}
			cursor = answer.Header.Get("X-Next-Cursor")
			if cursor == "" {
				break
			}
		}
		value := int64(0)
		for _, e := range vaulted {
			want = append(want, fmt.Sprint(e.ID, e.Item.Name, dollars(e.Item.BaseValueCents), e.Item.BaseValueCents))
			value += e.Item.BaseValueCents
		}
		if !slices.Equal(got, want) {
			t.Errorf("the cards are\n%v, want\n%v", got, want)
		}
		if total := get[summary](t, c, "/api/inventory/summary"); total.VaultedCount != int64(len(vaulted)) || total.VaultedValueCents != value {
			t.Errorf("the summary is %+v, want %d entries in the vault worth %d", total, len(vaulted), value)
		}
	})
}

// Entries added to the vault during paging neither hide nor repeat existing ones.
func TestPagingWhileVaultGrows(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, _, vaulted := fillVault(t, s)
		for n, sortBy := range []string{"", "price-low", "price-high", "name", "grade"} {
			query := url.Values{"limit": {"9"}}
			if sortBy != "" {
				query.Set("sortBy", sortBy)
			}
			seen := map[string]int{}
			for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
				query.Set("cursor", cursor)
				answer := c.Get(t, "/api/vault?"+query.Encode())
				var page []entry
				answer.Want(t, http.StatusOK, &page)
				for _, e := range page {
					seen[e.ID]++
				}
				cursor = answer.Header.Get("X-Next-Cursor")
				added := addEntries(t, s, c, map[string]int{oddItems[(pages+n)%len(oddItems)].id: 1})
				exec(t, s, `UPDATE inventory SET vaulted = TRUE WHERE id = $1`, added[0])
			}
			for _, e := range vaulted {
				if seen[e.ID] != 1 {
					t.Errorf("sorted by %q, entry %s was listed %d times, want once", sortBy, e.ID, seen[e.ID])
				}
			}
		}
	})
}

// listAll reads all pages of a list and returns the entries' ids.
func listAll(t *testing.T, c *apptest.Client, list string, query url.Values, limit int) (ids []string) {
	t.Helper()
	q := url.Values{"limit": {strconv.Itoa(limit)}}
	maps.Copy(q, query)
	for {
		answer := c.Get(t, list+"?"+q.Encode())
		var page []entry
		answer.Want(t, http.StatusOK, &page)
		for _, e := range page {
			ids = append(ids, e.ID)
		}
		next := answer.Header.Get("X-Next-Cursor")
		if next == "" {
			return ids
		}
		if len(page) != limit {
			t.Fatalf("%v returns %d entries on a page before the last one, want %d", q, len(page), limit)
		}
		q.Set("cursor", next)
	}
}

// wantEntries fails the test unless a query returned the wanted entries in their order.
func wantEntries(t *testing.T, query url.Values, got []string, want []entry) {
	t.Helper()
	ids := make([]string, len(want))
	for n, e := range want {
		ids[n] = e.ID
	}
	if !slices.Equal(got, ids) {
		t.Errorf("%v returns %d entries, want %d:\n%v\nwant\n%v", query, len(got), len(ids), got, ids)
	}
}

// filterInMemory filters and sorts entries in memory.
func filterInMemory(in []entry, query url.Values) []entry {
	found := slices.DeleteFunc(slices.Clone(in), func(e entry) bool {
		return !matches(e.Item, query) || !slices.Contains([]string{"", e.State}, query.Get("state")) ||
			!slices.Contains([]string{"", e.Item.Rarity}, query.Get("rarity"))
	})
	slices.SortFunc(found, func(a, b entry) int {
		first, second := a.Item, b.Item
		switch query.Get("sortBy") {
		case "price-low":
			return cmp.Or(cmp.Compare(first.BaseValueCents, second.BaseValueCents), cmp.Compare(a.ID, b.ID))
		case "price-high":
			return cmp.Or(cmp.Compare(second.BaseValueCents, first.BaseValueCents), cmp.Compare(b.ID, a.ID))
		case "name":
			return cmp.Or(cmp.Compare(first.Name, second.Name), cmp.Compare(a.ID, b.ID))
		case "grade":
			return cmp.Or(cmp.Compare(gradeOf(second), gradeOf(first)), cmp.Compare(b.ID, a.ID))
		default:
			return cmp.Compare(b.ID, a.ID)
		}
	})
	return found
}

func gradeOf(i item) float64 {
	if i.Grade == nil {
		return 0
	}
	return *i.Grade
}

func matches(i item, query url.Values) bool {
	parameter := func(name string) (int64, bool) {
		n, err := strconv.ParseInt(query.Get(name), 10, 64)
		return n, err == nil
	}
	if low, ok := parameter("minPrice"); ok && i.BaseValueCents < low*100 {
		return false
	}
	if high, ok := parameter("maxPrice"); ok && i.BaseValueCents > high*100 {
		return false
	}
	if grade, ok := parameter("grade"); ok && gradeOf(i) < float64(grade) {
		return false
	}
	if wanted := query.Get("certification"); wanted != "" && i.Certification != wanted {
		return false
	}
	return matchesSeries(i, query.Get("series")) && matchesName(i.Name, query.Get("search"))
}

// starters maps categories to the words in the names of their starter cards.
var starters = map[string]string{"pokemon": "Pokemon", "onepiece": "One Piece", "labubu": "Labubu"}

func matchesSeries(i item, wanted string) bool {
	plain := func(text string) string { return strings.ReplaceAll(strings.ToLower(text), " ", "") }
	switch wanted {
	case "", i.Series:
		return true
	case "labubu":
		if i.Series == "Starter" {
			return strings.Contains(i.Name, "Labubu")
		}
		return strings.HasPrefix(i.Series, "Labubu")
	default:
		if word := starters[plain(wanted)]; i.Series == "Starter" && word != "" && wanted != word {
			return strings.Contains(i.Name, word)
		}
		return !strings.Contains(wanted, " ") && plain(wanted) == plain(i.Series)
	}
}

// narrow maps the full-width letters used in the tests to ASCII.
var narrow = strings.NewReplacer("Ｌ", "l", "Ａ", "a", "Ｂ", "b", "Ｕ", "u", "Ｃ", "c", "Ｈ", "h", "Ｒ", "r", "Ｍ", "m", "０", "0", "２", "2", "３", "3")

func matchesName(name, search string) bool {
	split := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(narrow.Replace(text)), func(r rune) bool { return strings.ContainsRune(" #.&<>%_!-'/()+,:", r) })
	}
	search = strings.TrimSpace(search)
	if search != "" && len(split(search)) == 0 {
		return false
	}
	for _, word := range split(search) {
		chinese := strings.IndexFunc(word, func(r rune) bool { return r > 0x2e00 }) >= 0
		if !slices.ContainsFunc(split(name), func(w string) bool {
			return strings.HasPrefix(w, word) || chinese && strings.Contains(w, word)
		}) {
			return false
		}
	}
	return true
}
