package redemptions_test

import (
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
	"kaibao/internal/redemptions"
)

// waitUntilValueCounts waits until a raised value counts for refunds, and signs the users in again.
func waitUntilValueCounts(t *testing.T, clock *dbtest.Clock, users ...*apptest.Client) {
	t.Helper()
	clock.Advance(25 * time.Minute)
	for _, c := range users {
		c.SignIn(t)
	}
}

type item struct {
	InventoryID string
	ValueCents  int64
	RefundCents *int64
}

type claim struct {
	ID, State                              string
	ShippingCents, ValueCents, RefundCents int64
	Items                                  []item
	Events                                 []struct{ Act, By, Note string }
	Tracking                               *struct{ Carrier, Number, URL string }
	Cancellable                            bool
	Message                                string
	Delivery                               *struct {
		Address struct{ PostalCode, Phone string }
		Label   []string
		Phone   string
	}
}

func (c claim) steps() (acts []string) {
	for _, e := range c.Events {
		acts = append(acts, e.Act)
	}
	return acts
}

// collector returns a user with the five items of a pack in the vault, and points left.
func collector(t *testing.T, s *apptest.Server) (c *apptest.Client, entries []string) {
	t.Helper()
	c = s.SignIn(t)
	c.Deposit(t, 200)
	var opened struct {
		Items []struct{ InventoryID string }
	}
	c.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
	for _, item := range opened.Items {
		entries = append(entries, item.InventoryID)
	}
	c.Vault(t, entries...)
	return c, entries
}

func balance(t *testing.T, c *apptest.Client) int64 {
	t.Helper()
	return apptest.Get[struct{ BalanceCents int64 }](t, c, "/api/wallet").BalanceCents
}

type entry struct {
	State  string
	Events []struct {
		Kind string
		Ref  *string
	}
}

func (e entry) kinds() (kinds []string) {
	for _, ev := range e.Events {
		kinds = append(kinds, ev.Kind)
	}
	return kinds
}

func TestClaimIsShippedAndDelivered(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, entries := collector(t, s)
		ben, admin := s.SignIn(t), s.Admin(t)
		before := balance(t, ann)
		var created claim
		ann.Post(t, "/api/redemptions", ann.Sign(t, apptest.Home, entries[0], entries[1])).Want(t, http.StatusOK, &created)
		if created.State != "requested" || created.ShippingCents != 2200+2*200 || balance(t, ann) != before-created.ShippingCents || !created.Cancellable {
			t.Errorf("created %+v, paid %d", created, before-balance(t, ann))
		}
		for _, step := range []string{"pack", "ship", "deliver"} {
			admin.Step(t, step, created.ID).Want(t, http.StatusOK, nil)
		}
		own := apptest.Get[claim](t, ann, "/api/redemptions/"+created.ID)
		if got := own.steps(); !slices.Equal(got, []string{"request", "pack", "ship", "deliver"}) || own.State != "delivered" {
			t.Errorf("the claim is %s after the steps %v", own.State, got)
		}
		if own.Tracking == nil || own.Tracking.Number != "JD01460000" || !strings.Contains(own.Tracking.URL, "AWB=JD01460000") || own.Cancellable {
			t.Errorf("tracking is %+v, cancellable %t", own.Tracking, own.Cancellable)
		}
		if own.Delivery == nil || !slices.Contains(own.Delivery.Label, "WASHINGTON, DC 20500-0003") || !slices.Contains(own.Delivery.Label, "UNITED STATES") {
			t.Errorf("delivery %+v", own.Delivery)
		}
		history := apptest.Get[entry](t, ann, "/api/inventory/"+entries[0])
		if want := []string{"pulled", "vaulted", "claimed", "packed", "shipped", "delivered"}; !slices.Equal(history.kinds(), want) || *history.Events[2].Ref != created.ID {
			t.Errorf("the entry's history is %v, want %v", history.kinds(), want)
		}
		ben.Get(t, "/api/redemptions/"+created.ID).Refused(t, http.StatusNotFound, "not_found")
		ben.Post(t, "/api/redemptions/"+created.ID+"/cancel", nil).Refused(t, http.StatusNotFound, "not_found")
		if mine := apptest.Get[[]claim](t, ann, "/api/redemptions"); len(mine) != 1 || len(mine[0].Items) != 2 {
			t.Errorf("the owner's list has %+v, want one claim of 2 items", mine)
		}
		if open := apptest.Get[[]claim](t, ann, "/api/redemptions?state=open"); len(open) != 0 {
			t.Errorf("the list of open claims has %+v, want none", open)
		}
		s.Audit(t)
	})
}

