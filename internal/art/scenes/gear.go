package scenes

import "kaibao/internal/art/svg"

// basketball draws a ball with its seams.
func basketball(at svg.Point, r float64) func(*svg.Canvas, kit) {
	return func(c *svg.Canvas, _ kit) {
		c.Circle(at, r, "#e8772e")
		c.Circle(at.Add(svg.Point{-r * .3, -r * .32}), r*.45, "#ffb066", `opacity=".55"`)
		x, y := at.X(), at.Y()
		seams := svg.OpenCurve(svg.Point{x - r, y}, svg.Point{x, y + r*.14}, svg.Point{x + r, y}) + svg.OpenCurve(svg.Point{x, y - r}, svg.Point{x + r*.14, y}, svg.Point{x, y + r}) +
			svg.OpenCurve(svg.Point{x - r*.75, y - r*.66}, svg.Point{x - r*.3, y}, svg.Point{x - r*.75, y + r*.66}) +
			svg.OpenCurve(svg.Point{x + r*.75, y - r*.66}, svg.Point{x + r*.3, y}, svg.Point{x + r*.75, y + r*.66})
		c.Stroke(seams, "#4a1d08", 2.2)
	}
}

// soccerBall draws a ball with its dark panels.
func soccerBall(at svg.Point, r float64) func(*svg.Canvas, kit) {
	return func(c *svg.Canvas, _ kit) {
		c.Circle(at, r, "#f6f7f9")
		c.Shape(pentagon(at, r*.42, 0), "#1d2433")
		d := ""
		for i := range 5 {
			a := -90 + 72*float64(i)
			d += svg.Polyline(at.Polar(r*.42, a), at.Polar(r*.74, a))
			d += svg.Polygon(at.Polar(r*.74, a), at.Polar(r*.98, a-20), at.Polar(r*.98, a+20))
		}
		c.Shape(d, "#1d2433", `stroke="#1d2433"`, `stroke-width="2"`)
	}
}

func pentagon(at svg.Point, r, turn float64) string {
	var points []svg.Point
	for i := range 5 {
		points = append(points, at.Polar(r, turn-90+72*float64(i)))
	}
	return svg.Polygon(points...)
}

// football draws an American football pointing in a direction.
func football(at svg.Point, turn float64) func(*svg.Canvas, kit) {
	return func(c *svg.Canvas, _ kit) {
		c.Group(`transform="translate(`+svg.Format1(at.X())+" "+svg.Format1(at.Y())+") rotate("+svg.Format1(turn)+`)"`, func() {
			c.Shape("M-34 0C-22-24 22-24 34 0C22 24-22 24-34 0z", "#8a4b23")
			c.Shape("M-30-4C-18-20 14-22 28-7C12-14-14-13-30-4z", "#c07a45", `opacity=".7"`)
			c.Stroke("M-21-13Q-15 0-21 13M21-13Q15 0 21 13M-10-1H10M-7-5V3M0-5V3M7-5V3", svg.White, 2.6)
		})
	}
}

// bat draws a baseball bat from the hands to its tip.
func bat(hands, tip svg.Point) func(*svg.Canvas, kit) {
	return func(c *svg.Canvas, _ kit) {
		knob := hands.Add(hands.Sub(tip).Unit().Scale(14))
		c.Shape(svg.Limb(knob, hands.Lerp(tip, 0.35), 4, 5, 0), "#a86a32")
		c.Shape(svg.Limb(hands.Lerp(tip, 0.3), tip, 5, 10, 2), "#d59a55")
		c.Stroke(svg.Polyline(hands.Lerp(tip, 0.35), hands.Lerp(tip, 0.95)), "#f3cd96", 3, svg.RoundCaps)
		c.Circle(knob, 6.5, "#8a5426")
	}
}

// baseball draws a ball with its red stitches.
func baseball(at svg.Point, r float64) func(*svg.Canvas, kit) {
	return func(c *svg.Canvas, _ kit) {
		c.Circle(at, r, "#fbf8ef")
		x, y := at.X(), at.Y()
		c.Stroke(svg.OpenCurve(svg.Point{x - r*.72, y - r*.7}, svg.Point{x - r*.3, y}, svg.Point{x - r*.72, y + r*.7})+
			svg.OpenCurve(svg.Point{x + r*.72, y - r*.7}, svg.Point{x + r*.3, y}, svg.Point{x + r*.72, y + r*.7}), "#c8322f", 2.4, `stroke-dasharray="3 1.6"`)
	}
}

