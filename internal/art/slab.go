package art

import (
	"strconv"
	"strings"

	"kaibao/internal/art/scenes"
	"kaibao/internal/art/svg"
)

// drawSlab draws a graded card: a clear case, the grader's label on top, the card in its well.
func drawSlab(c *svg.Canvas, item Item) {
	rarity := scenes.RarityColorsOf(item.Rarity)
	t := TitleOf(item.Name)
	drawCaseBack(c, rarity)
	drawLabel(c, item, t)
	drawCard(c, item, t, rarity)
	drawCaseFront(c, rarity)
}

// drawCaseBack draws the acrylic behind the card. It is half transparent, so that it suits dark and
// light backgrounds.
func drawCaseBack(c *svg.Canvas, rarity scenes.RarityColors) {
	c.LinearGradient("case", 0, 0, 1, 1, svg.Stop(0, "#eef4ff", 0.62), svg.Stop(0.35, "#aebbd0", 0.4), svg.Stop(0.7, "#7f8ca3", 0.42), svg.Stop(1, "#dfe8f8", 0.55))
	c.LinearGradient("well", 0, 0, 0, 1, svg.Stop(0, rarity.Deep, 0.92), svg.Stop(1, svg.Ink, 0.95))
	c.LinearGradient("edge", 0, 0, 1, 1, svg.EvenStops(rarity.Light, rarity.Base, rarity.Deep, rarity.Base, rarity.Light)...)
	c.Rect(3, 3, 494, 814, 30, c.Ref("case"), `stroke="#1a2234"`, `stroke-opacity=".35"`, `stroke-width="2"`)
	c.Rect(7, 7, 486, 806, 27, "none", `stroke="#fff"`, `stroke-opacity=".75"`, `stroke-width="2.5"`)
	c.Rect(22, 20, 456, 780, 18, c.Ref("well"))
	c.Rect(22, 20, 456, 780, 18, "none", `stroke="`+rarity.Light+`"`, `stroke-opacity=".4"`, `stroke-width="1.5"`)
	if rarity.Level > 0 {
		c.RadialGradient("glow", 0.5, 0.5, 0.5, svg.Stop(0.55, rarity.Base, 0.75), svg.Stop(1, rarity.Base, 0))
		c.Ellipse(svg.Point{250, 476}, 250, 350, c.Ref("glow"), `opacity=".8"`)
	}
}

// drawCaseFront draws the parts above the card: the ridge under the label, the posts, the light on
// the surface.
func drawCaseFront(c *svg.Canvas, rarity scenes.RarityColors) {
	c.Rect(22, 162, 456, 8, 0, svg.White, `opacity=".22"`)
	c.Rect(22, 170, 456, 3, 0, svg.Black, `opacity=".35"`)
	c.Shape("M20 3H150L22 420V60z", svg.White, `opacity=".1"`)
	c.Shape("M330 817L497 330V470L385 817z", svg.White, `opacity=".08"`)
	c.Stroke("M30 9.500H470", svg.White, 3, `opacity=".8"`, svg.RoundCaps)
	c.Stroke("M12 40V780", svg.White, 3, `opacity=".45"`, svg.RoundCaps)
	c.Stroke("M488 60V770", rarity.Light, 2.5, `opacity=".55"`, svg.RoundCaps)
	c.Text(svg.TextStyle{At: svg.Point{250, 788}, Size: 15, Weight: svg.SemiBold, Anchor: "middle", Fill: rarity.Light, Spacing: 7}, "KAIBAO")
}

// drawLabel draws the grader's label.
func drawLabel(c *svg.Canvas, item Item, t Title) {
	accent := graderColor(item.Grader)
	c.Rect(34, 32, 432, 122, 9, "#fbf9f3")
	c.Rect(38, 36, 424, 114, 6, "none", `stroke="`+accent+`"`, `stroke-width="4"`)
	width := 404.0
	if item.Grade > 0 {
		drawGradeBox(c, item, t, accent)
		width = 298
	}
	set := t.Set
	if t.Year != "" {
		set = t.Year + " " + set
	}
	number := t.Number
	if number != "" {
		number = "#" + number
	}
	c.Text(svg.TextStyle{At: svg.Point{50, 64}, Size: 19, MinSize: 13, MaxWidth: width, Weight: svg.SemiBold, Fill: "#2a3142"}, set)
	first, second := svg.ExtraBold.BreakLine(t.Subject, 24, width)
	if second == "" {
		c.Text(svg.TextStyle{At: svg.Point{49, 99}, Size: 36, MinSize: 26, MaxWidth: width, Weight: svg.ExtraBold, Fill: "#0c101b"}, first)
	} else {
		c.Text(svg.TextStyle{At: svg.Point{49, 85}, Size: 22, MinSize: 17, MaxWidth: width, Weight: svg.ExtraBold, Fill: "#0c101b"}, first)
		c.Text(svg.TextStyle{At: svg.Point{49, 106}, Size: 22, MinSize: 17, MaxWidth: width, Weight: svg.ExtraBold, Fill: "#0c101b"}, second)
	}
	detail := number
	if t.Variant != "" {
		detail += "  " + t.Variant
	}
	c.Text(svg.TextStyle{At: svg.Point{50, 124}, Size: 17, MinSize: 12, MaxWidth: width, Weight: svg.SemiBold, Fill: accent}, detail)
	number = item.CertNumber
	if strings.HasPrefix(number, SampleCertificate) {
		number = "SAMPLE " + number
	}
	drawBarcode(c, svg.NewRandom("bars"+item.CertNumber), number)
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

// drawGradeBox draws the right end of the label: the grade in words, the grade, the grader.
func drawGradeBox(c *svg.Canvas, item Item, t Title, accent string) {
	c.Rect(360, 40, 98, 106, 4, accent)
	words := t.Verdict
	if words == "" {
		words = "GRADE"
	}
	c.Text(svg.TextStyle{At: svg.Point{409, 58}, Size: 15, MinSize: 11, MaxWidth: 90, Weight: svg.SemiBold, Anchor: "middle", Fill: svg.White}, words)
	grade := GradeText(item.Grade)
	c.Text(svg.TextStyle{At: svg.Point{409, 119}, Size: 66, MinSize: 40, MaxWidth: 90, Weight: svg.ExtraBold, Anchor: "middle", Fill: svg.White, Spacing: -2}, grade)
	c.Text(svg.TextStyle{At: svg.Point{409, 140}, Size: 17, MinSize: 10, MaxWidth: 90, Weight: svg.SemiBold, Anchor: "middle", Fill: svg.White, Spacing: 2}, item.Grader)
}

// drawBarcode draws a barcode derived from the certificate and the number beside it.
func drawBarcode(c *svg.Canvas, rnd svg.Random, number string) {
	if number == "" {
		return
	}
	dashes := ""
	for range 9 {
		dashes += strconv.Itoa(1+rnd.IntN(4)) + " " + strconv.Itoa(1+rnd.IntN(3)) + " "
	}
	c.Stroke("M50 138H186", "#10141f", 13, `stroke-dasharray="`+dashes+`"`)
	c.Text(svg.TextStyle{At: svg.Point{196, 145}, Size: 16, MinSize: 10, MaxWidth: 156, Weight: svg.SemiBold, Fill: "#2a3142"}, number)
}
