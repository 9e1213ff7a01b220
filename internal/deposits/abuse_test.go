package deposits_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mr-tron/base58"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/deposits/sandbox"
)

// unknownBase58 returns a signature or an address that belongs to nobody.
func unknownBase58(size int) string { return base58.Encode(bytes.Repeat([]byte{7}, size)) }

func TestAmountIsValidated(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		c := node.SignIn(t)
		for _, amount := range []string{"0", "-1", "99", "1000001", "500.5", `"500"`, "NaN", "1e309", "null", "5.001"} {
			a := c.Post(t, depositsPath, `{"amountCents":`+amount+`}`)
			if a.Status != http.StatusUnprocessableEntity && a.Status != http.StatusBadRequest {
				t.Errorf("%s cents: %d %s", amount, a.Status, a.Body)
			}
		}
		d := createDeposit(t, c, 5_00)
		signature := payCharge(t, c, d, "pay")
		for _, amount := range []string{"500", "0", "-1", "NaN", "1e309", "5.001", `"5"`, "4.99", "null"} {
			a := c.Post(t, verifyPath, fmt.Sprintf(`{"amount":%s,"paymentId":%q,"transactionId":%q}`, amount, d.DepositID, signature))
			if a.Status != http.StatusUnprocessableEntity && a.Status != http.StatusBadRequest {
				t.Errorf("%s points: %d %s", amount, a.Status, a.Body)
			}
		}
		if got := balance(t, c); got != 0 {
			t.Errorf("the balance is %d", got)
		}
		verifyPayment(t, c, d, signature).Want(t, http.StatusOK, nil)
	})
}

func TestSignaturePaysOneDeposit(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		a, b := node.SignIn(t), node.SignIn(t)
		first, second, theirs := createDeposit(t, a, 10_00), createDeposit(t, a, 10_00), createDeposit(t, b, 10_00)
		signature := payCharge(t, a, first, "pay")
		// B sends A's signature first, which must not reserve it.
		verifyPayment(t, b, theirs, signature).Want(t, http.StatusAccepted, nil)
		verifyPayment(t, b, first, signature).Refused(t, http.StatusNotFound, "not_found")
		for _, garbage := range []string{"", "garbage", " " + signature, signature + "\n", strings.ToLower(signature), unknownBase58(63), unknownBase58(32)} {
			verifyPayment(t, a, first, garbage).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		verifyPayment(t, a, first, signature).Want(t, http.StatusOK, nil)
		for who, d := range map[*apptest.Client]deposit{a: second, b: theirs} {
			verifyPayment(t, who, d, signature).Refused(t, http.StatusConflict, "signature_used")
		}
		verifyPayment(t, a, first, unknownBase58(64)).Refused(t, http.StatusUnprocessableEntity, "invalid")
		if balance(t, a) != 10_00 || balance(t, b) != 0 {
			t.Errorf("A has %d, B has %d", balance(t, a), balance(t, b))
		}
		// Refused calls don't use up anything.
		verifyPayment(t, b, theirs, payCharge(t, b, theirs, "pay")).Want(t, http.StatusOK, nil)
	})
}

func TestForeignSignatureIsRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		c := node.SignIn(t)
		d := createDeposit(t, c, 10_00)
		verifyPayment(t, c, d, unknownBase58(64)).Want(t, http.StatusAccepted, nil)
		signature := payCharge(t, c, d, "pay")
		verifyPayment(t, c, d, unknownBase58(64)).Refused(t, http.StatusUnprocessableEntity, "invalid")
		verifyPayment(t, c, d, signature).Want(t, http.StatusOK, nil)
	})
}

// rewriteResponses modifies the fake provider's JSON responses on a path.
func (node testNode) rewriteResponses(t *testing.T, path string, change func(answer map[string]any)) {
	t.Helper()
	inner := sandbox.New(sandbox.Options{DB: node.DB, Behavior: func() sandbox.Behavior { return sandbox.Behavior{} }})
	node.changeProvider(func(behavior *sandbox.Behavior) {
		behavior.Override = func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasPrefix(r.URL.Path, path) {
				return false
			}
			recorder := httptest.NewRecorder()
			inner.ServeHTTP(recorder, r)
			var answer map[string]any
			if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil {
				t.Errorf("the fake provider responded %s", recorder.Body)
			}
			change(answer)
			text, _ := json.Marshal(answer)
			_, _ = w.Write(text)
			return true
		}
	})
}

