package svg

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

// Weight is a font weight: one of the two embedded.
type Weight string

// The embedded weights.
const (
	SemiBold  Weight = "600"
	ExtraBold Weight = "800"
)

// glyph is a glyph as a shape. Lengths are in thousandths of the font size, with y downwards from
// the baseline.
type glyph struct {
	advance  float64
	segments sfnt.Segments
}

// unitsPerEm is the size at which glyphs are read.
const unitsPerEm = 1000

// glyphs are the glyphs that are drawn as shapes. Text elements would take a browser longer than
// the rest of a drawing: drawings shown as pictures can't load fonts, so it would look for a system
// font for each one.
var glyphs = sync.OnceValue(func() map[Weight]map[rune]glyph {
	found := map[Weight]map[rune]glyph{}
	for _, w := range []Weight{SemiBold, ExtraBold} {
		found[w] = map[rune]glyph{}
		for name, runes := range map[string]string{"inter-" + string(w): latinLetters(), "noto-sans-sc-700": "开包"} {
			loadGlyphs(found[w], "fonts/"+name+".ttf", runes)
		}
	}
	return found
})

// latinLetters returns the letters of European languages and punctuation.
func latinLetters() string {
	var all strings.Builder
	for r := ' '; r <= 'ſ'; r++ {
		all.WriteRune(r)
	}
	return all.String() + "–—‘’‚“”„•…€™"
}

// Font returns the Latin font of a weight.
func (w Weight) Font() *sfnt.Font { return parseFont("fonts/inter-" + string(w) + ".ttf") }

func parseFont(file string) *sfnt.Font {
	data, err := fonts.ReadFile(file)
	if err != nil {
		panic(err) // the fonts are embedded
	}
	parsed, err := sfnt.Parse(data)
	if err != nil {
		panic(err)
	}
	return parsed
}

// loadGlyphs adds the glyphs that a font has for the given runes.
func loadGlyphs(to map[rune]glyph, file, runes string) {
	parsed := parseFont(file)
	for _, r := range runes {
		var buffer sfnt.Buffer
		index, err := parsed.GlyphIndex(&buffer, r)
		if err != nil || index == 0 {
			continue
		}
		advance, err := parsed.GlyphAdvance(&buffer, index, fixed.I(unitsPerEm), font.HintingNone)
		if err != nil {
			panic(err)
		}
		segments, err := parsed.LoadGlyph(&buffer, index, fixed.I(unitsPerEm), nil)
		if err != nil {
			panic(err)
		}
		to[r] = glyph{float64(advance) / 64, append(sfnt.Segments(nil), segments...)}
	}
}

// TextStyle is the place and look of a line of text. To fit MaxWidth, the size shrinks to MinSize,
// then the letters are squeezed, then the end is cut off.
type TextStyle struct {
	At            Point
	Size, MinSize float64
	MaxWidth      float64
	Weight        Weight
	Anchor        string
	Fill          string
	Spacing       float64 // letter spacing, in units
	Outline       string  // color of the outline; empty = none
}

// maxSqueeze is the strongest horizontal squeeze of letters, as a factor.
const maxSqueeze = 0.7

// Text draws a line, or nothing if it is empty.
func (c *Canvas) Text(l TextStyle, s string) {
	if s == "" {
		return
	}
	if natural := l.widthOf(s); l.MaxWidth > 0 && natural > l.MaxWidth {
		l.Size = max(l.MinSize, l.Size*l.MaxWidth/natural)
		s = l.truncate(s)
	}
	natural, squeezed := l.widthOf(s), 1.0
	if l.MaxWidth > 0 && natural > l.MaxWidth {
		squeezed = l.MaxWidth / natural
	}
	if !l.Weight.covers(s) {
		c.systemText(l, s, squeezed)
		return
	}
	x := l.At[0]
	switch l.Anchor {
	case "middle":
		x -= natural * squeezed / 2
	case "end":
		x -= natural * squeezed
	}
	c.Raw(`<path aria-label="%s" transform="translate(%s %s)scale(%s %s)" d="%s" fill="%s"%s/>`,
		escape(s), Format1(x), Format1(l.At[1]), format(squeezed/glyphPrecision, 4), format(1.0/glyphPrecision, 4), l.pathData(s), l.Fill, l.outlineAttributes(glyphPrecision))
}

