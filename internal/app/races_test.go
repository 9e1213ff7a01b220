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

// arena is two nodes on one database (on SQLite, the same node twice) with a wallet signed in at
// each. Ann and Ben each own the five entries of a demo pack. Ann's second entry is listed at $3,
// and her last is in the vault.
type arena struct {
	ann, ben *apptest.Client
	hers     []string
	signed   asked // the body that claims her vaulted entry
}

// rush is a request, with or without an idempotency key.
type rush struct {
	who  func(*arena) *apptest.Client
	path string
	body func(*arena) asked
	key  string
}

func ann(a *arena) *apptest.Client { return a.ann }
func ben(a *arena) *apptest.Client { return a.ben }

func hers(n int, more asked) func(*arena) asked {
	return func(a *arena) asked { return with(asked{"inventoryId": a.hers[n]}, more) }
}

// back is the body that sells some of Ann's entries back.
func back(ns ...int) func(*arena) asked {
	return func(a *arena) asked {
		ids := make([]string, len(ns))
		for place, n := range ns {
			ids[place] = a.hers[n]
		}
		return asked{"inventoryIds": ids}
	}
}

func fixed(body asked) func(*arena) asked { return func(*arena) asked { return body } }

func with(body, more asked) asked {
	maps.Copy(body, more)
	return body
}

const (
	listed  = 1 // Ann's listed entry
	vaulted = 4 // her vaulted entry
)

// claims returns the body of a claim of one of Ann's entries. A listed entry can't be signed for,
// so it has the signature for another one.
func claims(n int) func(*arena) asked {
	return func(a *arena) asked { return with(maps.Clone(a.signed), asked{"inventoryIds": []string{a.hers[n]}}) }
}

var (
	open300 = asked{"clientSeed": "race"}
	at300   = asked{"expectedPriceCents": 300}
)

