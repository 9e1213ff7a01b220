// Package helio is a client of the payment provider Helio (MoonPay Commerce), documented at
// https://docs.hel.io/reference. It has no database and makes no decisions: it returns what the
// provider says, and its caller checks that.
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

// provider is the provider's name in error messages.
const provider = "The payment provider"

// instant is the provider's time format.
const instant = "2006-01-02T15:04:05.000Z"

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

// details carries the deposit's id through the provider, as JSON text within JSON.
type details struct {
	DepositID string `json:"depositId"`
}

type order struct {
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

// Create creates a charge for a deposit, payable until expires. A failed call may still have
// created one; nobody knows its token, so nobody can pay it.
func (c *Client) Create(ctx context.Context, deposit string, amount money.Cents, expires time.Time) (Charge, error) {
	note, err := json.Marshal(details{deposit})
	if err != nil {
		return Charge{}, err
	}
	asked := order{Paylink: c.Paylink, Amount: amount.String(), ExpiresAt: expires.UTC().Format(instant)}
	asked.Prepare.Customer.AdditionalJSON = string(note)
	var made struct {
		ID      string `json:"id"`
		PageURL string `json:"pageUrl"`
	}
	call := c.call("create a charge", http.MethodPost, "/v1/charge/api-key?"+url.Values{"apiKey": {c.PublicKey}}.Encode())
	call.Body = asked
	if err := call.Do(ctx, c.HTTP, &made); err != nil {
		return Charge{}, err
	}
	charge := Charge{ID: word(made.ID), Token: lastOf(made.PageURL)}
	if charge.ID == "" || charge.Token == "" {
		return Charge{}, call.Failed(errors.New("the answer has no id or no address of a page"))
	}
	return charge, nil
}

// lastOf returns the last segment of a URL's path: the token in the URL of a charge's page.
func lastOf(address string) string {
	page, err := url.Parse(address)
	if err != nil || page.Host == "" {
		return ""
	}
	return word(path.Base(page.Path))
}

func (c *Client) call(what, method, address string) jsonclient.Call {
	return jsonclient.Call{
		Of: provider, For: what, Method: method, URL: c.URL + address,
		Header: http.Header{"Authorization": {"Bearer " + c.Secret}}, Hidden: []string{c.Secret, c.PublicKey},
	}
}

// Payment returns the payment of a charge, or nil if there is none. The provider omits
// customerDetails in a charge's payment, so Deposit may be empty; the token identifies the deposit.
func (c *Client) Payment(ctx context.Context, token string) (*Payment, error) {
	var charge struct {
		ID      string `json:"id"`
		Token   string `json:"token"`
		Payment *entry `json:"paylinkTx"`
	}
	call := c.call("read a charge", http.MethodGet, "/v1/charge/"+url.PathEscape(token))
	if err := call.Do(ctx, c.HTTP, &charge); err != nil {
		return nil, err
	}
	if charge.ID == "" || charge.Token != "" && charge.Token != token {
		return nil, call.Failed(errors.New("the answer is not the charge that was asked for"))
	}
	if charge.Payment == nil {
		return nil, nil
	}
	paid, err := charge.Payment.payment()
	if err != nil {
		return nil, call.Failed(err)
	}
	return &paid, nil
}

// BySignature returns the payments with the given transaction signature on the chain; none is not
// an error. The provider's reference documents an array, while its customers read a single object:
// both are accepted. A 404 means none.
func (c *Client) BySignature(ctx context.Context, signature string) ([]Payment, error) {
	call := c.call("find a transaction", http.MethodGet, "/v1/transactions/signature/"+url.PathEscape(signature))
	var found entries
	err := call.Do(ctx, c.HTTP, &found)
	if status := jsonclient.StatusError(0); errors.As(err, &status) && status == http.StatusNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return found.payments(call)
}

// Between returns the paylink's payments in [from, to). If a response is too large, it splits the
// interval in half, since each payment repeats the whole paylink.
func (c *Client) Between(ctx context.Context, from, to time.Time) ([]Payment, error) {
	query := url.Values{"apiKey": {c.PublicKey}, "from": {from.UTC().Format(instant)}, "to": {to.UTC().Format(instant)}}
	call := c.call("list transactions", http.MethodGet, "/v1/paylink/"+url.PathEscape(c.Paylink)+"/transactions?"+query.Encode())
	var found entries
	err := call.Do(ctx, c.HTTP, &found)
	if length := to.Sub(from); errors.Is(err, jsonclient.ErrTooLarge) && length > time.Second {
		return c.halves(ctx, from, from.Add(length/2).Truncate(time.Millisecond), to)
	}
	if err != nil {
		return nil, err
	}
	payments, err := found.payments(call)
	if err != nil {
		return nil, err
	}
	// The documentation doesn't say whether the provider includes the ends.
	return within(payments, from, to), nil
}

func (c *Client) halves(ctx context.Context, from, middle, to time.Time) ([]Payment, error) {
	first, err := c.Between(ctx, from, middle)
	if err != nil {
		return nil, err
	}
	second, err := c.Between(ctx, middle, to)
	return append(first, second...), err
}
