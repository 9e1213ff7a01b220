package art

// Avatar draws a small picture of a wallet address, 64 by 64: a mosaic mirrored left to right, like a face.
func Avatar(address string) []byte {
	c := new(canvas)
	d := diceOf("avatar" + address)
	h := one(d, teams)
	c.linear("bg", 0, 0, 1, 1, shades(h.mid, h.deep)...)
	c.rect(0, 0, 64, 64, 0, c.ref("bg"))
	light, dark := new(pen), new(pen)
	for row := range 6 {
		for column := range 3 {
			if d.below(5) < 2 {
				continue
			}
			p := one(d, []*pen{light, light, dark})
			kind := d.below(3)
			x, y := 8+8*float64(column), 8+8*float64(row)
			p.tile(x, y, kind, false)
			p.tile(56-8*float64(column)-8, y, kind, true)
		}
	}
	c.shape(light.String(), h.light)
	c.shape(dark.String(), h.trim)
	return c.document(64, 64, "")
}

// tile draws a square of 8, or half of one; its mirror image is the other half.
func (p *pen) tile(x, y float64, kind int, mirror bool) {
	corners := []pt{{x, y}, {x + 8, y}, {x + 8, y + 8}, {x, y + 8}}
	if mirror {
		corners = []pt{{x + 8, y}, {x, y}, {x, y + 8}, {x + 8, y + 8}}
	}
	switch kind {
	case 1:
		corners = []pt{corners[0], corners[1], corners[2]}
	case 2:
		corners = []pt{corners[1], corners[2], corners[3]}
	}
	p.op('M', corners[0]).op('L', corners[1:]...).close()
}
