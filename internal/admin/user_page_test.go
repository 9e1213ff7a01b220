package admin_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/deposits/sandbox"
	"kaibao/internal/httpapi"
)

type hit struct{ Kind, ID, UserID, WalletAddress, FirstName string }

type userPage struct {
	user
	UserTag, LastSeenAt    string
	HeldCents              int64
	Opens, OpenBids, Notes int64
	Entries                struct{ Count, ValueCents int64 }
	Limits                 struct{ Limits []struct{ Limit string } }
}

// player is a user with one of each kind of record.
type player struct {
	*apptest.Client
	id, open, entry, deposit, bid, claim string
}

// newPlayer signs a user in who opens a pack, makes a deposit, bids on another user's entry and claims
// the one they pulled.
func newPlayer(t *testing.T, s *apptest.Server, pack, bidOn string) player {
	t.Helper()
	p := player{Client: s.SignIn(t)}
	p.id = apptest.Get[struct{ ID string }](t, p.Client, "/api/auth/user").ID
	p.Deposit(t, 500)
	p.open, p.entry = openPack(t, p.Client, pack)
	var deposit struct{ DepositID string }
	p.Post(t, "/api/wallet/deposits", apptest.Body{"amountCents": 500}).Want(t, http.StatusOK, &deposit)
	p.deposit = deposit.DepositID
	if bidOn != "" {
		var bid struct{ ID string }
		p.Post(t, "/api/bids", apptest.Body{"scope": apptest.Body{"inventoryId": bidOn}, "priceCents": 1000}).Want(t, http.StatusOK, &bid)
		p.bid = bid.ID
	}
	return p
}

// The search finds users by wallet, its start, name or tag, and what belongs to them by its id.
func TestSearchFindsUsersByAnyID(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin := s.Admin(t)
		pack := treasure(t, admin)
		clock.Advance(time.Minute)
		ben := newPlayer(t, s, pack, "")
		ann := newPlayer(t, s, pack, ben.entry)
		for name, c := range map[string]player{"Ann%": ann, "ann_b": ben} {
			c.Call(t, http.MethodPatch, "/api/auth/user", apptest.Body{"firstName": name}).Want(t, http.StatusOK, nil)
		}
		ben.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": ben.entry, "priceCents": 2000, "confirmedCents": 2000}).Want(t, http.StatusOK, nil)
		var listing struct{ ListingID string }
		ben.Get(t, "/api/inventory/"+ben.entry).Want(t, http.StatusOK, &listing)
		ann.Vault(t, ann.entry)
		ann.claim = ann.Claim(t, ann.entry)
		profile := apptest.Get[struct{ UserTag string }](t, ann.Client, "/api/auth/user")

		find := func(q string) []hit { return apptest.Get[[]hit](t, admin, "/api/admin/search?q="+url.QueryEscape(q)) }
		of := func(p player, kind, id string) hit {
			name := "Ann%"
			if p.id == ben.id {
				name = "ann_b"
			}
			return hit{kind, id, p.id, p.Address, name}
		}
		annFound, benFound := of(ann, "user", ann.id), of(ben, "user", ben.id)
		for q, want := range map[string][]hit{
			ann.id: {annFound}, " " + strings.ToUpper(ann.id) + " ": {annFound}, profile.UserTag: {annFound}, strings.ToUpper(profile.UserTag): {annFound},
			ann.Address: {annFound}, ann.Address[:12]: {annFound},
			ann.open: {of(ann, "open", ann.open)}, ann.entry: {of(ann, "entry", ann.entry)}, ann.deposit: {of(ann, "deposit", ann.deposit)},
			ann.bid: {of(ann, "bid", ann.bid)}, ann.claim: {of(ann, "claim", ann.claim)}, listing.ListingID: {of(ben, "entry", ben.entry)},
			"ANN%": {annFound}, "ann_": {benFound}, "%": nil, "_": nil, "": nil, " ": nil, "\U0010FFFF": nil, "nobody": nil, "'": nil, "!": nil,
		} {
			if got := find(q); !slices.Equal(got, want) {
				t.Errorf("%q finds %+v, want %+v", q, got, want)
			}
		}
		if got := find("ann"); len(got) != 2 || !slices.Contains(got, annFound) || !slices.Contains(got, benFound) {
			t.Errorf("ann finds %+v, want both", got)
		}
		ben.Call(t, http.MethodPatch, "/api/auth/user", apptest.Body{"handle": "mei-lin"}).Want(t, http.StatusOK, nil)
		for _, q := range []string{"mei-lin", "Mei-", "@mei-lin", "https://kaibao.example/u/mei-lin"} {
			if got := find(q); !slices.Equal(got, []hit{benFound}) {
				t.Errorf("%q finds %+v, want Ben", q, got)
			}
		}
		if got := apptest.Get[[]struct{ Handle string }](t, admin, "/api/admin/search?q="+ben.entry); len(got) != 1 || got[0].Handle != "mei-lin" {
			t.Errorf("Ben's entry is found with %+v", got)
		}
		if got := find("@"); len(got) != 0 {
			t.Errorf("an @ finds %+v", got)
		}
		// A sale is found as a trade of both users, and what only the ledger knows as a transfer.
		ann.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": ben.entry}).Want(t, http.StatusOK, nil)
		if got := find(listing.ListingID); len(got) != 2 || got[0].Kind != "trade" || got[0].UserID == got[1].UserID {
			t.Errorf("a sale is found as %+v, want a trade of both users", got)
		}
		lines := apptest.Get[[]struct{ Kind, Ref string }](t, ann.Client, "/api/wallet/transactions?kind=sandbox-deposit")
		if got := find(lines[0].Ref); len(got) != 1 || got[0] != of(ann, "transfer", lines[0].Ref) {
			t.Errorf("a gift of points is found as %+v", got)
		}
		for _, secret := range []string{sessionOf(t, ann.Client), strings.Repeat("0", 64)} {
			if got := find(secret); len(got) != 0 {
				t.Errorf("a secret finds %+v", got)
			}
		}
		admin.Get(t, "/api/admin/search?q="+strings.Repeat("a", 301)).Refused(t, http.StatusUnprocessableEntity, "invalid")
		ann.Get(t, "/api/admin/search?q="+ben.id).Refused(t, http.StatusForbidden, "forbidden")
	})
}

