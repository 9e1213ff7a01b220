package integrationtest_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/packs"
)

// Undoing a value change or a retirement within the notice period announces a manifest that is
// still in force. Opens by it must verify.
func TestUndoneChangesKeepTheLogValid(t *testing.T) {
	for name, changes := range map[string][]apptest.Body{
		"a value":        {{"baseValueCents": 600, "source": "A typo", "reason": "A slip."}, {"baseValueCents": 1000, "source": "A list", "reason": "It was a slip."}},
		"an item":        {{"isActive": false}, {"isActive": true}},
		"an item, twice": {{"isActive": false}, {"isActive": true}, {"isActive": false}, {"isActive": true}},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
				addBox(t, s, 0)
				admin, c := s.Admin(t), s.SignIn(t)
				c.Deposit(t, 1000)
				for _, change := range changes {
					changedItem(t, admin, "box-1", change)
					clock.Advance(2 * time.Minute)
				}
				for range 4 { // before, during and after the grace period
					c.Post(t, "/api/packs/box/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
					clock.Advance(4 * time.Minute)
				}
				s.Audit(t)
				s.VerifyLog(t)
			}, apptest.Empty)
		})
	}
}

// addBox puts a pack on sale that draws four cards worth $10. stock is the stock of each; 0 =
// unlimited.
func addBox(t *testing.T, s *apptest.Server, stock int64) {
	t.Helper()
	shop := s.Shop(t)
	box := packs.Pack{
		ID: "box", Name: "Box", Series: []string{"Box"}, Price: 20_00, ItemsPerPack: 1, Supply: packs.Unlimited, OddsUnit: 1_000_000,
		Definition: packs.Definition{InitialStock: stock, Tiers: []packs.TierRule{
			{Label: "low", Weight: 900_000, Items: []string{"box-1", "box-2"}}, {Label: "high", Weight: 100_000, Items: []string{"box-3", "box-4"}},
		}},
	}
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		for i := range 4 {
			i := catalogue.Item{ID: fmt.Sprint("box-", i+1), Series: "Box", Name: fmt.Sprint("Box card number ", i+1), Rarity: "Rare", BaseValue: 10_00, Active: true}
			if err := catalogue.Add(tx, i, ""); err != nil {
				return err
			}
		}
		if err := shop.Add(tx, box); err != nil {
			return err
		}
		return shop.Activate(tx, "box", nil)
	}); err != nil {
		t.Fatal(err)
	}
}

// Random sequences of pack and item changes, with opens in between that name any of the manifests:
// the verifier must accept everything that the server drew and logged.
func TestLogVerifiesAfterRandomAnnouncements(t *testing.T) {
	for i, delay := range []time.Duration{time.Minute, 10 * time.Minute, 30 * time.Minute} {
		for _, stock := range []int64{0, 3} {
			t.Run(fmt.Sprintf("delay %s, stock %d", delay, stock), func(t *testing.T) {
				clock := dbtest.NewClock()
				config := apptest.Config(t, dbtest.Engines()[0], apptest.Empty, apptest.At(clock))
				config.ManifestDelay = delay
				a := announcer{Rand: rand.New(rand.NewPCG(uint64(i), uint64(stock))), T: t, server: apptest.Start(t, config), clock: clock, answered: map[int]int{}}
				addBox(t, a.server, stock)
				a.admin, a.player = a.server.Admin(t), a.server.SignIn(t)
				a.player.Deposit(t, 8000)
				acts := []func(){a.value, a.value, a.item, a.price, a.supply, a.odds, a.wait, a.wait, a.open, a.open, a.open}
				if stock > 0 {
					acts = append(acts, a.restock)
				}
				for i := range 200 {
					acts[a.IntN(len(acts))]()
					if i == 100 {
						a.server.VerifyLog(t)
					}
				}
				a.server.Audit(t)
				a.server.VerifyLog(t)
				t.Log(a.answered)
				if a.answered[http.StatusOK] < 10 || a.answered[http.StatusConflict] < 10 {
					t.Errorf("too few opens accepted or refused: %v", a.answered)
				}
			})
		}
	}
}

// announcer makes random changes as an admin, and opens packs in between.
type announcer struct {
	*rand.Rand
	*testing.T
	server        *apptest.Server
	clock         *dbtest.Clock
	admin, player *apptest.Client
	answered      map[int]int // opens, by status
}

func (a announcer) card() string { return []string{"box-1", "box-3"}[a.IntN(2)] }

func (a announcer) pack(change apptest.Body) {
	a.admin.Call(a.T, http.MethodPatch, "/api/admin/packs/box", change).Want(a.T, http.StatusOK, nil)
}

func (a announcer) value() {
	answer := changeItem(a.T, a.admin, a.card(), apptest.Body{"baseValueCents": []int64{600, 1000, 1100}[a.IntN(3)], "source": "A list", "reason": "So."})
	if answer.Status == http.StatusConflict { // it would rise while only older odds hold it
		answer.Refused(a.T, http.StatusConflict, "conflict")
		return
	}
	answer.Want(a.T, http.StatusOK, nil)
}

func (a announcer) item() {
	changedItem(a.T, a.admin, a.card(), apptest.Body{"isActive": a.IntN(3) > 0})
}

func (a announcer) price() { a.pack(apptest.Body{"priceCents": 2000 + 100*a.IntN(2)}) }

func (a announcer) supply() { a.pack(apptest.Body{"supply": []int{-1, 1000}[a.IntN(2)]}) }

func (a announcer) odds() {
	shares := []map[string]json.Number{{"low": "0.9", "high": "0.1"}, {"low": "0.8", "high": "0.2"}}
	a.pack(apptest.Body{"lootTableJson": apptest.Body{"rarities": shares[a.IntN(2)]}})
}

func (a announcer) restock() {
	answer := changeItem(a.T, a.admin, a.card(), apptest.Body{"restock": apptest.Body{"count": []int{-1, 1, 2}[a.IntN(3)]}})
	if answer.Status != http.StatusUnprocessableEntity && answer.Status != http.StatusConflict { // removes more than is left, or no manifest draws it
		answer.Want(a.T, http.StatusOK, nil)
	}
}

func (a announcer) wait() { a.clock.Advance(time.Duration(a.IntN(20)) * 30 * time.Second) }

// open names no manifest, or one of the latest, whether in force or not.
func (a announcer) open() {
	named := apptest.Body{"clientSeed": "x"}
	if known := announced(a.T, a.server, "box"); a.IntN(3) > 0 {
		known = known[max(0, len(known)-8):]
		named["manifest"] = fmt.Sprintf("%x", known[a.IntN(len(known))].Manifest)
	}
	answer := a.player.Post(a.T, "/api/packs/box/open", named)
	a.answered[answer.Status]++
	if !slices.Contains([]int{http.StatusOK, http.StatusConflict, http.StatusGone}, answer.Status) {
		a.Fatalf("%d %s", answer.Status, answer.Body)
	}
}
