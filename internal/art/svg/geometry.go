package svg

import "math"

// Point is a point or a vector. y grows downwards, as in SVG.
type Point [2]float64

// X returns the first coordinate.
func (a Point) X() float64 { return a[0] }

// Y returns the second coordinate.
func (a Point) Y() float64 { return a[1] }

// Add returns the sum of two vectors.
func (a Point) Add(b Point) Point { return Point{a[0] + b[0], a[1] + b[1]} }

// Sub returns the vector from b to a.
func (a Point) Sub(b Point) Point { return Point{a[0] - b[0], a[1] - b[1]} }

// Scale returns the vector, k times as long.
func (a Point) Scale(k float64) Point { return Point{a[0] * k, a[1] * k} }

// Lerp returns a point on the line from a (t = 0) to b (t = 1).
func (a Point) Lerp(b Point, t float64) Point {
	return Point{a[0] + (b[0]-a[0])*t, a[1] + (b[1]-a[1])*t}
}

func (a Point) dist(b Point) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }

// Polar returns the point at a distance and a direction in degrees, clockwise from the right.
func (a Point) Polar(r, deg float64) Point {
	s, c := math.Sincos(deg * math.Pi / 180)
	return a.Add(Point{r * c, r * s})
}

// Angle returns the direction from a to b in degrees.
func (a Point) Angle(b Point) float64 { return math.Atan2(b[1]-a[1], b[0]-a[0]) * 180 / math.Pi }

// Unit returns the vector of length 1 in the same direction. The zero vector is returned unchanged.
func (a Point) Unit() Point {
	l := math.Hypot(a[0], a[1])
	if l == 0 {
		return a
	}
	return a.Scale(1 / l)
}

// Normal returns the vector rotated by 90 degrees.
func (a Point) Normal() Point { return Point{-a[1], a[0]} }

// Limb returns a rounded, slightly swelling segment from a to b: an arm, a leg, a bat.
func Limb(a, b Point, ra, rb, bulge float64) string {
	n := b.Sub(a).Unit().Normal()
	mid := a.Lerp(b, 0.4)
	swell := (ra+rb)/2 + bulge
	p := new(Path)
	p.Op('M', a.Add(n.Scale(-ra))).Op('Q', mid.Add(n.Scale(-swell)), b.Add(n.Scale(-rb)))
	p.arc(rb, b.Add(n.Scale(rb)))
	p.Op('Q', mid.Add(n.Scale(swell)), a.Add(n.Scale(ra)))
	p.arc(ra, a.Add(n.Scale(-ra)))
	return p.Close()
}

// Polygon connects points with straight lines.
func Polygon(points ...Point) string {
	return new(Path).Op('M', points...).Close()
}

// Polyline connects points with straight lines and stays open.
func Polyline(points ...Point) string {
	return new(Path).Op('M', points...).String()
}

// ClosedCurve returns the closed smooth curve through the points.
func ClosedCurve(points ...Point) string {
	n := len(points)
	p := new(Path).Op('M', points[0])
	for i := range n {
		p.Op('C', catmullRom(points[(i+n-1)%n], points[i], points[(i+1)%n], points[(i+2)%n])...)
	}
	return p.Close()
}

// OpenCurve returns the open smooth curve through the points.
func OpenCurve(points ...Point) string {
	n := len(points)
	p := new(Path).Op('M', points[0])
	for i := range n - 1 {
		p.Op('C', catmullRom(points[max(0, i-1)], points[i], points[i+1], points[min(n-1, i+2)])...)
	}
	return p.String()
}

// catmullRom returns the Bézier controls and end of the segment from b to c of a Catmull-Rom curve
// through a, b, c and d.
func catmullRom(a, b, c, d Point) []Point {
	return []Point{b.Add(c.Sub(a).Scale(1.0 / 6)), c.Sub(d.Sub(b).Scale(1.0 / 6)), c}
}

// Star returns a star of n points around a center, with one point up.
func Star(at Point, n int, outer, inner float64) string {
	var points []Point
	for i := range 2 * n {
		r := outer
		if i%2 == 1 {
			r = inner
		}
		points = append(points, at.Polar(r, -90+180*float64(i)/float64(n)))
	}
	return Polygon(points...)
}

// ScallopedOval returns an oval with a furry edge of n tufts.
func ScallopedOval(at Point, rx, ry float64, n int) string {
	edge := func(i int) Point {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		return at.Add(Point{rx * c, ry * s})
	}
	p := new(Path).Op('M', edge(0))
	for i := 1; i <= n; i++ {
		r := edge(i).dist(edge(i-1)) * 0.56
		p.arc(r, edge(i%n))
	}
	return p.Close()
}
