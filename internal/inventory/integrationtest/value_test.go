package integrationtest_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

type valueDay struct {
	Day                   string
	ValueCents, PaidCents int64
}

type collectionValue struct {
	FirstDay *string
	Days     []valueDay
}

type paidEntry struct {
	ID, State, AcquiredFrom string
	PaidCents               int64
	Item                    struct {
		ID             string
		BaseValueCents int64
	}
}

// trader is a user of the model, with what each entry that the user owns cost.
type trader struct {
	*apptest.Client
	paid  map[string]int64
	daily []valueDay // the user's totals as they were at the end of each day
}

func (u *trader) entries(t *testing.T) []paidEntry {
	t.Helper()
	return get[[]paidEntry](t, u.Client, "/api/inventory/me?limit=200")
}

// While three users act at random for several days, the value and cost of each day equal a recount at the
// end of that day.
func TestCollectionValueEqualsARecount(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		const days = 6
		r := rand.New(rand.NewPCG(56, 4))
		start := clock.Now().UTC().Truncate(24 * time.Hour).Add(24 * time.Hour)
		clock.Advance(start.Add(time.Hour).Sub(clock.Now()))
		admin := s.Admin(t)
		users := make([]*trader, 3)
		for n := range users {
			users[n] = &trader{Client: s.SignIn(t), paid: map[string]int64{}}
			users[n].Deposit(t, 1000)
		}
		for d := range days {
			for range 12 {
				clock.Advance(time.Hour)
				n := r.IntN(len(users))
				users[n].actAtRandom(t, r, users[(n+1)%len(users)], admin)
				if owned := users[n].entries(t); r.IntN(3) == 0 && len(owned) > 0 {
					item := owned[r.IntN(len(owned))].Item
					s.SetValue(t, admin, item.ID, max(1, item.BaseValueCents*int64(80+r.IntN(25))/100))
				}
			}
			clock.Advance(start.Add(time.Duration(d+1) * 24 * time.Hour).Add(-time.Second).Sub(clock.Now()))
			for n, u := range users {
				u.recount(t, start.AddDate(0, 0, d).Format(time.DateOnly))
				got := get[collectionValue](t, u.Client, fmt.Sprintf("/api/inventory/value?from=%s", start.Format(time.DateOnly)))
				if len(got.Days) != d+1 {
					t.Fatalf("user %d has %d days on day %d: %+v", n, len(got.Days), d, got)
				}
				for i, day := range got.Days {
					if day != u.daily[i] {
						t.Errorf("on day %d, user %d had %+v on day %d, want %+v", d, n, day, i, u.daily[i])
					}
				}
			}
			clock.Advance(time.Hour + time.Second)
			for _, u := range append([]*trader{{Client: admin}}, users...) {
				u.SignIn(t)
			}
		}
		s.Audit(t)
	})
}

