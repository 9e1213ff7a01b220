package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
)

// servePayments registers Helio's endpoints (https://docs.hel.io/reference).
func (p *Provider) servePayments() {
	p.paths.HandleFunc("POST /v1/charge/api-key", known(p.createCharge))
	p.paths.HandleFunc("GET /v1/charge/{token}", p.serveCharge)
	p.paths.HandleFunc("GET /v1/transactions/signature/{signature}", known(func(r *http.Request) (any, error) {
		return p.payments(r.Context(), func(tx *db.Tx) ([]charge, error) { return bySignature(tx, r.PathValue("signature")) })
	}))
	p.paths.HandleFunc("GET /v1/paylink/{id}/transactions", known(p.listPayments))
}

var (
	errUnknownKey = &refusal{http.StatusUnauthorized, "Unauthorized"}
	errBadCharge  = &refusal{http.StatusBadRequest, "The charge needs our pay link, an amount in USD, an end, and the id of the deposit."}
	errBadTimes   = &refusal{http.StatusBadRequest, "from and to must be times (ISO 8601)."}
	errUnknown    = &refusal{http.StatusNotFound, "Not found"}
)

// known requires the secret and, if the request has an API key, the right one.
func known(handle func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if key := r.URL.Query().Get("apiKey"); r.Header.Get("Authorization") != "Bearer "+Secret || key != "" && key != PublicKey {
			fail(w, errUnknownKey)
			return
		}
		value, err := handle(r)
		if err != nil {
			fail(w, err)
			return
		}
		answer(w, http.StatusOK, value)
	}
}

type chargeRequest struct {
	PaymentRequestID   string    `json:"paymentRequestId"`
	RequestAmount      string    `json:"requestAmount"`
	ExpiresAt          time.Time `json:"expiresAt"`
	PrepareRequestBody struct {
		CustomerDetails struct {
			AdditionalJSON string `json:"additionalJSON"`
		} `json:"customerDetails"`
	} `json:"prepareRequestBody"`
}

// charge validates the request and returns the charge to create.
func (r chargeRequest) charge() (c charge, err error) {
	var additional struct{ DepositID string }
	amount, notAmount := money.Parse(r.RequestAmount)
	if err := errors.Join(notAmount, json.Unmarshal([]byte(r.PrepareRequestBody.CustomerDetails.AdditionalJSON), &additional)); err != nil {
		return c, errBadCharge
	}
	const most = 1e9 // far above any deposit; its lamports still fit into int64
	if r.PaymentRequestID != Paylink || amount <= 0 || amount > most || additional.DepositID == "" || r.ExpiresAt.IsZero() {
		return c, errBadCharge
	}
	return charge{deposit: additional.DepositID, amount: amount, lamports: asked(amount), expires: r.ExpiresAt, state: open}, nil
}

func (p *Provider) createCharge(r *http.Request) (any, error) {
	var request chargeRequest
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		return nil, errBadCharge
	}
	c, err := request.charge()
	if err != nil {
		return nil, err
	}
	err = p.DB.InTx(r.Context(), func(tx *db.Tx) error {
		c.id, c.token, c.created = objectID(tx), tx.NewID(), tx.Now
		return insertCharge(tx, c)
	})
	return map[string]any{"id": c.id, "pageUrl": URL + "/charge/" + c.token}, err
}

// serveCharge returns a charge to anyone with its token, like Helio. Amounts are in millionths of a
// dollar, and customerDetails is omitted.
func (p *Provider) serveCharge(w http.ResponseWriter, r *http.Request) {
	c, _, err := p.read(r.Context(), r.PathValue("token"))
	if err != nil {
		fail(w, err)
		return
	}
	paid := c.payment()
	if paid != nil {
		delete(paid["meta"].(map[string]any), "customerDetails")
	}
	dollars := digits(int64(c.amount) * 10_000)
	answer(w, http.StatusOK, map[string]any{
		"id": c.id, "token": c.token, "currencySymbol": "SOL", "requestAmount": dollars, "usdcAmount": dollars,
		"prepareRequestBody": map[string]any{"currency": "USD", "amount": dollars, "quantity": 1},
		"createdAt":          timestamp(c.created), "expiresAt": timestamp(c.expires),
		"paylink":   map[string]any{"id": Paylink, "dynamic": true, "name": "Play Points"},
		"paylinkTx": paid,
	})
}

// read returns a charge and the time of the read.
func (p *Provider) read(ctx context.Context, token string) (c charge, at time.Time, err error) {
	err = p.DB.Peek(ctx, func(tx *db.Tx) (err error) {
		at = tx.Now
		c, err = find(tx, token, "")
		return err
	})
	if errors.Is(err, db.ErrNoRow) {
		err = errUnknown
	}
	return c, at, err
}

func (p *Provider) listPayments(r *http.Request) (any, error) {
	from, err1 := time.Parse(time.RFC3339, r.URL.Query().Get("from"))
	to, err2 := time.Parse(time.RFC3339, r.URL.Query().Get("to"))
	switch {
	case r.PathValue("id") != Paylink:
		return nil, errUnknown
	case err1 != nil || err2 != nil:
		return nil, errBadTimes
	}
	return p.payments(r.Context(), func(tx *db.Tx) ([]charge, error) { return between(tx, from, to) })
}

// payments returns the transactions of charges in the provider's format.
func (p *Provider) payments(ctx context.Context, read func(*db.Tx) ([]charge, error)) (any, error) {
	found := []any{}
	err := p.DB.Read(ctx, func(tx *db.Tx) error {
		charges, err := read(tx)
		for _, c := range charges {
			found = append(found, c.payment())
		}
		return err
	})
	return found, err
}
