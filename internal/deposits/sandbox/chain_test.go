package sandbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"

	"kaibao/internal/deposits/sandbox"
)

// chainTransaction is a transaction in a node's format.
type chainTransaction struct {
	BlockTime int64
	Meta      struct {
		Err                       any
		PreBalances, PostBalances []int64
	}
	Transaction struct {
		Signatures []string
		Message    struct {
			AccountKeys []string
			Header      struct{ NumRequiredSignatures int }
		}
	}
}

// balanceChange returns the change of an account's balance.
func (c *chainTransaction) balanceChange(account string) (lamports int64) {
	for i, key := range c.Transaction.Message.AccountKeys {
		if key == account {
			lamports += c.Meta.PostBalances[i] - c.Meta.PreBalances[i]
		}
	}
	return lamports
}

func (w *testProvider) transaction(signature, commitment string) (found *chainTransaction) {
	w.Helper()
	var reply struct {
		Result *chainTransaction
		Error  any
	}
	w.request("POST", "/rpc", `{"jsonrpc":"2.0","id":1,"method":"getTransaction","params":["`+signature+
		`",{"commitment":"`+commitment+`","encoding":"json","maxSupportedTransactionVersion":0}]}`, &reply)
	if reply.Error != nil {
		w.Fatalf("the chain refused: %v", reply.Error)
	}
	return reply.Result
}

// A payment is on the chain immediately and final two seconds later, by the database's clock.
func TestFinalityDelays(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		signature := w.pay(w.charge("deposit-1", "25")).Meta.TransactionSignature
		if bytes, err := base58.Decode(signature); err != nil || len(bytes) != 64 {
			t.Errorf("signature %s", signature)
		}
		if w.transaction(signature, "confirmed") == nil || w.transaction(signature, "finalized") != nil {
			t.Error("the payment must be confirmed immediately, but not final")
		}
		w.clock.Advance(2*time.Second - time.Microsecond)
		if w.transaction(signature, "finalized") != nil {
			t.Error("the payment is final too early")
		}
		w.clock.Advance(time.Microsecond)
		if w.transaction(signature, "finalized") == nil {
			t.Error("the payment is not final after two seconds")
		}
		slow := sandbox.DefaultBehavior()
		slow.ConfirmDelay, slow.FinalizeDelay = time.Minute, time.Hour
		w.setBehavior(slow)
		if w.transaction(signature, "confirmed") != nil {
			t.Error("ConfirmDelay has no effect")
		}
	})
}

func TestChainBalances(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		for name, c := range map[string]struct {
			more     int64
			act      string
			merchant int64
			failed   bool
		}{
			"the amount owed": {0, "pay", 132056345, false},
			"a lamport less":  {-1, "pay", 132056344, false},
			"a lamport more":  {1, "pay", 132056346, false},
			"nothing, failed": {0, "fail", 0, true},
		} {
			behavior := sandbox.DefaultBehavior()
			behavior.ExtraLamports, behavior.FinalizeDelay = c.more, 0
			w.setBehavior(behavior)
			_, created := w.performAction(w.charge("deposit-1", "25.00"), c.act)
			tx := w.transaction(created.Meta.TransactionSignature, "finalized")
			if tx == nil {
				t.Fatalf("%s is not on the chain", name)
			}
			if got := tx.balanceChange(sandbox.Treasury); got != c.merchant || (tx.Meta.Err != nil) != c.failed {
				t.Errorf("%s: %d lamports for the merchant, %v", name, got, tx.Meta.Err)
			}
			keys := tx.Transaction.Message
			if tx.Transaction.Signatures[0] != created.Meta.TransactionSignature || keys.Header.NumRequiredSignatures != 1 || keys.AccountKeys[0] != created.Meta.SenderPK {
				t.Errorf("%s: signed by %s", name, keys.AccountKeys[0])
			}
			var sum int64
			for _, key := range keys.AccountKeys {
				if bytes, err := base58.Decode(key); err != nil || len(bytes) != 32 {
					t.Errorf("%s is no address", key)
				}
				sum += tx.balanceChange(key)
			}
			if sum != -5000 || tx.BlockTime != w.clock.Now().Unix() {
				t.Errorf("%s: all gained %d at %d, want -5000, the network's fee", name, sum, tx.BlockTime)
			}
		}
	})
}

func TestMissingTransactions(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testProvider) {
		_, left := w.performAction(w.charge("deposit-1", "5"), "pend")
		w.clock.Advance(time.Hour)
		for name, signature := range map[string]string{
			"left pending": left.Meta.TransactionSignature, "unknown": base58.Encode([]byte(strings.Repeat("x", 64))),
		} {
			if tx := w.transaction(signature, "confirmed"); tx != nil {
				t.Errorf("%s: %+v", name, tx)
			}
		}
		for params, code := range map[string]int{
			`"method":"getTransaction","params":["abc",{"encoding":"json"}]`:                                                     -32602,
			`"method":"getTransaction","params":["` + left.Meta.TransactionSignature + `",{"encoding":"base64"}]`:                -32602,
			`"method":"getTransaction","params":["` + left.Meta.TransactionSignature + `",{"encoding":"json","commitment":"x"}]`: -32602,
			`"method":"getTransaction","params":{}`:                                                                              -32602,
			`"method":"sendTransaction"`:                                                                                         -32601,
			`"method":`:                                                                                                          -32700,
		} {
			var reply struct{ Error struct{ Code int } }
			w.request("POST", "/rpc", `{"jsonrpc":"2.0","id":1,`+params+`}`, &reply)
			if reply.Error.Code != code {
				t.Errorf("%s: %d, want %d", params, reply.Error.Code, code)
			}
		}
	})
}

func TestPriceSourcesAgree(t *testing.T) {
	w := newTestProvider(t, "sqlite")
	var gecko struct {
		Solana struct {
			USD     json.Number
			Updated int64 `json:"last_updated_at"`
		}
	}
	var jupiter map[string]struct{ USDPrice json.Number }
	w.request("GET", "/api/v3/simple/price?ids=solana&vs_currencies=usd", "", &gecko)
	w.request("GET", "/price/v3?ids=So11111111111111111111111111111111111111112", "", &jupiter)
	if want := json.Number(sandbox.Price.String()); gecko.Solana.USD != want || gecko.Solana.Updated != w.clock.Now().Unix() || jupiter["So11111111111111111111111111111111111111112"].USDPrice != want {
		t.Errorf("%v and %v, want %s", gecko, jupiter, want)
	}
}

// A sandbox can reach only its fake provider, and a call ends with its context.
func TestTransportReachesOnlySandbox(t *testing.T) {
	w := newTestProvider(t, "sqlite")
	client := http.Client{Transport: sandbox.Transport(w.Provider)}
	get := func(ctx context.Context, address string) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(r)
		if err == nil {
			_ = answer.Body.Close()
		}
		return err
	}
	if err := get(t.Context(), "https://api.hel.io/v1/charge/x"); err == nil {
		t.Error("the request left the sandbox")
	}
	silent := sandbox.DefaultBehavior()
	silent.Override = func(_ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true }
	w.setBehavior(silent)
	ctx, leave := context.WithCancel(t.Context())
	leave()
	if err := get(ctx, sandbox.URL+"/v1/charge/x"); !errors.Is(err, context.Canceled) {
		t.Errorf("the canceled call returned %v", err)
	}
}
