package art

import (
	"math"
	"strings"
)

// plush is a long-eared toy: its fur colors from top to bottom, its face and accessories.
type plush struct {
	fur, fur2, face, accent string
	charm                   func(*canvas, plush)
}

// wardrobe has the toys' looks by name.
var wardrobe = map[string]plush{
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

var strangers = []string{"Love", "Hope", "Luck", "Serenity", "Sisi", "Zizi", "Toffee"}

// plushOf returns the look of a toy by its name. Unknown names get a random one from their seed.
func plushOf(own string) plush {
	if p, known := wardrobe[strings.TrimPrefix(own, "Secret ")]; known {
		return p
	}
	return wardrobe[one(diceOf(own), strangers)]
}

// fluff returns an oval with a furry edge of n tufts.
func fluff(at pt, rx, ry float64, n int) string {
	edge := func(i int) pt {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		return at.add(pt{rx * c, ry * s})
	}
	p := new(pen).op('M', edge(0))
	for i := 1; i <= n; i++ {
		r := edge(i).dist(edge(i-1)) * 0.56
		p.arc(r, edge(i%n))
	}
	return p.close()
}

// The toy is drawn in an area 380 wide and 420 high. The poses share the head.

func (c *canvas) plushHead(p plush, y float64) {
	at := pt{190, y}
	for _, side := range []float64{-1, 1} {
		root, tip := at.add(pt{42 * side, -64}), at.add(pt{92 * side, -196})
		c.shape(limb(root, tip, 32, 22, 12), p.fur)
		c.shape(limb(root.to(tip, 0.16), root.to(tip, 0.9), 15, 10, 8), lighter(p.accent, 0.35))
	}
	c.shape(fluff(at, 108, 90, 22), p.fur)
	c.shape("M-82 12C-84-40-40-58 0-40C40-58 84-40 82 12C80 58 40 78 0 78C-40 78-80 58-82 12z", p.face, shifted(at))
	c.group(shifted(at), func() {
		c.shape("M-22-84C-14-100-2-104 4-118C10-102 22-98 20-82C8-70-12-70-22-84z", lighter(p.fur, 0.35))
		c.ellipse(pt{-58, 34}, 17, 11, p.accent, `opacity=".35"`)
		c.ellipse(pt{58, 34}, 17, 11, p.accent, `opacity=".35"`)
		c.shape("M-38-24a21 26 0 1 0 .1 0zM38-24a21 26 0 1 0 .1 0z", "#1b1420")
		c.shape("M-38 0a13 14 0 1 0 .1 0zM38 0a13 14 0 1 0 .1 0z", p.accent)
		c.shape("M-44-17a8 9 0 1 0 .1 0zM32-17a8 9 0 1 0 .1 0zM-31 10a4 4 0 1 0 .1 0zM45 10a4 4 0 1 0 .1 0z", white)
		c.shape("M-9 22H9Q6 32 0 32Q-6 32-9 22z", darker(p.accent, 0.3))
		c.stroke("M-46 40C-26 62 26 62 46 40", "#3a2230", 5, round)
		c.shape("M14 54L32 47 26 66z", white, `stroke="#3a2230"`, `stroke-width="2.500"`, `stroke-linejoin="round"`)
	})
}

func shifted(at pt) string { return `transform="translate(` + num(at.x) + " " + num(at.y) + `)"` }

// body draws the furry trunk, shaded down to the second color.
func (c *canvas) plushBody(p plush, at pt, rx, ry float64) {
	c.linear("fur", 0, 0, 0, 1, shades(p.fur, p.fur2)...)
	c.shape(fluff(at, rx, ry, 20), c.ref("fur"))
	c.ellipse(at.add(pt{0, 8}), rx*0.6, ry*0.66, lighter(p.fur2, 0.45), `opacity=".8"`)
}

func (c *canvas) plushLimb(p plush, a, b pt) {
	c.shape(limb(a, b, 24, 19, 5), p.fur2)
	c.shape(limb(b, b.add(b.sub(a).unit().scale(9)), 19, 17, 2), p.face)
}

func (c *canvas) wears(p plush) {
	if p.charm != nil {
		p.charm(c, p)
	}
}

func (c *canvas) feet(p plush, y float64) {
	for _, x := range []float64{142, 238} {
		c.shape(limb(pt{x, y - 34}, pt{x, y - 8}, 25, 27, 3), p.fur2)
		c.ellipse(pt{x, y}, 37, 21, p.fur2)
		c.ellipse(pt{x, y + 3}, 25, 12, p.face)
	}
}

func standing(c *canvas, p plush) {
	c.feet(p, 396)
	c.plushLimb(p, pt{124, 284}, pt{64, 330})
	c.plushLimb(p, pt{256, 284}, pt{316, 330})
	c.plushBody(p, pt{190, 318}, 84, 72)
	c.plushHead(p, 186)
	c.wears(p)
}

func cheering(c *canvas, p plush) {
	c.feet(p, 396)
	c.plushBody(p, pt{190, 318}, 84, 72)
	c.plushLimb(p, pt{124, 290}, pt{48, 252})
	c.plushLimb(p, pt{256, 290}, pt{332, 252})
	c.plushHead(p, 186)
	c.wears(p)
}

func posing(c *canvas, p plush) {
	c.feet(p, 396)
	c.plushLimb(p, pt{124, 290}, pt{52, 262})
	c.plushBody(p, pt{190, 318}, 88, 74)
	c.plushLimb(p, pt{258, 286}, pt{290, 348})
	c.plushHead(p, 186)
	c.wears(p)
}

// sitting draws the pose that shows the soles, as on a shelf.
func sitting(c *canvas, p plush) {
	c.shape("M70 400H310L322 424H58z", "#b5763f")
	c.plushBody(p, pt{190, 326}, 88, 70)
	for _, side := range []float64{-1, 1} {
		foot := pt{190 + 88*side, 384}
		c.shape(limb(pt{190 + 40*side, 362}, foot, 28, 28, 3), p.fur2)
		c.circle(foot, 36, p.fur2)
		c.ellipse(foot.add(pt{0, 6}), 19, 15, p.accent, `opacity=".55"`)
		for _, toe := range []pt{{-16, -14}, {0, -20}, {16, -14}} {
			c.circle(foot.add(toe), 6, p.accent, `opacity=".55"`)
		}
	}
	c.plushLimb(p, pt{124, 300}, pt{110, 352})
	c.plushLimb(p, pt{256, 300}, pt{270, 352})
	c.plushHead(p, 190)
	c.wears(p)
}

// hugging draws the pose that holds a macaron.
func hugging(c *canvas, p plush) {
	c.feet(p, 398)
	c.plushBody(p, pt{190, 318}, 84, 74)
	c.plushHead(p, 184)
	c.wears(p)
	shell := mix(p.accent, p.fur, 0.25)
	c.shape("M114 326C112 280 150 268 190 268S268 280 266 326z", lighter(shell, 0.18))
	c.shape(fluff(pt{190, 330}, 74, 9, 18), lighter(shell, 0.4))
	c.rect(122, 330, 136, 15, 7, p.face)
	c.shape(fluff(pt{190, 350}, 74, 8, 18), lighter(shell, 0.4))
	c.shape("M114 350H266C266 382 236 390 190 390S114 382 114 350z", shell)
	c.stroke("M136 300Q146 284 168 280", white, 7, round, `opacity=".6"`)
	c.plushLimb(p, pt{112, 300}, pt{136, 346})
	c.plushLimb(p, pt{268, 300}, pt{244, 346})
}
