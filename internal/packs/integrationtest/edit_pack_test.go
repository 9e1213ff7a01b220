package integrationtest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
)

// adminPack is a pack as shown to admins.
type adminPack struct {
	ID, Name, ManifestHash, Paused string
	PriceCents, ItemsPerPack       int64
	Supply, LostCents              int64
	Sold                           *int64
	IsActive                       bool
	Wanted                         struct {
		Name, CoverImageURL      string
		PriceCents, ItemsPerPack int64
		Series                   []string
		Shares                   []struct{ Label, Share string }
		IsActive                 bool
		AcceptedLossCents        *int64
	}
	Announced *struct{ ManifestHash, EffectiveAt string }
}

func edit(t *testing.T, admin *apptest.Client, pack string, change apptest.Body) apptest.Answer {
	t.Helper()
	return admin.Call(t, http.MethodPatch, "/api/admin/packs/"+pack, change)
}

func edited(t *testing.T, admin *apptest.Client, pack string, change apptest.Body) (p adminPack) {
	t.Helper()
	edit(t, admin, pack, change).Want(t, http.StatusOK, &p)
	return p
}

// drawn is the price and the outcome of an open.
type drawn struct {
	ManifestHash string
	PriceCents   int64
	Items        []struct{ ID string }
}

func openPack(t *testing.T, c *apptest.Client, pack, manifest string) (d drawn) {
	t.Helper()
	c.Post(t, "/api/packs/"+pack+"/open", apptest.Body{"clientSeed": "x", "manifest": manifest}).Want(t, http.StatusOK, &d)
	return d
}

// New price and odds apply when their manifest takes effect; an open that names the previous
// manifest pays and draws by that.
func TestEditAppliesWhenItsManifestTakesEffect(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin, buyer := s.Admin(t), s.SignIn(t)
		buyer.Deposit(t, 1000)
		before := apptest.Get[pack](t, buyer, "/api/packs/3")
		got := edited(t, admin, "3", apptest.Body{"name": "Hoops", "priceCents": 6000, "lootTableJson": apptest.Body{"itemsPerPack": 2}})
		if got.Name != before.Name || got.PriceCents != 2500 || got.ItemsPerPack != 1 || got.ManifestHash != before.ManifestHash ||
			got.Wanted.Name != "Hoops" || got.Wanted.PriceCents != 6000 || got.Wanted.ItemsPerPack != 2 || got.Announced == nil {
			t.Fatalf("edited pack is %+v, want the edit in Wanted and Announced and the rest unchanged", got)
		}
		if now := apptest.Get[pack](t, buyer, "/api/packs/3"); now.PriceCents != 2500 || now.ItemsPerPack != 1 {
			t.Errorf("the store shows %+v before it takes effect", now)
		}
		if d := openPack(t, buyer, "3", ""); d.PriceCents != 2500 || d.ManifestHash != before.ManifestHash {
			t.Errorf("opened by %+v before it takes effect", d)
		}
		clock.Advance(10 * time.Minute)
		if d := openPack(t, buyer, "3", ""); d.PriceCents != 6000 || d.ManifestHash != got.Announced.ManifestHash || len(d.Items) != 2 {
			t.Errorf("opened by %+v", d)
		}
		if d := openPack(t, buyer, "3", before.ManifestHash); d.PriceCents != 2500 || len(d.Items) != 1 {
			t.Errorf("by the previous manifest, the open was %+v", d)
		}
		now := apptest.Get[pack](t, buyer, "/api/packs/3")
		if now.Name != "Hoops" || now.Price != "$60.00" || now.ManifestHash != got.Announced.ManifestHash {
			t.Errorf("the store shows %+v", now)
		}
		all := apptest.Get[[]adminPack](t, admin, "/api/admin/packs")
		if n := slices.IndexFunc(all, func(p adminPack) bool { return p.ID == "3" }); all[n].Announced != nil {
			t.Errorf("still announced: %+v", all[n])
		}
		s.VerifyLog(t)
		s.Audit(t)
	})
}

