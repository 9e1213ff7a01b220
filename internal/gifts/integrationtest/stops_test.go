package integrationtest

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// stop is a way to stop a user from getting gifts.
type stop struct {
	name string
	do   func(t *testing.T, s *apptest.Server, admin, user *apptest.Client)
	// status and code of the refusal to accept a gift; empty if there is none
	status int
	code   string
}

func userID(t testing.TB, c *apptest.Client) string {
	t.Helper()
	return apptest.Get[struct{ ID string }](t, c, "/api/auth/user").ID
}

func acceptsGifts(t testing.TB, c *apptest.Client, accepts bool) {
	t.Helper()
	var profile struct{ AcceptsGifts bool }
	c.Call(t, http.MethodPatch, "/api/auth/user", payload{"acceptsGifts": accepts}).Want(t, http.StatusOK, &profile)
	if profile.AcceptsGifts != accepts {
		t.Errorf("acceptsGifts is %t after setting it to %t", profile.AcceptsGifts, accepts)
	}
}

// stops has every way. In a sandbox, admins can accept gifts that were made after their promotion. The last
// one doesn't stop the user from giving.
var stops = []stop{
	{"frozen", func(t *testing.T, _ *apptest.Server, admin, user *apptest.Client) {
		admin.Post(t, "/api/admin/users/"+userID(t, user)+"/freeze", payload{"reason": "A stolen card."}).Want(t, http.StatusOK, nil)
	}, http.StatusForbidden, "account_frozen"},
	{"excluded", func(t *testing.T, _ *apptest.Server, _, user *apptest.Client) {
		user.Post(t, "/api/limits/exclusion", payload{}).Want(t, http.StatusOK, nil)
	}, http.StatusForbidden, "excluded"},
	{"in a time-out", func(t *testing.T, _ *apptest.Server, _, user *apptest.Client) {
		user.Post(t, "/api/limits/time-out", payload{"days": 1}).Want(t, http.StatusOK, nil)
	}, http.StatusForbidden, "timed_out"},
	{"an admin", func(t *testing.T, s *apptest.Server, _, user *apptest.Client) { s.Promote(t, user) }, 0, ""},
	{"to be deleted", func(t *testing.T, _ *apptest.Server, _, user *apptest.Client) {
		user.Post(t, "/api/account/delete", user.SignAccount(t, "deletion")).Want(t, http.StatusOK, nil)
	}, 0, ""},
	{"without gifts", func(t *testing.T, _ *apptest.Server, _, user *apptest.Client) { acceptsGifts(t, user, false) }, http.StatusConflict, "gifts_off"},
}

// asGiverSees returns what a giver sees of their gifts to a user, except what always differs, such as ids.
func asGiverSees(t testing.TB, giver *apptest.Client, to *apptest.Client) (seen []any) {
	t.Helper()
	for _, g := range giftsOf(t, giver, "") {
		if g.WalletAddress == to.Address {
			seen = append(seen, []any{g.State, g.Link, len(g.Items), g.EndedAt, g.From})
		}
	}
	return seen
}

// A gift to a stopped user, made before or after the stop, looks to its giver exactly like one to a user
// who doesn't answer: in the list, in alerts, in entries, and when they give more. Only the receiver is
// told.
func TestStoppedReceiverLooksLikeAnyOther(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		for _, stop := range stops {
			t.Run(stop.name, func(t *testing.T) {
				giver, stopped, silent := s.SignIn(t), s.SignIn(t), s.SignIn(t)
				cards := append(pull(t, giver), pull(t, giver)...)
				before := giver.Give(t, apptest.ToWallet(stopped), cards[0])
				giver.Give(t, apptest.ToWallet(silent), cards[1])
				stop.do(t, s, admin, stopped)
				after := giver.Give(t, apptest.ToWallet(stopped), cards[2])
				giver.Give(t, apptest.ToWallet(silent), cards[3])
				if a, b := asGiverSees(t, giver, stopped), asGiverSees(t, giver, silent); !reflect.DeepEqual(a, b) {
					t.Errorf("the giver sees %v of the stopped user, but %v of another", a, b)
				}
				wantAlerts(t, giver)
				for _, card := range []string{cards[0], cards[2]} {
					if e := wantEntry(t, giver, card, "giving", "pack"); len(e.Events) != 2 {
						t.Errorf("the history of the entry is %+v", e.Events)
					}
				}
				giver.Give(t, apptest.ToWallet(stopped), cards[4])
				giver.Give(t, apptest.ToWallet(silent), cards[5])
				fourth := func(to *apptest.Client) apptest.Answer {
					return giver.Post(t, "/api/gifts/challenge", payload{"inventoryIds": cards[6:7], "walletAddress": to.Address})
				}
				a, b := fourth(stopped), fourth(silent)
				a.Refused(t, http.StatusForbidden, "limit_reached")
				if refusalOf(a) != refusalOf(b) {
					t.Errorf("a fourth gift is answered %s, but to another %s", a.Body, b.Body)
				}
				if stop.code != "" {
					respond(t, stopped, after, "accept", nil).Refused(t, stop.status, stop.code)
				}
				if a := respond(t, stopped, before, "accept", nil); a.Status == http.StatusOK {
					t.Error("the stopped user accepts a gift from before the stop")
				}
				respond(t, giver, before, "cancel", nil).Want(t, http.StatusOK, nil)
				respond(t, giver, after, "cancel", nil).Want(t, http.StatusOK, nil)
				wantEntry(t, giver, cards[0], "held", "pack")
				s.Audit(t)
			})
		}
	})
}