func TestCancelledClaimIsRefunded(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, entries := collector(t, s)
		admin := s.Admin(t)
		before := balance(t, ann)
		first, second, third := ann.Claim(t, entries[0]), ann.Claim(t, entries[1]), ann.Claim(t, entries[2])
		ann.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": entries[:1]}).Refused(t, http.StatusConflict, "conflict")
		ann.Post(t, "/api/redemptions/"+first+"/cancel", nil).Want(t, http.StatusOK, nil)
		admin.Step(t, "cancel", second).Want(t, http.StatusOK, nil)
		admin.Step(t, "pack", third).Want(t, http.StatusOK, nil)
		ann.Post(t, "/api/redemptions/"+third+"/cancel", nil).Refused(t, http.StatusConflict, "conflict")
		own := apptest.Get[claim](t, ann, "/api/redemptions/"+second)
		if own.State != "cancelled" || own.Events[1].By != "house" || own.Events[1].Note != "It is so." {
			t.Errorf("cancelled by an admin: %+v", own)
		}
		if paid := before - balance(t, ann); paid != 2400 {
			t.Errorf("paid %d, want 2400 for the claim that wasn't cancelled", paid)
		}
		ann.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": entries[:2]}).Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
}

// A lost item is replaced, or refunded at the higher of its values at the claim and now. It can't be sold back.
func TestLostClaimIsReplacedOrRefunded(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, entries := collector(t, s)
		admin := s.Admin(t)
		replaced, refunded := ann.Claim(t, entries[0]), ann.Claim(t, entries[1], entries[2])
		for _, id := range []string{replaced, refunded} {
			for _, step := range []string{"pack", "ship", "lose"} {
				admin.Step(t, step, id).Want(t, http.StatusOK, nil)
			}
		}
		for _, step := range []string{"replace", "ship", "deliver"} {
			admin.Step(t, step, replaced).Want(t, http.StatusOK, nil)
		}
		before := apptest.Get[claim](t, ann, "/api/redemptions/"+refunded)
		itemOf := func(id string) string {
			return apptest.Get[struct{ Item struct{ ID string } }](t, ann, "/api/inventory/"+id).Item.ID
		}
		s.SetValue(t, admin, itemOf(entries[1]), before.Items[0].ValueCents+500)
		if itemOf(entries[1]) != itemOf(entries[2]) {
			s.SetValue(t, admin, itemOf(entries[2]), 1)
		}
		waitUntilValueCounts(t, clock, ann, admin)
		balanceBefore := balance(t, ann)
		admin.Step(t, "refund", refunded).Want(t, http.StatusOK, nil)
		own := apptest.Get[claim](t, ann, "/api/redemptions/"+refunded)
		if got := balance(t, ann) - balanceBefore; own.RefundCents < before.ValueCents+500 || got != own.RefundCents+own.ShippingCents {
			t.Errorf("refunded %d for %+v", got, own)
		}
		if history := apptest.Get[entry](t, ann, "/api/inventory/"+entries[1]); history.State != "made-good" || history.kinds()[5] != "lost" || history.kinds()[6] != "refunded" {
			t.Errorf("the entry's history is %+v", history.kinds())
		}
		ann.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": entries[1:2]}).Refused(t, http.StatusConflict, "conflict")
		s.Audit(t)
	})
}

// A refund above an admin's limit waits for a second admin, who pays exactly the requested amount.
func TestLargeRefundNeedsSecondAdmin(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, entries := collector(t, s)
		admin := s.Admin(t)
		id := ann.Claim(t, entries[0])
		item := apptest.Get[struct{ Item struct{ ID string } }](t, ann, "/api/inventory/"+entries[0]).Item.ID
		s.SetValue(t, admin, item, int64(policy.DailyTotal))
		for _, step := range []string{"pack", "lose"} {
			admin.Step(t, step, id).Want(t, http.StatusOK, nil)
		}
		waitUntilValueCounts(t, clock, ann, admin)
		var result struct {
			Claims    []claim
			Approvals []struct{ ID string }
		}
		admin.Step(t, "refund", id).Want(t, http.StatusOK, &result)
		if len(result.Claims) != 0 || len(result.Approvals) != 1 {
			t.Fatalf("%+v, want one pending approval", result)
		}
		admin.Step(t, "refund", id).Refused(t, http.StatusConflict, "request_waiting") // pending
		decide := func(actor *apptest.Client, approval string) apptest.Answer {
			return actor.Post(t, "/api/admin/approvals/"+approval, apptest.Body{"decision": "approve", "reason": "I saw the carrier's letter."})
		}
		decide(admin, result.Approvals[0].ID).Refused(t, http.StatusForbidden, "forbidden")
		before, second := balance(t, ann), s.Admin(t)
		decide(second, result.Approvals[0].ID).Want(t, http.StatusOK, nil)
		own := apptest.Get[claim](t, ann, "/api/redemptions/"+id)
		if got := balance(t, ann) - before; own.State != "refunded" || got != int64(policy.DailyTotal)+own.ShippingCents {
			t.Errorf("the claim is %s and %d was refunded", own.State, got)
		}
		s.Audit(t)
	})
}