// actAtRandom lets a user do something that can change who owns what; buyer is another user.
func (u *trader) actAtRandom(t *testing.T, r *rand.Rand, buyer *trader, admin *apptest.Client) {
	t.Helper()
	var held []paidEntry
	for _, e := range u.entries(t) {
		if e.State == "held" {
			held = append(held, e)
		}
	}
	if r.IntN(3) == 0 || len(held) == 0 {
		u.open(t, []string{"demo-pack-1", "2"}[r.IntN(2)])
		return
	}
	e := held[r.IntN(len(held))]
	switch r.IntN(5) {
	case 0, 1:
		price := e.Item.BaseValueCents * int64(70+r.IntN(60)) / 100
		u.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": e.ID, "priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, nil)
		if r.IntN(3) == 0 {
			return // it stays listed
		}
		buyer.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": e.ID}).Want(t, http.StatusOK, nil)
		buyer.paid[e.ID] = price
		delete(u.paid, e.ID)
	case 2:
		price := e.Item.BaseValueCents/500*500 + 500 // a price step at any height
		var bid struct{ ID string }
		buyer.Post(t, "/api/bids", apptest.Body{"scope": apptest.Body{"inventoryId": e.ID}, "priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, &bid)
		u.Post(t, "/api/bids/"+bid.ID+"/accept", apptest.Body{"inventoryId": e.ID, "expectedPriceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, nil)
		buyer.paid[e.ID] = price
		delete(u.paid, e.ID)
	case 3:
		u.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{e.ID}}).Want(t, http.StatusOK, nil)
		delete(u.paid, e.ID)
	case 4:
		u.Vault(t, e.ID)
		claim := u.Claim(t, e.ID)
		if r.IntN(2) == 0 {
			return // it waits, and is still the user's
		}
		for _, step := range []string{"pack", "ship", "deliver"} {
			admin.Step(t, step, claim).Want(t, http.StatusOK, nil)
		}
		delete(u.paid, e.ID)
	}
}

// open opens a pack. What its cards cost adds up to its price.
func (u *trader) open(t *testing.T, pack string) {
	t.Helper()
	var opened struct {
		Items []struct{ InventoryID string }
	}
	u.Post(t, "/api/packs/"+pack+"/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
	sum := int64(0)
	for _, item := range opened.Items {
		one := get[struct{ PaidCents int64 }](t, u.Client, "/api/inventory/"+item.InventoryID)
		u.paid[item.InventoryID] = one.PaidCents
		sum += one.PaidCents
	}
	if sum != 2500 {
		t.Errorf("the cards of pack %s cost %d together, want 2500", pack, sum)
	}
}

// recount adds the day's totals from the list of what the user owns now.
func (u *trader) recount(t *testing.T, day string) {
	t.Helper()
	total := valueDay{Day: day}
	owned := u.entries(t)
	if len(owned) != len(u.paid) || len(owned) == 200 {
		t.Fatalf("the user owns %d entries, want %d", len(owned), len(u.paid))
	}
	for _, e := range owned {
		if e.PaidCents != u.paid[e.ID] {
			t.Errorf("entry %s from %s cost %d, want %d", e.ID, e.AcquiredFrom, e.PaidCents, u.paid[e.ID])
		}
		total.ValueCents += e.Item.BaseValueCents
		total.PaidCents += u.paid[e.ID]
	}
	u.daily = append(u.daily, total)
}

// A request covers 30 days up to today unless it names others, and at most 1,830. Days after today are
// left out, and strangers don't see what the owner paid.
func TestCollectionValuePeriods(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		c := s.SignIn(t)
		value := func(query string) collectionValue {
			t.Helper()
			return get[collectionValue](t, c, "/api/inventory/value"+query)
		}
		today := clock.Now().UTC().Format(time.DateOnly)
		if v := value(""); v.FirstDay != nil || len(v.Days) != 30 || v.Days[29] != (valueDay{Day: today}) {
			t.Errorf("a new user has %+v, want 30 empty days up to today", v)
		}
		c.Deposit(t, 100)
		c.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		v := value("")
		if v.FirstDay == nil || *v.FirstDay != today || v.Days[29].ValueCents == 0 || v.Days[29].PaidCents != 2500 || v.Days[28] != (valueDay{Day: v.Days[28].Day}) {
			t.Errorf("after an open: %+v, want its value and price today only", v)
		}
		tomorrow := clock.Now().UTC().AddDate(0, 0, 1).Format(time.DateOnly)
		if v := value("?from=" + today + "&to=" + tomorrow); len(v.Days) != 1 || v.Days[0].PaidCents != 2500 {
			t.Errorf("up to tomorrow: %+v, want today only", v)
		}
		if v := value("?from=" + tomorrow + "&to=" + tomorrow); len(v.Days) != 0 {
			t.Errorf("tomorrow: %+v, want no day", v)
		}
		if v := value("?from=2020-01-01&to=2025-01-03"); len(v.Days) != 1830 || v.Days[1829].ValueCents != 0 {
			t.Errorf("the longest period has %d days", len(v.Days))
		}
		for _, query := range []string{"?from=2020-01-01&to=2025-01-04", "?from=2026-02-01&to=2026-01-31", "?from=2026-02-30", "?to=yesterday", "?from=1969-12-31&to=1970-01-01", "?days=3"} {
			c.Get(t, "/api/inventory/value"+query).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		s.NewClient(t).Get(t, "/api/inventory/value").Refused(t, http.StatusUnauthorized, "unauthenticated")
		other := s.SignIn(t)
		seen := get[map[string]any](t, other, "/api/inventory/"+get[[]entry](t, c, "/api/inventory/me")[0].ID)
		if _, ok := seen["paidCents"]; ok {
			t.Errorf("another user sees what the owner paid: %v", seen)
		}
	})
}
