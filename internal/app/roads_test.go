package app_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/deposits/sandbox"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// moveNothing are admin acts that move neither points nor anything bought with points.
var moveNothing = []string{"decide-approval", "preview-pack", "open-claims", "sign-out-user"}

// giving are acts open to all users that become admin acts by their parameters.
var giving = []string{"deposit-manual"}

// roads reads the handbook's table of the acts of each money road.
func roads(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## Money roads and the second admin")
	table, _, _ = strings.Cut(table, "\n## ")
	found := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| ([a-z]+) \\| ((?:`[a-z-]+` ?)+) \\|").FindAllStringSubmatch(table, -1) {
		found[row[1]] = strings.Fields(strings.ReplaceAll(row[2], "`", ""))
	}
	return found
}

// The handbook lists every way in which an admin's act can create points. This test tries each up
// to the limit for one admin, and beyond it.
func TestEveryMoneyRoadNeedsASecondAdmin(t *testing.T) {
	table := roads(t)
	tried := map[string]func(*testing.T, *roadWorld){
		"credit": creditRoad, "deposit": depositRoad, "refund": refundRoad, "replacement": replacementRoad, "value": valueRoad,
		"loss": lossRoad, "pack": packRoad, "fees": feesRoad, "role": roleRoad,
	}
	if a, b := slices.Sorted(maps.Keys(table)), slices.Sorted(maps.Keys(tried)); !slices.Equal(a, b) {
		t.Fatalf("the handbook has the roads %v, the test tries %v", a, b)
	}
	listed := slices.Concat(slices.Collect(maps.Values(table))...)
	for _, act := range adminActs(t) {
		if slices.Contains(listed, act) == slices.Contains(moveNothing, act) {
			t.Errorf("%s must be either a road of the handbook or an act that moves nothing", act)
		}
	}
	for _, act := range listed {
		if !slices.Contains(slices.Concat(adminActs(t), giving), act) {
			t.Errorf("the handbook lists %s, which is not an admin act", act)
		}
	}
	for road, try := range tried {
		t.Run(road, func(t *testing.T) {
			apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
				w := &roadWorld{Server: s, clock: clock, admin: s.Admin(t), second: s.Admin(t), user: s.SignIn(t)}
				w.user.Deposit(t, 500)
				try(t, w)
				s.WaitForLog(t)
				s.Audit(t)
			}, apptest.SandboxBehavior(func() sandbox.Behavior { return sandbox.Behavior{ExtraLamports: -1} }))
		})
	}
}

// adminActs returns the ids of all operations under /api/admin/ that change something.
func adminActs(t *testing.T) (acts []string) {
	t.Helper()
	text, err := os.ReadFile("../../api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for path, methods := range document.Paths {
		for method, operation := range methods {
			if strings.HasPrefix(path, "/api/admin/") && method != "get" {
				acts = append(acts, operation.OperationID)
			}
		}
	}
	return acts
}

type roadWorld struct {
	*apptest.Server
	clock               *dbtest.Clock
	admin, second, user *apptest.Client
}

// waits is the response of an act that may need a second admin's approval.
type waits struct {
	Approval  *struct{ ID string }
	Approvals []struct{ ID string }
}

func (w waits) ids() (ids []string) {
	if w.Approval != nil {
		ids = append(ids, w.Approval.ID)
	}
	for _, a := range w.Approvals {
		ids = append(ids, a.ID)
	}
	return ids
}

func asks(t *testing.T, a apptest.Answer) []string {
	t.Helper()
	var waiting waits
	a.Want(t, http.StatusOK, &waiting)
	return waiting.ids()
}

// alone expects an act to be executed without approval. later expects one that waits for the second
// admin, who approves it.
func alone(t *testing.T, a apptest.Answer) {
	t.Helper()
	if ids := asks(t, a); len(ids) > 0 {
		t.Errorf("%v waits for a second admin", ids)
	}
}

func (w *roadWorld) later(t *testing.T, a apptest.Answer) {
	t.Helper()
	ids := asks(t, a)
	if len(ids) != 1 {
		t.Fatalf("%v wait for a second admin, want one", ids)
	}
	approve := asked{"decision": "approve", "reason": "I looked at it."}
	w.admin.Post(t, "/api/admin/approvals/"+ids[0], approve).Refused(t, http.StatusForbidden, "forbidden")
	w.second.Post(t, "/api/admin/approvals/"+ids[0], approve).Want(t, http.StatusOK, nil)
}

func (w *roadWorld) balance(t *testing.T) int64 {
	t.Helper()
	return apptest.Get[struct{ BalanceCents int64 }](t, w.user, "/api/wallet").BalanceCents
}

func (w *roadWorld) give(t *testing.T, cents int64) apptest.Answer {
	t.Helper()
	return w.admin.Post(t, "/api/wallet/deposit/manual", asked{"amount": float64(cents) / 100, "walletAddress": w.user.Address, "reason": "a prize"})
}

// spend uses up the admin's daily total except for the given cents.
func (w *roadWorld) spend(t *testing.T, but int64) {
	t.Helper()
	alone(t, w.give(t, int64(policy.DailyTotal)-but))
}

