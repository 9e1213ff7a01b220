package art

import "strings"

// toyLine is a series of toys with its box design and poses.
type toyLine struct {
	name, box, deep, light string
	pose                   func(*canvas, plush)
}

var toyLines = []toyLine{
	{"Big into Energy", "#ff6fa3", "#6a1f8f", "#ffe7a8", standing},
	{"Have a Seat", "#f2b35c", "#7a3a1c", "#fff6e6", sitting},
	{"Exciting Macaron", "#8fd3c0", "#2c5f74", "#fff3f6", hugging},
	{"Mega 1000%", "#8f6ff0", "#1a1048", "#f3eaff", posing},
	{"Mega 400%", "#45b0d8", "#0e3a66", "#e6f8ff", posing},
	{"Vinyl Plush", "#c7a6e8", "#4a2a7a", "#fff6e0", cheering},
}

// toyLineOf returns a toy's line by its name, and the rest of the name.
func toyLineOf(name string) (toyLine, string) {
	own := strings.TrimPrefix(name, "Labubu ")
	for _, l := range toyLines {
		if strings.Contains(own, l.name) {
			return l, strings.TrimSpace(strings.Replace(own, l.name, "", 1))
		}
	}
	return toyLines[diceOf(name).below(3)], own
}

// toyBox draws a sealed toy in a box with a window.
func (c *canvas) toyBox(e Entry) {
	line, own := toyLineOf(e.Name)
	tone, d := rarityTones(e.Rarity), diceOf(e.ID)
	secret := strings.HasPrefix(own, "Secret ")
	p := plushOf(own)
	c.boxBody(line, tone)
	c.clip("win", windowShape, func() {
		c.stage(d, line, p, secret)
		if tone.level > 1 {
			c.sparkles(d, 14, tone)
		}
		move := `transform="translate(60 262)"`
		c.cutout(move, tones{light: line.light}, func() { line.pose(c, p) })
		c.shape("M60 210H170L60 470zM330 800L450 520V640L390 800z", white, `opacity=".13"`)
	})
	c.stroke(windowShape, c.ref("edge"), 9)
	c.stroke(windowShape, white, 2, `opacity=".7"`)
	c.boxLetters(e, line, strings.TrimPrefix(own, "Secret "), secret, tone)
}

const windowShape = "M56 330C56 230 130 190 250 190S444 230 444 330V656A24 24 0 0 1 420 680H80A24 24 0 0 1 56 656z"

// boxBody draws the box: the hanging tab, the front and the lit side.
func (c *canvas) boxBody(l toyLine, tone tones) {
	c.linear("box", 0, 0, 1, 1, shades(lighter(l.box, 0.3), l.box, mix(l.box, l.deep, 0.55))...)
	c.linear("edge", 0, 0, 1, 1, shades(tone.light, tone.base, tone.deep, tone.base, tone.light)...)
	c.shape("M160 62L176 14Q180 4 192 4H308Q320 4 324 14L340 62z", mix(l.box, l.deep, 0.3))
	c.shape("M210 30H290A9 9 0 0 1 290 48H268A18 14 0 0 1 232 48H210A9 9 0 0 1 210 30z", ink, `opacity=".75"`)
	c.rect(14, 58, 472, 752, 20, c.ref("box"), `stroke="#0d1220"`, `stroke-opacity=".4"`, `stroke-width="2"`)
	c.rect(20, 64, 460, 740, 16, "none", `stroke="`+tone.light+`"`, `stroke-width="3"`, `stroke-opacity=".8"`)
	c.shape("M14 130V78A20 20 0 0 1 34 58H90z", white, `opacity=".25"`)
	c.shape("M462 60Q486 60 486 84V786Q486 806 462 808z", black, `opacity=".16"`)
}

// stage draws the backdrop and the floor of the toy.
func (c *canvas) stage(d dice, l toyLine, p plush, secret bool) {
	if secret {
		c.radial("stage", 0.5, 0.5, 0.62, shades("#fff2b0", "#c85ae8", "#1d0a4a")...)
	} else {
		c.radial("stage", 0.5, 0.5, 0.62, shades(l.light, mix(l.box, p.accent, 0.35), l.deep)...)
	}
	c.rect(40, 180, 420, 510, 0, c.ref("stage"))
	draw := one(d, patterns)
	draw(c, d, hues{light: l.light, mid: l.box, deep: l.deep, main: p.accent, trim: white})
	if secret {
		c.radial("halo", 0.5, 0.5, 0.5, stop{0, "#fff6c8", 0.95}, stop{0.6, "#ffd24a", 0.5}, stop{1, "#ff7ae0", 0})
		c.ellipse(pt{250, 440}, 230, 260, c.ref("halo"))
	}
	c.ellipse(pt{250, 676}, 210, 44, mix(l.deep, ink, 0.2), `opacity=".55"`)
	c.ellipse(pt{250, 668}, 190, 36, mix(l.light, l.box, 0.5))
}

func (c *canvas) boxLetters(e Entry, l toyLine, own string, secret bool, tone tones) {
	c.text(lettering{at: pt{250, 120}, size: 46, small: 26, width: 420, weight: extraBold, anchor: "middle", fill: white, spacing: 4, outline: l.deep}, "LABUBU")
	c.text(lettering{at: pt{250, 160}, size: 25, small: 15, width: 400, weight: semiBold, anchor: "middle", fill: l.light, spacing: 1, outline: l.deep}, l.name)
	c.rect(40, 700, 420, 68, 14, mix(l.deep, ink, 0.35), `stroke="`+tone.base+`"`, `stroke-width="4"`)
	c.text(lettering{at: pt{250, 746}, size: 36, small: 18, width: 390, weight: extraBold, anchor: "middle", fill: white}, own)
	c.text(lettering{at: pt{40, 793}, size: 16, weight: semiBold, fill: ink, spacing: 4}, "KAIBAO 开包")
	c.text(lettering{at: pt{460, 793}, size: 16, weight: semiBold, anchor: "end", fill: ink, spacing: 2}, strings.ToUpper(e.Rarity))
	c.group(`transform="translate(416 226)"`, func() {
		c.shape(star(pt{}, 14, 44, 37), c.ref("edge"), `stroke="#fff"`, `stroke-width="2"`)
		c.text(lettering{at: pt{0, 13}, size: 36, weight: extraBold, anchor: "middle", fill: white}, gradeText(e.Grade))
	})
	if secret {
		c.group(`transform="translate(104 236) rotate(-14)"`, func() {
			c.rect(-72, -24, 144, 44, 10, gold, `stroke="#fff6d0"`, `stroke-width="3"`)
			c.text(lettering{at: pt{0, 8}, size: 25, small: 20, width: 126, weight: extraBold, anchor: "middle", fill: "#4a1d00"}, "SECRET")
		})
	}
}
