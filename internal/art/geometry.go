package art

import (
	"math"
	"strconv"
	"strings"
)

// pt is a point or a vector. y grows downwards, as in SVG.
type pt struct{ x, y float64 }

func (a pt) add(b pt) pt             { return pt{a.x + b.x, a.y + b.y} }
func (a pt) sub(b pt) pt             { return pt{a.x - b.x, a.y - b.y} }
func (a pt) scale(k float64) pt      { return pt{a.x * k, a.y * k} }
func (a pt) to(b pt, t float64) pt   { return pt{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t} }
func (a pt) dist(b pt) float64       { return math.Hypot(a.x-b.x, a.y-b.y) }
func (a pt) polar(r, deg float64) pt { return a.add(around(r, deg)) }

// around returns the vector of a length and a direction in degrees, clockwise from the right.
func around(r, deg float64) pt {
	s, c := math.Sincos(deg * math.Pi / 180)
	return pt{r * c, r * s}
}

// angle returns the direction from a to b in degrees.
func (a pt) angle(b pt) float64 { return math.Atan2(b.y-a.y, b.x-a.x) * 180 / math.Pi }

// unit returns the vector of length 1 in the same direction. The zero vector is returned unchanged.
func (a pt) unit() pt {
	l := math.Hypot(a.x, a.y)
	if l == 0 {
		return a
	}
	return a.scale(1 / l)
}

// normal returns the vector rotated by 90 degrees.
func (a pt) normal() pt { return pt{-a.y, a.x} }

// pen converts absolute points to path data with relative commands in whole units, which keeps
// drawings small. The rounding is invisible at their sizes.
type pen struct {
	b         strings.Builder
	at, start [2]int // the rounded current point, and the start of its subpath
	control   [2]int // of the last quadratic curve
	last      byte
}

// op writes a command for each segment of the points: M, L and T take one point, Q two, C three.
// Further points of an M are joined by lines.
func (p *pen) op(letter byte, points ...pt) *pen {
	size := 1
	switch letter {
	case 'Q':
		size = 2
	case 'C':
		size = 3
	}
	for i, q := range points {
		if i%size == 0 {
			p.command(letter, i == 0)
		}
		x, y := int(math.Round(q.x)), int(math.Round(q.y))
		p.number(x - p.at[0])
		p.number(y - p.at[1])
		if i%size == size-1 {
			p.at = [2]int{x, y}
		}
		if letter == 'M' && i == 0 {
			p.start = p.at
		}
	}
	return p
}

// quad draws a quadratic curve. It omits the control point if the reflected one of the previous
// curve is less than a unit away.
func (p *pen) quad(control, to pt) {
	mirrored := [2]int{2*p.at[0] - p.control[0], 2*p.at[1] - p.control[1]}
	if (p.last == 'q' || p.last == 't') && math.Abs(control.x-float64(mirrored[0])) < 1 && math.Abs(control.y-float64(mirrored[1])) < 1 {
		p.op('T', to)
		p.control = mirrored
		return
	}
	p.op('Q', control, to)
	p.control = [2]int{int(math.Round(control.x)), int(math.Round(control.y))}
}

// command writes a letter unless it is implied by the previous command.
func (p *pen) command(letter byte, first bool) {
	lower := letter | 0x20
	if letter == 'M' && !first {
		lower = 'l'
	}
	if lower != 'm' && lower == p.last {
		return
	}
	if p.b.Len() == 0 {
		lower = letter // the first M is absolute, so that paths can be concatenated
	}
	p.b.WriteByte(lower)
	p.last = lower
}

// number writes a number, separated from the previous one where needed.
func (p *pen) number(n int) {
	s := p.b.String()
	if n >= 0 && s[len(s)-1] <= '9' {
		p.b.WriteByte(' ')
	}
	p.b.WriteString(strconv.Itoa(n))
}

// arc draws a clockwise arc of a radius.
func (p *pen) arc(r float64, to pt) {
	x, y := int(math.Round(to.x)), int(math.Round(to.y))
	p.b.WriteString("a" + whole(r) + " " + whole(r) + " 0 0 1")
	p.number(x - p.at[0])
	p.number(y - p.at[1])
	p.at, p.last = [2]int{x, y}, 'a'
}

// close closes the subpath and returns the data so far.
func (p *pen) close() string {
	p.b.WriteByte('z')
	p.at, p.last = p.start, 'z'
	return p.b.String()
}

// String returns the data so far.
func (p *pen) String() string { return p.b.String() }

// limb returns a rounded, slightly swelling segment from a to b: an arm, a leg, a bat.
func limb(a, b pt, ra, rb, bulge float64) string {
	n := b.sub(a).unit().normal()
	mid := a.to(b, 0.4)
	swell := (ra+rb)/2 + bulge
	p := new(pen)
	p.op('M', a.add(n.scale(-ra))).op('Q', mid.add(n.scale(-swell)), b.add(n.scale(-rb)))
	p.arc(rb, b.add(n.scale(rb)))
	p.op('Q', mid.add(n.scale(swell)), a.add(n.scale(ra)))
	p.arc(ra, a.add(n.scale(-ra)))
	return p.close()
}

// polygon connects points with straight lines.
func polygon(points ...pt) string {
	return new(pen).op('M', points...).close()
}

// line connects points with straight lines and stays open.
func line(points ...pt) string {
	return new(pen).op('M', points...).String()
}

// blob returns the closed smooth curve through the points.
func blob(points ...pt) string {
	n := len(points)
	p := new(pen).op('M', points[0])
	for i := range n {
		p.op('C', between(points[(i+n-1)%n], points[i], points[(i+1)%n], points[(i+2)%n])...)
	}
	return p.close()
}

// curve returns the open smooth curve through the points.
func curve(points ...pt) string {
	n := len(points)
	p := new(pen).op('M', points[0])
	for i := range n - 1 {
		p.op('C', between(points[max(0, i-1)], points[i], points[i+1], points[min(n-1, i+2)])...)
	}
	return p.String()
}

// between returns the Bézier controls and end of the segment from b to c of a Catmull-Rom curve
// through a, b, c and d.
func between(a, b, c, d pt) []pt {
	return []pt{b.add(c.sub(a).scale(1.0 / 6)), c.sub(d.sub(b).scale(1.0 / 6)), c}
}

// star returns a star of n points around a center, with one point up.
func star(at pt, n int, outer, inner float64) string {
	var points []pt
	for i := range 2 * n {
		r := outer
		if i%2 == 1 {
			r = inner
		}
		points = append(points, at.polar(r, -90+180*float64(i)/float64(n)))
	}
	return polygon(points...)
}
