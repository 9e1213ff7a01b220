package httpkit

import (
	"regexp"
	"strings"
)

// formula lists the characters that start a formula in a spreadsheet.
const formula = "=+-@\t\r"

// EscapedCell escapes a CSV cell so that no spreadsheet runs it. It prefixes an apostrophe to
// formulas and to cells that start with apostrophes before a formula. Plain numbers aren't
// formulas.
func EscapedCell(cell string) string {
	if runs(cell) {
		return "'" + cell
	}
	return cell
}

// UnescapedCell removes the apostrophe that EscapedCell added.
func UnescapedCell(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && runs(rest) {
		return rest
	}
	return cell
}

var plainNumber = regexp.MustCompile(`^[+-][0-9]+(\.[0-9]+)?$`)

func runs(cell string) bool {
	if plainNumber.MatchString(cell) {
		return false
	}
	cell = strings.TrimLeft(cell, "'")
	return cell != "" && strings.Contains(formula, cell[:1])
}
