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

// ErrProof says that a webhook does not come from the provider.
var ErrProof = errors.New("the webhook is not signed by the provider")

// ErrNotice says that a webhook comes from the provider and cannot be read.
var ErrNotice = errors.New("the webhook names no transaction")

// Notice is what a webhook tells, once its proof was checked: that there is something
// to read. ID is transactionObject.id, by which repetitions are known.
type Notice struct{ Event, ID, Deposit, Signature string }

// Check verifies a webhook and parses it. The provider sends the shared token as bearer
// and the HMAC-SHA256 of the raw body under it, in hex, as X-Signature
// (https://docs.hel.io/reference/webhook/overview). Either missing, doubled or wrong is
// ErrProof; what is proved and names no transaction is ErrNotice.
func Check(token string, header http.Header, body []byte) (Notice, error) {
	if !proved(token, header, body) {
		return Notice{}, ErrProof
	}
	var told struct {
		Event       string `json:"event"`
		Transaction *entry `json:"transactionObject"` // "transaction" is the same once more, as text
	}
	if err := json.Unmarshal(body, &told); err != nil || told.Transaction == nil {
		return Notice{}, ErrNotice
	}
	n := Notice{Event: word(told.Event), ID: word(told.Transaction.ID)}
	if n.ID == "" {
		return Notice{}, ErrNotice
	}
	if m := told.Transaction.Meta; m != nil {
		n.Deposit, n.Signature = deposit(m.Customer.AdditionalJSON), word(m.Signature)
	}
	return n, nil
}

// proved compares in constant time. Without a token nothing is proved: an empty key is
// one that everybody knows.
func proved(token string, header http.Header, body []byte) bool {
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
