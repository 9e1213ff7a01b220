package preview

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"slices"

	"golang.org/x/image/math/f64"

	"kaibao/internal/art/scenes"
	"kaibao/internal/art/svg"
)

// margin is the distance of texts from the picture's edges.
const margin = 72

// compose draws a picture. cards are the pixels of the cards that it shows; avatar is a profile's
// generated picture.
func compose(p Picture, cards []*image.RGBA, avatar *image.RGBA) *image.RGBA {
	t := new(typesetter)
	places := fanOf(len(cards))
	glow := amberColor
	if len(p.Cards) > 0 {
		if rarity := scenes.RarityColorsOf(p.Cards[0].Item.Rarity); rarity.Level != 3 {
			glow = rgb(rarity.Base)
		}
	}
	canvas := newBackground(lights(places[0], glow)...)
	for n, at := range slices.Backward(places) {
		if len(cards) == 0 {
			drawCardBack(canvas, at, n == 0)
		} else {
			drawCard(canvas, cards[n], at)
		}
	}
	drawBrand(t, canvas)
	if p.Kind == ProfilePage {
		drawProfile(t, canvas, p, avatar, textWidth(len(places)))
	} else {
		drawPull(t, canvas, p, textWidth(len(places)))
	}
	return canvas
}

// lights returns the lights of a picture: one from above, and a glow behind the card in front.
func lights(front place, glow color.RGBA) []light {
	return []light{
		{x: 560, y: -110, rx: 900, ry: 520, color: skyColor, share: 0.85},
		{x: front.x, y: front.y, rx: 660, ry: 480, color: glow, share: 0.55},
		{x: front.x, y: front.y - 30, rx: 330, ry: 400, color: mix(glow, textColor, 0.5), share: 0.45},
	}
}

// fanOf returns the places of cards, the best first. It lies in front of the others.
func fanOf(n int) []place {
	switch n {
	case 1:
		return []place{{880, 315, 538, 4}}
	case 2:
		return []place{{932, 322, 500, 5}, {728, 312, 420, -8}}
	case 0, 3: // three card backs in place of cards
		return []place{{868, 318, 510, 0}, {694, 326, 420, -9}, {1042, 326, 420, 9}}
	case 4:
		return []place{{856, 318, 500, -2}, {700, 322, 420, -10}, {1004, 322, 420, 7}, {1106, 346, 360, 14}}
	default:
		return []place{{846, 318, 490, 0}, {712, 322, 406, -8}, {980, 322, 406, 8}, {626, 342, 324, -15}, {1066, 342, 324, 15}}
	}
}

// textWidth returns the width of the texts beside a number of cards.
func textWidth(cards int) float64 {
	switch cards {
	case 1:
		return 560
	case 2, 3:
		return 456
	case 4:
		return 440
	default:
		return 400
	}
}

// drawPull draws the texts of a pull page's picture.
func drawPull(t *typesetter, canvas *image.RGBA, p Picture, width float64) {
	above, title := p.title()
	y := 214.0
	if above != "" {
		style := textStyle{size: 27, weight: svg.SemiBold, paint: solid(goldTextColor)}
		style = t.fit(above, style, 22, width)
		t.line(canvas, margin, y, t.cut(above, style, width), style)
	}
	style := textStyle{size: 64, weight: svg.ExtraBold, paint: solid(textColor), spacing: -0.016}
	lines, style := t.wrap(title, style, 40, width)
	y += 14
	for _, line := range lines {
		y += style.size * 1.08
		t.line(canvas, margin-2, y, line, style)
	}
	y += 12
	style = textStyle{size: 25, weight: svg.SemiBold, paint: solid(mutedColor)}
	if len(p.Cards) > 0 {
		for _, line := range p.Cards[0].details() {
			y += 36
			fitted := t.fit(line, style, 18, width)
			t.line(canvas, margin, y, t.cut(line, fitted, width), fitted)
		}
	}
	label := p.in("Value", "估值")
	if n := len(p.Cards); n > 1 {
		label = p.counted(n, "", "Total value of # items", "# 件藏品总估值")
	}
	drawFigure(t, canvas, margin, 566, label, dollars(p.Value), width)
}

// drawFigure draws a large golden number with its label above it, and returns its width.
func drawFigure(t *typesetter, canvas *image.RGBA, x, baseline float64, label, number string, width float64) float64 {
	style := textStyle{size: 68, weight: svg.ExtraBold, spacing: -0.016}
	style.paint = gradient(lightGoldColor, goldColor, int(baseline)-50, int(baseline))
	style = t.fit(number, style, 24, width)
	labelStyle := textStyle{size: 23, weight: svg.SemiBold, paint: solid(mutedColor)}
	return max(t.line(canvas, x, baseline-style.size*0.73-20, label, labelStyle), t.line(canvas, x-2, baseline, number, style))
}

// drawProfile draws the texts of a profile's picture and the user's generated picture.
func drawProfile(t *typesetter, canvas *image.RGBA, p Picture, avatar *image.RGBA, width float64) {
	frame := avatar.Rect.Add(image.Pt(margin, 160))
	drawAvatar(canvas, avatar, frame)
	y := float64(frame.Max.Y) + 82
	style := textStyle{size: 62, weight: svg.ExtraBold, paint: solid(textColor), spacing: -0.016}
	handle := "@" + p.Handle
	style = t.fit(handle, style, 34, width)
	t.line(canvas, margin-2, y, t.cut(handle, style, width), style)
	if since := p.since(); since != "" {
		y += 44
		style := textStyle{size: 25, weight: svg.SemiBold, paint: solid(mutedColor)}
		style = t.fit(since, style, 20, width)
		t.line(canvas, margin, y, since, style)
	}
	x := float64(margin)
	if n := p.Showcased; n > 0 {
		x += drawFigure(t, canvas, x, 566, p.in("Showcase", "展示"), p.counted(n, "1", "#", "#"), width) + 56
	}
	if p.CompleteSets > 0 {
		drawFigure(t, canvas, x, 566, p.counted(p.CompleteSets, "Complete set", "Complete sets", "集齐套系"), p.counted(p.CompleteSets, "1", "#", "#"), width)
	}
}

