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

// otherAdminActs are admin acts that move neither points nor anything bought with points.
var otherAdminActs = []string{"decide-approval", "preview-pack", "open-claims", "sign-out-user", "add-note", "edit-user-profile"}

// userActs are acts of all users that become admin acts by their parameters.
var userActs = []string{"deposit-manual"}

// approvalTable reads the table in docs/operations.md: the acts of each kind of approval.
func approvalTable(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "## Creating points, and the second admin")
	table, _, _ = strings.Cut(table, "\n## ")
	acts := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| ([a-z]+) \\| ((?:`[a-z-]+` ?)+) \\|").FindAllStringSubmatch(table, -1) {
		acts[row[1]] = strings.Fields(strings.ReplaceAll(row[2], "`", ""))
	}
	return acts
}

// docs/operations.md lists every way in which an admin's act can create points. This test tries
// each up to the limit for one admin, and beyond it.
func TestEveryWayToCreatePointsNeedsASecondAdmin(t *testing.T) {
	table := approvalTable(t)
	tests := map[string]func(*testing.T, *approvalTest){
		"credit": testCredit, "deposit": testDeposit, "refund": testRefund, "replacement": testReplacement, "value": testValue,
		"loss": testLoss, "pack": testPack, "fees": testFees, "role": testRole, "debit": testDebit, "freeze": testUnfreeze,
	}
	if a, b := slices.Sorted(maps.Keys(table)), slices.Sorted(maps.Keys(tests)); !slices.Equal(a, b) {
		t.Fatalf("docs/operations.md has the kinds %v, the test tries %v", a, b)
	}
	listed := slices.Concat(slices.Collect(maps.Values(table))...)
	for _, act := range adminActs(t) {
		if slices.Contains(listed, act) == slices.Contains(otherAdminActs, act) {
			t.Errorf("%s must be either in the table of docs/operations.md or in otherAdminActs", act)
		}
	}
	for _, act := range listed {
		if !slices.Contains(slices.Concat(adminActs(t), userActs), act) {
			t.Errorf("docs/operations.md lists %s, which is not an admin act", act)
		}
	}
	for kind, test := range tests {
		t.Run(kind, func(t *testing.T) {
			apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
				w := &approvalTest{Server: s, clock: clock, admin: s.Admin(t), second: s.Admin(t), user: s.SignIn(t)}
				w.user.Deposit(t, 500)
				test(t, w)
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

type approvalTest struct {
	*apptest.Server
	clock               *dbtest.Clock
	admin, second, user *apptest.Client
}

// approvalResponse is the response of an act that may need a second admin's approval.
type approvalResponse struct {
	Approval  *struct{ ID string }
	Approvals []struct{ ID string }
}

func (w approvalResponse) ids() (ids []string) {
	if w.Approval != nil {
		ids = append(ids, w.Approval.ID)
	}
	for _, a := range w.Approvals {
		ids = append(ids, a.ID)
	}
	return ids
}

func approvalIDs(t *testing.T, a apptest.Answer) []string {
	t.Helper()
	var waiting approvalResponse
	a.Want(t, http.StatusOK, &waiting)
	return waiting.ids()
}

// wantNoApproval expects an act to be executed without approval.
func wantNoApproval(t *testing.T, a apptest.Answer) {
	t.Helper()
	if ids := approvalIDs(t, a); len(ids) > 0 {
		t.Errorf("%v waits for a second admin", ids)
	}
}

// wantApproval expects an act to wait for the second admin, who approves it.
func (w *approvalTest) wantApproval(t *testing.T, a apptest.Answer) {
	t.Helper()
	ids := approvalIDs(t, a)
	if len(ids) != 1 {
		t.Fatalf("%v wait for a second admin, want one", ids)
	}
	approve := payload{"decision": "approve", "reason": "I looked at it."}
	w.admin.Post(t, "/api/admin/approvals/"+ids[0], approve).Refused(t, http.StatusForbidden, "forbidden")
	w.second.Post(t, "/api/admin/approvals/"+ids[0], approve).Want(t, http.StatusOK, nil)
}

func (w *approvalTest) balance(t *testing.T) int64 {
	t.Helper()
	return apptest.Get[struct{ BalanceCents int64 }](t, w.user, "/api/wallet").BalanceCents
}

func (w *approvalTest) credit(t *testing.T, cents int64) apptest.Answer {
	t.Helper()
	return w.admin.Post(t, "/api/wallet/deposit/manual", payload{"amount": float64(cents) / 100, "walletAddress": w.user.Address, "reason": "a prize"})
}

// useDailyTotal uses up the admin's daily total except for the remaining cents.
func (w *approvalTest) useDailyTotal(t *testing.T, remaining int64) {
	t.Helper()
	wantNoApproval(t, w.credit(t, int64(policy.DailyTotal)-remaining))
}

func testCredit(t *testing.T, w *approvalTest) {
	w.useDailyTotal(t, 100)
	before := w.balance(t)
	wantNoApproval(t, w.credit(t, 100))
	w.wantApproval(t, w.credit(t, 100))
	if got := w.balance(t) - before; got != 200 {
		t.Errorf("two credits of 1.00 brought %d", got)
	}
	w.clock.Advance(policy.DailyTotalWithin)
	w.admin.SignIn(t)
	wantNoApproval(t, w.credit(t, int64(policy.DailyTotal)))
}

func testDebit(t *testing.T, w *approvalTest) {
	w.useDailyTotal(t, 100)
	before := w.balance(t)
	debit := func(cents int64) apptest.Answer {
		return w.admin.Post(t, "/api/admin/users/"+w.userID(t)+"/debit", payload{"amountCents": cents, "reason": "A wrong credit."})
	}
	wantNoApproval(t, debit(100))
	w.wantApproval(t, debit(100))
	if got := before - w.balance(t); got != 200 {
		t.Errorf("two debits of 1.00 took %d", got)
	}
}

// testUnfreeze unfreezes an account that holds as much as one admin may unfreeze, and more.
func testUnfreeze(t *testing.T, w *approvalTest) {
	for _, extra := range []int64{0, 1_00} {
		w.user.SignIn(t)
		if more := int64(policy.UnfreezeAlone) + extra - w.balance(t); more > 0 {
			wantNoApproval(t, w.credit(t, more))
		}
		path := "/api/admin/users/" + w.userID(t)
		wantNoApproval(t, w.admin.Post(t, path+"/freeze", payload{"reason": "A stolen card."}))
		answer := w.admin.Post(t, path+"/unfreeze", payload{"reason": "A mistake."})
		if extra == 0 {
			wantNoApproval(t, answer)
		} else {
			w.wantApproval(t, answer)
		}
	}
}

// userID returns the id of the user.
func (w *approvalTest) userID(t *testing.T) string {
	t.Helper()
	return apptest.Get[struct{ ID string }](t, w.user, "/api/auth/user").ID
}

func testDeposit(t *testing.T, w *approvalTest) {
	var d struct{ DepositID, ChargeToken, State string }
	w.user.Post(t, "/api/wallet/deposits", payload{"amountCents": 100_00}).Want(t, http.StatusOK, &d)
	var paid struct {
		Meta struct{ TransactionSignature string }
	}
	w.user.Post(t, "/sandbox/charges/"+d.ChargeToken+"/pay", nil).Want(t, http.StatusOK, &paid)
	w.user.Post(t, "/api/wallet/deposit/helio", payload{"amount": 100, "paymentId": d.DepositID, "transactionId": paid.Meta.TransactionSignature}).Want(t, http.StatusAccepted, nil)
	apptest.Until(t, "the deposit is in review", func() bool {
		return apptest.Get[struct{ State string }](t, w.user, "/api/wallet/deposits/"+d.DepositID).State == "review"
	})
	w.useDailyTotal(t, 0)
	before := w.balance(t)
	wantNoApproval(t, w.admin.Post(t, "/api/admin/deposits/"+d.DepositID+"/resolve", payload{"action": "credit", "reason": "It is nearly all."}))
	if got := w.balance(t) - before; got >= 100_00 || got < 99_00 {
		t.Errorf("a payment of a little less than 100.00 brought %d", got)
	}
}

// lostClaim returns a claim of the user's whose parcel was lost. Its item is worth more than what
// exhaustDailyTotal leaves of the daily total.
func (w *approvalTest) lostClaim(t *testing.T) (id string) {
	t.Helper()
	type entry struct {
		InventoryID    string
		BaseValueCents int64
	}
	var e entry
	for e.BaseValueCents < minCredit {
		var opened struct{ Items []entry }
		w.user.Post(t, "/api/packs/demo-pack-1/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
		e = opened.Items[0]
	}
	w.user.Vault(t, e.InventoryID)
	id = w.user.Claim(t, e.InventoryID)
	for _, act := range []string{"pack", "lose"} {
		w.admin.Step(t, act, id).Want(t, http.StatusOK, nil)
	}
	return id
}

func testRefund(t *testing.T, w *approvalTest) {
	first, second := w.lostClaim(t), w.lostClaim(t)
	wantNoApproval(t, w.admin.Step(t, "refund", first))
	w.exhaustDailyTotal(t)
	w.wantApproval(t, w.admin.Step(t, "refund", second))
}

func testReplacement(t *testing.T, w *approvalTest) {
	first, second := w.lostClaim(t), w.lostClaim(t)
	wantNoApproval(t, w.admin.Step(t, "replace", first))
	w.exhaustDailyTotal(t)
	w.wantApproval(t, w.admin.Step(t, "replace", second))
}

// minCredit is the smallest credit, in cents.
const minCredit = 100

// exhaustDailyTotal uses up the admin's daily total with the largest credits that need no approval.
// Less than a point is left.
func (w *approvalTest) exhaustDailyTotal(t *testing.T) {
	t.Helper()
	for cents := int64(policy.DailyTotal); ; {
		ids := approvalIDs(t, w.credit(t, cents))
		if len(ids) == 0 {
			continue
		}
		w.second.Post(t, "/api/admin/approvals/"+ids[0], payload{"decision": "refuse", "reason": "Only a test."}).Want(t, http.StatusOK, nil)
		if cents == minCredit {
			return
		}
		cents = max(cents/2, minCredit)
	}
}

// setValue has the admin set an item's value, a second after the previous act.
func (w *approvalTest) setValue(t *testing.T, item string, cents int64) apptest.Answer {
	t.Helper()
	w.clock.Advance(time.Second)
	return w.admin.Call(t, http.MethodPatch, "/api/admin/items/"+item, payload{"baseValueCents": cents, "source": "An auction", "reason": "It was sold."})
}

func (w *approvalTest) value(t *testing.T, item string) int64 {
	t.Helper()
	return apptest.Get[struct{ BaseValueCents int64 }](t, w.user, "/api/items/"+item).BaseValueCents
}

// pullItem returns an item of the user's whose value one admin may double.
func (w *approvalTest) pullItem(t *testing.T) (item string, value int64) {
	t.Helper()
	for value == 0 || value > int64(policy.DailyTotal)/4 {
		var opened struct {
			Items []struct {
				ID             string
				BaseValueCents int64
			}
		}
		w.user.Post(t, "/api/packs/2/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
		item, value = opened.Items[0].ID, opened.Items[0].BaseValueCents
	}
	return item, value
}

func testValue(t *testing.T, w *approvalTest) {
	item, first := w.pullItem(t)
	wantNoApproval(t, w.setValue(t, item, 2*first))
	// One admin may set at most twice the value of a week ago, in any number of steps.
	w.wantApproval(t, w.setValue(t, item, 2*first+1))
	if got := w.value(t, item); got != 2*first+1 {
		t.Errorf("the value is %d, was %d", got, first)
	}
	// One admin may undo a mistake, because the value was in force before.
	wantNoApproval(t, w.setValue(t, item, 1))
	wantNoApproval(t, w.setValue(t, item, 2*first+1))
	// This is true for large amounts too, unless someone got the item in between.
	w.exhaustDailyTotal(t)
	wantNoApproval(t, w.setValue(t, item, first))
	wantNoApproval(t, w.setValue(t, item, 2*first))
	w.wantApproval(t, w.setValue(t, item, 2*first+2))
	// An import can't bypass this. It still applies its other rows.
	row := func(name string, cents string) payload {
		return payload{"format": "csv", "reason": "A list.", "text": "id,name,series,rarity,baseValueCents\n" +
			item + "," + name + ",Pokemon,Rare," + cents + "\nnew-1,2026 New,New,Rare,500\n"}
	}
	w.wantApproval(t, w.admin.Post(t, "/api/admin/catalogue/import", row("1999 Somebody", "99999999")))
	if got := apptest.Get[struct{ Name string }](t, w.user, "/api/items/"+item).Name; got != "1999 Somebody" || w.value(t, item) != 99999999 {
		t.Errorf("the item is %q, worth %d", got, w.value(t, item))
	}
	if w.value(t, "new-1") != 500 {
		t.Error("the new item was not imported")
	}
	// Admins can neither raise the value of their own items nor approve that.
	w.second.Deposit(t, 100)
	var opened struct{ Items []struct{ ID string } }
	w.second.Post(t, "/api/packs/3/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
	own := opened.Items[0].ID
	ids := approvalIDs(t, w.setValue(t, own, 3*w.value(t, own)))
	w.second.Post(t, "/api/admin/approvals/"+ids[0], payload{"decision": "approve", "reason": "Mine."}).Refused(t, http.StatusForbidden, "own_interest")
	w.second.Call(t, http.MethodPatch, "/api/admin/items/"+own, payload{"baseValueCents": w.value(t, own) + 1, "source": "An auction", "reason": "Mine."}).
		Refused(t, http.StatusForbidden, "own_interest")
}

// createdPack is the response of creating a pack.
type createdPack struct {
	ID       string
	IsActive bool
	approvalResponse
}

func (w *approvalTest) createPack(t *testing.T, price int64, changes payload) apptest.Answer {
	t.Helper()
	body := payload{
		"name": "Test pack", "priceCents": price, "series": []string{"Pokemon"},
		"lootTableJson": payload{"rarities": payload{"Legendary": 1.0}, "itemsPerPack": 1}, "sealing": "instant",
	}
	maps.Copy(body, changes)
	return w.admin.Post(t, "/api/admin/packs", body)
}

func testLoss(t *testing.T, w *approvalTest) {
	var p createdPack
	a := w.createPack(t, 100, payload{"acceptedLossCents": int64(policy.SandboxSoloLossLimit) + 1})
	a.Want(t, http.StatusOK, &p)
	w.user.Post(t, "/api/packs/"+p.ID+"/open", payload{"clientSeed": "x"}).Refused(t, http.StatusGone, "inactive")
	w.wantApproval(t, a)
	w.user.Post(t, "/api/packs/"+p.ID+"/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
}

// testPack tries to sell a pack for less than it is worth.
func testPack(t *testing.T, w *approvalTest) {
	w.createPack(t, 100, nil).Refused(t, http.StatusConflict, "margin")
	w.admin.Call(t, http.MethodPatch, "/api/admin/packs/2", payload{"priceCents": 100, "reason": "A sale."}).Refused(t, http.StatusConflict, "margin")
}

func testFees(t *testing.T, w *approvalTest) {
	change := payload{"listing": 450, "bid": 150, "counter": 400, "reason": "Business is good."}
	var request struct{ ID string }
	w.admin.Post(t, "/api/admin/rates", change).Want(t, http.StatusOK, &request)
	w.second.Post(t, "/api/admin/approvals/"+request.ID, map[string]any{"decision": "approve", "reason": "So be it."}).Want(t, http.StatusOK, nil)
	now := apptest.Get[struct {
		Listing   int64
		Announced []struct{ EffectiveAt time.Time }
	}](t, w.user, "/api/rates")
	if now.Listing != int64(protocol.FirstRates.Listing) || len(now.Announced) != 1 || now.Announced[0].EffectiveAt.Before(w.clock.Now().Add(protocol.RatesNotice)) {
		t.Errorf("the rates are %+v", now)
	}
}

func testRole(t *testing.T, w *approvalTest) {
	id := apptest.Get[[]struct{ ID string }](t, w.admin, "/api/admin/users?search="+w.user.Address)[0].ID
	a := w.admin.Post(t, "/api/admin/users/"+id+"/role", payload{"role": "admin", "reason": "A friend."})
	w.user.Get(t, "/api/admin/users").Refused(t, http.StatusForbidden, "forbidden")
	w.wantApproval(t, a)
	w.user.Get(t, "/api/admin/users").Want(t, http.StatusOK, nil)
}