// A pending refund is not paid if a value changes.
func TestApprovedRefundMustMatchRequest(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, entries := collector(t, s)
		admin, second := s.Admin(t), s.Admin(t)
		id := ann.Claim(t, entries[0])
		item := apptest.Get[struct{ Item struct{ ID string } }](t, ann, "/api/inventory/"+entries[0]).Item.ID
		setValue := func(cents money.Cents) {
			s.SetValue(t, admin, item, int64(cents))
			waitUntilValueCounts(t, clock, ann, admin, second)
		}
		setValue(policy.DailyTotal)
		for _, step := range []string{"pack", "lose"} {
			admin.Step(t, step, id).Want(t, http.StatusOK, nil)
		}
		var result struct{ Approvals []struct{ ID string } }
		admin.Step(t, "refund", id).Want(t, http.StatusOK, &result)
		setValue(policy.DailyTotal + 1)
		second.Post(t, "/api/admin/approvals/"+result.Approvals[0].ID, apptest.Body{"decision": "approve", "reason": "Yes."}).
			Refused(t, http.StatusConflict, "request_outdated")
		if own := apptest.Get[claim](t, ann, "/api/redemptions/"+id); own.State != "lost" {
			t.Errorf("the claim is %s, want lost", own.State)
		}
		s.Audit(t)
	})
}

// Outside the sandbox, only cards that had finite stock when drawn are shipped.
func TestOnlyFiniteCardsAreShippedOutsideSandbox(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann := s.SignIn(t)
		ann.Deposit(t, 500)
		pulled := func(answer apptest.Answer) string {
			var opened struct {
				Items []struct{ InventoryID string }
			}
			answer.Want(t, http.StatusOK, &opened)
			return opened.Items[0].InventoryID
		}
		finite := pulled(ann.OpenSealed(t, "8", "x"))
		unlimited := pulled(ann.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}))
		check := func(sandbox bool, ids ...string) error {
			service := redemptions.Service{DB: s.DB, Packs: &packs.Service{DB: s.DB}, Sandbox: sandbox}
			return s.DB.Read(t.Context(), func(tx *db.Tx) error {
				entries, err := inventory.ByIDs(tx, ids)
				if err != nil {
					return err
				}
				return service.CheckFiniteStockForTest(tx, slices.Collect(maps.Values(entries)))
			})
		}
		if err := check(false, finite); err != nil {
			t.Errorf("a card of limited stock: %v", err)
		}
		if err := check(false, finite, unlimited); !apperr.IsCode(err, apperr.NotClaimable) || !reflect.DeepEqual(apperr.As(err).Details, inventory.Refused{InventoryIDs: []string{unlimited}}) {
			t.Errorf("with a card of unlimited stock: %v", err)
		}
		if err := check(true, finite, unlimited); err != nil {
			t.Errorf("with a card of unlimited stock, in a sandbox: %v", err)
		}
	})
}

// Addresses are deleted 90 days after a claim's end, not earlier.
func TestAddressesAreDeletedAfterRetention(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, entries := collector(t, s)
		ended, open := ann.Claim(t, entries[0]), ann.Claim(t, entries[1])
		ann.Post(t, "/api/redemptions/"+ended+"/cancel", nil).Want(t, http.StatusOK, nil)
		runJobs := jobRunner(t, s)
		clock.Advance(policy.AddressKept - time.Microsecond)
		runJobs(t)
		ann.SignIn(t)
		if own := apptest.Get[claim](t, ann, "/api/redemptions/"+ended); own.Delivery == nil {
			t.Error("the address was deleted too early")
		}
		clock.Advance(time.Microsecond)
		runJobs(t)
		if own := apptest.Get[claim](t, ann, "/api/redemptions/"+ended); own.Delivery != nil {
			t.Error("the address was not deleted")
		}
		if own := apptest.Get[claim](t, ann, "/api/redemptions/"+open); own.Delivery == nil {
			t.Error("the address of an open claim was deleted")
		}
		s.Audit(t)
	})
}

