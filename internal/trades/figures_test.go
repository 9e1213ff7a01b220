package trades

import (
	"slices"
	"testing"
	"time"

	"kaibao/internal/money"
)

// A pair of users counts once a day in either direction, and prices far from the value don't count.
func TestFigures(t *testing.T) {
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	sale := func(hours int, seller, buyer string, price money.Cents) Trade {
		return Trade{Seller: seller, Buyer: buyer, Price: price, Value: 100_00, At: now.Add(-time.Duration(hours) * time.Hour)}
	}
	f := figures([]Trade{
		sale(1, "cat", "dan", 300_01),       // above three times the value
		sale(2, "ben", "ann", 250_00),       // the same pair as an hour earlier
		sale(3, "ann", "ben", 110_00),       // the last one that counts
		sale(4, "ann", "cat", 33_33),        // below a third of the value
		sale(5, "ann", "cat", 90_00),        // counts, because the pair's other sale is too low
		sale(3*24, "ann", "ben", 300_00),    // another day
		sale(8*24, "ann", "ben", 50_00),     // older than seven days
		sale(100*24, "ann", "ben", 33_34),   // older than ninety days
		sale(101*24, "ann", "ben", 1000_00), // far above the value
	}, now)
	var counted []money.Cents
	for _, s := range f.Sales {
		if s.Counted {
			counted = append(counted, s.Price)
		}
	}
	if want := []money.Cents{110_00, 90_00, 300_00, 50_00, 33_34}; !slices.Equal(counted, want) || len(f.Sales) != 9 {
		t.Errorf("counted %v of %d, want %v", counted, len(f.Sales), want)
	}
	if f.LastSale != 110_00 || !f.LastSaleAt.Equal(now.Add(-3*time.Hour)) {
		t.Errorf("last sale %s at %s", f.LastSale, f.LastSaleAt)
	}
	want := []Span{
		{7, 3, 110_00, 90_00, 300_00}, {30, 4, 90_00, 50_00, 300_00}, {90, 4, 90_00, 50_00, 300_00}, {0, 5, 90_00, 33_34, 300_00},
	}
	if !slices.Equal(f.Spans, want) || f.Of(0) != want[3] {
		t.Errorf("spans %v, want %v", f.Spans, want)
	}
}

func TestFiguresWithoutSales(t *testing.T) {
	if f := figures(nil, time.Now()); f.LastSale != 0 || f.Of(7) != (Span{Days: 7}) || f.Of(0) != (Span{}) {
		t.Errorf("figures without sales are %+v, want zeros", f)
	}
}
