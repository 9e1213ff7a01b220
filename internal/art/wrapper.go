package art

import "strings"

// Pack draws a pack's cover, 500 by 720: a foil wrapper, or the box of a toy.
func Pack(p Cover) []byte {
	c := new(canvas)
	if categoryOf(p.Series, p.Name) == labubuToys {
		c.blindBox(p)
	} else {
		c.wrapper(p)
	}
	return c.document(500, 720, p.Name)
}

// foils are the wrappers' colors by category.
var foils = map[category]hues{
	anyCategory:     {"#fff0c0", "#e0a83a", "#3a2a6a", "#5a4ae0", "#ffe9a8"},
	basketballCards: {"#ffe0a0", "#ff7a2a", "#5a1230", "#7a2fb0", "#ffc72c"},
	baseballCards:   {"#e6f2ff", "#3f7fe0", "#0e1f5a", "#d8323a", "#f4f1e6"},
	footballCards:   {"#fff0b0", "#3fae5a", "#0c3a3a", "#3b2a7a", "#f2b632"},
	soccerCards:     {"#eaffd0", "#22b8a0", "#0a3a7a", "#e0305a", "#fff3d0"},
	pokemonCards:    {"#fff9c0", "#ffb82e", "#5a1a8a", "#c9323c", "#ffd24a"},
	onePieceCards:   {"#fff0c0", "#e84a3a", "#10305a", "#d8412f", "#ffd24a"},
}

// wrapperShape has zigzag edges at top and bottom, like crimped foil.
func wrapperShape() string {
	const teeth, left, right = 30, 22.0, 478.0
	step := (right - left) / teeth
	p := new(pen).op('M', pt{left, 22})
	for i := range teeth {
		x := left + step*float64(i)
		p.op('L', pt{x + step/2, 8}, pt{x + step, 22})
	}
	p.op('L', pt{right, 86}).op('Q', pt{472, 360}, pt{right, 634}).op('L', pt{right, 698})
	for i := range teeth {
		x := right - step*float64(i)
		p.op('L', pt{x - step/2, 712}, pt{x - step, 698})
	}
	p.op('L', pt{left, 634}).op('Q', pt{28, 360}, pt{left, 86})
	return p.close()
}

func (c *canvas) wrapper(p Cover) {
	kind := categoryOf(p.Series, p.Name)
	d, h := diceOf("pack"+p.ID), foils[kind]
	if strings.HasSuffix(p.Name, "Dusk") {
		h = hues{"#ffd9e8", "#8a5ae0", "#160f4a", "#e0609a", "#ffd9a0"}
	}
	shape := wrapperShape()
	c.shape(shape, black, `transform="translate(5 7)"`, `opacity=".3"`)
	c.clip("wrap", shape, func() {
		c.group(`transform="translate(-27 -136) scale(1.108)"`, func() { c.ground(d, h, tones{}) })
		c.radial("glow", 0.5, 0.5, 0.5, stop{0, lighter(h.light, 0.4), 0.95}, stop{0.55, h.light, 0.55}, stop{1, h.light, 0})
		c.circle(pt{250, 352}, 260, c.ref("glow"))
		c.circle(pt{250, 352}, 188, "none", `stroke="#fff"`, `stroke-width="3"`, `opacity=".6"`)
		c.shape(star(pt{250, 352}, 24, 188, 150), white, `opacity=".34"`)
		c.motif(kind, h)
		c.crimps(h)
		c.sheen()
		c.wrapperLetters(p, h)
	})
	c.stroke(shape, white, 2, `opacity=".55"`, `stroke-linejoin="round"`)
}

// motif draws the subject of a wrapper.
func (c *canvas) motif(kind category, h hues) {
	edge := tones{light: h.light}
	place := `transform="translate(66 112) scale(.98)"`
	switch kind {
	case basketballCards, baseballCards, footballCards, soccerCards:
		team := hues{main: h.main, trim: h.trim, deep: h.deep}
		k := kitFor(kind, diceOf("cover"), team)
		p := posesOf(kind, "")[map[category]int{basketballCards: 1, baseballCards: 0, footballCards: 0, soccerCards: 1}[kind]]
		k.headgear = map[category]func(*canvas, kit){baseballCards: battingHelmet, footballCards: footballHelmet}[kind]
		if kind == soccerCards || kind == basketballCards {
			place = `transform="translate(70 142) scale(.94)"`
		}
		c.cutout(place, edge, func() { c.figure(p, k) })
	case pokemonCards:
		c.cutout(place, edge, func() { c.parts(drake, elements["fire"]) })
	case onePieceCards:
		c.cutout(`transform="translate(250 350) scale(1.08)"`, edge, func() { c.emblem(h) })
	default:
		c.fan(h)
	}
}