// widthOf returns the width of the line at its size.
func (l TextStyle) widthOf(s string) float64 {
	return l.Weight.widthOf(s, l.Size) + l.Spacing*float64(len([]rune(s))-1)
}

// truncate cuts off the end of a text that wouldn't fit even when squeezed.
func (l TextStyle) truncate(s string) string {
	if l.widthOf(s)*maxSqueeze <= l.MaxWidth {
		return s
	}
	begin := []rune(s)
	for len(begin) > 1 && l.widthOf(string(begin)+"…")*maxSqueeze > l.MaxWidth {
		begin = begin[:len(begin)-1]
	}
	return string(begin) + "…"
}

// outlineAttributes returns the outline's attributes. parts is the number of the line's units per
// unit of the drawing.
func (l TextStyle) outlineAttributes(parts float64) string {
	if l.Outline == "" {
		return ""
	}
	return ` stroke="` + l.Outline + `" stroke-width="` + Format1(7*parts) + `" stroke-linejoin="round" paint-order="stroke"`
}

// glyphPrecision is the precision of glyph outlines, in fractions of a unit.
const glyphPrecision = 3

// pathData returns the path data of a line, in units of 1/glyphPrecision from its start.
func (l TextStyle) pathData(s string) string {
	p, x := new(Path), 0.0
	for _, r := range s {
		drawn := glyphs()[l.Weight][r]
		at := func(q fixed.Point26_6) Point {
			return Point{(x + float64(q.X)/64/unitsPerEm*l.Size) * glyphPrecision, float64(q.Y) / 64 / unitsPerEm * l.Size * glyphPrecision}
		}
		for n, segment := range drawn.segments {
			switch segment.Op {
			case sfnt.SegmentOpMoveTo:
				if n > 0 {
					p.Close()
				}
				p.Op('M', at(segment.Args[0]))
			case sfnt.SegmentOpLineTo:
				p.Op('L', at(segment.Args[0]))
			case sfnt.SegmentOpQuadTo:
				p.quad(at(segment.Args[0]), at(segment.Args[1]))
			}
		}
		if len(drawn.segments) > 0 {
			p.Close()
		}
		x += drawn.advance/unitsPerEm*l.Size + l.Spacing
	}
	return p.String()
}

// covers reports whether all letters of a text can be drawn as shapes.
func (w Weight) covers(s string) bool {
	for _, r := range s {
		if _, ok := glyphs()[w][r]; !ok {
			return false
		}
	}
	return true
}

// systemText draws a line with other letters as a text element in system fonts.
func (c *Canvas) systemText(l TextStyle, s string, squeezed float64) {
	c.Raw(`<text x="%s" y="%s" font-family="system-ui,sans-serif" font-size="%s" font-weight="%s" fill="%s"%s`,
		Format1(l.At[0]), Format1(l.At[1]), Format1(l.Size), l.Weight, l.Fill, l.outlineAttributes(1))
	if l.Anchor != "" {
		c.Raw(` text-anchor="%s"`, l.Anchor)
	}
	if l.Spacing != 0 {
		c.Raw(` letter-spacing="%s"`, Format1(l.Spacing))
	}
	if squeezed < 1 {
		c.Raw(` textLength="%s" lengthAdjust="spacingAndGlyphs"`, Format1(l.MaxWidth))
	}
	c.Raw(">%s</text>", escape(s))
}

// widthOf returns the width of a line. For letters in system fonts it assumes a wide font, so that
// narrower ones fit too.
func (w Weight) widthOf(s string, size float64) (width float64) {
	for _, r := range s {
		known, ok := glyphs()[w][r]
		switch {
		case ok:
			width += known.advance / unitsPerEm
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

// BreakLine splits a text that exceeds the width into two lines near its middle.
func (w Weight) BreakLine(s string, size, width float64) (first, second string) {
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
