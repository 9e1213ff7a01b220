package art

import "fmt"

// pose has the joint positions of a player in an area 380 wide and 440 high. Index 0 is the far
// side, 1 the near side.
type pose struct {
	head, neck                pt
	shoulders, elbows, hands  [2]pt
	hips, knees, ankles, toes [2]pt
	face                      float64 // facing direction: -1 left, 1 right
	gear                      func(c *canvas, k kit)
	behind                    bool // the gear is drawn behind the player
	bat, keeper               bool // a batter wears a helmet, a goalkeeper gloves
	whole                     bool // the pose needs visible feet and ball
}

// kit is what a player wears.
type kit struct {
	skin, hair            string
	jersey, trim, bottoms string
	socks, shoes          string
	sleeve, shorts, sock  float64 // how much of upper arm, thigh and calf is covered, 0 to 1; shorts above 1 are trousers
	shoulderPad           float64
	headgear              func(c *canvas, k kit)
	number                string
	gloves                string // empty for bare hands
	hairStyle             int
	mirrored              bool // the figure is mirrored, so the number must be mirrored back
}

// figure draws a player in a pose.
func (c *canvas) figure(p pose, k kit) {
	if p.gear != nil && p.behind {
		p.gear(c, k)
	}
	far := k.shaded(0.28)
	c.arm(p, far, 0)
	c.leg(p, far, 0)
	c.leg(p, k, 1)
	c.pelvis(p, k)
	c.torso(p, k)
	c.headOf(p, k)
	if p.gear != nil && !p.behind {
		p.gear(c, k)
	}
	c.arm(p, k, 1)
}

// shaded returns the kit's colors on the side away from the light.
func (k kit) shaded(t float64) kit {
	k.skin, k.jersey, k.bottoms = darker(k.skin, t), darker(k.jersey, t), darker(k.bottoms, t)
	k.trim, k.socks, k.shoes = darker(k.trim, t), darker(k.socks, t), darker(k.shoes, t)
	if k.gloves != "" {
		k.gloves = darker(k.gloves, t)
	}
	return k
}

func (c *canvas) arm(p pose, k kit, side int) {
	shoulder, elbow, hand := p.shoulders[side], p.elbows[side], p.hands[side]
	c.shape(limb(elbow, hand, 10.5, 7.5, 2), k.skin)
	c.shape(limb(shoulder, elbow, 14, 10.5, 2), k.skin)
	palm := hand.add(hand.sub(elbow).unit().scale(7))
	if k.gloves != "" {
		c.shape(limb(elbow.to(hand, 0.82), palm, 9.5, 11, 1), k.gloves)
	} else {
		c.shape(limb(hand, palm, 8, 8.5, 1), k.skin)
	}
	if k.sleeve > 0 {
		end := shoulder.to(elbow, min(1, k.sleeve))
		if k.sleeve > 1 {
			cuff := elbow.to(hand, k.sleeve-1)
			c.shape(limb(elbow, cuff, 12, 10, 2), k.jersey)
		}
		c.shape(limb(shoulder, end, 17+k.shoulderPad, 15-2*k.sleeve, 2), k.jersey)
		if k.sleeve < 1 {
			n := elbow.sub(shoulder).unit().normal()
			c.stroke(line(end.add(n.scale(-13)), end.add(n.scale(13))), k.trim, 5)
		}
	}
}

func (c *canvas) leg(p pose, k kit, side int) {
	hip, knee, ankle, toe := p.hips[side], p.knees[side], p.ankles[side], p.toes[side]
	trousers := k.shorts > 1
	calf := k.skin
	if trousers {
		calf = k.bottoms
	}
	c.shape(limb(knee, ankle, 15, 9, 5), calf)
	if k.sock > 0 {
		c.shape(limb(knee.to(ankle, 1-k.sock), ankle, 12.5+3*k.sock, 9.8, 3), k.socks)
	}
	c.shoe(ankle, toe, k)
	if trousers {
		c.shape(limb(hip, knee, 27, 16.5, 3), k.bottoms)
		return
	}
	c.shape(limb(hip, knee, 24, 15, 3), k.skin)
	hem := hip.to(knee, k.shorts)
	c.shape(limb(hip, hem, 27, 25, 2), k.bottoms)
	n := knee.sub(hip).unit().normal()
	c.stroke(line(hem.add(n.scale(-23)), hem.add(n.scale(23))), k.trim, 5)
}

func (c *canvas) shoe(ankle, toe pt, k kit) {
	along := toe.sub(ankle).unit()
	heel := ankle.add(along.scale(-10))
	c.shape(limb(ankle.add(along.scale(-2)), toe, 11.5, 6.5, 1), k.shoes)
	sole := along.normal()
	if sole.y < 0 {
		sole = sole.scale(-1)
	}
	c.stroke(line(heel.add(sole.scale(9)), toe.add(sole.scale(6)).add(along.scale(5))), lighter(k.shoes, 0.75), 4, round)
}

