package httpkit

import (
	"regexp"
	"strings"
)

// formula are the characters by which a spreadsheet takes a cell for a formula.
const formula = "=+-@\t\r"

// EscapedCell is a cell of a CSV file that no spreadsheet runs: an apostrophe stands
// before what would be a formula, and one more before what begins like that already.
// Plain numbers are none.
func EscapedCell(cell string) string {
	if runs(cell) {
		return "'" + cell
	}
	return cell
}

// UnescapedCell takes back the apostrophe of EscapedCell.
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