// A withheld gift can never be accepted again, even after the stop has ended. A gift that was made during
// the stop can be accepted after it.
func TestWithheldGiftStaysWithheld(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		giver, user := s.SignIn(t), s.SignIn(t)
		cards := pull(t, giver)
		before := giver.Give(t, apptest.ToWallet(user), cards[0])
		user.Post(t, "/api/limits/time-out", payload{"days": 1}).Want(t, http.StatusOK, nil)
		during := giver.Give(t, apptest.ToWallet(user), cards[1])
		clock.Advance(24 * time.Hour)
		user.SignIn(t)
		giver.SignIn(t)
		wantState(t, user, before, "")
		respond(t, user, before, "accept", nil).Refused(t, http.StatusConflict, "gift_ended")
		respond(t, user, before, "refuse", nil).Refused(t, http.StatusConflict, "gift_ended")
		respond(t, user, during, "accept", nil).Want(t, http.StatusOK, nil)
		wantState(t, giver, before, "waiting")
		clock.Advance(6 * 24 * time.Hour)
		giver.SignIn(t)
		apptest.Until(t, "the withheld gift expires", func() bool { return len(alertsOf(t, giver)) == 2 })
		wantAlerts(t, giver, "expired", "accepted")
		wantEntry(t, giver, cards[0], "held", "pack")
		s.Audit(t)
	})
}

// When a giver is stopped, their gifts end in the same transaction, and receivers see them as canceled.
func TestStoppedGiverLosesGifts(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		for _, stop := range stops[:5] {
			t.Run(stop.name, func(t *testing.T) {
				giver, user := s.SignIn(t), s.SignIn(t)
				cards := pull(t, giver)
				toWallet, toLink := giver.Give(t, apptest.ToWallet(user), cards[0]), giver.Give(t, apptest.ToLink(secret), cards[1])
				stop.do(t, s, admin, giver)
				wantState(t, user, toWallet, "canceled")
				wantState(t, giver, toWallet, "ended")
				respond(t, user, toWallet, "accept", nil).Refused(t, http.StatusConflict, "gift_ended")
				respond(t, user, toLink, "accept", payload{"secret": secret}).Refused(t, http.StatusConflict, "gift_ended")
				wantEntry(t, giver, cards[0], "held", "pack")
				if stop.code != "" {
					giver.Post(t, "/api/gifts/challenge", payload{"inventoryIds": cards[2:3], "walletAddress": user.Address}).Refused(t, http.StatusForbidden, stop.code)
				}
				s.Audit(t)
			})
		}
	})
}

