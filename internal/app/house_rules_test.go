package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/loadgen"
)

// profile returns a change that configures the default rules with exceptions.
func profile(t *testing.T, changes payload) func(*app.Config) {
	t.Helper()
	rules := payload{
		"name": "test", "minimumAge": 0, "guardianBelow": 0, "countries": []string{}, "highestPackCents": 0, "spentDayCents": 0,
		"opensDay": 0, "secondsBetween": 0, "market": true, "giftsDayCents": 50000, "sellBack": true, "celebrateLosses": true, "dollarsShown": false, "demo": "uniform",
	}
	maps.Copy(rules, changes)
	text, err := json.Marshal(rules)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "profile.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return func(c *app.Config) { c.Profile = file }
}

func openPack(t *testing.T, c *apptest.Client) apptest.Answer {
	return c.Post(t, "/api/packs/2/open", payload{"clientSeed": "x"}) // for $25
}

// brokenRule returns the house rule that caused a refusal, and when it allows opens again.
func brokenRule(t *testing.T, a apptest.Answer) (rule, renews string) {
	t.Helper()
	var details struct{ Rule, RenewsAt string }
	if err := json.Unmarshal(a.Refused(t, http.StatusForbidden, "house_limit").Details, &details); err != nil {
		t.Fatal(err)
	}
	return details.Rule, details.RenewsAt
}

// The server enforces each rule of a profile.
func TestHouseRulesAreEnforced(t *testing.T) {
	house := func(name string, changes payload, test func(t *testing.T, s *apptest.Server, clock *dbtest.Clock)) {
		t.Run(name, func(t *testing.T) { apptest.EachWithClock(t, test, profile(t, changes)) })
	}
	rich := func(t *testing.T, s *apptest.Server) *apptest.Client {
		c := s.SignIn(t)
		c.Deposit(t, 500)
		return c
	}
	house("highestPackCents", payload{"highestPackCents": 2499}, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		if rule, renews := brokenRule(t, openPack(t, rich(t, s))); rule != "highestPackCents" || renews != "" {
			t.Errorf("refused by %s until %s", rule, renews)
		}
	})
	house("spentDayCents", payload{"spentDayCents": 5000}, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		c := rich(t, s)
		openPack(t, c).Want(t, http.StatusOK, nil)
		openPack(t, c).Want(t, http.StatusOK, nil)
		if rule, renews := brokenRule(t, openPack(t, c)); rule != "spentDayCents" || !strings.HasPrefix(renews, "2026-03-05T00:00:00") {
			t.Errorf("refused by %s until %s", rule, renews)
		}
		clock.Advance(12 * time.Hour)
		openPack(t, c).Want(t, http.StatusOK, nil)
	})
	house("opensDay", payload{"opensDay": 1}, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		c := rich(t, s)
		openPack(t, c).Want(t, http.StatusOK, nil)
		if rule, _ := brokenRule(t, openPack(t, c)); rule != "opensDay" {
			t.Errorf("refused by %s", rule)
		}
	})
	house("secondsBetween", payload{"secondsBetween": 3}, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		c := rich(t, s)
		openPack(t, c).Want(t, http.StatusOK, nil)
		clock.Advance(3*time.Second - time.Microsecond)
		if rule, _ := brokenRule(t, openPack(t, c)); rule != "secondsBetween" {
			t.Errorf("refused by %s", rule)
		}
		clock.Advance(time.Microsecond)
		openPack(t, c).Want(t, http.StatusOK, nil)
	})
	house("market", payload{"market": false}, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) { wantMarketClosed(t, rich(t, s)) })
	house("sellBack", payload{"sellBack": false}, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		c := rich(t, s)
		entry := pull(t, c)
		wantSwitchedOff(t, c.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": []string{entry}}), "sellBack")
		c.Post(t, "/api/inventory/quick-sell", payload{"inventoryIds": []string{entry}}).Refused(t, http.StatusConflict, "no_buyer")
		rich(t, s).Post(t, "/api/bids", payload{"scope": payload{"inventoryId": entry}, "priceCents": 100}).Want(t, http.StatusOK, nil)
		c.Post(t, "/api/inventory/quick-sell", payload{"inventoryIds": []string{entry}}).Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
	house("countries", payload{"countries": []string{"GB"}}, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		var terms struct{ Rates []struct{ Country string } }
		s.SignIn(t).Get(t, "/api/redemptions/terms").Want(t, http.StatusOK, &terms)
		if fmt.Sprint(terms.Rates) != "[{GB}]" {
			t.Errorf("ships to %v, want GB only", terms.Rates)
		}
	})
	house("minimumAge", payload{"minimumAge": 8, "guardianBelow": 18}, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) { wantAgeConfirmed(t, s) })
}

