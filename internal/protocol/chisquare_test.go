package protocol

import (
	"math"
	"testing"
)

// The expected values are from R's pchisq(x, df, lower.tail = FALSE).
func TestUpperGammaMatchesR(t *testing.T) {
	for _, c := range []struct {
		degrees int
		x, want float64
	}{
		{1, 3.841458820694124, 0.05}, {2, 9.210340371976184, 0.01}, {5, 11.070497693516351, 0.05},
		{10, 18.307038053275146, 0.05}, {10, 3.940299136072660, 0.95}, {100, 124.3421134004008, 0.05},
		{4, 0, 1}, {1, 0.000157087857909702, 0.99},
	} {
		if got := upperGamma(float64(c.degrees)/2, c.x/2); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("Q for %d degrees at %g: %.12f, want %.12f", c.degrees, c.x, got, c.want)
		}
	}
}

func TestChiSquare(t *testing.T) {
	for name, c := range map[string]struct {
		counts    []int64
		chances   []float64
		statistic float64
		degrees   int
		ok        bool
		likely    bool
	}{
		"a fair die":             {[]int64{98, 102, 101, 99, 103, 97}, []float64{1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6}, 0.28, 5, true, true},
		"a loaded die":           {[]int64{60, 100, 100, 100, 100, 140}, []float64{1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6, 1. / 6}, 32, 5, true, false},
		"a class without chance": {[]int64{50, 0, 50}, []float64{0.5, 0, 0.5}, 0, 1, true, true},
		"an impossible class":    {[]int64{50, 1, 50}, []float64{0.5, 0, 0.5}, math.Inf(1), 0, true, false},
		"too few counts":         {[]int64{3, 1}, []float64{0.5, 0.5}, 1, 1, false, true},
		"one class":              {[]int64{30}, []float64{1}, 0, 0, false, true},
	} {
		statistic, degrees, p, ok := ChiSquare(c.counts, c.chances)
		if math.Abs(statistic-c.statistic) > 1e-9 && statistic != c.statistic || degrees != c.degrees || ok != c.ok || (p > 0.001) != c.likely {
			t.Errorf("%s: %g, %d degrees, p %g, %t", name, statistic, degrees, p, ok)
		}
	}
}
