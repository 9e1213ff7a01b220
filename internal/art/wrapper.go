package art

import (
	"strings"

	"kaibao/internal/art/scenes"
	"kaibao/internal/art/svg"
)

// DrawCover draws a pack's cover, 500 by 720: a foil wrapper, or the box of a toy.
func DrawCover(cover Cover) []byte {
	c := new(svg.Canvas)
	if scenes.CategoryOf(cover.Series, cover.Name) == scenes.LabubuToys {
		drawBlindBox(c, cover)
	} else {
		drawWrapper(c, cover)
	}
	return c.Document(500, 720, cover.Name)
}

// wrapperPalettes are the wrappers' colors by category.
var wrapperPalettes = map[scenes.Category]scenes.Palette{
	scenes.AnyCategory:     {Light: "#fff0c0", Mid: "#e0a83a", Deep: "#3a2a6a", Main: "#5a4ae0", Trim: "#ffe9a8"},
	scenes.BasketballCards: {Light: "#ffe0a0", Mid: "#ff7a2a", Deep: "#5a1230", Main: "#7a2fb0", Trim: "#ffc72c"},
	scenes.BaseballCards:   {Light: "#e6f2ff", Mid: "#3f7fe0", Deep: "#0e1f5a", Main: "#d8323a", Trim: "#f4f1e6"},
	scenes.FootballCards:   {Light: "#fff0b0", Mid: "#3fae5a", Deep: "#0c3a3a", Main: "#3b2a7a", Trim: "#f2b632"},
	scenes.SoccerCards:     {Light: "#eaffd0", Mid: "#22b8a0", Deep: "#0a3a7a", Main: "#e0305a", Trim: "#fff3d0"},
	scenes.PokemonCards:    {Light: "#fff9c0", Mid: "#ffb82e", Deep: "#5a1a8a", Main: "#c9323c", Trim: "#ffd24a"},
	scenes.OnePieceCards:   {Light: "#fff0c0", Mid: "#e84a3a", Deep: "#10305a", Main: "#d8412f", Trim: "#ffd24a"},
}

// wrapperShape has zigzag edges at top and bottom, like crimped foil.
func wrapperShape() string {
	const teeth, left, right = 30, 22.0, 478.0
	step := (right - left) / teeth
	p := new(svg.Path).Op('M', svg.Point{left, 22})
	for i := range teeth {
		x := left + step*float64(i)
		p.Op('L', svg.Point{x + step/2, 8}, svg.Point{x + step, 22})
	}
	p.Op('L', svg.Point{right, 86}).Op('Q', svg.Point{472, 360}, svg.Point{right, 634}).Op('L', svg.Point{right, 698})
	for i := range teeth {
		x := right - step*float64(i)
		p.Op('L', svg.Point{x - step/2, 712}, svg.Point{x - step, 698})
	}
	p.Op('L', svg.Point{left, 634}).Op('Q', svg.Point{28, 360}, svg.Point{left, 86})
	return p.Close()
}

func drawWrapper(c *svg.Canvas, cover Cover) {
	kind := scenes.CategoryOf(cover.Series, cover.Name)
	rnd, palette := svg.NewRandom("pack"+cover.ID), wrapperPalettes[kind]
	if strings.HasSuffix(cover.Name, "Dusk") {
		palette = scenes.Palette{Light: "#ffd9e8", Mid: "#8a5ae0", Deep: "#160f4a", Main: "#e0609a", Trim: "#ffd9a0"}
	}
	shape := wrapperShape()
	c.Shape(shape, svg.Black, `transform="translate(5 7)"`, `opacity=".3"`)
	c.Clip("wrap", shape, func() {
		c.Group(`transform="translate(-27 -136) scale(1.108)"`, func() { scenes.DrawBackground(c, rnd, palette, scenes.RarityColors{}) })
		c.RadialGradient("glow", 0.5, 0.5, 0.5, svg.Stop(0, svg.Lighter(palette.Light, 0.4), 0.95), svg.Stop(0.55, palette.Light, 0.55), svg.Stop(1, palette.Light, 0))
		c.Circle(svg.Point{250, 352}, 260, c.Ref("glow"))
		c.Circle(svg.Point{250, 352}, 188, "none", `stroke="#fff"`, `stroke-width="3"`, `opacity=".6"`)
		c.Shape(svg.Star(svg.Point{250, 352}, 24, 188, 150), svg.White, `opacity=".34"`)
		scenes.DrawMotif(c, kind, palette)
		drawCrimps(c, palette)
		drawSheen(c)
		drawWrapperText(c, cover, palette)
	})
	c.Stroke(shape, svg.White, 2, `opacity=".55"`, `stroke-linejoin="round"`)
}