// A blocked giver isn't told. Their waiting gifts can't be accepted until the block ends.
func TestBlockedGiver(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		giver, user, other := s.SignIn(t), s.SignIn(t), s.SignIn(t)
		cards := pull(t, giver)
		refused, waiting := giver.Give(t, apptest.ToWallet(user), cards[0]), giver.Give(t, apptest.ToWallet(user), cards[1])
		respond(t, user, refused, "refuse", payload{"blockGiver": true}).Want(t, http.StatusOK, nil)
		later, byLink := giver.Give(t, apptest.ToWallet(user), cards[2]), giver.Give(t, apptest.ToLink(secret), cards[3])
		wantState(t, giver, waiting, "waiting")
		wantState(t, giver, later, "waiting")
		wantState(t, user, waiting, "")
		wantState(t, user, later, "")
		wantAlerts(t, user, "offered", "offered")
		respond(t, user, waiting, "accept", nil).Refused(t, http.StatusConflict, "giver_blocked")
		respond(t, user, byLink, "accept", payload{"secret": secret}).Refused(t, http.StatusConflict, "giver_blocked")
		blocks := apptest.Get[[]struct{ ID string }](t, user, "/api/blocked-givers")
		if len(blocks) != 1 {
			t.Fatalf("the blocked givers are %+v", blocks)
		}
		other.Call(t, http.MethodDelete, "/api/blocked-givers/"+blocks[0].ID, nil).Refused(t, http.StatusNotFound, "not_found")
		user.Call(t, http.MethodDelete, "/api/blocked-givers/"+blocks[0].ID, nil).Want(t, http.StatusNoContent, nil)
		respond(t, user, later, "accept", nil).Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
}

// A wallet that never signed in gets its gifts once it does, with an alert.
func TestReceiverSignsInLater(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		giver, newcomer := s.SignIn(t), s.NewClient(t)
		id := giver.Give(t, apptest.ToWallet(newcomer), pull(t, giver)[0])
		newcomer.SignIn(t)
		wantAlerts(t, newcomer, "offered")
		wantState(t, newcomer, id, "waiting")
		respond(t, newcomer, id, "accept", nil).Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
}

// A giver can't give to a wrong receiver, entries that aren't theirs or held, what they didn't sign for, or
// more than a day's items and value. Entries in a gift can't be used otherwise.
func TestGiverLimits(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		clock.Advance(clock.Now().Truncate(24 * time.Hour).Add(25 * time.Hour).Sub(clock.Now())) // an hour into a day
		ann, ben, admin := s.SignIn(t), s.SignIn(t), s.Admin(t)
		var cards []string
		for range 6 {
			cards = append(cards, pull(t, ann)...)
		}
		ask := func(to payload, entries ...string) apptest.Answer {
			body := payload{"inventoryIds": entries}
			maps.Copy(body, to)
			return ann.Post(t, "/api/gifts/challenge", body)
		}
		toBen := payload{"walletAddress": ben.Address}
		ask(payload{"walletAddress": ann.Address}, cards[0]).Refused(t, http.StatusUnprocessableEntity, "invalid")
		ask(payload{"walletAddress": "ben"}, cards[0]).Refused(t, http.StatusUnprocessableEntity, "invalid")
		ask(payload{}, cards[0]).Refused(t, http.StatusUnprocessableEntity, "invalid")
		ask(toBen, cards[0], cards[0]).Refused(t, http.StatusUnprocessableEntity, "invalid")
		ben.Post(t, "/api/gifts/challenge", payload{"inventoryIds": cards[:1], "walletAddress": ann.Address}).Refused(t, http.StatusNotFound, "not_found")
		ann.Post(t, "/api/marketplace/list", payload{"inventoryId": cards[0], "priceCents": 900, "confirmedCents": 900}).Want(t, http.StatusOK, nil)
		ask(toBen, cards[0]).Refused(t, http.StatusConflict, "already_listed")
		ann.Deposit(t, 30) // for the shipping
		ann.Vault(t, cards[1])
		ann.Claim(t, cards[1])
		ask(toBen, cards[1]).Refused(t, http.StatusConflict, "already_claimed")
		stolen := ann.SignGift(t, toBen, cards[2])
		stolen["inventoryIds"] = cards[3:4]
		ann.Post(t, "/api/gifts", stolen).Refused(t, http.StatusUnauthorized, "bad_signature")
		redirected := ann.SignGift(t, toBen, cards[2])
		redirected["walletAddress"] = admin.Address
		ann.Post(t, "/api/gifts", redirected).Refused(t, http.StatusUnauthorized, "bad_signature")

		gift := ann.Give(t, toBen, cards[2])
		ask(toBen, cards[2]).Refused(t, http.StatusConflict, "gift_waiting")
		ann.Post(t, "/api/marketplace/list", payload{"inventoryId": cards[2], "priceCents": 900, "confirmedCents": 900}).Refused(t, http.StatusConflict, "gift_waiting")
		ann.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": cards[2:3]}).Refused(t, http.StatusConflict, "gift_waiting")
		ann.Post(t, "/api/inventory/quick-sell", payload{"inventoryIds": cards[2:3]}).Refused(t, http.StatusConflict, "gift_waiting")
		ann.Post(t, "/api/inventory/vault", payload{"inventoryId": cards[2]}).Refused(t, http.StatusConflict, "gift_waiting")
		ann.Post(t, "/api/redemptions/challenge", payload{"inventoryIds": cards[2:3], "address": apptest.Home}).Refused(t, http.StatusConflict, "gift_waiting")
		ben.Deposit(t, 10)
		ben.Post(t, "/api/bids", payload{"scope": payload{"inventoryId": cards[2]}, "priceCents": 100}).Refused(t, http.StatusConflict, "conflict")
		respond(t, ann, gift, "cancel", nil).Want(t, http.StatusOK, nil)

		// The day's items: one given so far, which still counts.
		ask(payload{"secretHash": apptest.ToLink(secret)["secretHash"]}, cards[3:23]...).Refused(t, http.StatusForbidden, "limit_reached")
		itemOf := func(card string) string {
			return apptest.Get[struct{ Item struct{ ID string } }](t, ann, "/api/inventory/"+card).Item.ID
		}
		s.SetValue(t, admin, itemOf(cards[3]), 150_00)
		ask(toBen, cards[3]).Refused(t, http.StatusForbidden, "house_limit")
		another := slices.IndexFunc(cards[4:], func(card string) bool { return itemOf(card) != itemOf(cards[3]) })
		ann.Give(t, toBen, cards[4+another])
		s.Audit(t)
	}, apptest.Rules(t, payload{"giftsDayCents": 100_00}))
}

