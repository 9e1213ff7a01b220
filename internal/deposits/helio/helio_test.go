package helio_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/deposits/helio"
	"kaibao/internal/deposits/jsonclient"
	"kaibao/internal/deposits/jsonclient/jsonclienttest"
)

const (
	token  = "28936112-bcf1-4240-a851-85fb087c282a"
	key    = "PublicKey.0123456789~abcdef"
	secret = "SecretKey/0123456789+abcdef"
)

func client(url string) *helio.Client {
	return &helio.Client{URL: url, PublicKey: key, Secret: secret, Paylink: "6740a1f2c9d3e40b7a5c1e10"}
}

func readTestdata(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// serveResponse serves a fixed response and returns a function for the received request.
func serveResponse(t *testing.T, answer string) (c *helio.Client, received func() (*http.Request, string)) {
	t.Helper()
	var request *http.Request
	var body string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		request, body = r, string(raw)
		_, _ = w.Write([]byte(answer))
	}))
	t.Cleanup(s.Close)
	return client(s.URL), func() (*http.Request, string) { return request, body }
}

func timeOfDay(clock string) time.Time {
	at, err := time.Parse(time.RFC3339, "2026-11-22T"+clock+"Z")
	if err != nil {
		panic(err)
	}
	return at
}

var (
	inSOL = helio.Payment{
		ID: "681389f0ba5dc7557c960901", Paylink: "6740a1f2c9d3e40b7a5c1e10", Deposit: "dep-1",
		Signature: "3rFvUdMnv7VWMDPqGb1aARHyhzx93ogMkXj8X2dMAkYbzPzboDvdFzcefXbwV583bVGdesr3oE8Y213Ew23qXcFX",
		Status:    helio.Success, Currency: "SOL", Sender: "AWxggjuZRmWULwxwPeM6ZZxRtdDdekVq22mFRx2QbW7U",
		Recipient: "BfbvQP92h3HQ7a8h7gCnyRZPfkvUnEH9uW6VshgaFT9A",
		Owed:      20_833_333, Net: 20_624_999, USD: 5_00, At: timeOfDay("10:12:41.303"),
	}
	inUSDC = helio.Payment{
		ID: "68138a10ba5dc7557c960a02", Paylink: inSOL.Paylink, Deposit: "dep-2",
		Signature: "22W3chm1pHrTmrE3rQAkJPn7QY3M5S45orb9M3VPBYxqYjXn8xy5c29LjJxrwqgDyDz6wdHLDBYVDUrebvp8BFh1",
		Status:    helio.Settled, Currency: "USDC", Sender: "FciD4i2WPEYinnKaCzFZAPTUsRxTCpJM6FyQmezmkkoj",
		Recipient: inSOL.Recipient, Owed: 25_000_000, Net: 24_750_000, USD: 25_00, At: timeOfDay("10:13:00"),
	}
	pending = helio.Payment{
		ID: "68138a20ba5dc7557c960b02", Paylink: inSOL.Paylink, Status: helio.Pending, Currency: "USDC",
		Sender: inSOL.Sender, Recipient: inSOL.Recipient, Owed: 4_999_000, USD: helio.NoWholeCents, At: timeOfDay("10:14:00"),
	}
	inETH = helio.Payment{
		ID: "68138a30ba5dc7557c960c02", Paylink: inSOL.Paylink, Signature: "0x" + strings.Repeat("ab", 32), Status: helio.Success,
		Currency: "ETH on ETH", Sender: "ENL1zLBKycYF7rWczMe4qB6hKWkoTQQRZmftRUMneMMV", Recipient: inSOL.Recipient,
		USD: 250_000_00, At: timeOfDay("10:15:00"),
	}
)

