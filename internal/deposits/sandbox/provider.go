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

// registerPayments registers Helio's endpoints (https://docs.hel.io/reference).
func (p *Provider) registerPayments() {
	p.paths.HandleFunc("POST /v1/charge/api-key", requireKeys(p.createCharge))
	p.paths.HandleFunc("GET /v1/charge/{token}", p.serveCharge)
	p.paths.HandleFunc("GET /v1/transactions/signature/{signature}", requireKeys(func(r *http.Request) (any, error) {
		return p.payments(r.Context(), func(tx *db.Tx) ([]charge, error) { return chargesBySignature(tx, r.PathValue("signature")) })
	}))
	p.paths.HandleFunc("GET /v1/paylink/{id}/transactions", requireKeys(p.listPayments))
}

var (
	errUnknownKey    = &providerError{http.StatusUnauthorized, "Unauthorized"}
	errInvalidCharge = &providerError{http.StatusBadRequest, "The charge needs the pay link, an amount in USD, an expiry and the deposit's id."}
	errInvalidTimes  = &providerError{http.StatusBadRequest, "from and to must be times (ISO 8601)."}
	errNotFound      = &providerError{http.StatusNotFound, "Not found"}
)

// requireKeys requires the secret and, if the request has an API key, the right one.
func requireKeys(handle func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if key := r.URL.Query().Get("apiKey"); r.Header.Get("Authorization") != "Bearer "+Secret || key != "" && key != PublicKey {
			writeError(w, errUnknownKey)
			return
		}
		value, err := handle(r)
		if err != nil {
			writeError(w, err)
			return
		}
		writeJSON(w, http.StatusOK, value)
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
	amount, amountErr := money.Parse(r.RequestAmount)
	if err := errors.Join(amountErr, json.Unmarshal([]byte(r.PrepareRequestBody.CustomerDetails.AdditionalJSON), &additional)); err != nil {
		return c, errInvalidCharge
	}
	const maxCents = 1e9 // far above any deposit; its lamports still fit into int64
	if r.PaymentRequestID != Paylink || amount <= 0 || amount > maxCents || additional.DepositID == "" || r.ExpiresAt.IsZero() {
		return c, errInvalidCharge
	}
	return charge{depositID: additional.DepositID, amount: amount, lamports: lamportsFor(amount), expiresAt: r.ExpiresAt, state: open}, nil
}

func (p *Provider) createCharge(r *http.Request) (any, error) {
	var request chargeRequest
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		return nil, errInvalidCharge
	}
	c, err := request.charge()
	if err != nil {
		return nil, err
	}
	err = p.DB.InTx(r.Context(), func(tx *db.Tx) error {
		c.id, c.token, c.createdAt = objectID(tx), tx.NewID(), tx.Now
		return insertCharge(tx, c)
	})
	return map[string]any{"id": c.id, "pageUrl": URL + "/charge/" + c.token}, err
}

// serveCharge returns a charge to anyone with its token, like Helio. Amounts are in millionths of a
// dollar, and customerDetails is omitted.
func (p *Provider) serveCharge(w http.ResponseWriter, r *http.Request) {
	c, _, err := p.loadCharge(r.Context(), r.PathValue("token"))
	if err != nil {
		writeError(w, err)
		return
	}
	payment := c.payment()
	if payment != nil {
		delete(payment["meta"].(map[string]any), "customerDetails")
	}
	dollars := formatInt(int64(c.amount) * 10_000)
	writeJSON(w, http.StatusOK, map[string]any{
		"id": c.id, "token": c.token, "currencySymbol": "SOL", "requestAmount": dollars, "usdcAmount": dollars,
		"prepareRequestBody": map[string]any{"currency": "USD", "amount": dollars, "quantity": 1},
		"createdAt":          timestamp(c.createdAt), "expiresAt": timestamp(c.expiresAt),
		"paylink":   map[string]any{"id": Paylink, "dynamic": true, "name": "Play Points"},
		"paylinkTx": payment,
	})
}

// loadCharge returns a charge and the time of the read.
func (p *Provider) loadCharge(ctx context.Context, token string) (c charge, at time.Time, err error) {
	err = p.DB.Peek(ctx, func(tx *db.Tx) (err error) {
		at = tx.Now
		c, err = findCharge(tx, token, "")
		return err
	})
	if errors.Is(err, db.ErrNoRow) {
		err = errNotFound
	}
	return c, at, err
}

func (p *Provider) listPayments(r *http.Request) (any, error) {
	from, err1 := time.Parse(time.RFC3339, r.URL.Query().Get("from"))
	to, err2 := time.Parse(time.RFC3339, r.URL.Query().Get("to"))
	switch {
	case r.PathValue("id") != Paylink:
		return nil, errNotFound
	case err1 != nil || err2 != nil:
		return nil, errInvalidTimes
	}
	return p.payments(r.Context(), func(tx *db.Tx) ([]charge, error) { return chargesBetween(tx, from, to) })
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
