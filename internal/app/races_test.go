package app_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// raceTest has a wallet signed in at each of two nodes on one database (on SQLite, the same node
// twice). Ann and Ben each own the five entries of a demo pack. Ann's second entry is listed at $3,
// and her last is in the vault.
type raceTest struct {
	ann, ben    *apptest.Client
	annsEntries []string
	claimBody   payload // the body that claims her vaulted entry
}

// raceRequest is a request, with or without an idempotency key.
type raceRequest struct {
	client func(*raceTest) *apptest.Client
	path   string
	body   func(*raceTest) payload
	key    string
}

func ann(a *raceTest) *apptest.Client { return a.ann }
func ben(a *raceTest) *apptest.Client { return a.ben }

func annsEntry(n int, more payload) func(*raceTest) payload {
	return func(a *raceTest) payload { return with(payload{"inventoryId": a.annsEntries[n]}, more) }
}

// sellBack is the body that sells some of Ann's entries back.
func sellBack(ns ...int) func(*raceTest) payload {
	return func(a *raceTest) payload {
		ids := make([]string, len(ns))
		for i, n := range ns {
			ids[i] = a.annsEntries[n]
		}
		return payload{"inventoryIds": ids}
	}
}

func fixedBody(body payload) func(*raceTest) payload { return func(*raceTest) payload { return body } }

func with(body, more payload) payload {
	maps.Copy(body, more)
	return body
}

const (
	listed  = 1 // Ann's listed entry
	vaulted = 4 // her vaulted entry
)

// claimOf returns the body of a claim of one of Ann's entries. A listed entry can't be signed for,
// so the body has the signature for another one.
func claimOf(n int) func(*raceTest) payload {
	return func(a *raceTest) payload {
		return with(maps.Clone(a.claimBody), payload{"inventoryIds": []string{a.annsEntries[n]}})
	}
}

var (
	openBody  = payload{"clientSeed": "race"}
	priceBody = payload{"expectedPriceCents": 300}
)

