package packs

import (
	"cmp"
	"slices"
	"sort"

	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// totals is the distribution of an open's value, up to a limit: the possible values in ascending
// order, each with its chance.
type totals struct {
	sums     []total
	complete bool        // no value is above the limit
	unit     money.Cents // 1 if the values are exact; otherwise they are rounded to a multiple of it
}

type total struct {
	value  money.Cents
	chance float64
	upTo   float64 // chance of this value or a lower one
}

// A convolution of several cards takes at most maxSteps multiplications, which is about a fifth of a
// second, and holds at most maxSums sums. If the exact values need more, they are rounded.
const (
	maxSteps = 1 << 28
	maxSums  = 1 << 21
)

// tolerance is more than the error of all additions of chances together. It decides whether a chance
// reaches one half.
const tolerance = 1e-12

// newTotals returns the distribution of the sum of a number of independent draws. It includes all
// values up to limit, and the median.
func newTotals(cards []protocol.CardChance, draws int, limit money.Cents) totals {
	values := distinctValues(cards)
	if draws == 1 {
		return newDistribution(values, true, 1)
	}
	highest := values[len(values)-1].value * money.Cents(draws)
	for limit = min(max(limit, 1), highest); ; limit = min(2*limit, highest) {
		t := convolve(values, draws, limit, limit == highest)
		if t.complete || len(t.sums) > 0 && t.sums[len(t.sums)-1].upTo > 0.5+tolerance {
			return t
		}
	}
}

// distinctValues returns the values of a single draw with their chances.
func distinctValues(cards []protocol.CardChance) (values []total) {
	sorted := slices.SortedFunc(slices.Values(cards), func(a, b protocol.CardChance) int { return cmp.Compare(a.Value, b.Value) })
	for _, card := range sorted {
		if last := len(values) - 1; last >= 0 && values[last].value == card.Value {
			values[last].chance += card.Chance
		} else {
			values = append(values, total{value: card.Value, chance: card.Chance})
		}
	}
	return values
}

// newDistribution sums up the chances of ascending values.
func newDistribution(sums []total, complete bool, unit money.Cents) totals {
	upTo := 0.0
	for n := range sums {
		upTo += sums[n].chance
		sums[n].upTo = upTo
	}
	return totals{sums, complete, unit}
}

// convolve returns the distribution of the sum of several draws up to limit. complete says that no
// sum is higher.
func convolve(values []total, draws int, limit money.Cents, complete bool) totals {
	relevant := sort.Search(len(values), func(n int) bool { return values[n].value > limit })
	unit := money.Cents(1)
	for sums := limit + 1; sums > maxSums || money.Cents(draws-1)*sums*min(money.Cents(relevant), sums) > maxSteps; sums = limit/unit + 1 {
		unit *= 2
	}
	most := int(limit / unit)
	single := make([]float64, most+1) // chance of each sum of one draw
	var steps []int                   // the sums of one draw
	for _, value := range values[:relevant] {
		rounded := int((value.value + unit/2) / unit)
		if rounded > most {
			break
		}
		if single[rounded] == 0 {
			steps = append(steps, rounded)
		}
		single[rounded] += value.chance
	}
	sums, next := slices.Clone(single), make([]float64, most+1)
	for range draws - 1 {
		clear(next)
		for sum, chance := range sums {
			if chance == 0 {
				continue
			}
			for _, step := range steps {
				if sum+step > most {
					break
				}
				next[sum+step] += chance * single[step]
			}
		}
		sums, next = next, sums
	}
	var found []total
	for sum, chance := range sums {
		if chance > 0 {
			found = append(found, total{value: money.Cents(sum) * unit, chance: chance})
		}
	}
	return newDistribution(found, complete, unit)
}

// chanceBelow returns the chance that an open is worth less than a value within the limit.
func (t totals) chanceBelow(value money.Cents) float64 {
	n := t.firstFrom(value)
	if n == 0 {
		return 0
	}
	return t.sums[n-1].upTo
}

// chanceOfAtLeast returns the chance that an open is worth a value within the limit, or more.
func (t totals) chanceOfAtLeast(value money.Cents) float64 {
	if !t.complete {
		return max(1-t.chanceBelow(value), 0)
	}
	chance := 0.0
	for _, sum := range t.sums[t.firstFrom(value):] {
		chance += sum.chance
	}
	return min(chance, 1)
}

// firstFrom returns the index of the lowest sum of at least a value.
func (t totals) firstFrom(value money.Cents) int {
	return sort.Search(len(t.sums), func(n int) bool { return t.sums[n].value >= value })
}

// median returns the highest value that at least half of the opens are worth.
func (t totals) median() money.Cents {
	median := t.sums[0].value
	for n := 1; n < len(t.sums) && t.sums[n-1].upTo <= 0.5+tolerance; n++ {
		median = t.sums[n].value
	}
	return median
}

// buckets returns the chances between the edges, without empty buckets at either end.
func (t totals) buckets(edges []money.Cents) (buckets []Bucket) {
	for n, low := range edges {
		b := Bucket{LowCents: low, Chance: t.chanceOfAtLeast(low)}
		if n+1 < len(edges) {
			b.HighCents = edges[n+1]
			b.Chance = t.chanceBelow(b.HighCents) - t.chanceBelow(low)
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
