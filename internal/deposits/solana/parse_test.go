package solana

import (
	"encoding/json"
	"os"
	"testing"
)

// Any response is rejected or yields a transaction with a signature and signers.
func FuzzParse(f *testing.F) {
	for _, file := range []string{"legacy.json", "versioned.json"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		var answer struct {
			Result json.RawMessage `json:"result"`
		}
		if err := json.Unmarshal(text, &answer); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(answer.Result))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := parse(text)
		if err == nil && (len(got.signers) == 0 || got.lamports == nil || got.tokens == nil) {
			t.Errorf("parsed without an error to %+v, want signers and both balance maps", got)
		}
	})
}
