// Package plush draws long-eared plush toys in an area 380 wide and 420 high.
package plush

import (
	"strings"

	"kaibao/internal/art/svg"
)

// Toy describes the look of a toy: its fur colors from top to bottom, its face and accessories.
type Toy struct {
	fur, fur2, face, Accent string
	charm                   func(*svg.Canvas, Toy)
}

// toysByName has the built-in toys.
var toysByName = map[string]Toy{
	"Love":             {"#ff8fa8", "#ffd0a0", "#fff0e6", "#e8305a", heart},
	"Happiness":        {"#ffc93c", "#ff9a6a", "#fff3d6", "#ff6a2a", sun},
	"Loyalty":          {"#6fb1ff", "#a78bff", "#eef6ff", "#2a5fd0", shield},
	"Serenity":         {"#8fe0cf", "#5aa8e8", "#f0fffa", "#1f8fa0", drop},
	"Hope":             {"#c79bff", "#ff9fd6", "#fbf0ff", "#ffd24a", bigStar},
	"Luck":             {"#8fd06a", "#e8e86a", "#f8ffe6", "#2f8f3a", clover},
	"Id":               {"#2f2a55", "#b04ae0", "#f3e6ff", "#ffe14a", bolt},
	"Sisi":             {"#f4e3cf", "#e6c39a", "#fffaf2", "#d0683a", bow},
	"Haha":             {"#ffb3a0", "#ff8a7a", "#fff1ea", "#d83a4a", bow},
	"Zizi":             {"#b9a3d9", "#8f7ac0", "#f6f0ff", "#5a3fa0", bow},
	"Baba":             {"#c9b08a", "#a58560", "#fff6e6", "#6a4a2a", scarf},
	"Dada":             {"#8fb8d8", "#5f8fb8", "#f0f8ff", "#e0603a", scarf},
	"Ququ":             {"#f7d774", "#e8b040", "#fffbe6", "#4a8f6a", scarf},
	"Duoduo":           {"#fff3e0", "#ffc2d8", "#ffffff", "#f0a020", crown},
	"Soymilk":          {"#f6ead2", "#e9d3ac", "#fffaf0", "#c79a5a", nil},
	"Lychee Berry":     {"#ffb8cc", "#f58aa8", "#fff2f5", "#d8405f", nil},
	"Green Grape":      {"#bfe08a", "#94c860", "#fbffee", "#5a9a3a", nil},
	"Sesame Bean":      {"#9a95a0", "#6f6a78", "#f5f3f7", "#3a3644", nil},
	"Sea Salt Coconut": {"#a8d8f0", "#74b8e0", "#f3fbff", "#2f7fb8", nil},
	"Toffee":           {"#d89a5a", "#b87438", "#fff1dd", "#7a3f14", nil},
	"Chestnut Cocoa":   {"#7a4630", "#5a2f20", "#ffe9d6", "#f0b429", crown},
	"Fall in Wild":     {"#c98a4a", "#8f5a2a", "#fff0d8", "#3f7a3a", leafCrown},
	"Time to Chill":    {"#8fc8e8", "#6aa0d8", "#f2faff", "#1f2f4a", glasses},
	"Best of Luck":     {"#e84a4a", "#c42f3a", "#fff0e6", "#f4c542", clover},
	"Dress Be Latte":   {"#e6cfae", "#c79f70", "#fffaf0", "#7a4a2a", scarf},
	"Jump for Joy":     {"#ffd24a", "#ffb03a", "#fff8e0", "#e0408a", bow},
	"Angel in Clouds":  {"#ffffff", "#dfe8ff", "#fffaf6", "#f4c542", halo},
	"Sketch":           {"#f6f6f2", "#d9dade", "#ffffff", "#22252f", glasses},
	"Checkmate":        {"#22252f", "#3a3f52", "#f6f6f2", "#f4c542", crown},
	"Spring Wild":      {"#a8d88a", "#7fc0a0", "#fbfff2", "#ff7aa8", leafCrown},
	"Tycoon":           {"#4a3a6a", "#2a2040", "#fbeedd", "#f4c542", topHat},
	"All About Us":     {"#ff9fb8", "#b98af0", "#fff2f6", "#e8305a", heart},
	"Summer Rain":      {"#6fa8f0", "#3a6fd0", "#eef6ff", "#ffd24a", drop},
	"Sky Garden":       {"#9ad8ff", "#c7a8ff", "#fbfaff", "#ff8ac0", leafCrown},
	"Midnight Gold":    {"#171a33", "#3a2a6a", "#fff3d0", "#f4c542", crown},
}

