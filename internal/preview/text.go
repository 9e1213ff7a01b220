package preview

import (
	_ "embed"
	"image"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"kaibao/internal/art/svg"
)

// chineseFont has the characters of Noto Sans SC that our fixed texts and the demo catalogue's names
// need. fontTools made it (pyftsubset --no-hinting --layout-features=”).
//
//go:embed fonts/noto-sans-sc-700.ttf
var chineseFont []byte

// fonts are the embedded fonts: Latin ones by weight, and the Chinese one for what they lack.
var fonts = sync.OnceValue(func() (all struct {
	latin   map[svg.Weight]*sfnt.Font
	chinese *sfnt.Font
}) {
	all.latin = map[svg.Weight]*sfnt.Font{svg.SemiBold: svg.SemiBold.Font(), svg.ExtraBold: svg.ExtraBold.Font()}
	parsed, err := sfnt.Parse(chineseFont)
	if err != nil {
		panic(err) // the font is embedded
	}
	all.chinese = parsed
	return all
})

// has reports whether a font has a glyph for a letter.
func has(f *sfnt.Font, r rune) bool {
	index, err := f.GlyphIndex(nil, r)
	return err == nil && index != 0
}

// covered reports whether the fonts have all letters of a text.
func covered(s string) bool {
	for _, r := range s {
		if !has(fonts().latin[svg.SemiBold], r) && !has(fonts().chinese, r) {
			return false
		}
	}
	return true
}

// textStyle is the look of a line of text.
type textStyle struct {
	size    float64 // in pixels
	weight  svg.Weight
	paint   paint
	spacing float64 // added after each letter, as a share of the size
}

func (t textStyle) sized(size float64) textStyle {
	t.size = size
	return t
}

// typesetter sets text. It keeps the faces that it has used, and isn't safe for concurrent use.
type typesetter struct {
	faces map[faceKey]font.Face
}

type faceKey struct {
	font *sfnt.Font
	size float64
}

func (t *typesetter) face(f *sfnt.Font, size float64) font.Face {
	key := faceKey{f, size}
	if found, ok := t.faces[key]; ok {
		return found
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(err) // never fails
	}
	if t.faces == nil {
		t.faces = map[faceKey]font.Face{}
	}
	t.faces[key] = face
	return face
}

// each calls visit with the face and the offset of each letter, and returns the line's width.
func (t *typesetter) each(s string, style textStyle, visit func(face font.Face, r rune, x fixed.Int26_6)) fixed.Int26_6 {
	x, last := fixed.Int26_6(0), rune(-1)
	var before font.Face
	for _, r := range s {
		f := fonts().latin[style.weight]
		if !has(f, r) {
			f = fonts().chinese
		}
		face := t.face(f, style.size)
		if last >= 0 {
			x += fixed.Int26_6(style.spacing * style.size * 64)
			if face == before {
				x += face.Kern(last, r)
			}
		}
		visit(face, r, x)
		advance, _ := face.GlyphAdvance(r)
		x += advance
		before, last = face, r
	}
	return x
}

// width returns the width of a line in pixels.
func (t *typesetter) width(s string, style textStyle) float64 {
	return float64(t.each(s, style, func(font.Face, rune, fixed.Int26_6) {})) / 64
}

// line draws a line from its left end on the baseline, and returns its width.
func (t *typesetter) line(onto *image.RGBA, x, baseline float64, s string, style textStyle) float64 {
	start := fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(baseline * 64)}
	width := t.each(s, style, func(face font.Face, r rune, offset fixed.Int26_6) {
		at, mask, origin, _, ok := face.Glyph(start.Add(fixed.Point26_6{X: offset}), r)
		if alpha, isAlpha := mask.(*image.Alpha); ok && isAlpha {
			blend(onto, at, alpha, origin, style.paint)
		}
	})
	return float64(width) / 64
}

// fit returns the size at which a line has at most a width: its own, or a smaller one down to least.
func (t *typesetter) fit(s string, style textStyle, least, width float64) textStyle {
	if natural := t.width(s, style); natural > width {
		return style.sized(max(least, style.size*width/natural))
	}
	return style
}

// cut returns the line, with its end replaced by "…" if it is wider than a width.
func (t *typesetter) cut(s string, style textStyle, width float64) string {
	if t.width(s, style) <= width {
		return s
	}
	runes := []rune(s)
	for len(runes) > 1 && t.width(strings.TrimRight(string(runes), " ")+"…", style) > width {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimRight(string(runes), " ") + "…"
}

// wrap breaks a text into at most two lines of a width, at the largest size from style's down to
// least. What doesn't fit then is cut off.
func (t *typesetter) wrap(s string, style textStyle, least, width float64) ([]string, textStyle) {
	for size := style.size; size >= least; size -= 2 {
		if lines := t.split(s, style, width*style.size/size); lines != nil {
			return lines, style.sized(size)
		}
	}
	style = style.sized(least)
	words := strings.Fields(s)
	first, n := "", 0
	for ; n < len(words) && t.width(joined(" ", first, words[n]), style) <= width; n++ {
		first = joined(" ", first, words[n])
	}
	if n == 0 {
		return []string{t.cut(s, style, width)}, style
	}
	return []string{first, t.cut(strings.Join(words[n:], " "), style, width)}, style
}

// split returns the text as one or two lines of similar length, or nil if they don't fit.
func (t *typesetter) split(s string, style textStyle, width float64) []string {
	if t.width(s, style) <= width {
		return []string{s}
	}
	words := strings.Fields(s)
	var best []string
	longest := width
	for n := 1; n < len(words); n++ {
		first, second := strings.Join(words[:n], " "), strings.Join(words[n:], " ")
		if wider := max(t.width(first, style), t.width(second, style)); wider <= longest {
			best, longest = []string{first, second}, wider
		}
	}
	return best
}