func drawWrapperText(c *svg.Canvas, cover Cover, palette scenes.Palette) {
	c.Rect(136, 96, 228, 40, 20, svg.Ink, `opacity=".78"`)
	c.Text(svg.TextStyle{At: svg.Point{250, 124}, Size: 23, MinSize: 16, MaxWidth: 206, Weight: svg.ExtraBold, Anchor: "middle", Fill: palette.Trim, Spacing: 3}, "KAIBAO 开包")
	c.Shape("M0 552L500 520V632H0z", svg.Ink, `opacity=".82"`)
	c.Stroke("M0 552L500 520", palette.Trim, 5)
	c.Group(`transform="rotate(-3.660 250 590)"`, func() {
		c.Text(svg.TextStyle{At: svg.Point{250, 604}, Size: 58, MinSize: 30, MaxWidth: 416, Weight: svg.ExtraBold, Anchor: "middle", Fill: svg.White, Spacing: 1}, strings.ToUpper(cover.Name))
	})
}

// drawCrimps draws the pressed ends of the wrapper.
func drawCrimps(c *svg.Canvas, palette scenes.Palette) {
	c.Raw(`<pattern id="%s" width="9" height="9" patternUnits="userSpaceOnUse"><path d="M0 0H4V9H0z" fill="#fff" opacity=".3"/><path d="M5 0H7V9H5z" opacity=".22"/></pattern>`, c.ID("crimp"))
	for _, y := range []float64{4, 640} {
		c.Rect(10, y, 480, 76, 0, svg.Mix(palette.Mid, palette.Deep, 0.3))
		c.Rect(10, y, 480, 76, 0, c.Ref("crimp"))
	}
	c.Stroke("M10 82H490M10 638H490", svg.Black, 4, `opacity=".35"`)
	c.Stroke("M10 85H490M10 641H490", svg.White, 2, `opacity=".6"`)
}

// drawSheen draws the light on the foil: two broad bands and the creases near the ends.
func drawSheen(c *svg.Canvas) {
	c.LinearGradient("sheen", 0, 0, 1, 0.55, svg.Stop(0, svg.White, 0.06), svg.Stop(0.16, svg.White, 0.36), svg.Stop(0.22, svg.White, 0.03), svg.Stop(0.6, svg.White, 0),
		svg.Stop(0.7, svg.White, 0.3), svg.Stop(0.75, svg.White, 0), svg.Stop(1, svg.Black, 0.22))
	c.Rect(0, 0, 500, 720, 0, c.Ref("sheen"))
	c.Stroke("M60 86Q74 130 66 178M120 86Q126 110 120 134M430 86Q418 124 428 170M386 636Q378 600 388 560M96 636Q108 604 98 572M440 636Q450 610 442 590", svg.White, 4, svg.RoundCaps, `opacity=".3"`)
	c.Stroke("M66 88Q80 132 72 180M436 88Q424 126 434 172M392 636Q384 602 394 562M102 636Q114 606 104 574", svg.Black, 3, svg.RoundCaps, `opacity=".18"`)
}
