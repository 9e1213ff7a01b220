package money

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Cents{
		"0": 0, "25": 2500, "25.0": 2500, "25.00": 2500, "25.5": 2550, "0.01": 1, "-0.05": -5, "007": 700,
		"92233720368547758.07":  math.MaxInt64,
		"-92233720368547758.08": math.MinInt64,
	} {
		got, err := Parse(text)
		if err != nil || got != want {
			t.Errorf("Parse(%q) = %d, %v; want %d", text, got, err, want)
		}
	}
	for text, want := range map[string]error{
		"": ErrSyntax, "-": ErrSyntax, ".": ErrSyntax, ".5": ErrSyntax, "5.": ErrSyntax, "5.001": ErrSyntax,
		"+5": ErrSyntax, "--5": ErrSyntax, " 5": ErrSyntax, "5 ": ErrSyntax, "1,000": ErrSyntax, "4e3": ErrSyntax,
		"1e309": ErrSyntax, "NaN": ErrSyntax, "Infinity": ErrSyntax, "0x10": ErrSyntax, "$5": ErrSyntax,
		"５": ErrSyntax, "5.-1": ErrSyntax, "1_000": ErrSyntax,
		"92233720368547758.08": ErrOverflow, "-92233720368547758.09": ErrOverflow,
		"99999999999999999999999999": ErrOverflow,
	} {
		if got, err := Parse(text); !errors.Is(err, want) {
			t.Errorf("Parse(%q) = %d, %v; want %v", text, got, err, want)
		}
	}
}

func TestString(t *testing.T) {
	for amount, want := range map[Cents]string{
		0: "0.00", 1: "0.01", -1: "-0.01", 99: "0.99", 100: "1.00", 2500: "25.00", -123456: "-1234.56",
		math.MaxInt64: "92233720368547758.07", math.MinInt64: "-92233720368547758.08",
	} {
		if got := amount.String(); got != want {
			t.Errorf("String of %d = %q; want %q", int64(amount), got, want)
		}
	}
}

func TestParseReadsString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := Cents(rapid.Int64().Draw(t, "amount"))
		if got, err := Parse(amount.String()); err != nil || got != amount {
			t.Fatalf("Parse(%q) = %d, %v", amount.String(), got, err)
		}
	})
}

func TestArithmeticIsExactOrOverflows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b")
		x, y := big.NewInt(a), big.NewInt(b)
		sum, err := Cents(a).Add(Cents(b))
		agree(t, "Add", new(big.Int).Add(x, y), sum, err)
		difference, err := Cents(a).Sub(Cents(b))
		agree(t, "Sub", new(big.Int).Sub(x, y), difference, err)
		product, err := Cents(a).Mul(b)
		agree(t, "Mul", new(big.Int).Mul(x, y), product, err)
	})
}

func agree(t *rapid.T, operation string, want *big.Int, got Cents, err error) {
	if !want.IsInt64() {
		if !errors.Is(err, ErrOverflow) {
			t.Fatalf("%s = %d, %v; want overflow", operation, got, err)
		}
		return
	}
	if err != nil || int64(got) != want.Int64() {
		t.Fatalf("%s = %d, %v; want %s", operation, got, err, want)
	}
}

func TestArithmeticAtTheLimits(t *testing.T) {
	for _, c := range []struct {
		a Cents
		n int64
	}{{math.MinInt64, -1}, {-1, math.MinInt64}, {math.MaxInt64, 2}, {math.MaxInt64, -2}, {math.MinInt64, 2}} {
		if got, err := c.a.Mul(c.n); !errors.Is(err, ErrOverflow) {
			t.Errorf("%d × %d = %d, %v; want overflow", c.a, c.n, got, err)
		}
	}
	if got, err := Cents(math.MinInt64).Mul(1); err != nil || got != math.MinInt64 {
		t.Errorf("smallest × 1 = %d, %v", got, err)
	}
	if got, err := Cents(math.MinInt64).Sub(1); !errors.Is(err, ErrOverflow) {
		t.Errorf("smallest − 1 = %d, %v", got, err)
	}
}

func TestShareRoundsDown(t *testing.T) {
	for amount, want := range map[Cents]Cents{0: 0, 1: 0, 9: 8, 10: 9, 11: 9, 99: 89, 100: 90, 2555: 2299} {
		if got := amount.Share(90); got != want {
			t.Errorf("90 %% of %d = %d; want %d", amount, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Int64Min(0).Draw(t, "amount")
		rate := rapid.Uint8Range(0, 100).Draw(t, "rate")
		want := new(big.Int).Mul(big.NewInt(amount), big.NewInt(int64(rate)))
		want.Div(want, big.NewInt(100))
		if got := Cents(amount).Share(Percent(rate)); int64(got) != want.Int64() {
			t.Fatalf("%d %% of %d = %d; want %s", rate, amount, got, want)
		}
	})
}

func TestRoundedShareRoundsHalfUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Int64Min(0).Draw(t, "amount")
		rate := rapid.Uint8Range(0, 100).Draw(t, "rate")
		want := new(big.Int).Mul(big.NewInt(amount), big.NewInt(int64(rate)))
		want.Div(want.Add(want, big.NewInt(50)), big.NewInt(100))
		if got := Cents(amount).RoundedShare(Percent(rate)); int64(got) != want.Int64() {
			t.Fatalf("%d %% of %d = %d; want %s", rate, amount, got, want)
		}
	})
}

func TestSharePanicsOnInvalidArguments(t *testing.T) {
	for _, c := range []struct {
		amount Cents
		rate   Percent
	}{{-1, 90}, {1, 101}} {
		for _, share := range []func(Cents, Percent) Cents{Cents.Share, Cents.RoundedShare} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("a share of %d at %d %% did not panic", c.amount, c.rate)
					}
				}()
				share(c.amount, c.rate)
			}()
		}
	}
}

func TestRoundedPartRoundsHalfUp(t *testing.T) {
	for _, c := range []struct {
		amount, want Cents
		rate         BasisPoints
	}{{1, 0, 500}, {9, 0, 500}, {10, 1, 500}, {29, 1, 500}, {30, 2, 500}, {24, 0, 200}, {25, 1, 200}, {4000, 1, 2}, {2499, 0, 2}, {2500, 1, 2}, {77, 77, Whole}, {77, 0, 0}} {
		if got := c.amount.RoundedPart(c.rate); got != c.want {
			t.Errorf("%d basis points of %d are %d, want %d", c.rate, c.amount, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		amount, rate := rapid.Int64Min(0).Draw(t, "amount"), rapid.Int64Range(0, int64(Whole)).Draw(t, "rate")
		want := new(big.Int).Mul(big.NewInt(amount), big.NewInt(rate))
		want.Add(want, big.NewInt(int64(Whole)/2)).Div(want, big.NewInt(int64(Whole)))
		if got := Cents(amount).RoundedPart(BasisPoints(rate)); int64(got) != want.Int64() {
			t.Fatalf("%d, want %s", got, want)
		}
	})
}
