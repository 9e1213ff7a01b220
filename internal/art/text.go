package art

import (
	"bytes"
	"embed"
	"encoding/xml"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// fonts are Latin subsets of Inter in two weights, and the glyphs of Noto Sans SC that Kaibao's own
// name needs. fontTools made them (pyftsubset --no-hinting).
//
//go:embed fonts
var fonts embed.FS

// weight is a font weight.
type weight string

const (
	semiBold  weight = "600"
	extraBold weight = "800"
)

// letter is a glyph as a shape. Lengths are in thousandths of the font size, with y downwards from
// the baseline.
type letter struct {
	advance  float64
	segments sfnt.Segments
}

// em is the size at which glyphs are read.
const em = 1000

// letters are the glyphs that are drawn as shapes. Text elements would take a browser longer than
// the rest of a drawing: drawings shown as pictures can't load fonts, so it would look for a system
// font for each one.
var letters = sync.OnceValue(func() map[weight]map[rune]letter {
	found := map[weight]map[rune]letter{}
	for _, w := range []weight{semiBold, extraBold} {
		found[w] = map[rune]letter{}
		for name, runes := range map[string]string{"inter-" + string(w): latin(), "noto-sans-sc-700": "开包"} {
			read(found[w], "fonts/"+name+".ttf", runes)
		}
	}
	return found
})

// latin returns the letters of European languages and punctuation.
func latin() string {
	var all strings.Builder
	for r := ' '; r <= 'ſ'; r++ {
		all.WriteRune(r)
	}
	return all.String() + "–—‘’‚“”„•…€™"
}

// read adds the glyphs that a font has for the given runes.
func read(to map[rune]letter, file, runes string) {
	data, err := fonts.ReadFile(file)
	if err != nil {
		panic(err) // the fonts are embedded
	}
	parsed, err := sfnt.Parse(data)
	if err != nil {
		panic(err)
	}
	for _, r := range runes {
		var buffer sfnt.Buffer
		index, err := parsed.GlyphIndex(&buffer, r)
		if err != nil || index == 0 {
			continue
		}
		advance, err := parsed.GlyphAdvance(&buffer, index, fixed.I(em), font.HintingNone)
		if err != nil {
			panic(err)
		}
		segments, err := parsed.LoadGlyph(&buffer, index, fixed.I(em), nil)
		if err != nil {
			panic(err)
		}
		to[r] = letter{float64(advance) / 64, append(sfnt.Segments(nil), segments...)}
	}
}

// lettering is a line of text. To fit the width, the size shrinks to small, then the letters are
// squeezed, then the end is cut off.
type lettering struct {
	at          pt
	size, small float64
	width       float64
	weight      weight
	anchor      string
	fill        string
	spacing     float64 // letter spacing, in units
	outline     string  // color of the outline; empty = none
}

// most is the strongest horizontal squeeze of letters, as a factor.
const most = 0.7

// text draws a line, or nothing if it is empty.
func (c *canvas) text(l lettering, s string) {
	if s == "" {
		return
	}
	if natural := l.widthOf(s); l.width > 0 && natural > l.width {
		l.size = max(l.small, l.size*l.width/natural)
		s = l.cut(s)
	}
	natural, squeezed := l.widthOf(s), 1.0
	if l.width > 0 && natural > l.width {
		squeezed = l.width / natural
	}
	if !l.weight.has(s) {
		c.setText(l, s, squeezed)
		return
	}
	x := l.at.x
	switch l.anchor {
	case "middle":
		x -= natural * squeezed / 2
	case "end":
		x -= natural * squeezed
	}
	c.raw(`<path aria-label="%s" transform="translate(%s %s)scale(%s %s)" d="%s" fill="%s"%s/>`,
		escape(s), num(x), num(l.at.y), decimals(squeezed/steps, 4), decimals(1.0/steps, 4), l.shapes(s), l.fill, l.outlined(steps))
}

// widthOf returns the width of the line at its size.
func (l lettering) widthOf(s string) float64 {
	return l.weight.widthOf(s, l.size) + l.spacing*float64(len([]rune(s))-1)
}

// cut cuts off the end of a text that wouldn't fit even when squeezed.
func (l lettering) cut(s string) string {
	if l.widthOf(s)*most <= l.width {
		return s
	}
	begin := []rune(s)
	for len(begin) > 1 && l.widthOf(string(begin)+"…")*most > l.width {
		begin = begin[:len(begin)-1]
	}
	return string(begin) + "…"
}

// outlined returns the outline's attributes. parts is the number of the line's units per unit of
// the drawing.
func (l lettering) outlined(parts float64) string {
	if l.outline == "" {
		return ""
	}
	return ` stroke="` + l.outline + `" stroke-width="` + num(7*parts) + `" stroke-linejoin="round" paint-order="stroke"`
}

// steps is the precision of glyph outlines, in fractions of a unit.
const steps = 3

// shapes returns the path data of a line, in steps from its start.
func (l lettering) shapes(s string) string {
	p, x := new(pen), 0.0
	for _, r := range s {
		drawn := letters()[l.weight][r]
		at := func(q fixed.Point26_6) pt {
			return pt{(x + float64(q.X)/64/em*l.size) * steps, float64(q.Y) / 64 / em * l.size * steps}
		}
		for n, segment := range drawn.segments {
			switch segment.Op {
			case sfnt.SegmentOpMoveTo:
				if n > 0 {
					p.close()
				}
				p.op('M', at(segment.Args[0]))
			case sfnt.SegmentOpLineTo:
				p.op('L', at(segment.Args[0]))
			case sfnt.SegmentOpQuadTo:
				p.quad(at(segment.Args[0]), at(segment.Args[1]))
			}
		}
		if len(drawn.segments) > 0 {
			p.close()
		}
		x += drawn.advance/em*l.size + l.spacing
	}
	return p.String()
}

// has reports whether all letters of a text can be drawn as shapes.
func (w weight) has(s string) bool {
	for _, r := range s {
		if _, ok := letters()[w][r]; !ok {
			return false
		}
	}
	return true
}

// setText draws a line with other letters as a text element in system fonts.
func (c *canvas) setText(l lettering, s string, squeezed float64) {
	c.raw(`<text x="%s" y="%s" font-family="system-ui,sans-serif" font-size="%s" font-weight="%s" fill="%s"%s`,
		num(l.at.x), num(l.at.y), num(l.size), l.weight, l.fill, l.outlined(1))
	if l.anchor != "" {
		c.raw(` text-anchor="%s"`, l.anchor)
	}
	if l.spacing != 0 {
		c.raw(` letter-spacing="%s"`, num(l.spacing))
	}
	if squeezed < 1 {
		c.raw(` textLength="%s" lengthAdjust="spacingAndGlyphs"`, num(l.width))
	}
	c.raw(">%s</text>", escape(s))
}

// widthOf returns the width of a line. For letters in system fonts it assumes a wide font, so that
// narrower ones fit too.
func (w weight) widthOf(s string, size float64) (width float64) {
	for _, r := range s {
		known, ok := letters()[w][r]
		switch {
		case ok:
			width += known.advance / em
		case r >= 0x2e80:
			width++
		case unicode.IsUpper(r):
			width += 0.79
		default:
			width += 0.69
		}
	}
	return width * size
}

// breakLine splits a text that exceeds the width into two lines near its middle.
func (w weight) breakLine(s string, size, width float64) (first, second string) {
	if w.widthOf(s, size) <= width {
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

// escape escapes any text for XML. Characters that XML can't contain become U+FFFD.
func escape(s string) string {
	var b bytes.Buffer
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err) // a buffer never fails
	}
	return b.String()
}
