package terms_test

import (
	"testing"

	"kaibao/internal/money"
	"kaibao/internal/terms"
)

func TestTheFeeIsRoundedHalfUp(t *testing.T) {
	for price, fee := range map[money.Cents]money.Cents{
		1: 0, 9: 0, 10: 1, 19: 1, 29: 1, 30: 2, 99: 5, 100: 5, 1989: 99, 1990: 100, 1999: 100, 100_000_000: 5_000_000,
	} {
		if got := terms.Fee(price); got != fee {
			t.Errorf("the fee of %s is %s, want %s", price, got, fee)
		}
	}
}

func TestSellingBackIsRoundedDown(t *testing.T) {
	for value, paid := range map[money.Cents]money.Cents{0: 0, 1: 0, 9: 8, 10: 9, 1999: 1799} {
		if got := terms.SellBack(value); got != paid {
			t.Errorf("an item of %s is bought back for %s, want %s", value, got, paid)
		}
	}
}
