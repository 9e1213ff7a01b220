package sandbox

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/mr-tron/base58"

	"kaibao/internal/db"
)

// Accounts on the fake chain other than the merchant's.
const (
	feeAccount    = "SandboxFees11111111111111111111111111111111" // receives the provider's fee
	systemProgram = "11111111111111111111111111111111"
	blockhash     = "SandboxB1ockhash111111111111111111111111111"

	networkFee     = 5000          // in lamports, paid by the payer even if the transaction fails
	initialBalance = 1_000_000_000 // initial balance of an account, in lamports
	slotMillis     = 400
)

// registerChain registers the only supported RPC call.
func (p *Provider) registerChain() { p.paths.HandleFunc("POST /rpc", p.serveRPC) }

// rpcError is a JSON-RPC error (JSON-RPC 2.0, 5.1).
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return e.Message }

var (
	errMethodNotFound = &rpcError{-32601, "Method not found"}
	errBadParams      = &rpcError{-32602, "Invalid params: a signature, then {commitment, encoding: json, maxSupportedTransactionVersion}"}
	errUnavailable    = &rpcError{-32603, "Internal error"}
)

func (p *Provider) serveRPC(w http.ResponseWriter, r *http.Request) {
	var call struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	reply := map[string]any{"jsonrpc": "2.0"}
	result, err := any(nil), error(&rpcError{-32700, "Parse error"})
	if json.NewDecoder(r.Body).Decode(&call) == nil {
		reply["id"] = call.ID
		result, err = nil, errMethodNotFound
		if call.Method == "getTransaction" {
			result, err = p.getTransaction(r, call.Params)
		}
	}
	if err == nil {
		reply["result"] = result
	} else {
		rpcErr := errUnavailable
		_ = errors.As(err, &rpcErr)
		reply["error"] = rpcErr
	}
	writeJSON(w, http.StatusOK, reply)
}

// getTransaction implements https://solana.com/docs/rpc/http/gettransaction. It returns nil if the
// chain doesn't have the transaction yet.
func (p *Provider) getTransaction(r *http.Request, params json.RawMessage) (any, error) {
	var signature string
	var options struct{ Commitment, Encoding string }
	if err := json.Unmarshal(params, &[]any{&signature, &options}); err != nil || options.Encoding != "json" {
		return nil, errBadParams
	}
	after, ok := map[string]time.Duration{
		"confirmed": p.Behavior().ConfirmDelay, "finalized": p.Behavior().FinalizeDelay, "": p.Behavior().FinalizeDelay,
	}[options.Commitment]
	if bytes, err := base58.Decode(signature); err != nil || len(bytes) != 64 || !ok {
		return nil, errBadParams
	}
	var found any
	err := p.DB.Peek(r.Context(), func(tx *db.Tx) error {
		charges, err := chargesBySignature(tx, signature)
		for _, c := range charges {
			if c.state != pending && !tx.Now.Before(c.actedAt.Add(after)) {
				found = c.chainTransaction()
			}
		}
		return err
	})
	return found, err
}

// chainTransaction returns the charge's transaction in a node's format: the payer pays the merchant and the
// provider, or the transaction fails and costs only the network fee.
func (c charge) chainTransaction() map[string]any {
	toMerchant, fee, failure, status := c.receivedLamports-c.fee(), c.fee(), any(nil), map[string]any{"Ok": nil}
	if c.state == failed {
		failure = map[string]any{"InstructionError": []any{0, map[string]any{"Custom": 1}}}
		toMerchant, fee, status = 0, 0, map[string]any{"Err": failure}
	}
	before := initialBalance + c.lamports + networkFee
	return map[string]any{
		"blockTime": c.actedAt.Unix(), "slot": c.actedAt.UnixMilli() / slotMillis, "version": "legacy",
		"meta": map[string]any{
			"err": failure, "status": status, "fee": networkFee, "computeUnitsConsumed": 300,
			"preBalances":      []int64{before, initialBalance, initialBalance, 1},
			"postBalances":     []int64{before - networkFee - toMerchant - fee, initialBalance + toMerchant, initialBalance + fee, 1},
			"preTokenBalances": []any{}, "postTokenBalances": []any{}, "innerInstructions": []any{},
			"loadedAddresses": map[string]any{"readonly": []any{}, "writable": []any{}}, "logMessages": []any{}, "rewards": []any{},
		},
		"transaction": map[string]any{
			"signatures": []string{c.signature},
			"message": map[string]any{
				"accountKeys":     []string{c.payer, Treasury, feeAccount, systemProgram},
				"header":          map[string]any{"numRequiredSignatures": 1, "numReadonlySignedAccounts": 0, "numReadonlyUnsignedAccounts": 1},
				"recentBlockhash": blockhash,
				"instructions":    []any{},
			},
		},
	}
}
