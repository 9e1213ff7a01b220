package scenes

import (
	"fmt"

	"kaibao/internal/art/svg"
)

// pose has the joint positions of a player in an area 380 wide and 440 high. Index 0 is the far
// side, 1 the near side.
type pose struct {
	head, neck                svg.Point
	shoulders, elbows, hands  [2]svg.Point
	hips, knees, ankles, toes [2]svg.Point
	face                      float64 // facing direction: -1 left, 1 right
	gear                      func(c *svg.Canvas, k kit)
	behind                    bool // the gear is drawn behind the player
	bat, goalkeeper           bool // a batter wears a helmet, a goalkeeper gloves
	fullFigure                bool // the pose needs visible feet and ball
}

// kit is a player's clothes and looks.
type kit struct {
	skin, hair            string
	jersey, trim, bottoms string
	socks, shoes          string
	sleeve, shorts, sock  float64 // how much of upper arm, thigh and calf is covered, 0 to 1; shorts above 1 are trousers
	shoulderPad           float64
	headgear              func(c *svg.Canvas, k kit)
	number                string
	gloves                string // empty for bare hands
	hairStyle             int
	mirrored              bool // the figure is mirrored, so the number must be mirrored back
}

// drawFigure draws a player in a pose.
func drawFigure(c *svg.Canvas, p pose, k kit) {
	if p.gear != nil && p.behind {
		p.gear(c, k)
	}
	far := k.shaded(0.28)
	drawArm(c, p, far, 0)
	drawLeg(c, p, far, 0)
	drawLeg(c, p, k, 1)
	drawPelvis(c, p, k)
	drawTorso(c, p, k)
	drawHead(c, p, k)
	if p.gear != nil && !p.behind {
		p.gear(c, k)
	}
	drawArm(c, p, k, 1)
}

// shaded returns the kit's colors on the side away from the light.
func (k kit) shaded(t float64) kit {
	k.skin, k.jersey, k.bottoms = svg.Darker(k.skin, t), svg.Darker(k.jersey, t), svg.Darker(k.bottoms, t)
	k.trim, k.socks, k.shoes = svg.Darker(k.trim, t), svg.Darker(k.socks, t), svg.Darker(k.shoes, t)
	if k.gloves != "" {
		k.gloves = svg.Darker(k.gloves, t)
	}
	return k
}

func drawArm(c *svg.Canvas, p pose, k kit, side int) {
	shoulder, elbow, hand := p.shoulders[side], p.elbows[side], p.hands[side]
	c.Shape(svg.Limb(elbow, hand, 10.5, 7.5, 2), k.skin)
	c.Shape(svg.Limb(shoulder, elbow, 14, 10.5, 2), k.skin)
	palm := hand.Add(hand.Sub(elbow).Unit().Scale(7))
	if k.gloves != "" {
		c.Shape(svg.Limb(elbow.Lerp(hand, 0.82), palm, 9.5, 11, 1), k.gloves)
	} else {
		c.Shape(svg.Limb(hand, palm, 8, 8.5, 1), k.skin)
	}
	if k.sleeve > 0 {
		end := shoulder.Lerp(elbow, min(1, k.sleeve))
		if k.sleeve > 1 {
			cuff := elbow.Lerp(hand, k.sleeve-1)
			c.Shape(svg.Limb(elbow, cuff, 12, 10, 2), k.jersey)
		}
		c.Shape(svg.Limb(shoulder, end, 17+k.shoulderPad, 15-2*k.sleeve, 2), k.jersey)
		if k.sleeve < 1 {
			n := elbow.Sub(shoulder).Unit().Normal()
			c.Stroke(svg.Polyline(end.Add(n.Scale(-13)), end.Add(n.Scale(13))), k.trim, 5)
		}
	}
}

func drawLeg(c *svg.Canvas, p pose, k kit, side int) {
	hip, knee, ankle, toe := p.hips[side], p.knees[side], p.ankles[side], p.toes[side]
	trousers := k.shorts > 1
	calf := k.skin
	if trousers {
		calf = k.bottoms
	}
	c.Shape(svg.Limb(knee, ankle, 15, 9, 5), calf)
	if k.sock > 0 {
		c.Shape(svg.Limb(knee.Lerp(ankle, 1-k.sock), ankle, 12.5+3*k.sock, 9.8, 3), k.socks)
	}
	drawShoe(c, ankle, toe, k)
	if trousers {
		c.Shape(svg.Limb(hip, knee, 27, 16.5, 3), k.bottoms)
		return
	}
	c.Shape(svg.Limb(hip, knee, 24, 15, 3), k.skin)
	hem := hip.Lerp(knee, k.shorts)
	c.Shape(svg.Limb(hip, hem, 27, 25, 2), k.bottoms)
	n := knee.Sub(hip).Unit().Normal()
	c.Stroke(svg.Polyline(hem.Add(n.Scale(-23)), hem.Add(n.Scale(23))), k.trim, 5)
}

func drawShoe(c *svg.Canvas, ankle, toe svg.Point, k kit) {
	along := toe.Sub(ankle).Unit()
	heel := ankle.Add(along.Scale(-10))
	c.Shape(svg.Limb(ankle.Add(along.Scale(-2)), toe, 11.5, 6.5, 1), k.shoes)
	sole := along.Normal()
	if sole.Y() < 0 {
		sole = sole.Scale(-1)
	}
	c.Stroke(svg.Polyline(heel.Add(sole.Scale(9)), toe.Add(sole.Scale(6)).Add(along.Scale(5))), svg.Lighter(k.shoes, 0.75), 4, svg.RoundCaps)
}

