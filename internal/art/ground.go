package art

// hues are the colors of a scene: the background from its light center to its dark edge, and two
// team colors.
type hues struct{ light, mid, deep, main, trim string }

var teams = []hues{
	{"#ffe29a", "#f0802c", "#701226", "#c8102e", "#ffc72c"},
	{"#ffd36b", "#a14fd0", "#2b0f57", "#552583", "#fdb927"},
	{"#bfe8ff", "#3f8df0", "#0e2a66", "#1d428a", "#ffc72c"},
	{"#e4f7a8", "#35a866", "#063a2a", "#007a33", "#f4f1e6"},
	{"#ffc09a", "#e0363f", "#3d0a1c", "#151b26", "#ff4b4f"},
	{"#ffe8a8", "#1fa3a8", "#07384f", "#00788c", "#ffb13b"},
	{"#ffd59a", "#ef6a3c", "#3f1466", "#e56020", "#fff1d6"},
	{"#d2f1ff", "#2f9be8", "#0a2d6b", "#0077c0", "#f4f4f4"},
	{"#ffdcb0", "#cf4058", "#3b0722", "#98002e", "#f9e2b0"},
	{"#e6f9a8", "#3c9fb8", "#0f2f5c", "#236192", "#9be03a"},
	{"#c6e2ff", "#5577d8", "#161f55", "#f2f3f6", "#c8102e"},
	{"#c9fff0", "#4f7be0", "#1c1260", "#2b2f77", "#5fe3d2"},
	{"#ffd9e6", "#c94fa0", "#43104a", "#f4f1ea", "#8a2a77"},
	{"#fff0b8", "#2fae92", "#0b3a44", "#f6a81c", "#12312f"},
}

// golden backgrounds suit the gold foil of a Legendary card, which looks gray on cold colors.
var golden = []hues{
	{"#fff6cf", "#f0b63a", "#5a2a06", "#b8741a", "#fff0b0"},
	{"#fff0c0", "#e0702a", "#4a0f1a", "#c8402a", "#ffd98a"},
	{"#fffbe0", "#c9a13a", "#1f2a1a", "#8a6a1a", "#ffe9a0"},
	{"#ffe9c0", "#d84a3a", "#3a0a1e", "#a82a2a", "#ffd27a"},
}

func groundsFor(tone tones) []hues {
	if tone.level == 3 {
		return golden
	}
	return teams
}

// ground fills the art area with a light behind the subject, a pattern chosen per card, and the
// foil.
func (c *canvas) ground(d dice, h hues, tone tones) {
	c.radial("sky", 0.5, 0.38, 0.7, stop{0, h.light, 1}, stop{0.45, h.mid, 1}, stop{1, h.deep, 1})
	c.rect(cardX, cardY, cardW, cardH, 0, c.ref("sky"))
	draw := one(d, patterns)
	draw(c, d, h)
	c.foil(d, tone)
}

var patterns = []func(*canvas, dice, hues){
	sunburst, halftone, rings, stripes, facets, honeycomb, chevrons, bokeh, shards, scales, grid, confetti,
}

var centre = pt{250, 400}

func sunburst(c *canvas, d dice, h hues) {
	n := 12 + 2*d.below(5)
	turn := d.between(0, 30)
	p := new(pen)
	for i := range n {
		a := turn + 360*float64(i)/float64(n)
		p.op('M', centre).op('L', centre.polar(480, a), centre.polar(480, a+180/float64(n)))
	}
	c.shape(p.close(), white, `opacity=".2"`)
	c.circle(centre, d.between(60, 120), lighter(h.light, 0.5), `opacity=".45"`)
}

// halftone draws dotted lines of growing weight, one short path per row.
func halftone(c *canvas, d dice, h hues) {
	turn := one(d, []float64{-30, -15, 20, 35})
	c.group(`transform="rotate(`+num(turn)+` 250 470)" opacity=".5" stroke="`+h.deep+`" `+round+` stroke-dasharray="0 24"`, func() {
		for i := range 13 {
			y := 180 + 24*float64(i)
			c.raw(`<path d="M%s %sH560" stroke-width="%s"/>`, num(-60+12*float64(i%2)), num(y), whole(2+float64(i)*1.5))
		}
	})
}

func rings(c *canvas, d dice, h hues) {
	at := pt{d.between(170, 330), d.between(300, 420)}
	c.group(`fill="none" stroke="#fff" opacity=".24"`, func() {
		for i := range 7 {
			c.raw(`<circle cx="%s" cy="%s" r="%d" stroke-width="%d"/>`, num(at.x), num(at.y), 40+52*i, 20-i)
		}
	})
}

func stripes(c *canvas, d dice, h hues) {
	p := new(pen)
	lean := one(d, []float64{-170, 170, 260})
	for x := -240.0; x < 560; {
		w := d.between(10, 46)
		p.op('M', pt{x, 760}).op('L', pt{x + lean, 184}, pt{x + lean + w, 184}, pt{x + w, 760})
		x += w + d.between(24, 60)
	}
	c.shape(p.close(), white, `opacity=".16"`)
}

