package helio

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
)

// ErrInvalidProof means that a webhook isn't signed by the provider.
var ErrInvalidProof = errors.New("webhook not signed by the provider")

// ErrInvalidNotice means that a signed webhook can't be parsed.
var ErrInvalidNotice = errors.New("webhook without a transaction")

// Notice is the content of a verified webhook about a payment. ID is transactionObject.id; duplicates
// have the same one.
type Notice struct{ Event, ID, Deposit, Signature string }

// VerifyWebhook verifies and parses a webhook. The provider sends the shared token as a bearer
// token and, in X-Signature, the HMAC-SHA256 of the raw body in hex
// (https://docs.hel.io/reference/webhook/overview). If either is missing, repeated or wrong, it
// returns ErrInvalidProof; if a signed webhook contains no transaction, ErrInvalidNotice.
func VerifyWebhook(token string, header http.Header, body []byte) (Notice, error) {
	if !proofsValid(token, header, body) {
		return Notice{}, ErrInvalidProof
	}
	var payload struct {
		Event       string       `json:"event"`
		Transaction *paymentJSON `json:"transactionObject"` // "transaction" is the same as a string
	}
	if err := json.Unmarshal(body, &payload); err != nil || payload.Transaction == nil {
		return Notice{}, ErrInvalidNotice
	}
	n := Notice{Event: sanitizeID(payload.Event), ID: sanitizeID(payload.Transaction.ID)}
	if n.ID == "" {
		return Notice{}, ErrInvalidNotice
	}
	if m := payload.Transaction.Meta; m != nil {
		n.Deposit, n.Signature = depositID(m.Customer.AdditionalJSON), sanitizeID(m.Signature)
	}
	return n, nil
}

// proofsValid verifies both proofs in constant time. With an empty token it returns false: anyone
// knows the empty key.
func proofsValid(token string, header http.Header, body []byte) bool {
	bearer, signature := header.Values("Authorization"), header.Values("X-Signature")
	if token == "" || len(bearer) != 1 || len(signature) != 1 {
		return false
	}
	sum, err := hex.DecodeString(signature[0])
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write(body)
	known := subtle.ConstantTimeCompare([]byte(bearer[0]), []byte("Bearer "+token)) == 1
	return known && err == nil && hmac.Equal(sum, mac.Sum(nil))
}
