package scenes

import (
	"regexp"
	"strconv"

	"kaibao/internal/art/svg"
)

var goalkeepers = regexp.MustCompile("Neuer|Buffon|Navas|Yashin|Casillas|Courtois|Alisson|Ederson|Donnarumma|Maignan")

// drawAthlete draws an athlete. The name decides kit and build; the card decides pose, background
// and distance, so that two cards of one player look related but not alike.
func drawAthlete(c *svg.Canvas, rnd svg.Random, s Subject, rarity RarityColors) {
	kind, byName := s.Category, svg.NewRandom(s.Name)
	team := svg.Choose(byName, TeamPalettes)
	DrawBackground(c, rnd, svg.Choose(rnd, palettesFor(rarity)), rarity)
	if rnd.IntN(4) > 0 {
		drawVenue(c, kind, rnd, team)
	}
	k := kitFor(kind, byName, team)
	p := svg.Choose(rnd, posesOf(kind, s.Name))
	k.mirrored = rnd.IntN(2) == 1
	if kind == BaseballCards {
		k.headgear = ballCap
		if p.bat {
			k.headgear = battingHelmet
		}
	}
	if p.goalkeeper {
		k = k.asGoalkeeper(team)
	}
	DrawCutout(c, figureTransform(rnd, p, k.mirrored), rarity.Light, func() { drawFigure(c, p, k) })
}

// figureTransform frames a player: the whole figure, or sometimes a closer view if neither hands
// nor ball are far from the body.
func figureTransform(rnd svg.Random, p pose, mirrored bool) string {
	scale, eye, at := 1.04, svg.Point{190, 212}, svg.Point{250, 432}
	reaches := min(p.hands[0].Y(), p.hands[1].Y()) < p.neck.Y()-45
	if rnd.IntN(3) == 0 && !p.fullFigure && !reaches {
		scale, eye, at = 1.42, p.neck.Add(svg.Point{0, 60}), svg.Point{250, 440}
	}
	flip := scale
	if mirrored {
		flip = -scale
	}
	return `transform="translate(` + svg.Format0(at.X()) + " " + svg.Format0(at.Y()) + ") scale(" + svg.Format2(flip) + " " + svg.Format2(scale) + ") translate(" +
		svg.Format0(-eye.X()) + " " + svg.Format0(-eye.Y()) + `)"`
}

// posesOf returns the poses for a card of a sport. A goalkeeper is always shown making a save.
func posesOf(kind Category, name string) []pose {
	switch kind {
	case BaseballCards:
		return baseballPoses
	case FootballCards:
		return footballPoses
	case SoccerCards:
		if goalkeepers.MatchString(name) {
			return []pose{goalkeeperSave}
		}
		return soccerPoses
	default:
		return basketballPoses
	}
}

func kitFor(kind Category, byName svg.Random, team Palette) kit {
	k := kit{
		skin: svg.Mix(team.Deep, "#c98d62", 0.3), hair: svg.Darker(team.Deep, 0.45), hairStyle: svg.Choose(byName, []int{0, 0, 2}),
		jersey: team.Main, trim: team.Trim, bottoms: team.Main, socks: "#f3f4f7", shoes: svg.Darker(team.Main, 0.55),
		shorts: 0.8, sock: 0.34, number: strconv.Itoa(1 + byName.IntN(54)),
	}
	switch kind {
	case BaseballCards:
		k.bottoms, k.shorts, k.sleeve, k.socks, k.sock = "#eceef2", 1.5, 0.55, team.Main, 0.4
	case FootballCards:
		k.bottoms, k.shorts, k.sleeve, k.shoulderPad, k.sock, k.headgear = team.Trim, 1.5, 0.42, 10, 0.5, footballHelmet
		if byName.IntN(2) == 0 {
			k.gloves = team.Trim
		}
	case SoccerCards:
		k.bottoms, k.shorts, k.sleeve, k.socks, k.sock = team.Trim, 0.58, 0.55, team.Main, 0.76
	}
	return k
}

// asGoalkeeper returns the goalkeeper's kit: long sleeves, gloves and a color other than the
// team's.
func (k kit) asGoalkeeper(team Palette) kit {
	k.jersey, k.sleeve, k.gloves = svg.Mix(team.Trim, "#39d98a", 0.6), 1.75, "#f6f7f9"
	return k
}

// drawVenue draws the playing field behind the player.
func drawVenue(c *svg.Canvas, kind Category, rnd svg.Random, team Palette) {
	switch kind {
	case BasketballCards:
		drawBasketballCourt(c, team)
	case BaseballCards:
		drawBaseballField(c)
	case FootballCards:
		drawFootballField(c, rnd)
	case SoccerCards:
		drawSoccerField(c)
	}
}

