package protocol

import (
	"testing"

	"kaibao/internal/money"
)

func TestFeeRoundsHalfUp(t *testing.T) {
	for price, fee := range map[money.Cents]money.Cents{
		1: 0, 9: 0, 10: 1, 19: 1, 29: 1, 30: 2, 99: 5, 100: 5, 1989: 99, 1990: 100, 1999: 100, 100_000_000: 5_000_000,
	} {
		if got := FirstRates.Fee(TradeListing, price); got != fee {
			t.Errorf("the fee of %s is %s, want %s", price, got, fee)
		}
	}
}
