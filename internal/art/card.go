package art

import (
	"kaibao/internal/art/scenes"
	"kaibao/internal/art/svg"
)

// border is the width of the colored edge around a card's art.
const border = 13.0

// drawCard draws the card itself: an edge in the color of its rarity, a background, the subject,
// the name.
func drawCard(c *svg.Canvas, item Item, t Title, rarity scenes.RarityColors) {
	rnd := svg.NewRandom(item.ID)
	c.Rect(scenes.CardX-3, scenes.CardY-2, scenes.CardWidth+8, scenes.CardHeight+8, 20, svg.Black, `opacity=".45"`)
	c.Rect(scenes.CardX, scenes.CardY, scenes.CardWidth, scenes.CardHeight, 18, c.Ref("edge"))
	c.Rect(scenes.CardX+4, scenes.CardY+4, scenes.CardWidth-8, scenes.CardHeight-8, 15, "none", `stroke="#fff"`, `stroke-opacity=".55"`, `stroke-width="1.5"`)
	c.Raw(`<clipPath id="%s"><rect x="%s" y="%s" width="%s" height="%s" rx="12"/></clipPath>`, c.ID("art"),
		svg.Format1(scenes.CardX+border), svg.Format1(scenes.CardY+border), svg.Format1(scenes.CardWidth-2*border), svg.Format1(scenes.CardHeight-2*border))
	c.Group(`clip-path="`+c.Ref("art")+`"`, func() {
		scenes.Draw(c, rnd, scenes.Subject{Category: scenes.CategoryOf(item.Series, item.Name), Name: t.Subject, Variant: t.Variant}, rarity)
		if rarity.Level > 0 {
			c.Rect(scenes.CardX, scenes.CardY, scenes.CardWidth, scenes.CardHeight, 0, c.Ref("foil"), `opacity=".13"`)
		}
		drawNameplate(c, rnd, t, rarity)
	})
	c.Rect(scenes.CardX+border, scenes.CardY+border, scenes.CardWidth-2*border, scenes.CardHeight-2*border, 12, "none", `stroke="`+rarity.Deep+`"`, `stroke-width="3"`)
	drawRarityMark(c, rarity)
}

// drawNameplate draws the subject's name, set and number at the bottom of the card.
func drawNameplate(c *svg.Canvas, rnd svg.Random, t Title, rarity scenes.RarityColors) {
	top := 674.0
	plates := []string{
		"M40 682L460 662V760H40z",
		"M40 674H330L352 652H460V760H40z",
		"M40 690Q250 648 460 690V760H40z",
		"M40 672H460V760H40z",
	}
	plate := svg.Choose(rnd, plates)
	c.LinearGradient("plate", 0, 0, 1, 0, svg.EvenStops(svg.Mix(rarity.Deep, svg.Ink, 0.6), svg.Mix(rarity.Deep, svg.Ink, 0.2))...)
	c.Shape(plate, c.Ref("plate"), `stroke="`+rarity.Base+`"`, `stroke-width="5"`)
	c.Text(svg.TextStyle{At: svg.Point{250, top + 39}, Size: 33, MinSize: 21, MaxWidth: 346, Weight: svg.ExtraBold, Anchor: "middle", Fill: svg.White}, t.Subject)
	c.Text(svg.TextStyle{At: svg.Point{250, top + 61}, Size: 15, MinSize: 10, MaxWidth: 340, Weight: svg.SemiBold, Anchor: "middle", Fill: rarity.Light, Spacing: 1}, t.Set)
}

// drawRarityMark draws a row of diamonds at the card's top right, one more for each level of
// rarity.
func drawRarityMark(c *svg.Canvas, rarity scenes.RarityColors) {
	p := new(svg.Path)
	for i := range rarity.Level + 1 {
		x := 424 - 17*float64(i)
		p.Op('M', svg.Point{x, 208}).Op('L', svg.Point{x + 8, 219}, svg.Point{x, 230}, svg.Point{x - 8, 219}).Close()
	}
	c.Shape(p.String(), svg.Lighter(rarity.Light, 0.35), `stroke="`+rarity.Deep+`"`, `stroke-width="2"`)
}
