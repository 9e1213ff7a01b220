package publicbooks_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/publicbooks"
)

type asked = apptest.Body

func read(t *testing.T, c *apptest.Client) publicbooks.Books {
	t.Helper()
	return apptest.Get[publicbooks.Books](t, c, "/api/books")
}

// Every point issued, spent and paid back is counted in its line, and the users hold the rest. (The
// sellback model checks random sequences.)
func TestEveryPointIsCounted(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, ben, admin := s.SignIn(t), s.SignIn(t), s.Admin(t)
		anybody := s.NewClient(t)
		before := read(t, anybody)
		if before.Points.SpentCents != 0 || before.Exposure.Entries != 0 || before.LastAudit != nil || before.LastBackup != nil || len(before.Ledger.House) != 11 {
			t.Errorf("before anything: %+v", before)
		}
		ann.Deposit(t, 100)
		ben.Deposit(t, 100)
		admin.Post(t, "/api/wallet/deposit/manual", asked{"amount": 70, "walletAddress": ann.Address, "reason": "a prize"}).Want(t, http.StatusOK, nil)
		var opened struct {
			Items []struct {
				InventoryID    string
				SellBackCents  int64
				BaseValueCents int64
			}
		}
		ann.Post(t, "/api/packs/demo-pack-1/open", asked{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
		sale, back := opened.Items[0], opened.Items[1]
		ann.Post(t, "/api/marketplace/list", asked{"inventoryId": sale.InventoryID, "priceCents": 1000, "confirmedCents": 1000}).Want(t, http.StatusOK, nil)
		ben.Post(t, "/api/marketplace/buy", asked{"inventoryId": sale.InventoryID}).Want(t, http.StatusOK, nil)
		ann.Post(t, "/api/inventory/sell-back", asked{"inventoryIds": []string{back.InventoryID}}).Want(t, http.StatusOK, nil)
		var worst int64
		for n, i := range opened.Items {
			if n != 1 {
				worst += i.SellBackCents
			}
		}

		if again := read(t, anybody); again.At != before.At || again.Points != before.Points {
			t.Errorf("the books changed within a minute: %+v", again)
		}
		clock.Advance(time.Minute)
		b := read(t, anybody)
		want := publicbooks.PointsView{
			GiftsCents: 200_00, CreditsCents: 70_00, SpentCents: 25_00, Opens: 1, SalesCents: 10_00, Sales: 1, FeesCents: 50,
			SoldBack: 1, SoldBackCents: b.Points.SoldBackCents, OutstandingCents: 200_00 + 70_00 - 25_00 - 50 + b.Points.SoldBackCents,
		}
		if int64(b.Points.SoldBackCents) != back.SellBackCents || b.Points != want {
			t.Errorf("points %+v, want %+v", b.Points, want)
		}
		if b.Ledger.UsersCents != want.OutstandingCents || b.Ledger.HouseCents != -want.OutstandingCents || b.Ledger.BalanceCents != 0 || b.Ledger.Accounts != 3 {
			t.Errorf("ledger %+v", b.Ledger)
		}
		if b.Exposure.Entries != int64(len(opened.Items)-1) || int64(b.Exposure.Worst) != worst {
			t.Errorf("exposure %+v, want %d", b.Exposure, worst)
		}
	})
}

// Unchanged books have the same ETag; a balance without a transfer is visible; the times of audit
// and backup are shown.
func TestBooksShowErrorsAndMaintenance(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := s.SignIn(t)
		ann.Deposit(t, 10)
		anybody := s.NewClient(t)
		first := anybody.Get(t, "/api/books")
		tag := first.Header.Get("ETag")
		if tag == "" || anybody.Get(t, "/api/books", "If-None-Match", tag).Status != http.StatusNotModified {
			t.Errorf("no 304 for the tag %q", tag)
		}
		change(t, s, func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE accounts SET balance_cents = balance_cents + 1`)
			return err
		})
		change(t, s, publicbooks.NoteAudit)
		clock.Advance(time.Minute)
		change(t, s, backup.NoteMade)
		change(t, s, backup.NoteMade)
		b := read(t, anybody)
		if b.Ledger.BalanceCents != 1 {
			t.Errorf("an unexplained cent is not shown: %+v", b.Ledger)
		}
		if b.LastAudit == nil || *b.LastAudit != "2026-03-04T12:00:00.000Z" || b.LastBackup == nil || *b.LastBackup != "2026-03-04T12:01:00.000Z" {
			t.Errorf("audit at %v, backup at %v", b.LastAudit, b.LastBackup)
		}
		if anybody.Get(t, "/api/books", "If-None-Match", tag).Status != http.StatusOK {
			t.Error("changed books have the old tag")
		}
	})
}

func change(t *testing.T, s *apptest.Server, do func(*db.Tx) error) {
	t.Helper()
	if err := s.DB.InTx(context.WithoutCancel(t.Context()), do); err != nil {
		t.Fatal(err)
	}
}
