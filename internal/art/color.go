package art

import (
	"fmt"
	"strconv"
)

const (
	white = "#fff"
	black = "#000"
	ink   = "#0d1220"
	gold  = "#f2c14e"
)

// mix blends two colors, "#rrggbb" or "#rgb"; t is the share of the second.
func mix(a, b string, t float64) string {
	x, y := rgb(a), rgb(b)
	var z [3]int
	for i := range z {
		z[i] = int(float64(x[i])*(1-t) + float64(y[i])*t + 0.5)
	}
	return fmt.Sprintf("#%02x%02x%02x", z[0], z[1], z[2])
}

func lighter(a string, t float64) string { return mix(a, white, t) }
func darker(a string, t float64) string  { return mix(a, ink, t) }

func rgb(a string) [3]int {
	if len(a) == 4 {
		a = "#" + a[1:2] + a[1:2] + a[2:3] + a[2:3] + a[3:4] + a[3:4]
	}
	n, err := strconv.ParseUint(a[1:], 16, 32)
	if err != nil {
		panic("not a colour: " + a) // colors are constants of this package
	}
	return [3]int{int(n >> 16), int(n >> 8 & 255), int(n & 255)}
}

// tones are the colors of a rarity: its edge from light to dark, and its glow.
type tones struct {
	light, base, deep string
	level             int // 0 for the least rare to 4
}

// rarityTones has the rarities of cards and toys. Unknown ones look Common.
func rarityTones(rarity string) tones {
	switch rarity {
	case "Rare":
		return tones{"#a9d2ff", "#3d8bff", "#12397d", 1}
	case "Epic":
		return tones{"#dcc0ff", "#9a5cff", "#3d1a80", 2}
	case "Legendary":
		return tones{"#fff1b8", "#f0b429", "#7a4a06", 3}
	case "Mythic", "Grail":
		return tones{"#ffc4f1", "#e23fc0", "#5a1d9e", 4}
	default:
		return tones{"#d3dbe6", "#8494a8", "#38434f", 0}
	}
}
