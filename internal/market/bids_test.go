package market_test

import (
	"cmp"
	"net/http"
	"slices"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/identity"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

type bidView struct {
	ID, State, Receipt               string
	Left, HeldCents, BalanceCents    int64
	Filled                           []struct{ InventoryID, PriceCents any }
	OutbidCents                      *int64
	Counter                          *struct{ PriceCents int64 }
	PegPercent, CapCents, PriceCents int64
}

func forEntry(id string, price int64) apptest.Body {
	return apptest.Body{"scope": apptest.Body{"inventoryId": id}, "priceCents": price, "confirmedCents": price}
}

func forItem(id string, price, quantity int64) apptest.Body {
	return apptest.Body{"scope": apptest.Body{"itemId": id}, "priceCents": price, "confirmedCents": price, "quantity": quantity}
}

func placeBid(t *testing.T, c *apptest.Client, body apptest.Body) (p bidView) {
	t.Helper()
	c.Post(t, "/api/bids", body).Want(t, http.StatusOK, &p)
	return p
}

// wallet returns the user's balance and the money held for bids.
func wallet(t *testing.T, c *apptest.Client) (balance, held int64) {
	t.Helper()
	w := get[struct{ BalanceCents, HeldCents int64 }](t, c, "/api/wallet")
	return w.BalanceCents, w.HeldCents
}

func wantWallet(t *testing.T, c *apptest.Client, balance, held int64) {
	t.Helper()
	if b, h := wallet(t, c); b != balance || h != held {
		t.Errorf("balance %d and %d held for bids, want %d and %d", b, h, balance, held)
	}
}

// alertKinds returns the kinds of the user's alerts, newest first.
func alertKinds(t *testing.T, c *apptest.Client) (kinds []string) {
	t.Helper()
	for _, a := range get[[]struct{ Kind string }](t, c, "/api/alerts") {
		kinds = append(kinds, a.Kind)
	}
	return kinds
}

// wantSold checks the prices in the seller's alerts about sales, newest first.
func wantSold(t *testing.T, c *apptest.Client, prices ...int64) {
	t.Helper()
	var got []int64
	for _, a := range get[[]struct {
		Kind, ItemID, InventoryID, BidID string
		PriceCents                       int64
	}](t, c, "/api/alerts") {
		if a.Kind == "filled" && a.BidID == "" && a.ItemID != "" && a.InventoryID != "" {
			got = append(got, a.PriceCents)
		}
	}
	if !slices.Equal(got, prices) {
		t.Errorf("alerted of sales at %v, want %v", got, prices)
	}
}

// A bid holds its money. When it is filled, the seller gets the price less a 2% fee and the excess
// is returned.
func TestBidHoldsPaysAndReturnsMoney(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		cy, _ := newCollector(t, s, "Cy")
		entry := owned[0]
		low := placeBid(t, ben, forEntry(entry.ID, 500))
		if low.HeldCents != 500 || low.Left != 1 || low.BalanceCents != 7000 || low.Receipt == "" {
			t.Errorf("bid %+v", low)
		}
		wantWallet(t, ben, 7000, 500)
		high := placeBid(t, cy, forItem(entry.Item.ID, 600, 2))
		wantWallet(t, cy, 6300, 1200)
		ann.Post(t, "/api/bids/"+low.ID+"/accept", apptest.Body{"inventoryId": entry.ID, "expectedPriceCents": 500, "confirmedCents": 500}).
			Refused(t, http.StatusConflict, "better_bid")
		ann.Post(t, "/api/bids/"+high.ID+"/accept", apptest.Body{"inventoryId": entry.ID, "expectedPriceCents": 500}).Refused(t, http.StatusConflict, "price_changed")
		var sold struct{ SoldCents, FeeCents, BalanceCents int64 }
		ann.Post(t, "/api/bids/"+high.ID+"/accept", apptest.Body{"inventoryId": entry.ID, "expectedPriceCents": 600, "confirmedCents": 600}).Want(t, http.StatusOK, &sold)
		if sold.SoldCents != 600 || sold.FeeCents != 12 || sold.BalanceCents != 7500+600-12 {
			t.Errorf("accepting the bid returned %+v", sold)
		}
		wantWallet(t, cy, 6300, 600)
		wantSold(t, ann)
		mine := get[[]bidView](t, cy, "/api/bids?state=open")
		if len(mine) != 1 || mine[0].Left != 1 {
			t.Errorf("open bids %+v", mine)
		}
		cy.Call(t, http.MethodDelete, "/api/bids/"+high.ID, nil).Want(t, http.StatusNoContent, nil)
		wantWallet(t, cy, 6900, 0)
		ben.Call(t, http.MethodDelete, "/api/bids/"+high.ID, nil).Refused(t, http.StatusNotFound, "not_found")
		// Cy owns the entry now, and Ben's bid for it is still open.
		cy.Post(t, "/api/bids/"+low.ID+"/accept", apptest.Body{"inventoryId": entry.ID, "expectedPriceCents": 500, "confirmedCents": 500}).Want(t, http.StatusOK, &sold)
		ben.Call(t, http.MethodDelete, "/api/bids/"+low.ID, nil).Refused(t, http.StatusConflict, "already_filled")
		wantWallet(t, ben, 7000, 0)
		s.WaitForLog(t)
		s.Audit(t)
	})
}

