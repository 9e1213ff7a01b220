package policy_test

import (
	"testing"

	"kaibao/internal/money"
	"kaibao/internal/policy"
)

func TestSellBackIsRoundedDown(t *testing.T) {
	for value, paid := range map[money.Cents]money.Cents{0: 0, 1: 0, 9: 8, 10: 9, 1999: 1799} {
		if got := policy.SellBack(value); got != paid {
			t.Errorf("an item of %s is bought back for %s, want %s", value, got, paid)
		}
	}
}