func nestedObject(value any, path ...string) map[string]any {
	inner, _ := value.(map[string]any)
	for _, name := range path {
		inner, _ = inner[name].(map[string]any)
	}
	return inner
}

func TestProviderAndChainMustAgree(t *testing.T) {
	type answer = map[string]any
	inMeta := func(a answer) answer { return nestedObject(a, "paylinkTx", "meta") }
	charge, chain := "/v1/charge/", "/rpc"
	cases := map[string]struct {
		path          string
		change        func(answer)
		state, reason string
	}{
		"failed on the chain":                     {chain, func(a answer) { nestedObject(a, "result", "meta")["err"] = answer{"InstructionError": nil} }, "review", "disagreement"},
		"failed on the chain and at the provider": {charge, func(a answer) { inMeta(a)["transactionStatus"] = "FAILED" }, "review", "disagreement"},
		"another recipient on the chain": {chain, func(a answer) {
			nestedObject(a, "result", "transaction", "message")["accountKeys"].([]any)[1] = unknownBase58(32)
		}, "rejected", "elsewhere"},
		"another recipient at the provider": {charge, func(a answer) { inMeta(a)["recipientPK"] = unknownBase58(32) }, "review", "disagreement"},
		"another mint":                      {charge, func(a answer) { inMeta(a)["currency"] = answer{"symbol": "USDC"} }, "rejected", "elsewhere"},
		"another network":                   {charge, func(a answer) { inMeta(a)["currency"] = answer{"symbol": "ETH"} }, "rejected", "elsewhere"},
		"paid and refunded": {chain, func(a answer) {
			m := nestedObject(a, "result", "meta")
			m["postBalances"] = m["preBalances"]
		}, "rejected", "elsewhere"},
		"priced lower":        {charge, func(a answer) { nestedObject(inMeta(a), "tokenQuote")["fromAmountDecimal"] = "9.99" }, "review", "underpaid"},
		"a high provider fee": {charge, func(a answer) { inMeta(a)["amount"] = "1" }, "review", "disagreement"},
		"another sender":      {charge, func(a answer) { inMeta(a)["senderPK"] = unknownBase58(32) }, "review", "disagreement"},
		"for another deposit": {charge, func(a answer) {
			inMeta(a)["customerDetails"] = answer{"additionalJSON": `{"depositId":"another"}`}
		}, "review", "disagreement"},
		"refunded":                     {charge, func(a answer) { inMeta(a)["transactionStatus"] = "REFUNDED" }, "review", "disagreement"},
		"paid before the quote":        {chain, func(a answer) { nestedObject(a, "result")["blockTime"] = 1_000_000_000 }, "review", "disagreement"},
		"without a block time":         {chain, func(a answer) { nestedObject(a, "result")["blockTime"] = nil }, "pending", "seen"},
		"not yet paid at the provider": {charge, func(a answer) { inMeta(a)["transactionStatus"] = "PENDING" }, "pending", "seen"},
		"settled already":              {charge, func(a answer) { inMeta(a)["transactionStatus"] = "SETTLED" }, "credited", "moved"},
	}
	eachEngine(t, func(t *testing.T, node testNode) {
		for name, c := range cases {
			u := node.SignIn(t)
			node.changeProvider(func(behavior *sandbox.Behavior) { behavior.Override = nil })
			d := createDeposit(t, u, 10_00)
			signature := payCharge(t, u, d, "pay")
			node.rewriteResponses(t, c.path, c.change)
			verifyPayment(t, u, d, signature)
			now := d.reload(t, u)
			if got := now.Events[len(now.Events)-1].Reason; now.State != c.state || got != c.reason {
				t.Errorf("%s: the deposit is %s because of %s, want %s because of %s", name, now.State, got, c.state, c.reason)
			}
			if c.state != "credited" && balance(t, u) != 0 {
				t.Errorf("%s: the balance is %d", name, balance(t, u))
			}
		}
	})
}

