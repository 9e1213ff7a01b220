package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/deposits/sandbox"
	"kaibao/internal/httpapi"
)

// testProvider is a fake provider on a database, its merchant, and the clock of both.
type testProvider struct {
	*sandbox.Provider
	*testing.T
	clock         *dbtest.Clock
	reopenOptions db.Options // opens the same database
	behavior      atomic.Pointer[sandbox.Behavior]
	routes        http.Handler // serves the payer's browser
	merchant      *httptest.Server
	received      []notice     // webhooks received by the merchant, in order
	status        atomic.Int64 // the merchant's response status
}

// notice is a received webhook.
type notice struct {
	header http.Header
	body   []byte
}

func eachEngine(t *testing.T, test func(t *testing.T, w *testProvider)) {
	t.Helper()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) { test(t, newTestProvider(t, engine)) })
	}
}

func newTestProvider(t *testing.T, engine string) *testProvider {
	t.Helper()
	w := &testProvider{T: t, clock: dbtest.NewClock(), reopenOptions: dbtest.Options(t, engine)}
	w.reopenOptions.Now = w.clock.Now
	w.setBehavior(sandbox.DefaultBehavior())
	w.status.Store(http.StatusOK)
	w.merchant = httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.received = append(w.received, notice{r.Header, body})
		answer.WriteHeader(int(w.status.Load()))
	}))
	t.Cleanup(w.merchant.Close)
	w.start()
	return w
}

// start creates the provider on the database, as at program start.
func (w *testProvider) start() {
	w.Helper()
	w.Provider = sandbox.New(sandbox.Options{
		DB: dbtest.Open(w.T, w.reopenOptions), Webhook: w.merchant.URL, HTTP: w.merchant.Client(), Behavior: func() sandbox.Behavior { return *w.behavior.Load() },
	})
	public, err := httpapi.ParsePublicURL("http://127.0.0.1:8080")
	if err != nil {
		w.Fatal(err)
	}
	api := httpapi.New(httpapi.Options{DB: w.DB, PublicURL: public, Log: slog.New(slog.DiscardHandler), NewRequestID: func() string { return "request" }, Clock: time.Now})
	w.Routes(api)
	w.routes = api.Handler()
}

func (w *testProvider) setBehavior(behavior sandbox.Behavior) { w.behavior.Store(&behavior) }

// request calls the provider or the chain as our own server does and decodes the response.
func (w *testProvider) request(method, path, body string, into any) int {
	w.Helper()
	client := http.Client{Transport: sandbox.Transport(w.Provider)}
	r, err := http.NewRequestWithContext(w.Context(), method, sandbox.URL+path, bytes.NewBufferString(body))
	if err != nil {
		w.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+sandbox.Secret)
	answer, err := client.Do(r)
	if err != nil {
		w.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
		w.Fatalf("%s %s: %v", method, path, err)
	}
	return answer.StatusCode
}

// charge creates a charge in dollars, payable for an hour, and returns its token.
func (w *testProvider) charge(deposit, dollars string) string {
	w.Helper()
	var created struct{ PageURL string }
	body, _ := json.Marshal(map[string]any{
		"paymentRequestId": sandbox.Paylink, "requestAmount": dollars, "expiresAt": w.clock.Now().Add(time.Hour),
		"prepareRequestBody": map[string]any{"customerDetails": map[string]any{"additionalJSON": `{"depositId":"` + deposit + `"}`}},
	})
	if status := w.request("POST", "/v1/charge/api-key?apiKey="+sandbox.PublicKey, string(body), &created); status != http.StatusOK {
		w.Fatalf("create a charge: %d", status)
	}
	token, ok := bytes.CutPrefix([]byte(created.PageURL), []byte(sandbox.URL+"/charge/"))
	if !ok || len(token) != 36 {
		w.Fatalf("the charge's page is %q", created.PageURL)
	}
	return string(token)
}

// payment is a transaction in the provider's format.
type payment struct {
	ID, PaylinkID, Fee, CreatedAt, PaymentType string
	Meta                                       struct {
		Amount, TotalAmount, SenderPK, RecipientPK, TransactionSignature, TransactionStatus string
		CustomerDetails                                                                     struct{ AdditionalJSON string }
		Currency                                                                            struct{ Symbol string }
		TokenQuote                                                                          struct{ From, FromAmountDecimal, To, ToAmountMinimal string }
	}
}

// loadPayment returns the payment of a charge, or nil.
func (w *testProvider) loadPayment(token string) *payment {
	w.Helper()
	var c struct{ PaylinkTx *payment }
	if status := w.request("GET", "/v1/charge/"+token, "", &c); status != http.StatusOK {
		w.Fatalf("read a charge: %d", status)
	}
	return c.PaylinkTx
}

// performAction triggers an action of the widget's buttons.
func (w *testProvider) performAction(token, act string) (status int, created payment) {
	w.Helper()
	r := httptest.NewRequestWithContext(w.Context(), http.MethodPost, "http://127.0.0.1:8080/sandbox/charges/"+token+"/"+act, http.NoBody)
	answer := httptest.NewRecorder()
	w.routes.ServeHTTP(answer, r)
	if err := json.Unmarshal(answer.Body.Bytes(), &created); err != nil {
		w.Fatalf("%s: %s", act, answer.Body)
	}
	return answer.Code, created
}

func (w *testProvider) pay(token string) payment {
	w.Helper()
	status, created := w.performAction(token, "pay")
	if status != http.StatusOK {
		w.Fatalf("pay a charge: %d", status)
	}
	return created
}

// sendWebhooks runs one round of the webhook job.
func (w *testProvider) sendWebhooks() error {
	_, err := w.Jobs()[0].Do(w.Context())
	return err
}

func readDB[T any](w *testProvider, read func(*db.Tx) (T, error)) (found T) {
	w.Helper()
	if err := w.DB.Read(context.WithoutCancel(w.Context()), func(tx *db.Tx) (err error) { found, err = read(tx); return err }); err != nil {
		w.Fatal(err)
	}
	return found
}
