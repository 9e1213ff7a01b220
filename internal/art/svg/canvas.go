// Package svg draws shapes and text as SVG. A drawing is self-contained: it needs no font, script
// or image. Coordinates are rounded, which keeps drawings small.
package svg

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Canvas collects the elements of one drawing. The zero value is ready to use. Ids get IDPrefix, so
// that drawings can be nested.
type Canvas struct {
	IDPrefix string
	elements strings.Builder
}

// Raw writes markup unescaped, with arguments as in fmt.Sprintf. Text from outside must go through
// Text.
func (c *Canvas) Raw(format string, args ...any) {
	fmt.Fprintf(&c.elements, format, args...)
}

// ID returns a name with this drawing's prefix.
func (c *Canvas) ID(name string) string { return c.IDPrefix + name }

// Ref returns a paint that refers to a gradient or pattern of this drawing.
func (c *Canvas) Ref(name string) string { return "url(#" + c.IDPrefix + name + ")" }

// Shape draws path data with a fill. attrs are further attributes, written unescaped.
func (c *Canvas) Shape(d, fill string, attrs ...string) {
	c.Raw(`<path d="%s" fill="%s"`, d, fill)
	c.endElement(attrs)
}

// Stroke draws path data as a line without a fill.
func (c *Canvas) Stroke(d, paint string, width float64, attrs ...string) {
	c.Raw(`<path d="%s" fill="none" stroke="%s" stroke-width="%s"`, d, paint, Format1(width))
	c.endElement(attrs)
}

// Circle draws a filled circle around a point.
func (c *Canvas) Circle(at Point, r float64, fill string, attrs ...string) {
	c.Raw(`<circle cx="%s" cy="%s" r="%s" fill="%s"`, Format1(at[0]), Format1(at[1]), Format1(r), fill)
	c.endElement(attrs)
}

// Ellipse draws a filled ellipse around a point.
func (c *Canvas) Ellipse(at Point, rx, ry float64, fill string, attrs ...string) {
	c.Raw(`<ellipse cx="%s" cy="%s" rx="%s" ry="%s" fill="%s"`, Format1(at[0]), Format1(at[1]), Format1(rx), Format1(ry), fill)
	c.endElement(attrs)
}

// Rect draws a filled rectangle from its top left corner, with rounded corners if radius isn't 0.
func (c *Canvas) Rect(x, y, w, h, radius float64, fill string, attrs ...string) {
	c.Raw(`<rect x="%s" y="%s" width="%s" height="%s"`, Format1(x), Format1(y), Format1(w), Format1(h))
	if radius > 0 {
		c.Raw(` rx="%s"`, Format1(radius))
	}
	c.Raw(` fill="%s"`, fill)
	c.endElement(attrs)
}

// endElement writes further attributes and ends an element without content.
func (c *Canvas) endElement(attrs []string) {
	for _, a := range attrs {
		c.elements.WriteByte(' ')
		c.elements.WriteString(a)
	}
	c.elements.WriteString("/>")
}

// Group draws the elements of inside within a g element with the given attributes.
func (c *Canvas) Group(attrs string, inside func()) {
	c.Raw("<g %s>", attrs)
	inside()
	c.Raw("</g>")
}

// Clip draws the elements of inside, clipped to path data.
func (c *Canvas) Clip(name, d string, inside func()) {
	c.Raw(`<clipPath id="%s"><path d="%s"/></clipPath>`, c.ID(name), d)
	c.Group(`clip-path="`+c.Ref(name)+`"`, inside)
}

// ClipTo draws the elements of inside, clipped to an earlier shape with an id.
func (c *Canvas) ClipTo(shape string, inside func()) {
	c.Raw(`<clipPath id="%s"><use href="#%s"/></clipPath>`, c.ID(shape+"c"), c.ID(shape))
	c.Group(`clip-path="`+c.Ref(shape+"c")+`"`, inside)
}

// ColorStop is one color of a gradient, at 0 to 1, with its opacity.
type ColorStop struct {
	at      float64
	color   string
	opacity float64
}

// LinearGradient defines a gradient between two points of the painted shape's bounding box (0 to
// 1).
func (c *Canvas) LinearGradient(name string, x1, y1, x2, y2 float64, stops ...ColorStop) {
	c.Raw(`<linearGradient id="%s" x1="%s" y1="%s" x2="%s" y2="%s">`, c.ID(name), Format2(x1), Format2(y1), Format2(x2), Format2(y2))
	c.Stops(stops)
	c.Raw("</linearGradient>")
}

// RadialGradient defines a gradient around a point of the painted shape's bounding box (0 to 1).
func (c *Canvas) RadialGradient(name string, x, y, r float64, stops ...ColorStop) {
	c.Raw(`<radialGradient id="%s" cx="%s" cy="%s" r="%s">`, c.ID(name), Format2(x), Format2(y), Format2(r))
	c.Stops(stops)
	c.Raw("</radialGradient>")
}

// Stops writes the stops of a gradient whose element was written with Raw.
func (c *Canvas) Stops(stops []ColorStop) {
	for _, s := range stops {
		c.Raw(`<stop offset="%s" stop-color="%s"`, Format2(s.at), s.color)
		if s.opacity < 1 {
			c.Raw(` stop-opacity="%s"`, Format2(s.opacity))
		}
		c.Raw("/>")
	}
}

// Stop returns a color of a gradient: at runs from 0 to 1, and so does the opacity.
func Stop(at float64, color string, opacity float64) ColorStop { return ColorStop{at, color, opacity} }

// EvenStops returns evenly spaced stops of opaque colors.
func EvenStops(colors ...string) []ColorStop {
	stops := make([]ColorStop, len(colors))
	for i, color := range colors {
		stops[i] = ColorStop{float64(i) / float64(max(1, len(colors)-1)), color, 1}
	}
	return stops
}

// Document returns the elements drawn so far as a complete SVG.
func (c *Canvas) Document(w, h int, title string) []byte {
	head := `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ` + strconv.Itoa(w) + " " + strconv.Itoa(h) +
		`">`
	if title != "" {
		head += "<title>" + escape(title) + "</title>"
	}
	return []byte(head + c.elements.String() + "</svg>")
}

// String returns the elements drawn so far.
func (c *Canvas) String() string { return c.elements.String() }

// RoundCaps is the attribute for lines with round ends.
const RoundCaps = `stroke-linecap="round"`

// Format1 formats a coordinate with at most one decimal: a tenth of a unit is finer than any screen
// shows.
func Format1(f float64) string { return format(f, 1) }

// Format0 formats a number without decimals.
func Format0(f float64) string {
	return strconv.Itoa(int(math.Round(f)))
}

// Format2 formats a number with at most two decimals.
func Format2(f float64) string { return format(f, 2) }

func format(f float64, places int) string {
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
