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

// USDC is the mint of USD Coin on the main network; a million base units are a dollar.
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"

// tokenProgram is the SPL Token program. A mint of Token-2022 can take fees of a
// transfer or hook code into it, and USDC is none.
const tokenProgram = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"

// Commitment is how sure a node must be of what it answers.
type Commitment string

// The commitments: at Confirmed most stake has voted for it, and it can still be
// dropped; at Finalized it cannot.
const (
	Confirmed Commitment = "confirmed"
	Finalized Commitment = "finalized"
)

// Client asks a node. Its calls fail with apperr.Unavailable, whose text has no part of
// URL: that often holds a key.
type Client struct {
	URL  string
	HTTP *http.Client // nil = http.DefaultClient
}

// Transaction reads one at a commitment; nil = not there (yet). The node remembers
// confirmed ones that were dropped no more than others.
func (c *Client) Transaction(ctx context.Context, signature string, at Commitment) (*Transaction, error) {
	call := c.call("getTransaction", signature, map[string]any{
		"commitment": at, "encoding": "json", "maxSupportedTransactionVersion": 0,
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
		return nil, call.Failed(fmt.Errorf("the node refused with code %d", answer.Error.Code))
	case answer.Result == nil:
		return nil, call.Failed(errors.New("the answer has no result"))
	case string(bytes.TrimSpace(answer.Result)) == "null":
		return nil, nil
	}
	t, err := parse(answer.Result)
	if err == nil && t.Signature() != signature {
		err = errors.New("the answer is another transaction")
	}
	if err != nil {
		return nil, call.Failed(err)
	}
	return t, nil
}

func (c *Client) call(method string, params ...any) jsonclient.Call {
	return jsonclient.Call{
		Of: "The chain's node", For: method, Method: http.MethodPost, URL: c.URL,
		Body:   map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params},
		Hidden: keysIn(c.URL),
	}
}

// keysIn are the parts of an address that can be a key: of its path, its query, its
// password.
func keysIn(address string) []string {
	parts := strings.FieldsFunc(address, func(r rune) bool { return strings.ContainsRune("/:@?&=", r) })
	return slices.DeleteFunc(parts, func(part string) bool { return len(part) < 8 || strings.Contains(part, ".") })
}

// Transaction is what a transaction did to balances.
type Transaction struct {
	Slot   int64
	At     time.Time // of its block; zero when the node does not know
	Failed bool      // it changed nothing but took its fee, whatever its instructions say

	signature string
	signers   map[string]bool
	lamports  map[string]int64  // post − pre by account
	tokens    map[holding]int64 // post − pre by owner and mint, of the SPL Token program
}

type holding struct{ owner, mint string }

// Signature is the first signature, by which a transaction is known.
func (t *Transaction) Signature() string { return t.signature }

// Signed tells whether an account is among the signers.
func (t *Transaction) Signed(by string) bool { return t.signers[by] }

// Lamports is by how much the transaction changed an account's SOL, after − before.
func (t *Transaction) Lamports(owner string) int64 { return t.lamports[owner] }

// Tokens is by how much it changed what an owner has of a mint, in base units and
// after − before, over all accounts of theirs that the SPL Token program keeps.
func (t *Transaction) Tokens(owner, mint string) int64 { return t.tokens[holding{owner, mint}] }

// ParseSignature refuses what is not the base58 of exactly 64 bytes.
func ParseSignature(text string) error { return parseBytes(text, 64) }

// ParseAddress refuses what is not the base58 of exactly 32 bytes.
func ParseAddress(text string) error { return parseBytes(text, 32) }

func parseBytes(text string, size int) error {
	// Decoding takes the square of the length; no text of this size is longer.
	if len(text) <= size*3/2 {
		if raw, err := base58.Decode(text); err == nil && len(raw) == size {
			return nil
		}
	}
	return fmt.Errorf("must be base58 of exactly %d bytes", size)
}