// Bids on an entry end when it is given.
func TestBidsOnGiftEnd(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben, cy := s.SignIn(t), s.SignIn(t), s.SignIn(t)
		card := pull(t, ann)[0]
		cy.Deposit(t, 10)
		var bid struct{ ID string }
		cy.Post(t, "/api/bids", payload{"scope": payload{"inventoryId": card}, "priceCents": 200, "confirmedCents": 200}).Want(t, http.StatusOK, &bid)
		id := ann.Give(t, apptest.ToWallet(ben), card)
		var mine []struct {
			ID, State string
			HeldCents int64
		}
		cy.Get(t, "/api/bids").Want(t, http.StatusOK, &mine)
		if len(mine) != 1 || mine[0].State != "ended" {
			t.Errorf("the bids are %+v, want one that ended", mine)
		}
		if wallet := apptest.Get[struct{ BalanceCents int }](t, cy, "/api/wallet"); wallet.BalanceCents != 1000 {
			t.Errorf("the bidder has %d, want their points back", wallet.BalanceCents)
		}
		respond(t, ben, id, "accept", nil).Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
}

// What a gift brings counts as topped up and never reduces a net loss, also for the puller who gets it
// back. Admins see the pair.
func TestGiftsDontPassLimits(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben, admin := s.SignIn(t), s.SignIn(t), s.Admin(t)
		cards := pull(t, ann)
		used := func(c *apptest.Client, limit string) int64 {
			limits := apptest.Get[struct {
				Limits []struct {
					Limit     string
					UsedCents int64
				}
			}](t, c, "/api/limits")
			for _, l := range limits.Limits {
				if l.Limit == limit {
					return l.UsedCents
				}
			}
			t.Fatalf("no limit %s", limit)
			return 0
		}
		gift := ann.Give(t, apptest.ToWallet(ben), cards[0], cards[1], cards[2])
		respond(t, ben, gift, "accept", nil).Want(t, http.StatusOK, nil)
		var sold struct{ PayoutCents int64 }
		ben.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": cards[:1]}).Want(t, http.StatusOK, &sold)
		if added, lost := used(ben, "deposit-day"), used(ben, "loss-day"); added != sold.PayoutCents || lost != 0 {
			t.Errorf("a sell-back of a gift for %d counts %d as topped up and %d as loss", sold.PayoutCents, added, lost)
		}
		cy := s.SignIn(t)
		cy.Deposit(t, 20)
		ben.Post(t, "/api/marketplace/list", payload{"inventoryId": cards[1], "priceCents": 1000, "confirmedCents": 1000}).Want(t, http.StatusOK, nil)
		cy.Post(t, "/api/marketplace/buy", payload{"inventoryId": cards[1]}).Want(t, http.StatusOK, nil)
		if added := used(ben, "deposit-day"); added != sold.PayoutCents+950 {
			t.Errorf("a sale of a gift for 1000 counts %d as topped up, want its 950 after the fee", added-sold.PayoutCents)
		}
		back := ben.Give(t, apptest.ToWallet(ann), cards[2])
		respond(t, ann, back, "accept", nil).Want(t, http.StatusOK, nil)
		lost := used(ann, "loss-day")
		ann.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": cards[2:3]}).Want(t, http.StatusOK, &sold)
		if after := used(ann, "loss-day"); after != lost {
			t.Errorf("the net loss falls from %d to %d by selling a gift", lost, after)
		}
		var pairs []struct {
			Gainer, Payer struct{ UserID string }
			Trades        int64
			MovedCents    int64
		}
		admin.Get(t, "/api/admin/trade-pairs").Want(t, http.StatusOK, &pairs)
		found := false
		for _, p := range pairs {
			found = found || p.Gainer.UserID == userID(t, ben) && p.Payer.UserID == userID(t, ann) && p.Trades == 2 && p.MovedCents > 0
		}
		if !found {
			t.Errorf("the pairs are %+v, want ben's gain from ann by two gifts among them", pairs)
		}
		s.Audit(t)
	})
}

