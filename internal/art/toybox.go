package art

import (
	"strings"

	"kaibao/internal/art/plush"
	"kaibao/internal/art/scenes"
	"kaibao/internal/art/svg"
)

// toyLine is a series of toys with its box design and poses.
type toyLine struct {
	name, box, deep, light string
	pose                   func(*svg.Canvas, plush.Toy)
}

var toyLines = []toyLine{
	{"Big into Energy", "#ff6fa3", "#6a1f8f", "#ffe7a8", plush.DrawStanding},
	{"Have a Seat", "#f2b35c", "#7a3a1c", "#fff6e6", plush.DrawSitting},
	{"Exciting Macaron", "#8fd3c0", "#2c5f74", "#fff3f6", plush.DrawHugging},
	{"Mega 1000%", "#8f6ff0", "#1a1048", "#f3eaff", plush.DrawPosing},
	{"Mega 400%", "#45b0d8", "#0e3a66", "#e6f8ff", plush.DrawPosing},
	{"Vinyl Plush", "#c7a6e8", "#4a2a7a", "#fff6e0", plush.DrawCheering},
}

// toyLineOf returns a toy's line by its name, and the rest of the name.
func toyLineOf(name string) (toyLine, string) {
	shortName := strings.TrimPrefix(name, "Labubu ")
	for _, l := range toyLines {
		if strings.Contains(shortName, l.name) {
			return l, strings.TrimSpace(strings.Replace(shortName, l.name, "", 1))
		}
	}
	return toyLines[svg.NewRandom(name).IntN(3)], shortName
}

// drawToyBox draws a sealed toy in a box with a window.
func drawToyBox(c *svg.Canvas, item Item) {
	line, shortName := toyLineOf(item.Name)
	rarity, rnd := scenes.RarityColorsOf(item.Rarity), svg.NewRandom(item.ID)
	secret := strings.HasPrefix(shortName, "Secret ")
	toy := plush.ByName(shortName)
	drawToyBoxBody(c, line, rarity)
	c.Clip("win", windowShape, func() {
		drawToyStage(c, rnd, line, toy, secret)
		if rarity.Level > 1 {
			scenes.DrawSparkles(c, rnd, 14, rarity.Light)
		}
		transform := `transform="translate(60 262)"`
		scenes.DrawCutout(c, transform, line.light, func() { line.pose(c, toy) })
		c.Shape("M60 210H170L60 470zM330 800L450 520V640L390 800z", svg.White, `opacity=".13"`)
	})
	c.Stroke(windowShape, c.Ref("edge"), 9)
	c.Stroke(windowShape, svg.White, 2, `opacity=".7"`)
	drawToyBoxText(c, item, line, strings.TrimPrefix(shortName, "Secret "), secret, rarity)
}

const windowShape = "M56 330C56 230 130 190 250 190S444 230 444 330V656A24 24 0 0 1 420 680H80A24 24 0 0 1 56 656z"

// drawToyBoxBody draws the box: the hanging tab, the front and the lit side.
func drawToyBoxBody(c *svg.Canvas, l toyLine, rarity scenes.RarityColors) {
	c.LinearGradient("box", 0, 0, 1, 1, svg.EvenStops(svg.Lighter(l.box, 0.3), l.box, svg.Mix(l.box, l.deep, 0.55))...)
	c.LinearGradient("edge", 0, 0, 1, 1, svg.EvenStops(rarity.Light, rarity.Base, rarity.Deep, rarity.Base, rarity.Light)...)
	c.Shape("M160 62L176 14Q180 4 192 4H308Q320 4 324 14L340 62z", svg.Mix(l.box, l.deep, 0.3))
	c.Shape("M210 30H290A9 9 0 0 1 290 48H268A18 14 0 0 1 232 48H210A9 9 0 0 1 210 30z", svg.Ink, `opacity=".75"`)
	c.Rect(14, 58, 472, 752, 20, c.Ref("box"), `stroke="#0d1220"`, `stroke-opacity=".4"`, `stroke-width="2"`)
	c.Rect(20, 64, 460, 740, 16, "none", `stroke="`+rarity.Light+`"`, `stroke-width="3"`, `stroke-opacity=".8"`)
	c.Shape("M14 130V78A20 20 0 0 1 34 58H90z", svg.White, `opacity=".25"`)
	c.Shape("M462 60Q486 60 486 84V786Q486 806 462 808z", svg.Black, `opacity=".16"`)
}

