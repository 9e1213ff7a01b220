package art

import (
	"math"

	"kaibao/internal/art/scenes"
	"kaibao/internal/art/svg"
)

// DrawHero draws a picture of the home page, 1200 by 800: 1 is the showcase, any other number the
// opened pack.
func DrawHero(n int) []byte {
	c := new(svg.Canvas)
	if n == 1 {
		drawShowcase(c)
	} else {
		drawOpenedPack(c)
	}
	return c.Document(1200, 800, "")
}

// exhibits are the items in the showcase: left, right, front.
var exhibits = []struct {
	item  Item
	place string
	width int
}{
	{Item{"hero-14", "2023 One Piece Awakening of the New Era #OP05-119 Monkey D. Luffy Manga Art PSA 10 GEM MINT", "One Piece", "Legendary", 10, "PSA", "0000119005"},
		`transform="translate(140 196) rotate(-10)"`, 272},
	{Item{"hero-39", "Labubu Big into Energy Secret Id", "Labubu Collection", "Grail", 10, "", ""},
		`transform="translate(792 149) rotate(10)"`, 272},
	{Item{"hero-0", "2021 Pokemon Evolving Skies #218 Rayquaza VMAX Alternate Art PSA 10 GEM MINT", "Pokemon", "Mythic", 10, "PSA", "0000218021"},
		`transform="translate(433 84)"`, 334},
}

// pulledItem is the item that comes out of the opened pack.
var pulledItem = Item{"hero-6", "1986 Fleer #57 Michael Jordan PSA 10 GEM MINT", "Basketball", "Mythic", 10, "PSA", "0000570086"}

// drawShowcase draws three items in a lit glass case.
func drawShowcase(c *svg.Canvas) {
	c.LinearGradient("wall", 0, 0, 0, 1, svg.EvenStops("#10131f", "#1a2036", "#0b0d14")...)
	c.RadialGradient("lamp", 0.5, 0, 0.75, svg.Stop(0, "#ffe9b8", 0.55), svg.Stop(0.5, "#8a7ae0", 0.16), svg.Stop(1, "#8a7ae0", 0))
	c.LinearGradient("beam", 0, 0, 0, 1, svg.Stop(0, "#fff3d0", 0.34), svg.Stop(1, "#fff3d0", 0))
	c.Rect(0, 0, 1200, 800, 0, c.Ref("wall"))
	c.Rect(0, 0, 1200, 800, 0, c.Ref("lamp"))
	for _, beam := range []string{"M560 0H640L900 690H300z", "M300 0H340L430 650H90z", "M860 0H900L1110 650H770z"} {
		c.Shape(beam, c.Ref("beam"))
	}
	c.Shape("M0 668Q600 620 1200 668V800H0z", "#151a2c")
	c.Shape("M0 668Q600 620 1200 668", "none", `stroke="#f2c14e"`, `stroke-opacity=".55"`, `stroke-width="3"`)
	c.RadialGradient("pool", 0.5, 0.5, 0.5, svg.Stop(0, "#f2c14e", 0.34), svg.Stop(1, "#f2c14e", 0))
	c.RadialGradient("shade", 0.5, 0.5, 0.5, svg.Stop(0, svg.Black, 0.75), svg.Stop(1, svg.Black, 0))
	c.Ellipse(svg.Point{600, 705}, 560, 80, c.Ref("pool"))
	for _, x := range []float64{300, 600, 900} {
		c.Ellipse(svg.Point{x, 704}, 150, 20, c.Ref("shade"))
	}
	drawDust(c, svg.NewRandom("dust"), 28)
	for i, e := range exhibits {
		c.Group(e.place, func() { drawInset(c, string(rune('a'+i)), e.item, e.width) })
	}
}

// drawInset draws an item within a larger drawing, with a separate id prefix.
func drawInset(c *svg.Canvas, prefix string, item Item, width int) {
	inner := &svg.Canvas{IDPrefix: prefix}
	drawFramed(inner, item)
	c.Raw(`<svg width="%d" height="%d" viewBox="0 0 500 820">%s</svg>`, width, width*820/500, inner.String())
}

// drawDust draws specks in the light.
func drawDust(c *svg.Canvas, rnd svg.Random, n int) {
	p := new(svg.Path)
	for range n {
		at := svg.Point{rnd.Between(60, 1140), rnd.Between(30, 640)}
		p.Op('M', at).Op('L', at)
	}
	c.Stroke(p.String(), "#ffe9b8", 4, svg.RoundCaps, `opacity=".45"`)
}

