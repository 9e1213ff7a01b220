package art

import "strings"

// seas are color schemes of the sea at different times of day.
var seas = []hues{
	{"#fff3b0", "#ff9a4a", "#7a1f4a", "#d8412f", "#ffd24a"},
	{"#e8fbff", "#58c4f0", "#12509a", "#e0483a", "#ffe08a"},
	{"#ffe0f0", "#b06ae0", "#251460", "#7a2fb0", "#ffc46a"},
	{"#eafff0", "#3fc9a8", "#0a4a5e", "#1f8f6a", "#ffe9a8"},
	{"#e6ecff", "#6a7fd0", "#141c4a", "#2c3f8f", "#ff8a5a"},
	{"#fff0d0", "#f0b04a", "#5a2a12", "#8a2a1f", "#fff3c0"},
}

// sea draws a pirate, a ship or an emblem. A character wears the same clothes on all cards.
func (c *canvas) sea(d dice, t title, tone tones) {
	who := diceOf(t.subject)
	h := one(d, seas)
	c.ground(d, h, tone)
	if d.below(2) == 0 {
		c.circle(pt{d.between(120, 380), d.between(300, 430)}, d.between(70, 110), lighter(h.light, 0.5), `opacity=".8"`)
	}
	switch d.below(8) {
	case 0:
		c.water(d, h, 560)
		c.cutout(`transform="translate(250 420)"`, tone, func() { c.ship(h) })
		c.water(d, h, 628)
	case 1:
		c.water(d, h, 640)
		c.cutout(`transform="translate(250 420)"`, tone, func() { c.emblem(h) })
	default:
		c.water(d, h, 570)
		c.shape("M46 690L454 660V770H46z", "#8a5530")
		c.stroke("M46 712L454 686M46 738L454 716", "#5a3318", 3)
		c.pirate(d, who, t, tone)
	}
}

// water draws rows of waves from a height down.
func (c *canvas) water(d dice, h hues, top float64) {
	for i := range 3 {
		y, w := top+38*float64(i), 110-22*float64(i)
		p := new(pen).op('M', pt{30, 770}).op('L', pt{30, y})
		for x := 30 - d.between(0, w); x < 470; x += w {
			p.op('Q', pt{x + w*0.3, y - 26}, pt{x + w*0.55, y + 4}, pt{x + w*0.75, y + 14}, pt{x + w, y})
		}
		c.shape(p.op('L', pt{480, 770}).close(), mix(lighter(h.mid, 0.35), darker(h.deep, 0.1), 0.25+0.3*float64(i)), `opacity=".92"`)
	}
}

// ship draws a galleon under full sail around the origin.
func (c *canvas) ship(h hues) {
	c.stroke("M-6-190V130M-92-120V110M92-110V110", "#5a3318", 9)
	c.shape("M-150 100C-140 170-110 196-60 200H70C122 196 150 150 172 84L120 96V112H-108L-112 92z", "#7c4726")
	c.shape("M-144 128H152L140 150H-134z", "#a8672f")
	c.shape("M-118 92H-150L-158 60H-104zM120 96L172 84 190 60 132 70z", "#935a2c")
	for _, x := range []float64{-84, -40, 4, 48, 92} {
		c.circle(pt{x, 168}, 9, "#2a160c", `stroke="#d9a25a"`, `stroke-width="4"`)
	}
	sail := h.main
	c.shape("M-66-172C-30-150 34-150 62-172C78-120 76-70 60-30C26-48-32-48-64-30C-52-76-52-124-66-172z", "#fff6e2")
	c.shape("M-142-104C-122-92-90-92-66-104C-54-60-58-10-70 30C-92 18-122 18-140 30C-128-14-130-60-142-104z", sail)
	c.shape("M64-96C86-84 116-84 142-96C154-54 150-8 138 34C114 22 88 22 68 34C78-10 76-54 64-96z", sail)
	c.shape("M172 84L230 30 236 38 186 92z", "#5a3318")
	c.shape("M62-20L220 36 90 60z", lighter(sail, 0.55), `opacity=".9"`)
	c.shape("M-6-196L58-184-6-166z", h.trim)
	c.group(`transform="translate(-2 -100) scale(.36)"`, func() { c.rose("#2a2f45", sail) })
}