// The search accepts what the pages show and what users paste: starts of ids, shortened wallets and
// transactions, quotes, links, the id of a transfer and the token of a charge.
func TestSearchAcceptsWhatPagesShow(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin := s.Admin(t)
		pack := treasure(t, admin)
		clock.Advance(time.Hour)
		ben := newPlayer(t, s, pack, "")
		clock.Advance(time.Hour)
		ann := newPlayer(t, s, pack, ben.entry)
		clock.Advance(time.Hour)
		ann.Vault(t, ann.entry)
		ann.claim = ann.Claim(t, ann.entry)
		var charge struct{ DepositID, ChargeToken string }
		ann.Post(t, "/api/wallet/deposits", apptest.Body{"amountCents": 700}).Want(t, http.StatusOK, &charge)
		var paid struct {
			Meta struct{ TransactionSignature string }
		}
		ann.Post(t, "/sandbox/charges/"+charge.ChargeToken+"/pay", nil).Want(t, http.StatusOK, &paid)
		signature := paid.Meta.TransactionSignature
		ann.Post(t, "/api/wallet/deposit/helio", apptest.Body{"amount": 7, "paymentId": charge.DepositID, "transactionId": signature}).Want(t, http.StatusOK, nil)

		find := func(q string) []hit { return apptest.Get[[]hit](t, admin, "/api/admin/search?q="+url.QueryEscape(q)) }
		of := func(kind, id string) hit { return hit{kind, id, ann.id, ann.Address, ""} }
		annFound, open, paidFor := of("user", ann.id), of("open", ann.open), of("deposit", charge.DepositID)
		for q, want := range map[string]hit{
			ann.Address[:6] + "..." + ann.Address[len(ann.Address)-4:]: annFound, ann.Address[:4] + "…" + ann.Address[len(ann.Address)-4:]: annFound,
			signature[:6] + "..." + signature[len(signature)-6:]: paidFor, "https://solscan.io/tx/" + signature: paidFor, charge.ChargeToken: paidFor,
			`"` + ann.open + `"`: open, "“" + ann.open + "”": open, s.URL + "/verify/" + ann.open: open, ann.open[:8] + "..." + ann.open[30:]: open, ann.open[:24] + "…": open,
			s.URL + "/admin/users/" + ben.id + "?tab=opens&id=" + ann.open: open,
			ann.entry[:24]: of("entry", ann.entry), ann.deposit[:24]: of("deposit", ann.deposit), ann.bid[:24]: of("bid", ann.bid),
			ann.claim[:24]: of("claim", ann.claim), strings.ToUpper(ann.id[:24]): annFound,
		} {
			if got := find(q); !slices.Equal(got, []hit{want}) {
				t.Errorf("%q finds %+v, want %+v", q, got, want)
			}
		}
		// The records of one time start alike.
		for _, length := range []int{8, 13} {
			found := find(ann.open[:length])
			if !slices.Contains(found, open) || !slices.Contains(found, of("entry", ann.entry)) || slices.ContainsFunc(found, func(h hit) bool { return h.UserID == ben.id }) {
				t.Errorf("%q finds %+v, want what is Ann's", ann.open[:length], found)
			}
		}
		for _, q := range []string{ann.open[:7], ann.Address[:6] + "...1111", signature[:6] + "...1111", ann.open[:8] + "...000000", ann.open[24:]} {
			if got := find(q); len(got) != 0 {
				t.Errorf("%q finds %+v", q, got)
			}
		}
		// A transfer is found by its own id, as admins and users see it, and shown with what it was for.
		for _, path := range []string{"/api/wallet/transactions", "/api/wallet/transactions?kind=open"} {
			for _, line := range apptest.Get[[]struct{ ID, Ref string }](t, ann.Client, path) {
				if got := find(line.ID); !slices.Equal(got, []hit{of("transfer", line.Ref)}) {
					t.Errorf("the transfer %s finds %+v, want one for %s", line.ID, got, line.Ref)
				}
			}
		}
		for _, transfer := range apptest.Get[[]struct{ ID, Ref string }](t, admin, "/api/admin/transfers?user="+ann.id) {
			if got := find(transfer.ID); !slices.Equal(got, []hit{of("transfer", transfer.Ref)}) {
				t.Errorf("the transfer %s finds %+v, want one for %s", transfer.ID, got, transfer.Ref)
			}
		}
		// The list of users accepts the same.
		for _, q := range []string{ann.Address[:6] + "..." + ann.Address[len(ann.Address)-4:], `"` + ann.id + `"`, s.URL + "/admin/users/" + ann.id, "'" + ann.Address[:8] + "'"} {
			if got := apptest.Get[[]user](t, admin, "/api/admin/users?search="+url.QueryEscape(q)); len(got) != 1 || got[0].ID != ann.id {
				t.Errorf("the list of users has %+v for %q", got, q)
			}
		}
	}, apptest.SandboxBehavior(func() sandbox.Behavior { return sandbox.Behavior{} })) // payments are final at once
}