func creditRoad(t *testing.T, w *roadWorld) {
	w.spend(t, 100)
	before := w.balance(t)
	alone(t, w.give(t, 100))
	w.later(t, w.give(t, 100))
	if got := w.balance(t) - before; got != 200 {
		t.Errorf("two credits of 1.00 brought %d", got)
	}
	w.clock.Advance(policy.DailyTotalWithin)
	w.admin.SignIn(t)
	alone(t, w.give(t, int64(policy.DailyTotal)))
}

func depositRoad(t *testing.T, w *roadWorld) {
	var d struct{ DepositID, ChargeToken, State string }
	w.user.Post(t, "/api/wallet/deposits", asked{"amountCents": 100_00}).Want(t, http.StatusOK, &d)
	var paid struct {
		Meta struct{ TransactionSignature string }
	}
	w.user.Post(t, "/sandbox/charges/"+d.ChargeToken+"/pay", nil).Want(t, http.StatusOK, &paid)
	w.user.Post(t, "/api/wallet/deposit/helio", asked{"amount": 100, "paymentId": d.DepositID, "transactionId": paid.Meta.TransactionSignature}).Want(t, http.StatusAccepted, nil)
	apptest.Until(t, "an admin decides", func() bool {
		return apptest.Get[struct{ State string }](t, w.user, "/api/wallet/deposits/"+d.DepositID).State == "review"
	})
	w.spend(t, 0)
	before := w.balance(t)
	alone(t, w.admin.Post(t, "/api/admin/deposits/"+d.DepositID+"/resolve", asked{"action": "credit", "reason": "It is nearly all."}))
	if got := w.balance(t) - before; got >= 100_00 || got < 99_00 {
		t.Errorf("a payment of a little less than 100.00 brought %d", got)
	}
}

