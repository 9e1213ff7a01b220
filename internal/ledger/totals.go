package ledger

import "kaibao/internal/money"

// Total is how many transfers of a kind there are, and what they come to.
type Total struct {
	Number int64
	Amount money.Cents
}

// Totals are those of all kinds.
type Totals map[string]Total

// Plus adds the totals of another stretch of time.
func (t Totals) Plus(other Totals) Totals {
	sum := Totals{}
	for _, some := range []Totals{t, other} {
		for kind, total := range some {
			sum[kind] = Total{sum[kind].Number + total.Number, sum[kind].Amount + total.Amount}
		}
	}
	return sum
}

// Sales are the trades between users, at their prices.
func (t Totals) Sales() Total {
	return Total{t[KindSale].Number + t[KindBidFill].Number, t[KindSale].Amount + t[KindBidFill].Amount + t[KindCounter].Amount}
}

// House is what each of the house's accounts holds after the transfers that were added
// up, those of all providers together.
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

// Users is what all users hold after the transfers that were added up.
func (t Totals) Users() (held money.Cents) {
	for _, of := range t.House() {
		held -= of
	}
	return held
}
