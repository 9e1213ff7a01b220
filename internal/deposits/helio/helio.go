// Package helio is a client of the payment provider Helio (MoonPay Commerce), documented at
// https://docs.hel.io/reference. It has no database and makes no decisions: it returns the
// provider's responses, which its caller checks.
package helio

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"path"
	"time"

	"kaibao/internal/deposits/jsonclient"
	"kaibao/internal/money"
)

// serviceName is the provider's name in error messages.
const serviceName = "The payment provider"

// timeFormat is the provider's time format.
const timeFormat = "2006-01-02T15:04:05.000Z"

// Client calls the provider's API. Every failure, whether an outage, an error response or an
// unreadable response, is an apperr.Unavailable. Errors contain neither the key nor the secret.
type Client struct {
	URL       string       // https://api.hel.io (tests: https://api.dev.hel.io), no trailing slash
	PublicKey string       // sent in URLs
	Secret    string       // sent in the Authorization header
	Paylink   string       // id of the dynamic paylink, priced in USD
	HTTP      *http.Client // nil = http.DefaultClient
}

// Charge is a checkout for one payment. ID identifies it at the provider; Token is used to show it
// to the payer and to read it.
type Charge struct{ ID, Token string }

// chargeDetails carries the deposit's id through the provider, as JSON text within JSON.
type chargeDetails struct {
	DepositID string `json:"depositId"`
}

type chargeRequest struct {
	Paylink   string  `json:"paymentRequestId"`
	Amount    string  `json:"requestAmount"` // in dollars, "5.00": the paylink is priced in USD
	ExpiresAt string  `json:"expiresAt"`
	Prepare   prepare `json:"prepareRequestBody"`
}

type prepare struct {
	Customer struct {
		AdditionalJSON string `json:"additionalJSON"`
	} `json:"customerDetails"`
}

// CreateCharge creates a charge for a deposit, payable until expiresAt. A failed call may still have
// created one; nobody knows its token, so nobody can pay it.
func (c *Client) CreateCharge(ctx context.Context, depositID string, amount money.Cents, expiresAt time.Time) (Charge, error) {
	additional, err := json.Marshal(chargeDetails{depositID})
	if err != nil {
		return Charge{}, err
	}
	request := chargeRequest{Paylink: c.Paylink, Amount: amount.String(), ExpiresAt: expiresAt.UTC().Format(timeFormat)}
	request.Prepare.Customer.AdditionalJSON = string(additional)
	var created struct {
		ID      string `json:"id"`
		PageURL string `json:"pageUrl"`
	}
	call := c.call("create a charge", http.MethodPost, "/v1/charge/api-key?"+url.Values{"apiKey": {c.PublicKey}}.Encode())
	call.Body = request
	if err := call.Do(ctx, c.HTTP, &created); err != nil {
		return Charge{}, err
	}
	charge := Charge{ID: sanitizeID(created.ID), Token: lastPathSegment(created.PageURL)}
	if charge.ID == "" || charge.Token == "" {
		return Charge{}, call.Failed(errors.New("response without an id or page address"))
	}
	return charge, nil
}

// lastPathSegment returns the last segment of a URL's path: the token in the URL of a charge's page.
func lastPathSegment(address string) string {
	page, err := url.Parse(address)
	if err != nil || page.Host == "" {
		return ""
	}
	return sanitizeID(path.Base(page.Path))
}

func (c *Client) call(purpose, method, address string) jsonclient.Call {
	return jsonclient.Call{
		Service: serviceName, Purpose: purpose, Method: method, URL: c.URL + address,
		Header: http.Header{"Authorization": {"Bearer " + c.Secret}}, Secrets: []string{c.Secret, c.PublicKey},
	}
}

// PaymentOfCharge returns the payment of a charge, or nil if there is none. The provider omits
// customerDetails in a charge's payment, so Deposit may be empty; the token identifies the deposit.
func (c *Client) PaymentOfCharge(ctx context.Context, token string) (*Payment, error) {
	var charge struct {
		ID      string       `json:"id"`
		Token   string       `json:"token"`
		Payment *paymentJSON `json:"paylinkTx"`
	}
	call := c.call("read a charge", http.MethodGet, "/v1/charge/"+url.PathEscape(token))
	if err := call.Do(ctx, c.HTTP, &charge); err != nil {
		return nil, err
	}
	if charge.ID == "" || charge.Token != "" && charge.Token != token {
		return nil, call.Failed(errors.New("response for another charge"))
	}
	if charge.Payment == nil {
		return nil, nil
	}
	payment, err := charge.Payment.payment()
	if err != nil {
		return nil, call.Failed(err)
	}
	return &payment, nil
}

// PaymentsBySignature returns the payments with the given transaction signature on the chain; none is not
// an error. The provider's reference documents an array, while its customers read a single object:
// this accepts both. A 404 means none.
func (c *Client) PaymentsBySignature(ctx context.Context, signature string) ([]Payment, error) {
	call := c.call("find a transaction", http.MethodGet, "/v1/transactions/signature/"+url.PathEscape(signature))
	var found paymentJSONs
	err := call.Do(ctx, c.HTTP, &found)
	if status := jsonclient.StatusError(0); errors.As(err, &status) && status == http.StatusNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return found.payments(call)
}

// PaymentsBetween returns the paylink's payments in [from, to). If a response is too large, it splits the
// interval in half, since each payment repeats the whole paylink.
func (c *Client) PaymentsBetween(ctx context.Context, from, to time.Time) ([]Payment, error) {
	query := url.Values{"apiKey": {c.PublicKey}, "from": {from.UTC().Format(timeFormat)}, "to": {to.UTC().Format(timeFormat)}}
	call := c.call("list transactions", http.MethodGet, "/v1/paylink/"+url.PathEscape(c.Paylink)+"/transactions?"+query.Encode())
	var found paymentJSONs
	err := call.Do(ctx, c.HTTP, &found)
	if length := to.Sub(from); errors.Is(err, jsonclient.ErrTooLarge) && length > time.Second {
		return c.paymentsInHalves(ctx, from, from.Add(length/2).Truncate(time.Millisecond), to)
	}
	if err != nil {
		return nil, err
	}
	payments, err := found.payments(call)
	if err != nil {
		return nil, err
	}
	// The documentation doesn't say whether the provider includes the ends.
	return paymentsWithin(payments, from, to), nil
}

func (c *Client) paymentsInHalves(ctx context.Context, from, middle, to time.Time) ([]Payment, error) {
	first, err := c.PaymentsBetween(ctx, from, middle)
	if err != nil {
		return nil, err
	}
	second, err := c.PaymentsBetween(ctx, middle, to)
	return append(first, second...), err
}
