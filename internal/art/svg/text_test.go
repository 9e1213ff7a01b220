package svg

import (
	"encoding/xml"
	"strings"
	"testing"
)

func TestLongTextIsTruncated(t *testing.T) {
	for text, want := range map[string]string{
		"Short": "Short", "A line as long as it may be, squeezed": "A line as long as it may be, squeezed",
		strings.Repeat("The Most Improbable Name of All ", 6): "The Most Improbable Name of All The Most Improba…",
	} {
		l := TextStyle{Size: 20, MinSize: 13, MaxWidth: 240, Weight: SemiBold}
		c := new(Canvas)
		c.Text(l, text)
		var drawn struct {
			Label string `xml:"aria-label,attr"`
		}
		if err := xml.Unmarshal([]byte(c.String()), &drawn); err != nil {
			t.Fatalf("the SVG of %q is not well-formed: %v\n%s", text, err, c.String())
		}
		if drawn.Label != want {
			t.Errorf("%q is drawn as %q, want %q", text, drawn.Label, want)
		}
	}
}