func TestCreateCharge(t *testing.T) {
	c, received := serveResponse(t, readTestdata(t, "charge-created.json"))
	created, err := c.CreateCharge(t.Context(), "dep-1", 5_00, timeOfDay("10:30:00").In(time.FixedZone("", 3600)))
	if want := (helio.Charge{ID: "681389bfba5dc7557c9608ec", Token: token}); err != nil || created != want {
		t.Errorf("created %+v, %v", created, err)
	}
	request, body := received()
	if request.Method != http.MethodPost || request.URL.Path != "/v1/charge/api-key" ||
		request.URL.Query().Get("apiKey") != key || request.Header.Get("Authorization") != "Bearer "+secret {
		t.Errorf("requested %s %s with %v", request.Method, request.URL, request.Header)
	}
	if want := `{"paymentRequestId":"6740a1f2c9d3e40b7a5c1e10","requestAmount":"5.00","expiresAt":"2026-11-22T10:30:00.000Z",` +
		`"prepareRequestBody":{"customerDetails":{"additionalJSON":"{\"depositId\":\"dep-1\"}"}}}`; body != want {
		t.Errorf("sent %s", body)
	}
}

func TestChargeNeedsIDAndPage(t *testing.T) {
	for _, answer := range []string{
		`{"id": "1"}`, `{"pageUrl": "https://app.hel.io/charge/t"}`, `{"id": "1", "pageUrl": null}`, `{"id": "1", "pageUrl": "t"}`,
		`{"id": "1", "pageUrl": "https://app.hel.io"}`, `{"id": "1", "pageUrl": "https://app.hel.io/charge/a b"}`,
		`{"id": "1\u0000", "pageUrl": "https://app.hel.io/charge/t"}`, `{"id": "1", "pageUrl": "%zz"}`, `[]`,
	} {
		created, err := client(jsonclienttest.Serve(t, 200, answer)).CreateCharge(t.Context(), "dep-1", 5_00, timeOfDay("10:30:00"))
		if !apperr.IsCode(err, apperr.Unavailable) || created != (helio.Charge{}) {
			t.Errorf("the response %s created %+v, %v", answer, created, err)
		}
	}
	created, err := client(jsonclienttest.Serve(t, 201, `{"id": "1", "pageUrl": "https://app.hel.io/charge/t/?cardonly=true"}`)).
		CreateCharge(t.Context(), "dep-1", 5_00, timeOfDay("10:30:00"))
	if err != nil || created.Token != "t" {
		t.Errorf("created %+v, %v", created, err)
	}
}

func TestPaymentOfCharge(t *testing.T) {
	byToken := inSOL
	byToken.Deposit = ""
	for file, want := range map[string]*helio.Payment{"charge-unpaid.json": nil, "charge-paid.json": &byToken} {
		c, received := serveResponse(t, readTestdata(t, file))
		got, err := c.PaymentOfCharge(t.Context(), token)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v, %v", file, got, err)
		}
		request, _ := received()
		if request.Method != http.MethodGet || request.URL.RequestURI() != "/v1/charge/"+token || request.Header.Get("Authorization") != "Bearer "+secret {
			t.Errorf("requested %s %s with %v", request.Method, request.URL, request.Header)
		}
	}
	got, err := client(jsonclienttest.Serve(t, 200, readTestdata(t, "charge-paid.json"))).PaymentOfCharge(t.Context(), "another")
	if got != nil || !apperr.IsCode(err, apperr.Unavailable) {
		t.Errorf("another charge's payment is %+v, %v", got, err)
	}
	hostile, received := serveResponse(t, "{}")
	if _, err := hostile.PaymentOfCharge(t.Context(), "../v1?a=b#c"); err == nil {
		t.Error("a token that is a path was accepted")
	}
	if request, _ := received(); request.URL.EscapedPath() != "/v1/charge/..%2Fv1%3Fa=b%23c" {
		t.Errorf("requested %s", request.URL)
	}
}

func TestPaymentsBySignature(t *testing.T) {
	for answer, want := range map[string][]helio.Payment{
		readTestdata(t, "transaction.json"):               {inUSDC},
		"[" + readTestdata(t, "transaction.json") + "]":   {inUSDC},
		" \n" + readTestdata(t, "transaction.json") + " ": {inUSDC},
		readTestdata(t, "transactions.json"):              {inSOL, inUSDC, pending, inETH},
		"[]":                                              {},
	} {
		c, received := serveResponse(t, answer)
		got, err := c.PaymentsBySignature(t.Context(), inUSDC.Signature)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%.20q is %+v, %v", answer, got, err)
		}
		if request, _ := received(); request.URL.RequestURI() != "/v1/transactions/signature/"+inUSDC.Signature {
			t.Errorf("requested %s", request.URL)
		}
	}
	got, err := client(jsonclienttest.Serve(t, 404, `{"code": 404, "message": "Transaction not found"}`)).PaymentsBySignature(t.Context(), inUSDC.Signature)
	if got != nil || err != nil {
		t.Errorf("a missing payment is %+v, %v", got, err)
	}
}

