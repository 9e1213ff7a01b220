package money

import (
	"bytes"
	"strings"
)

// Dollars is an amount of cents that JSON represents as a number of dollars with at most 2
// decimals: 125.5 for 12550 cents.
type Dollars Cents

// Cents returns the amount in cents.
func (d Dollars) Cents() Cents { return Cents(d) }

// MarshalJSON returns the shortest decimal number: 25, 125.5, 0.01.
func (d Dollars) MarshalJSON() ([]byte, error) {
	text := Cents(d).String()
	return []byte(strings.TrimSuffix(strings.TrimRight(text, "0"), ".")), nil
}

// UnmarshalJSON reads a JSON number, or a string that holds one, without using floats. It refuses
// null, exponents and more than 2 decimals with ErrSyntax, and numbers that don't fit with
// ErrOverflow.
func (d *Dollars) UnmarshalJSON(data []byte) error {
	if text, quoted := bytes.CutPrefix(data, []byte{'"'}); quoted {
		data = bytes.TrimSuffix(text, []byte{'"'})
	}
	amount, err := Parse(string(data))
	if err != nil {
		return err
	}
	*d = Dollars(amount)
	return nil
}
