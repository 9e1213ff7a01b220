package integrationtest

import (
	"crypto/ed25519"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mr-tron/base58"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/identity"
	"kaibao/internal/keys"
	"kaibao/internal/personaldata"
)

// askDeletion asks for the deletion of the player's account.
func (p *player) askDeletion(t testing.TB) {
	t.Helper()
	p.Post(t, "/api/account/delete", p.SignAccount(t, "deletion")).Want(t, http.StatusOK, nil)
}

// key is the key under which the tests' deletions keep limits. Servers derive another one.
var key = []byte("a key of the tests")

// deleteDue runs the job that deletes accounts, as often as it may have to.
func deleteDue(t testing.TB, s *apptest.Server, list string) {
	t.Helper()
	service := personaldata.New(personaldata.Service{DB: s.DB, AddressKey: key, DeletedList: list})
	for _, job := range service.Jobs() {
		if _, err := job.Do(t.Context()); err != nil {
			t.Fatalf("%s: %v", job.Name, err)
		}
	}
}

// everything returns all texts of the database, table by table.
func everything(t testing.TB, s *apptest.Server) map[string]string {
	t.Helper()
	tables := `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	if s.DB.Engine() == "postgres" {
		tables = `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()`
	}
	all := map[string]string{}
	for _, table := range queryTexts(t, s, tables) {
		columns := `SELECT name FROM pragma_table_info('` + table + `')`
		cast := func(column string) string {
			return "COALESCE(CAST(" + column + " AS TEXT), '') || ' ' || HEX(" + column + ")"
		}
		if s.DB.Engine() == "postgres" {
			columns = `SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = '` + table + `'`
			cast = func(column string) string { return "COALESCE(CAST(" + column + " AS TEXT), '')" }
		}
		var texts []string
		for _, column := range queryTexts(t, s, columns) {
			texts = append(texts, cast(column))
		}
		all[table] = strings.ToLower(strings.Join(queryTexts(t, s, "SELECT "+strings.Join(texts, " || ' ' || ")+" FROM "+table), "\n"))
	}
	return all
}

// After its deletion, nothing in the database names a user: not the wallet, the name, the picture,
// the salt, the address or the parcel. Ledger, log and books still hold.
func TestDeletionErasesTheUser(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, ben, admin := newPlayer(t, s, "Annabel"), newPlayer(t, s, "Benedict"), s.Admin(t)
		ann.play(t, s, ben, admin)
		ann.Call(t, http.MethodPatch, "/api/auth/user", apptest.Body{"handle": "belle-77", "public": true}).Want(t, http.StatusOK, nil)
		admin.Post(t, "/api/admin/users/"+ann.id+"/profile", apptest.Body{"pagesHidden": true, "reason": "belle-77 insults others"}).Want(t, http.StatusOK, nil)
		profile := apptest.Get[struct{ UserTag, UserTagSalt string }](t, ann.Client, "/api/auth/user")
		ann.Get(t, ann.RequestExport(t)).Want(t, http.StatusOK, nil)
		balance := apptest.Get[struct{ BalanceCents, HeldCents int64 }](t, ann.Client, "/api/wallet")
		secrets := []string{ann.Address, "Annabel", "pictures.example/annabel", profile.UserTagSalt, "JD 0146 0000", "my own search", "belle-77", "beiie77"}
		before := everything(t, s)
		for _, secret := range secrets {
			if !strings.Contains(fmt.Sprint(before), strings.ToLower(secret)) {
				t.Errorf("the database never had %q, so its deletion proves nothing", secret)
			}
		}

		ann.askDeletion(t)
		if open := count(t, s, "bids", "user_id = $1 AND state = 'open'", ann.id); open != 0 {
			t.Errorf("%d bids are open", open)
		}
		if listed := count(t, s, "inventory", "user_id = $1 AND state = 'listed'", ann.id); listed != 0 {
			t.Errorf("%d items are listed", listed)
		}
		if user := apptest.Get[struct{ DeletionDueAt string }](t, ann.Client, "/api/auth/user"); user.DeletionDueAt == "" {
			t.Error("the profile doesn't say when the account will be deleted")
		}
		clock.Advance(14*24*time.Hour - time.Second)
		deleteDue(t, s, "")
		ann.SignIn(t) // until then, the user can sign in
		clock.Advance(8 * 24 * time.Hour)
		deleteDue(t, s, "")
		ann.Get(t, "/api/auth/user").Refused(t, http.StatusUnauthorized, "unauthenticated")

		// Responses for retries are kept for a week, found only with the user's key.
		clock.Advance(8 * 24 * time.Hour)
		for table, text := range everything(t, s) {
			for _, secret := range secrets {
				if table == "transfers" && secret == "Annabel" {
					continue // an admin's reason in the ledger
				}
				if table != "idempotency" && strings.Contains(text, strings.ToLower(secret)) {
					t.Errorf("%s still has %q", table, secret)
				}
			}
		}
		for _, table := range []string{"sessions", "alerts", "alert_marks", "watches", "saved_searches", "data_exports", "data_challenges", "claim_challenges", "shared_pulls", "showcase"} {
			if left := count(t, s, table, "user_id = $1", ann.id); left != 0 {
				t.Errorf("%s has %d rows of the user", table, left)
			}
		}
		forfeited := queryTexts(t, s, `SELECT CAST(amount_cents AS TEXT) FROM transfers WHERE kind = 'forfeit' AND debit = $1 AND credit = 'house:forfeits'`, ann.id)
		if want := fmt.Sprint(balance.BalanceCents + balance.HeldCents); len(forfeited) != 1 || forfeited[0] != want {
			t.Errorf("gave up %v, want %s", forfeited, want)
		}
		s.Audit(t)
		s.VerifyLog(t)

		// The wallet is a stranger now.
		ann.SignIn(t)
		again := apptest.Get[struct{ ID, UserTag, FirstName string }](t, ann.Client, "/api/auth/user")
		if again.ID == ann.id || again.UserTag == profile.UserTag || again.FirstName != "" {
			t.Errorf("signed in again as %+v", again)
		}
		s.Audit(t)
	})
}

// A user can cancel the deletion, and only their own.
func TestDeletionCanBeCanceled(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, ben := newPlayer(t, s, "Ann"), newPlayer(t, s, "Ben")
		ann.Call(t, http.MethodDelete, "/api/account/delete", nil).Refused(t, http.StatusConflict, "conflict")
		ann.askDeletion(t)
		ben.Call(t, http.MethodDelete, "/api/account/delete", nil).Refused(t, http.StatusConflict, "conflict")
		ann.Call(t, http.MethodDelete, "/api/account/delete", nil).Want(t, http.StatusNoContent, nil)
		clock.Advance(15 * 24 * time.Hour)
		deleteDue(t, s, "")
		ann.SignIn(t)
		if user := apptest.Get[struct{ ID, FirstName, DeletionDueAt string }](t, ann.Client, "/api/auth/user"); user.ID != ann.id || user.FirstName != "Ann" || user.DeletionDueAt != "" {
			t.Errorf("the user is %+v", user)
		}
		s.Audit(t)
	})
}

// A signature is needed, and an account with a shipment, a top-up or the admin role isn't deleted:
// neither when the user asks, nor when the wait ends.
func TestDeletionWaitsForObstacles(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, admin := newPlayer(t, s, "Ann"), s.Admin(t)
		ann.Post(t, "/api/account/delete", apptest.Body{"signature": "1"}).Refused(t, http.StatusUnauthorized, "bad_signature")
		ann.Post(t, "/api/account/delete", ann.SignAccount(t, "export")).Refused(t, http.StatusUnauthorized, "bad_signature")
		admin.Post(t, "/api/account/delete", admin.SignAccount(t, "deletion")).Refused(t, http.StatusConflict, "conflict")
		blocked := func(want string) {
			t.Helper()
			ann.Post(t, "/api/account/delete", ann.SignAccount(t, "deletion")).Refused(t, http.StatusConflict, "conflict")
			if data := apptest.Get[struct{ Obstacle string }](t, ann.Client, "/api/account/data"); data.Obstacle != want {
				t.Errorf("the obstacle is %q, want %q", data.Obstacle, want)
			}
		}
		ann.Vault(t, ann.entries...)
		claim := ann.Claim(t, ann.entries[0])
		blocked("shipment")
		ann.Post(t, "/api/redemptions/"+claim+"/cancel", nil).Want(t, http.StatusOK, nil)
		ann.Post(t, "/api/wallet/deposits", apptest.Body{"amountCents": 500}).Want(t, http.StatusOK, nil)
		blocked("top-up")
		clock.Advance(48 * time.Hour)
		apptest.Until(t, "the top-up has expired", func() bool { return count(t, s, "deposits", "user_id = $1 AND state = 'expired'", ann.id) == 1 })

		ann.SignIn(t)
		admin.SignIn(t)
		if page := shownToAdmin(t, admin, ann.id); page.Deletion != nil {
			t.Errorf("admins see the deletion %+v before the user asked for it", page.Deletion)
		}
		ann.askDeletion(t)
		if d := shownToAdmin(t, admin, ann.id).Deletion; d == nil || d.WaitsFor != "" || !d.RequestedAt.Equal(clock.Now()) || !d.DueAt.Equal(clock.Now().Add(14*24*time.Hour)) {
			t.Errorf("admins see the deletion %+v, want it due in 14 days", d)
		}
		clock.Advance(13 * 24 * time.Hour)
		ann.SignIn(t)
		claim = ann.Claim(t, ann.entries[0])
		clock.Advance(2 * 24 * time.Hour)
		deleteDue(t, s, "")
		ann.SignIn(t)
		data := apptest.Get[struct{ Deletion struct{ WaitsFor string } }](t, ann.Client, "/api/account/data")
		if data.Deletion.WaitsFor != "shipment" {
			t.Errorf("the deletion is %+v", data)
		}
		ann.Call(t, http.MethodDelete, "/api/account/delete", nil).Refused(t, http.StatusConflict, "conflict") // the 14 days are over
		admin.SignIn(t)
		if d := shownToAdmin(t, admin, ann.id).Deletion; d == nil || d.WaitsFor != "shipment" {
			t.Errorf("admins see the deletion %+v, want it to wait for the shipment", d)
		}
		for _, step := range []string{"pack", "ship", "deliver"} {
			admin.Step(t, step, claim).Want(t, http.StatusOK, nil)
		}
		deleteDue(t, s, "")
		ann.Get(t, "/api/auth/user").Refused(t, http.StatusUnauthorized, "unauthenticated")
		s.Audit(t)
	})
}

// A deletion that is due, but waits because the account is frozen, doesn't return gifts: their givers
// would learn about it.
func TestWaitingDeletionKeepsGifts(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, ben, admin := newPlayer(t, s, "Ann"), newPlayer(t, s, "Ben"), s.Admin(t)
		ann.askDeletion(t)
		admin.Post(t, "/api/admin/users/"+ann.id+"/freeze", apptest.Body{"reason": "A stolen card."}).Want(t, http.StatusOK, nil)
		clock.Advance(15 * 24 * time.Hour)
		ben.SignIn(t)
		gift := ben.Give(t, apptest.ToWallet(ann.Client), ben.entries[0])
		deleteDue(t, s, "")
		shown := apptest.Get[[]struct{ ID, State string }](t, ben.Client, "/api/gifts")
		if len(shown) != 1 || shown[0].ID != gift || shown[0].State != "waiting" {
			t.Errorf("the giver sees %+v, want the gift %s waiting", shown, gift)
		}
		s.Audit(t)
	})
}

// Nobody escapes an exclusion or a limit by deleting their account: signing in with the wallet brings
// them back, with what was used of them, until they end.
func TestLimitsSurviveDeletion(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := newPlayer(t, s, "Ann")
		ann.askDeletion(t)
		clock.Advance(14 * 24 * time.Hour)
		ann.SignIn(t)
		ann.Call(t, http.MethodPut, "/api/limits", apptest.Body{"limits": []apptest.Body{{"limit": "loss-month", "cents": 100_00}, {"limit": "deposit-day", "cents": 60_00}}}).Want(t, http.StatusOK, nil)
		ann.Deposit(t, 50)
		ann.open(t)
		ann.Post(t, "/api/limits/exclusion", apptest.Body{}).Want(t, http.StatusOK, nil)
		before := apptest.Get[map[string]any](t, ann.Client, "/api/limits")
		runServerJob(t, s, ann.id)
		s.Audit(t)
		ann.SignIn(t)
		after := apptest.Get[map[string]any](t, ann.Client, "/api/limits")
		if fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("limits are\n%v, before\n%v", after, before)
		}
		ann.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "seed"}).Refused(t, http.StatusForbidden, "excluded")
		s.Audit(t)
		// A second deletion keeps them again.
		id := apptest.Get[struct{ ID string }](t, ann.Client, "/api/auth/user").ID
		(&player{Client: ann.Client}).askDeletion(t)
		clock.Advance(14 * 24 * time.Hour)
		runServerJob(t, s, id)
		ann.SignIn(t)
		ann.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "seed"}).Refused(t, http.StatusForbidden, "excluded")
		s.Audit(t)
	})
}

// Limits are kept under a key that was derived from the first seed key. Rotations of the seed key
// don't lose it.
func TestKeptLimitsSurviveKeyRotations(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := newPlayer(t, s, "Ann")
		ann.askDeletion(t)
		clock.Advance(14 * 24 * time.Hour)
		ann.SignIn(t)
		ann.Post(t, "/api/limits/exclusion", apptest.Body{}).Want(t, http.StatusOK, nil)
		runServerJob(t, s, ann.id)
		s.Stop()
		for range 2 {
			s.AddKey(t, keys.Seed)
			for _, retired := range s.RotateKeys(t, keys.Seed).Retired {
				if err := s.RemoveKey(t, retired); err != nil {
					t.Fatal(err)
				}
			}
		}
		again := apptest.Start(t, s.Config)
		ann.Base = again.URL
		ann.SignIn(t)
		ann.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "seed"}).Refused(t, http.StatusForbidden, "excluded")
		again.Audit(t)
	})
}

// runServerJob deletes a user with the server's key.
func runServerJob(t testing.TB, s *apptest.Server, id string) {
	t.Helper()
	service := personaldata.New(personaldata.Service{DB: s.DB, AddressKey: s.AddressKey(t)})
	if deleted, err := service.Delete(t.Context(), id); err != nil || !deleted {
		t.Fatalf("deleted %v: %v", deleted, err)
	}
}

const giftSecret = "0123456789abcdef0123456789abcdef"

// Deleting an account races with everything that its user and others can do. Either the act comes
// first and the deletion sees it, or it is refused. The books hold in any case.
func TestDeletionRacesWithActs(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ben := newPlayer(t, s, "Ben")
		for round := range 6 {
			ann := newPlayer(t, s, fmt.Sprint("Ann ", round))
			ann.Vault(t, ann.entries[5:]...)
			ann.askDeletion(t)
			makeDue(t, s, ann.id)
			ben.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": ben.entries[round], "priceCents": 150, "confirmedCents": 150}).Want(t, http.StatusOK, nil)
			claim := ann.Sign(t, apptest.Home, ann.entries[9])
			cy := newPlayer(t, s, fmt.Sprint("Cy ", round))
			refused := cy.Give(t, apptest.ToWallet(ann.Client), cy.entries[0])
			link := cy.Give(t, apptest.ToLink(giftSecret), cy.entries[1])
			given := ann.Give(t, apptest.ToWallet(cy.Client), ann.entries[2])
			offer := ann.SignGift(t, apptest.ToWallet(cy.Client), ann.entries[3])
			open := apptest.Get[[]struct{ OpenID string }](t, ann.Client, "/api/opens")[0].OpenID
			acts := []func() (apptest.Answer, error){
				func() (apptest.Answer, error) {
					return ann.Try(t.Context(), http.MethodPatch, "/api/pulls/"+open, apptest.Body{"shared": true})
				},
				func() (apptest.Answer, error) {
					return ann.Try(t.Context(), http.MethodPost, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "seed"})
				},
				func() (apptest.Answer, error) {
					return ann.Try(t.Context(), http.MethodPost, "/api/marketplace/buy", apptest.Body{"inventoryId": ben.entries[round], "expectedPriceCents": 150})
				},
				func() (apptest.Answer, error) {
					return ann.Try(t.Context(), http.MethodPost, "/api/bids", apptest.Body{"scope": apptest.Body{"itemId": "pkm-001"}, "priceCents": 100, "quantity": 1, "expiresAt": time.Now().Add(time.Hour).UTC(), "confirmedCents": 100})
				},
				func() (apptest.Answer, error) {
					return ann.Try(t.Context(), http.MethodPost, "/api/marketplace/list", apptest.Body{"inventoryId": ann.entries[0], "priceCents": 150, "confirmedCents": 150})
				},
				func() (apptest.Answer, error) {
					return ann.Try(t.Context(), http.MethodPost, "/api/redemptions", claim)
				},
				func() (apptest.Answer, error) {
					return ann.Try(t.Context(), http.MethodPost, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{ann.entries[1]}, "minPayoutCents": 1})
				},
				func() (apptest.Answer, error) {
					return ann.Try(t.Context(), http.MethodPost, "/api/wallet/deposits", apptest.Body{"amountCents": 500})
				},
				func() (apptest.Answer, error) {
					return ann.Try(t.Context(), http.MethodPost, "/api/gifts/"+refused+"/refuse", apptest.Body{"blockGiver": true})
				},
				func() (apptest.Answer, error) {
					return ann.Try(t.Context(), http.MethodPost, "/api/gifts/"+link+"/accept", apptest.Body{"secret": giftSecret})
				},
				func() (apptest.Answer, error) {
					return ann.Try(t.Context(), http.MethodPost, "/api/gifts", offer)
				},
				func() (apptest.Answer, error) {
					return cy.Try(t.Context(), http.MethodPost, "/api/gifts/"+given+"/accept", apptest.Body{})
				},
			}
			if round%2 == 1 {
				acts = append(acts, func() (apptest.Answer, error) {
					return ann.Try(t.Context(), http.MethodDelete, "/api/account/delete", nil)
				})
			}
			var all sync.WaitGroup
			for _, act := range acts {
				all.Go(func() {
					if a, err := act(); err != nil || a.Status >= 500 {
						t.Errorf("%d %s: %v", a.Status, a.Body, err)
					}
				})
			}
			service := personaldata.New(personaldata.Service{DB: s.DB, AddressKey: key})
			for range 3 {
				all.Go(func() {
					if _, err := service.Delete(t.Context(), ann.id); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if count(t, s, "users", "id = $1 AND deleted_at IS NOT NULL", ann.id) == 1 {
				for _, left := range [][2]string{{"sessions", "user_id = $1"}, {"bids", "user_id = $1 AND state = 'open'"}, {"claims", "user_id = $1 AND state = 'requested'"},
					{"accounts", "user_id = $1 AND (balance_cents > 0 OR in_bids_cents > 0)"}, {"inventory", "user_id = $1 AND state = 'listed'"}, {"deposits", "user_id = $1 AND state = 'quoted'"},
					{"inventory", "user_id = $1 AND state = 'giving'"}, {"gift_blocks", "user_id = $1"}, {"alerts", "user_id = $1"}, {"shared_pulls", "user_id = $1"}, {"gifts", "giver_id = $1 AND message <> ''"}} {
					if n := count(t, s, left[0], left[1], ann.id); n > 0 {
						t.Errorf("round %d: %d rows of %s are left", round, n, left[0])
					}
				}
			}
		}
		s.Audit(t)
		s.VerifyLog(t)
	})
}

// A user is deleted after a call was admitted and before its body arrives. It stores nothing.
func TestDeletionWhileBodyArrives(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for n, call := range []struct {
			method, path string
			body         apptest.Body
			table, where string
		}{
			{http.MethodPatch, "/api/auth/user", apptest.Body{"firstName": "Back again", "handle": "back-again"}, "users", "id = $1 AND (first_name <> '' OR handle <> '')"},
			{http.MethodPost, "/api/watchlist", apptest.Body{"itemId": "pkm-001"}, "watches", "user_id = $1"},
			{http.MethodPost, "/api/saved-searches", apptest.Body{"name": "back again", "query": "search=back"}, "saved_searches", "user_id = $1"},
		} {
			ann := newPlayer(t, s, fmt.Sprint("Ann ", n))
			ann.askDeletion(t)
			makeDue(t, s, ann.id)
			transport := &http.Transport{ExpectContinueTimeout: time.Minute}
			ann.HTTP.Transport = transport
			ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got100Continue: func() { // the server reads the body
				if deleted, err := personaldata.New(personaldata.Service{DB: s.DB, AddressKey: key}).Delete(t.Context(), ann.id); err != nil || !deleted {
					t.Errorf("deleted: %t, %v", deleted, err)
				}
			}})
			answer, err := ann.Try(ctx, call.method, call.path, call.body, "Expect", "100-continue")
			if err != nil {
				t.Fatal(err)
			}
			transport.CloseIdleConnections()
			answer.Refused(t, http.StatusUnauthorized, "unauthenticated")
			if count(t, s, "users", "id = $1 AND deleted_at IS NOT NULL", ann.id) != 1 {
				t.Fatal("the user wasn't deleted meanwhile")
			}
			if n := count(t, s, call.table, call.where, ann.id); n > 0 {
				t.Errorf("%s %s stored something", call.method, call.path)
			}
		}
		s.Audit(t)
	})
}

// makeDue ends the wait of a user's deletion.
func makeDue(t testing.TB, s *apptest.Server, id string) {
	t.Helper()
	err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := identity.MakeDeletionDue(tx, id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A sign-in that races with the deletion is either one of the old user, who is then deleted with the
// session, or one of a new user.
func TestDeletionRacesWithSignIn(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for round := range 5 {
			ann := newPlayer(t, s, fmt.Sprint("Ann ", round))
			ann.askDeletion(t)
			makeDue(t, s, ann.id)
			var all sync.WaitGroup
			for range 3 {
				elsewhere := s.NewClient(t)
				elsewhere.Key, elsewhere.Address = ann.Key, ann.Address
				all.Go(func() {
					// The deletion may delete the challenge: then the user has to ask for another one.
					if a, err := trySignIn(t, elsewhere); err != nil || a.Status != http.StatusOK && a.Status != http.StatusUnauthorized {
						t.Errorf("%d %s: %v", a.Status, a.Body, err)
					}
				})
			}
			all.Go(func() {
				if _, err := personaldata.New(personaldata.Service{DB: s.DB, AddressKey: key}).Delete(t.Context(), ann.id); err != nil {
					t.Error(err)
				}
			})
			all.Wait()
			if n := count(t, s, "sessions", "user_id = $1", ann.id); n != 0 {
				t.Errorf("the deleted user has %d sessions", n)
			}
		}
		s.Audit(t)
	})
}

func trySignIn(t testing.TB, c *apptest.Client) (apptest.Answer, error) {
	var asked struct{ Message string }
	a, err := c.Try(t.Context(), http.MethodPost, "/api/auth/challenge", apptest.Body{"address": c.Address})
	if err == nil {
		err = a.Read(&asked)
	}
	if err != nil {
		return a, err
	}
	return c.Try(t.Context(), http.MethodPost, "/api/auth/verify", apptest.Body{"address": c.Address, "signature": base58.Encode(ed25519.Sign(c.Key, []byte(asked.Message)))})
}

// A deleted user's account is closed for good: no act of an admin opens it again.
func TestDeletedUsersAreNotModerated(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := newPlayer(t, s, "Ann")
		ann.askDeletion(t)
		clock.Advance(14 * 24 * time.Hour)
		deleteDue(t, s, "")
		admin := s.Admin(t)
		for _, page := range []adminPage{shownToAdmin(t, admin, ann.id), apptest.Get[[]adminPage](t, admin, "/api/admin/users?search="+ann.id)[0]} {
			if page.DeletedAt == nil || !page.DeletedAt.Equal(clock.Now()) || page.Deletion != nil {
				t.Errorf("admins see %+v, want a user deleted at %s", page, clock.Now())
			}
		}
		for act, sent := range map[string]apptest.Body{
			"freeze": {"reason": "x"}, "unfreeze": {"reason": "x"}, "profile": {"lock": true, "reason": "x"}, "debit": {"amountCents": 100, "reason": "x"},
			"role": {"role": "admin", "reason": "x"}, "sign-out": {"reason": "x"},
		} {
			admin.Post(t, "/api/admin/users/"+ann.id+"/"+act, sent).Refused(t, http.StatusConflict, "conflict")
		}
		admin.Post(t, "/api/admin/users/"+ann.id+"/role", apptest.Body{"role": "user", "reason": "x"}).Refused(t, http.StatusConflict, "conflict")
		if asked := count(t, s, "approvals", "state = 'pending'"); asked != 0 {
			t.Errorf("%d requests about the deleted user wait for a second admin", asked)
		}
		s.Audit(t)
	})
}

// adminPage is what admins see about the deletion of a user.
type adminPage struct {
	DeletedAt *time.Time
	Deletion  *struct {
		RequestedAt, DueAt time.Time
		WaitsFor           string
	}
}

func shownToAdmin(t testing.TB, admin *apptest.Client, id string) adminPage {
	t.Helper()
	return apptest.Get[adminPage](t, admin, "/api/admin/users/"+id)
}

// The list of deleted users has each of them once, and deletes them again after a restore.
func TestDeletedUsersAreListed(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, ben := newPlayer(t, s, "Ann"), newPlayer(t, s, "Ben")
		list := filepath.Join(t.TempDir(), "deleted-users")
		ann.askDeletion(t)
		clock.Advance(14 * 24 * time.Hour)
		for range 2 {
			deleteDue(t, s, list)
			if text, err := os.ReadFile(list); err != nil || string(text) != ann.id+"\n" {
				t.Fatalf("the list is %q: %v", text, err)
			}
		}
		// In a restored backup, Ben isn't deleted yet.
		if err := os.WriteFile(list, []byte(ann.id+"\n"+ben.id+"\n"+dbtest.ID("nobody")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		service := personaldata.New(personaldata.Service{DB: s.DB, AddressKey: key, DeletedList: list})
		for _, want := range []personaldata.Reapplied{{Listed: 3, Deleted: 1}, {Listed: 3}} {
			if got, err := service.DeleteAgain(t.Context()); err != nil || got != want {
				t.Errorf("%+v, want %+v: %v", got, want, err)
			}
		}
		if n := count(t, s, "users", "deleted_at IS NOT NULL"); n != 2 {
			t.Errorf("%d users are deleted", n)
		}
		if err := os.WriteFile(list, []byte("not an id\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := service.DeleteAgain(t.Context()); err == nil {
			t.Error("a damaged list was accepted")
		}
		s.Audit(t)
	})
}
