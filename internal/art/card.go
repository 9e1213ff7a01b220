package art

// The bounds of a card's art within the slab. Figures are drawn into this area.
const (
	cardX, cardY, cardW, cardH = 46.0, 184.0, 408.0, 572.0
	frame                      = 13.0
)

// card draws the card itself: an edge in the color of its rarity, a background, the subject, the
// name.
func (c *canvas) card(e Entry, t title, tone tones) {
	d := diceOf(e.ID)
	kind := categoryOf(e.Series, e.Name)
	c.rect(cardX-3, cardY-2, cardW+8, cardH+8, 20, black, `opacity=".45"`)
	c.rect(cardX, cardY, cardW, cardH, 18, c.ref("edge"))
	c.rect(cardX+4, cardY+4, cardW-8, cardH-8, 15, "none", `stroke="#fff"`, `stroke-opacity=".55"`, `stroke-width="1.5"`)
	c.raw(`<clipPath id="%s"><rect x="%s" y="%s" width="%s" height="%s" rx="12"/></clipPath>`, c.id("art"),
		num(cardX+frame), num(cardY+frame), num(cardW-2*frame), num(cardH-2*frame))
	c.group(`clip-path="`+c.ref("art")+`"`, func() {
		c.scene(kind, d, t, tone)
		if tone.level > 0 {
			c.rect(cardX, cardY, cardW, cardH, 0, c.ref("foil"), `opacity=".13"`)
		}
		c.nameplate(d, t, tone)
	})
	c.rect(cardX+frame, cardY+frame, cardW-2*frame, cardH-2*frame, 12, "none", `stroke="`+tone.deep+`"`, `stroke-width="3"`)
	c.rarityMark(tone)
}

// scene draws a category's background and subject.
func (c *canvas) scene(kind category, d dice, t title, tone tones) {
	switch kind {
	case basketballCards, baseballCards, footballCards, soccerCards:
		c.player(kind, d, t, tone)
	case pokemonCards:
		c.creature(d, t, tone)
	case onePieceCards:
		c.sea(d, t, tone)
	default:
		c.gem(d, tone)
	}
}

// foil draws the print finish of the background: the rarer the card, the shinier.
func (c *canvas) foil(d dice, tone tones) {
	if tone.level == 0 {
		return
	}
	way := one(d, [][4]float64{{0, 0, 1, 0.7}, {1, 0, 0, 0.7}, {0, 0, 0.3, 1}, {0, 1, 1, 0.2}})
	c.linear("foil", way[0], way[1], way[2], way[3], foilStops(d, tone)...)
	c.rect(cardX, cardY, cardW, cardH, 0, c.ref("foil"))
	if tone.level >= 2 {
		c.sparkles(d, 4+3*tone.level, tone)
	}
}

// rainbows are the prismatic foils of the rarest cards.
var rainbows = [][4]string{
	{"#ff5fd2", "#ffe27a", "#5ff0ff", "#b07bff"},
	{"#8a5cff", "#5ff0d8", "#fff07a", "#ff6bb5"},
	{"#ffd24a", "#ff5f8f", "#a05cff", "#4ab8ff"},
	{"#5fffc8", "#4a9cff", "#e05cff", "#ffb35f"},
}

func foilStops(d dice, tone tones) []stop {
	shift := d.between(-0.1, 0.1)
	if tone.level == 4 {
		rainbow := one(d, rainbows)
		return []stop{{0, rainbow[0], 0.6}, {0.25 + shift, rainbow[1], 0.3}, {0.5 + shift, rainbow[2], 0.55}, {0.75 + shift, rainbow[3], 0.3}, {1, rainbow[0], 0.6}}
	}
	strength := 0.3 + 0.08*float64(tone.level)
	return []stop{{0.1, tone.light, 0}, {0.3 + shift, tone.light, strength}, {0.45 + shift, tone.light, 0}, {0.6 + shift, tone.light, 0},
		{0.72 + shift, tone.light, strength}}
}

// sparkles draws four-pointed stars over the upper part of the card.
func (c *canvas) sparkles(d dice, n int, tone tones) {
	p := new(pen)
	for range n {
		at := pt{d.between(cardX+24, cardX+cardW-24), d.between(cardY+24, cardY+cardH-110)}
		r := d.between(4, 15)
		p.op('M', pt{at.x, at.y - r}).op('Q', at, pt{at.x + r, at.y}, at, pt{at.x, at.y + r}, at, pt{at.x - r, at.y}, at, pt{at.x, at.y - r})
	}
	c.shape(p.close(), lighter(tone.light, 0.5), `opacity=".9"`)
}

// nameplate draws the subject's name, set and number at the bottom of the card.
func (c *canvas) nameplate(d dice, t title, tone tones) {
	top := 674.0
	plates := []string{
		"M40 682L460 662V760H40z",
		"M40 674H330L352 652H460V760H40z",
		"M40 690Q250 648 460 690V760H40z",
		"M40 672H460V760H40z",
	}
	plate := one(d, plates)
	c.linear("plate", 0, 0, 1, 0, shades(mix(tone.deep, ink, 0.6), mix(tone.deep, ink, 0.2))...)
	c.shape(plate, c.ref("plate"), `stroke="`+tone.base+`"`, `stroke-width="5"`)
	c.text(lettering{at: pt{250, top + 39}, size: 33, small: 21, width: 346, weight: extraBold, anchor: "middle", fill: white}, t.subject)
	c.text(lettering{at: pt{250, top + 61}, size: 15, small: 10, width: 340, weight: semiBold, anchor: "middle", fill: tone.light, spacing: 1}, t.set)
}

// rarityMark draws a row of diamonds at the card's top right, one more for each level of rarity.
func (c *canvas) rarityMark(tone tones) {
	p := new(pen)
	for i := range tone.level + 1 {
		x := 424 - 17*float64(i)
		p.op('M', pt{x, 208}).op('L', pt{x + 8, 219}, pt{x, 230}, pt{x - 8, 219}).close()
	}
	c.shape(p.String(), lighter(tone.light, 0.35), `stroke="`+tone.deep+`"`, `stroke-width="2"`)
}
