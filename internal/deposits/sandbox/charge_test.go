package sandbox_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/deposits/sandbox"
)

func TestChargeRoundTrip(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		token := w.charge("deposit-1", "25.00")
		if p := w.loadPayment(token); p != nil {
			t.Errorf("an unpaid charge has the payment %+v", p)
		}
		created := w.pay(token)
		p := w.loadPayment(token)
		created.Meta.CustomerDetails.AdditionalJSON = "" // omitted in a charge
		if p == nil || *p != created {
			t.Fatalf("paid was %+v, read %+v", created, p)
		}
		// 25 / 187.42 SOL, rounded up to the lamport; 1 % is the provider's fee.
		const asked, fee, net = "133390247", "1333902", "132056345"
		m := p.Meta
		if m.TotalAmount != asked || m.TokenQuote.ToAmountMinimal != asked || p.Fee != fee || m.Amount != net {
			t.Errorf("asked %s, fee %s, net %s", m.TotalAmount, p.Fee, m.Amount)
		}
		if m.TokenQuote.From != "USD" || m.TokenQuote.FromAmountDecimal != "25.00" || m.TokenQuote.To != "SOL" || m.Currency.Symbol != "SOL" {
			t.Errorf("payment is quoted as %+v, want 25.00 USD in SOL", m)
		}
		if p.PaylinkID != sandbox.Paylink || m.RecipientPK != sandbox.Treasury || m.TransactionStatus != "SUCCESS" || p.CreatedAt != "2026-03-04T12:00:00.000Z" {
			t.Errorf("payment is %+v, want the sandbox's paylink and treasury, status SUCCESS and the time of payment", p)
		}
	})
}

func TestFindPayments(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		first := w.pay(w.charge("deposit-1", "25"))
		w.clock.Advance(time.Minute)
		second := w.pay(w.charge("deposit-2", "50"))
		w.charge("deposit-3", "75")
		found := func(path string) (found []payment) {
			t.Helper()
			if status := w.request("GET", path, "", &found); status != http.StatusOK {
				t.Fatalf("%s: %d", path, status)
			}
			return found
		}
		p := found("/v1/transactions/signature/" + second.Meta.TransactionSignature)
		if len(p) != 1 || p[0] != second {
			t.Fatalf("found by signature: %+v, want only %+v", p, second)
		}
		var once string // the provider encodes the merchant's text as JSON once more
		if err := json.Unmarshal([]byte(p[0].Meta.CustomerDetails.AdditionalJSON), &once); err != nil || once != `{"depositId":"deposit-2"}` {
			t.Errorf("additionalJSON is %s", p[0].Meta.CustomerDetails.AdditionalJSON)
		}
		if p := found("/v1/transactions/signature/unknown"); len(p) != 0 {
			t.Errorf("found by an unknown signature: %+v, want no payment", p)
		}
		begin := w.clock.Now().Add(-time.Minute)
		in := func(from, to time.Time) []payment {
			t.Helper()
			return found("/v1/paylink/" + sandbox.Paylink + "/transactions?apiKey=" + sandbox.PublicKey +
				"&from=" + url.QueryEscape(from.Format(time.RFC3339)) + "&to=" + url.QueryEscape(to.Format(time.RFC3339)))
		}
		if p := in(begin, w.clock.Now()); len(p) != 1 || p[0] != first {
			t.Errorf("the last minute has payments %+v, want only %+v", p, first)
		}
		if p := in(begin, w.clock.Now().Add(time.Second)); len(p) != 2 || p[1] != second {
			t.Errorf("a second later the list has %+v, want 2 payments, the last one %+v", p, second)
		}
	})
}

