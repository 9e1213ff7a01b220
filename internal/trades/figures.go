package trades

import (
	"slices"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Sale is a trade between users, and whether the figures count it.
type Sale struct {
	Trade
	Counted bool
}

// Figures are what an item's sales come to.
type Figures struct {
	LastSale   money.Cents // 0 = none counts
	LastSaleAt time.Time
	Spans      []Span
	Sales      []Sale // the newest first, those that do not count among them
}

// Span is the sales that count of some last days.
type Span struct {
	Days   int // 0 = all
	Count  int
	Median money.Cents // of two in the middle the lower one, so that somebody paid it; 0 without any
	Low    money.Cents
	High   money.Cents
}

var spans = []int{7, 30, 90, 0}

// Of is the span of so many days.
func (f Figures) Of(days int) Span {
	n := slices.IndexFunc(f.Spans, func(s Span) bool { return s.Days == days })
	return f.Spans[n]
}

// FiguresOf are an item's figures by its last sales, policy.MostSales at most.
func FiguresOf(tx *db.Tx, item string) (Figures, error) {
	sold, err := LastSales(tx, item, policy.MostSales)
	return figures(sold, tx.Now), err
}

func figures(sold []Trade, now time.Time) Figures {
	f := Figures{Sales: judged(sold)}
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

// pairDay is a pair of users, whoever of them sold, on a day (UTC).
type pairDay struct {
	one, other string
	day        time.Time
}

func (t Trade) pairDay() pairDay {
	return pairDay{min(t.Seller, t.Buyer), max(t.Seller, t.Buyer), t.At.UTC().Truncate(24 * time.Hour)}
}

// judged says of sales, the newest first, which of them count: of each pair the first of a
// day, of those that are not far from what the item was worth.
func judged(sold []Trade) []Sale {
	sales, seen := make([]Sale, len(sold)), map[pairDay]bool{}
	for n, t := range slices.Backward(sold) {
		pair := t.pairDay()
		sales[n] = Sale{t, !t.odd() && !seen[pair]}
		seen[pair] = seen[pair] || sales[n].Counted
	}
	return sales
}

// odd tells whether a price says little of what the item is worth.
func (t Trade) odd() bool {
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