func drawBasketballCourt(c *svg.Canvas, team Palette) {
	c.LinearGradient("floor", 0, 0, 0, 1, svg.EvenStops("#e9b777", "#b9772f")...)
	c.Shape("M46 590L454 590V760H46z", c.Ref("floor"))
	c.Stroke("M46 612H454M46 640H454M46 676H454M130 590L46 700M210 590L170 760M290 590L330 760M370 590L454 700", "#7c4a17", 1.5, `opacity=".45"`)
	c.Ellipse(svg.Point{250, 660}, 150, 46, "none", `stroke="#fff"`, `stroke-width="5"`, `opacity=".85"`)
	c.Ellipse(svg.Point{250, 660}, 70, 21, team.Main, `opacity=".55"`)
	c.Stroke("M46 592H454", svg.White, 4, `opacity=".85"`)
	c.Group(`opacity=".9"`, func() {
		c.Rect(352, 226, 96, 66, 4, svg.White, `fill-opacity=".28"`, `stroke="#fff"`, `stroke-width="4"`)
		c.Rect(384, 252, 34, 28, 0, "none", `stroke="#fff"`, `stroke-width="3"`)
		c.Ellipse(svg.Point{400, 296}, 32, 8, "none", `stroke="#ff6a2b"`, `stroke-width="6"`)
		c.Stroke("M370 300L384 342M385 303L396 344M400 304V344M415 303L404 344M430 300L416 342M376 318H424M381 332H419", svg.White, 2)
	})
}

func drawBaseballField(c *svg.Canvas) {
	c.LinearGradient("grass", 0, 0, 0, 1, svg.EvenStops("#5fb760", "#1f6b34")...)
	c.Shape("M46 585Q250 548 454 585V760H46z", c.Ref("grass"))
	c.Shape("M46 650Q250 586 454 650V760H46z", "#c08a52")
	c.Stroke("M250 700L46 632M250 700L454 632", svg.White, 5, `opacity=".9"`)
	c.Shape("M250 690L276 700L268 716H232L224 700z", svg.White)
	drawStadiumLights(c, 240)
}

// drawStadiumLights draws two masts of stadium lights.
func drawStadiumLights(c *svg.Canvas, y float64) {
	c.Stroke("M96 280V580M404 280V580", svg.White, 5, `opacity=".4"`)
	p := new(svg.Path)
	for _, x := range []float64{70, 96, 122, 378, 404, 430} {
		for i := range 3 {
			at := svg.Point{x, y + 18*float64(i)}
			p.Op('M', at).Op('L', at)
		}
	}
	c.Stroke(p.String(), "#fffbe6", 15, svg.RoundCaps, `opacity=".9"`)
	c.Raw(`<g fill="#fffbe6" opacity=".16"><circle cx="96" cy="258" r="66"/><circle cx="404" cy="258" r="66"/></g>`)
}

func drawFootballField(c *svg.Canvas, rnd svg.Random) {
	c.LinearGradient("grass", 0, 0, 0, 1, svg.EvenStops("#4ea35a", "#14532c")...)
	c.Rect(46, 580, 408, 180, 0, c.Ref("grass"))
	c.Stroke("M46 582H454M46 620H454M46 672H454", svg.White, 4, `opacity=".85"`)
	c.Stroke("M186 600V606M210 600V606M290 600V606M314 600V606M176 642V650M206 642V650M294 642V650M324 642V650", svg.White, 5, `opacity=".7"`)
	yards := strconv.Itoa(10 * (1 + rnd.IntN(5)))
	c.Text(svg.TextStyle{At: svg.Point{108, 662}, Size: 38, Weight: svg.ExtraBold, Anchor: "middle", Fill: svg.White}, yards)
	c.Text(svg.TextStyle{At: svg.Point{392, 662}, Size: 38, Weight: svg.ExtraBold, Anchor: "middle", Fill: svg.White}, yards)
	c.Stroke("M250 580V500M180 330V500H320V330", "#ffd23f", 8, `opacity=".8"`, `stroke-linejoin="round"`)
}

func drawSoccerField(c *svg.Canvas) {
	c.LinearGradient("grass", 0, 0, 0, 1, svg.EvenStops("#62c46a", "#1b7a3c")...)
	c.Rect(46, 570, 408, 190, 0, c.Ref("grass"))
	c.Shape("M150 570H206L170 760H60zM262 570H318L392 760H282z", svg.White, `opacity=".12"`)
	c.Stroke("M46 572H454M118 572L84 640H416L382 572M46 690H454", svg.White, 4, `opacity=".9"`)
	net := ""
	for x := 130.0; x < 380; x += 20 {
		net += svg.Polyline(svg.Point{x, 430}, svg.Point{x, 572})
	}
	for y := 450.0; y < 572; y += 20 {
		net += svg.Polyline(svg.Point{118, y}, svg.Point{382, y})
	}
	c.Stroke(net, svg.White, 1.5, `opacity=".4"`)
	c.Stroke("M118 572V430H382V572", svg.White, 7, `opacity=".95"`, `stroke-linejoin="round"`)
}