// sessionOf returns the secret of a client's session.
func sessionOf(t *testing.T, c *apptest.Client) string {
	t.Helper()
	address, err := url.Parse(c.Base)
	if err != nil {
		t.Fatal(err)
	}
	for _, cookie := range c.HTTP.Jar.Cookies(address) {
		if strings.HasSuffix(cookie.Name, "session") {
			return cookie.Value
		}
	}
	t.Fatal("the client has no session cookie")
	return ""
}

// Names that start alike fill at most one page of hits.
func TestSearchIsBounded(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		users := db.Rows{Columns: []string{"id", "wallet_address", "first_name", "tag", "tag_salt", "created_at"}}
		for n := range 30 {
			id := dbtest.ID("user " + string(rune('a'+n)))
			users.Add(db.ID(id), "wallet "+id, "Twin", id, []byte{1}, int64(n))
		}
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { return tx.InsertRows("users", users) }); err != nil {
			t.Fatal(err)
		}
		for _, q := range []string{"twin", "wallet+"} {
			if got := apptest.Get[[]hit](t, admin, "/api/admin/search?q="+q); len(got) != 20 {
				t.Errorf("%s finds %d users, want 20", q, len(got))
			}
		}
	})
}

// An admin's page of a user has profile, balance, limits and counts. Each view is one line of the admin
// log, which names the user by id.
func TestUserPage(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin := s.Admin(t)
		pack := treasure(t, admin)
		clock.Advance(time.Minute)
		ben := newPlayer(t, s, pack, "")
		ann := newPlayer(t, s, pack, ben.entry)
		var page userPage
		admin.Get(t, "/api/admin/users/"+ann.id).Want(t, http.StatusOK, &page)
		if page.WalletAddress != ann.Address || page.BalanceCents != 24000 || page.HeldCents != 1000 || page.Opens != 1 || page.OpenBids != 1 ||
			page.Entries.Count != 1 || page.Entries.ValueCents != 20000 || page.Sessions != 1 || page.LastSeenAt == "" || len(page.Limits.Limits) != 6 || len(page.UserTag) == 0 {
			t.Errorf("Ann's page is %+v", page)
		}
		logged := func() []act { return apptest.Get[[]act](t, admin, "/api/admin/audit?act=view-user") }
		if got := logged(); len(got) != 1 || got[0].Subject != "user "+ann.id || got[0].WalletAddress != admin.Address || strings.Contains(string(got[0].Request), ann.Address) {
			t.Errorf("the admin log has %+v", got)
		}
		for _, c := range []*apptest.Client{ann.Client, ben.Client} {
			c.Get(t, "/api/admin/users/"+ann.id).Refused(t, http.StatusForbidden, "forbidden")
		}
		for _, id := range []string{"nobody", ann.open, ann.deposit, ann.Address} {
			admin.Get(t, "/api/admin/users/"+id).Refused(t, http.StatusNotFound, "not_found")
		}
		if got := logged(); len(got) != 1 {
			t.Errorf("refused views are logged: %+v", got)
		}
		s.Audit(t)
	})
}

