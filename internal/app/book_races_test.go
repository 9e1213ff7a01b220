package app_test

import (
	"net/http"
	"os"
	"strconv"
	"sync"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// Fifty bidders, half at each node, bid the price of ten listed entries. Each entry is sold once,
// and the others hold a bid and have paid nothing.
func TestManyBiddersForFewEntries(t *testing.T) {
	const bidders, price = 50, 10_00
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			first, second := nodes(t, engine)
			seller := first.SignIn(t)
			ids := ownedAfterOpening(t, seller, 2)
			for _, id := range ids {
				seller.Post(t, "/api/marketplace/list", payload{"inventoryId": id, "priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, nil)
			}
			clients := make([]*apptest.Client, bidders)
			for n := range clients {
				clients[n] = []*apptest.Server{first, second}[n%2].SignIn(t)
				clients[n].Deposit(t, price/100)
			}
			var all sync.WaitGroup
			for n, c := range clients {
				all.Go(func() {
					c.Post(t, "/api/bids", payload{"scope": payload{"inventoryId": ids[n%len(ids)]}, "priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, nil)
				})
			}
			all.Wait()
			bought := map[string]int{}
			for _, c := range clients {
				wallet := apptest.Get[struct{ BalanceCents, HeldCents int }](t, c, "/api/wallet")
				has := owned(t, c)
				for _, id := range has {
					bought[id]++
				}
				if wallet.BalanceCents != 0 || wallet.HeldCents != price*(1-len(has)) {
					t.Errorf("the owner of %v has %+v", has, wallet)
				}
			}
			for _, id := range ids {
				if bought[id] != 1 {
					t.Errorf("%s was sold %d times", id, bought[id])
				}
			}
			first.Audit(t)
		})
	}
}

// ownedAfterOpening opens some packs and returns the user's entries.
func ownedAfterOpening(t *testing.T, c *apptest.Client, packs int) []string {
	t.Helper()
	for range packs {
		c.Deposit(t, 25)
		c.Post(t, "/api/packs/demo-pack-1/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
	}
	return owned(t, c)
}

// bookVariable is the number of rounds in which a listing and a matching bid race.
const bookVariable = "KAIBAO_BOOK_RACES"

// A listing at 100 and a bid of 110, placed concurrently at two nodes, result in one trade: in
// either request or by the matching job.
func TestConcurrentListingAndBidAreTraded(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv(bookVariable))
	if err != nil {
		rounds = 10
	}
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			first, second := nodes(t, engine)
			seller, buyer := first.SignIn(t), second.SignIn(t)
			ids := ownedAfterOpening(t, seller, (rounds+4)/5)
			buyer.Deposit(t, 2*rounds)
			for _, id := range ids[:rounds] {
				var both sync.WaitGroup
				both.Go(func() {
					seller.Post(t, "/api/marketplace/list", payload{"inventoryId": id, "priceCents": 100, "confirmedCents": 100}).Want(t, http.StatusOK, nil)
				})
				both.Go(func() {
					buyer.Post(t, "/api/bids", payload{"scope": payload{"inventoryId": id}, "priceCents": 110}).Want(t, http.StatusOK, nil)
				})
				both.Wait()
				apptest.Until(t, "the bid is filled", func() bool {
					return len(apptest.Get[[]struct{ ID string }](t, buyer, "/api/bids?state=open")) == 0
				})
			}
			if has := owned(t, buyer); len(has) != rounds {
				t.Errorf("%d of %d were traded", len(has), rounds)
			}
			first.WaitForLog(t)
			first.Audit(t)
		})
	}
}
