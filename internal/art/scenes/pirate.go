package scenes

import (
	"strings"

	"kaibao/internal/art/svg"
)

// seas are color schemes of the sea at different times of day.
var seas = []Palette{
	{"#fff3b0", "#ff9a4a", "#7a1f4a", "#d8412f", "#ffd24a"},
	{"#e8fbff", "#58c4f0", "#12509a", "#e0483a", "#ffe08a"},
	{"#ffe0f0", "#b06ae0", "#251460", "#7a2fb0", "#ffc46a"},
	{"#eafff0", "#3fc9a8", "#0a4a5e", "#1f8f6a", "#ffe9a8"},
	{"#e6ecff", "#6a7fd0", "#141c4a", "#2c3f8f", "#ff8a5a"},
	{"#fff0d0", "#f0b04a", "#5a2a12", "#8a2a1f", "#fff3c0"},
}

// drawPirateScene draws a pirate, a ship or a flag. A character wears the same clothes on all
// cards.
func drawPirateScene(c *svg.Canvas, rnd svg.Random, s Subject, rarity RarityColors) {
	byName := svg.NewRandom(s.Name)
	palette := svg.Choose(rnd, seas)
	DrawBackground(c, rnd, palette, rarity)
	if rnd.IntN(2) == 0 {
		c.Circle(svg.Point{rnd.Between(120, 380), rnd.Between(300, 430)}, rnd.Between(70, 110), svg.Lighter(palette.Light, 0.5), `opacity=".8"`)
	}
	switch rnd.IntN(8) {
	case 0:
		drawWater(c, rnd, palette, 560)
		DrawCutout(c, `transform="translate(250 420)"`, rarity.Light, func() { drawShip(c, palette) })
		drawWater(c, rnd, palette, 628)
	case 1:
		drawWater(c, rnd, palette, 640)
		DrawCutout(c, `transform="translate(250 420)"`, rarity.Light, func() { drawPirateFlag(c, palette) })
	default:
		drawWater(c, rnd, palette, 570)
		c.Shape("M46 690L454 660V770H46z", "#8a5530")
		c.Stroke("M46 712L454 686M46 738L454 716", "#5a3318", 3)
		drawPirate(c, rnd, byName, s.Name, rarity)
	}
}

// drawWater draws rows of waves from a height down.
func drawWater(c *svg.Canvas, rnd svg.Random, palette Palette, top float64) {
	for i := range 3 {
		y, w := top+38*float64(i), 110-22*float64(i)
		p := new(svg.Path).Op('M', svg.Point{30, 770}).Op('L', svg.Point{30, y})
		for x := 30 - rnd.Between(0, w); x < 470; x += w {
			p.Op('Q', svg.Point{x + w*0.3, y - 26}, svg.Point{x + w*0.55, y + 4}, svg.Point{x + w*0.75, y + 14}, svg.Point{x + w, y})
		}
		c.Shape(p.Op('L', svg.Point{480, 770}).Close(), svg.Mix(svg.Lighter(palette.Mid, 0.35), svg.Darker(palette.Deep, 0.1), 0.25+0.3*float64(i)), `opacity=".92"`)
	}
}

