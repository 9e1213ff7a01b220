package preview

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/math/f64"
	"golang.org/x/image/vector"

	"kaibao/internal/art/svg"
)

// The web app's dark theme (web/src/styles/tokens.css).
var (
	backgroundColor = rgb("#090b10")
	skyColor        = rgb("#26325c") // light from above
	textColor       = rgb("#f3f4f7")
	mutedColor      = rgb("#a7b0c0")
	goldColor       = rgb("#e5b85f")
	amberColor      = rgb("#d9822b") // gold as light: yellow would turn green on blue
	lightGoldColor  = rgb("#ffe3a3")
	goldTextColor   = rgb("#ecc272")
)

func rgb(hex string) color.RGBA {
	c := svg.RGB(hex)
	return color.RGBA{uint8(c[0]), uint8(c[1]), uint8(c[2]), 255}
}

// mix blends two opaque colors; t is the share of the second, limited to 0 to 1.
func mix(a, b color.RGBA, t float64) color.RGBA {
	t = min(max(t, 0), 1)
	blend := func(x, y uint8) uint8 { return uint8(float64(x)*(1-t) + float64(y)*t + 0.5) }
	return color.RGBA{blend(a.R, b.R), blend(a.G, b.G), blend(a.B, b.B), 255}
}

// light is a soft spot that brightens the background.
type light struct {
	x, y   float64
	rx, ry float64 // where it ends
	color  color.RGBA
	share  float64 // of its color in its center
}

// cell is the size of the squares at whose corners the background's color is computed. Between them
// it is interpolated.
const cell = 8

// newBackground returns a dark canvas with lights.
func newBackground(lights ...light) *image.RGBA {
	const columns, rows = Width/cell + 2, Height/cell + 2
	var grid [rows][columns][3]float64
	for row := range rows {
		for column := range columns {
			c := [3]float64{float64(backgroundColor.R), float64(backgroundColor.G), float64(backgroundColor.B)}
			for _, l := range lights {
				dx, dy := (float64(column*cell)-l.x)/l.rx, (float64(row*cell)-l.y)/l.ry
				fade := max(0, 1-math.Hypot(dx, dy))
				share := l.share * fade * fade * (3 - 2*fade)
				for n, channel := range [3]uint8{l.color.R, l.color.G, l.color.B} {
					c[n] += (float64(channel) - c[n]) * share
				}
			}
			grid[row][column] = c
		}
	}
	canvas := image.NewRGBA(image.Rect(0, 0, Width, Height))
	for y := range Height {
		row, v := y/cell, float64(y%cell)/cell
		for column := range (Width + cell - 1) / cell {
			var from, step [3]float64
			for n := range from {
				left := grid[row][column][n]*(1-v) + grid[row+1][column][n]*v
				right := grid[row][column+1][n]*(1-v) + grid[row+1][column+1][n]*v
				from[n], step[n] = left, (right-left)/cell
			}
			at := canvas.Pix[y*canvas.Stride+column*cell*4:]
			for x := range min(cell, Width-column*cell) {
				// Dithering would make the PNG a quarter larger.
				at[4*x] = uint8(from[0] + step[0]*float64(x) + 0.5)
				at[4*x+1] = uint8(from[1] + step[1]*float64(x) + 0.5)
				at[4*x+2] = uint8(from[2] + step[2]*float64(x) + 0.5)
				at[4*x+3] = 255
			}
		}
	}
	return canvas
}

// place is where a card lies: its center, its height and its rotation in degrees clockwise.
type place struct {
	x, y, height, angle float64
}

// transform returns the transformation from an image of a size to the picture.
func (p place) transform(size image.Point) f64.Aff3 {
	scale := p.height / float64(size.Y)
	sin, cos := math.Sincos(p.angle * math.Pi / 180)
	sin, cos = sin*scale, cos*scale
	cx, cy := float64(size.X)/2, float64(size.Y)/2
	return f64.Aff3{cos, -sin, p.x - cos*cx + sin*cy, sin, cos, p.y - sin*cx - cos*cy}
}

// drawCard draws a card with its shadow.
func drawCard(onto *image.RGBA, card *image.RGBA, p place) {
	drawShadow(onto, card.Rect.Size(), p)
	xdraw.ApproxBiLinear.Transform(onto, p.transform(card.Rect.Size()), card, card.Rect, draw.Over, nil)
}

