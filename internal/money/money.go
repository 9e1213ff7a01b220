// Package money represents amounts as whole US cents. It parses and prints decimals exactly, never
// through a float, and returns an error on overflow.
package money

import (
	"errors"
	"math/bits"
	"strconv"
	"strings"
)

// ErrSyntax says that a text is not an amount with at most 2 decimals.
var ErrSyntax = errors.New("not an amount with at most 2 decimals")

// ErrOverflow says that an amount doesn't fit into 64 bits of cents.
var ErrOverflow = errors.New("amount out of range")

// Cents is an amount in US cents; 100 cents are one Play Point.
type Cents int64

// Parse parses an exact amount in dollars: "25", "25.5", "-0.05". Signs other than "-", exponents,
// spaces, separators and a third decimal are ErrSyntax; amounts that don't fit are ErrOverflow.
func Parse(text string) (Cents, error) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, hasPoint := strings.Cut(digits, ".")
	if !allDigits(whole) || hasPoint && !allDigits(fraction) || len(fraction) > 2 {
		return 0, ErrSyntax
	}
	cents := whole + (fraction + "00")[:2]
	if negative {
		cents = "-" + cents
	}
	// The syntax is valid, so the only possible error is the range.
	amount, err := strconv.ParseInt(cents, 10, 64)
	if err != nil {
		return 0, ErrOverflow
	}
	return Cents(amount), nil
}

func allDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// String formats dollars with exactly 2 decimals: "25.00". Parse reads it back.
func (c Cents) String() string {
	sign, magnitude := "", uint64(c)
	if c < 0 {
		sign, magnitude = "-", -magnitude
	}
	rest := strconv.FormatUint(100+magnitude%100, 10)[1:]
	return sign + strconv.FormatUint(magnitude/100, 10) + "." + rest
}

// Add returns c + other, or ErrOverflow.
func (c Cents) Add(other Cents) (Cents, error) {
	sum := c + other
	if (sum > c) != (other > 0) {
		return 0, ErrOverflow
	}
	return sum, nil
}

// Sub returns c − other, or ErrOverflow.
func (c Cents) Sub(other Cents) (Cents, error) {
	difference := c - other
	if (difference < c) != (other > 0) {
		return 0, ErrOverflow
	}
	return difference, nil
}

// Mul returns c × n, or ErrOverflow.
func (c Cents) Mul(n int64) (Cents, error) {
	high, low := bits.Mul64(magnitude(int64(c)), magnitude(n))
	negative := (c < 0) != (n < 0)
	switch {
	case high != 0, low > 1<<63, low == 1<<63 && !negative:
		return 0, ErrOverflow
	case negative:
		return Cents(-low), nil
	}
	return Cents(low), nil
}

// Percent is a share in whole percent, from 0 to 100.
type Percent uint8

// Share returns that percentage of c, rounded down to the cent: a fraction of a cent stays with the
// payer. It never overflows. It panics if c is negative or percent is above 100.
func (c Cents) Share(percent Percent) Cents {
	if c < 0 || percent > 100 {
		panic("money: share of a negative amount or above 100 %")
	}
	// Divide by 100 first, so that the product fits into 64 bits.
	return c/100*Cents(percent) + c%100*Cents(percent)/100
}

// RoundedShare is Share, rounded half up to the cent.
func (c Cents) RoundedShare(percent Percent) Cents {
	const half = 50
	if c < 0 || percent > 100 {
		panic("money: share of a negative amount or above 100 %")
	}
	return c/100*Cents(percent) + (c%100*Cents(percent)+half)/100
}

// BasisPoints are hundredths of a percent: 500 is 5 %.
type BasisPoints uint16

// String formats the share in percent: "2.5 %".
func (b BasisPoints) String() string {
	text := Cents(b).String()
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + " %"
}

// Whole is 100 %.
const Whole BasisPoints = 10_000

// RoundedPart returns the share of an amount, rounded half up to the cent. It panics if the amount
// is negative or the share is above Whole.
func (c Cents) RoundedPart(share BasisPoints) Cents {
	if c < 0 || share > Whole {
		panic("money: share of a negative amount or above 100 %")
	}
	// Divide by 10,000 first, so that the product fits into 64 bits.
	whole, half := Cents(Whole), Cents(Whole)/2
	return c/whole*Cents(share) + (c%whole*Cents(share)+half)/whole
}

// magnitude returns |n|, also for the smallest integer, whose negation overflows.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}