var fallbackNames = []string{"Love", "Hope", "Luck", "Serenity", "Sisi", "Zizi", "Toffee"}

// ByName returns a toy by its name. An unknown name is the seed of a random choice.
func ByName(name string) Toy {
	if toy, known := toysByName[strings.TrimPrefix(name, "Secret ")]; known {
		return toy
	}
	return toysByName[svg.Choose(svg.NewRandom(name), fallbackNames)]
}

// DrawHead draws the head around x = 190. All poses share it.
func DrawHead(c *svg.Canvas, toy Toy, y float64) {
	at := svg.Point{190, y}
	for _, side := range []float64{-1, 1} {
		root, tip := at.Add(svg.Point{42 * side, -64}), at.Add(svg.Point{92 * side, -196})
		c.Shape(svg.Limb(root, tip, 32, 22, 12), toy.fur)
		c.Shape(svg.Limb(root.Lerp(tip, 0.16), root.Lerp(tip, 0.9), 15, 10, 8), svg.Lighter(toy.Accent, 0.35))
	}
	c.Shape(svg.ScallopedOval(at, 108, 90, 22), toy.fur)
	c.Shape("M-82 12C-84-40-40-58 0-40C40-58 84-40 82 12C80 58 40 78 0 78C-40 78-80 58-82 12z", toy.face, translate(at))
	c.Group(translate(at), func() {
		c.Shape("M-22-84C-14-100-2-104 4-118C10-102 22-98 20-82C8-70-12-70-22-84z", svg.Lighter(toy.fur, 0.35))
		c.Ellipse(svg.Point{-58, 34}, 17, 11, toy.Accent, `opacity=".35"`)
		c.Ellipse(svg.Point{58, 34}, 17, 11, toy.Accent, `opacity=".35"`)
		c.Shape("M-38-24a21 26 0 1 0 .1 0zM38-24a21 26 0 1 0 .1 0z", "#1b1420")
		c.Shape("M-38 0a13 14 0 1 0 .1 0zM38 0a13 14 0 1 0 .1 0z", toy.Accent)
		c.Shape("M-44-17a8 9 0 1 0 .1 0zM32-17a8 9 0 1 0 .1 0zM-31 10a4 4 0 1 0 .1 0zM45 10a4 4 0 1 0 .1 0z", svg.White)
		c.Shape("M-9 22H9Q6 32 0 32Q-6 32-9 22z", svg.Darker(toy.Accent, 0.3))
		c.Stroke("M-46 40C-26 62 26 62 46 40", "#3a2230", 5, svg.RoundCaps)
		c.Shape("M14 54L32 47 26 66z", svg.White, `stroke="#3a2230"`, `stroke-width="2.500"`, `stroke-linejoin="round"`)
	})
}

func translate(at svg.Point) string {
	return `transform="translate(` + svg.Format1(at.X()) + " " + svg.Format1(at.Y()) + `)"`
}

// drawBody draws the furry trunk, shaded down to the second color.
func drawBody(c *svg.Canvas, toy Toy, at svg.Point, rx, ry float64) {
	c.LinearGradient("fur", 0, 0, 0, 1, svg.EvenStops(toy.fur, toy.fur2)...)
	c.Shape(svg.ScallopedOval(at, rx, ry, 20), c.Ref("fur"))
	c.Ellipse(at.Add(svg.Point{0, 8}), rx*0.6, ry*0.66, svg.Lighter(toy.fur2, 0.45), `opacity=".8"`)
}

func drawLimb(c *svg.Canvas, toy Toy, a, b svg.Point) {
	c.Shape(svg.Limb(a, b, 24, 19, 5), toy.fur2)
	c.Shape(svg.Limb(b, b.Add(b.Sub(a).Unit().Scale(9)), 19, 17, 2), toy.face)
}

func drawCharm(c *svg.Canvas, toy Toy) {
	if toy.charm != nil {
		toy.charm(c, toy)
	}
}