const (
	// shadowScale is the size of a pixel of a shadow, which is blurred anyway.
	shadowScale = 4
	shadowBlur  = 7 // in pixels of the shadow
	shadowDrop  = 16
	shadowAlpha = 0.72
)

// drawShadow draws the soft shadow of a card.
func drawShadow(onto *image.RGBA, size image.Point, p place) {
	p.y += shadowDrop
	// The mask starts at a whole pixel, with space for the blur on all sides.
	const spread = 2*shadowBlur + 1
	small := f64.Aff3{}
	for n, v := range p.transform(size) {
		small[n] = v / shadowScale
	}
	w, h := float64(size.X), float64(size.Y)
	box, outline := polygon(small, point{0, 0}, point{w, 0}, point{w, h}, point{0, h}).mask()
	mask := image.NewAlpha(image.Rect(0, 0, box.Dx()+2*spread, box.Dy()+2*spread))
	draw.Draw(mask, outline.Rect.Add(image.Pt(spread, spread)), outline, image.Point{}, draw.Src)
	for range 2 {
		blur(mask)
	}
	box = box.Inset(-spread)
	darken(onto, mask, image.Rectangle{box.Min.Mul(shadowScale), box.Max.Mul(shadowScale)})
}

// blur replaces each pixel by the mean of its neighbors in its row and then in its column.
func blur(mask *image.Alpha) {
	w, h := mask.Rect.Dx(), mask.Rect.Dy()
	line := make([]uint8, max(w, h))
	for y := range h {
		blurLine(mask.Pix[y*mask.Stride:], 1, line[:w])
	}
	for x := range w {
		blurLine(mask.Pix[x:], mask.Stride, line[:h])
	}
}

// blurLine blurs the pixels at each multiple of step. line is as long, for a copy.
func blurLine(pix []uint8, step int, line []uint8) {
	sum := 0
	for n := range line {
		line[n] = pix[n*step]
		if n < shadowBlur {
			sum += int(line[n])
		}
	}
	for n := range line {
		if n+shadowBlur < len(line) {
			sum += int(line[n+shadowBlur])
		}
		if n > shadowBlur {
			sum -= int(line[n-shadowBlur-1])
		}
		pix[n*step] = uint8(sum / (2*shadowBlur + 1))
	}
}

// darken draws black through a mask of lower resolution that covers a box.
func darken(onto *image.RGBA, mask *image.Alpha, box image.Rectangle) {
	part := box.Intersect(onto.Rect)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		row, v := (y-box.Min.Y)/shadowScale, (y-box.Min.Y)%shadowScale
		if row+1 >= mask.Rect.Dy() {
			return
		}
		upper, lower := mask.Pix[row*mask.Stride:], mask.Pix[(row+1)*mask.Stride:]
		for x := part.Min.X; x < part.Max.X; x++ {
			column, u := (x-box.Min.X)/shadowScale, (x-box.Min.X)%shadowScale
			if column+1 >= mask.Rect.Dx() {
				break
			}
			left := int(upper[column])*(shadowScale-v) + int(lower[column])*v
			right := int(upper[column+1])*(shadowScale-v) + int(lower[column+1])*v
			alpha := left*(shadowScale-u) + right*u // 255 × shadowScale²
			if alpha == 0 {
				continue
			}
			keep := 65536 - int(float64(alpha)*(shadowAlpha*65536/(255*shadowScale*shadowScale)))
			pix := onto.Pix[y*onto.Stride+4*x:]
			for n := range 3 {
				pix[n] = uint8(int(pix[n]) * keep >> 16)
			}
		}
	}
}

// paint is a color, or a vertical gradient between two heights.
type paint struct {
	from, to    color.RGBA // premultiplied
	top, bottom int
}

func solid(c color.RGBA) paint { return paint{from: c, to: c, bottom: 1} }

func gradient(from, to color.RGBA, top, bottom int) paint { return paint{from, to, top, bottom} }

func (p paint) at(y int) color.RGBA {
	if p.from == p.to {
		return p.from
	}
	return mix(p.from, p.to, float64(y-p.top)/float64(p.bottom-p.top))
}

