package scenes

import "kaibao/internal/art/svg"

// Auras surround a creature with its element. They are drawn between the background and the
// creature.

func flames(c *svg.Canvas, rnd svg.Random, e element) {
	drawFlameRow(c, rnd, 9, 250, e.Main, 0.6)
	drawFlameRow(c, rnd, 8, 170, e.accent, 0.75)
	drawFlameRow(c, rnd, 7, 90, "#fff4c2", 0.7)
}

// drawFlameRow draws a row of flames along the card's lower edge.
func drawFlameRow(c *svg.Canvas, rnd svg.Random, n int, tall float64, paint string, opacity float64) {
	p := new(svg.Path).Op('M', svg.Point{40, 760})
	w := 420 / float64(n)
	for i := range n {
		x, h := 40+w*float64(i), tall*rnd.Between(0.6, 1.1)
		p.Op('L', svg.Point{x, 700 - tall*0.12}).Op('Q', svg.Point{x - w*0.1, 690 - h*0.6}, svg.Point{x + w*0.45, 690 - h}, svg.Point{x + w*0.35, 690 - h*0.5}, svg.Point{x + w, 700 - tall*0.12})
	}
	p.Op('L', svg.Point{460, 760})
	c.Shape(p.Close(), paint, `opacity="`+svg.Format2(opacity)+`"`)
}

func waves(c *svg.Canvas, rnd svg.Random, e element) {
	for i, paint := range []string{e.Main, e.accent, "#eafcff"} {
		y := 560 + 44*float64(i)
		p := new(svg.Path).Op('M', svg.Point{40, 770}).Op('L', svg.Point{40, y})
		w := []float64{140, 105, 84}[i]
		for x := 40.0; x < 460; x += w {
			p.Op('Q', svg.Point{x + w*0.5, y - 70}, svg.Point{x + w*0.62, y - 20}, svg.Point{x + w*0.66, y + 18}, svg.Point{x + w, y})
		}
		c.Shape(p.Op('L', svg.Point{470, 770}).Close(), paint, `opacity=".75"`)
	}
	for range 12 {
		c.Circle(svg.Point{rnd.Between(56, 444), rnd.Between(220, 560)}, rnd.Between(3, 12), "#eafcff", `opacity=".65"`)
	}
}

func leaves(c *svg.Canvas, rnd svg.Random, e element) {
	for _, paint := range []string{e.Main, e.accent, "#f4ffcf"} {
		p := new(svg.Path)
		for range 7 {
			at, turn, l := svg.Point{rnd.Between(60, 440), rnd.Between(210, 640)}, rnd.Between(0, 360), rnd.Between(18, 38)
			tip := at.Polar(l, turn)
			p.Op('M', at).Op('Q', at.Polar(l*0.6, turn-42), tip, at.Polar(l*0.6, turn+42), at)
		}
		c.Shape(p.Close(), paint, `opacity=".8"`)
	}
	c.Shape("M40 770V640Q90 590 150 640Q200 600 250 642Q320 596 370 640Q420 600 460 640V770z", svg.Darker(e.Main, 0.35), `opacity=".8"`)
}

func bolts(c *svg.Canvas, rnd svg.Random, e element) {
	p := new(svg.Path)
	for _, x := range []float64{84, 160, 330, 412} {
		at, k := svg.Point{x + rnd.Between(-14, 14), rnd.Between(190, 260)}, rnd.Between(0.8, 1.5)
		for i, q := range []svg.Point{{14, 0}, {-26, 96}, {2, 92}, {-22, 190}, {38, 66}, {10, 70}, {36, 0}} {
			letter := byte('L')
			if i == 0 {
				letter = 'M'
			}
			p.Op(letter, at.Add(q.Scale(k)))
		}
		p.Close()
	}
	c.Shape(p.String(), "#fffdf0", `stroke="`+e.accent+`"`, `stroke-width="4"`, `stroke-linejoin="round"`, `opacity=".9"`)
}

func orbits(c *svg.Canvas, rnd svg.Random, e element) {
	turn := rnd.Between(-40, 40)
	c.Group(`transform="rotate(`+svg.Format1(turn)+` 250 430)" fill="none" stroke="`+svg.Lighter(e.Trim, 0.4)+`" opacity=".85"`, func() {
		for i, r := range []float64{230, 180, 130} {
			c.Raw(`<ellipse cx="250" cy="430" rx="%s" ry="%s" stroke-width="%d"/>`, svg.Format0(r), svg.Format0(r*0.42), 3+2*i)
		}
	})
	for range 9 {
		at, r := svg.Point{rnd.Between(66, 434), rnd.Between(230, 630)}, rnd.Between(5, 15)
		c.Circle(at, r, e.Trim, `opacity=".9"`)
		c.Circle(at.Add(svg.Point{-r * .3, -r * .3}), r*0.35, svg.White)
	}
}