// A crossing order executes immediately, at the price of the resting order.
func TestCrossingOrdersTradeAtMakerPrice(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		entry := owned[0].ID
		listEntry(t, ann, entry, 900)
		taken := placeBid(t, ben, forEntry(entry, 1000))
		if taken.State != "filled" || len(taken.Filled) != 1 || taken.BalanceCents != 7500-900 {
			t.Errorf("bid above the listing: got %+v, want a purchase at the listing's price", taken)
		}
		wantWallet(t, ann, 7500+900-45, 0)
		wantSold(t, ann, 900)
		placeBid(t, ann, forEntry(entry, 800))
		var offered struct {
			Sold *struct{ PriceCents, FeeCents int64 }
		}
		ben.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": entry, "priceCents": 700, "confirmedCents": 700}).Want(t, http.StatusOK, &offered)
		if offered.Sold == nil || offered.Sold.PriceCents != 800 || offered.Sold.FeeCents != 16 {
			t.Errorf("listing below the bid: got %+v, want a sale at the bid's price", offered.Sold)
		}
		wantWallet(t, ann, 7500+900-45-800, 0)
		if got := alertKinds(t, ann); !slices.Equal(got, []string{"filled", "filled"}) {
			t.Errorf("alerts %q", got)
		}
		wantSold(t, ann, 900)
		wantSold(t, ben)
		placeBid(t, ann, forItem(owned[1].Item.ID, 600, 1))
		ann.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": owned[1].ID, "priceCents": 500, "confirmedCents": 500}).Want(t, http.StatusOK, &offered)
		if own := get[[]entryState](t, ann, "/api/inventory/me"); own[0].State == "" {
			t.Errorf("the user traded with their own bid: %+v", own)
		}
		s.WaitForLog(t)
		s.Audit(t)
	})
}

type entryState struct{ ID, State string }

