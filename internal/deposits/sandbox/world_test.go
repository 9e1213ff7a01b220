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

// world is a fake provider on a database, its merchant, and the clock of both.
type world struct {
	*sandbox.Provider
	*testing.T
	clock  *dbtest.Clock
	again  db.Options // opens the same database
	knobs  atomic.Pointer[sandbox.Knobs]
	edge   http.Handler // serves the payer's browser
	shop   *httptest.Server
	taken  []notice     // webhooks received by the shop, in order
	status atomic.Int64 // the shop's response status
}

// notice is a received webhook.
type notice struct {
	header http.Header
	body   []byte
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) { test(t, newWorld(t, engine)) })
	}
}

func newWorld(t *testing.T, engine string) *world {
	t.Helper()
	w := &world{T: t, clock: dbtest.NewClock(), again: dbtest.Options(t, engine)}
	w.again.Now = w.clock.Now
	w.turn(sandbox.Ordinary())
	w.status.Store(http.StatusOK)
	w.shop = httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.taken = append(w.taken, notice{r.Header, body})
		answer.WriteHeader(int(w.status.Load()))
	}))
	t.Cleanup(w.shop.Close)
	w.start()
	return w
}

// start creates the provider on the database, as at program start.
func (w *world) start() {
	w.Helper()
	w.Provider = sandbox.New(sandbox.Options{
		DB: dbtest.Open(w.T, w.again), Webhook: w.shop.URL, HTTP: w.shop.Client(), Knobs: func() sandbox.Knobs { return *w.knobs.Load() },
	})
	public, err := httpapi.ParsePublicURL("http://127.0.0.1:8080")
	if err != nil {
		w.Fatal(err)
	}
	api := httpapi.New(httpapi.Options{DB: w.DB, PublicURL: public, Log: slog.New(slog.DiscardHandler), NewRequestID: func() string { return "request" }, Clock: time.Now})
	w.Routes(api)
	w.edge = api.Handler()
}

func (w *world) turn(k sandbox.Knobs) { w.knobs.Store(&k) }

// ask calls the provider or the chain as our own server does and decodes the response.
func (w *world) ask(method, path, body string, into any) int {
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
func (w *world) charge(deposit, dollars string) string {
	w.Helper()
	var made struct{ PageURL string }
	body, _ := json.Marshal(map[string]any{
		"paymentRequestId": sandbox.Paylink, "requestAmount": dollars, "expiresAt": w.clock.Now().Add(time.Hour),
		"prepareRequestBody": map[string]any{"customerDetails": map[string]any{"additionalJSON": `{"depositId":"` + deposit + `"}`}},
	})
	if status := w.ask("POST", "/v1/charge/api-key?apiKey="+sandbox.PublicKey, string(body), &made); status != http.StatusOK {
		w.Fatalf("made a charge: %d", status)
	}
	token, ok := bytes.CutPrefix([]byte(made.PageURL), []byte(sandbox.URL+"/charge/"))
	if !ok || len(token) != 36 {
		w.Fatalf("the charge's page is %q", made.PageURL)
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

// read returns the payment of a charge, or nil.
func (w *world) read(token string) *payment {
	w.Helper()
	var c struct{ PaylinkTx *payment }
	if status := w.ask("GET", "/v1/charge/"+token, "", &c); status != http.StatusOK {
		w.Fatalf("read a charge: %d", status)
	}
	return c.PaylinkTx
}

// press triggers an action of the widget's buttons.
func (w *world) press(token, act string) (status int, made payment) {
	w.Helper()
	r := httptest.NewRequestWithContext(w.Context(), http.MethodPost, "http://127.0.0.1:8080/sandbox/charges/"+token+"/"+act, http.NoBody)
	answer := httptest.NewRecorder()
	w.edge.ServeHTTP(answer, r)
	if err := json.Unmarshal(answer.Body.Bytes(), &made); err != nil {
		w.Fatalf("%s: %s", act, answer.Body)
	}
	return answer.Code, made
}

func (w *world) pay(token string) payment {
	w.Helper()
	status, made := w.press(token, "pay")
	if status != http.StatusOK {
		w.Fatalf("paid: %d", status)
	}
	return made
}

// send runs one round of the webhook job.
func (w *world) send() error {
	_, err := w.Jobs()[0].Do(w.Context())
	return err
}

func look[T any](w *world, read func(*db.Tx) (T, error)) (found T) {
	w.Helper()
	if err := w.DB.Read(context.WithoutCancel(w.Context()), func(tx *db.Tx) (err error) { found, err = read(tx); return err }); err != nil {
		w.Fatal(err)
	}
	return found
}
