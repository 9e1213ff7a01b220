package app_test

import (
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// giftRace has a giver, a receiver and an admin at two nodes on one database (on SQLite, the same node
// twice). The giver's first three entries are free, the fourth is in a gift by link, and the fifth in a
// gift to the receiver's wallet.
type giftRace struct {
	first                  *apptest.Server
	giver, receiver, admin *apptest.Client // the receiver is signed in at the second node
	elsewhere              *apptest.Client // the giver at the second node
	other                  *apptest.Client
	giverID, receiverID    string
	cards                  []string
	link, toWallet         string // gift ids
	offer, claim           payload
}

const giftSecret = "0123456789abcdef0123456789abcdef"

func newGiftRace(t *testing.T, first, second *apptest.Server, admin *apptest.Client) *giftRace {
	t.Helper()
	r := &giftRace{first: first, giver: first.SignIn(t), receiver: second.SignIn(t), other: second.SignIn(t), admin: admin}
	r.giver.Deposit(t, 100)
	r.giver.Post(t, "/api/packs/demo-pack-1/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
	r.cards = owned(t, r.giver)
	slices.Sort(r.cards)
	node := *r.giver
	node.Base = second.URL
	r.elsewhere = &node
	r.giverID = apptest.Get[struct{ ID string }](t, r.giver, "/api/auth/user").ID
	r.receiverID = apptest.Get[struct{ ID string }](t, r.receiver, "/api/auth/user").ID
	r.link = r.giver.Give(t, apptest.ToLink(giftSecret), r.cards[3])
	r.toWallet = r.giver.Give(t, apptest.ToWallet(r.receiver), r.cards[4])
	r.giver.Vault(t, r.cards[1])
	r.claim = payload(r.elsewhere.Sign(t, apptest.Home, r.cards[1]))
	return r
}

// giftAct is an act of a race.
type giftAct func(t *testing.T, r *giftRace) apptest.Answer

// give sends the gift that the giver signed before the race.
func give(t *testing.T, r *giftRace) apptest.Answer { return r.giver.Post(t, "/api/gifts", r.offer) }

func onGift(client func(r *giftRace) *apptest.Client, id func(r *giftRace) string, act string, body payload) giftAct {
	return func(t *testing.T, r *giftRace) apptest.Answer {
		if act == "cancel" {
			return client(r).Post(t, "/api/gifts/"+id(r)+"/cancel", nil)
		}
		return client(r).Post(t, "/api/gifts/"+id(r)+"/"+act, body)
	}
}

func theReceiver(r *giftRace) *apptest.Client { return r.receiver }
func theGiver(r *giftRace) *apptest.Client    { return r.elsewhere }
func someoneElse(r *giftRace) *apptest.Client { return r.other }
func theLink(r *giftRace) string              { return r.link }
func toWallet(r *giftRace) string             { return r.toWallet }

var (
	acceptWallet = onGift(theReceiver, toWallet, "accept", payload{})
	acceptLink   = onGift(theReceiver, theLink, "accept", payload{"secret": giftSecret})
	freezeUser   = func(id func(r *giftRace) string) giftAct {
		return func(t *testing.T, r *giftRace) apptest.Answer {
			return r.admin.Post(t, "/api/admin/users/"+id(r)+"/freeze", payload{"reason": "A stolen card."})
		}
	}
	promoteUser = func(user func(r *giftRace) *apptest.Client) giftAct {
		return func(t *testing.T, r *giftRace) apptest.Answer {
			r.first.Promote(t, user(r))
			return apptest.Answer{Status: http.StatusOK}
		}
	}
	listFirst = func(t *testing.T, r *giftRace) apptest.Answer {
		return r.elsewhere.Post(t, "/api/marketplace/list", payload{"inventoryId": r.cards[0], "priceCents": 300, "confirmedCents": 300})
	}
	sellFirst = func(t *testing.T, r *giftRace) apptest.Answer {
		return r.elsewhere.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": []string{r.cards[0], r.cards[2]}})
	}
	timeOut = func(user func(r *giftRace) *apptest.Client) giftAct {
		return func(t *testing.T, r *giftRace) apptest.Answer {
			return user(r).Post(t, "/api/limits/time-out", payload{"days": 1})
		}
	}
)

// giftRaces are pairs of concurrent acts. Before them, the giver signs a gift of the entries in signed.
// Each outcome has the statuses of the pair for one order of serial execution.
var giftRaces = []struct {
	name     string
	signed   []int // the entries of the gift, by number
	pair     [2]giftAct
	outcomes [][2]int
}{
	{"give and list", []int{0}, [2]giftAct{give, listFirst}, [][2]int{{200, 409}, {409, 200}}},
	{"give and sell back", []int{0}, [2]giftAct{give, sellFirst}, [][2]int{{200, 409}, {409, 200}}},
	{"give and claim", []int{1}, [2]giftAct{give, func(t *testing.T, r *giftRace) apptest.Answer {
		return r.elsewhere.Post(t, "/api/redemptions", r.claim)
	}}, [][2]int{{200, 409}, {409, 200}}},
	{"give twice with one signature", []int{0, 2}, [2]giftAct{give, give},
		[][2]int{{200, 401}, {401, 200}}},
	{"give and be bid on", []int{0}, [2]giftAct{give, func(t *testing.T, r *giftRace) apptest.Answer {
		r.other.Deposit(t, 10)
		return r.other.Post(t, "/api/bids", payload{"scope": payload{"inventoryId": r.cards[0]}, "priceCents": 100, "confirmedCents": 100})
	}}, [][2]int{{200, 200}, {200, 409}}},
	{"give and be frozen", []int{0}, [2]giftAct{give, freezeUser(func(r *giftRace) string { return r.giverID })}, [][2]int{{200, 200}, {403, 200}}},
	{"give and become an admin", []int{0}, [2]giftAct{give, promoteUser(func(r *giftRace) *apptest.Client { return r.giver })}, [][2]int{{200, 200}}},
	{"give and take a time-out", []int{0}, [2]giftAct{give, timeOut(theGiver)}, [][2]int{{200, 200}, {403, 200}}},
	{"accept twice", nil, [2]giftAct{acceptWallet, acceptWallet}, [][2]int{{200, 409}, {409, 200}}},
	{"two open one link", nil, [2]giftAct{acceptLink, onGift(someoneElse, theLink, "accept", payload{"secret": giftSecret})}, [][2]int{{200, 409}, {409, 200}}},
	{"accept and cancel", nil, [2]giftAct{acceptLink, onGift(theGiver, theLink, "cancel", nil)}, [][2]int{{200, 409}, {409, 200}}},
	{"accept and refuse", nil, [2]giftAct{acceptWallet, onGift(theReceiver, toWallet, "refuse", payload{})}, [][2]int{{200, 409}, {409, 200}}},
	{"refuse and cancel", nil, [2]giftAct{onGift(theReceiver, toWallet, "refuse", payload{"blockGiver": true}), onGift(theGiver, toWallet, "cancel", nil)}, [][2]int{{200, 409}, {409, 200}}},
	{"accept while the giver is frozen", nil, [2]giftAct{acceptWallet, freezeUser(func(r *giftRace) string { return r.giverID })}, [][2]int{{200, 200}, {409, 200}}},
	{"accept while being frozen", nil, [2]giftAct{acceptWallet, freezeUser(func(r *giftRace) string { return r.receiverID })}, [][2]int{{200, 200}, {403, 200}, {409, 200}}},
	{"accept while becoming an admin", nil, [2]giftAct{acceptWallet, promoteUser(theReceiver)}, [][2]int{{200, 200}, {409, 200}}},
	{"accept while the giver becomes an admin", nil, [2]giftAct{acceptWallet, promoteUser(func(r *giftRace) *apptest.Client { return r.giver })}, [][2]int{{200, 200}, {409, 200}}},
	{"accept and take a time-out", nil, [2]giftAct{acceptWallet, timeOut(theReceiver)}, [][2]int{{200, 200}, {403, 200}, {409, 200}}},
	{"both sides are frozen", nil, [2]giftAct{freezeUser(func(r *giftRace) string { return r.giverID }), freezeUser(func(r *giftRace) string { return r.receiverID })}, [][2]int{{200, 200}}},
}

// Each pair of concurrent acts has the outcome of one of its two orders, and the full audit passes.
func TestGiftRaces(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			first, second := nodes(t, engine)
			admin := first.Admin(t)
			for _, race := range giftRaces {
				t.Run(race.name, func(t *testing.T) {
					for range 3 {
						r := newGiftRace(t, first, second, admin)
						if race.signed != nil {
							entries := make([]string, len(race.signed))
							for i, n := range race.signed {
								entries[i] = r.cards[n]
							}
							r.offer = payload(r.giver.SignGift(t, apptest.ToWallet(r.receiver), entries...))
						}
						var both sync.WaitGroup
						var got [2]int
						for i, act := range race.pair {
							both.Go(func() { got[i] = act(t, r).Status })
						}
						both.Wait()
						if !slices.Contains(race.outcomes, got) {
							t.Errorf("statuses %v, want one of %v", got, race.outcomes)
						}
						first.Audit(t)
					}
				})
			}
		})
	}
}