// Where there is no market, gifts are switched off.
func TestNoGiftsWithoutMarket(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		ann := s.SignIn(t)
		ann.Post(t, "/api/gifts/challenge", payload{"inventoryIds": []string{"1"}, "secretHash": apptest.ToLink(secret)["secretHash"]}).Refused(t, http.StatusNotImplemented, "switched_off")
		respond(t, ann, "1", "accept", payload{"secret": secret}).Refused(t, http.StatusNotImplemented, "switched_off")
	}, apptest.Rules(t, payload{"market": false}))
}

// A deletion erases the user's wallet, signatures and blocks from gifts, and returns gifts that wait for the
// wallet.
func TestDeletionErasesGifts(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben, cy, stranger := s.SignIn(t), s.SignIn(t), s.SignIn(t), s.NewClient(t)
		cards := pull(t, ann)
		accepted := ann.Give(t, apptest.ToWallet(ben), cards[0])
		respond(t, ben, accepted, "accept", nil).Want(t, http.StatusOK, nil)
		waiting := ann.Give(t, apptest.ToWallet(cy), cards[1])
		canceled := ann.Give(t, apptest.ToWallet(stranger), cards[2])
		respond(t, ann, canceled, "cancel", nil).Want(t, http.StatusOK, nil)
		ann.Give(t, apptest.ToLink(secret), cards[3])
		blocked := ann.Give(t, apptest.ToWallet(cy), cards[4])
		respond(t, cy, blocked, "refuse", payload{"blockGiver": true}).Want(t, http.StatusOK, nil)
		archive := ann.Get(t, ann.RequestExport(t)).Unzip(t)
		if text := string(archive["gifts.csv"]); strings.Count(text, "given") != 5 || strings.Contains(text, ben.Address) || !strings.Contains(text, "asks you to confirm a gift") {
			t.Errorf("the export of the giver's gifts is\n%s", text)
		}

		s.DeleteUser(t, cy)
		wantState(t, ann, waiting, "ended")
		wantEntry(t, ann, cards[1], "held", "pack")
		s.DeleteUser(t, ben)
		for _, g := range giftsOf(t, ann, "") {
			if g.WalletAddress != "" && g.WalletAddress != stranger.Address {
				t.Errorf("gift %s still shows the wallet of a deleted user", g.ID)
			}
		}
		s.Audit(t)
		s.DeleteUser(t, ann)
		s.Audit(t)
		rows := string(everyRow(t, s)["gifts"])
		for name, c := range map[string]*apptest.Client{"giver": ann, "receiver": ben, "other receiver": cy, "stranger": stranger} {
			if strings.Contains(rows, c.Address) {
				t.Errorf("the gifts still have the wallet of the %s", name)
			}
		}
		if blocks := everyRow(t, s)["gift_blocks"]; len(blocks) > 0 {
			t.Errorf("blocks of deleted users are left: %s", blocks)
		}
	})
}
