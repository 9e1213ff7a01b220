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

// provider is who does not answer, as people are told.
const provider = "The payment provider"

// instant is how the provider writes times.
const instant = "2006-01-02T15:04:05.000Z"

// Client talks to the provider. Its calls fail with apperr.Unavailable and with nothing
// else, be it an outage, a refusal or an answer that cannot be read; neither the key
// nor the secret is in an error.
type Client struct {
	URL       string       // https://api.hel.io, no slash at the end; https://api.dev.hel.io for tests
	PublicKey string       // goes into addresses
	Secret    string       // goes into the Authorization header
	Paylink   string       // id of the dynamic paylink, priced in USD
	HTTP      *http.Client // nil = http.DefaultClient
}

// Charge is a checkout for one payment. ID is the provider's own name for it; by Token
// it is shown to the payer and read back.
type Charge struct{ ID, Token string }

// details carries our deposit's id through the provider, as JSON text inside JSON.
type details struct {
	DepositID string `json:"depositId"`
}

type order struct {
	Paylink   string  `json:"paymentRequestId"`
	Amount    string  `json:"requestAmount"` // dollars, "5.00": the paylink is priced in USD
	ExpiresAt string  `json:"expiresAt"`
	Prepare   prepare `json:"prepareRequestBody"`
}

type prepare struct {
	Customer struct {
		AdditionalJSON string `json:"additionalJSON"`
	} `json:"customerDetails"`
}

// Create makes a charge of so many cents for a deposit, payable until expires. A call
// that fails may have made one all the same; nobody has its token, so nobody pays it.
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

// lastOf is the last part of an address's path: the token in a charge's page.
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

// Payment reads what was paid on a charge; nil when nothing was. The provider leaves
// customerDetails out of a charge's payment, so it may have no Deposit: whose it is,
// the token says.
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

// BySignature gives the payments whose transaction on the chain has a signature; none
// is no error. The reference has an array in the answer and the provider's customers read
// one object: both are taken, and a 404 is none.
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

// Between gives the payments of the paylink in [from, to). An answer that would be too
// large is asked for in halves, as each payment repeats the whole paylink.
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
	// Whether the provider counts the ends in, its documentation leaves open.
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
