package art

// Auras surround a creature with its element. They are drawn between the ground and the creature.

func flames(c *canvas, d dice, e element) {
	c.tongues(d, 9, 250, e.main, 0.6)
	c.tongues(d, 8, 170, e.accent, 0.75)
	c.tongues(d, 7, 90, "#fff4c2", 0.7)
}

// tongues draws a row of flames along the card's lower edge.
func (c *canvas) tongues(d dice, n int, tall float64, paint string, opacity float64) {
	p := new(pen).op('M', pt{40, 760})
	w := 420 / float64(n)
	for i := range n {
		x, h := 40+w*float64(i), tall*d.between(0.6, 1.1)
		p.op('L', pt{x, 700 - tall*0.12}).op('Q', pt{x - w*0.1, 690 - h*0.6}, pt{x + w*0.45, 690 - h}, pt{x + w*0.35, 690 - h*0.5}, pt{x + w, 700 - tall*0.12})
	}
	p.op('L', pt{460, 760})
	c.shape(p.close(), paint, `opacity="`+num2(opacity)+`"`)
}

func waves(c *canvas, d dice, e element) {
	for i, paint := range []string{e.main, e.accent, "#eafcff"} {
		y := 560 + 44*float64(i)
		p := new(pen).op('M', pt{40, 770}).op('L', pt{40, y})
		w := []float64{140, 105, 84}[i]
		for x := 40.0; x < 460; x += w {
			p.op('Q', pt{x + w*0.5, y - 70}, pt{x + w*0.62, y - 20}, pt{x + w*0.66, y + 18}, pt{x + w, y})
		}
		c.shape(p.op('L', pt{470, 770}).close(), paint, `opacity=".75"`)
	}
	for range 12 {
		c.circle(pt{d.between(56, 444), d.between(220, 560)}, d.between(3, 12), "#eafcff", `opacity=".65"`)
	}
}

func leaves(c *canvas, d dice, e element) {
	for _, paint := range []string{e.main, e.accent, "#f4ffcf"} {
		p := new(pen)
		for range 7 {
			at, turn, l := pt{d.between(60, 440), d.between(210, 640)}, d.between(0, 360), d.between(18, 38)
			tip := at.polar(l, turn)
			p.op('M', at).op('Q', at.polar(l*0.6, turn-42), tip, at.polar(l*0.6, turn+42), at)
		}
		c.shape(p.close(), paint, `opacity=".8"`)
	}
	c.shape("M40 770V640Q90 590 150 640Q200 600 250 642Q320 596 370 640Q420 600 460 640V770z", darker(e.main, 0.35), `opacity=".8"`)
}

func bolts(c *canvas, d dice, e element) {
	p := new(pen)
	for _, x := range []float64{84, 160, 330, 412} {
		at, k := pt{x + d.between(-14, 14), d.between(190, 260)}, d.between(0.8, 1.5)
		for i, q := range []pt{{14, 0}, {-26, 96}, {2, 92}, {-22, 190}, {38, 66}, {10, 70}, {36, 0}} {
			letter := byte('L')
			if i == 0 {
				letter = 'M'
			}
			p.op(letter, at.add(q.scale(k)))
		}
		p.close()
	}
	c.shape(p.String(), "#fffdf0", `stroke="`+e.accent+`"`, `stroke-width="4"`, `stroke-linejoin="round"`, `opacity=".9"`)
}

func orbits(c *canvas, d dice, e element) {
	turn := d.between(-40, 40)
	c.group(`transform="rotate(`+num(turn)+` 250 430)" fill="none" stroke="`+lighter(e.trim, 0.4)+`" opacity=".85"`, func() {
		for i, r := range []float64{230, 180, 130} {
			c.raw(`<ellipse cx="250" cy="430" rx="%s" ry="%s" stroke-width="%d"/>`, whole(r), whole(r*0.42), 3+2*i)
		}
	})
	for range 9 {
		at, r := pt{d.between(66, 434), d.between(230, 630)}, d.between(5, 15)
		c.circle(at, r, e.trim, `opacity=".9"`)
		c.circle(at.add(pt{-r * .3, -r * .3}), r*0.35, white)
	}
}

func aurora(c *canvas, d dice, e element) {
	for i, paint := range []string{e.accent, "#fff", e.trim, lighter(e.main, 0.4)} {
		y := 250 + 95*float64(i) + d.between(-20, 20)
		c.stroke(curve(pt{20, y + 60}, pt{130, y - 50}, pt{250, y + 40}, pt{370, y - 60}, pt{480, y + 20}), paint, d.between(10, 26), `opacity=".42"`)
	}
	p := new(pen)
	for range 10 {
		at, r := pt{d.between(60, 440), d.between(210, 640)}, d.between(5, 12)
		p.op('M', at.add(pt{0, -r * 1.5})).op('L', at.add(pt{r, 0}), at.add(pt{0, r * 1.5}), at.add(pt{-r, 0})).close()
	}
	c.shape(p.String(), "#fff6dd", `opacity=".85"`)
}

func moon(c *canvas, d dice, e element) {
	at := pt{d.between(170, 330), d.between(300, 350)}
	c.circle(at, 120, lighter(e.trim, 0.2), `opacity=".9"`)
	c.circle(at.add(pt{d.between(-50, -34), -16}), 98, e.deep, `opacity=".55"`)
	for i := range 4 {
		y := 590 + 34*float64(i)
		c.stroke(curve(pt{20, y}, pt{130, y - 34}, pt{250, y + 6}, pt{370, y - 30}, pt{480, y}), e.mid, 26, `opacity=".4"`)
	}
	c.sparkles(d, 9, tones{light: e.trim})
}

func crystals(c *canvas, d dice, e element) {
	for i := range 9 {
		x, h, w := 40+50*float64(i)+d.between(-10, 10), d.between(90, 250), d.between(22, 44)
		lean := d.between(-40, 40)
		c.shape(polygon(pt{x - w, 770}, pt{x + lean - w*0.6, 730 - h*0.7}, pt{x + lean, 700 - h}, pt{x, 770}), "#e4f8ff", `opacity=".8"`)
		c.shape(polygon(pt{x, 770}, pt{x + lean, 700 - h}, pt{x + lean + w*0.6, 730 - h*0.7}, pt{x + w, 770}), e.main, `opacity=".75"`)
	}
	c.sparkles(d, 12, tones{light: "#ffffff"})
}

func rocks(c *canvas, d dice, e element) {
	light, dark := new(pen), new(pen)
	for i := range 7 {
		at, r := pt{60 + 64*float64(i), d.between(620, 680)}, d.between(40, 74)
		light.op('M', at.add(pt{-r, r})).op('L', at.add(pt{-r * 0.7, -r * 0.5}), at.add(pt{0, -r}), at.add(pt{r * 0.2, r})).close()
		dark.op('M', at.add(pt{0, -r})).op('L', at.add(pt{r * 0.8, -r * 0.3}), at.add(pt{r, r}), at.add(pt{r * 0.2, r})).close()
	}
	for range 8 {
		at, r := pt{d.between(60, 440), d.between(230, 580)}, d.between(5, 16)
		light.op('M', at.polar(r, 20)).op('L', at.polar(r, 130), at.polar(r, 210), at.polar(r, 300)).close()
	}
	c.shape(light.String(), lighter(e.main, 0.25), `opacity=".9"`)
	c.shape(dark.String(), darker(e.main, 0.35), `opacity=".9"`)
}