// Admins' notes about a user are kept in full, and only admins read them. The admin log has who wrote
// them, but not their text.
func TestNotes(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, ann := s.Admin(t), s.SignIn(t)
		id := apptest.Get[struct{ ID string }](t, ann, "/api/auth/user").ID
		path := "/api/admin/users/" + id + "/notes"
		var first, second struct{ ID, Text, WalletAddress string }
		admin.Post(t, path, apptest.Body{"text": " =They called. "}).Want(t, http.StatusOK, &first)
		admin.Post(t, path, apptest.Body{"text": strings.Repeat("字", 1000)}).Want(t, http.StatusOK, &second)
		for _, text := range []string{"", "  ", strings.Repeat("字", 1001)} {
			admin.Post(t, path, apptest.Body{"text": text}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		admin.Post(t, "/api/admin/users/nobody/notes", apptest.Body{"text": "Who?"}).Refused(t, http.StatusNotFound, "not_found")
		ann.Post(t, path, apptest.Body{"text": "I am nice."}).Refused(t, http.StatusForbidden, "forbidden")
		ann.Get(t, path).Refused(t, http.StatusForbidden, "forbidden")
		notes := apptest.Get[[]struct{ ID, Text, WalletAddress string }](t, admin, path)
		if len(notes) != 2 || notes[0] != second || notes[1] != first || first.Text != "=They called." || first.WalletAddress != admin.Address {
			t.Errorf("the notes are %+v", notes)
		}
		if rows := admin.Get(t, path+"?format=csv").CSV(t); len(rows) != 3 || rows[2][2] != "'=They called." {
			t.Errorf("the file is %q", rows)
		}
		written := apptest.Get[[]act](t, admin, "/api/admin/audit?act=add-note")
		if len(written) != 2 || written[0].Subject != "user "+id || strings.Contains(string(written[1].Request)+string(written[1].After), "called") {
			t.Errorf("the admin log has %+v", written)
		}
		for _, change := range []string{`UPDATE user_notes SET text = 'nothing'`, `DELETE FROM user_notes`} {
			if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { _, err := tx.Exec(change); return err }); err == nil {
				t.Errorf("%s was allowed", change)
			}
		}
		s.Audit(t)
	})
}