// mitt draws a fielder's glove that opens in a direction.
func mitt(at svg.Point, turn float64, ball bool) func(*svg.Canvas, kit) {
	return func(c *svg.Canvas, k kit) {
		c.Group(`transform="translate(`+svg.Format1(at.X())+" "+svg.Format1(at.Y())+") rotate("+svg.Format1(turn)+`)"`, func() {
			c.Shape("M-14 16C-26 4-28-14-20-24C-16-28-12-24-12-18C-12-28-8-34-3-33C1-32 2-27 1-20C4-30 9-33 13-30C17-27 15-20 13-14C18-22 24-22 25-17C27-4 20 14 10 20C2 24-8 22-14 16z", "#9c5a2b")
			c.Stroke("M-12-18L-8 2M1-20L1 0M13-14L9 3", "#5f3214", 2.4)
		})
		if ball {
			baseball(at.Polar(16, turn-90), 11)(c, k)
		}
	}
}

// allGear draws several pieces of gear.
func allGear(gear ...func(*svg.Canvas, kit)) func(*svg.Canvas, kit) {
	return func(c *svg.Canvas, k kit) {
		for _, g := range gear {
			g(c, k)
		}
	}
}

// The cap and the helmets are drawn in the head's coordinates, facing right.
func ballCap(c *svg.Canvas, k kit) {
	c.Shape("M-20-2C-24-14-21-22-19-12L-12 10C-16 11-19 6-20-2z", k.hair)
	c.Shape("M-22-8C-24-38 20-40 22-12C8-17-8-16-22-8z", k.bottomsOr(k.trim))
	c.Shape("M6-16C20-18 34-14 40-8C41-5 38-4 34-5C26-8 18-9 12-9z", svg.Darker(k.bottomsOr(k.trim), 0.3))
	c.Circle(svg.Point{12, -23}, 5, k.jersey)
}

func battingHelmet(c *svg.Canvas, k kit) {
	c.Shape("M-23 8C-34-42 22-44 23-12C16-15 8-15 2-13L1 4C1 14-8 18-14 17C-20 15-22 12-23 8z", k.bottomsOr(k.trim))
	c.Shape("M8-16C20-18 34-15 40-9C41-6 38-5 34-6C26-9 18-10 12-10z", svg.Darker(k.bottomsOr(k.trim), 0.3))
	c.Stroke("M-20-18C-14-32 2-36 12-30", svg.White, 5, svg.RoundCaps, `opacity=".5"`)
	c.Circle(svg.Point{-10, 4}, 4, svg.Ink, `opacity=".6"`)
}

func footballHelmet(c *svg.Canvas, k kit) {
	c.Shape("M-32 6C-38-48 30-52 32-14C32-9 26-9 20-10L16-8C12-4 14 6 16 14C8 26-10 30-22 22C-28 18-31 12-32 6z", k.bottomsOr(k.trim))
	c.Shape("M-4-41C8-42 20-36 26-26L20-22C14-30 6-34-4-34z", k.jersey)
	c.Stroke("M-24-18C-20-30-12-36-2-38", svg.White, 5, svg.RoundCaps, `opacity=".5"`)
	c.Stroke("M12 1L41 3M14 12L39 16M36-8C46 4 44 18 34 29L14 21M27-6C32 6 31 18 25 27", cage(k), 4.6, `stroke-linejoin="round"`)
	c.Circle(svg.Point{-8, 4}, 5, svg.Ink, `opacity=".55"`)
}

// bottomsOr returns the color of the trousers, unless they are almost white.
func (k kit) bottomsOr(other string) string {
	c := svg.RGB(k.bottoms)
	if c[0]+c[1]+c[2] > 600 {
		return other
	}
	return k.bottoms
}

// cage returns the color of a face mask, which must contrast with the face.
func cage(k kit) string {
	if c := svg.RGB(k.jersey); c[0]+c[1]+c[2] > 600 {
		return "#3a4356"
	}
	return svg.Lighter(k.jersey, 0.12)
}
