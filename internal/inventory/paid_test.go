package inventory

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

func TestSplitPrice(t *testing.T) {
	for _, c := range []struct {
		price  money.Cents
		values []money.Cents
		want   []money.Cents
	}{
		{2500, []money.Cents{700}, []money.Cents{2500}},
		{100, []money.Cents{1, 1, 1}, []money.Cents{34, 33, 33}},
		{100, []money.Cents{1, 2, 3}, []money.Cents{17, 33, 50}},
		{5, []money.Cents{0, 0}, []money.Cents{3, 2}},
		{1, []money.Cents{1, 5, 5}, []money.Cents{0, 1, 0}},
		{2500, []money.Cents{0, 40}, []money.Cents{0, 2500}},
	} {
		if got := splitPrice(c.price, c.values); !slices.Equal(got, c.want) {
			t.Errorf("%d split by %v is %v, want %v", c.price, c.values, got, c.want)
		}
	}
}

// The parts of a price add up to it, and each is less than a cent away from its exact share.
func TestSplitPriceIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		price := money.Cents(rapid.Int64Range(1, int64(policy.MaxPackPrice)).Draw(t, "price"))
		values := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) money.Cents {
			return money.Cents(rapid.Int64Range(0, int64(policy.MaxPrice)).Draw(t, "value"))
		}), 1, policy.MaxItemsPerPack).Draw(t, "values")
		sum, total := money.Cents(0), money.Cents(0)
		for _, v := range values {
			total += v
		}
		for n, part := range splitPrice(price, values) {
			sum += part
			if exact := float64(price) * float64(values[n]) / float64(total); total > 0 && (float64(part) < exact-1 || float64(part) > exact+1) {
				t.Fatalf("part %d of %v is %d, want about %f", n, values, part, exact)
			}
		}
		if sum != price {
			t.Fatalf("the parts of %d add up to %d", price, sum)
		}
	})
}

// The totals of random periods and values equal those of a recount for each day.
func TestTotalsEqualARecount(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		ends := []int64{100, 200, 300, 400, 500}
		history := map[string]catalogue.RecentHistory{}
		var periods []ownership
		for _, item := range []string{"a", "b", "c"} {
			for at := int64(0); at < 500; at += 1 + r.Int64N(250) {
				history[item] = append(history[item], catalogue.Valuation{Value: money.Cents(1 + r.Int64N(100)), At: db.Time(at)})
			}
			for range r.IntN(4) {
				p := ownership{item: item, from: r.Int64N(11) * 50, paid: money.Cents(r.Int64N(100))}
				p.to = p.from + 50*(1+r.Int64N(6))
				if r.IntN(2) == 0 {
					p.to = maxMicros
				}
				periods = append(periods, p)
			}
		}
		for n, got := range totals(periods, history, ends) {
			var want total
			for _, p := range periods {
				if p.from >= ends[n] || p.to < ends[n] {
					continue
				}
				want.paid += p.paid
				value := money.Cents(0)
				for _, v := range history[p.item] {
					if db.Micros(v.At) < ends[n] {
						value = v.Value
					}
				}
				want.value += value
			}
			if got != want {
				t.Fatalf("seed %d: the total before %d is %+v, want %+v for %+v", seed, ends[n], got, want, periods)
			}
		}
	}
}
