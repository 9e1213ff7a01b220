package ledger_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

type line struct {
	ID, Kind, RefKind, Ref, InventoryID, CreatedAt string
	AmountCents, BalanceCents                      int64
}

// Lines can be filtered by kind and by time to the microsecond, and downloaded as a CSV file.
func TestFilterAndDownloadLines(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		c := s.SignIn(t)
		for range 210 { // more than a page
			c.Deposit(t, 1)
			clock.Advance(time.Minute)
		}
		from := clock.Now()
		var pulled struct {
			OpenID string
			Items  []struct{ InventoryID string }
		}
		c.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, &pulled)
		clock.Advance(time.Minute)
		to := clock.Now()
		entry := pulled.Items[0].InventoryID
		c.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{entry}}).Want(t, http.StatusOK, nil)

		find := func(query url.Values) []line {
			return apptest.Get[[]line](t, c, "/api/wallet/transactions?"+query.Encode())
		}
		if got := find(url.Values{"kind": {"sell-back"}}); len(got) != 1 || got[0].RefKind != "entry" || got[0].Ref != entry || got[0].InventoryID != entry || got[0].AmountCents <= 0 {
			t.Errorf("sell-backs: %+v", got)
		}
		during := url.Values{"from": {from.Format(time.RFC3339Nano)}, "to": {to.Format(time.RFC3339Nano)}}
		if got := find(during); len(got) != 1 || got[0].RefKind != "open" || got[0].Ref != pulled.OpenID {
			t.Errorf("from %s to %s: %+v", from, to, got)
		}
		if got := find(url.Values{"from": {to.Add(time.Microsecond).Format(time.RFC3339Nano)}}); len(got) != 0 {
			t.Errorf("after the last line: %+v, want none", got)
		}
		for _, wrong := range []string{"kind=gift", "from=yesterday", "format=xml"} {
			c.Get(t, "/api/wallet/transactions?"+wrong).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		for query, headers := range map[string][]string{"?format=csv": nil, "": {"Accept", "text/csv"}} {
			answer := c.Get(t, "/api/wallet/transactions"+query, headers...)
			wantCSV(t, c, answer)
		}
		if answer := c.Get(t, "/api/wallet/transactions?format=json", "Accept", "text/csv"); !strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json") {
			t.Errorf("with format=json the answer is %s", answer.Header.Get("Content-Type"))
		}
	})
}

// wantCSV checks that a CSV file has the same lines as the list's pages.
func wantCSV(t *testing.T, c *apptest.Client, answer apptest.Answer) {
	t.Helper()
	if answer.Status != http.StatusOK || !strings.HasPrefix(answer.Header.Get("Content-Type"), "text/csv") ||
		!strings.Contains(answer.Header.Get("Content-Disposition"), ".csv") {
		t.Fatalf("%d %v", answer.Status, answer.Header)
	}
	records := answer.CSV(t)
	want := [][]string{{"time", "kind", "amount", "balance", "refKind", "ref", "id"}}
	for cursor := ""; len(want) == 1 || cursor != ""; {
		page := c.Get(t, "/api/wallet/transactions?limit=50&cursor="+cursor)
		var lines []line
		page.Want(t, http.StatusOK, &lines)
		for _, l := range lines {
			want = append(want, []string{l.CreatedAt, l.Kind, points(l.AmountCents), points(l.BalanceCents), l.RefKind, l.Ref, l.ID})
		}
		cursor = page.Header.Get("X-Next-Cursor")
	}
	if !slices.EqualFunc(records, want, slices.Equal) {
		t.Errorf("%d records, want %d:\n%v\n%v", len(records), len(want), records[:3], want[:3])
	}
}

func points(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}