func aurora(c *svg.Canvas, rnd svg.Random, e element) {
	for i, paint := range []string{e.accent, "#fff", e.Trim, svg.Lighter(e.Main, 0.4)} {
		y := 250 + 95*float64(i) + rnd.Between(-20, 20)
		c.Stroke(svg.OpenCurve(svg.Point{20, y + 60}, svg.Point{130, y - 50}, svg.Point{250, y + 40}, svg.Point{370, y - 60}, svg.Point{480, y + 20}), paint, rnd.Between(10, 26), `opacity=".42"`)
	}
	p := new(svg.Path)
	for range 10 {
		at, r := svg.Point{rnd.Between(60, 440), rnd.Between(210, 640)}, rnd.Between(5, 12)
		p.Op('M', at.Add(svg.Point{0, -r * 1.5})).Op('L', at.Add(svg.Point{r, 0}), at.Add(svg.Point{0, r * 1.5}), at.Add(svg.Point{-r, 0})).Close()
	}
	c.Shape(p.String(), "#fff6dd", `opacity=".85"`)
}

func moon(c *svg.Canvas, rnd svg.Random, e element) {
	at := svg.Point{rnd.Between(170, 330), rnd.Between(300, 350)}
	c.Circle(at, 120, svg.Lighter(e.Trim, 0.2), `opacity=".9"`)
	c.Circle(at.Add(svg.Point{rnd.Between(-50, -34), -16}), 98, e.Deep, `opacity=".55"`)
	for i := range 4 {
		y := 590 + 34*float64(i)
		c.Stroke(svg.OpenCurve(svg.Point{20, y}, svg.Point{130, y - 34}, svg.Point{250, y + 6}, svg.Point{370, y - 30}, svg.Point{480, y}), e.Mid, 26, `opacity=".4"`)
	}
	DrawSparkles(c, rnd, 9, e.Trim)
}

func crystals(c *svg.Canvas, rnd svg.Random, e element) {
	for i := range 9 {
		x, h, w := 40+50*float64(i)+rnd.Between(-10, 10), rnd.Between(90, 250), rnd.Between(22, 44)
		lean := rnd.Between(-40, 40)
		c.Shape(svg.Polygon(svg.Point{x - w, 770}, svg.Point{x + lean - w*0.6, 730 - h*0.7}, svg.Point{x + lean, 700 - h}, svg.Point{x, 770}), "#e4f8ff", `opacity=".8"`)
		c.Shape(svg.Polygon(svg.Point{x, 770}, svg.Point{x + lean, 700 - h}, svg.Point{x + lean + w*0.6, 730 - h*0.7}, svg.Point{x + w, 770}), e.Main, `opacity=".75"`)
	}
	DrawSparkles(c, rnd, 12, "#ffffff")
}

func rocks(c *svg.Canvas, rnd svg.Random, e element) {
	light, dark := new(svg.Path), new(svg.Path)
	for i := range 7 {
		at, r := svg.Point{60 + 64*float64(i), rnd.Between(620, 680)}, rnd.Between(40, 74)
		light.Op('M', at.Add(svg.Point{-r, r})).Op('L', at.Add(svg.Point{-r * 0.7, -r * 0.5}), at.Add(svg.Point{0, -r}), at.Add(svg.Point{r * 0.2, r})).Close()
		dark.Op('M', at.Add(svg.Point{0, -r})).Op('L', at.Add(svg.Point{r * 0.8, -r * 0.3}), at.Add(svg.Point{r, r}), at.Add(svg.Point{r * 0.2, r})).Close()
	}
	for range 8 {
		at, r := svg.Point{rnd.Between(60, 440), rnd.Between(230, 580)}, rnd.Between(5, 16)
		light.Op('M', at.Polar(r, 20)).Op('L', at.Polar(r, 130), at.Polar(r, 210), at.Polar(r, 300)).Close()
	}
	c.Shape(light.String(), svg.Lighter(e.Main, 0.25), `opacity=".9"`)
	c.Shape(dark.String(), svg.Darker(e.Main, 0.35), `opacity=".9"`)
}