// races are pairs of concurrent requests. Each outcome has their statuses, in the order of the
// pair, for one order of serial execution.
var races = []struct {
	name     string
	pair     [2]raceRequest
	outcomes [][2]int
}{
	{"one buyer twice", [2]raceRequest{{ben, "/api/marketplace/buy", annsEntry(listed, priceBody), ""}, {ben, "/api/marketplace/buy", annsEntry(listed, priceBody), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"one key on two nodes", [2]raceRequest{{ben, "/api/marketplace/buy", annsEntry(listed, priceBody), "same"}, {ben, "/api/marketplace/buy", annsEntry(listed, priceBody), "same"}}, [][2]int{{200, 200}}},
	{"buy and delist", [2]raceRequest{{ben, "/api/marketplace/buy", annsEntry(listed, priceBody), ""}, {ann, "/api/marketplace/delist", annsEntry(listed, nil), ""}}, [][2]int{{200, 404}, {409, 200}, {404, 200}}},
	{"buy and reprice", [2]raceRequest{{ben, "/api/marketplace/buy", annsEntry(listed, priceBody), ""}, {ann, "/api/marketplace/reprice", annsEntry(listed, payload{"priceCents": 400, "confirmedCents": 400}), ""}}, [][2]int{{200, 404}, {409, 200}}},
	{"buy and vault", [2]raceRequest{{ben, "/api/marketplace/buy", annsEntry(listed, priceBody), ""}, {ann, "/api/inventory/vault", annsEntry(listed, nil), ""}}, [][2]int{{200, 404}, {200, 409}, {200, 200}}},
	{"buy and open for the same money", [2]raceRequest{{ben, "/api/marketplace/buy", annsEntry(listed, priceBody), ""}, {ben, "/api/packs/2/open", fixedBody(openBody), ""}}, [][2]int{{200, 402}, {402, 200}}},
	{"two lists", [2]raceRequest{{ann, "/api/marketplace/list", annsEntry(0, payload{"priceCents": 100, "confirmedCents": 100}), ""}, {ann, "/api/marketplace/list", annsEntry(0, payload{"priceCents": 200, "confirmedCents": 200}), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"list and vault", [2]raceRequest{{ann, "/api/marketplace/list", annsEntry(0, payload{"priceCents": 100, "confirmedCents": 100}), ""}, {ann, "/api/inventory/vault", annsEntry(0, nil), ""}}, [][2]int{{200, 200}, {200, 409}}},
	{"two vaults", [2]raceRequest{{ann, "/api/inventory/vault", annsEntry(0, nil), ""}, {ann, "/api/inventory/vault", annsEntry(0, nil), ""}}, [][2]int{{200, 404}, {404, 200}, {200, 409}, {409, 200}}},
	{"two delists", [2]raceRequest{{ann, "/api/marketplace/delist", annsEntry(listed, nil), ""}, {ann, "/api/marketplace/delist", annsEntry(listed, nil), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"reprice and delist", [2]raceRequest{{ann, "/api/marketplace/reprice", annsEntry(listed, payload{"priceCents": 400, "confirmedCents": 400}), ""}, {ann, "/api/marketplace/delist", annsEntry(listed, nil), ""}}, [][2]int{{200, 200}, {409, 200}}},
	{"two sell-backs", [2]raceRequest{{ann, "/api/inventory/sell-back", sellBack(0, 2), ""}, {ann, "/api/inventory/sell-back", sellBack(2, 3), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"one sell-back's key on two nodes", [2]raceRequest{{ann, "/api/inventory/sell-back", sellBack(0), "same"}, {ann, "/api/inventory/sell-back", sellBack(0), "same"}}, [][2]int{{200, 200}}},
	{"sell back and list", [2]raceRequest{{ann, "/api/inventory/sell-back", sellBack(0, 2), ""}, {ann, "/api/marketplace/list", annsEntry(0, payload{"priceCents": 100, "confirmedCents": 100}), ""}}, [][2]int{{200, 404}, {409, 200}}},
	{"sell back and vault", [2]raceRequest{{ann, "/api/inventory/sell-back", sellBack(0), ""}, {ann, "/api/inventory/vault", annsEntry(0, nil), ""}}, [][2]int{{200, 404}, {200, 200}}},
	{"sell back what is bought", [2]raceRequest{{ann, "/api/inventory/sell-back", sellBack(listed), ""}, {ben, "/api/marketplace/buy", annsEntry(listed, priceBody), ""}}, [][2]int{{409, 200}, {404, 200}}},
	{"sell back and open", [2]raceRequest{{ann, "/api/inventory/sell-back", sellBack(0), ""}, {ann, "/api/packs/2/open", fixedBody(openBody), ""}}, [][2]int{{200, 200}}},
	{"two opens for the money of one", [2]raceRequest{{ben, "/api/packs/2/open", fixedBody(openBody), ""}, {ben, "/api/packs/2/open", fixedBody(payload{"clientSeed": "other"}), ""}}, [][2]int{{200, 402}, {402, 200}}},
	{"one open's key on two nodes", [2]raceRequest{{ben, "/api/packs/2/open", fixedBody(openBody), "same"}, {ben, "/api/packs/2/open", fixedBody(openBody), "same"}}, [][2]int{{200, 200}}},
	{"one key for two different acts", [2]raceRequest{{ben, "/api/packs/2/open", fixedBody(openBody), "same"}, {ben, "/api/packs/3/open", fixedBody(openBody), "same"}}, [][2]int{{200, 422}, {422, 200}}},
	{"one deposit's key on two nodes", [2]raceRequest{{ben, "/api/wallet/deposit/manual", fixedBody(payload{"amount": 7}), "same"}, {ben, "/api/wallet/deposit/manual", fixedBody(payload{"amount": 7}), "same"}}, [][2]int{{200, 200}}},
	{"claim and sell back", [2]raceRequest{{ann, "/api/redemptions", claimOf(vaulted), ""}, {ann, "/api/inventory/sell-back", sellBack(vaulted), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"claim and list", [2]raceRequest{{ann, "/api/redemptions", claimOf(vaulted), ""}, {ann, "/api/marketplace/list", annsEntry(vaulted, payload{"priceCents": 100, "confirmedCents": 100}), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"claim and buy", [2]raceRequest{{ann, "/api/redemptions", claimOf(listed), ""}, {ben, "/api/marketplace/buy", annsEntry(listed, priceBody), ""}}, [][2]int{{409, 200}, {404, 200}}},
	{"claim and vault", [2]raceRequest{{ann, "/api/redemptions", claimOf(vaulted), ""}, {ann, "/api/inventory/vault", annsEntry(vaulted, nil), ""}}, [][2]int{{200, 409}, {200, 404}}},
	{"two claims", [2]raceRequest{{ann, "/api/redemptions", claimOf(vaulted), ""}, {ann, "/api/redemptions", claimOf(vaulted), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"one claim's key on two nodes", [2]raceRequest{{ann, "/api/redemptions", claimOf(vaulted), "same"}, {ann, "/api/redemptions", claimOf(vaulted), "same"}}, [][2]int{{200, 200}}},
	{"another user's entry", [2]raceRequest{{ben, "/api/marketplace/list", annsEntry(0, payload{"priceCents": 1, "confirmedCents": 1}), ""}, {ann, "/api/marketplace/list", annsEntry(0, payload{"priceCents": 900, "confirmedCents": 900}), ""}}, [][2]int{{404, 200}}},
}

// Each pair is sent several times on every engine. The audit passes in any order.
func TestRaces(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			first, second := nodes(t, engine)
			for _, race := range races {
				t.Run(race.name, func(t *testing.T) {
					for round := range 3 {
						a := newRaceTest(t, first, second)
						got := a.run(t, fmt.Sprint(round), race.pair)
						if !slices.Contains(race.outcomes, got) {
							t.Errorf("statuses %v, want one of %v", got, race.outcomes)
						}
					}
				})
			}
			first.Audit(t)
		})
	}
}

// Two hundred buyers, half at each node, want fifty listings. Each is sold once, and the others get
// an error and keep their money.
func TestManyBuyersOfFewListings(t *testing.T) {
	const buyers, listings, price = 200, 50, 10_00
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			first, second := nodes(t, engine)
			seller := first.SignIn(t)
			seller.Deposit(t, listings/5*25)
			for range listings / 5 {
				seller.Post(t, "/api/packs/demo-pack-1/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
			}
			ids := owned(t, seller)
			for _, id := range ids {
				seller.Post(t, "/api/marketplace/list", payload{"inventoryId": id, "priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, nil)
			}
			clients := make([]*apptest.Client, buyers)
			for n := range clients {
				clients[n] = []*apptest.Server{first, second}[n%2].SignIn(t)
				clients[n].Deposit(t, price/100)
			}
			var all sync.WaitGroup
			var answers [buyers]apptest.Answer
			for n, c := range clients {
				all.Go(func() {
					answers[n] = c.Post(t, "/api/marketplace/buy", payload{"inventoryId": ids[n%listings], "expectedPriceCents": price})
				})
			}
			all.Wait()
			winners := map[string]int{}
			for n, a := range answers {
				var wallet struct{ BalanceCents int }
				clients[n].Get(t, "/api/wallet").Want(t, http.StatusOK, &wallet)
				has := owned(t, clients[n])
				if a.Status == http.StatusOK {
					winners[ids[n%listings]]++
					if wallet.BalanceCents != 0 || len(has) != 1 || has[0] != ids[n%listings] {
						t.Errorf("winner %d has %d and %v", n, wallet.BalanceCents, has)
					}
					continue
				}
				a.Refused(t, http.StatusConflict, "already_sold")
				if wallet.BalanceCents != price || len(has) != 0 {
					t.Errorf("a buyer who was too late has %d and %v", wallet.BalanceCents, has)
				}
			}
			for _, id := range ids {
				if winners[id] != 1 {
					t.Errorf("%s was sold %d times", id, winners[id])
				}
			}
			first.Audit(t)
		})
	}
}

// nodes returns two nodes that share a database and its keys.
func nodes(t *testing.T, engine string, changes ...func(*app.Config)) (first, second *apptest.Server) {
	t.Helper()
	config := apptest.Config(t, engine, changes...)
	first = apptest.Start(t, config)
	if engine == "sqlite" {
		return first, first
	}
	dir := t.TempDir()
	for _, file := range []string{"log.key", "seed.key", "address.key"} {
		text, err := os.ReadFile(filepath.Join(config.Data, file))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	first.WaitForLog(t)
	config.Data, config.LogCheckpoint = dir, first.URL+"/log/checkpoint"
	return first, apptest.Start(t, config)
}

// newRaceTest returns a raceTest in which Ben has $25, enough for one pack or for Ann's entry.
func newRaceTest(t *testing.T, first, second *apptest.Server) *raceTest {
	t.Helper()
	a := &raceTest{ann: first.SignIn(t), ben: second.SignIn(t)}
	for _, c := range []*apptest.Client{a.ann, a.ben} {
		c.Deposit(t, 50)
		c.Post(t, "/api/packs/demo-pack-1/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
	}
	a.annsEntries = owned(t, a.ann)
	a.ann.Post(t, "/api/marketplace/list", payload{"inventoryId": a.annsEntries[listed], "priceCents": 300, "confirmedCents": 300}).Want(t, http.StatusOK, nil)
	a.ann.Vault(t, a.annsEntries[vaulted])
	a.claimBody = payload(a.ann.Sign(t, apptest.Home, a.annsEntries[vaulted]))
	return a
}

// owned returns the ids of all entries of a user.
func owned(t *testing.T, c *apptest.Client) (ids []string) {
	t.Helper()
	for cursor, more := "", true; more; more = cursor != "" {
		var entries []struct{ ID string }
		answer := c.Get(t, "/api/inventory/me?limit=200&cursor="+cursor)
		answer.Want(t, http.StatusOK, &entries)
		for _, e := range entries {
			ids = append(ids, e.ID)
		}
		cursor = answer.Header.Get("X-Next-Cursor")
	}
	return ids
}

func (a *raceTest) run(t *testing.T, round string, pair [2]raceRequest) (statuses [2]int) {
	t.Helper()
	var both sync.WaitGroup
	for n, r := range pair {
		both.Go(func() {
			var headers []string
			if r.key != "" {
				headers = []string{"Idempotency-Key", r.key + round}
			}
			statuses[n] = r.client(a).Post(t, r.path, r.body(a), headers...).Status
		})
	}
	both.Wait()
	return statuses
}
