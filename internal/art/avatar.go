package art

import (
	"kaibao/internal/art/scenes"
	"kaibao/internal/art/svg"
)

// DrawAvatar draws a small picture of a wallet address, 64 by 64: a mosaic mirrored left to right,
// like a face.
func DrawAvatar(address string) []byte {
	c := new(svg.Canvas)
	rnd := svg.NewRandom("avatar" + address)
	palette := svg.Choose(rnd, scenes.TeamPalettes)
	c.LinearGradient("bg", 0, 0, 1, 1, svg.EvenStops(palette.Mid, palette.Deep)...)
	c.Rect(0, 0, 64, 64, 0, c.Ref("bg"))
	light, dark := new(svg.Path), new(svg.Path)
	for row := range 6 {
		for column := range 3 {
			if rnd.IntN(5) < 2 {
				continue
			}
			p := svg.Choose(rnd, []*svg.Path{light, light, dark})
			kind := rnd.IntN(3)
			x, y := 8+8*float64(column), 8+8*float64(row)
			drawTile(p, x, y, kind, false)
			drawTile(p, 56-8*float64(column)-8, y, kind, true)
		}
	}
	c.Shape(light.String(), palette.Light)
	c.Shape(dark.String(), palette.Trim)
	return c.Document(64, 64, "")
}

// drawTile draws a square of 8, or half of one; its mirror image is the other half.
func drawTile(p *svg.Path, x, y float64, kind int, mirror bool) {
	corners := []svg.Point{{x, y}, {x + 8, y}, {x + 8, y + 8}, {x, y + 8}}
	if mirror {
		corners = []svg.Point{{x + 8, y}, {x, y}, {x, y + 8}, {x + 8, y + 8}}
	}
	switch kind {
	case 1:
		corners = []svg.Point{corners[0], corners[1], corners[2]}
	case 2:
		corners = []svg.Point{corners[1], corners[2], corners[3]}
	}
	p.Op('M', corners[0]).Op('L', corners[1:]...).Close()
}
