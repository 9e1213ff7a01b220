package plush

import "kaibao/internal/art/svg"

// Charms are accessories on a toy's chest (around 190, 322) or head (centered at 190, 186).

func drawMedal(c *svg.Canvas, d, paint string, more ...string) {
	c.Shape(d, paint, append([]string{`transform="translate(190 324)"`, `stroke="#fff"`, `stroke-width="4"`, `stroke-linejoin="round"`}, more...)...)
}

func heart(c *svg.Canvas, toy Toy) {
	drawMedal(c, "M0 34C-44 4-36-34-12-32Q-2-30 0-18Q2-30 12-32C36-34 44 4 0 34z", toy.Accent)
}

func sun(c *svg.Canvas, toy Toy) { drawMedal(c, svg.Star(svg.Point{}, 12, 38, 25), toy.Accent) }

func shield(c *svg.Canvas, toy Toy) {
	drawMedal(c, "M0-36Q18-26 34-28C36 6 26 26 0 38C-26 26-36 6-34-28Q-18-26 0-36z", toy.Accent)
}

func drop(c *svg.Canvas, toy Toy) {
	drawMedal(c, "M0-38C14-14 30 0 28 16C26 34 12 40 0 40C-12 40-26 34-28 16C-30 0-14-14 0-38z", toy.Accent)
}

func bigStar(c *svg.Canvas, toy Toy) { drawMedal(c, svg.Star(svg.Point{}, 5, 42, 19), toy.Accent) }

func clover(c *svg.Canvas, toy Toy) {
	drawMedal(c, "M0 0C-30-10-34-38-14-38Q-2-38 0-24Q2-38 14-38C34-38 30-10 0 0C10-30 40-32 38-12Q38 0 24 2Q38 4 38 14C36 34 10 30 0 2C-10 30-36 34-38 14Q-38 4-24 2Q-38 0-38-12C-40-32-10-30 0 0z", toy.Accent)
}

func bolt(c *svg.Canvas, toy Toy) { drawMedal(c, "M10-44L-28 8H-4L-12 44 28-10H4z", toy.Accent) }

func bow(c *svg.Canvas, toy Toy) {
	c.Shape("M190 268C150 236 130 250 134 276C136 298 160 296 190 272C220 296 244 298 246 276C250 250 230 236 190 268z", toy.Accent)
	c.Circle(svg.Point{190, 270}, 13, svg.Lighter(toy.Accent, 0.3))
}

func scarf(c *svg.Canvas, toy Toy) {
	c.Shape("M104 252C150 282 230 282 276 252L282 276C236 308 144 308 98 276z", toy.Accent)
	c.Shape("M222 288L250 280 264 348 232 352z", svg.Darker(toy.Accent, 0.15))
	c.Stroke("M130 270L124 288M166 280L163 300M214 280L217 300M250 268L256 286", svg.Lighter(toy.Accent, 0.5), 5)
}

func crown(c *svg.Canvas, toy Toy) {
	c.Shape("M132 112L120 52 158 80 190 36 222 80 260 52 248 112Q190 94 132 112z", "#f4c542", `stroke="#fff3c0"`, `stroke-width="4"`, `stroke-linejoin="round"`)
	c.Circle(svg.Point{190, 84}, 9, "#e0305a")
	c.Circle(svg.Point{154, 92}, 6, "#3a8fe0")
	c.Circle(svg.Point{226, 92}, 6, "#3a8fe0")
}

func leafCrown(c *svg.Canvas, toy Toy) {
	for i := range 7 {
		at := svg.Point{190, 190}.Polar(104, -150+20*float64(i))
		if i%2 == 0 {
			c.Shape(svg.ScallopedOval(at, 15, 15, 6), toy.Accent)
			c.Circle(at, 6, "#ffe27a")
			continue
		}
		tip := at.Polar(26, -150+20*float64(i))
		c.Shape(svg.Limb(at, tip, 12, 3, 4), "#5aa84a")
	}
}

func glasses(c *svg.Canvas, toy Toy) {
	c.Shape("M112 164H180V186C178 214 122 214 114 188zM200 164H268L266 188C258 214 202 214 200 186z", toy.Accent)
	c.Stroke("M108 166H272", toy.Accent, 9, svg.RoundCaps)
	c.Stroke("M124 176L140 196M212 176L228 196", svg.White, 6, svg.RoundCaps, `opacity=".5"`)
}

func halo(c *svg.Canvas, toy Toy) {
	for _, side := range []string{"", ` transform="translate(380 0) scale(-1 1)"`} {
		c.Raw(`<g%s>`, side)
		c.Shape("M116 330C70 332 10 300 4 246C30 262 40 258 48 254C30 240 26 222 28 206C62 232 104 262 122 292z", "#fffdf4")
		c.Stroke("M108 314C70 308 40 292 24 268M108 298C82 284 64 268 54 250", "#d6def2", 4)
		c.Raw("</g>")
	}
	c.Ellipse(svg.Point{190, 66}, 58, 15, "none", `stroke="#f4c542"`, `stroke-width="10"`)
}

func topHat(c *svg.Canvas, toy Toy) {
	c.Shape("M142 104L136 26Q190 10 244 26L238 104z", "#1a1424")
	c.Shape("M140 78L239 78 238 104H142z", toy.Accent)
	c.Shape("M100 106C140 82 240 82 280 106C250 126 130 126 100 106z", "#1a1424")
	c.Stroke("M156 34L160 70", svg.White, 7, svg.RoundCaps, `opacity=".3"`)
}