// Post code and phone number are checked and signed in normalized form, but the label shows them as
// typed, unless the claim was sent with the normalized form.
func TestLabelKeepsSpelling(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, entries := collector(t, s)
		admin := s.Admin(t)
		typed := maps.Clone(apptest.Home)
		typed["postalCode"], typed["phone"] = "２０５００–0003", " ＋1 (202) 456‐1111 x 5"
		for i, c := range []struct{ as, code, phone string }{
			{"typed", "２０５００–0003", "＋1 (202) 456‐1111 x 5"}, {"signed", "20500-0003", "+1 (202) 456-1111 ext. 5"},
		} {
			request := ann.Sign(t, typed, entries[i])
			if c.as == "signed" {
				address := maps.Clone(typed)
				address["postalCode"], address["phone"] = c.code, c.phone
				request["address"] = address
			}
			var created claim
			ann.Post(t, "/api/redemptions", request).Want(t, http.StatusOK, &created)
			var opened struct{ Claims []claim }
			admin.Post(t, "/api/admin/redemptions/open", apptest.Body{"claims": []string{created.ID}}).Want(t, http.StatusOK, &opened)
			delivery := opened.Claims[0].Delivery
			if delivery == nil || !strings.Contains(strings.Join(delivery.Label, "\n"), c.code) || delivery.Phone != c.phone {
				t.Fatalf("as %s the label has %+v", c.as, delivery)
			}
			if delivery.Address.PostalCode != "20500-0003" || delivery.Address.Phone != "+1 (202) 456-1111 ext. 5" {
				t.Errorf("as %s the address is stored as %+v", c.as, delivery.Address)
			}
		}
		s.Audit(t)
	})
}

// No part of an address can be read in the database or in stored responses.
func TestDatabaseContainsNoPlainAddress(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, entries := collector(t, s)
		admin := s.Admin(t)
		id := ann.Claim(t, entries[0])
		var opened struct{ Claims []claim }
		admin.Post(t, "/api/admin/redemptions/open", apptest.Body{"claims": []string{id}}).Want(t, http.StatusOK, &opened)
		if len(opened.Claims) != 1 || opened.Claims[0].Delivery == nil || !strings.Contains(strings.Join(opened.Claims[0].Delivery.Label, "\n"), "Pennsylvania") {
			t.Errorf("an admin sees %+v", opened)
		}
		for _, table := range tables(t, s) {
			for _, row := range dump(t, s, table) {
				for _, part := range []string{"pennsylvania", "ann collector", "20500-0003", "456 1111"} {
					if strings.Contains(strings.ToLower(row), part) {
						t.Errorf("%s contains %q: %s", table, part, row)
					}
				}
			}
		}
	})
}

