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

// stranger returns a signature or an address that belongs to nobody.
func stranger(size int) string { return base58.Encode(bytes.Repeat([]byte{7}, size)) }

func TestAmountIsValidated(t *testing.T) {
	each(t, func(t *testing.T, h house) {
		c := h.SignIn(t)
		for _, amount := range []string{"0", "-1", "99", "1000001", "500.5", `"500"`, "NaN", "1e309", "null", "5.001"} {
			a := c.Post(t, deposits, `{"amountCents":`+amount+`}`)
			if a.Status != http.StatusUnprocessableEntity && a.Status != http.StatusBadRequest {
				t.Errorf("%s cents: %d %s", amount, a.Status, a.Body)
			}
		}
		d := begin(t, c, 5_00)
		signature := pay(t, c, d, "pay")
		for _, amount := range []string{"500", "0", "-1", "NaN", "1e309", "5.001", `"5"`, "4.99", "null"} {
			a := c.Post(t, helioed, fmt.Sprintf(`{"amount":%s,"paymentId":%q,"transactionId":%q}`, amount, d.DepositID, signature))
			if a.Status != http.StatusUnprocessableEntity && a.Status != http.StatusBadRequest {
				t.Errorf("%s points: %d %s", amount, a.Status, a.Body)
			}
		}
		if got := balance(t, c); got != 0 {
			t.Errorf("the balance is %d", got)
		}
		verify(t, c, d, signature).Want(t, http.StatusOK, nil)
	})
}

func TestSignaturePaysOneDeposit(t *testing.T) {
	each(t, func(t *testing.T, h house) {
		a, b := h.SignIn(t), h.SignIn(t)
		of, second, theirs := begin(t, a, 10_00), begin(t, a, 10_00), begin(t, b, 10_00)
		signature := pay(t, a, of, "pay")
		// B sends A's signature first, which must not reserve it.
		verify(t, b, theirs, signature).Want(t, http.StatusAccepted, nil)
		verify(t, b, of, signature).Refused(t, http.StatusNotFound, "not_found")
		for _, garbage := range []string{"", "garbage", " " + signature, signature + "\n", strings.ToLower(signature), stranger(63), stranger(32)} {
			verify(t, a, of, garbage).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		verify(t, a, of, signature).Want(t, http.StatusOK, nil)
		for who, d := range map[*apptest.Client]deposit{a: second, b: theirs} {
			verify(t, who, d, signature).Refused(t, http.StatusConflict, "signature_used")
		}
		verify(t, a, of, stranger(64)).Refused(t, http.StatusUnprocessableEntity, "invalid")
		if balance(t, a) != 10_00 || balance(t, b) != 0 {
			t.Errorf("A has %d, B has %d", balance(t, a), balance(t, b))
		}
		// Refused calls don't use up anything.
		verify(t, b, theirs, pay(t, b, theirs, "pay")).Want(t, http.StatusOK, nil)
	})
}

func TestForeignSignatureIsRefused(t *testing.T) {
	each(t, func(t *testing.T, h house) {
		c := h.SignIn(t)
		d := begin(t, c, 10_00)
		verify(t, c, d, stranger(64)).Want(t, http.StatusAccepted, nil)
		signature := pay(t, c, d, "pay")
		verify(t, c, d, stranger(64)).Refused(t, http.StatusUnprocessableEntity, "invalid")
		verify(t, c, d, signature).Want(t, http.StatusOK, nil)
	})
}

// rewrite modifies the fake provider's JSON responses on a path.
func (h house) rewrite(t *testing.T, path string, change func(answer map[string]any)) {
	t.Helper()
	inner := sandbox.New(sandbox.Options{DB: h.DB, Knobs: func() sandbox.Knobs { return sandbox.Knobs{} }})
	h.turn(func(k *sandbox.Knobs) {
		k.Instead = func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasPrefix(r.URL.Path, path) {
				return false
			}
			kept := httptest.NewRecorder()
			inner.ServeHTTP(kept, r)
			var answer map[string]any
			if err := json.Unmarshal(kept.Body.Bytes(), &answer); err != nil {
				t.Errorf("the stand-in answered %s", kept.Body)
			}
			change(answer)
			text, _ := json.Marshal(answer)
			_, _ = w.Write(text)
			return true
		}
	})
}

