package trades

import (
	"slices"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// MarketSale is a trade between users, and whether it counts for the figures.
type MarketSale struct {
	Trade
	Counted bool
}

// Figures are an item's sales statistics.
type Figures struct {
	LastSale   money.Cents // 0 if no sale counts
	LastSaleAt time.Time
	Spans      []Span
	Sales      []MarketSale // newest first, including sales that don't count
}

// Span summarizes the counted sales of the last days.
type Span struct {
	Days   int // 0 = all time
	Count  int
	Median money.Cents // the lower of two middle values, so that it was paid; 0 without sales
	Low    money.Cents
	High   money.Cents
}

var spans = []int{7, 30, 90, 0}

// Of returns the span of the given length, which must be one of spans.
func (f Figures) Of(days int) Span {
	n := slices.IndexFunc(f.Spans, func(s Span) bool { return s.Days == days })
	return f.Spans[n]
}

// FiguresOf returns an item's figures, from its last policy.MaxSales sales.
func FiguresOf(tx *db.Tx, item string) (Figures, error) {
	sold, err := LastSales(tx, item, policy.MaxSales)
	return figures(sold, tx.Now), err
}

func figures(sold []Trade, now time.Time) Figures {
	f := Figures{Sales: markCounted(sold)}
	for _, s := range f.Sales {
		if s.Counted {
			f.LastSale, f.LastSaleAt = s.Price, s.At
			break
		}
	}
	for _, days := range spans {
		f.Spans = append(f.Spans, f.span(days, now))
	}
	return f
}

// pairDay is a pair of users, in either direction, on one day (UTC).
type pairDay struct {
	one, other string
	day        time.Time
}

func (t Trade) pairDay() pairDay {
	return pairDay{min(t.Seller, t.Buyer), max(t.Seller, t.Buyer), t.At.UTC().Truncate(24 * time.Hour)}
}

// markCounted marks which sales count: of the sales at a plausible price, the first per pair of
// users and day. sold must be ordered newest first.
func markCounted(sold []Trade) []MarketSale {
	sales, seen := make([]MarketSale, len(sold)), map[pairDay]bool{}
	for n, t := range slices.Backward(sold) {
		pair := t.pairDay()
		sales[n] = MarketSale{t, !t.isOddlyPriced() && !seen[pair]}
		seen[pair] = seen[pair] || sales[n].Counted
	}
	return sales
}

// isOddlyPriced reports whether the price is too far from the item's value to count.
func (t Trade) isOddlyPriced() bool {
	return t.Price*policy.OddPrice < t.Value || t.Price > t.Value*policy.OddPrice
}

func (f Figures) span(days int, now time.Time) Span {
	var prices []money.Cents
	since := now.Add(-time.Duration(days) * 24 * time.Hour)
	for _, s := range f.Sales {
		if s.Counted && (days == 0 || !s.At.Before(since)) {
			prices = append(prices, s.Price)
		}
	}
	if len(prices) == 0 {
		return Span{Days: days}
	}
	slices.Sort(prices)
	return Span{Days: days, Count: len(prices), Median: prices[(len(prices)-1)/2], Low: prices[0], High: prices[len(prices)-1]}
}