// Gifts that are accepted at the moment of their expiry, at two nodes with one job each, go to the
// receiver or return to the giver.
func TestGiftsRaceWithExpiry(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock := dbtest.NewClock()
			first, second := nodes(t, engine, func(c *app.Config) { c.Now = clock.Now })
			giver, receivers := first.SignIn(t), make([]*apptest.Client, 5)
			giver.Deposit(t, 25)
			giver.Post(t, "/api/packs/demo-pack-1/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
			gifts := make([]string, len(receivers))
			for i, card := range owned(t, giver) {
				receivers[i] = second.SignIn(t)
				gifts[i] = giver.Give(t, apptest.ToWallet(receivers[i]), card)
			}
			clock.Advance(7*24*time.Hour - time.Millisecond)
			for _, c := range append(receivers, giver) {
				c.SignIn(t)
			}
			var all sync.WaitGroup
			statuses := make([]int, len(gifts))
			for i, id := range gifts {
				all.Go(func() { statuses[i] = receivers[i].Post(t, "/api/gifts/"+id+"/accept", payload{}).Status })
				if i == 1 {
					clock.Advance(time.Millisecond)
				}
			}
			all.Wait()
			apptest.Until(t, "no gift waits", func() bool {
				return len(apptest.Get[[]struct{ ID string }](t, giver, "/api/inventory/me?state=giving")) == 0
			})
			for i, status := range statuses {
				want, ok := map[int]int{http.StatusOK: 1, http.StatusConflict: 0}[status]
				if !ok || len(owned(t, receivers[i])) != want {
					t.Errorf("the answer %d leaves the receiver with %d items", status, len(owned(t, receivers[i])))
				}
			}
			first.Audit(t)
		})
	}
}
