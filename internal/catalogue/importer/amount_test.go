package importer

import (
	"math/big"
	"regexp"
	"strings"
	"testing"

	"kaibao/internal/money"
	"kaibao/internal/policy"
)

func TestAmountsAreParsedExactly(t *testing.T) {
	for text, want := range map[string]money.Cents{
		"99": 99, "99999": 99999, "4e3": 4000, "4E+3": 4000, "4.5e3": 4500, "40000e-1": 4000, "0012": 12,
		"12.34": 1234, "$12.34": 1234, "1,234.50": 123450, "$1,234.50": 123450, "$12": 1200, "$12.5": 1250, "US$7": 700, "7 USD": 700, "$4e3": 400000,
		" 15 ": 15, "100000000": 100000000, "1e8": 100000000,
		"0.00000000000000000012e20": 12, // a float would yield 12.000…
	} {
		if got, why := amount(text, cents); got != want || why != "" {
			t.Errorf("%q among cents: %d %s, want %d", text, got, why, want)
		}
	}
	for text, want := range map[string]money.Cents{"99": 9900, "4e3": 400000, "12.34": 1234, "12.3": 1230, "1,234": 123400, "$0.01": 1, "1234e-2": 1234} {
		if got, why := amount(text, dollars); got != want || why != "" {
			t.Errorf("%q among dollars: %d %s, want %d", text, got, why, want)
		}
	}
	for _, text := range []string{
		"", "abc", "-5", "+5", "1,23", "1,234", "12.345", "12.3", "0", "$0.00", "1e-1", "1e999", "1e9", "100000001", "1e", "1e3e3", "0x10", "NaN", "١٢",
		"1 234", "€5", "5元", "$$5", strings.Repeat("9", 400), "1e99999",
	} {
		if got, why := amount(text, cents); why == "" {
			t.Errorf("%q among cents is %d, want a refusal", text, got)
		}
	}
}

var bareNumber = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?(e[+-]?[0-9]{1,3})?$`)

// Parsed amounts must equal those computed with big rationals.
func FuzzAmount(f *testing.F) {
	for _, text := range []string{"4e3", "12.34", "$12.34", "1,234.50", "4.5e3", "1e-2", "007", "9e99"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, in := range []unit{cents, dollars} {
			got, why := amount(text, in)
			if (why == "") != (got > 0) || got > policy.MaxPrice {
				t.Fatalf("%q: %d %q", text, got, why)
			}
			if why != "" || !bareNumber.MatchString(text) || in == cents && strings.Contains(text, ".") && !strings.Contains(text, "e") {
				continue
			}
			want, ok := new(big.Rat).SetString(text)
			if in == dollars {
				want.Mul(want, big.NewRat(100, 1))
			}
			if !ok || want.Cmp(big.NewRat(int64(got), 1)) != 0 {
				t.Fatalf("%q is %d, want %s", text, got, want)
			}
		}
	})
}
