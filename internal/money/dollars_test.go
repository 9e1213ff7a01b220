package money

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

func TestDollarsJSON(t *testing.T) {
	for amount, want := range map[Dollars]string{
		0: "0", 1: "0.01", 10: "0.1", 100: "1", 2500: "25", 12550: "125.5", 100000: "1000", -5: "-0.05", -10000: "-100",
	} {
		got, err := json.Marshal(amount)
		if err != nil || string(got) != want {
			t.Errorf("Marshal(%d) = %s, %v; want %s", int64(amount), got, err, want)
		}
	}
	for text, want := range map[string]Dollars{
		`25`: 2500, `25.10`: 2510, `"25.10"`: 2510, `-3.5`: -350, `0`: 0, `"0.01"`: 1,
	} {
		var got Dollars
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("Unmarshal(%s) = %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestDollarsRefuses(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `[]`, `{}`, `""`, `"NaN"`, `1e309`, `1e2`, `5.001`, `"5.001"`, `" 5"`, `"\u0035"`,
		`92233720368547758.08`, `"abc"`, `"+1"`,
	} {
		got := Dollars(7)
		if err := json.Unmarshal([]byte(text), &got); err == nil || got != 7 {
			t.Errorf("Unmarshal(%s) = %d, %v; want an error and the old value", text, got, err)
		}
	}
}

func TestDollarsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Dollars(rapid.Int64().Draw(t, "amount"))
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Dollars
		if err := json.Unmarshal(text, &got); err != nil || got != want {
			t.Fatalf("%s read back as %d, %v", text, got, err)
		}
		if got.Cents() != Cents(want) {
			t.Fatalf("Cents of %d = %d", want, got.Cents())
		}
	})
}
