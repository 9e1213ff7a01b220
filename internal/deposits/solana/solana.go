// Package solana reads transactions from a Solana JSON-RPC node
// (https://solana.com/docs/rpc/http/gettransaction) and returns how much they changed an account.
// It compares the balances before and after and ignores instructions: however the money moved, the
// difference is what the account received.
package solana

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mr-tron/base58"

	"kaibao/internal/deposits/jsonclient"
)

// USDC is the mint of USD Coin on mainnet; one dollar is a million base units.
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

// tokenProgram is the SPL Token program. Token-2022 is not accepted: its mints can charge transfer
// fees or run hooks. USDC is an SPL token.
const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"

// Commitment is the confirmation level that a transaction must have reached.
type Commitment string

// The commitments. A confirmed transaction has the votes of most stake but can still be dropped; a
// finalized one can't.
const (
	Confirmed Commitment = "confirmed"
	Finalized Commitment = "finalized"
)

// Client queries a node. Failures are apperr.Unavailable and never contain the URL, which often
// holds a key.
type Client struct {
	URL  string
	HTTP *http.Client // nil = http.DefaultClient
}

// Transaction returns a transaction at a commitment, or nil if it isn't there (yet). Nodes forget
// confirmed transactions that were dropped.
func (c *Client) Transaction(ctx context.Context, signature string, commitment Commitment) (*Transaction, error) {
	call := c.call("getTransaction", signature, map[string]any{
		"commitment": commitment, "encoding": "json", "maxSupportedTransactionVersion": 0,
	})
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Code int `json:"code"`
		} `json:"error"`
	}
	if err := call.Do(ctx, c.HTTP, &answer); err != nil {
		return nil, err
	}
	switch {
	case answer.Error != nil:
		return nil, call.Failed(fmt.Errorf("node returned error code %d", answer.Error.Code))
	case answer.Result == nil:
		return nil, call.Failed(errors.New("response without a result"))
	case string(bytes.TrimSpace(answer.Result)) == "null":
		return nil, nil
	}
	t, err := parse(answer.Result)
	if err == nil && t.Signature() != signature {
		err = errors.New("response for another transaction")
	}
	if err != nil {
		return nil, call.Failed(err)
	}
	return t, nil
}

func (c *Client) call(method string, params ...any) jsonclient.Call {
	return jsonclient.Call{
		Service: "The Solana node", Purpose: method, Method: http.MethodPost, URL: c.URL,
		Body:    map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params},
		Secrets: secretsInURL(c.URL),
	}
}

// secretsInURL returns the parts of a URL that may be keys: of its path, query and password.
func secretsInURL(address string) []string {
	parts := strings.FieldsFunc(address, func(r rune) bool { return strings.ContainsRune("/:@?&=", r) })
	return slices.DeleteFunc(parts, func(part string) bool { return len(part) < 8 || strings.Contains(part, ".") })
}

// Transaction is a transaction's effect on balances.
type Transaction struct {
	Slot   int64
	At     time.Time // block time; zero if unknown
	Failed bool      // then only the fee was paid

	signature string
	signers   map[string]bool
	lamports  map[string]int64  // post − pre by account
	tokens    map[holding]int64 // post − pre by owner and mint, SPL Token program only
}

type holding struct{ owner, mint string }

// Signature returns the first signature, which identifies the transaction.
func (t *Transaction) Signature() string { return t.signature }

// SignedBy reports whether an account signed the transaction.
func (t *Transaction) SignedBy(account string) bool { return t.signers[account] }

// Lamports returns the change of an account's SOL balance, after − before.
func (t *Transaction) Lamports(owner string) int64 { return t.lamports[owner] }

// Tokens returns the change of an owner's balance of a mint in base units, after − before, over all
// of their SPL Token accounts.
func (t *Transaction) Tokens(owner, mint string) int64 { return t.tokens[holding{owner, mint}] }

// ParseSignature returns an error unless text is base58 of exactly 64 bytes.
func ParseSignature(text string) error { return parseBytes(text, 64) }

// ParseAddress returns an error unless text is base58 of exactly 32 bytes.
func ParseAddress(text string) error { return parseBytes(text, 32) }

func parseBytes(text string, size int) error {
	// Decoding is quadratic in the length, and no valid text is longer.
	if len(text) <= size*3/2 {
		if raw, err := base58.Decode(text); err == nil && len(raw) == size {
			return nil
		}
	}
	return fmt.Errorf("must be base58 of exactly %d bytes", size)
}
