package admin_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"kaibao/internal/admin"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

type act struct {
	Act, By, WalletAddress, Subject, Reason, Path string
	Before, After, Request                        json.RawMessage
}

// The admin log has every act with its admin, subject, before, after and reason, and can be
// filtered by each. The CSV file has the same lines, escaped for spreadsheets.
func TestAdminLogHasEveryAct(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ada, ann := s.Admin(t), s.Admin(t)
		id := apptest.Get[[]user](t, ada, "/api/admin/users?search="+ann.Address)[0].ID
		do := func(method, path string, body apptest.Body) {
			t.Helper()
			clock.Advance(time.Second)
			ada.Call(t, method, path, body).Want(t, http.StatusOK, nil)
		}
		do(http.MethodPost, "/api/wallet/deposit/manual", apptest.Body{"amount": 5, "walletAddress": ann.Address, "reason": "=a prize"})
		do(http.MethodPatch, "/api/admin/items/pkm-001", apptest.Body{"baseValueCents": 43000, "source": "An auction", "reason": "It rose 100%."})
		clock.Advance(13 * time.Hour)
		do(http.MethodPost, "/api/admin/users/"+id+"/role", apptest.Body{"role": "user", "reason": "left us"})
		do(http.MethodPost, "/api/admin/items", apptest.Body{"name": "2026 Somebody", "series": "Test", "rarity": "Rare", "baseValueCents": 100})
		clock.Advance(time.Second)
		for range 2 { // the second time, nothing changes
			if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				return admin.SetRoleByCommand(tx, ann.Address, "admin", "kaibao admin grant")
			}); err != nil {
				t.Fatal(err)
			}
		}
		find := func(query string) []act { return apptest.Get[[]act](t, ada, "/api/admin/audit"+query) }
		all := find("")
		if len(all) != 5 {
			t.Fatalf("the admin log has %+v", all)
		}
		for n, want := range []act{
			{Act: "set-role", By: "program", Subject: "user " + id, Path: "kaibao admin grant", Before: json.RawMessage(`{"role":"user"}`), After: json.RawMessage(`{"role":"admin"}`)},
			{Act: "create-item", By: "admin", WalletAddress: ada.Address, Before: json.RawMessage(`null`)},
			{Act: "set-role", By: "admin", WalletAddress: ada.Address, Subject: "user " + id, Reason: "left us", Before: json.RawMessage(`{"role":"admin"}`), After: json.RawMessage(`{"role":"user"}`)},
			{Act: "edit-item", By: "admin", WalletAddress: ada.Address, Subject: "item pkm-001", Reason: "It rose 100%.", After: json.RawMessage(`{"baseValueCents":43000}`)},
			{Act: "deposit-manual", By: "admin", WalletAddress: ada.Address, Subject: "user " + id, Reason: "=a prize", Before: json.RawMessage(`{"balanceCents":0}`), After: json.RawMessage(`{"balanceCents":500}`)},
		} {
			got := all[n]
			if got.Act != want.Act || got.By != want.By || got.WalletAddress != want.WalletAddress || got.Reason != want.Reason ||
				want.Subject != "" && got.Subject != want.Subject || want.Path != "" && got.Path != want.Path ||
				want.Before != nil && string(got.Before) != string(want.Before) || want.After != nil && string(got.After) != string(want.After) {
				t.Errorf("line %d is %+v, want %+v", n, got, want)
			}
		}
		secondDay := clock.Now().Truncate(24 * time.Hour).Format(time.RFC3339)
		for query, want := range map[string]int{
			"?actor=" + ada.Address[:6]: 4, "?actor=program": 1, "?actor=" + ann.Address: 0, "?act=set-role": 2, "?subject=item": 2, "?subject=item+pkm-001": 1,
			"?search=100%25": 1, "?search=AUCTION": 1, "?search=left+us": 1, "?from=" + secondDay: 3, "?to=" + secondDay: 2, "?act=set-role&actor=program": 1,
		} {
			if got := find(query); len(got) != want {
				t.Errorf("%s finds %d, want %d: %+v", query, len(got), want, got)
			}
		}
		answer := ada.Get(t, "/api/admin/audit?format=csv&subject="+url.QueryEscape("user "+ann.Address))
		answer.Want(t, http.StatusOK, nil)
		rows := answer.CSV(t)
		if len(rows) != 4 || rows[3][5] != "'=a prize" || rows[3][7] != `{"balanceCents":500}` {
			t.Errorf("the file is %q", rows)
		}
		s.SignIn(t).Get(t, "/api/admin/audit").Refused(t, http.StatusForbidden, "forbidden")
		s.Audit(t)
	})
}

// Even direct SQL can't change lines of the admin log or the ledger, or delete rows that opens or
// entries refer to.
func TestAppendOnlyTablesAreProtected(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ada, ann := s.Admin(t), s.SignIn(t)
		ada.Post(t, "/api/wallet/deposit/manual", apptest.Body{"amount": 100, "walletAddress": ann.Address, "reason": "a test"}).Want(t, http.StatusOK, nil)
		ann.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		const kept, foreign = "are kept as they are", "foreign key"
		for statement, reason := range map[string]string{
			"UPDATE admin_acts SET reason = 'another'": kept, "DELETE FROM admin_acts": kept,
			"UPDATE transfers SET note = ''": kept, "DELETE FROM transfers": kept,
			"UPDATE openings SET pack_id = '2'": kept, "DELETE FROM openings": kept,
			"UPDATE manifests SET body = ''": kept, "DELETE FROM manifests": kept,
			"DELETE FROM users": foreign, "DELETE FROM items": foreign,
		} {
			err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec(statement)
				return err
			})
			if err == nil || !strings.Contains(strings.ToLower(err.Error()), reason) {
				t.Errorf("%s: %v", statement, err)
			}
		}
		if len(apptest.Get[[]act](t, ada, "/api/admin/audit")) != 1 {
			t.Error("the admin log lost its line")
		}
		s.Audit(t)
	})
}