func object(value any, path ...string) map[string]any {
	inner, _ := value.(map[string]any)
	for _, name := range path {
		inner, _ = inner[name].(map[string]any)
	}
	return inner
}

func TestProviderAndChainMustAgree(t *testing.T) {
	type answer = map[string]any
	meta := func(a answer) answer { return object(a, "paylinkTx", "meta") }
	charge, chain := "/v1/charge/", "/rpc"
	cases := map[string]struct {
		path          string
		change        func(answer)
		state, reason string
	}{
		"failed on the chain":                     {chain, func(a answer) { object(a, "result", "meta")["err"] = answer{"InstructionError": nil} }, "review", "disagreement"},
		"failed on the chain and at the provider": {charge, func(a answer) { meta(a)["transactionStatus"] = "FAILED" }, "review", "disagreement"},
		"another recipient on the chain": {chain, func(a answer) {
			object(a, "result", "transaction", "message")["accountKeys"].([]any)[1] = stranger(32)
		}, "rejected", "elsewhere"},
		"another recipient at the provider": {charge, func(a answer) { meta(a)["recipientPK"] = stranger(32) }, "review", "disagreement"},
		"another mint":                      {charge, func(a answer) { meta(a)["currency"] = answer{"symbol": "USDC"} }, "rejected", "elsewhere"},
		"another network":                   {charge, func(a answer) { meta(a)["currency"] = answer{"symbol": "ETH"} }, "rejected", "elsewhere"},
		"paid and refunded": {chain, func(a answer) {
			m := object(a, "result", "meta")
			m["postBalances"] = m["preBalances"]
		}, "rejected", "elsewhere"},
		"priced lower":        {charge, func(a answer) { object(meta(a), "tokenQuote")["fromAmountDecimal"] = "9.99" }, "review", "underpaid"},
		"a high provider fee": {charge, func(a answer) { meta(a)["amount"] = "1" }, "review", "disagreement"},
		"another sender":      {charge, func(a answer) { meta(a)["senderPK"] = stranger(32) }, "review", "disagreement"},
		"for another deposit": {charge, func(a answer) {
			meta(a)["customerDetails"] = answer{"additionalJSON": `{"depositId":"another"}`}
		}, "review", "disagreement"},
		"refunded":                     {charge, func(a answer) { meta(a)["transactionStatus"] = "REFUNDED" }, "review", "disagreement"},
		"paid before the quote":        {chain, func(a answer) { object(a, "result")["blockTime"] = 1_000_000_000 }, "review", "disagreement"},
		"without a block time":         {chain, func(a answer) { object(a, "result")["blockTime"] = nil }, "pending", "seen"},
		"not yet paid at the provider": {charge, func(a answer) { meta(a)["transactionStatus"] = "PENDING" }, "pending", "seen"},
		"settled already":              {charge, func(a answer) { meta(a)["transactionStatus"] = "SETTLED" }, "credited", "moved"},
	}
	each(t, func(t *testing.T, h house) {
		for name, c := range cases {
			u := h.SignIn(t)
			h.turn(func(k *sandbox.Knobs) { k.Instead = nil })
			d := begin(t, u, 10_00)
			signature := pay(t, u, d, "pay")
			h.rewrite(t, c.path, c.change)
			verify(t, u, d, signature)
			now := d.now(t, u)
			if got := now.Events[len(now.Events)-1].Reason; now.State != c.state || got != c.reason {
				t.Errorf("%s: it is %s for %s, want %s for %s", name, now.State, got, c.state, c.reason)
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
			each(t, func(t *testing.T, h house) {
				c := h.SignIn(t)
				d := begin(t, c, 10_00)
				signature := pay(t, c, d, "pay")
				for _, answer := range []http.HandlerFunc{
					func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
					func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTooManyRequests) },
					func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("null")) },
					func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
					func(http.ResponseWriter, *http.Request) {},
				} {
					h.turn(func(k *sandbox.Knobs) {
						k.Instead = func(w http.ResponseWriter, r *http.Request) bool {
							down := strings.HasPrefix(r.URL.Path, path)
							if down {
								answer(w, r)
							}
							return down
						}
					})
					verify(t, c, d, signature).Want(t, http.StatusAccepted, nil)
				}
				h.clock.Advance(time.Hour) // longer than the deposit can be paid
				h.downOnReadyz(t, "deposits")
				if now := d.now(t, c); now.State != "quoted" || balance(t, c) != 0 {
					t.Errorf("in the outage: %+v, balance %d", now, balance(t, c))
				}
				h.turn(func(k *sandbox.Knobs) { k.Instead = nil })
				h.clock.Advance(10 * time.Minute)
				d.until(t, c, "credited")
				if got := balance(t, c); got != 10_00 {
					t.Errorf("the balance is %d", got)
				}
			})
		})
	}
}

