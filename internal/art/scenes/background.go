package scenes

import "kaibao/internal/art/svg"

// The bounds of a card within its slab. Scenes are drawn into this area.
const (
	CardX      = 46.0
	CardY      = 184.0
	CardWidth  = 408.0
	CardHeight = 572.0
)

// DrawBackground fills the art area with a light behind the subject, a pattern chosen per card, and
// the foil.
func DrawBackground(c *svg.Canvas, rnd svg.Random, palette Palette, rarity RarityColors) {
	c.RadialGradient("sky", 0.5, 0.38, 0.7, svg.Stop(0, palette.Light, 1), svg.Stop(0.45, palette.Mid, 1), svg.Stop(1, palette.Deep, 1))
	c.Rect(CardX, CardY, CardWidth, CardHeight, 0, c.Ref("sky"))
	DrawPattern(c, rnd, palette)
	drawFoil(c, rnd, rarity)
}

// DrawPattern draws a random pattern in a scene's colors over the art area.
func DrawPattern(c *svg.Canvas, rnd svg.Random, palette Palette) {
	draw := svg.Choose(rnd, patterns)
	draw(c, rnd, palette)
}

var patterns = []func(*svg.Canvas, svg.Random, Palette){
	sunburst, halftone, rings, stripes, facets, honeycomb, chevrons, bokeh, shards, scales, grid, confetti,
}

var center = svg.Point{250, 400}

func sunburst(c *svg.Canvas, rnd svg.Random, palette Palette) {
	n := 12 + 2*rnd.IntN(5)
	turn := rnd.Between(0, 30)
	p := new(svg.Path)
	for i := range n {
		a := turn + 360*float64(i)/float64(n)
		p.Op('M', center).Op('L', center.Polar(480, a), center.Polar(480, a+180/float64(n)))
	}
	c.Shape(p.Close(), svg.White, `opacity=".2"`)
	c.Circle(center, rnd.Between(60, 120), svg.Lighter(palette.Light, 0.5), `opacity=".45"`)
}

// halftone draws dotted lines of growing weight, one short path per row.
func halftone(c *svg.Canvas, rnd svg.Random, palette Palette) {
	turn := svg.Choose(rnd, []float64{-30, -15, 20, 35})
	c.Group(`transform="rotate(`+svg.Format1(turn)+` 250 470)" opacity=".5" stroke="`+palette.Deep+`" `+svg.RoundCaps+` stroke-dasharray="0 24"`, func() {
		for i := range 13 {
			y := 180 + 24*float64(i)
			c.Raw(`<path d="M%s %sH560" stroke-width="%s"/>`, svg.Format1(-60+12*float64(i%2)), svg.Format1(y), svg.Format0(2+float64(i)*1.5))
		}
	})
}

func rings(c *svg.Canvas, rnd svg.Random, palette Palette) {
	at := svg.Point{rnd.Between(170, 330), rnd.Between(300, 420)}
	c.Group(`fill="none" stroke="#fff" opacity=".24"`, func() {
		for i := range 7 {
			c.Raw(`<circle cx="%s" cy="%s" r="%d" stroke-width="%d"/>`, svg.Format1(at.X()), svg.Format1(at.Y()), 40+52*i, 20-i)
		}
	})
}

func stripes(c *svg.Canvas, rnd svg.Random, palette Palette) {
	p := new(svg.Path)
	lean := svg.Choose(rnd, []float64{-170, 170, 260})
	for x := -240.0; x < 560; {
		w := rnd.Between(10, 46)
		p.Op('M', svg.Point{x, 760}).Op('L', svg.Point{x + lean, 184}, svg.Point{x + lean + w, 184}, svg.Point{x + w, 760})
		x += w + rnd.Between(24, 60)
	}
	c.Shape(p.Close(), svg.White, `opacity=".16"`)
}

// facets draws the light and dark faces of a cut stone.
func facets(c *svg.Canvas, rnd svg.Random, palette Palette) {
	const cols, rows = 4, 4
	var net [rows + 1][cols + 1]svg.Point
	for y := range net {
		for x := range net[y] {
			net[y][x] = svg.Point{46 + 102*float64(x) + rnd.Between(-32, 32), 184 + 120*float64(y) + rnd.Between(-34, 34)}
		}
	}
	light, dark := new(svg.Path), new(svg.Path)
	for y := range rows {
		for x := range cols {
			a, b, e, f := net[y][x], net[y][x+1], net[y+1][x], net[y+1][x+1]
			svg.Choose(rnd, []*svg.Path{light, dark, light}).Op('M', a, b, e)
			svg.Choose(rnd, []*svg.Path{light, dark, dark}).Op('M', f, b, e)
		}
	}
	c.Shape(light.Close(), svg.White, `opacity=".16"`, `stroke="#fff"`, `stroke-opacity=".5"`)
	c.Shape(dark.Close(), palette.Deep, `opacity=".2"`)
}