// drawOpenedPack draws a pack with its crimp torn off and light coming out.
func drawOpenedPack(c *svg.Canvas) {
	c.RadialGradient("wall", 0.5, 0.5, 0.75, svg.EvenStops("#6a3fb0", "#241a52", "#0b0d14")...)
	c.Rect(0, 0, 1200, 800, 0, c.Ref("wall"))
	c.RadialGradient("burst", 0.5, 0.5, 0.5, svg.Stop(0, "#fffdf0", 1), svg.Stop(0.3, "#ffe08a", 0.85), svg.Stop(1, "#ff9a3a", 0))
	mouth := svg.Point{600, 430}
	rays := new(svg.Path)
	for i := range 15 {
		a := -172 + 11.7*float64(i)
		halfWidth := 1.6 + 1.6*math.Abs(float64(i%3)-1)
		rays.Op('M', mouth).Op('L', mouth.Polar(900, a-halfWidth), mouth.Polar(900, a+halfWidth)).Close()
	}
	c.Raw(`<radialGradient id="%s" gradientUnits="userSpaceOnUse" cx="600" cy="430" r="720">`, c.ID("ray"))
	c.Stops([]svg.ColorStop{svg.Stop(0, "#fff3c8", 0.95), svg.Stop(0.5, "#ffb84a", 0.4), svg.Stop(1, "#e23fc0", 0.05)})
	c.Raw("</radialGradient>")
	c.Shape(rays.String(), c.Ref("ray"))
	c.Ellipse(mouth, 470, 330, c.Ref("burst"))
	rnd := svg.NewRandom("opened")
	drawDust(c, rnd, 60)
	drawConfettiAround(c, rnd, mouth)
	c.Group(`transform="translate(335 6) scale(1.06)"`, func() { scenes.DrawSlabFan(c, scenes.Palette{Main: "#e23fc0", Mid: "#3d8bff", Trim: "#f4c542"}) })
	c.Group(`transform="translate(468 54)"`, func() { drawInset(c, "a", pulledItem, 264) })
	drawTornPack(c, rnd)
}

func drawConfettiAround(c *svg.Canvas, rnd svg.Random, mouth svg.Point) {
	for _, paint := range []string{svg.Gold, "#e23fc0", "#9a5cff"} {
		p := new(svg.Path)
		for range 22 {
			at := mouth.Polar(rnd.Between(190, 560), rnd.Between(-170, -10))
			a := rnd.Between(0, 360)
			p.Op('M', at.Polar(12, a)).Op('L', at.Polar(6, a+90), at.Polar(12, a+180), at.Polar(6, a+270)).Close()
		}
		c.Shape(p.String(), paint, `opacity=".9"`)
	}
}

// drawTornPack draws the lower part of a wrapper with a ragged edge, and the torn-off strip.
func drawTornPack(c *svg.Canvas, rnd svg.Random) {
	palette := scenes.Palette{Light: "#ffe9a8", Mid: "#e08a2a", Deep: "#5a1a6a", Main: "#7a2fb0", Trim: "#ffe27a"}
	torn := new(svg.Path).Op('M', svg.Point{404, 420})
	for i := range 20 {
		x := 404 + 19.6*(float64(i)+0.5)
		torn.Op('L', svg.Point{x, 420 + 26*float64(i%2) + rnd.Between(-9, 9)})
	}
	torn.Op('L', svg.Point{796, 420}).Op('Q', svg.Point{788, 620}, svg.Point{800, 820}).Op('L', svg.Point{400, 820}).Op('Q', svg.Point{412, 620}, svg.Point{404, 420})
	c.LinearGradient("foilbody", 0, 0, 1, 0.4, svg.EvenStops("#7a2fb0", "#e08a2a", "#ffe0a0", "#c9503a", "#5a1a6a", "#a84ae0", "#3a1050")...)
	c.Shape(torn.Close(), c.Ref("foilbody"), `stroke="#fff3d0"`, `stroke-width="5"`, `stroke-linejoin="round"`)
	c.Shape("M404 470Q600 520 796 470L792 540Q600 590 408 540z", svg.White, `opacity=".16"`)
	c.Group(`transform="translate(600 668) scale(.62)"`, func() { scenes.DrawCompassRose(c, palette.Deep, palette.Trim) })
	c.Rect(486, 548, 228, 46, 23, svg.Ink, `opacity=".82"`)
	c.Text(svg.TextStyle{At: svg.Point{600, 580}, Size: 26, MinSize: 18, MaxWidth: 200, Weight: svg.ExtraBold, Anchor: "middle", Fill: palette.Trim, Spacing: 3}, "KAIBAO 开包")
	strip := new(svg.Path).Op('M', svg.Point{0, 0})
	for i := range 24 {
		strip.Op('L', svg.Point{6 + 12*float64(i), -10 + 10*float64(i%2)})
	}
	for i := range 12 {
		strip.Op('L', svg.Point{288 - 24*float64(i), 62 + 22*float64(i%2)})
	}
	c.Group(`transform="translate(822 318) rotate(24)"`, func() {
		c.Shape(strip.Close(), c.Ref("foilbody"), `stroke="#fff3d0"`, `stroke-width="4"`, `stroke-linejoin="round"`)
		c.Stroke("M8 16H280M8 28H280M8 40H280", svg.White, 4, `opacity=".35"`)
	})
}