// downOnReadyz waits until /readyz shows the failure of a job. The node must stay ready.
func (h house) downOnReadyz(t *testing.T, job string) {
	t.Helper()
	apptest.Until(t, "/readyz tells that "+job+" fail", func() bool {
		ready := apptest.Get[struct {
			Jobs []struct {
				Name      string
				LastError *struct{ Message string }
			}
		}](t, h.NewClient(t), "/readyz")
		for _, j := range ready.Jobs {
			if j.Name == job && j.LastError != nil && strings.Contains(j.LastError.Message, "does not answer") {
				return true
			}
		}
		return false
	})
}

// Without a price source, deposits still work, with the fallback price.
func TestFallbackPriceIsMarked(t *testing.T) {
	silent := sandbox.Knobs{Instead: func(w http.ResponseWriter, r *http.Request) bool {
		priced := strings.Contains(r.URL.Path, "price")
		if priced {
			w.WriteHeader(http.StatusTooManyRequests)
		}
		return priced
	}}
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		c, h := s.SignIn(t), house{Server: s, clock: clock}
		h.downOnReadyz(t, "price of SOL")
		var d struct {
			SOLEstimate     string
			SOLPriceUSD     float64
			PriceIsFallback bool
		}
		c.Post(t, deposits, asked{"amountCents": 25_00}).Want(t, http.StatusOK, &d)
		if d.SOLEstimate != "0.104167" || d.SOLPriceUSD != 240 || !d.PriceIsFallback {
			t.Errorf("the deposit is %+v", d)
		}
		if price := apptest.Get[struct{ Fallback bool }](t, h.NewClient(t), "/api/wallet/sol-price"); !price.Fallback {
			t.Error("the price is not marked as a fallback")
		}
	}, apptest.Empty, apptest.StandIn(func() sandbox.Knobs { return silent }))
}

func TestFailedChargeIsRetried(t *testing.T) {
	each(t, func(t *testing.T, h house) {
		c := h.SignIn(t)
		var down atomic.Bool
		down.Store(true)
		h.turn(func(k *sandbox.Knobs) {
			k.Instead = func(w http.ResponseWriter, _ *http.Request) bool {
				if down.Load() {
					w.WriteHeader(http.StatusBadGateway)
				}
				return down.Load()
			}
		})
		ask := func() apptest.Answer {
			return c.Post(t, deposits, asked{"amountCents": 500}, "Idempotency-Key", "k")
		}
		ask().Refused(t, http.StatusServiceUnavailable, "unavailable")
		down.Store(false)
		first, again := ask(), ask()
		first.Want(t, http.StatusOK, nil)
		if string(first.Body) != string(again.Body) {
			t.Errorf("%s, then %s", first.Body, again.Body)
		}
		if all := apptest.Get[[]deposit](t, c, deposits); len(all) != 1 || all[0].ChargeToken == "" {
			t.Errorf("there are %+v", all)
		}
		down.Store(true)
		late := func() apptest.Answer {
			return c.Post(t, deposits, asked{"amountCents": 700}, "Idempotency-Key", "late")
		}
		late().Refused(t, http.StatusServiceUnavailable, "unavailable")
		down.Store(false)
		h.clock.Advance(30 * time.Minute)
		var over deposit
		late().Want(t, http.StatusOK, &over)
		if over.AmountCents != 700 || over.ChargeToken != "" {
			t.Errorf("an expired deposit is returned as %+v", over)
		}
	})
}