func TestPaymentsBetween(t *testing.T) {
	c, received := serveResponse(t, readTestdata(t, "transactions.json"))
	from, to := inUSDC.At, inETH.At // from is inclusive, to exclusive
	got, err := c.PaymentsBetween(t.Context(), from, to)
	if err != nil || !reflect.DeepEqual(got, []helio.Payment{inUSDC, pending}) {
		t.Errorf("%+v, %v", got, err)
	}
	request, _ := received()
	q := request.URL.Query()
	if request.URL.Path != "/v1/paylink/6740a1f2c9d3e40b7a5c1e10/transactions" || q.Get("apiKey") != key ||
		q.Get("from") != "2026-11-22T10:13:00.000Z" || q.Get("to") != "2026-11-22T10:15:00.000Z" {
		t.Errorf("requested %s", request.URL)
	}
}

// If an interval has more payments than fit into a response, it is split, and each payment is returned
// once.
func TestPaymentsBetweenSplitsLargeIntervals(t *testing.T) {
	one := strings.ReplaceAll(readTestdata(t, "transaction.json"), "Play Points", strings.Repeat("x", jsonclient.MaxResponseBytes/10))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var list []string
		for minute := range 60 {
			at := timeOfDay("10:00:00").Add(time.Duration(minute) * time.Minute).Format(time.RFC3339)
			if from, to := r.FormValue("from"), r.FormValue("to"); at >= from[:19]+"Z" && at <= to[:19]+"Z" { // inclusive
				list = append(list, strings.ReplaceAll(one, "2026-11-22T10:13:00.000Z", at))
			}
		}
		_, _ = w.Write([]byte("[" + strings.Join(list, ",") + "]"))
	}))
	defer s.Close()
	got, err := client(s.URL).PaymentsBetween(t.Context(), timeOfDay("00:00:00"), timeOfDay("23:00:00"))
	if err != nil || len(got) != 60 {
		t.Fatalf("%d payments, %v", len(got), err)
	}
	for minute, p := range got {
		if p.At != timeOfDay("10:00:00").Add(time.Duration(minute)*time.Minute) {
			t.Errorf("payment %d is of %v", minute, p.At)
		}
	}
	large := client(jsonclienttest.Serve(t, 200, strings.Repeat(" ", jsonclient.MaxResponseBytes+1)))
	if _, err := large.PaymentsBetween(t.Context(), timeOfDay("10:00:00"), timeOfDay("10:00:01")); !apperr.IsCode(err, apperr.Unavailable) {
		t.Errorf("a second with too many payments is %v", err)
	}
}

func TestOutages(t *testing.T) {
	for name, call := range map[string]func(context.Context, *helio.Client) error{
		"create": func(ctx context.Context, c *helio.Client) error {
			_, err := c.CreateCharge(ctx, "dep-1", 5_00, timeOfDay("10:30:00"))
			return err
		},
		"payment": func(ctx context.Context, c *helio.Client) error {
			_, err := c.PaymentOfCharge(ctx, token)
			return err
		},
		"by signature": func(ctx context.Context, c *helio.Client) error {
			_, err := c.PaymentsBySignature(ctx, inSOL.Signature)
			return err
		},
		"between": func(ctx context.Context, c *helio.Client) error {
			_, err := c.PaymentsBetween(ctx, timeOfDay("10:00:00"), timeOfDay("10:00:01"))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			jsonclienttest.CheckOutages(t, "The payment provider", func(ctx context.Context, url string) error { return call(ctx, client(url)) }, key, secret)
		})
	}
}
