package publicbooks_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/money"
	"kaibao/internal/publicbooks"
)

// days returns the books of the closed days, oldest first.
func days(t *testing.T, s *apptest.Server) (found []string) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		found, err = db.All(tx, db.Column[string], `SELECT body FROM book_days ORDER BY day`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

// Each day is closed once, an hour after its end, by any node. The log proves it, and the public
// books still contain everything.
func TestEachDayIsClosedOnce(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := s.SignIn(t)
		act := func() {
			ann.SignIn(t)
			ann.Deposit(t, 100)
			var opened struct {
				Items []struct{ InventoryID string }
			}
			ann.Post(t, "/api/packs/demo-pack-1/open", asked{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
			ann.Post(t, "/api/inventory/sell-back", asked{"inventoryIds": []string{opened.Items[0].InventoryID}}).Want(t, http.StatusOK, nil)
		}
		closeAll := func() {
			t.Helper()
			var nodes sync.WaitGroup
			for range 3 {
				nodes.Go(func() {
					if err := (&publicbooks.Service{DB: s.DB}).Close(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			nodes.Wait()
		}
		act()
		clock.Advance(13*time.Hour - time.Millisecond)
		closeAll()
		if got := days(t, s); len(got) != 0 {
			t.Fatalf("closed before the time: %q", got)
		}
		act() // an hour into the next day
		clock.Advance(time.Millisecond)
		closeAll()
		if got := days(t, s); len(got) != 1 || !strings.Contains(got[0], "day 2026-03-04\nopens 1 2500\nsellBacks 1 ") || !strings.Contains(got[0], "gifts 10000\n") {
			t.Fatalf("after the first day %q", got)
		}
		clock.Advance(3 * 24 * time.Hour)
		closeAll()
		act()
		if got := days(t, s); len(got) != 4 || !strings.Contains(got[3], "day 2026-03-07\nopens 2 5000\n") {
			t.Fatalf("after four days %q", got)
		}
		clock.Advance(time.Minute)
		b := read(t, s.NewClient(t))
		if b.Points.Opens != 3 || b.Points.SoldBack != 3 || b.Points.GiftsCents != 300_00 || b.Ledger.BalanceCents != 0 || b.Exposure.Entries != 12 || b.ClosedDay == nil || *b.ClosedDay != "2026-03-07" {
			t.Errorf("books after closing: %+v", b)
		}
		admin := s.Admin(t)
		daily := apptest.Get[[]publicbooks.DayView](t, admin, "/api/admin/days?limit=3")
		if len(daily) != 3 || daily[0].Day != "2026-03-07" || daily[0].Opens != 0 || daily[2].Day != "2026-03-05" || daily[2].Opens != 1 ||
			daily[2].RevenueCents != 25_00 || daily[2].GivenCents != 100_00 || daily[2].SellBacks != 1 {
			t.Errorf("day by day %+v", daily)
		}
		file := string(admin.Get(t, "/api/admin/days?format=csv").Body)
		if rows := strings.Split(file, "\n"); len(rows) != 6 || !strings.HasPrefix(rows[4], "2026-03-04,1,25.00,1,") {
			t.Errorf("as a file %q", rows)
		}
		metrics := apptest.Get[struct {
			RecentActivity          []struct{ ID string }
			Totals                  struct{ Opens, Packs, ActivePacks, Items int64 }
			RevenueCents, HeldCents money.Cents
		}](t, admin, "/api/admin/metrics")
		if metrics.Totals.Opens != 3 || metrics.Totals.Packs != 10 || metrics.Totals.ActivePacks != 10 || metrics.Totals.Items == 0 ||
			metrics.RevenueCents != 75_00 || len(metrics.RecentActivity) != 3 || metrics.HeldCents != b.Points.OutstandingCents {
			t.Errorf("metrics %+v", metrics)
		}
		if report := s.VerifyLog(t); report.Days != 4 {
			t.Errorf("the log has the books of %d days", report.Days)
		}
		s.Audit(t)
	})
}

// Books that don't balance aren't signed, and later days wait for them.
func TestUnbalancedBooksAreNotSigned(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := s.SignIn(t)
		ann.Deposit(t, 10)
		cent := func(by int) {
			change(t, s, func(tx *db.Tx) error {
				return tx.ExecOne(fmt.Sprintf(`UPDATE accounts SET balance_cents = balance_cents + %d`, by))
			})
		}
		cent(1)
		clock.Advance(40 * time.Hour)
		service := &publicbooks.Service{DB: s.DB}
		if err := service.Close(t.Context()); err == nil || !strings.Contains(err.Error(), "don't balance") || len(days(t, s)) != 0 {
			t.Errorf("closed: %v, %q", err, days(t, s))
		}
		cent(-1)
		if err := service.Close(t.Context()); err != nil || len(days(t, s)) != 2 {
			t.Errorf("not closed after the fix: %v", err)
		}
		s.Audit(t)
	})
}