// proof signs a webhook as the provider does.
func proof(body string) []string {
	mac := hmac.New(sha256.New, []byte(sandbox.Token))
	_, _ = mac.Write([]byte(body))
	return []string{"Authorization", "Bearer " + sandbox.Token, "X-Signature", hex.EncodeToString(mac.Sum(nil))}
}

func TestWebhookOnlyTriggersCheck(t *testing.T) {
	each(t, func(t *testing.T, h house) {
		const hook = "/api/webhooks/helio"
		c, provider, admin := h.SignIn(t), h.NewClient(t), h.Admin(t)
		d := begin(t, c, 10_00)
		about := func(payment, id string) string {
			return fmt.Sprintf(`{"event":"CREATED","transactionObject":{"id":%q,"meta":{"transactionStatus":"SUCCESS","customerDetails":{"additionalJSON":"{\"depositId\":\"%s\"}"}}}}`, payment, id)
		}
		body := about("one", d.DepositID)
		right := proof(body)
		for name, headers := range map[string][]string{
			"none": nil, "only the bearer": right[:2], "only the signature": right[2:],
			"of another body": append(right[:2:2], proof(body + " ")[2:]...),
		} {
			if a := provider.Post(t, hook, body, headers...); a.Status != http.StatusUnauthorized {
				t.Errorf("proof: %s: %d %s", name, a.Status, a.Body)
			}
		}
		empty := `{"event":"CREATED","transactionObject":{}}`
		provider.Post(t, hook, empty, proof(empty)...).Refused(t, http.StatusBadRequest, "malformed")
		long := body + strings.Repeat(" ", 64<<10)
		provider.Post(t, hook, long, proof(long)...).Refused(t, http.StatusRequestEntityTooLarge, "too_large")
		for range 12 {
			provider.Post(t, hook, body, right...).Want(t, http.StatusOK, nil)
		}
		unknown := about("two", "unknown")
		provider.Post(t, hook, unknown, proof(unknown)...).Want(t, http.StatusOK, nil)
		if now := d.now(t, c); now.State != "quoted" || balance(t, c) != 0 {
			t.Errorf("after only a webhook it is %+v, balance %d", now, balance(t, c))
		}
		if orphans := apptest.Get[[]struct{ PaymentID, DepositID string }](t, admin, "/api/admin/orphans"); fmt.Sprint(orphans) != "[{two }]" {
			t.Errorf("orphans: %+v", orphans)
		}
		verify(t, c, d, pay(t, c, d, "pay")).Want(t, http.StatusOK, nil)
	})
}

