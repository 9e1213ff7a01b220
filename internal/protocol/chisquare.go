package protocol

import "math"

// ChiSquare compares counts with their expected probabilities (Pearson's chi-square test). It
// returns the statistic, the degrees of freedom and the p-value; a p below 0.001 deserves a closer
// look. A non-zero count in a class with probability 0 returns p = 0. ok is false if the test is
// inconclusive: fewer than two classes, or a class with an expected count below five.
func ChiSquare(counts []int64, chances []float64) (statistic float64, degrees int, p float64, ok bool) {
	total := 0.0
	for _, n := range counts {
		total += float64(n)
	}
	degrees, ok = -1, true
	for i, chance := range chances {
		if chance == 0 && counts[i] > 0 {
			return math.Inf(1), max(degrees, 0), 0, true
		}
		if chance == 0 {
			continue
		}
		expected := total * chance
		statistic += (float64(counts[i]) - expected) * (float64(counts[i]) - expected) / max(expected, math.SmallestNonzeroFloat64)
		degrees++
		ok = ok && expected >= 5
	}
	if degrees < 1 || !ok {
		return statistic, max(degrees, 0), 1, false
	}
	return statistic, degrees, upperGamma(float64(degrees)/2, statistic/2), true
}

// CountTiers returns the number of cards drawn from each tier.
func (m *Manifest) CountTiers(drawn map[string]int64) []int64 {
	counts := make([]int64, len(m.Tiers))
	for n, tier := range m.Tiers {
		for _, card := range tier.Cards {
			counts[n] += drawn[card.ID]
		}
	}
	return counts
}

// upperGamma is the regularized upper incomplete gamma function Q(a, x). It uses the series for x <
// a + 1 and the continued fraction otherwise (NIST DLMF 8.7.1 and 8.9.2).
func upperGamma(a, x float64) float64 {
	if x <= 0 {
		return 1
	}
	logGamma, _ := math.Lgamma(a)
	scale := math.Exp(a*math.Log(x) - x - logGamma)
	if x < a+1 {
		term := 1 / a
		sum := term
		for n := a + 1; term > sum*1e-16; n++ {
			term *= x / n
			sum += term
		}
		return 1 - scale*sum
	}
	// Evaluate the continued fraction with Lentz's method.
	const tiny = 1e-300
	b := x + 1 - a
	c, d := 1/tiny, 1/b
	h := d
	for n := 1.0; n < 1e5; n++ {
		step := n * (a - n)
		b += 2
		d = step*d + b
		if math.Abs(d) < tiny {
			d = tiny
		}
		c = b + step/c
		if math.Abs(c) < tiny {
			c = tiny
		}
		d = 1 / d
		h *= d * c
		if math.Abs(d*c-1) < 1e-15 {
			break
		}
	}
	return scale * h
}
