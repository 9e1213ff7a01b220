package art

import (
	"regexp"
	"strconv"
)

var keepers = regexp.MustCompile("Neuer|Buffon|Navas|Yashin|Casillas|Courtois|Alisson|Ederson|Donnarumma|Maignan")

// player draws an athlete. The name decides kit and build; the card decides pose, background and
// distance, so that two cards of one player look related but not alike.
func (c *canvas) player(kind category, d dice, t title, tone tones) {
	who := diceOf(t.subject)
	team := one(who, teams)
	c.ground(d, one(d, groundsFor(tone)), tone)
	if d.below(4) > 0 {
		c.venue(kind, d, team)
	}
	k := kitFor(kind, who, team)
	p := one(d, posesOf(kind, t.subject))
	k.mirrored = d.below(2) == 1
	if kind == baseballCards {
		k.headgear = ballCap
		if p.bat {
			k.headgear = battingHelmet
		}
	}
	if p.keeper {
		k = k.asKeeper(team)
	}
	c.cutout(shot(d, p, k.mirrored), tone, func() { c.figure(p, k) })
}

// shot frames a player: the whole figure, or sometimes a closer view if neither hands nor ball are
// far from the body.
func shot(d dice, p pose, mirrored bool) string {
	scale, eye, at := 1.04, pt{190, 212}, pt{250, 432}
	reaches := min(p.hands[0].y, p.hands[1].y) < p.neck.y-45
	if d.below(3) == 0 && !p.whole && !reaches {
		scale, eye, at = 1.42, p.neck.add(pt{0, 60}), pt{250, 440}
	}
	flip := scale
	if mirrored {
		flip = -scale
	}
	return `transform="translate(` + whole(at.x) + " " + whole(at.y) + ") scale(" + num2(flip) + " " + num2(scale) + ") translate(" +
		whole(-eye.x) + " " + whole(-eye.y) + `)"`
}

// cutout draws a subject twice, first with a wide pale outline and its shadow, so that it contrasts
// with any background.
func (c *canvas) cutout(move string, tone tones, inside func()) {
	c.raw("<defs>")
	c.group(`id="`+c.id("s")+`" `+move, inside)
	c.raw("</defs>")
	use := `<use href="#` + c.id("s") + `"`
	c.raw(`<g opacity=".4">%s transform="translate(9 11)" stroke="#060912" stroke-width="9" stroke-linejoin="round"/></g>`, use)
	c.raw(`%s stroke="%s" stroke-width="11" stroke-linejoin="round"/>%s/>`, use, lighter(tone.light, 0.72), use)
}

// posesOf returns the poses for a card of a sport. A goalkeeper is always shown making a save.
func posesOf(kind category, name string) []pose {
	switch kind {
	case baseballCards:
		return baseballPoses
	case footballCards:
		return footballPoses
	case soccerCards:
		if keepers.MatchString(name) {
			return []pose{theSave}
		}
		return soccerPoses
	default:
		return basketballPoses
	}
}

func kitFor(kind category, who dice, team hues) kit {
	k := kit{
		skin: mix(team.deep, "#c98d62", 0.3), hair: darker(team.deep, 0.45), hairStyle: one(who, []int{0, 0, 2}),
		jersey: team.main, trim: team.trim, bottoms: team.main, socks: "#f3f4f7", shoes: darker(team.main, 0.55),
		shorts: 0.8, sock: 0.34, number: strconv.Itoa(1 + who.below(54)),
	}
	switch kind {
	case baseballCards:
		k.bottoms, k.shorts, k.sleeve, k.socks, k.sock = "#eceef2", 1.5, 0.55, team.main, 0.4
	case footballCards:
		k.bottoms, k.shorts, k.sleeve, k.shoulderPad, k.sock, k.headgear = team.trim, 1.5, 0.42, 10, 0.5, footballHelmet
		if who.below(2) == 0 {
			k.gloves = team.trim
		}
	case soccerCards:
		k.bottoms, k.shorts, k.sleeve, k.socks, k.sock = team.trim, 0.58, 0.55, team.main, 0.76
	}
	return k
}

// asKeeper returns the goalkeeper's kit: long sleeves, gloves and a color other than the team's.
func (k kit) asKeeper(team hues) kit {
	k.jersey, k.sleeve, k.gloves = mix(team.trim, "#39d98a", 0.6), 1.75, "#f6f7f9"
	return k
}

// venue draws the playing field behind the player.
func (c *canvas) venue(kind category, d dice, team hues) {
	switch kind {
	case basketballCards:
		c.court(team)
	case baseballCards:
		c.diamond()
	case footballCards:
		c.gridiron(d)
	case soccerCards:
		c.pitch()
	}
}

