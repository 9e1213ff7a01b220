package trades_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/trades"
)

// sold makes one user sell an entry to another, who sells it back.
func sold(t *testing.T, s *apptest.Server) (entry, item string) {
	t.Helper()
	ann, ben := s.SignIn(t), s.SignIn(t)
	ann.Deposit(t, 100)
	ben.Deposit(t, 1000)
	var opened struct {
		Items []struct{ InventoryID, ID string }
	}
	ann.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
	entry, item = opened.Items[0].InventoryID, opened.Items[0].ID
	ann.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": entry, "priceCents": 1990, "confirmedCents": 1990}).Want(t, http.StatusOK, nil)
	ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": entry}).Want(t, http.StatusOK, nil)
	ben.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{entry}}).Want(t, http.StatusOK, nil)
	return entry, item
}

// A sale and a sell-back are both trades in the log.
func TestEveryTradeIsInTheLog(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		entry, item := sold(t, s)
		worth := apptest.Get[struct{ BaseValueCents int64 }](t, s.NewClient(t), "/api/items/"+item).BaseValueCents
		s.Audit(t)
		if report := s.VerifyLog(t); report.Trades != 2 {
			t.Errorf("the log has %d trades, want 2", report.Trades)
		}
		err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
			last, err := trades.LastSales(tx, item, 10)
			if err != nil || len(last) != 1 {
				t.Fatalf("%v: %+v", err, last)
			}
			l := last[0]
			if l.ID != l.Listing || l.Entry != entry || l.Kind != trades.Listing || l.Price != 1990 || l.Fee != 100 || int64(l.Value) != worth {
				t.Errorf("sale %+v", l)
			}
			found, err := trades.Sold(tx, []string{l.ID, entry})
			if len(found) != 1 || found[l.ID] != entry {
				t.Errorf("sold listings %v", found)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// The audit accepts a bid paid from its hold and a counter-offer paid from hold and balance, but
// not other combinations, and checks the entry's events.
func TestAuditChecksHowTradesArePaid(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		sold(t, s)
		const (
			asBid     = `UPDATE trades SET kind = 'bid', bid_id = id, listing_id = NULL WHERE kind = 'listing'`
			asCounter = `UPDATE trades SET kind = 'counter', bid_id = id, listing_id = NULL WHERE kind = 'listing'`
			filled    = `UPDATE entry_events SET act = 'fill a bid' WHERE act = 'buy'`
			held      = `UPDATE transfers SET kind = 'bid-fill', debit = 'bids:' || debit, debit_line = NULL, debit_balance_cents = NULL WHERE kind = 'sale'`
			split     = `INSERT INTO transfers (id, debit, credit, amount_cents, kind, ref, created_at)
				SELECT ref, 'bids:' || debit, credit, 990, 'bid-fill', ref, created_at FROM transfers WHERE kind = 'sale'`
			rest = `UPDATE transfers SET amount_cents = 1000, kind = 'counter' WHERE kind = 'sale'`
		)
		for name, c := range map[string]struct {
			acts []string
			off  string // the broken rules, without the one about leaves, in order
		}{
			"a bid, paid with what it held":      {[]string{asBid, filled, held}, ""},
			"a bid, paid from the balance":       {[]string{asBid, filled}, "each trade's payment and fee must match the transfers; each payment for a trade must have a matching trade"},
			"a listing, paid with what was held": {[]string{held}, ""},
			"a listing, paid twice":              {[]string{split}, "each trade's payment and fee must match the transfers"},
			"a counter-offer, paid with both":    {[]string{asCounter, filled, split, rest}, ""},
			"a counter-offer, paid twice":        {[]string{asCounter, filled, split}, "each trade's payment and fee must match the transfers; each payment for a trade must have a matching trade"},
			"a bid, recorded as a purchase":      {[]string{asBid, held}, "each trade must match an event of its entry"},
		} {
			found := after(t, s, c.acts)
			for _, b := range found {
				if b.Rule != "each trade must match its leaf in the log" && !strings.Contains(c.off, b.Rule) {
					t.Errorf("%s: %+v", name, b)
				}
			}
			if c.off != "" && !strings.Contains(rules(found), c.off) {
				t.Errorf("%s: want %q, broken rules are %q", name, c.off, rules(found))
			}
		}
	})
}

func rules(found []audit.Breach) (text string) {
	for _, b := range found {
		text += b.Rule + "; "
	}
	return text
}

// after returns what the audit finds after the statements, which are rolled back.
func after(t *testing.T, s *apptest.Server, acts []string) (found []audit.Breach) {
	t.Helper()
	undo := errors.New("undo")
	err := s.DB.InTx(t.Context(), func(tx *db.Tx) (err error) {
		for _, table := range []string{"trades", "transfers"} {
			dbtest.AllowChanges(t, tx, s.DB.Engine(), table)
		}
		for _, act := range acts {
			if _, err := tx.Exec(act); err != nil {
				return err
			}
		}
		found, err = trades.Audit(tx)
		return errors.Join(err, undo)
	})
	if !errors.Is(err, undo) || strings.Contains(err.Error(), "\n") {
		t.Fatal(err)
	}
	return found
}