// A counter-offer is paid first from what the bid holds, then from the balance. It expires after 48
// hours.
func TestCounterOffer(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		entry := owned[0].ID
		b := placeBid(t, ben, forEntry(entry, 500))
		answer := func(price int64) {
			t.Helper()
			ann.Post(t, "/api/bids/"+b.ID+"/counter", apptest.Body{"inventoryId": entry, "priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, nil)
		}
		ann.Post(t, "/api/bids/"+b.ID+"/counter", apptest.Body{"inventoryId": entry, "priceCents": 500, "confirmedCents": 500}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		answer(700)
		answer(650)
		accept := "/api/bids/" + b.ID + "/accept-counter"
		ben.Post(t, accept, apptest.Body{"expectedPriceCents": 700}).Refused(t, http.StatusConflict, "price_changed")
		clock.Advance(48 * time.Hour)
		ann.SignIn(t)
		ben.SignIn(t)
		ben.Post(t, accept, apptest.Body{"expectedPriceCents": 650}).Refused(t, http.StatusNotFound, "not_found")
		answer(650)
		ben.Post(t, accept, apptest.Body{"expectedPriceCents": 650}).Want(t, http.StatusOK, nil)
		wantWallet(t, ben, 7500-650, 0)
		wantWallet(t, ann, 7500+650-33, 0)
		wantSold(t, ann, 650)
		s.WaitForLog(t)
		s.Audit(t)
	})
}

// An answer by another user for the same entry in the same batch doesn't affect the check for
// better bids, whether it comes before or after the owner's.
func TestOtherUsersAnswerDoesNotHideBetterBid(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		p := newUsers(t, s, 100, 100, 100)
		owner, low, high := p[0], p[1], p[2]
		entry := owner.owned[0].ID
		seen := placeBid(t, low.Client, forEntry(entry, 500))
		placeBid(t, high.Client, forEntry(entry, 600))
		own := match.BidResponse{User: owner.id, Bid: seen.ID, Entry: entry, Price: 500, Confirmed: 500}
		stranger := match.BidResponse{User: low.id, Bid: seen.ID, Entry: entry, Price: policy.MaxPrice}
		for _, answers := range [][]match.BidResponse{{own, stranger}, {stranger, own}} {
			if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				outcomes, _, err := (&match.Service{Sandbox: true}).Accept(tx, answers)
				for n, o := range outcomes {
					want := apperr.NotFound
					if answers[n].User == owner.id {
						want = apperr.BetterBid
					}
					if !apperr.IsCode(o.Err, want) {
						t.Errorf("outcome %d of %+v: %v", n, answers, o.Err)
					}
				}
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		s.Audit(t)
	})
}

// Outside a sandbox, a counter-offer can't be accepted once its maker is an admin.
func TestCounterOfferOfAdminIsNotAccepted(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		p := newUsers(t, s, 100, 100)
		owner, bidder := p[0], p[1]
		b := placeBid(t, bidder.Client, forEntry(owner.owned[0].ID, 500))
		owner.Post(t, "/api/bids/"+b.ID+"/counter", apptest.Body{"inventoryId": owner.owned[0].ID, "priceCents": 700, "confirmedCents": 700}).Want(t, http.StatusOK, nil)
		accept := func() error {
			return s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := (&match.Service{}).AcceptCounter(tx, match.BidResponse{User: bidder.id, Bid: b.ID, Price: 700})
				return err
			})
		}
		s.Promote(t, owner.Client)
		if err := accept(); !apperr.IsCode(err, apperr.NotFound) {
			t.Errorf("an admin's answer was accepted: %v", err)
		}
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { return identity.SetRole(tx, owner.Address, "user") }); err != nil {
			t.Fatal(err)
		}
		if err := accept(); err != nil {
			t.Errorf("the counter-offer of a user: %v", err)
		}
		s.Audit(t)
	})
}

