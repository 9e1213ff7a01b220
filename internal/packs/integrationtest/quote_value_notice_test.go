package integrationtest_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// quoteValue returns an item's quote value in cents.
func quoteValue(t *testing.T, s *apptest.Server, item string) (cents int64) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		values, err := catalogue.QuoteValues(tx, []string{item})
		cents = int64(values[item])
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return cents
}

// A lower value counts immediately. A higher one counts from the moment when no manifest with the
// old value is in force or honored.
func TestQuoteValueFollowsManifests(t *testing.T) {
	type step struct {
		after time.Duration // since the previous step
		set   int64         // relative to the initial value; 0 = unchanged
		want  int64         // quote value, relative to the initial value
	}
	const notice, grace = 10 * time.Minute, 10 * time.Minute
	var tried []func(*testing.T, *apptest.Server, *dbtest.Clock, *apptest.Client, item)
	for name, steps := range map[string][]step{
		"lowered":      {{set: -40, want: -40}, {after: time.Hour, want: -40}},
		"raised":       {{set: 50, want: 0}, {after: notice, want: 0}, {after: grace - time.Millisecond, want: 0}, {after: time.Millisecond, want: 50}},
		"raise undone": {{set: 50, want: 0}, {after: time.Minute, set: -10, want: -10}, {after: time.Hour, want: -10}},
		"lowering undone": {{set: -40, want: -40}, {after: time.Minute, set: -1, want: -40},
			{after: notice + grace - time.Millisecond, want: -40}, {after: time.Millisecond, want: -1}},
		"raised twice": {{set: 50, want: 0}, {after: time.Minute, set: 90, want: 0},
			{after: notice + grace - time.Minute, want: 50}, {after: time.Minute, want: 90}},
	} {
		tried = append(tried, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock, admin *apptest.Client, card item) {
			for n, step := range steps {
				clock.Advance(step.after)
				if step.set != 0 {
					s.SetValue(t, admin, card.ID, card.BaseValueCents+step.set)
				}
				if got := quoteValue(t, s, card.ID) - card.BaseValueCents; got != step.want {
					t.Errorf("%s, step %d: quote value %d, want %d", name, n, got, step.want)
				}
				s.Audit(t)
			}
		})
	}
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin := s.Admin(t)
		cards := apptest.Get[[]item](t, admin, "/api/items?series=Pokemon")
		for n, try := range tried {
			try(t, s, clock, admin, cards[n])
		}
	})
}

// A node restarted with a shorter notice period puts no manifest in force before those announced
// earlier, and no higher value counts earlier.
func TestShorterNoticeKeepsManifestOrder(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin := s.Admin(t)
		card := apptest.Get[[]item](t, admin, "/api/items?series=Pokemon")[0]
		s.SetValue(t, admin, card.ID, card.BaseValueCents-10)
		shorter := s.Config
		s.Stop()
		shorter.ManifestDelay = time.Minute
		s = apptest.Start(t, shorter)
		admin.Base = s.URL
		admin.SignIn(t)
		s.SetValue(t, admin, card.ID, card.BaseValueCents+10)
		published := announced(t, s, "2")
		if last := published[len(published)-1]; last.Effective.Before(published[len(published)-2].Effective) {
			t.Errorf("in force from %s, the previous one from %s", last.Effective, published[len(published)-2].Effective)
		}
		s.Audit(t)
		clock.Advance(11*time.Minute - time.Millisecond)
		if got := quoteValue(t, s, card.ID); got != card.BaseValueCents-10 {
			t.Errorf("quote value %d while the older manifest is honored", got)
		}
		clock.Advance(time.Millisecond)
		if got := quoteValue(t, s, card.ID); got != card.BaseValueCents+10 {
			t.Errorf("quote value %d, want the higher one", got)
		}
		s.Audit(t)
	})
}

// The new value of an item in no manifest counts immediately, and nothing is announced.
func TestItemInNoPackIsRevaluedImmediately(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		var made item
		admin.Post(t, "/api/admin/items", apptest.Body{"name": "Alone", "series": "None", "rarity": "Rare", "baseValueCents": 500}).Want(t, http.StatusOK, &made)
		before := len(announced(t, s, "2"))
		s.SetValue(t, admin, made.ID, 900)
		if got := quoteValue(t, s, made.ID); got != 900 || len(announced(t, s, "2")) != before {
			t.Errorf("quote value %d, want 900", got)
		}
		s.Audit(t)
	})
}

