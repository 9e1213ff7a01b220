package deposits_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/deposits/sandbox"
	"kaibao/internal/ledger"
)

const (
	depositsPath = "/api/wallet/deposits"
	verifyPath   = "/api/wallet/deposit/helio"
)

// deposit is a deposit as its user sees it.
type deposit struct {
	DepositID, ChargeToken, State, Exception, TransactionID string
	AmountCents                                             int64
	Confirming                                              bool
	Events                                                  []struct{ State, Reason, By string }
}

// testNode is a node whose fake provider is controlled by the test.
type testNode struct {
	*apptest.Server
	clock    *dbtest.Clock
	behavior *lockedBehavior
}

type lockedBehavior struct {
	mutex sync.Mutex
	sandbox.Behavior
}

func (b *lockedBehavior) get() sandbox.Behavior {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Behavior
}

// changeProvider changes the behavior of the fake provider.
func (node testNode) changeProvider(change func(*sandbox.Behavior)) {
	node.behavior.mutex.Lock()
	defer node.behavior.mutex.Unlock()
	change(&node.behavior.Behavior)
}

// eachEngine runs a test on every engine. Payments are final immediately and no webhooks are sent,
// unless the test changes that.
func eachEngine(t *testing.T, test func(t *testing.T, node testNode)) {
	behavior := &lockedBehavior{}
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		node := testNode{s, clock, behavior}
		node.changeProvider(func(behavior *sandbox.Behavior) { *behavior = sandbox.Behavior{} })
		test(t, node)
		s.Audit(t)
	}, apptest.Empty, apptest.SandboxBehavior(behavior.get))
}

func createDeposit(t *testing.T, c *apptest.Client, cents int64) (d deposit) {
	t.Helper()
	c.Post(t, depositsPath, jsonBody{"amountCents": cents}).Want(t, http.StatusOK, &d)
	return d
}

// payCharge performs an action on a charge and returns the signature.
func payCharge(t *testing.T, c *apptest.Client, d deposit, act string) string {
	t.Helper()
	var paid struct {
		Meta struct{ TransactionSignature string }
	}
	c.Post(t, "/sandbox/charges/"+d.ChargeToken+"/"+act, nil).Want(t, http.StatusOK, &paid)
	return paid.Meta.TransactionSignature
}

// checkedDeposit is a deposit with what explains why it waits.
type checkedDeposit struct {
	State, TransactionID, ReportedTransactionID, CheckError string
	LastCheckedAt, NextCheckAt                              time.Time
}

// A deposit that awaits its payment shows its last and next check, and the reported transaction. Admins
// also see why the last check failed.
func TestWaitingDepositExplainsItself(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		c, admin := node.SignIn(t), node.Admin(t)
		node.changeProvider(func(behavior *sandbox.Behavior) { behavior.FinalizeDelay = time.Hour })
		d := createDeposit(t, c, 25_00)
		reload := func() (user, shown checkedDeposit) {
			t.Helper()
			user = apptest.Get[checkedDeposit](t, c, depositsPath+"/"+d.DepositID)
			shown = apptest.Get[[]checkedDeposit](t, admin, "/api/admin/deposits?id="+d.DepositID)[0]
			if user.CheckError != "" {
				t.Errorf("the user sees the error %q", user.CheckError)
			}
			return user, shown
		}
		if user, shown := reload(); !user.LastCheckedAt.IsZero() || user.NextCheckAt.IsZero() || user != shown {
			t.Errorf("the new deposit is %+v, and for admins %+v", user, shown)
		}
		signature := payCharge(t, c, d, "pay")
		node.clock.Advance(5 * time.Second)
		began := node.clock.Now()
		d.waitForState(t, c, "pending")
		user, shown := reload()
		if user.ReportedTransactionID != signature || user.TransactionID != "" || user.LastCheckedAt.Before(began.Truncate(time.Millisecond)) || !user.NextCheckAt.After(user.LastCheckedAt) || user != shown {
			t.Errorf("the paid deposit is %+v, and for admins %+v, want the transaction %s", user, shown, signature)
		}

		node.changeProvider(func(behavior *sandbox.Behavior) {
			behavior.Override = func(w http.ResponseWriter, _ *http.Request) bool {
				w.WriteHeader(http.StatusBadGateway)
				return true
			}
		})
		node.clock.Advance(10 * time.Minute)
		apptest.Until(t, "the failed check is shown", func() bool {
			user, shown = reload()
			return shown.CheckError != ""
		})
		if !strings.Contains(shown.CheckError, "responded with status 502") || shown.ReportedTransactionID != signature || shown.State != "pending" {
			t.Errorf("during the outage admins see %+v", shown)
		}

		node.changeProvider(func(behavior *sandbox.Behavior) { behavior.Override, behavior.FinalizeDelay = nil, 0 })
		node.clock.Advance(10 * time.Minute)
		d.waitForState(t, c, "credited")
		user, shown = reload()
		if user.TransactionID != signature || user.ReportedTransactionID != "" || !user.LastCheckedAt.IsZero() || !user.NextCheckAt.IsZero() || shown.CheckError != "" {
			t.Errorf("the credited deposit is %+v, and for admins %+v", user, shown)
		}
	})
}