// A bid expires exactly at its time, and a job returns its money. A bid also ends when its entry is
// sold back or bought by the bidder.
func TestBidsExpireAndEnd(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		gone, bought := owned[0], owned[1]
		b := placeBid(t, ben, forEntry(gone.ID, 500))
		placeBid(t, ben, forEntry(bought.ID, 500))
		brief := forEntry(owned[2].ID, 500)
		brief["expiresAt"] = clock.Now().Add(time.Hour)
		placeBid(t, ben, brief)
		apptest.Until(t, "the bidder is alerted that the bid expires soon", func() bool { return slices.Contains(alertKinds(t, ben), "expiring") })
		ann.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{gone.ID}}).Want(t, http.StatusOK, nil)
		listEntry(t, ann, bought.ID, 900)
		ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": bought.ID}).Want(t, http.StatusOK, nil)
		apptest.Until(t, "the money of bids that can't be filled is returned", func() bool { _, held := wallet(t, ben); return held == 500 })
		ann.Post(t, "/api/bids/"+b.ID+"/accept", apptest.Body{"inventoryId": owned[3].ID, "expectedPriceCents": 500}).Refused(t, http.StatusConflict, "bid_ended")
		clock.Advance(time.Hour)
		apptest.Until(t, "the money of the expired bid is returned", func() bool { _, held := wallet(t, ben); return held == 0 })
		wantWallet(t, ben, 7500-900, 0)
		s.WaitForLog(t)
		s.Audit(t)
	})
}

// Bids below the owner's minimum are declined at most three times a day.
func TestMinimumBidCannotBeProbed(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		entry := owned[0].ID
		ann.Call(t, http.MethodPatch, "/api/inventory/"+entry, apptest.Body{"lowestBidCents": 600}).Want(t, http.StatusOK, nil)
		for range 3 {
			ben.Post(t, "/api/bids", forEntry(entry, 595)).Refused(t, http.StatusConflict, "declined")
		}
		if refusal := ben.Post(t, "/api/bids", forEntry(entry, 700)).Refused(t, http.StatusForbidden, "limit_reached"); string(refusal.Details) != `{"limit":"declined"}` {
			t.Errorf("refusal details %s", refusal.Details)
		}
		wantWallet(t, ben, 7500, 0)
		ann.Call(t, http.MethodPatch, "/api/inventory/"+entry, apptest.Body{"lowestBidCents": nil}).Want(t, http.StatusOK, nil)
		placeBid(t, ben, forEntry(entry, 595))
		s.Audit(t)
	})
}

// A bid by criterion is not matched when placed. The job fills it at the price of the earlier
// listing.
func TestBidByCriterion(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		e := byValue(owned)[0]
		listEntry(t, ann, e.ID, e.Item.BaseValueCents)
		most := roundToStep(e.Item.BaseValueCents + 500)
		like := apptest.Body{"scope": apptest.Body{"series": e.Item.Series}, "pegPercent": 110, "capCents": most, "confirmedCents": most, "quantity": 1}
		b := placeBid(t, ben, like)
		if b.State != "open" || b.HeldCents != most {
			t.Errorf("placed as %+v", b)
		}
		apptest.Until(t, "the listing is taken", func() bool { return len(get[[]bidView](t, ben, "/api/bids?state=open")) == 0 })
		wantWallet(t, ben, 7500-e.Item.BaseValueCents, 0)
		wantSold(t, ann, e.Item.BaseValueCents)
		ben.Post(t, "/api/bids", apptest.Body{"scope": apptest.Body{"series": "Nothing"}, "pegPercent": 90, "capCents": 500}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		ben.Post(t, "/api/bids", apptest.Body{"scope": apptest.Body{"series": e.Item.Series}, "priceCents": 500}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		s.WaitForLog(t)
		s.Audit(t)
	})
}

func TestChangeBid(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		b := placeBid(t, ben, forEntry(owned[0].ID, 500))
		ben.Post(t, "/api/bids", forEntry(owned[0].ID, 600)).Refused(t, http.StatusConflict, "already_bid")
		place := placeOf(t, s, b.ID)
		change := func(price int64) {
			t.Helper()
			ben.Call(t, http.MethodPut, "/api/bids/"+b.ID, apptest.Body{"priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, nil)
		}
		change(500)
		if placeOf(t, s, b.ID) != place {
			t.Error("the bid lost its place at an unchanged price")
		}
		change(700)
		if placeOf(t, s, b.ID) == place {
			t.Error("the bid kept its place at a new price")
		}
		wantWallet(t, ben, 6800, 700)
		listEntry(t, ann, owned[0].ID, 800)
		change(850)
		wantWallet(t, ben, 7500-800, 0)
		ben.Call(t, http.MethodPut, "/api/bids/"+b.ID, apptest.Body{"priceCents": 900, "confirmedCents": 900}).Refused(t, http.StatusConflict, "already_filled")
		ben.Post(t, "/api/bids", forItem(owned[1].Item.ID, 9_000_00, 100)).Refused(t, http.StatusPaymentRequired, "insufficient_funds")
		s.WaitForLog(t)
		s.Audit(t)
	})
}

