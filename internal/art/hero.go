package art

import "math"

// Hero draws a picture of the home page, 1200 by 800: 1 is the showcase, any other number the
// opened pack.
func Hero(n int) []byte {
	c := new(canvas)
	if n == 1 {
		c.showcase()
	} else {
		c.opened()
	}
	return c.document(1200, 800, "")
}

// exhibits are the items in the showcase: left, right, front.
var exhibits = []struct {
	entry Entry
	place string
	width int
}{
	{Entry{"hero-14", "2023 One Piece Awakening of the New Era #OP05-119 Monkey D. Luffy Manga Art PSA 10 GEM MINT", "One Piece", "Legendary", 10, "PSA", "0000119005"},
		`transform="translate(140 196) rotate(-10)"`, 272},
	{Entry{"hero-39", "Labubu Big into Energy Secret Id", "Labubu Collection", "Grail", 10, "", ""},
		`transform="translate(792 149) rotate(10)"`, 272},
	{Entry{"hero-0", "2021 Pokemon Evolving Skies #218 Rayquaza VMAX Alternate Art PSA 10 GEM MINT", "Pokemon", "Mythic", 10, "PSA", "0000218021"},
		`transform="translate(433 84)"`, 334},
}

// pulled are the items that come out of the opened pack.
var pulled = Entry{"hero-6", "1986 Fleer #57 Michael Jordan PSA 10 GEM MINT", "Basketball", "Mythic", 10, "PSA", "0000570086"}

// showcase draws a jeweler's case: velvet, a lamp above, a glass shelf, three items.
func (c *canvas) showcase() {
	c.linear("wall", 0, 0, 0, 1, shades("#10131f", "#1a2036", "#0b0d14")...)
	c.radial("lamp", 0.5, 0, 0.75, stop{0, "#ffe9b8", 0.55}, stop{0.5, "#8a7ae0", 0.16}, stop{1, "#8a7ae0", 0})
	c.linear("beam", 0, 0, 0, 1, stop{0, "#fff3d0", 0.34}, stop{1, "#fff3d0", 0})
	c.rect(0, 0, 1200, 800, 0, c.ref("wall"))
	c.rect(0, 0, 1200, 800, 0, c.ref("lamp"))
	for _, beam := range []string{"M560 0H640L900 690H300z", "M300 0H340L430 650H90z", "M860 0H900L1110 650H770z"} {
		c.shape(beam, c.ref("beam"))
	}
	c.shape("M0 668Q600 620 1200 668V800H0z", "#151a2c")
	c.shape("M0 668Q600 620 1200 668", "none", `stroke="#f2c14e"`, `stroke-opacity=".55"`, `stroke-width="3"`)
	c.radial("pool", 0.5, 0.5, 0.5, stop{0, "#f2c14e", 0.34}, stop{1, "#f2c14e", 0})
	c.radial("shade", 0.5, 0.5, 0.5, stop{0, black, 0.75}, stop{1, black, 0})
	c.ellipse(pt{600, 705}, 560, 80, c.ref("pool"))
	for _, x := range []float64{300, 600, 900} {
		c.ellipse(pt{x, 704}, 150, 20, c.ref("shade"))
	}
	c.dust(diceOf("dust"), 28)
	for i, e := range exhibits {
		c.group(e.place, func() { c.inset(string(rune('a'+i)), e.entry, e.width) })
	}
}

// inset draws an item within a larger drawing, with a separate id prefix.
func (c *canvas) inset(prefix string, e Entry, width int) {
	inner := &canvas{prefix: prefix}
	inner.item(e)
	c.raw(`<svg width="%d" height="%d" viewBox="0 0 500 820">%s</svg>`, width, width*820/500, inner.b.String())
}

// dust draws specks in the light.
func (c *canvas) dust(d dice, n int) {
	p := new(pen)
	for range n {
		at := pt{d.between(60, 1140), d.between(30, 640)}
		p.op('M', at).op('L', at)
	}
	c.stroke(p.String(), "#ffe9b8", 4, round, `opacity=".45"`)
}