func verifyBody(d deposit, signature string) jsonBody {
	return jsonBody{"amount": float64(d.AmountCents) / 100, "paymentId": d.DepositID, "transactionId": signature}
}

func verifyPayment(t *testing.T, c *apptest.Client, d deposit, signature string) apptest.Answer {
	t.Helper()
	return c.Post(t, verifyPath, verifyBody(d, signature))
}

func (d deposit) reload(t *testing.T, c *apptest.Client) deposit {
	t.Helper()
	return apptest.Get[deposit](t, c, depositsPath+"/"+d.DepositID)
}

// waitForState waits until the deposit has a state.
func (d deposit) waitForState(t *testing.T, c *apptest.Client, state string) {
	t.Helper()
	apptest.Until(t, "the deposit is "+state, func() bool { return d.reload(t, c).State == state })
}

func TestPaymentIsCreditedOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		c := node.SignIn(t)
		d := createDeposit(t, c, 25_00)
		if d.State != "quoted" || d.ChargeToken == "" {
			t.Fatalf("the new deposit is %+v", d)
		}
		signature := payCharge(t, c, d, "pay")
		first := verifyPayment(t, c, d, signature)
		var settled struct {
			Success         bool
			PlayPointsAdded float64
			Wallet          struct{ BalanceCents int64 }
			Transaction     struct{ Kind, Ref string }
		}
		first.Want(t, http.StatusOK, &settled)
		if !settled.Success || settled.PlayPointsAdded != 25 || settled.Wallet.BalanceCents != 25_00 ||
			settled.Transaction.Kind != "deposit" || settled.Transaction.Ref != d.DepositID {
			t.Errorf("settled: %s", first.Body)
		}
		c.Deposit(t, 5)
		if again := verifyPayment(t, c, d, signature); string(again.Body) != string(first.Body) {
			t.Errorf("repeated: %d %s", again.Status, again.Body)
		}
		now := d.reload(t, c)
		if now.State != "credited" || now.TransactionID != signature || fmt.Sprint(now.Events) != "[{quoted asked house} {verified paid house} {credited moved house}]" {
			t.Errorf("the deposit is %+v", now)
		}
		if got := balance(t, c); got != 30_00 {
			t.Errorf("the balance is %d", got)
		}
	})
}

// clientsOnTwoNodes returns a user's clients on two nodes of one database. SQLite has only one
// node.
func (node testNode) clientsOnTwoNodes(t *testing.T, c *apptest.Client) [2]*apptest.Client {
	t.Helper()
	if node.Config.DatabaseURL == "" {
		return [2]*apptest.Client{c, c}
	}
	other := *c
	other.Base = apptest.Start(t, node.Config).URL
	return [2]*apptest.Client{c, &other}
}

func TestConcurrentTriggersCreditOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		node.changeProvider(func(behavior *sandbox.Behavior) { behavior.WebhookCopies = 12 })
		c := node.SignIn(t)
		nodes := node.clientsOnTwoNodes(t, c)
		d := createDeposit(t, c, 100_00)
		signature := payCharge(t, c, d, "pay")
		node.clock.Advance(5 * time.Second) // makes the deposit due for polling
		var wg sync.WaitGroup
		answers := make([]apptest.Answer, 50)
		for i := range answers {
			wg.Go(func() {
				var err error
				answers[i], err = nodes[i%2].Try(t.Context(), http.MethodPost, verifyPath, verifyBody(d, signature))
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for _, a := range answers {
			if a.Status != http.StatusOK || string(a.Body) != string(answers[0].Body) {
				t.Errorf("responded %d %s", a.Status, a.Body)
			}
		}
		if got := balance(t, c); got != 100_00 {
			t.Errorf("the balance is %d", got)
		}
	})
}

func TestClosedTabIsCredited(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		c := node.SignIn(t)
		polled, notified := createDeposit(t, c, 10_00), createDeposit(t, c, 20_00)
		payCharge(t, c, polled, "pay")
		node.clock.Advance(5 * time.Second)
		polled.waitForState(t, c, "credited")
		node.changeProvider(func(behavior *sandbox.Behavior) { behavior.WebhookCopies = 1 })
		payCharge(t, c, notified, "pay")
		notified.waitForState(t, c, "credited")
		if got := balance(t, c); got != 30_00 {
			t.Errorf("the balance is %d", got)
		}
	})
}

func TestPaymentIsCreditedOnlyWhenFinal(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		node.changeProvider(func(behavior *sandbox.Behavior) {
			behavior.ConfirmDelay, behavior.FinalizeDelay = 2*time.Second, 20*time.Second
		})
		c := node.SignIn(t)
		d := createDeposit(t, c, 10_00)
		signature := payCharge(t, c, d, "pay")
		var waiting struct {
			Success bool
			State   string
		}
		verifyPayment(t, c, d, signature).Want(t, http.StatusAccepted, &waiting)
		if waiting.Success || waiting.State != "pending" {
			t.Errorf("before it is confirmed: %+v", waiting)
		}
		node.clock.Advance(3 * time.Second)
		verifyPayment(t, c, d, signature).Want(t, http.StatusAccepted, nil)
		if now := d.reload(t, c); !now.Confirming || balance(t, c) != 0 {
			t.Errorf("before it is final: %+v, balance %d", now, balance(t, c))
		}
		node.clock.Advance(20 * time.Second)
		verifyPayment(t, c, d, signature).Want(t, http.StatusOK, nil)
	})
}

func TestFailedPaymentIsNotCredited(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		c := node.SignIn(t)
		d := createDeposit(t, c, 10_00)
		verifyPayment(t, c, d, payCharge(t, c, d, "fail")).Refused(t, http.StatusConflict, "conflict")
		if now := d.reload(t, c); now.State != "rejected" || now.Events[1].Reason != "failed" || balance(t, c) != 0 {
			t.Errorf("%+v, balance %d", now, balance(t, c))
		}
	})
}

func TestUnderpaidIsReviewedOverpaidIsCredited(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		c, admin := node.SignIn(t), node.Admin(t)
		short := createDeposit(t, c, 10_00)
		node.clock.Advance(time.Second) // the file is newest first
		long := createDeposit(t, c, 20_00)
		node.changeProvider(func(behavior *sandbox.Behavior) { behavior.ExtraLamports = -1 })
		verifyPayment(t, c, short, payCharge(t, c, short, "pay")).Want(t, http.StatusAccepted, nil)
		node.changeProvider(func(behavior *sandbox.Behavior) { behavior.ExtraLamports = 7 })
		signature := payCharge(t, c, long, "pay")
		verifyPayment(t, c, long, signature).Want(t, http.StatusOK, nil)
		if now := short.reload(t, c); now.State != "review" || now.Exception != "under" {
			t.Errorf("one lamport short: %+v", now)
		}
		if now := long.reload(t, c); now.State != "credited" || now.Exception != "over" {
			t.Errorf("seven too many: %+v", now)
		}
		all := apptest.Get[[]struct {
			DepositID, Currency string
			OverUnits           int64
		}](t, admin, "/api/admin/deposits?state=credited")
		if len(all) != 1 || all[0].OverUnits != 7 || all[0].Currency != "SOL" || balance(t, c) != 20_00 {
			t.Errorf("an admin sees %+v, the balance is %d", all, balance(t, c))
		}
		file := admin.Get(t, "/api/admin/deposits?format=csv").CSV(t)
		if len(file) != 3 {
			t.Fatalf("the file of deposits is %q", file)
		}
		if row := strings.Join(file[1][1:], " "); !strings.HasPrefix(row, long.DepositID+" "+c.Address+" sandbox 20.00 credited over SOL ") ||
			file[1][9] != "7" || !strings.HasSuffix(row, signature+" moved") || !strings.HasSuffix(strings.Join(file[2], " "), "underpaid") {
			t.Errorf("the file of deposits is %q", file)
		}
	})
}