// A valuation republishes only the packs that hold the item, is idempotent by key, and is in the
// admin log with the item's name.
func TestValuationIsIdempotentAndAudited(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		valued := apptest.Body{"baseValueCents": 20000, "source": "An auction", "reason": "It fell."}
		for range 2 {
			var got item
			admin.Call(t, http.MethodPatch, "/api/admin/items/pkm-001", valued, "Idempotency-Key", "k").Want(t, http.StatusOK, &got)
			if got.BaseValueCents != 20000 || got.ID != "pkm-001" {
				t.Errorf("item is %+v, want pkm-001 at 20000 cents", got)
			}
		}
		if two, three := announced(t, s, "2"), announced(t, s, "3"); len(two) != 2 || len(three) != 1 {
			t.Errorf("pack 2 was published %d times, pack 3 %d times", len(two), len(three))
		}
		acts := apptest.Get[[]struct{ Act, Path string }](t, admin, "/api/admin/audit")
		if want := (struct{ Act, Path string }{"edit-item", "/api/admin/items/pkm-001"}); len(acts) != 1 || acts[0] != want {
			t.Errorf("the admin log has %+v", acts)
		}
		for field, bad := range map[string]any{"baseValueCents": 0, "source": " ", "reason": ""} {
			spoilt := valued.With(field, bad)
			admin.Call(t, http.MethodPatch, "/api/admin/items/pkm-001", spoilt).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		admin.Call(t, http.MethodPatch, "/api/admin/items/nothing", valued).Refused(t, http.StatusNotFound, "not_found")
		s.SignIn(t).Call(t, http.MethodPatch, "/api/admin/items/pkm-001", valued).Refused(t, http.StatusForbidden, "forbidden")
		s.Audit(t)
	})
}

// A $20 card is corrected to $600. From the announcement on, packs that hold it at the old value
// can't be opened. The pack becomes available again when the new manifest takes effect, and the old
// one is not honored then.
func TestPackIsBlockedWhileItsManifestIsTooCheap(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin, reader := s.Admin(t), s.SignIn(t)
		reader.Deposit(t, 1000)
		old := apptest.Get[pack](t, reader, "/api/packs/2").ManifestHash
		var cheap string
		for _, i := range apptest.Get[[]item](t, reader, "/api/items?series=Pokemon&sortBy=price-low&minPrice=15") {
			cheap = i.ID
			break
		}
		for _, i := range []string{cheap, "pkm-001"} {
			s.SetValue(t, admin, i, 60_000_00)
		}
		open := func(manifest string) apptest.Answer {
			return reader.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": "x", "manifest": manifest})
		}
		for _, named := range []string{"", old} {
			open(named).Refused(t, http.StatusGone, "inactive")
		}
		if apptest.Get[pack](t, reader, "/api/packs/2").IsActive {
			t.Error("the pack is shown as open")
		}
		clock.Advance(10*time.Minute - time.Millisecond)
		open("").Refused(t, http.StatusGone, "inactive")
		clock.Advance(time.Millisecond)
		open(old).Refused(t, http.StatusConflict, "manifest_changed")
		open("").Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
}

// A toy whose value exceeds its tier's range leaves the tier.
func TestNamedItemLeavesTierAboveItsRange(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin := s.Admin(t)
		toys := apptest.Get[[]item](t, admin, "/api/items?series=Labubu+Deluxe+Collection&sortBy=price-low")
		s.SetValue(t, admin, toys[0].ID, 700_00)
		clock.Advance(10 * time.Minute)
		shown := apptest.Get[pack](t, admin, "/api/packs/8")
		if !slices.ContainsFunc(shown.Odds, func(o struct {
			Label             string
			Weight            uint64
			Published, Chance float64
		}) bool {
			return o.Weight > 0
		}) {
			t.Errorf("odds of pack 8 are %+v, want a tier with weight", shown.Odds)
		}
		left := stockOf(t, s, announced(t, s, "8")[1])
		if left[toys[0].ID] != 25 || fmt.Sprintf("%x", announced(t, s, "8")[1].Manifest) != shown.ManifestHash {
			t.Errorf("the toy's stock is %d", left[toys[0].ID])
		}
		s.Audit(t)
	})
}

// The audit finds the valuation in the admin log regardless of how the request was encoded.
func TestValuationIsAuditedForAnyEncoding(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		admin.Call(t, http.MethodPatch, "/api/admin/items/%70km-001", `{ "baseValueCents" : 500, "source" : "An auction", "reason" : "It fell." }`).
			Want(t, http.StatusOK, nil)
		s.SetValue(t, admin, "pkm-001", 500)
		s.Audit(t)
	})
}
