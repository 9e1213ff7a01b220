// Package chaintest runs payments on a real Solana runtime (litesvm), for tests that read them.
package chaintest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Amounts in web/tools/payments.mjs.
const (
	Owed    int64 = 20_624_999 // lamports
	Dollars int64 = 24_750_000 // base units of USDC
	Fee     int64 = 5_000      // the network's fee per signature, in lamports
)

// At is the block time of all payments.
var At = time.Unix(1_800_000_000, 0).UTC()

// Chain is a Solana runtime with a node's JSON-RPC. Its payments are confirmed but not final.
// Addresses and Signatures use the names of the parties and payments in web/tools/payments.mjs.
type Chain struct {
	URL        string            `json:"url"`
	Addresses  map[string]string `json:"addresses"`
	Signatures map[string]string `json:"signatures"`
}

// Start runs a chain until the test ends. web is the path of the folder web.
func Start(t testing.TB, web string) Chain {
	t.Helper()
	if _, err := os.Stat(filepath.Join(web, "node_modules", "litesvm")); err != nil {
		t.Fatalf("the Solana runtime is not installed, run npm ci --prefix web: %v", err)
	}
	node := exec.CommandContext(t.Context(), "node", "tools/payments.mjs")
	node.Dir = web
	var stderr bytes.Buffer
	node.Stderr = &stderr
	input, err1 := node.StdinPipe() // closing it stops the runtime
	output, err2 := node.StdoutPipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if err := node.Start(); err != nil {
		t.Fatalf("node cannot be started: %v", err)
	}
	t.Cleanup(func() { _, _ = input.Close(), node.Wait() })
	line, err := bufio.NewReader(output).ReadBytes('\n')
	var c Chain
	if err != nil || json.Unmarshal(line, &c) != nil {
		t.Fatalf("the runtime did not start: %v\n%s%s", err, line, &stderr)
	}
	return c
}

// SetState changes the state of a payment: state is "finalize" or "drop".
func (c Chain) SetState(t testing.TB, state, payment string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": state, "params": []string{c.Signatures[payment]}})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post(c.URL, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
}