func TestAdminDecidesOnce(t *testing.T) {
	each(t, func(t *testing.T, h house) {
		c, admin := h.SignIn(t), h.Admin(t)
		h.turn(func(k *sandbox.Knobs) { k.More = -1 })
		under := func() deposit {
			d := begin(t, c, 10_00)
			verify(t, c, d, pay(t, c, d, "pay")).Want(t, http.StatusAccepted, nil)
			return d
		}
		resolve := func(d deposit, action string) apptest.Answer {
			return admin.Post(t, "/api/admin/deposits/"+d.DepositID+"/resolve", asked{"action": action, "reason": "looked at it"})
		}
		credited, rejected, refunded := under(), under(), under()
		c.Post(t, "/api/admin/deposits/"+credited.DepositID+"/resolve", asked{"action": "credit", "reason": "me"}).Refused(t, http.StatusForbidden, "forbidden")
		admin.Post(t, "/api/admin/deposits/"+credited.DepositID+"/resolve", asked{"action": "credit", "reason": " "}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		resolve(deposit{DepositID: "unknown"}, "credit").Refused(t, http.StatusNotFound, "not_found")
		resolve(credited, "credit").Want(t, http.StatusOK, nil)
		resolve(credited, "credit").Refused(t, http.StatusConflict, "conflict")
		resolve(rejected, "reject").Want(t, http.StatusOK, nil)
		resolve(refunded, "refund").Want(t, http.StatusOK, nil)
		for _, d := range []deposit{rejected, refunded} {
			resolve(d, "credit").Refused(t, http.StatusConflict, "conflict")
		}
		if got := balance(t, c); got != 9_99 { // what arrived of 10 points
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
		d := begin(t, c, 30_00)
		pay(t, c, d, "pay")
		d.until(t, c, "credited")
		c.Post(t, "/api/packs/1/open", asked{"clientSeed": "spent"}).Want(t, http.StatusOK, nil)
		admin.Post(t, "/api/admin/deposits/"+d.DepositID+"/resolve", asked{"action": "refund", "reason": "charged back"}).Want(t, http.StatusOK, nil)
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

// Points held by bids aren't spent: the refund takes them and cancels the bids.
func TestRefundCancelsBids(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, admin := s.SignIn(t), s.Admin(t)
		d := begin(t, c, 30_00)
		pay(t, c, d, "pay")
		d.until(t, c, "credited")
		c.Post(t, "/api/bids", asked{"scope": asked{"itemId": "pkm-001"}, "priceCents": 200, "confirmedCents": 200, "quantity": 2}).Want(t, http.StatusOK, nil)
		c.Post(t, "/api/packs/1/open", asked{"clientSeed": "spent"}).Want(t, http.StatusOK, nil)
		admin.Post(t, "/api/admin/deposits/"+d.DepositID+"/resolve", asked{"action": "refund", "reason": "charged back"}).Want(t, http.StatusOK, nil)
		wallet := apptest.Get[struct{ BalanceCents, HeldCents int64 }](t, c, "/api/wallet")
		lines := apptest.Get[[]struct {
			Kind        string
			AmountCents int64
		}](t, c, "/api/wallet/transactions")
		if wallet.BalanceCents != 0 || wallet.HeldCents != 0 || lines[0].Kind != "deposit-refund" || lines[0].AmountCents != -5_00 {
			t.Errorf("has %+v, by %+v", wallet, lines)
		}
		s.Audit(t)
	})
}

func TestOpenDepositsAreLimited(t *testing.T) {
	each(t, func(t *testing.T, h house) {
		c := h.SignIn(t)
		for range 10 {
			begin(t, c, 1_00)
		}
		c.Post(t, deposits, asked{"amountCents": 100}).Refused(t, http.StatusForbidden, "limit_reached")
		h.clock.Advance(30 * time.Minute)
		begin(t, c, 1_00)
	})
}

// The sweep finds payments that both the webhook and polling missed.
func TestSweepFindsMissedPayments(t *testing.T) {
	each(t, func(t *testing.T, h house) {
		c := h.SignIn(t)
		d := begin(t, c, 10_00)
		h.turn(func(k *sandbox.Knobs) { k.Late = true })
		h.clock.Advance(25 * time.Hour)
		c.SignIn(t) // the session has expired
		d.until(t, c, "expired")
		pay(t, c, d, "pay")
		h.Stop()
		h.clock.Advance(time.Second)
		c.Base = apptest.Start(t, h.Config).URL // a sweep runs at startup
		d.until(t, c, "review")
	})
}

func TestDroppedPaymentIsReviewedAfterADay(t *testing.T) {
	each(t, func(t *testing.T, h house) {
		h.turn(func(k *sandbox.Knobs) { k.Finalized = 48 * time.Hour })
		c := h.SignIn(t)
		d := begin(t, c, 10_00)
		signature := pay(t, c, d, "pay")
		verify(t, c, d, signature).Want(t, http.StatusAccepted, nil)
		if now := d.now(t, c); now.State != "pending" || !now.Confirming {
			t.Errorf("confirmed: %+v", now)
		}
		h.turn(func(k *sandbox.Knobs) { k.Confirmed = 48 * time.Hour })
		verify(t, c, d, signature).Want(t, http.StatusAccepted, nil)
		if now := d.now(t, c); now.State != "pending" || now.Confirming {
			t.Errorf("dropped: %+v", now)
		}
		h.clock.Advance(24 * time.Hour)
		c.SignIn(t) // the session has expired
		d.until(t, c, "review")
		if now := d.now(t, c); now.Events[len(now.Events)-1].Reason != "never-final" || balance(t, c) != 0 {
			t.Errorf("a day later: %+v", now)
		}
	})
}
