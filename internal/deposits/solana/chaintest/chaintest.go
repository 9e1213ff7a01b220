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

// What is paid, as web/tools/payments.mjs does it.
const (
	Owed    int64 = 20_624_999 // lamports
	Dollars int64 = 24_750_000 // base units of USDC
	Fee     int64 = 5_000      // lamports that the network takes for a signature
)

// At is when the blocks of all payments were made.
var At = time.Unix(1_800_000_000, 0).UTC()

// Chain is a runtime behind a node's JSON-RPC, with payments on it that have been
// confirmed and are not final. Addresses are of who is part of them, signatures of what
// was done, both by names of web/tools/payments.mjs.
type Chain struct {
	URL        string            `json:"url"`
	Addresses  map[string]string `json:"addresses"`
	Signatures map[string]string `json:"signatures"`
}

// Start runs a chain until the test ends. It is given the path of the folder web.
func Start(t testing.TB, web string) Chain {
	t.Helper()
	if _, err := os.Stat(filepath.Join(web, "node_modules", "litesvm")); err != nil {
		t.Fatalf("the Solana runtime is not installed, run npm ci --prefix web: %v", err)
	}
	node := exec.CommandContext(t.Context(), "node", "tools/payments.mjs")
	node.Dir = web
	var said bytes.Buffer
	node.Stderr = &said
	input, err1 := node.StdinPipe() // it ends when this does
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
		t.Fatalf("the runtime did not begin: %v\n%s%s", err, line, &said)
	}
	return c
}

// Do has the rest of the chain go on: "finalize" or "drop" a payment.
func (c Chain) Do(t testing.TB, method, payment string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": []string{c.Signatures[payment]}})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post(c.URL, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
}