// lost returns a claim of the user's whose parcel was lost. Its item is worth more than what
// spendRest leaves of the daily total.
func (w *roadWorld) lost(t *testing.T) (id string) {
	t.Helper()
	type entry struct {
		InventoryID    string
		BaseValueCents int64
	}
	var e entry
	for e.BaseValueCents < onePoint {
		var opened struct{ Items []entry }
		w.user.Post(t, "/api/packs/demo-pack-1/open", asked{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
		e = opened.Items[0]
	}
	w.user.Vault(t, e.InventoryID)
	id = w.user.Claim(t, e.InventoryID)
	for _, act := range []string{"pack", "lose"} {
		w.admin.Step(t, act, id).Want(t, http.StatusOK, nil)
	}
	return id
}

func refundRoad(t *testing.T, w *roadWorld) {
	first, second := w.lost(t), w.lost(t)
	alone(t, w.admin.Step(t, "refund", first))
	w.spendRest(t)
	w.later(t, w.admin.Step(t, "refund", second))
}

func replacementRoad(t *testing.T, w *roadWorld) {
	first, second := w.lost(t), w.lost(t)
	alone(t, w.admin.Step(t, "replace", first))
	w.spendRest(t)
	w.later(t, w.admin.Step(t, "replace", second))
}

// onePoint is the smallest credit, in cents.
const onePoint = 100

// spendRest uses up the admin's daily total with the largest credits that need no approval. Less
// than a point is left.
func (w *roadWorld) spendRest(t *testing.T) {
	t.Helper()
	for cents := int64(policy.DailyTotal); ; {
		ids := asks(t, w.give(t, cents))
		if len(ids) == 0 {
			continue
		}
		w.second.Post(t, "/api/admin/approvals/"+ids[0], asked{"decision": "refuse", "reason": "It was tried out."}).Want(t, http.StatusOK, nil)
		if cents == onePoint {
			return
		}
		cents = max(cents/2, onePoint)
	}
}

// set has the admin set an item's value, a second later than anything before.
func (w *roadWorld) set(t *testing.T, item string, cents int64) apptest.Answer {
	t.Helper()
	w.clock.Advance(time.Second)
	return w.admin.Call(t, http.MethodPatch, "/api/admin/items/"+item, asked{"baseValueCents": cents, "source": "An auction", "reason": "It was sold."})
}

func (w *roadWorld) value(t *testing.T, item string) int64 {
	t.Helper()
	return apptest.Get[struct{ BaseValueCents int64 }](t, w.user, "/api/items/"+item).BaseValueCents
}

// pulled returns an item of the user's whose value one admin may double.
func (w *roadWorld) pulled(t *testing.T) (item string, value int64) {
	t.Helper()
	for value == 0 || value > int64(policy.DailyTotal)/4 {
		var opened struct {
			Items []struct {
				ID             string
				BaseValueCents int64
			}
		}
		w.user.Post(t, "/api/packs/2/open", asked{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
		item, value = opened.Items[0].ID, opened.Items[0].BaseValueCents
	}
	return item, value
}

func valueRoad(t *testing.T, w *roadWorld) {
	item, first := w.pulled(t)
	alone(t, w.set(t, item, 2*first))
	// One admin may set at most twice the value of a week ago, in any number of steps.
	w.later(t, w.set(t, item, 2*first+1))
	if got := w.value(t, item); got != 2*first+1 {
		t.Errorf("the value is %d, was %d", got, first)
	}
	// One admin may undo a mistake, because the value was in force before.
	alone(t, w.set(t, item, 1))
	alone(t, w.set(t, item, 2*first+1))
	// This is true for large amounts too, unless someone got the item in between.
	w.spendRest(t)
	alone(t, w.set(t, item, first))
	alone(t, w.set(t, item, 2*first))
	w.later(t, w.set(t, item, 2*first+2))
	// An import is no way around it. It still applies its other rows.
	row := func(name string, cents string) asked {
		return asked{"format": "csv", "reason": "A list.", "text": "id,name,series,rarity,baseValueCents\n" +
			item + "," + name + ",Pokemon,Rare," + cents + "\nroad-1,2026 Road,Roads,Rare,500\n"}
	}
	w.later(t, w.admin.Post(t, "/api/admin/catalogue/import", row("1999 Somebody", "99999999")))
	if got := apptest.Get[struct{ Name string }](t, w.user, "/api/items/"+item).Name; got != "1999 Somebody" || w.value(t, item) != 99999999 {
		t.Errorf("the item is %q, worth %d", got, w.value(t, item))
	}
	if w.value(t, "road-1") != 500 {
		t.Error("the new item was not imported")
	}
	// Admins can neither raise the value of their own items nor approve that.
	w.second.Deposit(t, 100)
	var opened struct{ Items []struct{ ID string } }
	w.second.Post(t, "/api/packs/3/open", asked{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
	own := opened.Items[0].ID
	ids := asks(t, w.set(t, own, 3*w.value(t, own)))
	w.second.Post(t, "/api/admin/approvals/"+ids[0], asked{"decision": "approve", "reason": "Mine."}).Refused(t, http.StatusForbidden, "own_interest")
	w.second.Call(t, http.MethodPatch, "/api/admin/items/"+own, asked{"baseValueCents": w.value(t, own) + 1, "source": "An auction", "reason": "Mine."}).
		Refused(t, http.StatusForbidden, "own_interest")
}

// made is the response of creating a pack.
type made struct {
	ID       string
	IsActive bool
	waits
}

func (w *roadWorld) makePack(t *testing.T, price int64, more asked) apptest.Answer {
	t.Helper()
	body := asked{
		"name": "Road", "priceCents": price, "series": []string{"Pokemon"},
		"lootTableJson": asked{"rarities": asked{"Legendary": 1.0}, "itemsPerPack": 1},
	}
	maps.Copy(body, more)
	return w.admin.Post(t, "/api/admin/packs", body)
}

func lossRoad(t *testing.T, w *roadWorld) {
	var p made
	a := w.makePack(t, 100, asked{"acceptedLossCents": int64(policy.SandboxSoloLossLimit) + 1})
	a.Want(t, http.StatusOK, &p)
	w.user.Post(t, "/api/packs/"+p.ID+"/open", asked{"clientSeed": "x"}).Refused(t, http.StatusGone, "inactive")
	w.later(t, a)
	w.user.Post(t, "/api/packs/"+p.ID+"/open", asked{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
}

// packRoad tries to sell a pack for less than it is worth.
func packRoad(t *testing.T, w *roadWorld) {
	w.makePack(t, 100, nil).Refused(t, http.StatusConflict, "margin")
	w.admin.Call(t, http.MethodPatch, "/api/admin/packs/2", asked{"priceCents": 100, "reason": "A sale."}).Refused(t, http.StatusConflict, "margin")
}

func feesRoad(t *testing.T, w *roadWorld) {
	change := asked{"listing": 450, "bid": 150, "counter": 400, "reason": "Business is good."}
	var asked struct{ ID string }
	w.admin.Post(t, "/api/admin/rates", change).Want(t, http.StatusOK, &asked)
	w.second.Post(t, "/api/admin/approvals/"+asked.ID, map[string]any{"decision": "approve", "reason": "So be it."}).Want(t, http.StatusOK, nil)
	now := apptest.Get[struct {
		Listing   int64
		Announced []struct{ EffectiveAt time.Time }
	}](t, w.user, "/api/rates")
	if now.Listing != int64(protocol.FirstRates.Listing) || len(now.Announced) != 1 || now.Announced[0].EffectiveAt.Before(w.clock.Now().Add(protocol.RatesNotice)) {
		t.Errorf("the rates are %+v", now)
	}
}

func roleRoad(t *testing.T, w *roadWorld) {
	id := apptest.Get[[]struct{ ID string }](t, w.admin, "/api/admin/users?search="+w.user.Address)[0].ID
	a := w.admin.Post(t, "/api/admin/users/"+id+"/role", asked{"role": "admin", "reason": "A friend."})
	w.user.Get(t, "/api/admin/users").Refused(t, http.StatusForbidden, "forbidden")
	w.later(t, a)
	w.user.Get(t, "/api/admin/users").Want(t, http.StatusOK, nil)
}
