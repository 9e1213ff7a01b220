package ledger

import "kaibao/internal/money"

// Total is a number of transfers and their sum.
type Total struct {
	Number int64
	Amount money.Cents
}

// Totals maps each kind of transfer to its total.
type Totals map[string]Total

// Plus returns the sum of two periods' totals.
func (t Totals) Plus(other Totals) Totals {
	sum := Totals{}
	for _, totals := range []Totals{t, other} {
		for kind, total := range totals {
			sum[kind] = Total{sum[kind].Number + total.Number, sum[kind].Amount + total.Amount}
		}
	}
	return sum
}

// Opens returns the total of opens and orders that weren't refunded.
func (t Totals) Opens() Total {
	return Total{t[KindOpen].Number - t[KindOrderRefund].Number, t[KindOpen].Amount - t[KindOrderRefund].Amount}
}

// Sales returns the total of trades between users, at their prices.
func (t Totals) Sales() Total {
	return Total{t[KindSale].Number + t[KindBidFill].Number, t[KindSale].Amount + t[KindBidFill].Amount + t[KindCounter].Amount}
}

// HouseBalances returns the balances of the house accounts after these transfers alone, all payment
// providers as one account.
func (t Totals) HouseBalances() map[Account]money.Cents {
	balances := map[Account]money.Cents{}
	for kind, f := range flows {
		if f.debit.isHouse() {
			balances[f.debit] -= t[kind].Amount
		}
		if f.credit.isHouse() {
			balances[f.credit] += t[kind].Amount
		}
	}
	return balances
}

// UserBalances returns the sum of all users' balances after these transfers alone, including the money
// held for bids.
func (t Totals) UserBalances() (sum money.Cents) {
	for _, balance := range t.HouseBalances() {
		sum -= balance
	}
	return sum
}