func placeOf(t *testing.T, s *apptest.Server, id string) (place string) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		place, err = db.One(tx, db.Column[string], `SELECT place FROM bids WHERE id = $1`, id)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return place
}

// byValue sorts entries by value. Pulls are random, and test users can't afford every card.
func byValue(owned []entry) []entry {
	return slices.SortedFunc(slices.Values(owned), func(a, b entry) int { return cmp.Compare(a.Item.BaseValueCents, b.Item.BaseValueCents) })
}

// roundToStep rounds a price down to a valid bid price.
func roundToStep(price int64) int64 {
	step := int64(policy.BidStep(money.Cents(price)))
	return price / step * step
}

// A quick sell pays what was quoted: the best of Kaibao's offer and the bids for each entry.
func TestQuickSellTakesBestOffer(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		owned = byValue(owned)
		rich, poor := owned[0], owned[1]
		placeBid(t, ben, forEntry(rich.ID, roundToStep(rich.SellBackCents+500)))
		placeBid(t, ben, forItem(poor.Item.ID, max(50, roundToStep(poor.SellBackCents-100)), 1))
		ids := []string{rich.ID, poor.ID}
		quote := post[struct {
			TotalCents int64
			Lines      []struct {
				Best                                  string
				HouseCents, PayoutCents, BestBidCents int64
			}
		}](t, ann, "/api/inventory/quotes", apptest.Body{"inventoryIds": ids})
		if quote.Lines[0].Best != "bid" || quote.Lines[1].Best != "house" || quote.Lines[1].BestBidCents == 0 {
			t.Errorf("quoted %+v", quote)
		}
		ann.Post(t, "/api/inventory/quick-sell", apptest.Body{"inventoryIds": ids, "minPayoutCents": quote.TotalCents + 1}).Refused(t, http.StatusConflict, "price_changed")
		sold := post[struct {
			PayoutCents, BalanceCents int64
			Sold                      []struct{ To string }
		}](t, ann, "/api/inventory/quick-sell", apptest.Body{"inventoryIds": ids, "minPayoutCents": quote.TotalCents})
		if sold.PayoutCents != quote.TotalCents || sold.BalanceCents != 7500+quote.TotalCents || sold.Sold[0].To != "bid" || sold.Sold[1].To != "house" {
			t.Errorf("sold for %+v, quoted %+v", sold, quote)
		}
		s.WaitForLog(t)
		s.Audit(t)
		s.VerifyLog(t)
	})
}

func post[T any](t *testing.T, c *apptest.Client, path string, body apptest.Body) (v T) {
	t.Helper()
	c.Post(t, path, body).Want(t, http.StatusOK, &v)
	return v
}