// races are pairs of concurrent requests. Each outcome has their statuses, in the order of the
// pair, for some serial execution.
var races = []struct {
	name     string
	pair     [2]rush
	outcomes [][2]int
}{
	{"one buyer twice", [2]rush{{ben, "/api/marketplace/buy", hers(listed, at300), ""}, {ben, "/api/marketplace/buy", hers(listed, at300), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"one key on two nodes", [2]rush{{ben, "/api/marketplace/buy", hers(listed, at300), "same"}, {ben, "/api/marketplace/buy", hers(listed, at300), "same"}}, [][2]int{{200, 200}}},
	{"buy and delist", [2]rush{{ben, "/api/marketplace/buy", hers(listed, at300), ""}, {ann, "/api/marketplace/delist", hers(listed, nil), ""}}, [][2]int{{200, 404}, {409, 200}, {404, 200}}},
	{"buy and reprice", [2]rush{{ben, "/api/marketplace/buy", hers(listed, at300), ""}, {ann, "/api/marketplace/reprice", hers(listed, asked{"priceCents": 400, "confirmedCents": 400}), ""}}, [][2]int{{200, 404}, {409, 200}}},
	{"buy and vault", [2]rush{{ben, "/api/marketplace/buy", hers(listed, at300), ""}, {ann, "/api/inventory/vault", hers(listed, nil), ""}}, [][2]int{{200, 404}, {200, 409}, {200, 200}}},
	{"buy and open for the same money", [2]rush{{ben, "/api/marketplace/buy", hers(listed, at300), ""}, {ben, "/api/packs/2/open", fixed(open300), ""}}, [][2]int{{200, 402}, {402, 200}}},
	{"two lists", [2]rush{{ann, "/api/marketplace/list", hers(0, asked{"priceCents": 100, "confirmedCents": 100}), ""}, {ann, "/api/marketplace/list", hers(0, asked{"priceCents": 200, "confirmedCents": 200}), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"list and vault", [2]rush{{ann, "/api/marketplace/list", hers(0, asked{"priceCents": 100, "confirmedCents": 100}), ""}, {ann, "/api/inventory/vault", hers(0, nil), ""}}, [][2]int{{200, 200}, {200, 409}}},
	{"two vaults", [2]rush{{ann, "/api/inventory/vault", hers(0, nil), ""}, {ann, "/api/inventory/vault", hers(0, nil), ""}}, [][2]int{{200, 404}, {404, 200}, {200, 409}, {409, 200}}},
	{"two delists", [2]rush{{ann, "/api/marketplace/delist", hers(listed, nil), ""}, {ann, "/api/marketplace/delist", hers(listed, nil), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"reprice and delist", [2]rush{{ann, "/api/marketplace/reprice", hers(listed, asked{"priceCents": 400, "confirmedCents": 400}), ""}, {ann, "/api/marketplace/delist", hers(listed, nil), ""}}, [][2]int{{200, 200}, {409, 200}}},
	{"two sell-backs", [2]rush{{ann, "/api/inventory/sell-back", back(0, 2), ""}, {ann, "/api/inventory/sell-back", back(2, 3), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"one sell-back's key on two nodes", [2]rush{{ann, "/api/inventory/sell-back", back(0), "same"}, {ann, "/api/inventory/sell-back", back(0), "same"}}, [][2]int{{200, 200}}},
	{"sell back and list", [2]rush{{ann, "/api/inventory/sell-back", back(0, 2), ""}, {ann, "/api/marketplace/list", hers(0, asked{"priceCents": 100, "confirmedCents": 100}), ""}}, [][2]int{{200, 404}, {409, 200}}},
	{"sell back and vault", [2]rush{{ann, "/api/inventory/sell-back", back(0), ""}, {ann, "/api/inventory/vault", hers(0, nil), ""}}, [][2]int{{200, 404}, {200, 200}}},
	{"sell back what is bought", [2]rush{{ann, "/api/inventory/sell-back", back(listed), ""}, {ben, "/api/marketplace/buy", hers(listed, at300), ""}}, [][2]int{{409, 200}, {404, 200}}},
	{"sell back and open", [2]rush{{ann, "/api/inventory/sell-back", back(0), ""}, {ann, "/api/packs/2/open", fixed(open300), ""}}, [][2]int{{200, 200}}},
	{"two opens for the money of one", [2]rush{{ben, "/api/packs/2/open", fixed(open300), ""}, {ben, "/api/packs/2/open", fixed(asked{"clientSeed": "other"}), ""}}, [][2]int{{200, 402}, {402, 200}}},
	{"one open's key on two nodes", [2]rush{{ben, "/api/packs/2/open", fixed(open300), "same"}, {ben, "/api/packs/2/open", fixed(open300), "same"}}, [][2]int{{200, 200}}},
	{"one key for two different acts", [2]rush{{ben, "/api/packs/2/open", fixed(open300), "same"}, {ben, "/api/packs/3/open", fixed(open300), "same"}}, [][2]int{{200, 422}, {422, 200}}},
	{"one deposit's key on two nodes", [2]rush{{ben, "/api/wallet/deposit/manual", fixed(asked{"amount": 7}), "same"}, {ben, "/api/wallet/deposit/manual", fixed(asked{"amount": 7}), "same"}}, [][2]int{{200, 200}}},
	{"claim and sell back", [2]rush{{ann, "/api/redemptions", claims(vaulted), ""}, {ann, "/api/inventory/sell-back", back(vaulted), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"claim and list", [2]rush{{ann, "/api/redemptions", claims(vaulted), ""}, {ann, "/api/marketplace/list", hers(vaulted, asked{"priceCents": 100, "confirmedCents": 100}), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"claim and buy", [2]rush{{ann, "/api/redemptions", claims(listed), ""}, {ben, "/api/marketplace/buy", hers(listed, at300), ""}}, [][2]int{{409, 200}, {404, 200}}},
	{"claim and vault", [2]rush{{ann, "/api/redemptions", claims(vaulted), ""}, {ann, "/api/inventory/vault", hers(vaulted, nil), ""}}, [][2]int{{200, 409}, {200, 404}}},
	{"two claims", [2]rush{{ann, "/api/redemptions", claims(vaulted), ""}, {ann, "/api/redemptions", claims(vaulted), ""}}, [][2]int{{200, 409}, {409, 200}}},
	{"one claim's key on two nodes", [2]rush{{ann, "/api/redemptions", claims(vaulted), "same"}, {ann, "/api/redemptions", claims(vaulted), "same"}}, [][2]int{{200, 200}}},
	{"somebody else's entry", [2]rush{{ben, "/api/marketplace/list", hers(0, asked{"priceCents": 1, "confirmedCents": 1}), ""}, {ann, "/api/marketplace/list", hers(0, asked{"priceCents": 900, "confirmedCents": 900}), ""}}, [][2]int{{404, 200}}},
}

// Each pair is sent several times on every engine. In any order, the books hold.
func TestRaces(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			first, second := nodes(t, engine)
			for _, race := range races {
				t.Run(race.name, func(t *testing.T) {
					for round := range 3 {
						a := newArena(t, first, second)
						got := a.run(t, fmt.Sprint(round), race.pair)
						if !slices.Contains(race.outcomes, got) {
							t.Errorf("answered %v, want one of %v", got, race.outcomes)
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
				seller.Post(t, "/api/packs/demo-pack-1/open", asked{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
			}
			ids := owned(t, seller)
			for _, id := range ids {
				seller.Post(t, "/api/marketplace/list", asked{"inventoryId": id, "priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, nil)
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
					answers[n] = c.Post(t, "/api/marketplace/buy", asked{"inventoryId": ids[n%listings], "expectedPriceCents": price})
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

// newArena returns an arena in which Ben has $25, enough for one pack or for Ann's entry.
func newArena(t *testing.T, first, second *apptest.Server) *arena {
	t.Helper()
	a := &arena{ann: first.SignIn(t), ben: second.SignIn(t)}
	for _, c := range []*apptest.Client{a.ann, a.ben} {
		c.Deposit(t, 50)
		c.Post(t, "/api/packs/demo-pack-1/open", asked{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
	}
	a.hers = owned(t, a.ann)
	a.ann.Post(t, "/api/marketplace/list", asked{"inventoryId": a.hers[listed], "priceCents": 300, "confirmedCents": 300}).Want(t, http.StatusOK, nil)
	a.ann.Vault(t, a.hers[vaulted])
	a.signed = asked(a.ann.Sign(t, apptest.Home, a.hers[vaulted]))
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

func (a *arena) run(t *testing.T, round string, pair [2]rush) (statuses [2]int) {
	t.Helper()
	var both sync.WaitGroup
	for n, r := range pair {
		both.Go(func() {
			var headers []string
			if r.key != "" {
				headers = []string{"Idempotency-Key", r.key + round}
			}
			statuses[n] = r.who(a).Post(t, r.path, r.body(a), headers...).Status
		})
	}
	both.Wait()
	return statuses
}
