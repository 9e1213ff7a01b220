package ledger

import "kaibao/internal/money"

// Total is the number and the sum of some transfers.
type Total struct {
	Number int64
	Amount money.Cents
}

// Totals maps each kind of transfer to its total.
type Totals map[string]Total

// Plus adds the totals of another period.
func (t Totals) Plus(other Totals) Totals {
	sum := Totals{}
	for _, some := range []Totals{t, other} {
		for kind, total := range some {
			sum[kind] = Total{sum[kind].Number + total.Number, sum[kind].Amount + total.Amount}
		}
	}
	return sum
}

// Sales returns the total of trades between users, at their prices.
func (t Totals) Sales() Total {
	return Total{t[KindSale].Number + t[KindBidFill].Number, t[KindSale].Amount + t[KindBidFill].Amount + t[KindCounter].Amount}
}

// House returns what the summed transfers leave on each house account, those of all payment
// providers together.
func (t Totals) House() map[Account]money.Cents {
	held := map[Account]money.Cents{}
	for kind, way := range flows {
		if way.debit.house() {
			held[way.debit] -= t[kind].Amount
		}
		if way.credit.house() {
			held[way.credit] += t[kind].Amount
		}
	}
	return held
}

// Users returns what the summed transfers leave on all users' accounts.
func (t Totals) Users() (held money.Cents) {
	for _, of := range t.House() {
		held -= of
	}
	return held
}
