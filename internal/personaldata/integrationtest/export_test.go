package integrationtest

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/policy"
)

// player is a user with an id and pulled entries.
type player struct {
	*apptest.Client
	id      string
	entries []string
}

// newPlayer signs a user in, names them, and opens packs for them.
func newPlayer(t testing.TB, s *apptest.Server, name string) *player {
	t.Helper()
	p := &player{Client: s.SignIn(t)}
	p.Call(t, http.MethodPatch, "/api/auth/user", apptest.Body{"firstName": name, "profileImageUrl": "https://pictures.example/" + name + ".png"}).Want(t, http.StatusOK, nil)
	p.Deposit(t, 500)
	p.id = apptest.Get[struct{ ID string }](t, p.Client, "/api/auth/user").ID
	for range 2 {
		p.open(t)
	}
	return p
}

func (p *player) open(t testing.TB) {
	t.Helper()
	var opened struct {
		Items []struct{ InventoryID string }
	}
	p.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "seed of " + p.id}).Want(t, http.StatusOK, &opened)
	for _, item := range opened.Items {
		p.entries = append(p.entries, item.InventoryID)
	}
}

// play has a user leave rows in every table with personal data. They trade with another user.
func (p *player) play(t testing.TB, s *apptest.Server, other *player, admin *apptest.Client) {
	t.Helper()
	list := func(c *player, entry string) {
		c.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": entry, "priceCents": 150, "confirmedCents": 150}).Want(t, http.StatusOK, nil)
	}
	list(other, other.entries[0])
	p.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": other.entries[0], "expectedPriceCents": 150}).Want(t, http.StatusOK, nil)
	list(p, p.entries[0])
	other.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": p.entries[0], "expectedPriceCents": 150}).Want(t, http.StatusOK, nil)
	list(p, p.entries[1])
	p.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{p.entries[2]}, "minPayoutCents": 1}).Want(t, http.StatusOK, nil)
	p.Post(t, "/api/bids", apptest.Body{"scope": apptest.Body{"itemId": "pkm-001"}, "priceCents": 100, "quantity": 1, "expiresAt": expiry(s), "confirmedCents": 100}).Want(t, http.StatusOK, nil)
	p.Post(t, "/api/watchlist", apptest.Body{"itemId": "pkm-002", "belowCents": 500}).Want(t, http.StatusOK, nil)
	p.Post(t, "/api/saved-searches", apptest.Body{"name": "my own search", "query": "series=Pokemon", "alert": true}).Want(t, http.StatusOK, nil)
	p.share(t)
	p.Call(t, http.MethodPatch, "/api/auth/user", apptest.Body{"showcase": p.entries[5:7]}).Want(t, http.StatusOK, nil)
	p.Call(t, http.MethodPut, "/api/limits", apptest.Body{"limits": []apptest.Body{{"limit": "deposit-month", "cents": 90_000}}}).Want(t, http.StatusOK, nil)
	p.Vault(t, p.entries[3], p.entries[4])
	claim := p.Claim(t, p.entries[3], p.entries[4])
	for _, step := range []string{"pack", "ship", "deliver"} {
		admin.Step(t, step, claim).Want(t, http.StatusOK, nil)
	}
	name := apptest.Get[struct{ FirstName string }](t, p.Client, "/api/auth/user").FirstName
	admin.Post(t, "/api/wallet/deposit/manual", apptest.Body{"amount": 5, "walletAddress": p.Address, "reason": "a prize for " + name}).Want(t, http.StatusOK, nil)
	admin.Post(t, "/api/wallet/deposit/manual", apptest.Body{"amount": 900, "walletAddress": p.Address, "reason": "a jackpot"}).Want(t, http.StatusOK, nil)
}

// share shares the user's last open.
func (p *player) share(t testing.TB) {
	t.Helper()
	last := apptest.Get[[]struct{ OpenID string }](t, p.Client, "/api/opens")[0].OpenID
	p.Call(t, http.MethodPatch, "/api/pulls/"+last, apptest.Body{"shared": true}).Want(t, http.StatusOK, nil)
}

// expiry is late enough that no job alerts the bidder before it while a test runs.
func expiry(s *apptest.Server) string {
	return s.DB.Now().Add(2 * policy.WarnedBefore).Format(time.RFC3339)
}

func queryTexts(t testing.TB, s *apptest.Server, query string, args ...any) (texts []string) {
	t.Helper()
	err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		texts, err = db.All(tx, db.Column[string], query, args...)
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return texts
}

func count(t testing.TB, s *apptest.Server, table, where string, args ...any) int {
	t.Helper()
	return len(queryTexts(t, s, "SELECT '' FROM "+table+" WHERE "+where, args...))
}

