package art

// Charms are accessories on a toy's chest (around 190, 322) or head (centered at 190, 186).

func (c *canvas) medal(d, paint string, more ...string) {
	c.shape(d, paint, append([]string{`transform="translate(190 324)"`, `stroke="#fff"`, `stroke-width="4"`, `stroke-linejoin="round"`}, more...)...)
}

func heart(c *canvas, p plush) {
	c.medal("M0 34C-44 4-36-34-12-32Q-2-30 0-18Q2-30 12-32C36-34 44 4 0 34z", p.accent)
}

func sun(c *canvas, p plush) { c.medal(star(pt{}, 12, 38, 25), p.accent) }

func shield(c *canvas, p plush) {
	c.medal("M0-36Q18-26 34-28C36 6 26 26 0 38C-26 26-36 6-34-28Q-18-26 0-36z", p.accent)
}

func drop(c *canvas, p plush) {
	c.medal("M0-38C14-14 30 0 28 16C26 34 12 40 0 40C-12 40-26 34-28 16C-30 0-14-14 0-38z", p.accent)
}

func bigStar(c *canvas, p plush) { c.medal(star(pt{}, 5, 42, 19), p.accent) }

func clover(c *canvas, p plush) {
	c.medal("M0 0C-30-10-34-38-14-38Q-2-38 0-24Q2-38 14-38C34-38 30-10 0 0C10-30 40-32 38-12Q38 0 24 2Q38 4 38 14C36 34 10 30 0 2C-10 30-36 34-38 14Q-38 4-24 2Q-38 0-38-12C-40-32-10-30 0 0z", p.accent)
}

func bolt(c *canvas, p plush) { c.medal("M10-44L-28 8H-4L-12 44 28-10H4z", p.accent) }

func bow(c *canvas, p plush) {
	c.shape("M190 268C150 236 130 250 134 276C136 298 160 296 190 272C220 296 244 298 246 276C250 250 230 236 190 268z", p.accent)
	c.circle(pt{190, 270}, 13, lighter(p.accent, 0.3))
}

func scarf(c *canvas, p plush) {
	c.shape("M104 252C150 282 230 282 276 252L282 276C236 308 144 308 98 276z", p.accent)
	c.shape("M222 288L250 280 264 348 232 352z", darker(p.accent, 0.15))
	c.stroke("M130 270L124 288M166 280L163 300M214 280L217 300M250 268L256 286", lighter(p.accent, 0.5), 5)
}

func crown(c *canvas, p plush) {
	c.shape("M132 112L120 52 158 80 190 36 222 80 260 52 248 112Q190 94 132 112z", "#f4c542", `stroke="#fff3c0"`, `stroke-width="4"`, `stroke-linejoin="round"`)
	c.circle(pt{190, 84}, 9, "#e0305a")
	c.circle(pt{154, 92}, 6, "#3a8fe0")
	c.circle(pt{226, 92}, 6, "#3a8fe0")
}

func leafCrown(c *canvas, p plush) {
	for i := range 7 {
		at := pt{190, 190}.polar(104, -150+20*float64(i))
		if i%2 == 0 {
			c.shape(fluff(at, 15, 15, 6), p.accent)
			c.circle(at, 6, "#ffe27a")
			continue
		}
		tip := at.polar(26, -150+20*float64(i))
		c.shape(limb(at, tip, 12, 3, 4), "#5aa84a")
	}
}

func glasses(c *canvas, p plush) {
	c.shape("M112 164H180V186C178 214 122 214 114 188zM200 164H268L266 188C258 214 202 214 200 186z", p.accent)
	c.stroke("M108 166H272", p.accent, 9, round)
	c.stroke("M124 176L140 196M212 176L228 196", white, 6, round, `opacity=".5"`)
}

func halo(c *canvas, p plush) {
	for _, side := range []string{"", ` transform="translate(380 0) scale(-1 1)"`} {
		c.raw(`<g%s>`, side)
		c.shape("M116 330C70 332 10 300 4 246C30 262 40 258 48 254C30 240 26 222 28 206C62 232 104 262 122 292z", "#fffdf4")
		c.stroke("M108 314C70 308 40 292 24 268M108 298C82 284 64 268 54 250", "#d6def2", 4)
		c.raw("</g>")
	}
	c.ellipse(pt{190, 66}, 58, 15, "none", `stroke="#f4c542"`, `stroke-width="10"`)
}

func topHat(c *canvas, p plush) {
	c.shape("M142 104L136 26Q190 10 244 26L238 104z", "#1a1424")
	c.shape("M140 78L239 78 238 104H142z", p.accent)
	c.shape("M100 106C140 82 240 82 280 106C250 126 130 126 100 106z", "#1a1424")
	c.stroke("M156 34L160 70", white, 7, round, `opacity=".3"`)
}