// rose draws a compass rose around the origin.
func (c *canvas) rose(dark, light string) {
	c.shape(star(pt{}, 8, 96, 40), light)
	c.shape(star(pt{}, 4, 130, 24), dark)
	c.circle(pt{}, 22, light, `stroke="`+dark+`"`, `stroke-width="8"`)
}

// emblem draws an original flag: a compass rose, two sabers and a straw hat.
func (c *canvas) emblem(h hues) {
	c.circle(pt{}, 158, ink)
	c.circle(pt{}, 144, "none", `stroke="`+h.trim+`"`, `stroke-width="5"`)
	for _, side := range []string{"1 1", "-1 1"} {
		c.group(`transform="scale(`+side+`)"`, func() {
			c.shape("M-112 118C-30 66 60-10 128-118C104-4 24 84-92 140z", "#e9eef7")
			c.shape("M-92 94C-66 104-58 122-70 146L-84 138C-78 126-82 116-100 108z", gold)
			c.stroke("M-92 122L-126 146", "#8a4a22", 15, round)
		})
	}
	c.rose("#fff6e2", h.main)
	c.group(`transform="translate(0 -74)"`, func() { c.strawHat(h.main) })
}

// strawHat draws a hat seen from the front, with its brim on the origin.
func (c *canvas) strawHat(band string) {
	c.shape("M-92 2C-60-18 60-18 92 2C66 26-66 26-92 2z", "#e2ae4c")
	c.shape("M-52 0C-54-62-34-78 0-78C34-78 54-62 52 0C24 12-24 12-52 0z", "#f2c968")
	c.shape("M-53-22C-24-10 24-10 53-22L52 0C24 12-24 12-52 0z", band)
	c.stroke("M-34-62Q0-52 34-62M-84 4Q0 30 84 4", "#b9842c", 3)
}

// pirate draws a character in a pose. who decides clothes, hat and weapon.
func (c *canvas) pirate(d, who dice, t title, tone tones) {
	team := one(who, teams)
	k := kit{
		skin: one(who, []string{"#f6cfa8", "#eab588", "#d99c6c"}), hair: one(who, []string{"#16110f", "#e8a02c", "#c43a2a", "#3a6a3f", "#e86aa0", "#4a6ae0", "#eceff4"}),
		jersey: team.main, trim: team.trim, bottoms: darker(team.deep, 0.1), socks: "#5a3a22", shoes: "#3a2416",
		shorts: 1.5, sock: 0.42, sleeve: one(who, []float64{0, 0.9, 1.6}), hairStyle: one(who, []int{0, 1, 3}),
	}
	k.headgear = hatFor(who, t.subject)
	poses := brawlerPoses
	if swordsman(t.subject) {
		poses = swordPoses
	}
	p := one(d, poses)
	c.cutout(shot(d, p, d.below(2) == 1), tone, func() {
		if who.below(3) > 0 {
			c.cloak(p, k)
		}
		c.figure(p, k)
		c.sash(p, k)
	})
}