// fan draws three slabs held like a hand of cards.
func (c *canvas) fan(h hues) {
	for i, turn := range []string{"-17", "15", "-1"} {
		paint := []string{h.main, h.mid, h.trim}[i]
		c.group(`transform="translate(250 372) rotate(`+turn+`) translate(`+[]string{"-74", "74", "0"}[i]+` 0)"`, func() {
			c.rect(-88, -148, 176, 290, 14, "#e9f0fc", `stroke="#3a4560"`, `stroke-width="2"`)
			c.rect(-78, -138, 156, 46, 5, "#fbf9f3", `stroke="#c4161c"`, `stroke-width="3"`)
			c.rect(38, -133, 34, 36, 3, "#c4161c")
			c.text(lettering{at: pt{55, -106}, size: 24, weight: extraBold, anchor: "middle", fill: white}, "10")
			c.stroke("M-68-124H20M-68-110H-14", "#2a3142", 6)
			c.rect(-74, -82, 148, 214, 10, darker(paint, 0.45))
			c.rect(-66, -74, 132, 198, 7, paint)
			c.shape(star(pt{0, 22}, 16, 66, 30), white, `opacity=".35"`)
			c.group(`transform="translate(0 20) scale(.34)"`, func() { c.rose(ink, "#fff6e2") })
		})
	}
}

func (c *canvas) wrapperLetters(p Cover, h hues) {
	c.rect(136, 96, 228, 40, 20, ink, `opacity=".78"`)
	c.text(lettering{at: pt{250, 124}, size: 23, small: 16, width: 206, weight: extraBold, anchor: "middle", fill: h.trim, spacing: 3}, "KAIBAO 开包")
	c.shape("M0 552L500 520V632H0z", ink, `opacity=".82"`)
	c.stroke("M0 552L500 520", h.trim, 5)
	c.group(`transform="rotate(-3.660 250 590)"`, func() {
		c.text(lettering{at: pt{250, 604}, size: 58, small: 30, width: 416, weight: extraBold, anchor: "middle", fill: white, spacing: 1}, strings.ToUpper(p.Name))
	})
}

// crimps draws the pressed ends of the wrapper.
func (c *canvas) crimps(h hues) {
	c.raw(`<pattern id="%s" width="9" height="9" patternUnits="userSpaceOnUse"><path d="M0 0H4V9H0z" fill="#fff" opacity=".3"/><path d="M5 0H7V9H5z" opacity=".22"/></pattern>`, c.id("crimp"))
	for _, y := range []float64{4, 640} {
		c.rect(10, y, 480, 76, 0, mix(h.mid, h.deep, 0.3))
		c.rect(10, y, 480, 76, 0, c.ref("crimp"))
	}
	c.stroke("M10 82H490M10 638H490", black, 4, `opacity=".35"`)
	c.stroke("M10 85H490M10 641H490", white, 2, `opacity=".6"`)
}

// sheen draws the light on the foil: two broad bands and the creases near the ends.
func (c *canvas) sheen() {
	c.linear("sheen", 0, 0, 1, 0.55, stop{0, white, 0.06}, stop{0.16, white, 0.36}, stop{0.22, white, 0.03}, stop{0.6, white, 0},
		stop{0.7, white, 0.3}, stop{0.75, white, 0}, stop{1, black, 0.22})
	c.rect(0, 0, 500, 720, 0, c.ref("sheen"))
	c.stroke("M60 86Q74 130 66 178M120 86Q126 110 120 134M430 86Q418 124 428 170M386 636Q378 600 388 560M96 636Q108 604 98 572M440 636Q450 610 442 590", white, 4, round, `opacity=".3"`)
	c.stroke("M66 88Q80 132 72 180M436 88Q424 126 434 172M392 636Q384 602 394 562M102 636Q114 606 104 574", black, 3, round, `opacity=".18"`)
}