func TestInvalidChargesAreRefused(t *testing.T) {
	w := newTestProvider(t, "sqlite")
	good := `{"paymentRequestId":"` + sandbox.Paylink + `","requestAmount":"5","expiresAt":"2026-03-04T13:00:00Z","prepareRequestBody":{"customerDetails":{"additionalJSON":"{\"depositId\":\"d\"}"}}}`
	for name, c := range map[string]struct {
		path, body string
		status     int
	}{
		"valid":                {"/v1/charge/api-key?apiKey=" + sandbox.PublicKey, good, 200},
		"another key":          {"/v1/charge/api-key?apiKey=x", good, 401},
		"no JSON":              {"/v1/charge/api-key?apiKey=" + sandbox.PublicKey, "{", 400},
		"another pay link":     {"/v1/charge/api-key?apiKey=" + sandbox.PublicKey, strings.Replace(good, sandbox.Paylink, "x", 1), 400},
		"amount 0":             {"/v1/charge/api-key?apiKey=" + sandbox.PublicKey, strings.Replace(good, `"5"`, `"0"`, 1), 400},
		"a fraction of a cent": {"/v1/charge/api-key?apiKey=" + sandbox.PublicKey, strings.Replace(good, `"5"`, `"5.001"`, 1), 400},
		"a very high amount":   {"/v1/charge/api-key?apiKey=" + sandbox.PublicKey, strings.Replace(good, `"5"`, `"99999999999"`, 1), 400},
		"no expiry":            {"/v1/charge/api-key?apiKey=" + sandbox.PublicKey, strings.Replace(good, "expiresAt", "x", 1), 400},
		"no deposit":           {"/v1/charge/api-key?apiKey=" + sandbox.PublicKey, strings.Replace(good, "depositId", "x", 1), 400},
	} {
		var payload struct{ Message string }
		if status := w.request("POST", c.path, c.body, &payload); status != c.status || (status != 200) != (payload.Message != "") {
			t.Errorf("%s: %d %q", name, status, payload.Message)
		}
	}
	var payload struct{ Message string }
	for path, want := range map[string]int{
		"/v1/charge/unknown": 404, "/v1/transactions/signature/x?apiKey=x": 401, "/v1/paylink/x/transactions?apiKey=" + sandbox.PublicKey: 404,
		"/v1/paylink/" + sandbox.Paylink + "/transactions?from=x&apiKey=" + sandbox.PublicKey: 400,
	} {
		if status := w.request("GET", path, "", &payload); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
}

// Sequences of a payer's actions on a charge.
func TestChargeLifeCycle(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		for acts, want := range map[string]string{
			"pay": "SUCCESS", "fail": "FAILED", "pend": "PENDING", "pend pay": "SUCCESS", "pend fail": "FAILED",
			"pay pay": "SUCCESS", "fail fail": "FAILED", "pend pend": "PENDING",
			"pay fail": "", "fail pay": "", "pay pend": "", "fail pend": "", "steal": "",
		} {
			token := w.charge("deposit", "5")
			var status int
			var last, first payment
			for i, act := range strings.Fields(acts) {
				status, last = w.performAction(token, act)
				if i == 0 {
					first = last
				}
			}
			switch {
			case want == "" && status != http.StatusConflict && status != http.StatusNotFound:
				t.Errorf("%s: %d", acts, status)
			case want != "" && (status != http.StatusOK || last.Meta.TransactionStatus != want || last.Meta.TransactionSignature != first.Meta.TransactionSignature):
				t.Errorf("%s: %d %+v, at first %+v", acts, status, last, first)
			}
		}
		if status, _ := w.performAction("unknown", "pay"); status != http.StatusNotFound {
			t.Errorf("paid an unknown charge: %d", status)
		}
	})
}

// A charge can't be paid from its expiry on, but a transaction that was sent before may arrive later.
func TestChargeExpires(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		open, sent := w.charge("deposit-1", "5"), w.charge("deposit-2", "5")
		w.performAction(sent, "pend")
		w.clock.Advance(time.Hour - time.Microsecond)
		if status, _ := w.performAction(w.charge("deposit-3", "5"), "pay"); status != http.StatusOK {
			t.Errorf("a new one: %d", status)
		}
		w.clock.Advance(time.Microsecond)
		if status, _ := w.performAction(open, "pay"); status != http.StatusConflict || w.loadPayment(open) != nil {
			t.Errorf("paid after its expiry: %d, %+v", status, w.loadPayment(open))
		}
		w.pay(sent)
		late := sandbox.DefaultBehavior()
		late.AcceptLate = true
		w.setBehavior(late)
		w.pay(open)
	})
}

// Many concurrent actions cause one transaction and one webhook.
func TestConcurrentActions(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		token := w.charge("deposit-1", "5")
		created := make([]payment, 50)
		var wg sync.WaitGroup
		for i := range created {
			wg.Go(func() { _, created[i] = w.performAction(token, "pay") })
		}
		wg.Wait()
		for _, p := range created {
			if p != created[0] {
				t.Errorf("%+v and %+v", p, created[0])
			}
		}
		if err := w.sendWebhooks(); err != nil || len(w.received) != 1 {
			t.Errorf("%d webhooks, %v", len(w.received), err)
		}
		paid := readDB(w, sandbox.ListPayments)
		if len(paid) != 1 || paid[0].Deposit != "deposit-1" || paid[0].Amount != 500 || paid[0].Charge != token || paid[0].Signature != created[0].Meta.TransactionSignature || paid[0].Received != paid[0].Owed {
			t.Errorf("stored payments are %+v, want one of $5 for deposit-1 and charge %s, received in full", paid, token)
		}
	})
}

// The payer's browser can reach the charge and the script, but nothing else of the provider.
func TestPayerRoutes(t *testing.T) {
	w := newTestProvider(t, "sqlite")
	token := w.charge("deposit-1", "25")
	for path, want := range map[string]struct {
		status int
		holds  string
	}{
		sandbox.Embed:                 {200, "window.helioCheckout"},
		"/sandbox/charges/" + token:   {200, `"amountCents":2500`},
		"/sandbox/charges/unknown":    {404, `"not_found"`},
		"/v1/charge/" + token:         {404, ""},
		"/rpc":                        {404, ""},
		"/api/v3/simple/price":        {404, ""},
		"/sandbox/v1/charge/" + token: {404, ""},
	} {
		answer := httptest.NewRecorder()
		w.routes.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:8080"+path, http.NoBody))
		if answer.Code != want.status || !strings.Contains(answer.Body.String(), want.holds) {
			t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
		}
	}
	from := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1:8080/sandbox/charges/"+token+"/pay", http.NoBody)
	from.Header.Set("Origin", "null") // like the sandboxed frame
	answer := httptest.NewRecorder()
	w.routes.ServeHTTP(answer, from)
	if answer.Code != http.StatusOK || answer.Header().Get("Access-Control-Allow-Origin") != "*" || w.loadPayment(token) == nil {
		t.Errorf("from the frame: %d %v %s", answer.Code, answer.Header(), answer.Body)
	}
}
