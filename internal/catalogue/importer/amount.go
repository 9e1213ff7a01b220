package importer

import (
	"regexp"
	"strconv"
	"strings"

	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// figure matches an amount: a currency before or behind it, digits with or without
// commas at the thousands, decimals, an exponent.
var figure = regexp.MustCompile(`(?i)^(US\$|\$|USD ?)?([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(\.[0-9]+)?(?:e([+-]?[0-9]{1,3}))?( ?USD)?$`)

// unit is what a bare number in a column counts.
type unit int

const (
	dollars unit = 0
	cents   unit = 2 // decimals of a dollar that it has no point for
)

// amount reads what an item is worth, digit by digit, and says why it is none. Among
// cents, a number with a currency or with commas, or with exactly two decimals and no
// exponent, is dollars: 12.34 is 1234 cents, 4e3 is 4000.
func amount(text string, in unit) (value money.Cents, why string) {
	parts := figure.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return 0, "is not an amount of dollars or cents"
	}
	whole, fraction, currency := parts[2], strings.TrimPrefix(parts[3], "."), parts[1]+parts[5]
	exponent, _ := strconv.Atoi(parts[4]) // of an empty text 0
	grouped := strings.Contains(whole, ",")
	switch {
	case in == dollars || currency != "":
		in = dollars
	case grouped && fraction == "":
		return 0, "may be dollars or cents: write dollars with $ or two decimals, cents without a comma"
	case grouped || fraction != "" && parts[4] == "":
		if len(fraction) != 2 {
			return 0, "may be dollars or cents: write dollars with $ or two decimals, cents without a point"
		}
		in = dollars
	}
	return scaled(strings.ReplaceAll(whole, ",", "")+fraction, exponent-len(fraction)+2-int(in))
}

// mostDigits is more than the highest price has, and less than 64 bits hold.
const mostDigits = 17

// scaled is digits × 10^exponent cents.
func scaled(digits string, exponent int) (value money.Cents, why string) {
	digits = strings.TrimLeft(digits, "0")
	for ; exponent < 0 && strings.HasSuffix(digits, "0"); exponent++ {
		digits = digits[:len(digits)-1]
	}
	switch {
	case digits == "":
		return 0, "must be more than nothing"
	case exponent < 0:
		return 0, "is not a whole number of cents"
	case len(digits)+exponent > mostDigits:
		return 0, tooMuch
	}
	n, err := strconv.ParseInt(digits+strings.Repeat("0", exponent), 10, 64)
	if err != nil || money.Cents(n) > policy.HighestPrice {
		return 0, tooMuch
	}
	return money.Cents(n), ""
}

var tooMuch = "must be at most $" + policy.HighestPrice.String()