func swordsman(name string) bool {
	for _, s := range []string{"Zoro", "Shanks", "Mihawk", "Rayleigh", "Roger", "Law", "Vivi", "Rebecca", "Teach", "Buggy", "Newgate"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}

func hatFor(who dice, name string) func(*canvas, kit) {
	if strings.Contains(name, "Luffy") || strings.Contains(name, "Roger") {
		return wideStraw
	}
	return one(who, []func(*canvas, kit){tricorn, bandana, nil, nil, wideStraw})
}

// cloak draws a cloak that hangs from the shoulders and blows away from the face.
func (c *canvas) cloak(p pose, k kit) {
	a, b := p.shoulders[0], p.shoulders[1]
	if a.x > b.x {
		a, b = b, a
	}
	away := 86 * -p.face
	low := max(p.knees[0].y, p.knees[1].y) + 6
	c.shape(blob(a.add(pt{-8, -10}), pt{(a.x + b.x) / 2, a.y - 14}, b.add(pt{8, -10}), pt{b.x + 26 + away*0.5, (b.y + low) / 2},
		pt{b.x + 30 + away, low}, pt{(a.x+b.x)/2 + away*0.9, low - 22}, pt{a.x - 26 + away, low + 10}, pt{a.x - 20 + away*0.3, (a.y + low) / 2}), darker(k.jersey, 0.35))
}

func (c *canvas) sash(p pose, k kit) {
	a, b := p.hips[0].to(p.shoulders[0], 0.16), p.hips[1].to(p.shoulders[1], 0.16)
	out := b.sub(a).unit().scale(21)
	c.stroke(line(a.sub(out), b.add(out)), k.trim, 17, round)
	c.shape(limb(b.add(out), b.add(out).add(pt{10 * -p.face, 58}), 6, 11, 2), k.trim)
}

// sabre returns a curved blade from the hand to its tip.
func sabre(hand, tip pt) func(*canvas, kit) {
	return func(c *canvas, k kit) {
		n := tip.sub(hand).unit().normal()
		back := hand.to(tip, 0.55).add(n.scale(-17))
		edge := hand.to(tip, 0.55).add(n.scale(-4))
		p := new(pen).op('M', hand.add(n.scale(-6))).op('Q', back, tip, edge, hand.add(n.scale(6)))
		c.shape(p.close(), "#eef3fb", `stroke="#7d8aa6"`, `stroke-width="2"`)
		pommel := hand.add(hand.sub(tip).unit().scale(26))
		c.stroke(line(hand, pommel), "#5a2d18", 9, round)
		c.stroke(line(hand.add(n.scale(-15)), hand.add(n.scale(15))), gold, 8, round)
	}
}

// staff returns a rod with a bright end.
func staff(low, high pt) func(*canvas, kit) {
	return func(c *canvas, k kit) {
		c.stroke(line(low, high), "#7a4a2a", 9, round)
		c.circle(high, 17, k.trim)
		c.circle(high.add(pt{-5, -5}), 6, white, `opacity=".8"`)
	}
}

// fistTrail returns the motion lines of a punch or a kick.
func fistTrail(at pt, toward float64) func(*canvas, kit) {
	return func(c *canvas, k kit) {
		p := new(pen)
		for i := range 5 {
			y := at.y - 34 + 17*float64(i)
			p.op('M', pt{at.x - toward*(60+12*float64(i%2)), y}).op('L', pt{at.x - toward*(130-20*float64(i%3)), y})
		}
		c.stroke(p.String(), white, 5, round, `opacity=".85"`)
		c.shape(star(at.add(pt{toward * 20, 0}), 9, 46, 26), k.trim)
	}
}

var swordPoses = []pose{
	{ // the slash
		head: pt{204, 106}, neck: pt{212, 136}, face: -1,
		shoulders: [2]pt{{182, 156}, {242, 154}}, elbows: [2]pt{{146, 190}, {196, 206}}, hands: [2]pt{{112, 202}, {126, 204}},
		hips: [2]pt{{200, 264}, {236, 262}}, knees: [2]pt{{146, 330}, {276, 330}}, ankles: [2]pt{{116, 410}, {306, 400}}, toes: [2]pt{{82, 418}, {286, 428}},
		gear: sabre(pt{114, 204}, pt{8, 60}),
	},
	{ // two blades
		head: pt{178, 106}, neck: pt{190, 136}, face: -1,
		shoulders: [2]pt{{156, 156}, {226, 152}}, elbows: [2]pt{{100, 182}, {290, 128}}, hands: [2]pt{{60, 216}, {304, 74}},
		hips: [2]pt{{184, 264}, {220, 264}}, knees: [2]pt{{126, 320}, {272, 326}}, ankles: [2]pt{{116, 406}, {320, 400}}, toes: [2]pt{{82, 416}, {342, 422}},
		gear: all(sabre(pt{58, 218}, pt{6, 60}), sabre(pt{306, 70}, pt{176, 14})), behind: true,
	},
	{ // at rest, the blade shouldered
		head: pt{186, 96}, neck: pt{190, 128}, face: -1,
		shoulders: [2]pt{{154, 146}, {228, 146}}, elbows: [2]pt{{116, 210}, {276, 196}}, hands: [2]pt{{152, 252}, {252, 142}},
		hips: [2]pt{{174, 262}, {210, 262}}, knees: [2]pt{{158, 336}, {232, 336}}, ankles: [2]pt{{150, 414}, {250, 412}}, toes: [2]pt{{116, 422}, {272, 426}},
		gear: sabre(pt{250, 138}, pt{360, 40}), behind: true,
	},
}

var brawlerPoses = []pose{
	{ // the punch
		head: pt{172, 108}, neck: pt{166, 138}, face: 1,
		shoulders: [2]pt{{202, 154}, {134, 158}}, elbows: [2]pt{{258, 158}, {84, 186}}, hands: [2]pt{{312, 146}, {112, 228}},
		hips: [2]pt{{196, 264}, {162, 266}}, knees: [2]pt{{256, 314}, {122, 338}}, ankles: [2]pt{{264, 404}, {62, 400}}, toes: [2]pt{{298, 414}, {38, 424}},
		gear: fistTrail(pt{322, 144}, 1), behind: true,
	},
	{ // the flying kick
		head: pt{250, 128}, neck: pt{236, 154}, face: -1,
		shoulders: [2]pt{{210, 166}, {264, 178}}, elbows: [2]pt{{166, 128}, {312, 206}}, hands: [2]pt{{128, 106}, {338, 160}},
		hips: [2]pt{{206, 274}, {236, 284}}, knees: [2]pt{{130, 272}, {262, 354}}, ankles: [2]pt{{54, 256}, {320, 398}}, toes: [2]pt{{30, 230}, {340, 422}},
		gear: fistTrail(pt{34, 240}, -1), behind: true,
	},
	{ // the leap
		head: pt{196, 112}, neck: pt{192, 142}, face: 1,
		shoulders: [2]pt{{226, 156}, {158, 158}}, elbows: [2]pt{{266, 110}, {104, 190}}, hands: [2]pt{{262, 48}, {76, 152}},
		hips: [2]pt{{206, 270}, {176, 270}}, knees: [2]pt{{262, 300}, {120, 322}}, ankles: [2]pt{{228, 378}, {68, 382}}, toes: [2]pt{{252, 398}, {48, 404}},
	},
	{ // on guard
		head: pt{176, 112}, neck: pt{188, 142}, face: -1,
		shoulders: [2]pt{{156, 162}, {222, 156}}, elbows: [2]pt{{112, 196}, {262, 204}}, hands: [2]pt{{92, 140}, {206, 186}},
		hips: [2]pt{{184, 266}, {220, 268}}, knees: [2]pt{{136, 326}, {264, 330}}, ankles: [2]pt{{120, 410}, {292, 404}}, toes: [2]pt{{86, 418}, {270, 428}},
	},
	{ // reading the weather
		head: pt{186, 98}, neck: pt{190, 130}, face: -1,
		shoulders: [2]pt{{156, 148}, {226, 148}}, elbows: [2]pt{{102, 170}, {272, 206}}, hands: [2]pt{{74, 128}, {290, 158}},
		hips: [2]pt{{176, 262}, {210, 262}}, knees: [2]pt{{152, 336}, {226, 340}}, ankles: [2]pt{{146, 414}, {258, 412}}, toes: [2]pt{{112, 422}, {280, 426}},
		gear: staff(pt{310, 330}, pt{284, 66}), behind: true,
	},
}

// The hats are drawn in the head's coordinates, facing right.
func wideStraw(c *canvas, k kit) {
	c.hairdo(k)
	c.shape("M-48-6C-30-26 34-32 52-14C34 0-26 2-48-6z", "#e2ae4c")
	c.shape("M-26-12C-30-46 22-54 28-20C12-10-10-8-26-12z", "#f2c968")
	c.shape("M-27-20C-8-16 14-20 28-28L28-18C12-10-10-8-26-11z", k.trimOr("#c8322f"))
}

func tricorn(c *canvas, k kit) {
	c.hairdo(k)
	c.shape("M-44-10C-40-30-28-32-22-28C-16-54 18-56 26-32C36-36 46-30 48-18C30-22-20-20-44-10z", darker(k.jersey, 0.55))
	c.stroke("M-44-11C-20-22 28-24 48-19", gold, 4.5, round)
	c.shape("M4-48L10-38 2-32-6-38z", gold)
}

func bandana(c *canvas, k kit) {
	c.hairdo(k)
	c.shape("M-22-8C-24-36 20-40 23-13C10-20-8-18-22-8z", k.trim)
	c.shape("M-20-12L-46-4-38 8-30-2-22 2z", k.trim)
	c.circle(pt{0, -24}, 3, white)
	c.circle(pt{10, -20}, 3, white)
	c.circle(pt{-10, -18}, 3, white)
}

// trimOr returns the trim color, unless it would be invisible on straw.
func (k kit) trimOr(other string) string {
	if c := rgb(k.trim); c[0] > 200 && c[1] > 150 {
		return other
	}
	return k.trim
}
