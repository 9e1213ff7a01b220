package solana_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"

	"kaibao/internal/apperr"
	"kaibao/internal/deposits/jsonclient/jsonclienttest"
	"kaibao/internal/deposits/solana"
)

const (
	payer         = "AWxggjuZRmWULwxwPeM6ZZxRtdDdekVq22mFRx2QbW7U"
	merchant      = "BfbvQP92h3HQ7a8h7gCnyRZPfkvUnEH9uW6VshgaFT9A"
	provider      = "7DHp2C9aZbY7UCHrCEkmpHLRrTik7sQt2ghpm2R6oXRU"
	cosigner      = "aJ4D1GmusW8Z2FUBfdvFH9uZJmGSGx92B7jZy9EQA2h"
	otherMint     = "H829T5dNMLZVT6TfS11tdqa5U8pDmf4Z5kPbWT1zk9pi"
	systemProgram = "11111111111111111111111111111111"

	legacy    = "pVQe5KHLTfBa5zQs1aN3SYx4mVZfNGjKsJB75tfTRjUEi5JVVfE2zLLCHjyM5Ynr4zLD4Wo4i1AyRewdkEWBwq7"
	versioned = "47R2NXuvLoQvmB6QbjBXn31bZ5PfoRju6qL8AG26XutQUtVBCm8qjCUgFgGPMwJN2dQEa4G6PPNADchyatDY5MC6"
)

func readTestdata(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func fetchTransaction(t *testing.T, answer, signature string) (*solana.Transaction, error) {
	t.Helper()
	return (&solana.Client{URL: jsonclienttest.Serve(t, 200, answer)}).Transaction(t.Context(), signature, solana.Finalized)
}

func TestLegacyTransaction(t *testing.T) {
	got, err := fetchTransaction(t, readTestdata(t, "legacy.json"), legacy)
	if err != nil {
		t.Fatal(err)
	}
	if got.Slot != 430 || got.At != time.Unix(1_795_342_361, 0).UTC() || got.Failed || got.Signature() != legacy {
		t.Errorf("transaction is %+v, want slot 430 in 2026, successful, with signature %s", got, legacy)
	}
	if got.Lamports(payer) != -20_629_999 || got.Lamports(merchant) != 20_624_999 || got.Lamports(systemProgram) != 0 || got.Lamports("nobody") != 0 {
		t.Errorf("lamport changes in %+v, want -20629999 for the payer, 20624999 for the merchant, 0 for others", got)
	}
	if !got.SignedBy(payer) || got.SignedBy(merchant) || got.SignedBy("nobody") || got.Tokens(merchant, solana.USDC) != 0 {
		t.Errorf("transaction is %+v, want the payer as only signer and no USDC for the merchant", got)
	}
}

func TestVersionedTransaction(t *testing.T) {
	got, err := fetchTransaction(t, readTestdata(t, "versioned.json"), versioned)
	if err != nil {
		t.Fatal(err)
	}
	for owner, want := range map[string]int64{payer: -25_000_000, merchant: 24_750_000, provider: 250_000, cosigner: 0} {
		if change := got.Tokens(owner, solana.USDC); change != want {
			t.Errorf("%s's USDC changes by %d, want %d", owner, change, want)
		}
	}
	if change := got.Tokens(payer, otherMint); change != -1 {
		t.Errorf("a token beyond 63 bits changes by %d", change)
	}
	if !got.SignedBy(payer) || !got.SignedBy(cosigner) || got.SignedBy(merchant) || got.Lamports(payer) != -2_049_280 || got.Lamports(merchant) != 0 {
		t.Errorf("transaction is %+v, want payer and cosigner as signers and a lamport change of -2049280 for the payer only", got)
	}
}

func TestRequests(t *testing.T) {
	var request string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		request = r.Method + string(body)
		_, _ = w.Write([]byte(`{"jsonrpc":"2.0","result":null,"id":1}`))
	}))
	defer s.Close()
	for _, at := range []solana.Commitment{solana.Confirmed, solana.Finalized} {
		got, err := (&solana.Client{URL: s.URL}).Transaction(t.Context(), legacy, at)
		if got != nil || err != nil {
			t.Errorf("a missing transaction is %+v, %v", got, err)
		}
		if want := fmt.Sprintf(`POST{"id":1,"jsonrpc":"2.0","method":"getTransaction","params":[%q,`+
			`{"commitment":%q,"encoding":"json","maxSupportedTransactionVersion":0}]}`, legacy, at); request != want {
			t.Errorf("requested %s, want %s", request, want)
		}
	}
}