func honeycomb(c *svg.Canvas, rnd svg.Random, palette Palette) {
	s := rnd.Between(22, 34)
	w, t := s*1.732, s*3
	c.Raw(`<pattern id="%s" width="%s" height="%s" patternUnits="userSpaceOnUse">`, c.ID("hex"), svg.Format1(w), svg.Format1(t))
	x, y := w/2, s
	c.Stroke(svg.Polyline(svg.Point{x, y - s}, svg.Point{w, y - s/2}, svg.Point{w, y + s/2}, svg.Point{x, y + s}, svg.Point{0, y + s/2}, svg.Point{0, y - s/2}, svg.Point{x, y - s})+
		svg.Polyline(svg.Point{x, y + s}, svg.Point{x, y + 2*s}), svg.White, 3)
	c.Raw("</pattern>")
	c.Rect(CardX, CardY, CardWidth, CardHeight, 0, c.Ref("hex"), `opacity=".3"`)
}

func chevrons(c *svg.Canvas, rnd svg.Random, palette Palette) {
	p := new(svg.Path)
	step, tall := rnd.Between(44, 64), svg.Choose(rnd, []float64{90, -90, 130})
	for y := 120.0; y < 860; y += step {
		p.Op('M', svg.Point{40, y}).Op('L', svg.Point{250, y - tall}, svg.Point{460, y})
	}
	c.Stroke(p.String(), svg.White, step*0.36, `opacity=".18"`)
}

func bokeh(c *svg.Canvas, rnd svg.Random, palette Palette) {
	c.Group(`fill="#fff" opacity=".17"`, func() {
		for range 12 {
			c.Raw(`<circle cx="%d" cy="%d" r="%d"/>`, 46+rnd.IntN(408), 184+rnd.IntN(480), 12+rnd.IntN(48))
		}
	})
}

// shards draws large slanting planes.
func shards(c *svg.Canvas, rnd svg.Random, palette Palette) {
	for i := range 5 {
		x := rnd.Between(20, 420)
		q := svg.Polygon(svg.Point{x, 180}, svg.Point{x + rnd.Between(40, 150), 180}, svg.Point{rnd.Between(60, 440), 770}, svg.Point{rnd.Between(0, 460), 770})
		paint := []string{svg.White, palette.Deep, palette.Main, svg.White, palette.Trim}[i]
		c.Shape(q, paint, `opacity=".2"`)
	}
}

// scales draws the overlapping arcs of a wave pattern.
func scales(c *svg.Canvas, rnd svg.Random, palette Palette) {
	r := rnd.Between(24, 36)
	c.Raw(`<pattern id="%s" width="%s" height="%s" patternUnits="userSpaceOnUse"><g fill="none" stroke="#fff" stroke-width="2.500">`, c.ID("scl"), svg.Format1(2*r), svg.Format1(r))
	for _, k := range []float64{1, 0.6} {
		c.Raw(`<circle cx="%s" cy="%s" r="%s"/>`, svg.Format1(r), svg.Format1(r), svg.Format1(r*k))
		c.Raw(`<path d="M0 %sm%s 0a%[3]s %[3]s 0 0 0 %[4]s 0"/>`, svg.Format1(r/2), svg.Format1(-r*k), svg.Format1(r*k), svg.Format1(2*r*k))
		c.Raw(`<path d="M%s %sm%s 0a%[4]s %[4]s 0 0 0 %[5]s 0"/>`, svg.Format1(2*r), svg.Format1(r/2), svg.Format1(-r*k), svg.Format1(r*k), svg.Format1(2*r*k))
	}
	c.Raw("</g></pattern>")
	c.Rect(CardX, CardY, CardWidth, CardHeight, 0, c.Ref("scl"), `opacity=".24"`)
}

func grid(c *svg.Canvas, rnd svg.Random, palette Palette) {
	p := new(svg.Path)
	vanishingPoint := svg.Point{rnd.Between(180, 320), 380}
	for i := range 15 {
		p.Op('M', vanishingPoint).Op('L', svg.Point{-400 + 93*float64(i), 800})
		p.Op('M', vanishingPoint).Op('L', svg.Point{-400 + 93*float64(i), 0})
	}
	for _, y := range []float64{20, 44, 80, 136, 220, 340} {
		p.Op('M', svg.Point{40, vanishingPoint.Y() + y}).Op('L', svg.Point{460, vanishingPoint.Y() + y}).Op('M', svg.Point{40, vanishingPoint.Y() - y}).Op('L', svg.Point{460, vanishingPoint.Y() - y})
	}
	c.Stroke(p.String(), svg.White, 2, `opacity=".3"`)
	c.Circle(vanishingPoint, 70, svg.Lighter(palette.Light, 0.5), `opacity=".4"`)
}

func confetti(c *svg.Canvas, rnd svg.Random, palette Palette) {
	for _, paint := range []string{svg.White, palette.Trim, palette.Main} {
		p := new(svg.Path)
		for range 11 {
			at := svg.Point{rnd.Between(50, 450), rnd.Between(190, 640)}
			a := rnd.Between(0, 360)
			p.Op('M', at.Polar(13, a)).Op('L', at.Polar(6, a+90), at.Polar(13, a+180), at.Polar(6, a+270))
		}
		c.Shape(p.Close(), paint, `opacity=".38"`)
	}
}
