package market

import (
	"testing"

	"kaibao/internal/fault"
	"kaibao/internal/money"
	"kaibao/internal/terms"
)

// Prices are refused before the database is asked, by whatever way they came.
func TestNoUseCaseTakesAPriceOutOfBounds(t *testing.T) {
	for _, price := range []money.Cents{0, -1, terms.HighestPrice + 1, 1<<63 - 1, -1 << 63} {
		if _, err := list(nil, "owner", "id", price); !fault.IsCode(err, fault.Invalid) {
			t.Errorf("listed at %d: %v", price, err)
		}
		if _, err := reprice(nil, "owner", "id", price); !fault.IsCode(err, fault.Invalid) {
			t.Errorf("repriced to %d: %v", price, err)
		}
	}
}