const round = `stroke-linecap="round"`

func (c *canvas) pelvis(p pose, k kit) {
	h0, h1 := p.hips[0], p.hips[1]
	c.shape(limb(h0, h1, 25, 26, 0), k.bottoms)
}

// torso draws the jersey from the shoulders to just below the waist.
func (c *canvas) torso(p pose, k kit) {
	s0, s1, h0, h1 := p.shoulders[0], p.shoulders[1], p.hips[0], p.hips[1]
	across, low := s1.sub(s0).unit(), h1.sub(h0).unit()
	if across.x*low.x+across.y*low.y < 0 {
		h0, h1 = h1, h0
		low = low.scale(-1)
	}
	pad := 13 + k.shoulderPad
	down := h0.to(h1, 0.5).sub(s0.to(s1, 0.5)).unit()
	outline := blob(
		p.neck.add(across.scale(-13)), s0.add(across.scale(-pad)).add(down.scale(-6)),
		s0.add(across.scale(-pad+2)).add(down.scale(22)), s0.to(h0, 0.62).add(across.scale(-8)), h0.add(low.scale(-24)),
		h0.to(h1, 0.5).add(down.scale(14)),
		h1.add(low.scale(24)), s1.to(h1, 0.62).add(across.scale(8)), s1.add(across.scale(pad-2)).add(down.scale(22)),
		s1.add(across.scale(pad)).add(down.scale(-6)), p.neck.add(across.scale(13)))
	c.shape(limb(p.neck, p.head, 13, 12, 0), darker(k.skin, 0.18))
	c.shape(outline, k.jersey, `id="`+c.id("b")+`"`)
	c.clipTo("b", func() {
		side0, side1 := s0.add(across.scale(-pad)), h0.add(low.scale(-26))
		c.stroke(line(side0, side1), black, 38, `opacity=".22"`)
		c.stroke(line(s1.add(across.scale(pad)), h1.add(low.scale(26))), k.trim, 16)
		c.stroke(curve(p.neck.add(across.scale(-18)), p.neck.add(down.scale(17)), p.neck.add(across.scale(18))), k.trim, 6)
	})
	if k.number != "" {
		mid := s0.to(s1, 0.5).to(h0.to(h1, 0.5), 0.5)
		turn := s0.angle(s1)
		if turn > 90 || turn < -90 {
			turn += 180
		}
		flip := ""
		if k.mirrored {
			flip = " scale(-1 1)"
		}
		c.group(fmt.Sprintf(`transform="translate(%s %s) rotate(%s)%s"`, whole(mid.x), whole(mid.y), whole(turn), flip), func() {
			c.text(lettering{at: pt{0, 16}, size: 46, weight: extraBold, anchor: "middle", fill: k.trim}, k.number)
		})
	}
}

// headOf draws the head in its own coordinates, facing right, with the neck below.
func (c *canvas) headOf(p pose, k kit) {
	lean := p.neck.angle(p.head) + 90
	face := p.face
	if face == 0 {
		face = 1
	}
	c.group(`transform="translate(`+whole(p.head.x)+" "+whole(p.head.y)+") rotate("+whole(lean)+") scale("+whole(face)+` 1)"`, func() {
		c.shape("M-19-8C-20-30 16-32 20-12C21-6 21-3 26 4C27 7 22 8 22 10C22 16 20 24 12 25C4 26-2 22-6 16C-14 14-18 4-19-8z", k.skin)
		c.ellipse(pt{-5, 2}, 4, 6, darker(k.skin, 0.25))
		if k.headgear != nil {
			k.headgear(c, k)
			return
		}
		c.hairdo(k)
	})
}

func (c *canvas) hairdo(k kit) {
	switch k.hairStyle {
	case 0: // cropped
		c.shape("M-20-2C-26-34 20-38 21-12C12-17 2-16-3-11C-6-6-8 0-9 8C-14 10-19 6-20-2z", k.hair)
	case 1: // full and round
		c.shape("M-22 10C-40-6-32-46 2-44C30-42 30-20 22-12C12-18 2-16-3-10C-6-4-9 6-12 14z", k.hair)
	case 2: // headband
		c.shape("M-20-2C-26-36 20-40 21-14C12-17 2-16-3-11C-6-6-8 0-9 8C-14 10-19 6-20-2z", k.hair)
		c.stroke("M-21-12C-8-20 10-22 22-13", k.trim, 7)
	case 3: // tied back
		c.shape("M-20 0C-26-36 20-38 21-12C12-18 2-18-3-11C-7-4-9 4-12 10z", k.hair)
		c.shape("M-18-12C-40-14-44 6-40 24C-34 16-28 8-16 4z", k.hair)
	}
}
