package sandbox

import (
	_ "embed"
	"errors"
	"net/http"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
)

//go:embed embed.js
var script []byte

// Routes registers the routes for the payer's browser: the embed script, the charge and the actions on
// it. As with the real provider, the charge's token is enough to pay it. The routes aren't in the
// API description, since installations with real payments don't have them.
func (p *Provider) Routes(api *httpapi.API) {
	api.Raw(httpapi.Get(httpapi.Public, Embed, "", "").Foreign(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpcache.Current(w, r, "text/javascript; charset=utf-8", script)
	}))
	api.Raw(httpapi.Get(httpapi.Public, "/sandbox/charges/{token}", "", "").Foreign(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, at, err := p.loadCharge(r.Context(), r.PathValue("token"))
		if err != nil {
			api.Fail(w, r, payerError(err))
			return
		}
		writeJSON(w, http.StatusOK, map[string]any{
			"amountCents": c.amount, "lamports": c.lamports, "expired": !at.Before(c.expiresAt), "payment": c.payment(),
		})
	}))
	api.Raw(httpapi.Post(httpapi.Public, "/sandbox/charges/{token}/{act}", "", "").Foreign(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var c charge
		err := p.DB.InTx(r.Context(), func(tx *db.Tx) (err error) {
			c, err = p.performAction(tx, r.PathValue("token"), payerAction(r.PathValue("act")))
			return err
		})
		if err != nil {
			api.Fail(w, r, payerError(err))
			return
		}
		writeJSON(w, http.StatusOK, c.payment())
	}))
}

// payerError converts a provider error to one of our own.
func payerError(err error) error {
	if errors.Is(err, errNotFound) || errors.Is(err, db.ErrNoRow) {
		return errNoCharge
	}
	return err
}

// performAction performs a payer's action and queues the webhooks for the merchant.
func (p *Provider) performAction(tx *db.Tx, token string, a payerAction) (charge, error) {
	behavior := p.Behavior()
	before, err := findCharge(tx, token, tx.ForUpdate())
	if err != nil {
		return charge{}, err
	}
	c, err := before.applyAction(tx, a, behavior)
	if err != nil || c.state == before.state {
		return c, err
	}
	if err := updateCharge(tx, c); err != nil || c.state != paid {
		return c, err
	}
	return c, insertWebhooks(tx, c.token, behavior.WebhookCopies, tx.Now.Add(behavior.WebhookDelay))
}