// drawShip draws a galleon under full sail around the origin.
func drawShip(c *svg.Canvas, palette Palette) {
	c.Stroke("M-6-190V130M-92-120V110M92-110V110", "#5a3318", 9)
	c.Shape("M-150 100C-140 170-110 196-60 200H70C122 196 150 150 172 84L120 96V112H-108L-112 92z", "#7c4726")
	c.Shape("M-144 128H152L140 150H-134z", "#a8672f")
	c.Shape("M-118 92H-150L-158 60H-104zM120 96L172 84 190 60 132 70z", "#935a2c")
	for _, x := range []float64{-84, -40, 4, 48, 92} {
		c.Circle(svg.Point{x, 168}, 9, "#2a160c", `stroke="#d9a25a"`, `stroke-width="4"`)
	}
	sail := palette.Main
	c.Shape("M-66-172C-30-150 34-150 62-172C78-120 76-70 60-30C26-48-32-48-64-30C-52-76-52-124-66-172z", "#fff6e2")
	c.Shape("M-142-104C-122-92-90-92-66-104C-54-60-58-10-70 30C-92 18-122 18-140 30C-128-14-130-60-142-104z", sail)
	c.Shape("M64-96C86-84 116-84 142-96C154-54 150-8 138 34C114 22 88 22 68 34C78-10 76-54 64-96z", sail)
	c.Shape("M172 84L230 30 236 38 186 92z", "#5a3318")
	c.Shape("M62-20L220 36 90 60z", svg.Lighter(sail, 0.55), `opacity=".9"`)
	c.Shape("M-6-196L58-184-6-166z", palette.Trim)
	c.Group(`transform="translate(-2 -100) scale(.36)"`, func() { DrawCompassRose(c, "#2a2f45", sail) })
}

// DrawCompassRose draws a compass rose around the origin.
func DrawCompassRose(c *svg.Canvas, dark, light string) {
	c.Shape(svg.Star(svg.Point{}, 8, 96, 40), light)
	c.Shape(svg.Star(svg.Point{}, 4, 130, 24), dark)
	c.Circle(svg.Point{}, 22, light, `stroke="`+dark+`"`, `stroke-width="8"`)
}

// drawPirateFlag draws an original flag: a compass rose, two sabers and a straw hat.
func drawPirateFlag(c *svg.Canvas, palette Palette) {
	c.Circle(svg.Point{}, 158, svg.Ink)
	c.Circle(svg.Point{}, 144, "none", `stroke="`+palette.Trim+`"`, `stroke-width="5"`)
	for _, side := range []string{"1 1", "-1 1"} {
		c.Group(`transform="scale(`+side+`)"`, func() {
			c.Shape("M-112 118C-30 66 60-10 128-118C104-4 24 84-92 140z", "#e9eef7")
			c.Shape("M-92 94C-66 104-58 122-70 146L-84 138C-78 126-82 116-100 108z", svg.Gold)
			c.Stroke("M-92 122L-126 146", "#8a4a22", 15, svg.RoundCaps)
		})
	}
	DrawCompassRose(c, "#fff6e2", palette.Main)
	c.Group(`transform="translate(0 -74)"`, func() { drawStrawHat(c, palette.Main) })
}

// drawStrawHat draws a hat seen from the front, with its brim on the origin.
func drawStrawHat(c *svg.Canvas, band string) {
	c.Shape("M-92 2C-60-18 60-18 92 2C66 26-66 26-92 2z", "#e2ae4c")
	c.Shape("M-52 0C-54-62-34-78 0-78C34-78 54-62 52 0C24 12-24 12-52 0z", "#f2c968")
	c.Shape("M-53-22C-24-10 24-10 53-22L52 0C24 12-24 12-52 0z", band)
	c.Stroke("M-34-62Q0-52 34-62M-84 4Q0 30 84 4", "#b9842c", 3)
}

// drawPirate draws a character in a pose. byName decides clothes, hat and weapon.
func drawPirate(c *svg.Canvas, rnd, byName svg.Random, name string, rarity RarityColors) {
	team := svg.Choose(byName, TeamPalettes)
	k := kit{
		skin: svg.Choose(byName, []string{"#f6cfa8", "#eab588", "#d99c6c"}), hair: svg.Choose(byName, []string{"#16110f", "#e8a02c", "#c43a2a", "#3a6a3f", "#e86aa0", "#4a6ae0", "#eceff4"}),
		jersey: team.Main, trim: team.Trim, bottoms: svg.Darker(team.Deep, 0.1), socks: "#5a3a22", shoes: "#3a2416",
		shorts: 1.5, sock: 0.42, sleeve: svg.Choose(byName, []float64{0, 0.9, 1.6}), hairStyle: svg.Choose(byName, []int{0, 1, 3}),
	}
	k.headgear = headgearOf(byName, name)
	poses := brawlerPoses
	if usesSword(name) {
		poses = swordPoses
	}
	p := svg.Choose(rnd, poses)
	DrawCutout(c, figureTransform(rnd, p, rnd.IntN(2) == 1), rarity.Light, func() {
		if byName.IntN(3) > 0 {
			drawCloak(c, p, k)
		}
		drawFigure(c, p, k)
		drawSash(c, p, k)
	})
}