func drawFeet(c *svg.Canvas, toy Toy, y float64) {
	for _, x := range []float64{142, 238} {
		c.Shape(svg.Limb(svg.Point{x, y - 34}, svg.Point{x, y - 8}, 25, 27, 3), toy.fur2)
		c.Ellipse(svg.Point{x, y}, 37, 21, toy.fur2)
		c.Ellipse(svg.Point{x, y + 3}, 25, 12, toy.face)
	}
}

// DrawStanding draws the pose with hanging arms.
func DrawStanding(c *svg.Canvas, toy Toy) {
	drawFeet(c, toy, 396)
	drawLimb(c, toy, svg.Point{124, 284}, svg.Point{64, 330})
	drawLimb(c, toy, svg.Point{256, 284}, svg.Point{316, 330})
	drawBody(c, toy, svg.Point{190, 318}, 84, 72)
	DrawHead(c, toy, 186)
	drawCharm(c, toy)
}

// DrawCheering draws the pose with both arms raised.
func DrawCheering(c *svg.Canvas, toy Toy) {
	drawFeet(c, toy, 396)
	drawBody(c, toy, svg.Point{190, 318}, 84, 72)
	drawLimb(c, toy, svg.Point{124, 290}, svg.Point{48, 252})
	drawLimb(c, toy, svg.Point{256, 290}, svg.Point{332, 252})
	DrawHead(c, toy, 186)
	drawCharm(c, toy)
}

// DrawPosing draws the pose with one arm raised.
func DrawPosing(c *svg.Canvas, toy Toy) {
	drawFeet(c, toy, 396)
	drawLimb(c, toy, svg.Point{124, 290}, svg.Point{52, 262})
	drawBody(c, toy, svg.Point{190, 318}, 88, 74)
	drawLimb(c, toy, svg.Point{258, 286}, svg.Point{290, 348})
	DrawHead(c, toy, 186)
	drawCharm(c, toy)
}

// DrawSitting draws the pose that shows the soles, as on a shelf.
func DrawSitting(c *svg.Canvas, toy Toy) {
	c.Shape("M70 400H310L322 424H58z", "#b5763f")
	drawBody(c, toy, svg.Point{190, 326}, 88, 70)
	for _, side := range []float64{-1, 1} {
		foot := svg.Point{190 + 88*side, 384}
		c.Shape(svg.Limb(svg.Point{190 + 40*side, 362}, foot, 28, 28, 3), toy.fur2)
		c.Circle(foot, 36, toy.fur2)
		c.Ellipse(foot.Add(svg.Point{0, 6}), 19, 15, toy.Accent, `opacity=".55"`)
		for _, toe := range []svg.Point{{-16, -14}, {0, -20}, {16, -14}} {
			c.Circle(foot.Add(toe), 6, toy.Accent, `opacity=".55"`)
		}
	}
	drawLimb(c, toy, svg.Point{124, 300}, svg.Point{110, 352})
	drawLimb(c, toy, svg.Point{256, 300}, svg.Point{270, 352})
	DrawHead(c, toy, 190)
	drawCharm(c, toy)
}

// DrawHugging draws the pose that holds a macaron.
func DrawHugging(c *svg.Canvas, toy Toy) {
	drawFeet(c, toy, 398)
	drawBody(c, toy, svg.Point{190, 318}, 84, 74)
	DrawHead(c, toy, 184)
	drawCharm(c, toy)
	shell := svg.Mix(toy.Accent, toy.fur, 0.25)
	c.Shape("M114 326C112 280 150 268 190 268S268 280 266 326z", svg.Lighter(shell, 0.18))
	c.Shape(svg.ScallopedOval(svg.Point{190, 330}, 74, 9, 18), svg.Lighter(shell, 0.4))
	c.Rect(122, 330, 136, 15, 7, toy.face)
	c.Shape(svg.ScallopedOval(svg.Point{190, 350}, 74, 8, 18), svg.Lighter(shell, 0.4))
	c.Shape("M114 350H266C266 382 236 390 190 390S114 382 114 350z", shell)
	c.Stroke("M136 300Q146 284 168 280", svg.White, 7, svg.RoundCaps, `opacity=".6"`)
	drawLimb(c, toy, svg.Point{112, 300}, svg.Point{136, 346})
	drawLimb(c, toy, svg.Point{268, 300}, svg.Point{244, 346})
}
