package csvfile

import (
	"regexp"
	"strings"
)

// formulaStarts are the characters that start a formula in a spreadsheet.
const formulaStarts = "=+-@\t\r"

// EscapeCell escapes a CSV cell so that no spreadsheet runs it. It prefixes an apostrophe to
// formulas and to cells that start with apostrophes before a formula. Plain numbers aren't
// formulas.
func EscapeCell(cell string) string {
	if isFormula(cell) {
		return "'" + cell
	}
	return cell
}

// UnescapeCell removes the apostrophe that EscapeCell added.
func UnescapeCell(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && isFormula(rest) {
		return rest
	}
	return cell
}

var plainNumber = regexp.MustCompile(`^[+-][0-9]+(\.[0-9]+)?$`)

func isFormula(cell string) bool {
	if plainNumber.MatchString(cell) {
		return false
	}
	cell = strings.TrimLeft(cell, "'")
	return cell != "" && strings.Contains(formulaStarts, cell[:1])
}