// drawToyStage draws the backdrop and the floor of the toy.
func drawToyStage(c *svg.Canvas, rnd svg.Random, l toyLine, toy plush.Toy, secret bool) {
	if secret {
		c.RadialGradient("stage", 0.5, 0.5, 0.62, svg.EvenStops("#fff2b0", "#c85ae8", "#1d0a4a")...)
	} else {
		c.RadialGradient("stage", 0.5, 0.5, 0.62, svg.EvenStops(l.light, svg.Mix(l.box, toy.Accent, 0.35), l.deep)...)
	}
	c.Rect(40, 180, 420, 510, 0, c.Ref("stage"))
	scenes.DrawPattern(c, rnd, scenes.Palette{Light: l.light, Mid: l.box, Deep: l.deep, Main: toy.Accent, Trim: svg.White})
	if secret {
		c.RadialGradient("halo", 0.5, 0.5, 0.5, svg.Stop(0, "#fff6c8", 0.95), svg.Stop(0.6, "#ffd24a", 0.5), svg.Stop(1, "#ff7ae0", 0))
		c.Ellipse(svg.Point{250, 440}, 230, 260, c.Ref("halo"))
	}
	c.Ellipse(svg.Point{250, 676}, 210, 44, svg.Mix(l.deep, svg.Ink, 0.2), `opacity=".55"`)
	c.Ellipse(svg.Point{250, 668}, 190, 36, svg.Mix(l.light, l.box, 0.5))
}

func drawToyBoxText(c *svg.Canvas, item Item, l toyLine, shortName string, secret bool, rarity scenes.RarityColors) {
	c.Text(svg.TextStyle{At: svg.Point{250, 120}, Size: 46, MinSize: 26, MaxWidth: 420, Weight: svg.ExtraBold, Anchor: "middle", Fill: svg.White, Spacing: 4, Outline: l.deep}, "LABUBU")
	c.Text(svg.TextStyle{At: svg.Point{250, 160}, Size: 25, MinSize: 15, MaxWidth: 400, Weight: svg.SemiBold, Anchor: "middle", Fill: l.light, Spacing: 1, Outline: l.deep}, l.name)
	c.Rect(40, 700, 420, 68, 14, svg.Mix(l.deep, svg.Ink, 0.35), `stroke="`+rarity.Base+`"`, `stroke-width="4"`)
	c.Text(svg.TextStyle{At: svg.Point{250, 746}, Size: 36, MinSize: 18, MaxWidth: 390, Weight: svg.ExtraBold, Anchor: "middle", Fill: svg.White}, shortName)
	c.Text(svg.TextStyle{At: svg.Point{40, 793}, Size: 16, Weight: svg.SemiBold, Fill: svg.Ink, Spacing: 4}, "KAIBAO 开包")
	c.Text(svg.TextStyle{At: svg.Point{460, 793}, Size: 16, Weight: svg.SemiBold, Anchor: "end", Fill: svg.Ink, Spacing: 2}, strings.ToUpper(item.Rarity))
	c.Group(`transform="translate(416 226)"`, func() {
		c.Shape(svg.Star(svg.Point{}, 14, 44, 37), c.Ref("edge"), `stroke="#fff"`, `stroke-width="2"`)
		c.Text(svg.TextStyle{At: svg.Point{0, 13}, Size: 36, Weight: svg.ExtraBold, Anchor: "middle", Fill: svg.White}, GradeText(item.Grade))
	})
	if secret {
		c.Group(`transform="translate(104 236) rotate(-14)"`, func() {
			c.Rect(-72, -24, 144, 44, 10, svg.Gold, `stroke="#fff6d0"`, `stroke-width="3"`)
			c.Text(svg.TextStyle{At: svg.Point{0, 8}, Size: 25, MinSize: 20, MaxWidth: 126, Weight: svg.ExtraBold, Anchor: "middle", Fill: "#4a1d00"}, "SECRET")
		})
	}
}