// Old nodes omit fields, and new ones add fields.
func TestOptionalFieldsMayBeMissing(t *testing.T) {
	for name, change := range map[string]func(result, meta map[string]any){
		"no version, no loaded addresses": func(result, meta map[string]any) { delete(result, "version"); delete(meta, "loadedAddresses") },
		"no token balances":               func(_, meta map[string]any) { delete(meta, "preTokenBalances"); meta["postTokenBalances"] = nil },
		"a field more":                    func(result, _ map[string]any) { result["transactionIndex"] = 7 },
		"no time":                         func(result, _ map[string]any) { result["blockTime"] = nil },
		"a balance without an owner": func(_, meta map[string]any) {
			meta["postTokenBalances"] = []any{tokens("5", "programId", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")}
		},
		"a balance without a program": func(_, meta map[string]any) {
			meta["postTokenBalances"] = []any{tokens("5", "owner", merchant)}
		},
	} {
		got, err := fetchTransaction(t, withChange(t, change), legacy)
		if err != nil || got.Lamports(merchant) != 20_624_999 || got.Tokens(merchant, solana.USDC) != 0 || got.At.IsZero() != (name == "no time") {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	got, err := fetchTransaction(t, withChange(t, func(_, meta map[string]any) {
		meta["err"] = map[string]any{"InstructionError": []any{0, "InvalidArgument"}}
	}), legacy)
	if err != nil || !got.Failed {
		t.Errorf("a failed transaction is %+v, %v", got, err)
	}
	got, err = fetchTransaction(t, withChange(t, func(_, meta map[string]any) { meta["err"] = "AccountInUse" }), legacy)
	if err != nil || !got.Failed {
		t.Errorf("a transaction that failed with an error text is %+v, %v", got, err)
	}
}

func TestInvalidTransactionIsOutage(t *testing.T) {
	message := func(result map[string]any) map[string]any {
		return result["transaction"].(map[string]any)["message"].(map[string]any)
	}
	for name, change := range map[string]func(result, meta map[string]any){
		"no meta":        func(result, _ map[string]any) { result["meta"] = nil },
		"no transaction": func(result, _ map[string]any) { result["transaction"] = nil },
		"parsed keys": func(result, _ map[string]any) {
			message(result)["accountKeys"] = []any{map[string]any{"pubkey": payer}}
		},
		"a binary transaction": func(result, _ map[string]any) { result["transaction"] = []any{"AQ==", "base64"} },
		"another signature": func(result, _ map[string]any) {
			result["transaction"].(map[string]any)["signatures"] = []any{versioned}
		},
		"no signature":           func(result, _ map[string]any) { result["transaction"].(map[string]any)["signatures"] = []any{} },
		"no signers":             func(result, _ map[string]any) { message(result)["header"] = map[string]any{} },
		"more signers than keys": func(result, _ map[string]any) { message(result)["header"] = map[string]any{"numRequiredSignatures": 4} },
		"signers below zero": func(result, _ map[string]any) {
			message(result)["header"] = map[string]any{"numRequiredSignatures": -1}
		},
		"too few balances":       func(_, meta map[string]any) { meta["postBalances"] = []any{1, 2} },
		"too many balances":      func(_, meta map[string]any) { meta["preBalances"] = []any{1, 2, 3, 4} },
		"a balance with a point": func(_, meta map[string]any) { meta["preBalances"] = []any{1.5, 2, 3} },
		"an exponent":            func(_, meta map[string]any) { meta["preBalances"] = []any{json.RawMessage("1e3"), 2, 3} },
		"beyond 64 bits": func(_, meta map[string]any) {
			meta["preBalances"] = []any{json.RawMessage("18446744073709551616"), 2, 3}
		},
		"a loaded address more": func(_, meta map[string]any) { meta["loadedAddresses"] = map[string]any{"writable": []any{merchant}} },
		"tokens with a point":   func(_, meta map[string]any) { meta["preTokenBalances"] = []any{tokens("1.5", "owner", payer)} },
		"tokens below zero":     func(_, meta map[string]any) { meta["preTokenBalances"] = []any{tokens("-1", "owner", payer)} },
	} {
		got, err := fetchTransaction(t, withChange(t, change), legacy)
		if got != nil || !apperr.IsCode(err, apperr.Unavailable) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, answer := range []string{
		`{"jsonrpc":"2.0","id":1}`, `{"result":5}`, `{"result":"text"}`, `{"result":[]}`, `{"result":{}}`,
		`{"result":null,"error":{"code":-32015,"message":"Transaction version (1) is not supported"}}`, `{"error":{"code":-32005}}`, `{"error":{}}`,
	} {
		got, err := fetchTransaction(t, answer, legacy)
		if got != nil || !apperr.IsCode(err, apperr.Unavailable) {
			t.Errorf("%s: %+v, %v", answer, got, err)
		}
	}
}

func tokens(amount, field, value string) map[string]any {
	return map[string]any{"accountIndex": 1, "mint": solana.USDC, field: value, "uiTokenAmount": map[string]any{"amount": amount}}
}

// withChange returns legacy.json after a change.
func withChange(t *testing.T, change func(result, meta map[string]any)) string {
	t.Helper()
	var whole map[string]any
	decoder := json.NewDecoder(strings.NewReader(readTestdata(t, "legacy.json")))
	decoder.UseNumber()
	if err := decoder.Decode(&whole); err != nil {
		t.Fatal(err)
	}
	result := whole["result"].(map[string]any)
	change(result, result["meta"].(map[string]any))
	text, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestParse(t *testing.T) {
	of := func(size int, b byte) string { return base58.Encode([]byte(strings.Repeat(string(rune(b)), size))) }
	for _, text := range []string{of(64, 1), of(64, 0), of(64, 127), legacy, versioned} {
		if err := solana.ParseSignature(text); err != nil {
			t.Errorf("signature %q: %v", text, err)
		}
	}
	for _, text := range []string{of(32, 1), systemProgram, payer, merchant, solana.USDC} {
		if err := solana.ParseAddress(text); err != nil {
			t.Errorf("address %q: %v", text, err)
		}
	}
	for _, text := range []string{
		"", of(63, 1), of(65, 1), of(31, 1), of(33, 1), " " + legacy, legacy + "\n", legacy + " ", legacy[:40] + " " + legacy[40:], "0" + legacy[1:],
		"0x" + strings.Repeat("ab", 64), legacy + legacy, payer + "\x00", "中文", strings.Repeat("1", 10_000_000), payer + "l", "null",
	} {
		if solana.ParseSignature(text) == nil || solana.ParseAddress(text) == nil {
			t.Errorf("%.50q is accepted", text)
		}
	}
	if solana.ParseSignature(payer) == nil || solana.ParseAddress(legacy) == nil {
		t.Error("an address is accepted as a signature, or vice versa")
	}
}

func TestOutages(t *testing.T) {
	jsonclienttest.CheckOutages(t, "The Solana node", func(ctx context.Context, url string) error {
		_, err := (&solana.Client{URL: url + "/v2/KeyInThePath01234?api-key=KeyInTheQuery0123"}).Transaction(ctx, legacy, solana.Confirmed)
		return err
	}, "KeyInThePath01234", "KeyInTheQuery0123")
}