// The lists on a user's page have the user's rows only, also as CSV, and can be limited to a row or a
// period.
func TestListsAreFilteredByUser(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin := s.Admin(t)
		pack := treasure(t, admin)
		clock.Advance(time.Minute)
		ben := newPlayer(t, s, pack, "")
		clock.Advance(time.Second)
		began := httpapi.Timestamp(clock.Now())
		clock.Advance(time.Minute)
		ann := newPlayer(t, s, pack, ben.entry)
		_, sold := openPack(t, ben.Client, pack)
		for _, bid := range apptest.Get[[]struct{ ID string }](t, admin, "/api/admin/bids?user="+ann.id+"&state=open&kind=entry") {
			ben.Post(t, "/api/bids/"+bid.ID+"/accept", apptest.Body{"inventoryId": ben.entry, "expectedPriceCents": 1000, "confirmedCents": 1000}).Want(t, http.StatusOK, nil)
		}
		ben.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{sold}}).Want(t, http.StatusOK, nil)
		ann.Vault(t, ann.entry)
		ann.claim = ann.Claim(t, ann.entry)
		ann.Call(t, http.MethodPut, "/api/limits", apptest.Body{"limits": []apptest.Body{{"limit": "loss-day", "cents": 90000}}, "realityMinutes": 60}).Want(t, http.StatusOK, nil)
		clock.Advance(time.Minute)
		ended := httpapi.Timestamp(clock.Now())

		rows := func(path string) []map[string]any {
			t.Helper()
			listed := apptest.Get[[]map[string]any](t, admin, path)
			separator := "?"
			if strings.Contains(path, "?") {
				separator = "&"
			}
			if file := admin.Get(t, path+separator+"format=csv").CSV(t); len(file) != len(listed)+1 {
				t.Errorf("%s: the file has %d rows, the list %d", path, len(file)-1, len(listed))
			}
			return listed
		}
		for path, want := range map[string]int{
			"opens?user=" + ann.id: 1, "opens?user=" + ben.id: 2, "opens?id=" + ann.open: 1, "opens?user=" + ben.id + "&id=" + ann.open: 0,
			"opens?from=" + began: 2, "opens?to=" + began: 1, "opens?from=" + ended: 0,
			"entries?user=" + ann.id: 2, "entries?user=" + ann.id + "&kind=offer": 1, "entries?user=" + ann.id + "&state=claimed": 1, "entries?user=" + ben.id: 1,
			"entries?id=" + ann.entry: 1, "entries?user=" + ben.id + "&state=sold-back": 1,
			"deposits?user=" + ann.id: 1, "deposits?user=" + ann.id + "&state=quoted": 1, "deposits?user=" + ann.id + "&state=credited": 0, "deposits?id=" + ben.deposit: 1,
			"deposits?user=" + ann.id + "&to=" + began: 0, "deposits?user=" + ann.id + "&from=" + began: 1,
			"bids?user=" + ann.id: 1, "bids?user=" + ann.id + "&state=filled": 1, "bids?user=" + ann.id + "&kind=item": 0, "bids?user=" + ben.id: 0,
			"sales?user=" + ann.id: 1, "sales?user=" + ben.id: 1, "sales?user=" + ben.id + "&kind=bid": 1, "sales?user=" + ben.id + "&kind=listing": 0, "sales?from=" + ended: 0,
			"sell-backs?user=" + ben.id: 1, "sell-backs?user=" + ann.id: 0, "sell-backs?from=" + began: 1, "sell-backs?to=" + began: 0,
			"redemptions?user=" + ann.id: 1, "redemptions?user=" + ben.id: 0, "redemptions?id=" + ann.claim: 1, "redemptions?user=" + ann.id + "&state=packed": 0,
			// deposit, open, bid, bid-fill, and shipping
			"transfers?user=" + ann.id: 5, "transfers?user=" + ann.id + "&kind=bid-fill": 1, "transfers?user=" + ann.id + "&from=" + ended: 0,
			// deposit, two opens, bid-fill with its fee, and the sell-back
			"transfers?user=" + ben.id: 6, "transfers?kind=open&from=" + began: 2, "transfers?id=" + ann.open: 1, "transfers?to=" + began: 2,
			"users?from=" + ended: 0, "users?to=" + ended: 3,
			"users/" + ann.id + "/sessions": 1, "users/" + ann.id + "/limit-changes": 2, "users/" + ann.id + "/limit-changes?limitName=loss-day": 1,
			"users/" + ben.id + "/limit-changes": 0, "users/nobody/sessions": 0,
			"opens?user=nobody": 0, "transfers?user=nobody": 0, "opens?from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z": 3, "opens?to=1960-01-01T00:00:00Z": 0,
		} {
			if got := rows("/api/admin/" + path); len(got) != want {
				t.Errorf("%s has %d rows, want %d: %v", path, len(got), want, got)
			}
			ann.Get(t, "/api/admin/"+path).Refused(t, http.StatusForbidden, "forbidden")
		}
		// The opens say where their items are now.
		pulls := apptest.Get[[]struct {
			Items []struct{ InventoryID, State, OwnerID string }
		}](t, admin, "/api/admin/opens?user="+ben.id)
		if got := pulls[1].Items[0]; got.InventoryID != ben.entry || got.OwnerID != ann.id || got.State != "held" {
			t.Errorf("the item that Ben pulled and Ann bought is %+v", got)
		}
		s.Audit(t)
	})
}