func tables(t *testing.T, s *apptest.Server) (names []string) {
	t.Helper()
	query := `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	if s.DB.Engine() == "postgres" {
		query = `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()`
	}
	read(t, s, func(tx *db.Tx) (err error) {
		names, err = db.All(tx, db.Column[string], query)
		return err
	})
	return names
}

// dump returns every row of a table as text.
func dump(t *testing.T, s *apptest.Server, table string) (rows []string) {
	t.Helper()
	query := `SELECT CAST(t AS TEXT) FROM ` + table + ` t`
	if s.DB.Engine() == "sqlite" {
		var columns []string
		read(t, s, func(tx *db.Tx) (err error) {
			columns, err = db.All(tx, db.Column[string], `SELECT 'COALESCE(CAST("' || name || '" AS TEXT), '''')' FROM pragma_table_info('`+table+`')`)
			return err
		})
		query = `SELECT ` + strings.Join(columns, ` || ' ' || `) + ` FROM ` + table
	}
	read(t, s, func(tx *db.Tx) (err error) {
		rows, err = db.All(tx, db.Column[string], query)
		return err
	})
	return rows
}

func read(t *testing.T, s *apptest.Server, do func(*db.Tx) error) {
	t.Helper()
	if err := s.DB.Read(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

// When cancel and pack race, exactly one wins.
func TestCancelRacesPack(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, entries := collector(t, s)
		admin := s.Admin(t)
		for range 3 {
			id := ann.Claim(t, entries[0])
			var cancelled, packed int
			var wg sync.WaitGroup
			wg.Go(func() { cancelled = ann.Post(t, "/api/redemptions/"+id+"/cancel", nil).Status })
			wg.Go(func() { packed = admin.Step(t, "pack", id).Status })
			wg.Wait()
			state := apptest.Get[claim](t, ann, "/api/redemptions/"+id).State
			switch {
			case cancelled == http.StatusOK && packed == http.StatusConflict && state == "cancelled":
			case cancelled == http.StatusConflict && packed == http.StatusOK && state == "packed":
				entries = entries[1:]
			default:
				t.Errorf("cancel responded %d, pack responded %d, the claim is %s", cancelled, packed, state)
			}
		}
		s.Audit(t)
	})
}

// A claim must match what was signed.
func TestClaimMustMatchSignature(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, entries := collector(t, s)
		ben := s.SignIn(t)
		body := ann.Sign(t, apptest.Home, entries[0])
		claim := func(b apptest.Body) apptest.Answer { return ann.Post(t, "/api/redemptions", b) }
		claim(body.With("inventoryIds", entries[1:2])).Refused(t, http.StatusUnauthorized, "bad_signature")
		claim(body.With("inventoryIds", entries[:2])).Refused(t, http.StatusConflict, "price_changed")
		claim(body.With("address", apptest.Home.With("line1", "Elsewhere 1"))).Refused(t, http.StatusUnauthorized, "bad_signature")
		claim(body.With("addressSalt", strings.Repeat("0", 32))).Refused(t, http.StatusUnauthorized, "bad_signature")
		claim(body.With("address", apptest.Home.With("postalCode", "1"))).Refused(t, http.StatusUnprocessableEntity, "invalid")
		ben.Post(t, "/api/redemptions", body).Refused(t, http.StatusNotFound, "not_found")
		clock.Advance(policy.ClaimSignable)
		claim(body).Refused(t, http.StatusUnauthorized, "bad_signature")
		claim(ann.Sign(t, apptest.Home, entries[0])).Want(t, http.StatusOK, nil)
		claim(body).Refused(t, http.StatusConflict, "already_claimed")
		ann.Post(t, "/api/redemptions/challenge", apptest.Body{"inventoryIds": []string{"none"}, "address": apptest.Home}).Refused(t, http.StatusNotFound, "not_found")
		s.Audit(t)
	})
}

// Only held items in the vault can be claimed, and only with enough points.
func TestClaimRefusals(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, entries := collector(t, s)
		requestChallenge := func(c *apptest.Client, id string) apptest.Answer {
			return c.Post(t, "/api/redemptions/challenge", apptest.Body{"inventoryIds": []string{id}, "address": apptest.Home})
		}
		ann.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": entries[0], "priceCents": 100, "confirmedCents": 100}).Want(t, http.StatusOK, nil)
		requestChallenge(ann, entries[0]).Refused(t, http.StatusConflict, "already_listed")
		ann.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": entries[1:2]}).Want(t, http.StatusOK, nil)
		requestChallenge(ann, entries[1]).Refused(t, http.StatusConflict, "already_sold")
		poor := s.SignIn(t)
		poor.Deposit(t, 25)
		var opened struct {
			Items []struct{ InventoryID string }
		}
		poor.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
		id := opened.Items[0].InventoryID
		requestChallenge(poor, id).Refused(t, http.StatusConflict, "not_vaulted")
		poor.Vault(t, id)
		poor.Post(t, "/api/redemptions", poor.Sign(t, apptest.Home, id)).Refused(t, http.StatusPaymentRequired, "insufficient_funds")
		if history := apptest.Get[entry](t, poor, "/api/inventory/"+id); history.State != "held" {
			t.Errorf("the entry is %s, want held", history.State)
		}
		s.Audit(t)
	})
}

// The audit tolerates that the clock of the node that changed an item's value is ahead of that of the
// node where the item is claimed.
func TestAuditToleratesClocksThatDiffer(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		c, entries := collector(t, s)
		admin := s.Admin(t)
		item := apptest.Get[struct {
			Item struct {
				ID             string
				BaseValueCents int64
			}
		}](t, c, "/api/inventory/"+entries[0]).Item
		clock.Advance(time.Second)
		s.SetValue(t, admin, item.ID, item.BaseValueCents-1)
		clock.Advance(-time.Second)
		c.Claim(t, entries[0])
		s.Audit(t)
	})
}
