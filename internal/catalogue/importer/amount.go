package importer

import (
	"regexp"
	"strconv"
	"strings"

	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// amountPattern matches an amount: digits with or without thousands separators, decimals, an
// exponent, and a currency before or after.
var amountPattern = regexp.MustCompile(`(?i)^(US\$|\$|USD ?)?([0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(\.[0-9]+)?(?:e([+-]?[0-9]{1,3}))?( ?USD)?$`)

// unit is the unit of plain numbers in a column.
type unit int

const (
	dollars unit = 0
	cents   unit = 2 // decimal places of a dollar that the number includes
)

// amount parses a value exactly and returns why it is invalid. In a column of cents, a number with
// a currency, or with exactly two decimals and no exponent, is in dollars: 12.34 is 1234 cents, 4e3
// is 4000 cents.
func amount(text string, in unit) (value money.Cents, why string) {
	parts := amountPattern.FindStringSubmatch(strings.TrimSpace(text))
	if parts == nil {
		return 0, "is not an amount in dollars or cents"
	}
	whole, fraction, currency := parts[2], strings.TrimPrefix(parts[3], "."), parts[1]+parts[5]
	exponent, _ := strconv.Atoi(parts[4]) // 0 if empty
	grouped := strings.Contains(whole, ",")
	switch {
	case in == dollars || currency != "":
		in = dollars
	case grouped && fraction == "":
		return 0, "is ambiguous: write dollars with $ or two decimals, and cents without a comma"
	case grouped || fraction != "" && parts[4] == "":
		if len(fraction) != 2 {
			return 0, "is ambiguous: write dollars with $ or two decimals, and cents without a decimal point"
		}
		in = dollars
	}
	return scaledCents(strings.ReplaceAll(whole, ",", "")+fraction, exponent-len(fraction)+2-int(in))
}

// maxDigits is more than the highest price has, but fits into 64 bits.
const maxDigits = 17

// scaledCents returns digits × 10^exponent cents, or why that isn't a valid price.
func scaledCents(digits string, exponent int) (value money.Cents, why string) {
	digits = strings.TrimLeft(digits, "0")
	for ; exponent < 0 && strings.HasSuffix(digits, "0"); exponent++ {
		digits = digits[:len(digits)-1]
	}
	switch {
	case digits == "":
		return 0, "must be more than 0"
	case exponent < 0:
		return 0, "has fractions of a cent"
	case len(digits)+exponent > maxDigits:
		return 0, tooLarge
	}
	n, err := strconv.ParseInt(digits+strings.Repeat("0", exponent), 10, 64)
	if err != nil || money.Cents(n) > policy.MaxPrice {
		return 0, tooLarge
	}
	return money.Cents(n), ""
}

var tooLarge = "must be at most $" + policy.MaxPrice.String()