// drawAvatar draws the user's picture with rounded corners and a golden edge.
func drawAvatar(canvas, avatar *image.RGBA, frame image.Rectangle) {
	const radius, edge = 26, 4
	x, y, size := float64(frame.Min.X), float64(frame.Min.Y), float64(frame.Dx())
	fill(canvas, gradient(lightGoldColor, goldColor, frame.Min.Y, frame.Max.Y), roundedRect(identity, x-edge, y-edge, size+2*edge, size+2*edge, radius+edge))
	box, mask := roundedRect(identity, x, y, size, size, radius).mask()
	draw.DrawMask(canvas, box, avatar, image.Point{}, mask, image.Point{}, draw.Over)
}

// drawCardBack draws the back of a card in its slab. front is whether it lies in front of others.
func drawCardBack(canvas *image.RGBA, p place, front bool) {
	size := image.Pt(500, 820) // of drawings
	drawShadow(canvas, size, p)
	m := p.transform(size)
	top, bottom := int(p.y-p.height/2), int(p.y+p.height/2)
	edge, ornament := rgb("#343b50"), rgb("#6d5a34")
	if front {
		edge, ornament = rgb("#6d7690"), goldColor
	}
	fill(canvas, gradient(edge, mix(edge, backgroundColor, 0.5), top, bottom), roundedRect(m, 3, 3, 494, 814, 30))
	fill(canvas, gradient(rgb("#232a3f"), rgb("#121622"), top, bottom), roundedRect(m, 8, 8, 484, 804, 26))
	fill(canvas, gradient(rgb("#161b2b"), rgb("#0b0d15"), top, bottom), roundedRect(m, 30, 30, 440, 760, 18))
	fill(canvas, solid(mix(ornament, backgroundColor, 0.35)), roundedRect(m, 50, 50, 400, 720, 14))
	fill(canvas, gradient(rgb("#1a2136"), rgb("#0d101a"), top, bottom), roundedRect(m, 54, 54, 392, 712, 11))
	scaled := func(scale float64) f64.Aff3 { // around the middle of the icon
		return f64.Aff3{m[0] * scale, m[1] * scale, p.x - (m[0]*16+m[1]*16)*scale, m[3] * scale, m[4] * scale, p.y - (m[3]*16+m[4]*16)*scale}
	}
	drawMark(canvas, scaled(12), gradient(mix(ornament, textColor, 0.35), ornament, int(p.y-p.height/8), int(p.y+p.height/8)), rgb("#131828"))
}

// drawBrand draws the brand's mark and name in the upper left corner.
func drawBrand(t *typesetter, canvas *image.RGBA) {
	const scale = 44.0 / 18
	drawMark(canvas, f64.Aff3{scale, 0, margin - 9*scale, 0, scale, 60 - 7*scale}, gradient(lightGoldColor, goldColor, 60, 104), backgroundColor)
	t.line(canvas, margin+50, 92, "Kaibao 开包", textStyle{size: 30, weight: svg.SemiBold, paint: solid(textColor)})
}

// drawMark draws the pack of the web app's icon (web/public/favicon.svg) on a color. The icon has 32
// by 32 units.
func drawMark(canvas *image.RGBA, m f64.Aff3, p paint, on color.RGBA) {
	fill(canvas, p, polygon(m, point{9, 7}, point{23, 7}, point{23, 10}, point{21, 11.5}, point{21, 25}, point{11, 25}, point{11, 11.5}, point{9, 10}))
	fill(canvas, solid(on), polygon(m, point{9, 9.6}, point{11.2, 11.2}, point{20.8, 11.2}, point{23, 9.6}, point{23, 10.6}, point{21, 12.1}, point{11, 12.1}, point{9, 10.6}))
	fill(canvas, solid(on), polygon(m, point{16, 14.5}, point{17.3, 17.2}, point{20.2, 17.6}, point{18.1, 19.6}, point{18.6, 22.5}, point{16, 21.1}, point{13.4, 22.5}, point{13.9, 19.6}, point{11.8, 17.6}, point{14.7, 17.2}))
}

// composeFallback draws the picture for pages whose own picture isn't finished.
func composeFallback() *image.RGBA {
	t := new(typesetter)
	places := fanOf(0)
	canvas := newBackground(lights(places[0], amberColor)...)
	for n, at := range slices.Backward(places) {
		drawCardBack(canvas, at, n == 0)
	}
	drawBrand(t, canvas)
	style := textStyle{size: 68, weight: svg.ExtraBold, paint: solid(textColor), spacing: -0.02}
	t.line(canvas, margin-3, 300, "Open a pack.", style)
	t.line(canvas, margin-3, 376, "Own the card.", style)
	t.line(canvas, margin, 446, "Draws anyone can verify.", textStyle{size: 28, weight: svg.SemiBold, paint: solid(mutedColor)})
	return canvas
}

// encode encodes a picture as PNG.
func encode(canvas *image.RGBA) ([]byte, error) {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	err := encoder.Encode(&b, canvas)
	return b.Bytes(), err
}