func usesSword(name string) bool {
	for _, s := range []string{"Zoro", "Shanks", "Mihawk", "Rayleigh", "Roger", "Law", "Vivi", "Rebecca", "Teach", "Buggy", "Newgate"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}

func headgearOf(byName svg.Random, name string) func(*svg.Canvas, kit) {
	if strings.Contains(name, "Luffy") || strings.Contains(name, "Roger") {
		return strawHat
	}
	return svg.Choose(byName, []func(*svg.Canvas, kit){tricorn, bandana, nil, nil, strawHat})
}

// drawCloak draws a cloak that hangs from the shoulders and blows away from the face.
func drawCloak(c *svg.Canvas, p pose, k kit) {
	a, b := p.shoulders[0], p.shoulders[1]
	if a.X() > b.X() {
		a, b = b, a
	}
	away := 86 * -p.face
	low := max(p.knees[0].Y(), p.knees[1].Y()) + 6
	c.Shape(svg.ClosedCurve(a.Add(svg.Point{-8, -10}), svg.Point{(a.X() + b.X()) / 2, a.Y() - 14}, b.Add(svg.Point{8, -10}), svg.Point{b.X() + 26 + away*0.5, (b.Y() + low) / 2},
		svg.Point{b.X() + 30 + away, low}, svg.Point{(a.X()+b.X())/2 + away*0.9, low - 22}, svg.Point{a.X() - 26 + away, low + 10}, svg.Point{a.X() - 20 + away*0.3, (a.Y() + low) / 2}), svg.Darker(k.jersey, 0.35))
}

func drawSash(c *svg.Canvas, p pose, k kit) {
	a, b := p.hips[0].Lerp(p.shoulders[0], 0.16), p.hips[1].Lerp(p.shoulders[1], 0.16)
	out := b.Sub(a).Unit().Scale(21)
	c.Stroke(svg.Polyline(a.Sub(out), b.Add(out)), k.trim, 17, svg.RoundCaps)
	c.Shape(svg.Limb(b.Add(out), b.Add(out).Add(svg.Point{10 * -p.face, 58}), 6, 11, 2), k.trim)
}

// sabre returns a curved blade from the hand to its tip.
func sabre(hand, tip svg.Point) func(*svg.Canvas, kit) {
	return func(c *svg.Canvas, k kit) {
		n := tip.Sub(hand).Unit().Normal()
		back := hand.Lerp(tip, 0.55).Add(n.Scale(-17))
		edge := hand.Lerp(tip, 0.55).Add(n.Scale(-4))
		p := new(svg.Path).Op('M', hand.Add(n.Scale(-6))).Op('Q', back, tip, edge, hand.Add(n.Scale(6)))
		c.Shape(p.Close(), "#eef3fb", `stroke="#7d8aa6"`, `stroke-width="2"`)
		pommel := hand.Add(hand.Sub(tip).Unit().Scale(26))
		c.Stroke(svg.Polyline(hand, pommel), "#5a2d18", 9, svg.RoundCaps)
		c.Stroke(svg.Polyline(hand.Add(n.Scale(-15)), hand.Add(n.Scale(15))), svg.Gold, 8, svg.RoundCaps)
	}
}

// staff returns a rod with a bright end.
func staff(low, high svg.Point) func(*svg.Canvas, kit) {
	return func(c *svg.Canvas, k kit) {
		c.Stroke(svg.Polyline(low, high), "#7a4a2a", 9, svg.RoundCaps)
		c.Circle(high, 17, k.trim)
		c.Circle(high.Add(svg.Point{-5, -5}), 6, svg.White, `opacity=".8"`)
	}
}

// motionLines returns the motion lines of a punch or a kick.
func motionLines(at svg.Point, toward float64) func(*svg.Canvas, kit) {
	return func(c *svg.Canvas, k kit) {
		p := new(svg.Path)
		for i := range 5 {
			y := at.Y() - 34 + 17*float64(i)
			p.Op('M', svg.Point{at.X() - toward*(60+12*float64(i%2)), y}).Op('L', svg.Point{at.X() - toward*(130-20*float64(i%3)), y})
		}
		c.Stroke(p.String(), svg.White, 5, svg.RoundCaps, `opacity=".85"`)
		c.Shape(svg.Star(at.Add(svg.Point{toward * 20, 0}), 9, 46, 26), k.trim)
	}
}

var swordPoses = []pose{
	{ // the slash
		head: svg.Point{204, 106}, neck: svg.Point{212, 136}, face: -1,
		shoulders: [2]svg.Point{{182, 156}, {242, 154}}, elbows: [2]svg.Point{{146, 190}, {196, 206}}, hands: [2]svg.Point{{112, 202}, {126, 204}},
		hips: [2]svg.Point{{200, 264}, {236, 262}}, knees: [2]svg.Point{{146, 330}, {276, 330}}, ankles: [2]svg.Point{{116, 410}, {306, 400}}, toes: [2]svg.Point{{82, 418}, {286, 428}},
		gear: sabre(svg.Point{114, 204}, svg.Point{8, 60}),
	},
	{ // two blades
		head: svg.Point{178, 106}, neck: svg.Point{190, 136}, face: -1,
		shoulders: [2]svg.Point{{156, 156}, {226, 152}}, elbows: [2]svg.Point{{100, 182}, {290, 128}}, hands: [2]svg.Point{{60, 216}, {304, 74}},
		hips: [2]svg.Point{{184, 264}, {220, 264}}, knees: [2]svg.Point{{126, 320}, {272, 326}}, ankles: [2]svg.Point{{116, 406}, {320, 400}}, toes: [2]svg.Point{{82, 416}, {342, 422}},
		gear: allGear(sabre(svg.Point{58, 218}, svg.Point{6, 60}), sabre(svg.Point{306, 70}, svg.Point{176, 14})), behind: true,
	},
	{ // at rest, the blade shouldered
		head: svg.Point{186, 96}, neck: svg.Point{190, 128}, face: -1,
		shoulders: [2]svg.Point{{154, 146}, {228, 146}}, elbows: [2]svg.Point{{116, 210}, {276, 196}}, hands: [2]svg.Point{{152, 252}, {252, 142}},
		hips: [2]svg.Point{{174, 262}, {210, 262}}, knees: [2]svg.Point{{158, 336}, {232, 336}}, ankles: [2]svg.Point{{150, 414}, {250, 412}}, toes: [2]svg.Point{{116, 422}, {272, 426}},
		gear: sabre(svg.Point{250, 138}, svg.Point{360, 40}), behind: true,
	},
}

var brawlerPoses = []pose{
	{ // the punch
		head: svg.Point{172, 108}, neck: svg.Point{166, 138}, face: 1,
		shoulders: [2]svg.Point{{202, 154}, {134, 158}}, elbows: [2]svg.Point{{258, 158}, {84, 186}}, hands: [2]svg.Point{{312, 146}, {112, 228}},
		hips: [2]svg.Point{{196, 264}, {162, 266}}, knees: [2]svg.Point{{256, 314}, {122, 338}}, ankles: [2]svg.Point{{264, 404}, {62, 400}}, toes: [2]svg.Point{{298, 414}, {38, 424}},
		gear: motionLines(svg.Point{322, 144}, 1), behind: true,
	},
	{ // the flying kick
		head: svg.Point{250, 128}, neck: svg.Point{236, 154}, face: -1,
		shoulders: [2]svg.Point{{210, 166}, {264, 178}}, elbows: [2]svg.Point{{166, 128}, {312, 206}}, hands: [2]svg.Point{{128, 106}, {338, 160}},
		hips: [2]svg.Point{{206, 274}, {236, 284}}, knees: [2]svg.Point{{130, 272}, {262, 354}}, ankles: [2]svg.Point{{54, 256}, {320, 398}}, toes: [2]svg.Point{{30, 230}, {340, 422}},
		gear: motionLines(svg.Point{34, 240}, -1), behind: true,
	},
	{ // the leap
		head: svg.Point{196, 112}, neck: svg.Point{192, 142}, face: 1,
		shoulders: [2]svg.Point{{226, 156}, {158, 158}}, elbows: [2]svg.Point{{266, 110}, {104, 190}}, hands: [2]svg.Point{{262, 48}, {76, 152}},
		hips: [2]svg.Point{{206, 270}, {176, 270}}, knees: [2]svg.Point{{262, 300}, {120, 322}}, ankles: [2]svg.Point{{228, 378}, {68, 382}}, toes: [2]svg.Point{{252, 398}, {48, 404}},
	},
	{ // on guard
		head: svg.Point{176, 112}, neck: svg.Point{188, 142}, face: -1,
		shoulders: [2]svg.Point{{156, 162}, {222, 156}}, elbows: [2]svg.Point{{112, 196}, {262, 204}}, hands: [2]svg.Point{{92, 140}, {206, 186}},
		hips: [2]svg.Point{{184, 266}, {220, 268}}, knees: [2]svg.Point{{136, 326}, {264, 330}}, ankles: [2]svg.Point{{120, 410}, {292, 404}}, toes: [2]svg.Point{{86, 418}, {270, 428}},
	},
	{ // reading the weather
		head: svg.Point{186, 98}, neck: svg.Point{190, 130}, face: -1,
		shoulders: [2]svg.Point{{156, 148}, {226, 148}}, elbows: [2]svg.Point{{102, 170}, {272, 206}}, hands: [2]svg.Point{{74, 128}, {290, 158}},
		hips: [2]svg.Point{{176, 262}, {210, 262}}, knees: [2]svg.Point{{152, 336}, {226, 340}}, ankles: [2]svg.Point{{146, 414}, {258, 412}}, toes: [2]svg.Point{{112, 422}, {280, 426}},
		gear: staff(svg.Point{310, 330}, svg.Point{284, 66}), behind: true,
	},
}

// The hats are drawn in the head's coordinates, facing right.
func strawHat(c *svg.Canvas, k kit) {
	drawHair(c, k)
	c.Shape("M-48-6C-30-26 34-32 52-14C34 0-26 2-48-6z", "#e2ae4c")
	c.Shape("M-26-12C-30-46 22-54 28-20C12-10-10-8-26-12z", "#f2c968")
	c.Shape("M-27-20C-8-16 14-20 28-28L28-18C12-10-10-8-26-11z", k.trimOr("#c8322f"))
}

func tricorn(c *svg.Canvas, k kit) {
	drawHair(c, k)
	c.Shape("M-44-10C-40-30-28-32-22-28C-16-54 18-56 26-32C36-36 46-30 48-18C30-22-20-20-44-10z", svg.Darker(k.jersey, 0.55))
	c.Stroke("M-44-11C-20-22 28-24 48-19", svg.Gold, 4.5, svg.RoundCaps)
	c.Shape("M4-48L10-38 2-32-6-38z", svg.Gold)
}

func bandana(c *svg.Canvas, k kit) {
	drawHair(c, k)
	c.Shape("M-22-8C-24-36 20-40 23-13C10-20-8-18-22-8z", k.trim)
	c.Shape("M-20-12L-46-4-38 8-30-2-22 2z", k.trim)
	c.Circle(svg.Point{0, -24}, 3, svg.White)
	c.Circle(svg.Point{10, -20}, 3, svg.White)
	c.Circle(svg.Point{-10, -18}, 3, svg.White)
}

// trimOr returns the trim color, unless it would be invisible on straw.
func (k kit) trimOr(other string) string {
	if c := svg.RGB(k.trim); c[0] > 200 && c[1] > 150 {
		return other
	}
	return k.trim
}