func TestLatePaymentIsReviewed(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		node.changeProvider(func(behavior *sandbox.Behavior) { behavior.AcceptLate = true })
		c := node.SignIn(t)
		late, expired := createDeposit(t, c, 10_00), createDeposit(t, c, 20_00)
		node.clock.Advance(30 * time.Minute)
		verifyPayment(t, c, late, payCharge(t, c, late, "pay")).Want(t, http.StatusAccepted, nil)
		if now := late.reload(t, c); now.State != "review" || now.Exception != "late" {
			t.Errorf("paid at its expiry: %+v", now)
		}
		node.clock.Advance(3 * time.Minute)
		expired.waitForState(t, c, "expired")
		verifyPayment(t, c, expired, payCharge(t, c, expired, "pay")).Want(t, http.StatusAccepted, nil)
		if now := expired.reload(t, c); now.State != "review" || now.Exception != "late" || balance(t, c) != 0 {
			t.Errorf("paid after it had expired: %+v", now)
		}
	})
}

// A payment in the last moment counts, whenever it is checked. A later one is reviewed, even if it
// races with the poll that expires the deposit.
func TestPaymentRacingExpiry(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		node.changeProvider(func(behavior *sandbox.Behavior) { behavior.AcceptLate = true })
		c := node.SignIn(t)
		inTime, late := createDeposit(t, c, 10_00), createDeposit(t, c, 20_00)
		node.clock.Advance(30*time.Minute - time.Second)
		signature := payCharge(t, c, inTime, "pay")
		node.clock.Advance(2*time.Minute + time.Second) // unpaid deposits expire
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if _, err := c.Try(t.Context(), http.MethodPost, verifyPath, verifyBody(inTime, signature)); err != nil {
					t.Error(err)
				}
				if _, err := c.Try(t.Context(), http.MethodPost, verifyPath, verifyBody(late, unknownBase58(64))); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Go(func() { payCharge(t, c, late, "pay") })
		wg.Wait()
		inTime.waitForState(t, c, "credited")
		node.clock.Advance(10 * time.Minute)
		late.waitForState(t, c, "review")
		if now := late.reload(t, c); now.Exception != "late" || balance(t, c) != 10_00 {
			t.Errorf("paid after its expiry: %+v, balance %d", now, balance(t, c))
		}
	})
}

// The ledger's total for the sandbox equals the fake provider's payments, to the cent.
func TestLedgerMatchesSandboxPayments(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		var want int64
		for user := range int64(3) {
			c := node.SignIn(t)
			for i, act := range []string{"pay", "fail", "pend", "pay"} {
				d := createDeposit(t, c, 1_00+100*user+int64(i))
				node.changeProvider(func(behavior *sandbox.Behavior) { behavior.ExtraLamports = user * 7 })
				signature := payCharge(t, c, d, act)
				if act == "pay" {
					verifyPayment(t, c, d, signature).Want(t, http.StatusOK, nil)
					want += d.AmountCents
				}
			}
		}
		err := node.DB.Read(t.Context(), func(tx *db.Tx) error {
			booked, err := db.One(tx, db.Column[int64], `SELECT SUM(amount_cents) FROM transfers WHERE debit = $1`, string(ledger.ProviderAccount("sandbox")))
			if err != nil {
				return err
			}
			reported, err := sandbox.ListPayments(tx)
			var paid int64
			for _, p := range reported {
				paid += int64(p.Amount)
			}
			if booked != want || paid != want {
				t.Errorf("the ledger has %d, the fake provider has %d, want %d", booked, paid, want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
