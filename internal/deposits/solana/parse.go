package solana

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"
)

// rpcTransaction is a transaction in a node's format with encoding "json".
type rpcTransaction struct {
	Slot      int64  `json:"slot"`
	BlockTime *int64 `json:"blockTime"`
	Meta      *struct {
		Err    json.RawMessage `json:"err"` // null on success
		Pre    []int64         `json:"preBalances"`
		Post   []int64         `json:"postBalances"`
		Loaded struct {
			Writable []string `json:"writable"`
			Readonly []string `json:"readonly"`
		} `json:"loadedAddresses"` // legacy transactions have none
		PreTokens  []balance `json:"preTokenBalances"`
		PostTokens []balance `json:"postTokenBalances"`
	} `json:"meta"`
	Transaction struct {
		Signatures []string `json:"signatures"`
		Message    struct {
			Keys   []string `json:"accountKeys"`
			Header struct {
				Signers int `json:"numRequiredSignatures"`
			} `json:"header"`
		} `json:"message"`
	} `json:"transaction"`
}

// balance is the balance of a token account. Records of very old nodes lack owner and program; such
// balances count for nobody.
type balance struct {
	Mint    string `json:"mint"`
	Owner   string `json:"owner"`
	Program string `json:"programId"`
	Amount  struct {
		Units string `json:"amount"` // base units; uiAmount is a float
	} `json:"uiTokenAmount"`
}

var errInconsistent = errors.New("inconsistent transaction")

func parse(text []byte) (*Transaction, error) {
	var rpc rpcTransaction
	if json.Unmarshal(text, &rpc) != nil {
		return nil, errors.New("unreadable transaction")
	}
	message := rpc.Transaction.Message
	signers, signatures := message.Header.Signers, rpc.Transaction.Signatures
	if rpc.Meta == nil || rpc.Meta.Err == nil || signers < 1 || signers > len(message.Keys) || signers != len(signatures) {
		return nil, errInconsistent
	}
	t := &Transaction{Slot: rpc.Slot, Failed: string(rpc.Meta.Err) != "null", signature: signatures[0], signers: map[string]bool{}}
	if rpc.BlockTime != nil {
		t.At = time.Unix(*rpc.BlockTime, 0).UTC()
	}
	for _, key := range message.Keys[:signers] {
		t.signers[key] = true
	}
	var err1, err2 error
	t.lamports, err1 = rpc.lamports()
	t.tokens, err2 = rpc.tokens()
	return t, errors.Join(err1, err2)
}

// lamports returns the balance changes by account. Balances are ordered like the keys: first the
// message's keys, then those loaded from lookup tables.
func (t *rpcTransaction) lamports() (map[string]int64, error) {
	m := t.Meta
	keys := slices.Concat(t.Transaction.Message.Keys, m.Loaded.Writable, m.Loaded.Readonly)
	if len(m.Pre) != len(keys) || len(m.Post) != len(keys) {
		return nil, errInconsistent
	}
	changes := make(map[string]int64, len(keys))
	for i, key := range keys {
		changes[key] += m.Post[i] - m.Pre[i]
	}
	return changes, nil
}

// tokens returns the balance changes by owner and mint. Accounts opened by the transaction are
// missing before, closed ones after. Amounts are unsigned 64-bit integers; with a supply below
// 2^63, the wrapping differences are correct.
func (t *rpcTransaction) tokens() (map[holding]int64, error) {
	changes := map[holding]int64{}
	for _, side := range []struct {
		balances []balance
		sign     int64
	}{{t.Meta.PreTokens, -1}, {t.Meta.PostTokens, 1}} {
		for _, b := range side.balances {
			units, err := strconv.ParseUint(b.Amount.Units, 10, 64)
			if err != nil {
				return nil, errInconsistent
			}
			if b.Program == tokenProgram {
				changes[holding{b.Owner, b.Mint}] += side.sign * int64(units)
			}
		}
	}
	return changes, nil
}
