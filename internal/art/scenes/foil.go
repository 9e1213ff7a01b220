package scenes

import "kaibao/internal/art/svg"

// drawFoil draws the print finish of the background: the rarer the card, the shinier.
func drawFoil(c *svg.Canvas, rnd svg.Random, rarity RarityColors) {
	if rarity.Level == 0 {
		return
	}
	direction := svg.Choose(rnd, [][4]float64{{0, 0, 1, 0.7}, {1, 0, 0, 0.7}, {0, 0, 0.3, 1}, {0, 1, 1, 0.2}})
	c.LinearGradient("foil", direction[0], direction[1], direction[2], direction[3], foilStops(rnd, rarity)...)
	c.Rect(CardX, CardY, CardWidth, CardHeight, 0, c.Ref("foil"))
	if rarity.Level >= 2 {
		DrawSparkles(c, rnd, 4+3*rarity.Level, rarity.Light)
	}
}

// rainbows are the prismatic foils of the rarest cards.
var rainbows = [][4]string{
	{"#ff5fd2", "#ffe27a", "#5ff0ff", "#b07bff"},
	{"#8a5cff", "#5ff0d8", "#fff07a", "#ff6bb5"},
	{"#ffd24a", "#ff5f8f", "#a05cff", "#4ab8ff"},
	{"#5fffc8", "#4a9cff", "#e05cff", "#ffb35f"},
}

func foilStops(rnd svg.Random, rarity RarityColors) []svg.ColorStop {
	shift := rnd.Between(-0.1, 0.1)
	if rarity.Level == 4 {
		rainbow := svg.Choose(rnd, rainbows)
		return []svg.ColorStop{svg.Stop(0, rainbow[0], 0.6), svg.Stop(0.25+shift, rainbow[1], 0.3), svg.Stop(0.5+shift, rainbow[2], 0.55), svg.Stop(0.75+shift, rainbow[3], 0.3), svg.Stop(1, rainbow[0], 0.6)}
	}
	strength := 0.3 + 0.08*float64(rarity.Level)
	return []svg.ColorStop{svg.Stop(0.1, rarity.Light, 0), svg.Stop(0.3+shift, rarity.Light, strength), svg.Stop(0.45+shift, rarity.Light, 0), svg.Stop(0.6+shift, rarity.Light, 0),
		svg.Stop(0.72+shift, rarity.Light, strength)}
}

// DrawSparkles draws four-pointed stars over the upper part of the card.
func DrawSparkles(c *svg.Canvas, rnd svg.Random, n int, light string) {
	p := new(svg.Path)
	for range n {
		at := svg.Point{rnd.Between(CardX+24, CardX+CardWidth-24), rnd.Between(CardY+24, CardY+CardHeight-110)}
		r := rnd.Between(4, 15)
		p.Op('M', svg.Point{at.X(), at.Y() - r}).Op('Q', at, svg.Point{at.X() + r, at.Y()}, at, svg.Point{at.X(), at.Y() + r}, at, svg.Point{at.X() - r, at.Y()}, at, svg.Point{at.X(), at.Y() - r})
	}
	c.Shape(p.Close(), svg.Lighter(light, 0.5), `opacity=".9"`)
}