// facets draws the light and dark faces of a cut stone.
func facets(c *canvas, d dice, h hues) {
	const cols, rows = 4, 4
	var net [rows + 1][cols + 1]pt
	for y := range net {
		for x := range net[y] {
			net[y][x] = pt{46 + 102*float64(x) + d.between(-32, 32), 184 + 120*float64(y) + d.between(-34, 34)}
		}
	}
	light, dark := new(pen), new(pen)
	for y := range rows {
		for x := range cols {
			a, b, e, f := net[y][x], net[y][x+1], net[y+1][x], net[y+1][x+1]
			one(d, []*pen{light, dark, light}).op('M', a, b, e)
			one(d, []*pen{light, dark, dark}).op('M', f, b, e)
		}
	}
	c.shape(light.close(), white, `opacity=".16"`, `stroke="#fff"`, `stroke-opacity=".5"`)
	c.shape(dark.close(), h.deep, `opacity=".2"`)
}

func honeycomb(c *canvas, d dice, h hues) {
	s := d.between(22, 34)
	w, t := s*1.732, s*3
	c.raw(`<pattern id="%s" width="%s" height="%s" patternUnits="userSpaceOnUse">`, c.id("hex"), num(w), num(t))
	x, y := w/2, s
	c.stroke(line(pt{x, y - s}, pt{w, y - s/2}, pt{w, y + s/2}, pt{x, y + s}, pt{0, y + s/2}, pt{0, y - s/2}, pt{x, y - s})+
		line(pt{x, y + s}, pt{x, y + 2*s}), white, 3)
	c.raw("</pattern>")
	c.rect(cardX, cardY, cardW, cardH, 0, c.ref("hex"), `opacity=".3"`)
}

func chevrons(c *canvas, d dice, h hues) {
	p := new(pen)
	step, tall := d.between(44, 64), one(d, []float64{90, -90, 130})
	for y := 120.0; y < 860; y += step {
		p.op('M', pt{40, y}).op('L', pt{250, y - tall}, pt{460, y})
	}
	c.stroke(p.String(), white, step*0.36, `opacity=".18"`)
}

func bokeh(c *canvas, d dice, h hues) {
	c.group(`fill="#fff" opacity=".17"`, func() {
		for range 12 {
			c.raw(`<circle cx="%d" cy="%d" r="%d"/>`, 46+d.below(408), 184+d.below(480), 12+d.below(48))
		}
	})
}

// shards draws large slanting planes.
func shards(c *canvas, d dice, h hues) {
	for i := range 5 {
		x := d.between(20, 420)
		q := polygon(pt{x, 180}, pt{x + d.between(40, 150), 180}, pt{d.between(60, 440), 770}, pt{d.between(0, 460), 770})
		paint := []string{white, h.deep, h.main, white, h.trim}[i]
		c.shape(q, paint, `opacity=".2"`)
	}
}

// scales draws the overlapping arcs of a wave pattern.
func scales(c *canvas, d dice, h hues) {
	r := d.between(24, 36)
	c.raw(`<pattern id="%s" width="%s" height="%s" patternUnits="userSpaceOnUse"><g fill="none" stroke="#fff" stroke-width="2.500">`, c.id("scl"), num(2*r), num(r))
	for _, k := range []float64{1, 0.6} {
		c.raw(`<circle cx="%s" cy="%s" r="%s"/>`, num(r), num(r), num(r*k))
		c.raw(`<path d="M0 %sm%s 0a%[3]s %[3]s 0 0 0 %[4]s 0"/>`, num(r/2), num(-r*k), num(r*k), num(2*r*k))
		c.raw(`<path d="M%s %sm%s 0a%[4]s %[4]s 0 0 0 %[5]s 0"/>`, num(2*r), num(r/2), num(-r*k), num(r*k), num(2*r*k))
	}
	c.raw("</g></pattern>")
	c.rect(cardX, cardY, cardW, cardH, 0, c.ref("scl"), `opacity=".24"`)
}

func grid(c *canvas, d dice, h hues) {
	p := new(pen)
	flee := pt{d.between(180, 320), 380}
	for i := range 15 {
		p.op('M', flee).op('L', pt{-400 + 93*float64(i), 800})
		p.op('M', flee).op('L', pt{-400 + 93*float64(i), 0})
	}
	for _, y := range []float64{20, 44, 80, 136, 220, 340} {
		p.op('M', pt{40, flee.y + y}).op('L', pt{460, flee.y + y}).op('M', pt{40, flee.y - y}).op('L', pt{460, flee.y - y})
	}
	c.stroke(p.String(), white, 2, `opacity=".3"`)
	c.circle(flee, 70, lighter(h.light, 0.5), `opacity=".4"`)
}

func confetti(c *canvas, d dice, h hues) {
	for _, paint := range []string{white, h.trim, h.main} {
		p := new(pen)
		for range 11 {
			at := pt{d.between(50, 450), d.between(190, 640)}
			a := d.between(0, 360)
			p.op('M', at.polar(13, a)).op('L', at.polar(6, a+90), at.polar(13, a+180), at.polar(6, a+270))
		}
		c.shape(p.close(), paint, `opacity=".38"`)
	}
}