// opened draws a pack with its crimp torn off and light coming out.
func (c *canvas) opened() {
	c.radial("wall", 0.5, 0.5, 0.75, shades("#6a3fb0", "#241a52", "#0b0d14")...)
	c.rect(0, 0, 1200, 800, 0, c.ref("wall"))
	c.radial("burst", 0.5, 0.5, 0.5, stop{0, "#fffdf0", 1}, stop{0.3, "#ffe08a", 0.85}, stop{1, "#ff9a3a", 0})
	mouth := pt{600, 430}
	rays := new(pen)
	for i := range 15 {
		a := -172 + 11.7*float64(i)
		wide := 1.6 + 1.6*math.Abs(float64(i%3)-1)
		rays.op('M', mouth).op('L', mouth.polar(900, a-wide), mouth.polar(900, a+wide)).close()
	}
	c.raw(`<radialGradient id="%s" gradientUnits="userSpaceOnUse" cx="600" cy="430" r="720">`, c.id("ray"))
	c.stops([]stop{{0, "#fff3c8", 0.95}, {0.5, "#ffb84a", 0.4}, {1, "#e23fc0", 0.05}})
	c.raw("</radialGradient>")
	c.shape(rays.String(), c.ref("ray"))
	c.ellipse(mouth, 470, 330, c.ref("burst"))
	d := diceOf("opened")
	c.dust(d, 60)
	c.confettiAround(d, mouth)
	c.group(`transform="translate(335 6) scale(1.06)"`, func() { c.fan(hues{main: "#e23fc0", mid: "#3d8bff", trim: "#f4c542"}) })
	c.group(`transform="translate(468 54)"`, func() { c.inset("a", pulled, 264) })
	c.tornPack(d)
}

func (c *canvas) confettiAround(d dice, mouth pt) {
	for _, paint := range []string{gold, "#e23fc0", "#9a5cff"} {
		p := new(pen)
		for range 22 {
			at := mouth.polar(d.between(190, 560), d.between(-170, -10))
			a := d.between(0, 360)
			p.op('M', at.polar(12, a)).op('L', at.polar(6, a+90), at.polar(12, a+180), at.polar(6, a+270)).close()
		}
		c.shape(p.String(), paint, `opacity=".9"`)
	}
}

// tornPack draws the lower part of a wrapper with a ragged edge, and the torn-off strip.
func (c *canvas) tornPack(d dice) {
	h := hues{"#ffe9a8", "#e08a2a", "#5a1a6a", "#7a2fb0", "#ffe27a"}
	torn := new(pen).op('M', pt{404, 420})
	for i := range 20 {
		x := 404 + 19.6*(float64(i)+0.5)
		torn.op('L', pt{x, 420 + 26*float64(i%2) + d.between(-9, 9)})
	}
	torn.op('L', pt{796, 420}).op('Q', pt{788, 620}, pt{800, 820}).op('L', pt{400, 820}).op('Q', pt{412, 620}, pt{404, 420})
	c.linear("foilbody", 0, 0, 1, 0.4, shades("#7a2fb0", "#e08a2a", "#ffe0a0", "#c9503a", "#5a1a6a", "#a84ae0", "#3a1050")...)
	c.shape(torn.close(), c.ref("foilbody"), `stroke="#fff3d0"`, `stroke-width="5"`, `stroke-linejoin="round"`)
	c.shape("M404 470Q600 520 796 470L792 540Q600 590 408 540z", white, `opacity=".16"`)
	c.group(`transform="translate(600 668) scale(.62)"`, func() { c.rose(h.deep, h.trim) })
	c.rect(486, 548, 228, 46, 23, ink, `opacity=".82"`)
	c.text(lettering{at: pt{600, 580}, size: 26, small: 18, width: 200, weight: extraBold, anchor: "middle", fill: h.trim, spacing: 3}, "KAIBAO 开包")
	strip := new(pen).op('M', pt{0, 0})
	for i := range 24 {
		strip.op('L', pt{6 + 12*float64(i), -10 + 10*float64(i%2)})
	}
	for i := range 12 {
		strip.op('L', pt{288 - 24*float64(i), 62 + 22*float64(i%2)})
	}
	c.group(`transform="translate(822 318) rotate(24)"`, func() {
		c.shape(strip.close(), c.ref("foilbody"), `stroke="#fff3d0"`, `stroke-width="4"`, `stroke-linejoin="round"`)
		c.stroke("M8 16H280M8 28H280M8 40H280", white, 4, `opacity=".35"`)
	})
}