// waitForAlerts waits until every reader of market events, such as the one that adds alerts, has
// handled all of them.
func waitForAlerts(t testing.TB, s *apptest.Server) {
	t.Helper()
	apptest.Until(t, "all market events are handled", func() (handled bool) {
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
			handled, err = db.One(tx, db.Column[bool], `SELECT NOT EXISTS (SELECT 1 FROM events_waiting) AND (SELECT COUNT(DISTINCT position) FROM market_readers) = 1`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return handled
	})
}

// An export has every row of the user and every receipt, and nothing secret or about others.
func TestExportIsComplete(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben, admin := newPlayer(t, s, "Annabel"), newPlayer(t, s, "Benedict"), s.Admin(t)
		ann.play(t, s, ben, admin)
		s.WaitForLog(t)
		waitForAlerts(t, s)
		answer := ann.Get(t, ann.RequestExport(t))
		if answer.Status != http.StatusOK || answer.Header.Get("Content-Type") != "application/zip" || answer.Header.Get("Cache-Control") != "no-store" {
			t.Fatalf("%d %v", answer.Status, answer.Header)
		}
		files := answer.Unzip(t)
		all := string(bytes.Join(slices.Collect(maps.Values(files)), []byte("\n")))
		profile := apptest.Get[struct{ UserTag, UserTagSalt, FirstName, ProfileImageURL string }](t, ann.Client, "/api/auth/user")
		for _, text := range []string{ann.Address, profile.UserTag, profile.UserTagSalt, profile.FirstName, profile.ProfileImageURL, "1600 Pennsylvania Avenue NW", "my own search", "pkm-002"} {
			if !strings.Contains(all, text) {
				t.Errorf("the archive lacks %q", text)
			}
		}
		for file, rows := range map[string]struct {
			table, where string
			rows         int
		}{
			"transactions":         {"transfers", "debit = $1 AND debit_line IS NOT NULL OR credit = $1 AND credit_line IS NOT NULL", 0},
			"opens":                {"openings", "user_id = $1", 0},
			"items":                {"inventory", "user_id = $1", 0},
			"item-history":         {"entry_events", "by_whom = $1", 0},
			"trades":               {"trades", "seller_id = $1 OR buyer_id = $1", 0},
			"bids":                 {"bids", "user_id = $1", 0},
			"limit-changes":        {"limit_acts", "user_id = $1", 0},
			"sessions":             {"sessions", "user_id = $1", 0},
			"shipments":            {"claims", "user_id = $1", 0},
			"watchlist":            {"watches", "user_id = $1", 0},
			"saved-searches":       {"saved_searches", "user_id = $1", 0},
			"alerts":               {"alerts", "user_id = $1", 0},
			"profile":              {"users", "id = $1", 0},
			"balance":              {"accounts", "user_id = $1", 0},
			"shared-pulls":         {"shared_pulls", "user_id = $1", 0},
			"showcase":             {"showcase", "user_id = $1", 0},
			"leaderboard":          {"standings", "player = (SELECT tag FROM users WHERE id = $1)", 0},
			"admin-acts-about-you": {"admin_acts", "subject = 'user ' || $1", 0},
		} {
			want := count(t, s, rows.table, rows.where, ann.id)
			got := apptest.Answer{Body: files[file+".csv"]}.CSV(t)
			if len(got)-1 != want || want == 0 {
				t.Errorf("%s.csv has %d rows, want %d", file, len(got)-1, want)
			}
		}
		// The readme explains every file in both languages, and cards name their open.
		readme := string(files["README.txt"])
		for file := range files {
			if strings.Count(readme, "\r\n"+file+": ") != 1 && file != "README.txt" || strings.Count(readme, "\r\n"+file+"：") != 1 && file != "README.txt" {
				t.Errorf("README.txt doesn't explain %s once in each language", file)
			}
		}
		if !strings.Contains(string(files["about.json"]), "Internal notes") {
			t.Errorf("about.json doesn't say that notes are left out: %s", files["about.json"])
		}
		items := apptest.Answer{Body: files["items.csv"]}.CSV(t)
		column := slices.Index(items[0], "openId")
		if column < 0 {
			t.Fatalf("items.csv has the columns %v, want openId", items[0])
		}
		opens := queryTexts(t, s, "SELECT CAST(id AS TEXT) FROM openings")
		for _, item := range items[1:] {
			if !slices.Contains(opens, item[column]) {
				t.Errorf("a card has the open %q", item[column])
			}
		}
		var receipts []struct{ OpenID, Receipt, LogKey string }
		if err := json.Unmarshal(files["receipts.json"], &receipts); err != nil || len(receipts) != 2 {
			t.Fatalf("%d receipts: %v", len(receipts), err)
		}
		for _, r := range receipts {
			if proof := apptest.Get[struct{ Receipt, LogKey string }](t, ann.Client, "/api/fairness/opens/"+r.OpenID); proof.Receipt != r.Receipt || r.Receipt == "" || proof.LogKey != r.LogKey {
				t.Errorf("receipt %q of open %s, want %q", r.Receipt, r.OpenID, proof.Receipt)
			}
		}
		other := apptest.Get[struct{ UserTag, UserTagSalt string }](t, ben.Client, "/api/auth/user")
		secrets := []string{ben.Address, "Benedict", ben.id, other.UserTag, other.UserTagSalt, admin.Address}
		for _, hash := range queryBytes(t, s, "SELECT token_hash FROM sessions UNION ALL SELECT sealed_seed FROM accounts UNION ALL SELECT sealed FROM claim_addresses") {
			secrets = append(secrets, string(hash), hex.EncodeToString(hash))
		}
		for _, secret := range secrets {
			if strings.Contains(all, secret) {
				t.Errorf("the archive has %q", secret)
			}
		}
		s.Audit(t)
	})
}

