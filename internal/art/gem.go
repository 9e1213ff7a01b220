package art

// gem draws the subject of a card of no known category: a cut stone.
func (c *canvas) gem(d dice, tone tones) {
	h := one(d, teams)
	c.ground(d, h, tone)
	c.cutout(`transform="translate(250 420)"`, tone, func() {
		c.shape("M-110-130H110L170-40 0 190-170-40z", h.main)
		c.shape("M-110-130L-170-40H-70zM110-130L170-40H70zM-70-40H70L0 190z", lighter(h.main, 0.35))
		c.shape("M-70-40L0-130 70-40zM-170-40H-70L0 190z", lighter(h.main, 0.6))
		c.stroke("M-170-40H170M-110-130L-70-40 0-130 70-40 110-130M-70-40L0 190 70-40", white, 4, `stroke-linejoin="round"`)
	})
}
