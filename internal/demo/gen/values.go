package main

import (
	"math"
	"math/rand/v2"
)

// band is a range of values [low, high) in cents and its share of a series. Values are spread
// around the mean; with the packs' weights, the means bring a pack's expected value near its price.
type band struct {
	rarity    string
	low, high int64
	mean      int64
	share     float64
}

// seriesBands are the value bands of the specification's section 5, cheapest first, plus a few
// cards below and above them.
var seriesBands = []band{
	{"Common", 99, 500, 320, 0.04},
	{"Common", 500, 1500, 920, 0.21},
	{"Common", 1500, 2500, 1900, 0.23},
	{"Rare", 2500, 5000, 3350, 0.22},
	{"Epic", 5000, 10000, 6800, 0.14},
	{"Legendary", 10000, 20000, 13500, 0.08},
	{"Mythic", 20000, 40000, 27000, 0.045},
	{"Mythic", 40000, 300000, 95000, 0.035},
}

// starterBands are the value bands of the five-card demo packs.
var starterBands = []band{
	{"Common", 99, 330, 215, 0.4},
	{"Rare", 360, 560, 460, 0.275},
	{"Epic", 750, 1250, 1000, 0.175},
	{"Legendary", 2000, 3000, 2500, 0.1},
	{"Mythic", 4200, 5000, 4600, 0.05},
}

// counts distributes n items over the bands in proportion to their shares. Every band gets at least
// one; the band with the largest share takes the rounding difference.
func counts(bands []band, n int) []int {
	parts := make([]int, len(bands))
	fullest, rest := 0, n
	for i, b := range bands {
		parts[i] = max(1, int(math.Round(b.share*float64(n))))
		rest -= parts[i]
		if b.share > bands[fullest].share {
			fullest = i
		}
	}
	parts[fullest] += rest
	return parts
}

// value returns the value of the i-th of n items in the band, from the cheapest. A power curve
// through the band yields the mean; noise prevents even spacing. The inner conversion to float64
// prevents fused multiply-add, so that all processors compute the same cents.
func (b band) value(r *rand.Rand, i, n int) int64 {
	width := float64(b.high - b.low)
	power := width/float64(b.mean-b.low) - 1
	step := (float64(i) + 0.2 + float64(0.6*r.Float64())) / float64(n)
	return b.low + int64(width*math.Pow(step, power))
}