func TestOutageLosesNothing(t *testing.T) {
	for _, path := range []string{"/v1/charge/", "/rpc"} {
		t.Run(path, func(t *testing.T) {
			eachEngine(t, func(t *testing.T, node testNode) {
				c := node.SignIn(t)
				d := createDeposit(t, c, 10_00)
				signature := payCharge(t, c, d, "pay")
				for _, answer := range []http.HandlerFunc{
					func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
					func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) },
					func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("null")) },
					func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
					func(http.ResponseWriter, *http.Request) {},
				} {
					node.changeProvider(func(behavior *sandbox.Behavior) {
						behavior.Override = func(w http.ResponseWriter, r *http.Request) bool {
							down := strings.HasPrefix(r.URL.Path, path)
							if down {
								answer(w, r)
							}
							return down
						}
					})
					verifyPayment(t, c, d, signature).Want(t, http.StatusAccepted, nil)
				}
				node.clock.Advance(time.Hour) // longer than the deposit can be paid
				node.waitForJobFailure(t, "deposits")
				if now := d.reload(t, c); now.State != "quoted" || balance(t, c) != 0 {
					t.Errorf("during the outage: %+v, balance %d", now, balance(t, c))
				}
				node.changeProvider(func(behavior *sandbox.Behavior) { behavior.Override = nil })
				node.clock.Advance(10 * time.Minute)
				d.waitForState(t, c, "credited")
				if got := balance(t, c); got != 10_00 {
					t.Errorf("the balance is %d", got)
				}
			})
		})
	}
}

// waitForJobFailure waits until the operator's listener shows the failure of a job. The node must stay ready.
func (node testNode) waitForJobFailure(t *testing.T, job string) {
	t.Helper()
	apptest.Until(t, "the failure of the job "+job+" is shown", func() bool {
		node.NewClient(t).Get(t, "/readyz").Want(t, http.StatusOK, nil)
		for _, j := range node.Status(t).Jobs {
			if j.Name == job && j.LastError != nil && strings.Contains(j.LastError.Message, "isn't responding") {
				return true
			}
		}
		return false
	})
}

// Without a price source, deposits still work, with the fallback price.
func TestFallbackPriceIsMarked(t *testing.T) {
	silent := sandbox.Behavior{Override: func(w http.ResponseWriter, r *http.Request) bool {
		priced := strings.Contains(r.URL.Path, "price")
		if priced {
			w.WriteHeader(http.StatusTooManyRequests)
		}
		return priced
	}}
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		c, node := s.SignIn(t), testNode{Server: s, clock: clock}
		node.waitForJobFailure(t, "price of SOL")
		var d struct {
			SOLEstimate     string
			SOLPriceUSD     float64
			PriceIsFallback bool
		}
		c.Post(t, depositsPath, jsonBody{"amountCents": 25_00}).Want(t, http.StatusOK, &d)
		if d.SOLEstimate != "0.104167" || d.SOLPriceUSD != 240 || !d.PriceIsFallback {
			t.Errorf("the deposit is %+v", d)
		}
		if price := apptest.Get[struct{ Fallback bool }](t, node.NewClient(t), "/api/wallet/sol-price"); !price.Fallback {
			t.Error("the price is not marked as a fallback")
		}
	}, apptest.Empty, apptest.SandboxBehavior(func() sandbox.Behavior { return silent }))
}

func TestFailedChargeIsRetried(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		c := node.SignIn(t)
		var down atomic.Bool
		down.Store(true)
		node.changeProvider(func(behavior *sandbox.Behavior) {
			behavior.Override = func(w http.ResponseWriter, _ *http.Request) bool {
				if down.Load() {
					w.WriteHeader(http.StatusBadGateway)
				}
				return down.Load()
			}
		})
		request := func() apptest.Answer {
			return c.Post(t, depositsPath, jsonBody{"amountCents": 500}, "Idempotency-Key", "k")
		}
		request().Refused(t, http.StatusServiceUnavailable, "unavailable")
		down.Store(false)
		first, again := request(), request()
		first.Want(t, http.StatusOK, nil)
		if string(first.Body) != string(again.Body) {
			t.Errorf("the first response is %s, the second %s", first.Body, again.Body)
		}
		if all := apptest.Get[[]deposit](t, c, depositsPath); len(all) != 1 || all[0].ChargeToken == "" {
			t.Errorf("the user has the deposits %+v, want one with a charge", all)
		}
		down.Store(true)
		late := func() apptest.Answer {
			return c.Post(t, depositsPath, jsonBody{"amountCents": 700}, "Idempotency-Key", "late")
		}
		late().Refused(t, http.StatusServiceUnavailable, "unavailable")
		down.Store(false)
		node.clock.Advance(30 * time.Minute)
		var expired deposit
		late().Want(t, http.StatusOK, &expired)
		if expired.AmountCents != 700 || expired.ChargeToken != "" {
			t.Errorf("an expired deposit is returned as %+v", expired)
		}
	})
}

// webhookHeaders signs a webhook as the provider does.
func webhookHeaders(body string) []string {
	mac := hmac.New(sha256.New, []byte(sandbox.Token))
	_, _ = mac.Write([]byte(body))
	return []string{"Authorization", "Bearer " + sandbox.Token, "X-Signature", hex.EncodeToString(mac.Sum(nil))}
}

