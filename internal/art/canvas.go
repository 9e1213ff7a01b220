package art

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// canvas collects the elements of one drawing. Ids get a prefix, so that drawings can be nested.
type canvas struct {
	b      strings.Builder
	prefix string
}

// raw writes markup unescaped, with arguments as in fmt.Sprintf. Text from outside must go through
// text or escape.
func (c *canvas) raw(format string, args ...any) {
	fmt.Fprintf(&c.b, format, args...)
}

// id returns a name with this drawing's prefix.
func (c *canvas) id(name string) string { return c.prefix + name }

// ref returns a paint that refers to a gradient or pattern of this drawing.
func (c *canvas) ref(name string) string { return "url(#" + c.prefix + name + ")" }

// shape draws path data with a fill. attrs are further attributes, written unescaped.
func (c *canvas) shape(d, fill string, attrs ...string) {
	c.raw(`<path d="%s" fill="%s"`, d, fill)
	c.end(attrs)
}

// stroke draws path data as a line without a fill.
func (c *canvas) stroke(d, paint string, width float64, attrs ...string) {
	c.raw(`<path d="%s" fill="none" stroke="%s" stroke-width="%s"`, d, paint, num(width))
	c.end(attrs)
}

func (c *canvas) circle(at pt, r float64, fill string, attrs ...string) {
	c.raw(`<circle cx="%s" cy="%s" r="%s" fill="%s"`, num(at.x), num(at.y), num(r), fill)
	c.end(attrs)
}

func (c *canvas) ellipse(at pt, rx, ry float64, fill string, attrs ...string) {
	c.raw(`<ellipse cx="%s" cy="%s" rx="%s" ry="%s" fill="%s"`, num(at.x), num(at.y), num(rx), num(ry), fill)
	c.end(attrs)
}

func (c *canvas) rect(x, y, w, h, radius float64, fill string, attrs ...string) {
	c.raw(`<rect x="%s" y="%s" width="%s" height="%s"`, num(x), num(y), num(w), num(h))
	if radius > 0 {
		c.raw(` rx="%s"`, num(radius))
	}
	c.raw(` fill="%s"`, fill)
	c.end(attrs)
}

func (c *canvas) end(attrs []string) {
	for _, a := range attrs {
		c.b.WriteByte(' ')
		c.b.WriteString(a)
	}
	c.b.WriteString("/>")
}

// group draws the elements of inside within a g element with the given attributes.
func (c *canvas) group(attrs string, inside func()) {
	c.raw("<g %s>", attrs)
	inside()
	c.raw("</g>")
}

// clip draws the elements of inside, clipped to path data.
func (c *canvas) clip(name, d string, inside func()) {
	c.raw(`<clipPath id="%s"><path d="%s"/></clipPath>`, c.id(name), d)
	c.group(`clip-path="`+c.ref(name)+`"`, inside)
}

// clipTo draws the elements of inside, clipped to an earlier shape with an id.
func (c *canvas) clipTo(shape string, inside func()) {
	c.raw(`<clipPath id="%s"><use href="#%s"/></clipPath>`, c.id(shape+"c"), c.id(shape))
	c.group(`clip-path="`+c.ref(shape+"c")+`"`, inside)
}

// stop is one color of a gradient, at 0 to 1, with its opacity.
type stop struct {
	at      float64
	color   string
	opacity float64
}

// linear defines a gradient between two points of the painted shape's bounding box (0 to 1).
func (c *canvas) linear(name string, x1, y1, x2, y2 float64, stops ...stop) {
	c.raw(`<linearGradient id="%s" x1="%s" y1="%s" x2="%s" y2="%s">`, c.id(name), num2(x1), num2(y1), num2(x2), num2(y2))
	c.stops(stops)
	c.raw("</linearGradient>")
}

// radial defines a gradient around a point of the painted shape's bounding box (0 to 1).
func (c *canvas) radial(name string, x, y, r float64, stops ...stop) {
	c.raw(`<radialGradient id="%s" cx="%s" cy="%s" r="%s">`, c.id(name), num2(x), num2(y), num2(r))
	c.stops(stops)
	c.raw("</radialGradient>")
}

func (c *canvas) stops(stops []stop) {
	for _, s := range stops {
		c.raw(`<stop offset="%s" stop-color="%s"`, num2(s.at), s.color)
		if s.opacity < 1 {
			c.raw(` stop-opacity="%s"`, num2(s.opacity))
		}
		c.raw("/>")
	}
}

// shades returns evenly spaced stops of opaque colors.
func shades(colors ...string) []stop {
	stops := make([]stop, len(colors))
	for i, color := range colors {
		stops[i] = stop{float64(i) / float64(max(1, len(colors)-1)), color, 1}
	}
	return stops
}

// num formats a coordinate with at most one decimal: a tenth of a unit is finer than any screen
// shows.
func num(f float64) string { return decimals(f, 1) }

// whole formats a number without decimals.
func whole(f float64) string {
	return strconv.Itoa(int(math.Round(f)))
}

func num2(f float64) string { return decimals(f, 2) }

func decimals(f float64, places int) string {
	s := strconv.FormatFloat(f, 'f', places, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	switch {
	case s == "" || s == "-0" || s == "-":
		return "0"
	case strings.HasPrefix(s, "0."):
		return s[1:]
	case strings.HasPrefix(s, "-0."):
		return "-" + s[2:]
	}
	return s
}
