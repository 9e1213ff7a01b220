package svg

import (
	"math"
	"strconv"
	"strings"
)

// Path builds the data of a path from absolute points. It writes relative commands in whole units,
// which keeps drawings small. The rounding is invisible at their sizes.
type Path struct {
	data      strings.Builder
	at, start [2]int // the rounded current point, and the start of its subpath
	control   [2]int // of the last quadratic curve
	last      byte
}

// Op writes a command for each segment of the points: M, L and T take one point, Q two, C three.
// Further points of an M are joined by lines.
func (p *Path) Op(letter byte, points ...Point) *Path {
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
		x, y := int(math.Round(q[0])), int(math.Round(q[1]))
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
func (p *Path) quad(control, to Point) {
	mirrored := [2]int{2*p.at[0] - p.control[0], 2*p.at[1] - p.control[1]}
	if (p.last == 'q' || p.last == 't') && math.Abs(control[0]-float64(mirrored[0])) < 1 && math.Abs(control[1]-float64(mirrored[1])) < 1 {
		p.Op('T', to)
		p.control = mirrored
		return
	}
	p.Op('Q', control, to)
	p.control = [2]int{int(math.Round(control[0])), int(math.Round(control[1]))}
}

// command writes a letter unless it is implied by the previous command.
func (p *Path) command(letter byte, first bool) {
	lower := letter | 0x20
	if letter == 'M' && !first {
		lower = 'l'
	}
	if lower != 'm' && lower == p.last {
		return
	}
	if p.data.Len() == 0 {
		lower = letter // the first M is absolute, so that paths can be concatenated
	}
	p.data.WriteByte(lower)
	p.last = lower
}

// number writes a number, separated from the previous one where needed.
func (p *Path) number(n int) {
	s := p.data.String()
	if n >= 0 && s[len(s)-1] <= '9' {
		p.data.WriteByte(' ')
	}
	p.data.WriteString(strconv.Itoa(n))
}

// arc draws a clockwise arc of a radius.
func (p *Path) arc(r float64, to Point) {
	x, y := int(math.Round(to[0])), int(math.Round(to[1]))
	p.data.WriteString("a" + Format0(r) + " " + Format0(r) + " 0 0 1")
	p.number(x - p.at[0])
	p.number(y - p.at[1])
	p.at, p.last = [2]int{x, y}, 'a'
}

// Close closes the subpath and returns the data so far.
func (p *Path) Close() string {
	p.data.WriteByte('z')
	p.at, p.last = p.start, 'z'
	return p.data.String()
}

// String returns the data so far.
func (p *Path) String() string { return p.data.String() }