func TestWebhookOnlyTriggersCheck(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		const hook = "/api/webhooks/helio"
		c, provider, admin := node.SignIn(t), node.NewClient(t), node.Admin(t)
		d := createDeposit(t, c, 10_00)
		notice := func(payment, id string) string {
			return fmt.Sprintf(`{"event":"CREATED","transactionObject":{"id":%q,"meta":{"transactionStatus":"SUCCESS","customerDetails":{"additionalJSON":"{\"depositId\":\"%s\"}"}}}}`, payment, id)
		}
		body := notice("one", d.DepositID)
		right := webhookHeaders(body)
		for name, headers := range map[string][]string{
			"none": nil, "only the bearer": right[:2], "only the signature": right[2:],
			"of another body": append(right[:2:2], webhookHeaders(body + " ")[2:]...),
		} {
			if a := provider.Post(t, hook, body, headers...); a.Status != http.StatusUnauthorized {
				t.Errorf("proof: %s: %d %s", name, a.Status, a.Body)
			}
		}
		empty := `{"event":"CREATED","transactionObject":{}}`
		provider.Post(t, hook, empty, webhookHeaders(empty)...).Refused(t, http.StatusBadRequest, "malformed")
		long := body + strings.Repeat(" ", 64<<10)
		provider.Post(t, hook, long, webhookHeaders(long)...).Refused(t, http.StatusRequestEntityTooLarge, "too_large")
		for range 12 {
			provider.Post(t, hook, body, right...).Want(t, http.StatusOK, nil)
		}
		unknown := notice("two", "unknown")
		provider.Post(t, hook, unknown, webhookHeaders(unknown)...).Want(t, http.StatusOK, nil)
		if now := d.reload(t, c); now.State != "quoted" || balance(t, c) != 0 {
			t.Errorf("after a webhook without a payment: %+v, balance %d", now, balance(t, c))
		}
		if orphans := apptest.Get[[]struct{ PaymentID, DepositID string }](t, admin, "/api/admin/orphans"); fmt.Sprint(orphans) != "[{two }]" {
			t.Errorf("orphans: %+v", orphans)
		}
		verifyPayment(t, c, d, payCharge(t, c, d, "pay")).Want(t, http.StatusOK, nil)
	})
}

func TestAdminDecidesOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		c, admin := node.SignIn(t), node.Admin(t)
		node.changeProvider(func(behavior *sandbox.Behavior) { behavior.ExtraLamports = -1 })
		under := func() deposit {
			d := createDeposit(t, c, 10_00)
			verifyPayment(t, c, d, payCharge(t, c, d, "pay")).Want(t, http.StatusAccepted, nil)
			return d
		}
		resolve := func(d deposit, action string) apptest.Answer {
			return admin.Post(t, "/api/admin/deposits/"+d.DepositID+"/resolve", jsonBody{"action": action, "reason": "reviewed"})
		}
		credited, rejected, refunded := under(), under(), under()
		c.Post(t, "/api/admin/deposits/"+credited.DepositID+"/resolve", jsonBody{"action": "credit", "reason": "me"}).Refused(t, http.StatusForbidden, "forbidden")
		admin.Post(t, "/api/admin/deposits/"+credited.DepositID+"/resolve", jsonBody{"action": "credit", "reason": " "}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		resolve(deposit{DepositID: "unknown"}, "credit").Refused(t, http.StatusNotFound, "not_found")
		resolve(credited, "credit").Want(t, http.StatusOK, nil)
		resolve(credited, "credit").Refused(t, http.StatusConflict, "conflict")
		resolve(rejected, "reject").Want(t, http.StatusOK, nil)
		resolve(refunded, "refund").Want(t, http.StatusOK, nil)
		for _, d := range []deposit{rejected, refunded} {
			resolve(d, "credit").Refused(t, http.StatusConflict, "conflict")
		}
		if got := balance(t, c); got != 9_99 { // of 10 points, one lamport is missing
			t.Errorf("the balance is %d", got)
		}
		resolve(credited, "refund").Want(t, http.StatusOK, nil)
		resolve(credited, "refund").Refused(t, http.StatusConflict, "conflict")
		if got := balance(t, c); got != 0 {
			t.Errorf("after the refund the balance is %d", got)
		}
	})
}

