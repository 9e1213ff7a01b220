package protocol

import (
	"encoding/json"
	"errors"
	"os"
	"testing"
)

// testdata/leaves.json contains the required verdict on each leaf: valid at the rates in force,
// wrong, not a leaf, or of a kind that only a newer verifier can check.
func TestLeafVectors(t *testing.T) {
	text, err := os.ReadFile("testdata/leaves.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Protocol string
		Leaves   []struct {
			Name, Text, Verdict string
			InForce             Rates
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if file.Protocol != "kaibao/v1" || len(file.Leaves) < 20 {
		t.Fatalf("protocol %q, %d leaves", file.Protocol, len(file.Leaves))
	}
	for _, v := range file.Leaves {
		if got := verdict([]byte(v.Text), v.InForce); got != v.Verdict {
			t.Errorf("%s: %s, want %s", v.Name, got, v.Verdict)
		}
	}
}

func verdict(text []byte, inForce Rates) string {
	leaf, err := ParseLeaf(text)
	if _, ok := errors.AsType[UnknownKindError](err); ok {
		return "newer"
	}
	if err != nil {
		return "no leaf"
	}
	err = CheckLeaf(leaf)
	if trade, ok := leaf.(TradeLeaf); ok {
		err = trade.Verify(inForce)
	}
	if err != nil {
		return "fault"
	}
	return "holds"
}
