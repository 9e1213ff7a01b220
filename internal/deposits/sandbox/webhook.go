package sandbox

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/jobs"
)

const (
	maxTries     = 12 // like the provider
	firstBackoff = 5 * time.Second
	lastBackoff  = 10 * time.Minute
	// tryTimeout is less than the first backoff, so that a webhook is never sent twice
	// concurrently.
	tryTimeout = 4 * time.Second
)

// webhook is a queued webhook. Its content is the charge at the time of sending.
type webhook struct {
	id, token string
	tries     int64 // including the current one
}

// backoff returns the delay after a number of tries.
func backoff(tries int64) time.Duration {
	return min(firstBackoff<<min(tries-1, 10), lastBackoff)
}

// Jobs returns the job that sends webhooks.
func (p *Provider) Jobs() []jobs.Job {
	return []jobs.Job{{Name: "sandbox webhooks", Every: 500 * time.Millisecond, Limit: time.Minute, Do: func(ctx context.Context) (int64, error) {
		return 0, p.sendAll(ctx)
	}}}
}

// sendAll sends the due webhooks one by one. A failed one is retried later.
func (p *Provider) sendAll(ctx context.Context) error {
	var failures []error
	for {
		h, c, err := p.claimWebhook(ctx)
		if errors.Is(err, db.ErrNoRow) {
			return errors.Join(failures...)
		}
		if err != nil {
			return errors.Join(append(failures, err)...)
		}
		if err := p.send(ctx, c); err != nil {
			failures = append(failures, fmt.Errorf("try %d of %d: %w", h.tries, maxTries, err))
			continue
		}
		if err := p.DB.InTx(ctx, func(tx *db.Tx) error { return deleteWebhook(tx, h.id) }); err != nil {
			return errors.Join(append(failures, err)...)
		}
	}
}

// claimWebhook returns a due webhook and postpones it by its backoff, so that another node retries it
// if this one dies. It writes nothing if none is due.
func (p *Provider) claimWebhook(ctx context.Context) (h webhook, c charge, err error) {
	newest := p.Behavior().NewestWebhookFirst
	if err := p.DB.Peek(ctx, func(tx *db.Tx) error { _, err := nextDueWebhook(tx, newest, ""); return err }); err != nil {
		return h, c, err
	}
	err = p.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		h, err = nextDueWebhook(tx, newest, tx.ForUpdateSkipLocked())
		if err != nil {
			return err
		}
		h.tries++
		if err := postponeWebhook(tx, h, tx.Now.Add(backoff(h.tries))); err != nil {
			return err
		}
		c, err = findCharge(tx, h.token, "")
		return err
	})
	return h, c, err
}

// send posts a webhook to this server, as Helio does to a merchant, with Helio's two proofs
// (https://docs.hel.io/reference/webhook/overview).
func (p *Provider) send(ctx context.Context, c charge) error {
	ctx, end := context.WithTimeout(ctx, tryTimeout)
	defer end()
	body, err := c.webhookBody()
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.Webhook, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+Token)
	r.Header.Set("X-Signature", signBody(body))
	answer, err := p.HTTP.Do(r)
	if err != nil {
		return err
	}
	_, _ = io.CopyN(io.Discard, answer.Body, 1<<16)
	if err := answer.Body.Close(); err != nil {
		return err
	}
	if answer.StatusCode/100 != 2 {
		return fmt.Errorf("the webhook's receiver responded with status %d", answer.StatusCode)
	}
	return nil
}

func signBody(body []byte) string {
	mac := hmac.New(sha256.New, []byte(Token))
	_, _ = mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// webhookBody returns the body of a webhook: the transaction as an object and as a string.
func (c charge) webhookBody() ([]byte, error) {
	transaction, err := json.Marshal(c.payment())
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{
		"event": "CREATED", "chargeToken": c.token, "transaction": string(transaction), "transactionObject": json.RawMessage(transaction),
	})
}
