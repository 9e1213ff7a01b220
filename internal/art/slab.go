package art

import (
	"strconv"
	"strings"
)

// slab draws a graded card: a clear case, the grader's label on top, the card in its well.
func (c *canvas) slab(e Entry) {
	tone := rarityTones(e.Rarity)
	t := titleOf(e.Name)
	c.caseBack(tone)
	c.label(e, t)
	c.card(e, t, tone)
	c.caseFront(tone)
}

// caseBack draws the acrylic behind the card. It is half transparent, so that it suits dark and
// light backgrounds.
func (c *canvas) caseBack(tone tones) {
	c.linear("case", 0, 0, 1, 1, stop{0, "#eef4ff", 0.62}, stop{0.35, "#aebbd0", 0.4}, stop{0.7, "#7f8ca3", 0.42}, stop{1, "#dfe8f8", 0.55})
	c.linear("well", 0, 0, 0, 1, stop{0, tone.deep, 0.92}, stop{1, ink, 0.95})
	c.linear("edge", 0, 0, 1, 1, shades(tone.light, tone.base, tone.deep, tone.base, tone.light)...)
	c.rect(3, 3, 494, 814, 30, c.ref("case"), `stroke="#1a2234"`, `stroke-opacity=".35"`, `stroke-width="2"`)
	c.rect(7, 7, 486, 806, 27, "none", `stroke="#fff"`, `stroke-opacity=".75"`, `stroke-width="2.5"`)
	c.rect(22, 20, 456, 780, 18, c.ref("well"))
	c.rect(22, 20, 456, 780, 18, "none", `stroke="`+tone.light+`"`, `stroke-opacity=".4"`, `stroke-width="1.5"`)
	if tone.level > 0 {
		c.radial("glow", 0.5, 0.5, 0.5, stop{0.55, tone.base, 0.75}, stop{1, tone.base, 0})
		c.ellipse(pt{250, 476}, 250, 350, c.ref("glow"), `opacity=".8"`)
	}
}

// caseFront draws the parts above the card: the ridge under the label, the posts, the light on the
// surface.
func (c *canvas) caseFront(tone tones) {
	c.rect(22, 162, 456, 8, 0, white, `opacity=".22"`)
	c.rect(22, 170, 456, 3, 0, black, `opacity=".35"`)
	c.shape("M20 3H150L22 420V60z", white, `opacity=".1"`)
	c.shape("M330 817L497 330V470L385 817z", white, `opacity=".08"`)
	c.stroke("M30 9.500H470", white, 3, `opacity=".8"`, round)
	c.stroke("M12 40V780", white, 3, `opacity=".45"`, round)
	c.stroke("M488 60V770", tone.light, 2.5, `opacity=".55"`, round)
	c.text(lettering{at: pt{250, 788}, size: 15, weight: semiBold, anchor: "middle", fill: tone.light, spacing: 7}, "KAIBAO")
}

// label draws the grader's label.
func (c *canvas) label(e Entry, t title) {
	accent := graderColor(e.Grader)
	c.rect(34, 32, 432, 122, 9, "#fbf9f3")
	c.rect(38, 36, 424, 114, 6, "none", `stroke="`+accent+`"`, `stroke-width="4"`)
	width := 404.0
	if e.Grade > 0 {
		c.gradeBox(e, t, accent)
		width = 298
	}
	set := t.set
	if t.year != "" {
		set = t.year + " " + set
	}
	number := t.number
	if number != "" {
		number = "#" + number
	}
	c.text(lettering{at: pt{50, 64}, size: 19, small: 13, width: width, weight: semiBold, fill: "#2a3142"}, set)
	first, second := extraBold.breakLine(t.subject, 24, width)
	if second == "" {
		c.text(lettering{at: pt{49, 99}, size: 36, small: 26, width: width, weight: extraBold, fill: "#0c101b"}, first)
	} else {
		c.text(lettering{at: pt{49, 85}, size: 22, small: 17, width: width, weight: extraBold, fill: "#0c101b"}, first)
		c.text(lettering{at: pt{49, 106}, size: 22, small: 17, width: width, weight: extraBold, fill: "#0c101b"}, second)
	}
	detail := number
	if t.variant != "" {
		detail += "  " + t.variant
	}
	c.text(lettering{at: pt{50, 124}, size: 17, small: 12, width: width, weight: semiBold, fill: accent}, detail)
	number = e.CertNumber
	if strings.HasPrefix(number, SampleCertificate) {
		number = "SAMPLE " + number
	}
	c.barcode(diceOf("bars"+e.CertNumber), number)
}

// SampleCertificate is the prefix of demo cards' certificate numbers; no grader issues such
// numbers.
const SampleCertificate = "0000"

func graderColor(grader string) string {
	switch grader {
	case "PSA":
		return "#c4161c"
	case "CGC":
		return "#0b4ea2"
	default:
		return "#4a5265"
	}
}

// gradeBox draws the right end of the label: the grade in words, the grade, the grader.
func (c *canvas) gradeBox(e Entry, t title, accent string) {
	c.rect(360, 40, 98, 106, 4, accent)
	words := t.verdict
	if words == "" {
		words = "GRADE"
	}
	c.text(lettering{at: pt{409, 58}, size: 15, small: 11, width: 90, weight: semiBold, anchor: "middle", fill: white}, words)
	grade := gradeText(e.Grade)
	c.text(lettering{at: pt{409, 119}, size: 66, small: 40, width: 90, weight: extraBold, anchor: "middle", fill: white, spacing: -2}, grade)
	c.text(lettering{at: pt{409, 140}, size: 17, small: 10, width: 90, weight: semiBold, anchor: "middle", fill: white, spacing: 2}, e.Grader)
}

// barcode draws a barcode derived from the certificate and the number beside it.
func (c *canvas) barcode(d dice, number string) {
	if number == "" {
		return
	}
	dashes := ""
	for range 9 {
		dashes += strconv.Itoa(1+d.below(4)) + " " + strconv.Itoa(1+d.below(3)) + " "
	}
	c.stroke("M50 138H186", "#10141f", 13, `stroke-dasharray="`+dashes+`"`)
	c.text(lettering{at: pt{196, 145}, size: 16, small: 10, width: 156, weight: semiBold, fill: "#2a3142"}, number)
}
