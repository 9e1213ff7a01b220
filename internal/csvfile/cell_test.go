package csvfile

import (
	"strconv"
	"strings"
	"testing"
)

func FuzzCell(f *testing.F) {
	for _, cell := range []string{"=1+1", "'=1", "-5", "-5.25", "'-5", "-5+cmd|' /C calc'!A0", "@a", "plain", "'", "", "''", "\ta", "+"} {
		f.Add(cell)
	}
	f.Fuzz(func(t *testing.T, cell string) {
		escaped := EscapeCell(cell)
		if back := UnescapeCell(escaped); back != cell {
			t.Fatalf("%q is escaped as %q, and read back as %q", cell, escaped, back)
		}
		if _, err := strconv.ParseFloat(escaped, 64); escaped != "" && strings.Contains(formulaStarts, escaped[:1]) && err != nil {
			t.Fatalf("%q is escaped as %q, which a spreadsheet runs", cell, escaped)
		}
	})
}
