package scenes

import "kaibao/internal/art/svg"

// DrawMotif draws the subject of a wrapper.
func DrawMotif(c *svg.Canvas, kind Category, palette Palette) {
	edge := palette.Light
	place := `transform="translate(66 112) scale(.98)"`
	switch kind {
	case BasketballCards, BaseballCards, FootballCards, SoccerCards:
		team := Palette{Main: palette.Main, Trim: palette.Trim, Deep: palette.Deep}
		k := kitFor(kind, svg.NewRandom("cover"), team)
		p := posesOf(kind, "")[map[Category]int{BasketballCards: 1, BaseballCards: 0, FootballCards: 0, SoccerCards: 1}[kind]]
		k.headgear = map[Category]func(*svg.Canvas, kit){BaseballCards: battingHelmet, FootballCards: footballHelmet}[kind]
		if kind == SoccerCards || kind == BasketballCards {
			place = `transform="translate(70 142) scale(.94)"`
		}
		DrawCutout(c, place, edge, func() { drawFigure(c, p, k) })
	case PokemonCards:
		DrawCutout(c, place, edge, func() { drawParts(c, drake, elements["fire"]) })
	case OnePieceCards:
		DrawCutout(c, `transform="translate(250 350) scale(1.08)"`, edge, func() { drawPirateFlag(c, palette) })
	default:
		DrawSlabFan(c, palette)
	}
}

// DrawSlabFan draws three slabs held like a hand of cards.
func DrawSlabFan(c *svg.Canvas, palette Palette) {
	for i, turn := range []string{"-17", "15", "-1"} {
		paint := []string{palette.Main, palette.Mid, palette.Trim}[i]
		c.Group(`transform="translate(250 372) rotate(`+turn+`) translate(`+[]string{"-74", "74", "0"}[i]+` 0)"`, func() {
			c.Rect(-88, -148, 176, 290, 14, "#e9f0fc", `stroke="#3a4560"`, `stroke-width="2"`)
			c.Rect(-78, -138, 156, 46, 5, "#fbf9f3", `stroke="#c4161c"`, `stroke-width="3"`)
			c.Rect(38, -133, 34, 36, 3, "#c4161c")
			c.Text(svg.TextStyle{At: svg.Point{55, -106}, Size: 24, Weight: svg.ExtraBold, Anchor: "middle", Fill: svg.White}, "10")
			c.Stroke("M-68-124H20M-68-110H-14", "#2a3142", 6)
			c.Rect(-74, -82, 148, 214, 10, svg.Darker(paint, 0.45))
			c.Rect(-66, -74, 132, 198, 7, paint)
			c.Shape(svg.Star(svg.Point{0, 22}, 16, 66, 30), svg.White, `opacity=".35"`)
			c.Group(`transform="translate(0 20) scale(.34)"`, func() { DrawCompassRose(c, svg.Ink, "#fff6e2") })
		})
	}
}
