package trades

import (
	"slices"
	"testing"
	"time"

	"kaibao/internal/money"
)

// A pair of users counts once a day, whoever of them sells, and no price far from the value.
func TestWhatSalesComeTo(t *testing.T) {
	now := time.Date(2026, 3, 20, 12, 0, 0, 0, time.UTC)
	sale := func(hours int, seller, buyer string, price money.Cents) Trade {
		return Trade{Seller: seller, Buyer: buyer, Price: price, Value: 100_00, At: now.Add(-time.Duration(hours) * time.Hour)}
	}
	f := figures([]Trade{
		sale(1, "cat", "dan", 300_01),       // above three times the value
		sale(2, "ben", "ann", 250_00),       // the same two as three hours ago
		sale(3, "ann", "ben", 110_00),       // the last that counts
		sale(4, "ann", "cat", 33_33),        // below a third
		sale(5, "ann", "cat", 90_00),        // counts: the other one did not
		sale(3*24, "ann", "ben", 300_00),    // on another day
		sale(8*24, "ann", "ben", 50_00),     // beyond seven days
		sale(100*24, "ann", "ben", 33_34),   // beyond ninety
		sale(101*24, "ann", "ben", 1000_00), // odd
	}, now)
	var counted []money.Cents
	for _, s := range f.Sales {
		if s.Counted {
			counted = append(counted, s.Price)
		}
	}
	if want := []money.Cents{110_00, 90_00, 300_00, 50_00, 33_34}; !slices.Equal(counted, want) || len(f.Sales) != 9 {
		t.Errorf("counted are %v of %d, want %v", counted, len(f.Sales), want)
	}
	if f.LastSale != 110_00 || !f.LastSaleAt.Equal(now.Add(-3*time.Hour)) {
		t.Errorf("the last sale is %s at %s", f.LastSale, f.LastSaleAt)
	}
	want := []Span{
		{7, 3, 110_00, 90_00, 300_00}, {30, 4, 90_00, 50_00, 300_00}, {90, 4, 90_00, 50_00, 300_00}, {0, 5, 90_00, 33_34, 300_00},
	}
	if !slices.Equal(f.Spans, want) || f.Of(0) != want[3] {
		t.Errorf("the spans are %v, want %v", f.Spans, want)
	}
}

func TestNoSalesComeToNothing(t *testing.T) {
	if f := figures(nil, time.Now()); f.LastSale != 0 || f.Of(7) != (Span{Days: 7}) || f.Of(0) != (Span{}) {
		t.Errorf("%+v", f)
	}
}