func pull(t *testing.T, c *apptest.Client) string {
	t.Helper()
	var pulled struct {
		Items []struct{ InventoryID string }
	}
	openPack(t, c).Want(t, http.StatusOK, &pulled)
	return pulled.Items[0].InventoryID
}

// wantSwitchedOff expects a refusal by the named rule.
func wantSwitchedOff(t *testing.T, a apptest.Answer, rule string) {
	t.Helper()
	if details := a.Refused(t, http.StatusNotImplemented, "switched_off").Details; string(details) != `{"rule":"`+rule+`"}` {
		t.Errorf("refused by %s, want %s", details, rule)
	}
}

// wantMarketClosed expects the market to be closed and quick sells to Kaibao to work.
func wantMarketClosed(t *testing.T, c *apptest.Client) {
	t.Helper()
	entry := pull(t, c)
	line := payload{"inventoryId": entry, "priceCents": 5000, "confirmedCents": 5000}
	for path, body := range map[string]payload{
		"/api/marketplace/list":      line,
		"/api/marketplace/list-many": {"lines": []payload{line}},
		"/api/marketplace/buy":       {"inventoryId": entry},
		"/api/marketplace/cart":      {"lines": []payload{{"inventoryId": entry, "expectedPriceCents": 100}}},
		"/api/bids":                  {"scope": payload{"inventoryId": entry}, "priceCents": 100},
	} {
		wantSwitchedOff(t, c.Post(t, path, body), "market")
	}
	c.Post(t, "/api/inventory/quick-sell", payload{"inventoryIds": []string{entry}}).Want(t, http.StatusOK, nil)
}

// wantAgeConfirmed expects a required age of 8 and a guardian's consent below 18. They are
// confirmed once and stored.
func wantAgeConfirmed(t *testing.T, s *apptest.Server) {
	t.Helper()
	signIn := func(c *apptest.Client, confirmed payload) (last apptest.Answer) {
		_ = loadgen.SignIn(c.Key, func(path string, body, into any) error {
			if strings.HasSuffix(path, "/verify") {
				text, err := json.Marshal(body)
				if err != nil {
					return err
				}
				whole := payload{}
				if err := json.Unmarshal(text, &whole); err != nil {
					return err
				}
				maps.Copy(whole, confirmed)
				body = whole
			}
			last = c.Post(t, path, body)
			return last.Read(into)
		})
		return last
	}
	c := s.NewClient(t)
	for _, confirmed := range []payload{nil, {"confirmedAge": 7, "guardianConsents": true}, {"confirmedAge": 8}, {"confirmedAge": 17, "guardianConsents": false}} {
		signIn(c, confirmed).Refused(t, http.StatusForbidden, "age_unconfirmed")
	}
	c.Get(t, "/api/auth/user").Refused(t, http.StatusUnauthorized, "unauthenticated")
	signIn(c, payload{"confirmedAge": 8, "guardianConsents": true}).Want(t, http.StatusOK, nil)
	c.Get(t, "/api/auth/user").Want(t, http.StatusOK, nil)
	signIn(c, nil).Want(t, http.StatusOK, nil)
	signIn(s.NewClient(t), payload{"confirmedAge": 18}).Want(t, http.StatusOK, nil)
	ages := []string{}
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		ages, err = db.All(tx, db.Column[string], `SELECT CAST(confirmed_age AS TEXT) FROM users WHERE age_confirmed_at IS NOT NULL ORDER BY users.confirmed_age`)
		return err
	}); err != nil || fmt.Sprint(ages) != "[8 18]" {
		t.Errorf("confirmed ages %v, %v, want [8 18]", ages, err)
	}
}

// Invalid rules prevent a start.
func TestInvalidRulesPreventStart(t *testing.T) {
	for why, change := range map[string]func(*app.Config){
		`unknown profile "narnia"`:        func(c *app.Config) { c.Profile = "narnia" },
		"no such file":                    func(c *app.Config) { c.Profile = "./nowhere.json" },
		"minimumAge must be":              profile(t, payload{"minimumAge": -1}),
		`unknown rule "maximum"`:          profile(t, payload{"maximum": 1}),
		"the shipping table has no price": profile(t, payload{"countries": []string{"AQ"}}),
	} {
		config := apptest.Config(t, "sqlite")
		change(&config)
		if a, err := app.Open(t.Context(), config, "test"); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %q", err, why)
			if a != nil {
				_ = a.Close()
			}
		}
	}
}
