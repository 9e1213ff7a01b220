// Package scenes draws the pictures on cards, wrappers and boxes: a background and a subject in
// front of it, such as an athlete, a creature or a pirate.
package scenes

import "kaibao/internal/art/svg"

// Subject is the person or thing on a card, by name, and the card's print variant.
type Subject struct {
	Category      Category
	Name, Variant string
}

// Draw draws the background and the subject of a card, within the card's bounds.
func Draw(c *svg.Canvas, rnd svg.Random, s Subject, rarity RarityColors) {
	switch s.Category {
	case BasketballCards, BaseballCards, FootballCards, SoccerCards:
		drawAthlete(c, rnd, s, rarity)
	case PokemonCards:
		drawCreature(c, rnd, s, rarity)
	case OnePieceCards:
		drawPirateScene(c, rnd, s, rarity)
	default:
		drawGem(c, rnd, rarity)
	}
}

// DrawCutout draws a subject twice, first with a wide pale outline and its shadow, so that it
// contrasts with any background. transform is an SVG attribute that places the subject; light is
// the color that the outline is a paler shade of.
func DrawCutout(c *svg.Canvas, transform, light string, inside func()) {
	c.Raw("<defs>")
	c.Group(`id="`+c.ID("s")+`" `+transform, inside)
	c.Raw("</defs>")
	use := `<use href="#` + c.ID("s") + `"`
	c.Raw(`<g opacity=".4">%s transform="translate(9 11)" stroke="#060912" stroke-width="9" stroke-linejoin="round"/></g>`, use)
	c.Raw(`%s stroke="%s" stroke-width="11" stroke-linejoin="round"/>%s/>`, use, svg.Lighter(light, 0.72), use)
}

// drawGem draws the subject of a card of no known category: a cut stone.
func drawGem(c *svg.Canvas, rnd svg.Random, rarity RarityColors) {
	palette := svg.Choose(rnd, TeamPalettes)
	DrawBackground(c, rnd, palette, rarity)
	DrawCutout(c, `transform="translate(250 420)"`, rarity.Light, func() {
		c.Shape("M-110-130H110L170-40 0 190-170-40z", palette.Main)
		c.Shape("M-110-130L-170-40H-70zM110-130L170-40H70zM-70-40H70L0 190z", svg.Lighter(palette.Main, 0.35))
		c.Shape("M-70-40L0-130 70-40zM-170-40H-70L0 190z", svg.Lighter(palette.Main, 0.6))
		c.Stroke("M-170-40H170M-110-130L-70-40 0-130 70-40 110-130M-70-40L0 190 70-40", svg.White, 4, `stroke-linejoin="round"`)
	})
}