func TestEditRefusals(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, buyer := s.Admin(t), s.SignIn(t)
		buyer.Deposit(t, 50)
		openPack(t, buyer, "3", "")
		shares := func(rarities apptest.Body) apptest.Body { return apptest.Body{"rarities": rarities} }
		for field, values := range map[string][]any{
			"name":              {"", "42", strings.Repeat("x", 61), "a\nb"},
			"nameZh":            {"42", "25元", strings.Repeat("包", 61), "篮\n球", "篮\u0007球"},
			"priceCents":        {0, -1, 2.5, 10_000_001},
			"supply":            {-2, 0, 1_000_000_001},
			"series":            {[]string{""}, []string{"No such series"}},
			"coverImageUrl":     {"http://pictures.example/1.png", "data:image/png;base64,x"},
			"lootTableJson":     {apptest.Body{"itemsPerPack": 0}, apptest.Body{"itemsPerPack": 21}},
			"acceptedLossCents": {-1},
			"isActive":          {"yes"},
		} {
			for _, value := range values {
				edit(t, admin, "3", apptest.Body{field: value}).Refused(t, http.StatusUnprocessableEntity, "invalid")
			}
		}
		for _, bad := range []apptest.Body{{}, {"$5-15": 0.9}, {"$5-15": 1, "$15-25": 0.000001}, {"Common": 1}, {"$5-15": 2, "$15-25": -1}} {
			edit(t, admin, "3", apptest.Body{"lootTableJson": shares(bad)}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		edit(t, admin, "demo-pack-1", apptest.Body{"lootTableJson": shares(apptest.Body{"$5-15": 1})}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		edit(t, admin, "nine", apptest.Body{"priceCents": 100}).Refused(t, http.StatusNotFound, "not_found")
		buyer.Call(t, http.MethodPatch, "/api/admin/packs/3", apptest.Body{"priceCents": 100}).Refused(t, http.StatusForbidden, "forbidden")
		if n := len(announced(t, s, "3")); n != 1 {
			t.Errorf("refused edits announced %d manifests", n-1)
		}
		edited(t, admin, "3", apptest.Body{})
		if n := len(announced(t, s, "3")); n != 1 {
			t.Errorf("an empty edit announced %d manifests", n-1)
		}
		s.Audit(t)
	})
}

// A counter that an edit turns on includes all earlier opens, and changes that need no manifest
// apply immediately.
func TestEditCountsEarlierOpens(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, buyer := s.Admin(t), s.SignIn(t)
		buyer.Deposit(t, 1000)
		for range 3 {
			openPack(t, buyer, "2", "")
		}
		edit(t, admin, "2", apptest.Body{"supply": 2}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		if p := edited(t, admin, "2", apptest.Body{"supply": 4}); p.Sold == nil || *p.Sold != 3 {
			t.Errorf("pack with a supply of 4 is %+v, want the 3 earlier opens counted as sold", p)
		}
		s.Audit(t)
		openPack(t, buyer, "2", "")
		buyer.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": "x"}).Refused(t, http.StatusGone, "sold_out")
		edited(t, admin, "2", apptest.Body{"supply": -1})
		s.Audit(t)
		if p := edited(t, admin, "2", apptest.Body{"acceptedLossCents": 100_000}); p.Wanted.AcceptedLossCents == nil || *p.Wanted.AcceptedLossCents != 100_000 {
			t.Errorf("pack is %+v, want an accepted loss of 100000 cents", p)
		}
		s.Audit(t)
		openPack(t, buyer, "2", "")
		if p := edited(t, admin, "2", apptest.Body{"acceptedLossCents": 0, "coverImageUrl": "https://pictures.example/1.png"}); p.Wanted.AcceptedLossCents != nil ||
			p.Wanted.CoverImageURL != "https://pictures.example/1.png" {
			t.Errorf("pack is %+v, want no accepted loss and the new cover", p)
		}
		s.Audit(t)
		if p := edited(t, admin, "2", apptest.Body{"isActive": false}); p.IsActive || p.Wanted.IsActive {
			t.Errorf("pack is %+v, want it off sale", p)
		}
		buyer.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": "x"}).Refused(t, http.StatusGone, "inactive")
		edited(t, admin, "2", apptest.Body{"name": "Quiet"}) // the guard judges only packs on sale
		if p := edited(t, admin, "2", apptest.Body{"isActive": true}); !p.IsActive {
			t.Errorf("pack is %+v, want it on sale", p)
		}
		openPack(t, buyer, "2", "")
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// Tiers by value keep their published weights until an admin sets shares.
func TestValueTiersCanGetShares(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin := s.Admin(t)
		p := edited(t, admin, "2", apptest.Body{})
		if len(p.Wanted.Shares) != 6 || p.Wanted.Shares[0].Share != "0.298" || p.Wanted.Shares[0].Label != "$5-15" {
			t.Fatalf("shares are %+v, want 6, the first being $5-15 with 0.298", p.Wanted.Shares)
		}
		p = edited(t, admin, "2", apptest.Body{"lootTableJson": apptest.Body{"rarities": apptest.Body{"$5-15": 0.7, "$15-25": 0.3}}})
		published := func() (shares []float64) {
			for _, line := range apptest.Get[pack](t, admin, "/api/packs/2").Odds {
				shares = append(shares, line.Published)
			}
			return shares
		}
		if got := published(); len(got) != 6 || got[0] != 0.298 {
			t.Errorf("before the edit takes effect the odds are %v", got)
		}
		clock.Advance(10 * time.Minute)
		if got := published(); !slices.Equal(got, []float64{0.7, 0.3}) || p.Wanted.Shares[0].Share != "0.7" || p.Wanted.Shares[2].Share != "0" {
			t.Errorf("the odds are %v of %+v", got, p.Wanted.Shares)
		}
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// The margin guard judges a losing pack on every path: create, edit, values and stock.
func TestMarginGuardCoversEveryPath(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin, buyer := s.Admin(t), s.SignIn(t)
		buyer.Deposit(t, 5000)
		dear := apptest.Body{"name": "Dear", "priceCents": 2500, "series": []string{"Pokemon"}, "lootTableJson": apptest.Body{"rarities": apptest.Body{"Legendary": 1}, "itemsPerPack": 1}}
		admin.Post(t, "/api/admin/packs", dear).Refused(t, http.StatusConflict, "margin")
		for _, losing := range []apptest.Body{{"priceCents": 100}, {"lootTableJson": apptest.Body{"itemsPerPack": 2}}, {"lootTableJson": apptest.Body{"rarities": apptest.Body{"$100-200": 1}}}} {
			refused := edit(t, admin, "2", losing).Refused(t, http.StatusConflict, "margin")
			if fits(t, refused).LowestPriceCents == nil {
				t.Errorf("%v: %s", losing, refused.Details)
			}
		}
		var hidden adminPack
		admin.Post(t, "/api/admin/packs", dear.With("isActive", false)).Want(t, http.StatusOK, &hidden)
		edit(t, admin, hidden.ID, apptest.Body{"isActive": true}).Refused(t, http.StatusConflict, "margin")
		edited(t, admin, hidden.ID, apptest.Body{"isActive": true, "acceptedLossCents": 50_000})
		edit(t, admin, hidden.ID, apptest.Body{"acceptedLossCents": 0}).Refused(t, http.StatusConflict, "margin")

		expectPaused := func(why, pack string) {
			t.Helper()
			var found adminPack
			for _, p := range apptest.Get[[]adminPack](t, admin, "/api/admin/packs") {
				if p.ID == pack {
					found = p
				}
			}
			buyer.Post(t, "/api/packs/"+pack+"/open", apptest.Body{"clientSeed": "x"}).Refused(t, http.StatusGone, "inactive")
			if found.IsActive || found.Paused == "" || !found.Wanted.IsActive {
				t.Errorf("%s: %+v", why, found)
			}
		}
		common := func(series string) item { // of a tier that is drawn often
			return apptest.Get[[]item](t, admin, "/api/items?series="+series+"&sortBy=price-low&minPrice=15")[0]
		}
		s.SetValue(t, admin, common("Soccer").ID, 1_000_000_00)
		expectPaused("a value", "5")
		football := "id,name,series,rarity,baseValueCents\n"
		for _, i := range apptest.Get[[]item](t, admin, "/api/items?series=Football&limit=200") { // doubled
			football += fmt.Sprintf("%s,%q,%s,%s,%d\n", i.ID, i.Name, i.Series, i.Rarity, 2*i.BaseValueCents)
		}
		admin.Post(t, "/api/admin/catalogue/import", apptest.Body{"format": "csv", "reason": "A list came.", "text": football}).Want(t, http.StatusOK, nil)
		expectPaused("an import", "4")

		// The cheap toys of pack 8, which no longer accepts a loss, run out.
		toys := apptest.Get[[]item](t, admin, "/api/items?series=Labubu+Deluxe+Collection&sortBy=price-low")
		edited(t, admin, "8", apptest.Body{"isActive": false, "acceptedLossCents": 0, "sealing": "instant"})
		clock.Advance(20 * time.Minute)
		for _, toy := range toys[:len(toys)-1] {
			changeItem(t, admin, toy.ID, apptest.Body{"restock": apptest.Body{"count": -25}}).Want(t, http.StatusOK, nil)
		}
		edit(t, admin, "8", apptest.Body{"isActive": true}).Refused(t, http.StatusConflict, "margin")
		edited(t, admin, "8", apptest.Body{"isActive": true, "acceptedLossCents": 1})
		openPack(t, buyer, "8", "")
		expectPaused("stock that ran out", "8")
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// A loss above an admin's limit waits for a second one, and so does the sale of a pack that needs
// it; the rest of the edit applies.
func TestLargeLossWaitsForSecondAdmin(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		var p struct {
			adminPack
			Approval *struct{ ID string }
		}
		edit(t, admin, "2", apptest.Body{"priceCents": 2000, "acceptedLossCents": 100_000_000_000, "reason": "A sale."}).Want(t, http.StatusOK, &p)
		if p.Approval == nil || p.Wanted.IsActive || p.Wanted.PriceCents != 2000 || p.Wanted.AcceptedLossCents != nil {
			t.Fatalf("pack is %+v, want the new price, a waiting approval, no accepted loss, off sale", p)
		}
		edit(t, admin, "3", apptest.Body{"name": "Hoops", "acceptedLossCents": 100_000_000_000}).Want(t, http.StatusOK, &p)
		if p.Approval == nil || !p.Wanted.IsActive || p.Wanted.Name != "Hoops" {
			t.Fatalf("pack is %+v, want the new name, a waiting approval, still on sale", p)
		}
		edit(t, admin, "3", apptest.Body{"acceptedLossCents": 100_000_000_000}).Refused(t, http.StatusConflict, "request_waiting")
		s.Audit(t)
	})
}

// The announcement time is set after waiting for the publishing lock.
func TestAnnouncementTimeIsAfterPublishingLock(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			clock.Advance(time.Minute)
			err := packs.LockPublishing(tx)
			if !tx.AnnouncedAt.Equal(clock.Now()) {
				t.Errorf("announced at %v, but it is %v", tx.AnnouncedAt, clock.Now())
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	})
}

// lockIsAwaited reports whether a transaction of the PostgreSQL database is waiting for a lock.
func lockIsAwaited(t *testing.T, s *apptest.Server) (some bool) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		some, err = db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database())`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return some
}

// An edit that waited for the pack's row lock announces its manifest as of the end of the wait.
func TestAnnouncementTimeIsAfterPackLock(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		if s.DB.Engine() != "postgres" {
			return // one transaction writes at a time
		}
		admin, answered := s.Admin(t), make(chan apptest.Answer)
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			if err := tx.ExecOne(`UPDATE packs SET name = name WHERE id = '2'`); err != nil {
				return err
			}
			go func() { answered <- edit(t, admin, "2", apptest.Body{"priceCents": 2600}) }()
			apptest.Until(t, "the edit waits", func() bool { return lockIsAwaited(t, s) })
			clock.Advance(2 * policy.StatedWithin(policy.OrdinaryNotice))
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		var p adminPack
		(<-answered).Want(t, http.StatusOK, &p)
		if at := httpapi.Timestamp(clock.Now().Add(policy.OrdinaryNotice)); p.Announced == nil || p.Announced.EffectiveAt != at {
			t.Errorf("announced %+v, want it in force at %s", p.Announced, at)
		}
		s.Audit(t)
	})
}

// Acts that publish are serialized, so that the rows they read don't change meanwhile.
func TestPublishersAreSerialized(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		if s.DB.Engine() != "postgres" {
			return // one transaction writes at a time
		}
		admin := s.Admin(t)
		for name, act := range map[string]func() apptest.Answer{
			"an item": func() apptest.Answer {
				return admin.Call(t, http.MethodPatch, "/api/admin/items/pkm-001", apptest.Body{"baseValueCents": 500, "source": "An auction", "reason": "It fell."})
			},
			"a pack": func() apptest.Answer {
				return admin.Call(t, http.MethodPatch, "/api/admin/packs/2", apptest.Body{"name": "Renamed"})
			},
			"a new pack": func() apptest.Answer {
				return admin.Post(t, "/api/admin/packs", apptest.Body{"name": "Late", "priceCents": 100_000, "series": []string{"Pokemon"}, "isActive": false,
					"lootTableJson": apptest.Body{"rarities": apptest.Body{"Common": 1}, "itemsPerPack": 1}})
			},
			"an import": func() apptest.Answer {
				return admin.Post(t, "/api/admin/catalogue/import", apptest.Body{"format": "csv", "reason": "A list.", "text": "id,name,series,rarity,baseValueCents\nlate-1,Late,Late,Rare,5\n"})
			},
		} {
			answered := make(chan apptest.Answer)
			if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				if err := packs.LockPublishing(tx); err != nil {
					return err
				}
				go func() { answered <- act() }()
				apptest.Until(t, name+" waits", func() bool { return lockIsAwaited(t, s) })
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			(<-answered).Want(t, http.StatusOK, nil)
		}
		s.Audit(t)
	})
}
