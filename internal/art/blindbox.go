package art

import (
	"strings"

	"kaibao/internal/art/plush"
	"kaibao/internal/art/scenes"
	"kaibao/internal/art/svg"
)

// drawBlindBox draws the closed box of a toy, seen slightly from the right. The base box is bright,
// the deluxe box black and gold.
func drawBlindBox(c *svg.Canvas, cover Cover) {
	deluxe := strings.Contains(cover.Name, "Deluxe") || strings.Contains(cover.Series, "Deluxe")
	palette := scenes.Palette{Light: "#fff2c4", Mid: "#ff7fb0", Deep: "#6a2a9a", Main: "#ff5a98", Trim: "#ffe27a"}
	if deluxe {
		palette = scenes.Palette{Light: "#ffe9a8", Mid: "#7a4ae0", Deep: "#0e0a26", Main: "#241a52", Trim: "#f4c542"}
	}
	c.Ellipse(svg.Point{256, 690}, 220, 22, svg.Black, `opacity=".3"`)
	c.LinearGradient("top", 0, 0, 0, 1, svg.EvenStops(svg.Lighter(palette.Main, 0.55), svg.Lighter(palette.Main, 0.2))...)
	c.LinearGradient("side", 0, 0, 1, 0, svg.EvenStops(svg.Darker(palette.Main, 0.25), svg.Darker(palette.Main, 0.6))...)
	c.Shape("M30 118L96 52H470L414 118z", c.Ref("top"))
	c.Shape("M414 118L470 52V630L414 696z", c.Ref("side"))
	c.Clip("front", "M30 118H414V696H30z", func() {
		c.Group(`transform="translate(-13 -67) scale(.945 1.008)"`, func() { drawBlindBoxFront(c, svg.NewRandom("pack"+cover.ID), palette) })
		drawBlindBoxToys(c, palette, deluxe)
		drawBlindBoxText(c, cover, palette)
		c.Shape("M30 118H180L30 520z", svg.White, `opacity=".14"`)
	})
	c.Stroke("M30 118H414V696H30zM30 118L96 52H470L414 118M470 52V630L414 696", svg.Lighter(palette.Trim, 0.4), 3, `stroke-linejoin="round"`, `opacity=".85"`)
	if deluxe {
		drawRibbon(c)
	}
}

// drawBlindBoxFront draws the printed front in a card's coordinates, scaled onto the box.
func drawBlindBoxFront(c *svg.Canvas, rnd svg.Random, palette scenes.Palette) {
	scenes.DrawBackground(c, rnd, palette, scenes.RarityColors{Light: svg.White, Level: 1})
	c.Circle(svg.Point{250, 480}, 170, palette.Light, `opacity=".55"`)
	// Draw it below the name: a spark between letters looks like an apostrophe.
	c.Clip("sparks", "M0 290H500V820H0z", func() { scenes.DrawSparkles(c, rnd, 16, palette.Trim) })
}

// drawBlindBoxToys draws the toys on the front: three of a series, or the one behind the ribbon.
func drawBlindBoxToys(c *svg.Canvas, palette scenes.Palette, deluxe bool) {
	edge := palette.Light
	if deluxe {
		scenes.DrawCutout(c, `transform="translate(30 242) scale(.88)"`, edge, func() { plush.DrawCheering(c, plush.ByName("Midnight Gold")) })
		return
	}
	c.Group(`transform="translate(-2 300) rotate(-12 120 200) scale(.62)"`, func() { plush.DrawHead(c, plush.ByName("Serenity"), 186) })
	c.Group(`transform="translate(212 300) rotate(12 120 200) scale(.62)"`, func() { plush.DrawHead(c, plush.ByName("Zizi"), 186) })
	scenes.DrawCutout(c, `transform="translate(70 254) scale(.8)"`, edge, func() { plush.DrawCheering(c, plush.ByName("Love")) })
}

func drawBlindBoxText(c *svg.Canvas, cover Cover, palette scenes.Palette) {
	words := strings.TrimPrefix(cover.Name, "Labubu ")
	c.Text(svg.TextStyle{At: svg.Point{46, 184}, Size: 58, MinSize: 36, MaxWidth: 280, Weight: svg.ExtraBold, Fill: svg.White, Spacing: 3}, "LABUBU")
	c.Rect(30, 612, 384, 84, 0, svg.Mix(palette.Deep, svg.Ink, 0.4))
	c.Stroke("M30 612H414", palette.Trim, 5)
	c.Text(svg.TextStyle{At: svg.Point{222, 658}, Size: 38, MinSize: 24, MaxWidth: 350, Weight: svg.ExtraBold, Anchor: "middle", Fill: svg.White, Spacing: 1}, strings.ToUpper(words))
	c.Text(svg.TextStyle{At: svg.Point{222, 685}, Size: 17, MinSize: 12, MaxWidth: 340, Weight: svg.SemiBold, Anchor: "middle", Fill: palette.Trim, Spacing: 4}, "KAIBAO 开包")
}

// drawRibbon draws the ribbon at the deluxe box's corner.
func drawRibbon(c *svg.Canvas) {
	c.LinearGradient("rib", 0, 0, 1, 1, svg.EvenStops("#fff3c0", "#f4c542", "#a8741a", "#f4c542")...)
	c.Shape("M352 118L412 52H444L384 118V612H352z", c.Ref("rib"))
	c.Raw(`<g transform="translate(22 -4)">`)
	c.Shape("M348 92C300 20 236 44 262 84C276 104 316 106 348 98C380 106 430 100 440 76C454 34 392 22 348 92z", c.Ref("rib"), `stroke="#7a4a06"`, `stroke-width="3"`)
	c.Shape(svg.ScallopedOval(svg.Point{349, 94}, 20, 17, 9), "#ffe9a0", `stroke="#7a4a06"`, `stroke-width="2"`)
	c.Shape("M336 108L300 190 326 178 340 200 352 112zM358 108L392 186 370 178 358 198z", c.Ref("rib"), `stroke="#7a4a06"`, `stroke-width="2"`)
	c.Raw("</g>")
}