// Pages of a user's transfers continue where the previous one ended, in order of time.
func TestUsersTransfersHavePages(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin, ann := s.Admin(t), s.SignIn(t)
		id := apptest.Get[struct{ ID string }](t, ann, "/api/auth/user").ID
		for range 5 {
			ann.Deposit(t, 1)
			clock.Advance(time.Second)
		}
		path := "/api/admin/transfers?limit=2&user=" + id
		var balances []int64
		for cursor := ""; ; {
			var rows []struct{ ToBalanceCents int64 }
			answer := admin.Get(t, path+"&cursor="+cursor)
			answer.Want(t, http.StatusOK, &rows)
			for _, row := range rows {
				balances = append(balances, row.ToBalanceCents)
			}
			cursor = answer.Header.Get("X-Next-Cursor")
			if cursor == "" {
				break
			}
		}
		if !slices.Equal(balances, []int64{500, 400, 300, 200, 100}) {
			t.Errorf("the balances are %v", balances)
		}
	})
}

// The admin log of a user has the acts about their account, deposits and claims, whichever way the log
// names them.
func TestAdminLogOfAUser(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin := s.Admin(t)
		pack := treasure(t, admin)
		clock.Advance(time.Minute)
		ann, ben := newPlayer(t, s, pack, ""), newPlayer(t, s, pack, "")
		for _, p := range []*player{&ann, &ben} {
			p.Vault(t, p.entry)
			p.claim = p.Claim(t, p.entry)
		}
		do := func(method, path string, body any) {
			t.Helper()
			clock.Advance(time.Second)
			admin.Call(t, method, path, body).Want(t, http.StatusOK, nil)
		}
		do(http.MethodGet, "/api/admin/users/"+ann.id, nil)
		do(http.MethodPost, "/api/admin/users/"+ann.id+"/notes", apptest.Body{"text": "They called."})
		do(http.MethodPost, "/api/wallet/deposit/manual", apptest.Body{"amount": 5, "walletAddress": ann.Address, "reason": "a prize"})
		do(http.MethodPost, "/api/admin/redemptions/open", apptest.Body{"claims": []string{ann.claim, ben.claim}})
		for _, list := range []string{"opens?format=csv&user=" + ann.id, "opens?format=csv", "users?format=csv&search=" + ann.Address} {
			clock.Advance(time.Second)
			if rows := admin.Get(t, "/api/admin/"+list).CSV(t); len(rows) == 0 {
				t.Errorf("%s is empty", list)
			}
		}
		acts := func(query string) (names []string) {
			for _, a := range apptest.Get[[]act](t, admin, "/api/admin/audit?"+query) {
				names = append(names, a.Act)
			}
			return names
		}
		if got, want := acts("user="+ann.id), []string{"export-list", "open-claims", "deposit-manual", "add-note", "view-user"}; !slices.Equal(got, want) {
			t.Errorf("Ann's admin log has %v, want %v", got, want)
		}
		if got := acts("user=" + ben.id); !slices.Equal(got, []string{"open-claims"}) {
			t.Errorf("Ben's admin log has %v", got)
		}
		exports := apptest.Get[[]act](t, admin, "/api/admin/audit?act=export-list")
		if len(exports) != 3 || exports[0].Subject != "list users" || string(exports[0].Request) != "{}" || exports[1].Subject != "list opens" ||
			exports[2].Subject != "user "+ann.id || exports[2].Path != "/api/admin/opens" || string(exports[2].Request) != `{"user":"`+ann.id+`"}` {
			t.Errorf("the exports are %+v", exports)
		}
		s.Audit(t)
	})
}