// blend paints through a mask whose pixel at origin lies at the upper left of a box.
func blend(onto *image.RGBA, box image.Rectangle, mask *image.Alpha, origin image.Point, p paint) {
	part := box.Intersect(onto.Rect)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		c := p.at(y)
		channels := [4]uint32{uint32(c.R), uint32(c.G), uint32(c.B), uint32(c.A)}
		covers := mask.Pix[mask.PixOffset(part.Min.X-box.Min.X+origin.X, y-box.Min.Y+origin.Y):]
		pix := onto.Pix[onto.PixOffset(part.Min.X, y):]
		for x := range part.Dx() {
			cover := uint32(covers[x])
			if cover == 0 {
				continue
			}
			keep := 255*255 - cover*channels[3]
			for n := range 4 {
				at := 4*x + n
				pix[at] = uint8((uint32(pix[at])*keep + 255*cover*channels[n] + 255*255/2) / (255 * 255))
			}
		}
	}
}

// fill fills a shape.
func fill(onto *image.RGBA, p paint, s shape) {
	box, mask := s.mask()
	blend(onto, box, mask, image.Point{}, p)
}

// shape is a closed path in pixels. A segment has one point if it is a line, and three if it is a
// cubic curve.
type shape [][]point

type point struct{ x, y float64 }

// mask returns the area that a shape covers, and where it lies.
func (s shape) mask() (image.Rectangle, *image.Alpha) {
	box := image.Rectangle{Min: image.Pt(math.MaxInt32, math.MaxInt32), Max: image.Pt(math.MinInt32, math.MinInt32)}
	for _, segment := range s {
		for _, p := range segment {
			box.Min.X, box.Min.Y = min(box.Min.X, int(math.Floor(p.x))), min(box.Min.Y, int(math.Floor(p.y)))
			box.Max.X, box.Max.Y = max(box.Max.X, int(math.Ceil(p.x))), max(box.Max.Y, int(math.Ceil(p.y)))
		}
	}
	r := vector.NewRasterizer(box.Dx(), box.Dy())
	for n, segment := range s {
		var at [6]float32
		for i, p := range segment {
			at[2*i], at[2*i+1] = float32(p.x-float64(box.Min.X)), float32(p.y-float64(box.Min.Y))
		}
		switch {
		case n == 0:
			r.MoveTo(at[0], at[1])
		case len(segment) == 1:
			r.LineTo(at[0], at[1])
		default:
			r.CubeTo(at[0], at[1], at[2], at[3], at[4], at[5])
		}
	}
	r.ClosePath()
	mask := image.NewAlpha(image.Rect(0, 0, box.Dx(), box.Dy()))
	r.DrawOp = draw.Src
	r.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	return box, mask
}

func apply(m f64.Aff3, x, y float64) point {
	return point{m[0]*x + m[1]*y + m[2], m[3]*x + m[4]*y + m[5]}
}

// polygon returns a transformed polygon.
func polygon(m f64.Aff3, points ...point) shape {
	var s shape
	for _, p := range points {
		s = append(s, []point{apply(m, p.x, p.y)})
	}
	return s
}

// roundedRect returns a transformed rectangle with rounded corners.
func roundedRect(m f64.Aff3, x, y, w, h, radius float64) shape {
	var s shape
	add := func(coordinates ...float64) {
		var segment []point
		for n := 0; n < len(coordinates); n += 2 {
			segment = append(segment, apply(m, coordinates[n], coordinates[n+1]))
		}
		s = append(s, segment)
	}
	// A cubic curve with this share of the radius is nearly a quarter of a circle.
	k := radius * (1 - 0.5523)
	right, bottom := x+w, y+h
	add(x+radius, y)
	add(right-radius, y)
	add(right-k, y, right, y+k, right, y+radius)
	add(right, bottom-radius)
	add(right, bottom-k, right-k, bottom, right-radius, bottom)
	add(x+radius, bottom)
	add(x+k, bottom, x, bottom-k, x, bottom-radius)
	add(x, y+radius)
	add(x, y+k, x+k, y, x+radius, y)
	return s
}

var identity = f64.Aff3{1, 0, 0, 0, 1, 0}