func drawPelvis(c *svg.Canvas, p pose, k kit) {
	h0, h1 := p.hips[0], p.hips[1]
	c.Shape(svg.Limb(h0, h1, 25, 26, 0), k.bottoms)
}

// drawTorso draws the jersey from the shoulders to just below the waist.
func drawTorso(c *svg.Canvas, p pose, k kit) {
	s0, s1, h0, h1 := p.shoulders[0], p.shoulders[1], p.hips[0], p.hips[1]
	across, low := s1.Sub(s0).Unit(), h1.Sub(h0).Unit()
	if across.X()*low.X()+across.Y()*low.Y() < 0 {
		h0, h1 = h1, h0
		low = low.Scale(-1)
	}
	pad := 13 + k.shoulderPad
	down := h0.Lerp(h1, 0.5).Sub(s0.Lerp(s1, 0.5)).Unit()
	outline := svg.ClosedCurve(
		p.neck.Add(across.Scale(-13)), s0.Add(across.Scale(-pad)).Add(down.Scale(-6)),
		s0.Add(across.Scale(-pad+2)).Add(down.Scale(22)), s0.Lerp(h0, 0.62).Add(across.Scale(-8)), h0.Add(low.Scale(-24)),
		h0.Lerp(h1, 0.5).Add(down.Scale(14)),
		h1.Add(low.Scale(24)), s1.Lerp(h1, 0.62).Add(across.Scale(8)), s1.Add(across.Scale(pad-2)).Add(down.Scale(22)),
		s1.Add(across.Scale(pad)).Add(down.Scale(-6)), p.neck.Add(across.Scale(13)))
	c.Shape(svg.Limb(p.neck, p.head, 13, 12, 0), svg.Darker(k.skin, 0.18))
	c.Shape(outline, k.jersey, `id="`+c.ID("b")+`"`)
	c.ClipTo("b", func() {
		side0, side1 := s0.Add(across.Scale(-pad)), h0.Add(low.Scale(-26))
		c.Stroke(svg.Polyline(side0, side1), svg.Black, 38, `opacity=".22"`)
		c.Stroke(svg.Polyline(s1.Add(across.Scale(pad)), h1.Add(low.Scale(26))), k.trim, 16)
		c.Stroke(svg.OpenCurve(p.neck.Add(across.Scale(-18)), p.neck.Add(down.Scale(17)), p.neck.Add(across.Scale(18))), k.trim, 6)
	})
	if k.number != "" {
		mid := s0.Lerp(s1, 0.5).Lerp(h0.Lerp(h1, 0.5), 0.5)
		turn := s0.Angle(s1)
		if turn > 90 || turn < -90 {
			turn += 180
		}
		flip := ""
		if k.mirrored {
			flip = " scale(-1 1)"
		}
		c.Group(fmt.Sprintf(`transform="translate(%s %s) rotate(%s)%s"`, svg.Format0(mid.X()), svg.Format0(mid.Y()), svg.Format0(turn), flip), func() {
			c.Text(svg.TextStyle{At: svg.Point{0, 16}, Size: 46, Weight: svg.ExtraBold, Anchor: "middle", Fill: k.trim}, k.number)
		})
	}
}

// drawHead draws the head in its own coordinates, facing right, with the neck below.
func drawHead(c *svg.Canvas, p pose, k kit) {
	lean := p.neck.Angle(p.head) + 90
	face := p.face
	if face == 0 {
		face = 1
	}
	c.Group(`transform="translate(`+svg.Format0(p.head.X())+" "+svg.Format0(p.head.Y())+") rotate("+svg.Format0(lean)+") scale("+svg.Format0(face)+` 1)"`, func() {
		c.Shape("M-19-8C-20-30 16-32 20-12C21-6 21-3 26 4C27 7 22 8 22 10C22 16 20 24 12 25C4 26-2 22-6 16C-14 14-18 4-19-8z", k.skin)
		c.Ellipse(svg.Point{-5, 2}, 4, 6, svg.Darker(k.skin, 0.25))
		if k.headgear != nil {
			k.headgear(c, k)
			return
		}
		drawHair(c, k)
	})
}

func drawHair(c *svg.Canvas, k kit) {
	switch k.hairStyle {
	case 0: // cropped
		c.Shape("M-20-2C-26-34 20-38 21-12C12-17 2-16-3-11C-6-6-8 0-9 8C-14 10-19 6-20-2z", k.hair)
	case 1: // full and round
		c.Shape("M-22 10C-40-6-32-46 2-44C30-42 30-20 22-12C12-18 2-16-3-10C-6-4-9 6-12 14z", k.hair)
	case 2: // headband
		c.Shape("M-20-2C-26-36 20-40 21-14C12-17 2-16-3-11C-6-6-8 0-9 8C-14 10-19 6-20-2z", k.hair)
		c.Stroke("M-21-12C-8-20 10-22 22-13", k.trim, 7)
	case 3: // tied back
		c.Shape("M-20 0C-26-36 20-38 21-12C12-18 2-18-3-11C-7-4-9 4-12 10z", k.hair)
		c.Shape("M-18-12C-40-14-44 6-40 24C-34 16-28 8-16 4z", k.hair)
	}
}