func queryBytes(t testing.TB, s *apptest.Server, query string) (all [][]byte) {
	t.Helper()
	err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		all, err = db.All(tx, db.Column[[]byte], query)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Only the session that asked can download an export, once, within an hour, and with a signature
// that was made for exports.
func TestExportIsForOneSession(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, ben := s.SignIn(t), s.SignIn(t)
		elsewhere := s.NewClient(t)
		elsewhere.Key, elsewhere.Address = ann.Key, ann.Address
		elsewhere.SignIn(t)
		path := ann.RequestExport(t)
		for name, c := range map[string]*apptest.Client{"another user": ben, "another session of the user": elsewhere} {
			if a := c.Get(t, path); a.Status != http.StatusNotFound {
				t.Errorf("%s: %d", name, a.Status)
			}
		}
		s.NewClient(t).Get(t, path).Refused(t, http.StatusUnauthorized, "unauthenticated")
		files := ann.Get(t, path).Unzip(t)
		if !bytes.Contains(files["profile.csv"], []byte(ann.Address)) {
			t.Error("the archive is of another user")
		}
		ann.Get(t, path).Refused(t, http.StatusNotFound, "not_found")

		late := ann.RequestExport(t)
		clock.Advance(time.Hour)
		ann.Get(t, late).Refused(t, http.StatusNotFound, "not_found")

		// A challenge is for its purpose, its session, its user, once, for five minutes.
		refused := func(why string, c *apptest.Client, body apptest.Body) {
			t.Helper()
			if a := c.Post(t, "/api/account/export", body); a.Status != http.StatusUnauthorized {
				t.Errorf("%s: %d %s", why, a.Status, a.Body)
			}
		}
		signed := ann.SignAccount(t, "export")
		refused("signed in another session", elsewhere, signed)
		ann.Post(t, "/api/account/export", signed).Want(t, http.StatusOK, nil) // the other session can't use it up
		refused("for a deletion", ann, ann.SignAccount(t, "deletion"))
		signed = ann.SignAccount(t, "export")
		refused("of another user", ben, signed)
		ann.Post(t, "/api/account/export", signed).Want(t, http.StatusOK, nil)
		refused("again", ann, signed)
		ben.SignAccount(t, "export")
		refused("signed by another wallet", ben, apptest.Body{"signature": signed["signature"]})
		signed = ann.SignAccount(t, "export")
		clock.Advance(5 * time.Minute)
		refused("late", ann, signed)
		s.Audit(t)
	})
}

// Of concurrent downloads of an export, one succeeds.
func TestConcurrentDownloads(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann := s.SignIn(t)
		path := ann.RequestExport(t)
		statuses, all := make(chan int, 8), sync.WaitGroup{}
		for range cap(statuses) {
			all.Go(func() {
				a, err := ann.Try(t.Context(), http.MethodGet, path, nil)
				if err != nil {
					t.Error(err)
				}
				statuses <- a.Status
			})
		}
		all.Wait()
		close(statuses)
		found := map[int]int{}
		for status := range statuses {
			found[status]++
		}
		if found[http.StatusOK] != 1 || found[http.StatusOK]+found[http.StatusNotFound]+found[http.StatusServiceUnavailable] != cap(statuses) {
			t.Error(fmt.Sprint(found))
		}
	})
}
