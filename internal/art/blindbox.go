package art

import "strings"

// blindBox draws the closed box of a toy, seen slightly from the right. The base box is bright, the
// deluxe box black and gold.
func (c *canvas) blindBox(p Cover) {
	deluxe := strings.Contains(p.Name, "Deluxe") || strings.Contains(p.Series, "Deluxe")
	h := hues{"#fff2c4", "#ff7fb0", "#6a2a9a", "#ff5a98", "#ffe27a"}
	if deluxe {
		h = hues{"#ffe9a8", "#7a4ae0", "#0e0a26", "#241a52", "#f4c542"}
	}
	c.ellipse(pt{256, 690}, 220, 22, black, `opacity=".3"`)
	c.linear("top", 0, 0, 0, 1, shades(lighter(h.main, 0.55), lighter(h.main, 0.2))...)
	c.linear("side", 0, 0, 1, 0, shades(darker(h.main, 0.25), darker(h.main, 0.6))...)
	c.shape("M30 118L96 52H470L414 118z", c.ref("top"))
	c.shape("M414 118L470 52V630L414 696z", c.ref("side"))
	c.clip("front", "M30 118H414V696H30z", func() {
		c.group(`transform="translate(-13 -67) scale(.945 1.008)"`, func() { c.boxFront(diceOf("pack"+p.ID), h) })
		c.boxToys(h, deluxe)
		c.boxName(p, h)
		c.shape("M30 118H180L30 520z", white, `opacity=".14"`)
	})
	c.stroke("M30 118H414V696H30zM30 118L96 52H470L414 118M470 52V630L414 696", lighter(h.trim, 0.4), 3, `stroke-linejoin="round"`, `opacity=".85"`)
	if deluxe {
		c.ribbon()
	}
}

// boxFront draws the printed front in a card's coordinates, scaled onto the box.
func (c *canvas) boxFront(d dice, h hues) {
	c.ground(d, h, tones{light: white, level: 1})
	c.circle(pt{250, 480}, 170, h.light, `opacity=".55"`)
	// Draw it below the name: a spark between letters looks like an apostrophe.
	c.clip("sparks", "M0 290H500V820H0z", func() { c.sparkles(d, 16, tones{light: h.trim}) })
}

// boxToys draws the toys on the front: three of a series, or the one behind the ribbon.
func (c *canvas) boxToys(h hues, deluxe bool) {
	edge := tones{light: h.light}
	if deluxe {
		c.cutout(`transform="translate(30 242) scale(.88)"`, edge, func() { cheering(c, wardrobe["Midnight Gold"]) })
		return
	}
	c.group(`transform="translate(-2 300) rotate(-12 120 200) scale(.62)"`, func() { c.plushHead(wardrobe["Serenity"], 186) })
	c.group(`transform="translate(212 300) rotate(12 120 200) scale(.62)"`, func() { c.plushHead(wardrobe["Zizi"], 186) })
	c.cutout(`transform="translate(70 254) scale(.8)"`, edge, func() { cheering(c, wardrobe["Love"]) })
}

func (c *canvas) boxName(p Cover, h hues) {
	words := strings.TrimPrefix(p.Name, "Labubu ")
	c.text(lettering{at: pt{46, 184}, size: 58, small: 36, width: 280, weight: extraBold, fill: white, spacing: 3}, "LABUBU")
	c.rect(30, 612, 384, 84, 0, mix(h.deep, ink, 0.4))
	c.stroke("M30 612H414", h.trim, 5)
	c.text(lettering{at: pt{222, 658}, size: 38, small: 24, width: 350, weight: extraBold, anchor: "middle", fill: white, spacing: 1}, strings.ToUpper(words))
	c.text(lettering{at: pt{222, 685}, size: 17, small: 12, width: 340, weight: semiBold, anchor: "middle", fill: h.trim, spacing: 4}, "KAIBAO 开包")
}

// ribbon draws the ribbon at the deluxe box's corner.
func (c *canvas) ribbon() {
	c.linear("rib", 0, 0, 1, 1, shades("#fff3c0", "#f4c542", "#a8741a", "#f4c542")...)
	c.shape("M352 118L412 52H444L384 118V612H352z", c.ref("rib"))
	c.raw(`<g transform="translate(22 -4)">`)
	c.shape("M348 92C300 20 236 44 262 84C276 104 316 106 348 98C380 106 430 100 440 76C454 34 392 22 348 92z", c.ref("rib"), `stroke="#7a4a06"`, `stroke-width="3"`)
	c.shape(fluff(pt{349, 94}, 20, 17, 9), "#ffe9a0", `stroke="#7a4a06"`, `stroke-width="2"`)
	c.shape("M336 108L300 190 326 178 340 200 352 112zM358 108L392 186 370 178 358 198z", c.ref("rib"), `stroke="#7a4a06"`, `stroke-width="2"`)
	c.raw("</g>")
}
