package app_test

import (
	"cmp"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// quickVariable is the number of rounds in which quick sells race against changing bids.
const quickVariable = "KAIBAO_QUICK_RACES"

// A criterion bid at 100 % of the value beats Kaibao's offer for every entry. While its
// bidder withdraws it, changes it, takes a time-out, excludes themselves, or an admin changes a
// value, six sellers quick-sell, accept, list and answer bids on two nodes. After every round
// the books and the public log must hold.
func TestQuickSellsWhileBidsChange(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv(quickVariable))
	if err != nil {
		rounds = 10
	}
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			first, second := nodes(t, engine)
			m := newQuickSellRace(t, first, second)
			for round := range rounds {
				m.runRound(t, round)
				first.VerifyLog(t)
				first.Audit(t)
				if t.Failed() {
					t.Fatalf("round %d", round)
				}
			}
		})
	}
}

// quickSellRace is two nodes with an admin, sellers, and collectors who bid for single entries.
type quickSellRace struct {
	nodes   [2]*apptest.Server
	admin   *apptest.Client
	sellers []*apptest.Client
	rivals  []*apptest.Client
	stock   [][]string // unsold entries of each seller
}

func newQuickSellRace(t *testing.T, first, second *apptest.Server) *quickSellRace {
	t.Helper()
	m := &quickSellRace{nodes: [2]*apptest.Server{first, second}, admin: first.Admin(t)}
	for i := range 6 {
		m.sellers = append(m.sellers, m.nodes[i%2].SignIn(t))
	}
	for i := range 2 {
		m.rivals = append(m.rivals, m.nodes[i%2].SignIn(t))
	}
	m.stock = make([][]string, len(m.sellers))
	return m
}

// nextEntry returns the next unsold entry of a seller, from a fresh pack if necessary.
func (m *quickSellRace) nextEntry(t *testing.T, seller int) (entry string) {
	t.Helper()
	if len(m.stock[seller]) == 0 {
		c := m.sellers[seller]
		c.Deposit(t, 25)
		var opened struct {
			Items []struct{ InventoryID string }
		}
		c.Post(t, "/api/packs/demo-pack-1/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
		for _, item := range opened.Items {
			m.stock[seller] = append(m.stock[seller], item.InventoryID)
		}
	}
	entry, m.stock[seller] = m.stock[seller][0], m.stock[seller][1:]
	return entry
}

type shownEntry struct {
	Item struct {
		ID, Series     string
		BaseValueCents int
	}
}

// runRound runs one round: a new bidder bids, then everyone acts concurrently.
func (m *quickSellRace) runRound(t *testing.T, round int) {
	t.Helper()
	const most = 40_00
	entries := make([]string, len(m.sellers))
	for i := range entries {
		entries[i] = m.nextEntry(t, i)
	}
	shown := apptest.Get[shownEntry](t, m.admin, "/api/inventory/"+entries[0])
	bidder := m.nodes[round%2].SignIn(t)
	bidder.Deposit(t, 8*most/100)
	var bid struct{ ID string }
	bidder.Post(t, "/api/bids", payload{"scope": payload{"series": shown.Item.Series}, "pegPercent": 100, "capCents": most, "confirmedCents": most, "quantity": 8}).
		Want(t, http.StatusOK, &bid)
	var single [2]struct{ ID string }
	for i, rival := range m.rivals {
		rival.Deposit(t, 1)
		rival.Post(t, "/api/bids", payload{"scope": payload{"inventoryId": entries[4+i]}, "priceCents": 100}).Want(t, http.StatusOK, &single[i])
	}

	var all sync.WaitGroup
	act := func(do func() apptest.Answer, allowed ...int) {
		all.Go(func() { wantStatus(t, do(), allowed...) })
	}
	for i := range 4 {
		act(func() apptest.Answer {
			return m.sellers[i].Post(t, "/api/inventory/quick-sell", payload{"inventoryIds": []string{entries[i]}})
		}, http.StatusOK)
	}
	act(func() apptest.Answer {
		return m.sellers[4].Post(t, "/api/marketplace/list", payload{"inventoryId": entries[4], "priceCents": 90, "confirmedCents": 90})
	}, http.StatusOK)
	act(func() apptest.Answer {
		return m.sellers[5].Post(t, "/api/bids/"+single[1].ID+"/counter", payload{"inventoryId": entries[5], "priceCents": 150, "confirmedCents": 150})
	}, http.StatusOK, http.StatusNotFound, http.StatusConflict) // it may have been sold
	act(func() apptest.Answer {
		return m.sellers[5].Post(t, "/api/bids/"+single[1].ID+"/accept", payload{"inventoryId": entries[5], "expectedPriceCents": 100, "confirmedCents": 100})
	}, http.StatusOK, http.StatusConflict)
	for _, change := range m.changes(t, round, bidder, bid.ID, shown, most) {
		act(change, http.StatusOK, http.StatusNoContent, http.StatusConflict)
	}
	all.Wait()
	for _, rival := range m.rivals {
		for _, b := range apptest.Get[[]struct{ ID string }](t, rival, "/api/bids?state=open") {
			rival.Call(t, http.MethodDelete, "/api/bids/"+b.ID, nil)
		}
	}
}

// changes returns the round's changes to the bid.
func (m *quickSellRace) changes(t *testing.T, round int, bidder *apptest.Client, bid string, shown shownEntry, most int) []func() apptest.Answer {
	withdraw := func() apptest.Answer { return bidder.Call(t, http.MethodDelete, "/api/bids/"+bid, nil) }
	lower := func() apptest.Answer {
		return bidder.Call(t, http.MethodPut, "/api/bids/"+bid, payload{"pegPercent": 50, "capCents": most, "confirmedCents": most, "quantity": 3})
	}
	timeOut := func() apptest.Answer { return bidder.Post(t, "/api/limits/time-out", payload{"days": 1}) }
	exclude := func() apptest.Answer { return bidder.Post(t, "/api/limits/exclusion", payload{}) }
	revalue := func() apptest.Answer {
		return m.admin.Call(t, http.MethodPatch, "/api/admin/items/"+shown.Item.ID,
			payload{"baseValueCents": shown.Item.BaseValueCents + 1, "source": "An auction", "reason": fmt.Sprintf("Round %d.", round)})
	}
	return [][]func() apptest.Answer{{withdraw}, {lower}, {timeOut}, {exclude}, {revalue, lower}, {revalue, withdraw}}[round%6]
}

// wantStatus fails the test unless a response has one of the statuses. It may be called from any
// goroutine.
func wantStatus(t *testing.T, a apptest.Answer, allowed ...int) {
	if slices.Contains(allowed, a.Status) {
		return
	}
	t.Errorf("status %d, want one of %v: %s", a.Status, allowed, cmp.Or(string(a.Body), "no body"))
}