func (c *canvas) court(team hues) {
	c.linear("floor", 0, 0, 0, 1, shades("#e9b777", "#b9772f")...)
	c.shape("M46 590L454 590V760H46z", c.ref("floor"))
	c.stroke("M46 612H454M46 640H454M46 676H454M130 590L46 700M210 590L170 760M290 590L330 760M370 590L454 700", "#7c4a17", 1.5, `opacity=".45"`)
	c.ellipse(pt{250, 660}, 150, 46, "none", `stroke="#fff"`, `stroke-width="5"`, `opacity=".85"`)
	c.ellipse(pt{250, 660}, 70, 21, team.main, `opacity=".55"`)
	c.stroke("M46 592H454", white, 4, `opacity=".85"`)
	c.group(`opacity=".9"`, func() {
		c.rect(352, 226, 96, 66, 4, white, `fill-opacity=".28"`, `stroke="#fff"`, `stroke-width="4"`)
		c.rect(384, 252, 34, 28, 0, "none", `stroke="#fff"`, `stroke-width="3"`)
		c.ellipse(pt{400, 296}, 32, 8, "none", `stroke="#ff6a2b"`, `stroke-width="6"`)
		c.stroke("M370 300L384 342M385 303L396 344M400 304V344M415 303L404 344M430 300L416 342M376 318H424M381 332H419", white, 2)
	})
}

func (c *canvas) diamond() {
	c.linear("grass", 0, 0, 0, 1, shades("#5fb760", "#1f6b34")...)
	c.shape("M46 585Q250 548 454 585V760H46z", c.ref("grass"))
	c.shape("M46 650Q250 586 454 650V760H46z", "#c08a52")
	c.stroke("M250 700L46 632M250 700L454 632", white, 5, `opacity=".9"`)
	c.shape("M250 690L276 700L268 716H232L224 700z", white)
	c.lights(240)
}

// lights draws two masts of stadium lights.
func (c *canvas) lights(y float64) {
	c.stroke("M96 280V580M404 280V580", white, 5, `opacity=".4"`)
	p := new(pen)
	for _, x := range []float64{70, 96, 122, 378, 404, 430} {
		for i := range 3 {
			at := pt{x, y + 18*float64(i)}
			p.op('M', at).op('L', at)
		}
	}
	c.stroke(p.String(), "#fffbe6", 15, round, `opacity=".9"`)
	c.raw(`<g fill="#fffbe6" opacity=".16"><circle cx="96" cy="258" r="66"/><circle cx="404" cy="258" r="66"/></g>`)
}

func (c *canvas) gridiron(d dice) {
	c.linear("grass", 0, 0, 0, 1, shades("#4ea35a", "#14532c")...)
	c.rect(46, 580, 408, 180, 0, c.ref("grass"))
	c.stroke("M46 582H454M46 620H454M46 672H454", white, 4, `opacity=".85"`)
	c.stroke("M186 600V606M210 600V606M290 600V606M314 600V606M176 642V650M206 642V650M294 642V650M324 642V650", white, 5, `opacity=".7"`)
	yards := strconv.Itoa(10 * (1 + d.below(5)))
	c.text(lettering{at: pt{108, 662}, size: 38, weight: extraBold, anchor: "middle", fill: white}, yards)
	c.text(lettering{at: pt{392, 662}, size: 38, weight: extraBold, anchor: "middle", fill: white}, yards)
	c.stroke("M250 580V500M180 330V500H320V330", "#ffd23f", 8, `opacity=".8"`, `stroke-linejoin="round"`)
}

func (c *canvas) pitch() {
	c.linear("grass", 0, 0, 0, 1, shades("#62c46a", "#1b7a3c")...)
	c.rect(46, 570, 408, 190, 0, c.ref("grass"))
	c.shape("M150 570H206L170 760H60zM262 570H318L392 760H282z", white, `opacity=".12"`)
	c.stroke("M46 572H454M118 572L84 640H416L382 572M46 690H454", white, 4, `opacity=".9"`)
	net := ""
	for x := 130.0; x < 380; x += 20 {
		net += line(pt{x, 430}, pt{x, 572})
	}
	for y := 450.0; y < 572; y += 20 {
		net += line(pt{118, y}, pt{382, y})
	}
	c.stroke(net, white, 1.5, `opacity=".4"`)
	c.stroke("M118 572V430H382V572", white, 7, `opacity=".95"`, `stroke-linejoin="round"`)
}
