package art

import (
	"bytes"
	"encoding/xml"
	"strings"
	"unicode"
)

// fontStack names only fonts a system brings: an SVG shown as an image may not load any.
const fontStack = `system-ui,sans-serif`

// lettering is a line of text. The size shrinks to small, then the letters are squeezed, until it fits the width.
type lettering struct {
	at          pt
	size, small float64
	width       float64
	weight      string
	anchor      string
	fill        string
	spacing     float64 // letter-spacing, in units
}

// text writes a line; nothing for an empty one.
func (c *canvas) text(l lettering, s string) {
	if s == "" {
		return
	}
	size := l.size
	natural := textWidth(s, size) + l.spacing*float64(len([]rune(s)))
	if l.width > 0 && natural > l.width {
		size = max(l.small, size*l.width/natural)
		natural = textWidth(s, size) + l.spacing*float64(len([]rune(s)))
	}
	c.raw(`<text x="%s" y="%s" font-size="%s" font-weight="%s" fill="%s"`, num(l.at.x), num(l.at.y), num(size), l.weight, l.fill)
	if l.anchor != "" {
		c.raw(` text-anchor="%s"`, l.anchor)
	}
	if l.spacing != 0 {
		c.raw(` letter-spacing="%s"`, num(l.spacing))
	}
	if l.width > 0 && natural > l.width {
		c.raw(` textLength="%s" lengthAdjust="spacingAndGlyphs"`, num(l.width))
	}
	c.raw(">%s</text>", escape(s))
}

// textWidth estimates a line's width in a wide, bold system font, so that narrower ones fit too.
func textWidth(s string, size float64) float64 {
	var em float64
	for _, r := range s {
		switch {
		case r >= 0x2e80:
			em++
		case strings.ContainsRune("iljtfI.,'|!:;()- ", r):
			em += 0.4
		case unicode.IsUpper(r) || r == 'm' || r == 'w' || r == '%':
			em += 0.79
		default:
			em += 0.69
		}
	}
	return em * size
}

// breakLine splits a text into two lines near its middle when one line of the width cannot hold it.
func breakLine(s string, size, width float64) (first, second string) {
	if textWidth(s, size) <= width {
		return s, ""
	}
	best := -1
	for i, r := range s {
		if r == ' ' && (best < 0 || abs(i-len(s)/2) < abs(best-len(s)/2)) {
			best = i
		}
	}
	if best < 0 {
		return s, ""
	}
	return s[:best], s[best+1:]
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// escape makes any text safe within XML; what XML cannot hold becomes U+FFFD.
func escape(s string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err) // a buffer takes every write
	}
	return b.String()
}