func TestRefundOfSpentPointsIsOwed(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, admin := s.SignIn(t), s.Admin(t)
		d := createDeposit(t, c, 30_00)
		payCharge(t, c, d, "pay")
		d.waitForState(t, c, "credited")
		c.Post(t, "/api/packs/1/open", jsonBody{"clientSeed": "spent"}).Want(t, http.StatusOK, nil)
		admin.Post(t, "/api/admin/deposits/"+d.DepositID+"/resolve", jsonBody{"action": "refund", "reason": "charged back"}).Want(t, http.StatusOK, nil)
		lines := apptest.Get[[]struct {
			Kind        string
			AmountCents int64
		}](t, c, "/api/wallet/transactions")
		if lines[0].Kind != "deposit-refund" || lines[0].AmountCents != -5_00 || balance(t, c) != 0 {
			t.Errorf("lines %+v, balance %d", lines, balance(t, c))
		}
		s.Audit(t)
	})
}

// Points held by bids aren't spent: the refund cancels the bids and uses their points.
func TestRefundCancelsBids(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, admin := s.SignIn(t), s.Admin(t)
		d := createDeposit(t, c, 30_00)
		payCharge(t, c, d, "pay")
		d.waitForState(t, c, "credited")
		c.Post(t, "/api/bids", jsonBody{"scope": jsonBody{"itemId": "pkm-001"}, "priceCents": 200, "confirmedCents": 200, "quantity": 2}).Want(t, http.StatusOK, nil)
		c.Post(t, "/api/packs/1/open", jsonBody{"clientSeed": "spent"}).Want(t, http.StatusOK, nil)
		admin.Post(t, "/api/admin/deposits/"+d.DepositID+"/resolve", jsonBody{"action": "refund", "reason": "charged back"}).Want(t, http.StatusOK, nil)
		wallet := apptest.Get[struct{ BalanceCents, HeldCents int64 }](t, c, "/api/wallet")
		lines := apptest.Get[[]struct {
			Kind        string
			AmountCents int64
		}](t, c, "/api/wallet/transactions")
		if wallet.BalanceCents != 0 || wallet.HeldCents != 0 || lines[0].Kind != "deposit-refund" || lines[0].AmountCents != -5_00 {
			t.Errorf("the wallet is %+v with the lines %+v", wallet, lines)
		}
		s.Audit(t)
	})
}

func TestOpenDepositsAreLimited(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		c := node.SignIn(t)
		for range 10 {
			createDeposit(t, c, 1_00)
		}
		c.Post(t, depositsPath, jsonBody{"amountCents": 100}).Refused(t, http.StatusForbidden, "limit_reached")
		node.clock.Advance(30 * time.Minute)
		createDeposit(t, c, 1_00)
	})
}

// The sweep finds payments that both the webhook and polling missed.
func TestSweepFindsMissedPayments(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		c := node.SignIn(t)
		d := createDeposit(t, c, 10_00)
		node.changeProvider(func(behavior *sandbox.Behavior) { behavior.AcceptLate = true })
		node.clock.Advance(25 * time.Hour)
		c.SignIn(t) // the session has expired
		d.waitForState(t, c, "expired")
		payCharge(t, c, d, "pay")
		node.Stop()
		node.clock.Advance(time.Second)
		c.Base = apptest.Start(t, node.Config).URL // a sweep runs at startup
		d.waitForState(t, c, "review")
	})
}

func TestDroppedPaymentIsReviewedAfterADay(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		node.changeProvider(func(behavior *sandbox.Behavior) { behavior.FinalizeDelay = 48 * time.Hour })
		c := node.SignIn(t)
		d := createDeposit(t, c, 10_00)
		signature := payCharge(t, c, d, "pay")
		verifyPayment(t, c, d, signature).Want(t, http.StatusAccepted, nil)
		if now := d.reload(t, c); now.State != "pending" || !now.Confirming {
			t.Errorf("confirmed: %+v", now)
		}
		node.changeProvider(func(behavior *sandbox.Behavior) { behavior.ConfirmDelay = 48 * time.Hour })
		verifyPayment(t, c, d, signature).Want(t, http.StatusAccepted, nil)
		if now := d.reload(t, c); now.State != "pending" || now.Confirming {
			t.Errorf("dropped: %+v", now)
		}
		node.clock.Advance(24 * time.Hour)
		c.SignIn(t) // the session has expired
		d.waitForState(t, c, "review")
		if now := d.reload(t, c); now.Events[len(now.Events)-1].Reason != "never-final" || balance(t, c) != 0 {
			t.Errorf("a day later: %+v", now)
		}
	})
}
