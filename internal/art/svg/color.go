package svg

import (
	"fmt"
	"strconv"
)

// Colors that many drawings share.
const (
	White = "#fff"
	Black = "#000"
	Ink   = "#0d1220"
	Gold  = "#f2c14e"
)

// Mix blends two colors, "#rrggbb" or "#rgb"; t is the share of the second.
func Mix(a, b string, t float64) string {
	x, y := RGB(a), RGB(b)
	var z [3]int
	for i := range z {
		z[i] = int(float64(x[i])*(1-t) + float64(y[i])*t + 0.5)
	}
	return fmt.Sprintf("#%02x%02x%02x", z[0], z[1], z[2])
}

// Lighter blends a color with white; t is the share of white.
func Lighter(a string, t float64) string { return Mix(a, White, t) }

// Darker blends a color with ink; t is the share of ink.
func Darker(a string, t float64) string { return Mix(a, Ink, t) }

// RGB returns the channels of a color, 0 to 255. It panics on anything but "#rrggbb" or "#rgb".
func RGB(a string) [3]int {
	if len(a) == 4 {
		a = "#" + a[1:2] + a[1:2] + a[2:3] + a[2:3] + a[3:4] + a[3:4]
	}
	n, err := strconv.ParseUint(a[1:], 16, 32)
	if err != nil {
		panic("not a color: " + a) // colors are constants of the program
	}
	return [3]int{int(n >> 16), int(n >> 8 & 255), int(n & 255)}
}