// Lines of one request succeed or fail together, and prices far from the value must be confirmed
// per line.
func TestListRepriceDelistAndBuyMany(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		owned = byValue(owned)
		line := func(n int, price int64) apptest.Body {
			return apptest.Body{"inventoryId": owned[n].ID, "priceCents": price}
		}
		far := ann.Post(t, "/api/marketplace/list-many", apptest.Body{"lines": []apptest.Body{line(0, 1), line(1, owned[1].Item.BaseValueCents)}})
		far.Refused(t, http.StatusConflict, "confirm_price")
		lines := []apptest.Body{line(0, owned[0].Item.BaseValueCents), line(1, owned[1].Item.BaseValueCents), line(2, owned[2].Item.BaseValueCents)}
		ann.Post(t, "/api/marketplace/list-many", apptest.Body{"lines": append(lines, lines[0])}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		balance := apptest.Get[struct{ BalanceCents int64 }](t, ann, "/api/wallet").BalanceCents
		for _, act := range []struct {
			path  string
			lines []apptest.Body
		}{
			{"list-many", lines},
			{"reprice-many", []apptest.Body{line(0, owned[0].Item.BaseValueCents+100)}},
			{"delist-many", []apptest.Body{{"inventoryId": owned[2].ID}}},
		} {
			got := post[struct{ BalanceCents int64 }](t, ann, "/api/marketplace/"+act.path, apptest.Body{"lines": act.lines})
			if got.BalanceCents != balance || balance == 0 {
				t.Errorf("%s answers a balance of %d, the wallet has %d", act.path, got.BalanceCents, balance)
			}
		}
		seen := func(n int) apptest.Body {
			return apptest.Body{"inventoryId": owned[n].ID, "expectedPriceCents": owned[n].Item.BaseValueCents}
		}
		cart := []apptest.Body{seen(0), seen(1), seen(2)}
		ben.Post(t, "/api/marketplace/cart", apptest.Body{"lines": cart}).Refused(t, http.StatusConflict, "price_changed")
		got := post[struct {
			Bought, Skipped          []struct{ InventoryID, Code string }
			TotalCents, BalanceCents int64
		}](t, ben, "/api/marketplace/cart", apptest.Body{"lines": cart, "partial": true})
		if len(got.Bought) != 1 || len(got.Skipped) != 2 || got.Skipped[0].Code != "price_changed" || got.Skipped[1].Code != "not_listed" ||
			got.TotalCents != owned[1].Item.BaseValueCents || got.BalanceCents != 7500-got.TotalCents {
			t.Errorf("cart result %+v", got)
		}
		s.WaitForLog(t)
		s.Audit(t)
	})
}

// Changing a bid keeps its counter-offer, checks the owner's minimum again and can't raise the
// quantity of a bid for one entry.
func TestChangeBidKeepsCounterAndLimits(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		poor := s.SignIn(t)
		entry := owned[0].ID
		b := placeBid(t, ben, forEntry(entry, 700))
		change := func(body apptest.Body) apptest.Answer { return ben.Call(t, http.MethodPut, "/api/bids/"+b.ID, body) }
		change(apptest.Body{"priceCents": 700, "quantity": 2, "confirmedCents": 700}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		ann.Post(t, "/api/bids/"+b.ID+"/counter", apptest.Body{"inventoryId": entry, "priceCents": 900, "confirmedCents": 900}).Want(t, http.StatusOK, nil)
		change(apptest.Body{"priceCents": 725, "confirmedCents": 725}).Want(t, http.StatusOK, nil)
		if mine := get[[]bidView](t, ben, "/api/bids?state=open"); len(mine) != 1 || mine[0].Counter == nil || mine[0].Counter.PriceCents != 900 {
			t.Errorf("bids after the change: %+v", mine)
		}
		ann.Call(t, http.MethodPatch, "/api/inventory/"+entry, apptest.Body{"lowestBidCents": 650}).Want(t, http.StatusOK, nil)
		poor.Post(t, "/api/bids", forEntry(entry, 600)).Refused(t, http.StatusPaymentRequired, "insufficient_funds")
		for range 3 {
			change(apptest.Body{"priceCents": 600, "confirmedCents": 600}).Refused(t, http.StatusConflict, "declined")
		}
		change(apptest.Body{"priceCents": 800, "confirmedCents": 800}).Refused(t, http.StatusForbidden, "limit_reached")
		wantWallet(t, ben, 7500-725, 725)
		s.Audit(t)
	})
}
