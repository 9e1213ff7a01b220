package packs

import (
	"cmp"
	"slices"
	"sort"

	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// distribution is the distribution of the total value of an open, up to a limit.
type distribution struct {
	outcomes []outcome   // by ascending value
	complete bool        // no value is above the limit
	unit     money.Cents // 1 if the values are exact; otherwise they are rounded to a multiple of it
}

// outcome is a possible value and its chance.
type outcome struct {
	value      money.Cents
	chance     float64
	cumulative float64 // chance of this value or a lower one
}

// A convolution of several cards takes at most maxSteps multiplications, which is about a fifth of a
// second, and holds at most maxSums sums. If the exact values need more, they are rounded. Packs of
// finite cards get fewer steps, about 15 ms: their figures change whenever a card runs out, and are
// approximate anyway.
const (
	maxSteps       = 1 << 28
	maxStepsFinite = 1 << 24
	maxSums        = 1 << 21
)

// tolerance is more than the error of all additions of chances together. It decides whether a chance
// reaches one half.
const tolerance = 1e-12

// newDistribution returns the distribution of the sum of a number of independent draws. It includes
// all values up to limit, and the median. Each convolution takes at most steps multiplications.
func newDistribution(cards []protocol.CardChance, draws int, limit, steps money.Cents) distribution {
	single := singleDraw(cards)
	if draws == 1 {
		return distribution{accumulate(single), true, 1}
	}
	highest := single[len(single)-1].value * money.Cents(draws)
	for limit = min(max(limit, 1), highest); ; limit = min(2*limit, highest) {
		d := convolve(single, draws, limit, steps)
		d.complete = limit == highest
		if n := len(d.outcomes); d.complete || n > 0 && d.outcomes[n-1].cumulative > 0.5+tolerance {
			return d
		}
	}
}

// singleDraw returns the outcomes of one draw, by ascending value.
func singleDraw(cards []protocol.CardChance) (outcomes []outcome) {
	sorted := slices.SortedFunc(slices.Values(cards), func(a, b protocol.CardChance) int { return cmp.Compare(a.Value, b.Value) })
	for _, card := range sorted {
		if last := len(outcomes) - 1; last >= 0 && outcomes[last].value == card.Value {
			outcomes[last].chance += card.Chance
		} else {
			outcomes = append(outcomes, outcome{value: card.Value, chance: card.Chance})
		}
	}
	return outcomes
}

// accumulate sets the cumulative chances of outcomes, and returns them.
func accumulate(outcomes []outcome) []outcome {
	sum := 0.0
	for n := range outcomes {
		sum += outcomes[n].chance
		outcomes[n].cumulative = sum
	}
	return outcomes
}

// convolve returns the distribution of the sum of several draws, up to limit, given the outcomes of
// one, in at most steps multiplications.
func convolve(single []outcome, draws int, limit, steps money.Cents) distribution {
	relevant := sort.Search(len(single), func(n int) bool { return single[n].value > limit })
	unit := money.Cents(1)
	for sums := limit + 1; sums > maxSums || money.Cents(draws-1)*sums*min(money.Cents(relevant), sums) > steps; sums = limit/unit + 1 {
		unit *= 2
	}
	maxSum := int(limit/unit) + draws    // each value is rounded up by at most half a unit
	chances := make([]float64, maxSum+1) // of one draw, by value in units
	var values []int                     // of one draw, in units
	for _, o := range single {
		value := int((o.value + unit/2) / unit)
		if value > maxSum {
			break
		}
		if chances[value] == 0 {
			values = append(values, value)
		}
		chances[value] += o.chance
	}
	sums, next := slices.Clone(chances), make([]float64, maxSum+1) // chances of the sums so far
	for range draws - 1 {
		clear(next)
		for sum, chance := range sums {
			if chance == 0 {
				continue
			}
			for _, value := range values {
				if sum+value > maxSum {
					break
				}
				next[sum+value] += chance * chances[value]
			}
		}
		sums, next = next, sums
	}
	var outcomes []outcome
	for sum, chance := range sums {
		if chance > 0 {
			outcomes = append(outcomes, outcome{value: money.Cents(sum) * unit, chance: chance})
		}
	}
	return distribution{outcomes: accumulate(outcomes), unit: unit}
}

// chanceBelow returns the chance that an open is worth less than a value within the limit.
func (d distribution) chanceBelow(value money.Cents) float64 {
	n := d.indexAtLeast(value)
	if n == 0 {
		return 0
	}
	return d.outcomes[n-1].cumulative
}

// chanceOfAtLeast returns the chance that an open is worth a value within the limit, or more.
func (d distribution) chanceOfAtLeast(value money.Cents) float64 {
	if !d.complete {
		return max(1-d.chanceBelow(value), 0)
	}
	chance := 0.0
	for _, o := range d.outcomes[d.indexAtLeast(value):] {
		chance += o.chance
	}
	return min(chance, 1)
}

// indexAtLeast returns the index of the lowest outcome of at least a value.
func (d distribution) indexAtLeast(value money.Cents) int {
	return sort.Search(len(d.outcomes), func(n int) bool { return d.outcomes[n].value >= value })
}

// median returns the highest value that at least half of the opens are worth.
func (d distribution) median() money.Cents {
	median := d.outcomes[0].value
	for n := 1; n < len(d.outcomes) && d.outcomes[n-1].cumulative <= 0.5+tolerance; n++ {
		median = d.outcomes[n].value
	}
	return median
}

// buckets returns the chances between the edges, without empty buckets at either end.
func (d distribution) buckets(edges []money.Cents) (buckets []Bucket) {
	for n, low := range edges {
		b := Bucket{LowCents: low, Chance: d.chanceOfAtLeast(low)}
		if n+1 < len(edges) {
			b.HighCents = edges[n+1]
			b.Chance = d.chanceBelow(b.HighCents) - d.chanceBelow(low)
		}
		if b.Chance > 0 || len(buckets) > 0 {
			buckets = append(buckets, b)
		}
	}
	for len(buckets) > 1 && buckets[len(buckets)-1].Chance == 0 {
		buckets = buckets[:len(buckets)-1]
	}
	return buckets
}
