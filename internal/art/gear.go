package art

// basketball draws a ball with its seams.
func basketball(at pt, r float64) func(*canvas, kit) {
	return func(c *canvas, _ kit) {
		c.circle(at, r, "#e8772e")
		c.circle(at.add(pt{-r * .3, -r * .32}), r*.45, "#ffb066", `opacity=".55"`)
		x, y := at.x, at.y
		seams := curve(pt{x - r, y}, pt{x, y + r*.14}, pt{x + r, y}) + curve(pt{x, y - r}, pt{x + r*.14, y}, pt{x, y + r}) +
			curve(pt{x - r*.75, y - r*.66}, pt{x - r*.3, y}, pt{x - r*.75, y + r*.66}) +
			curve(pt{x + r*.75, y - r*.66}, pt{x + r*.3, y}, pt{x + r*.75, y + r*.66})
		c.stroke(seams, "#4a1d08", 2.2)
	}
}

// soccerBall draws a ball with its dark panels.
func soccerBall(at pt, r float64) func(*canvas, kit) {
	return func(c *canvas, _ kit) {
		c.circle(at, r, "#f6f7f9")
		c.shape(star5(at, r*.42, 0), "#1d2433")
		d := ""
		for i := range 5 {
			a := -90 + 72*float64(i)
			d += line(at.polar(r*.42, a), at.polar(r*.74, a))
			d += polygon(at.polar(r*.74, a), at.polar(r*.98, a-20), at.polar(r*.98, a+20))
		}
		c.shape(d, "#1d2433", `stroke="#1d2433"`, `stroke-width="2"`)
	}
}

func star5(at pt, r, turn float64) string {
	var points []pt
	for i := range 5 {
		points = append(points, at.polar(r, turn-90+72*float64(i)))
	}
	return polygon(points...)
}

// football draws an American football pointing in a direction.
func football(at pt, turn float64) func(*canvas, kit) {
	return func(c *canvas, _ kit) {
		c.group(`transform="translate(`+num(at.x)+" "+num(at.y)+") rotate("+num(turn)+`)"`, func() {
			c.shape("M-34 0C-22-24 22-24 34 0C22 24-22 24-34 0z", "#8a4b23")
			c.shape("M-30-4C-18-20 14-22 28-7C12-14-14-13-30-4z", "#c07a45", `opacity=".7"`)
			c.stroke("M-21-13Q-15 0-21 13M21-13Q15 0 21 13M-10-1H10M-7-5V3M0-5V3M7-5V3", white, 2.6)
		})
	}
}

// bat draws a baseball bat from the hands to its tip.
func bat(hands, tip pt) func(*canvas, kit) {
	return func(c *canvas, _ kit) {
		knob := hands.add(hands.sub(tip).unit().scale(14))
		c.shape(limb(knob, hands.to(tip, 0.35), 4, 5, 0), "#a86a32")
		c.shape(limb(hands.to(tip, 0.3), tip, 5, 10, 2), "#d59a55")
		c.stroke(line(hands.to(tip, 0.35), hands.to(tip, 0.95)), "#f3cd96", 3, round)
		c.circle(knob, 6.5, "#8a5426")
	}
}

// baseball draws a ball with its red stitches.
func baseball(at pt, r float64) func(*canvas, kit) {
	return func(c *canvas, _ kit) {
		c.circle(at, r, "#fbf8ef")
		x, y := at.x, at.y
		c.stroke(curve(pt{x - r*.72, y - r*.7}, pt{x - r*.3, y}, pt{x - r*.72, y + r*.7})+
			curve(pt{x + r*.72, y - r*.7}, pt{x + r*.3, y}, pt{x + r*.72, y + r*.7}), "#c8322f", 2.4, `stroke-dasharray="3 1.6"`)
	}
}

// mitt draws a fielder's glove that opens in a direction.
func mitt(at pt, turn float64, ball bool) func(*canvas, kit) {
	return func(c *canvas, k kit) {
		c.group(`transform="translate(`+num(at.x)+" "+num(at.y)+") rotate("+num(turn)+`)"`, func() {
			c.shape("M-14 16C-26 4-28-14-20-24C-16-28-12-24-12-18C-12-28-8-34-3-33C1-32 2-27 1-20C4-30 9-33 13-30C17-27 15-20 13-14C18-22 24-22 25-17C27-4 20 14 10 20C2 24-8 22-14 16z", "#9c5a2b")
			c.stroke("M-12-18L-8 2M1-20L1 0M13-14L9 3", "#5f3214", 2.4)
		})
		if ball {
			baseball(at.add(around(16, turn-90)), 11)(c, k)
		}
	}
}

// all draws several pieces of gear.
func all(gear ...func(*canvas, kit)) func(*canvas, kit) {
	return func(c *canvas, k kit) {
		for _, g := range gear {
			g(c, k)
		}
	}
}

// cap and helmets are drawn in the head's coordinates, facing right.
func ballCap(c *canvas, k kit) {
	c.shape("M-20-2C-24-14-21-22-19-12L-12 10C-16 11-19 6-20-2z", k.hair)
	c.shape("M-22-8C-24-38 20-40 22-12C8-17-8-16-22-8z", k.bottomsOr(k.trim))
	c.shape("M6-16C20-18 34-14 40-8C41-5 38-4 34-5C26-8 18-9 12-9z", darker(k.bottomsOr(k.trim), 0.3))
	c.circle(pt{12, -23}, 5, k.jersey)
}

func battingHelmet(c *canvas, k kit) {
	c.shape("M-23 8C-34-42 22-44 23-12C16-15 8-15 2-13L1 4C1 14-8 18-14 17C-20 15-22 12-23 8z", k.bottomsOr(k.trim))
	c.shape("M8-16C20-18 34-15 40-9C41-6 38-5 34-6C26-9 18-10 12-10z", darker(k.bottomsOr(k.trim), 0.3))
	c.stroke("M-20-18C-14-32 2-36 12-30", white, 5, round, `opacity=".5"`)
	c.circle(pt{-10, 4}, 4, ink, `opacity=".6"`)
}

func footballHelmet(c *canvas, k kit) {
	c.shape("M-32 6C-38-48 30-52 32-14C32-9 26-9 20-10L16-8C12-4 14 6 16 14C8 26-10 30-22 22C-28 18-31 12-32 6z", k.bottomsOr(k.trim))
	c.shape("M-4-41C8-42 20-36 26-26L20-22C14-30 6-34-4-34z", k.jersey)
	c.stroke("M-24-18C-20-30-12-36-2-38", white, 5, round, `opacity=".5"`)
	c.stroke("M12 1L41 3M14 12L39 16M36-8C46 4 44 18 34 29L14 21M27-6C32 6 31 18 25 27", cage(k), 4.6, `stroke-linejoin="round"`)
	c.circle(pt{-8, 4}, 5, ink, `opacity=".55"`)
}

// bottomsOr returns the color of the trousers, unless they are almost white.
func (k kit) bottomsOr(other string) string {
	c := rgb(k.bottoms)
	if c[0]+c[1]+c[2] > 600 {
		return other
	}
	return k.bottoms
}

// cage returns the color of a face mask, which must contrast with the face.
func cage(k kit) string {
	if c := rgb(k.jersey); c[0]+c[1]+c[2] > 600 {
		return "#3a4356"
	}
	return lighter(k.jersey, 0.12)
}
