package catalogue

import (
	"time"

	"kaibao/internal/money"
)

// RecentHistory is an item's recent value history, oldest first: the value in force at the
// beginning of a time span (for a newer item, its first) and all later ones.
type RecentHistory []Valuation

// IsSteepRaise reports whether a value exceeds the one at the beginning of the span by more than
// the given factor.
func (r RecentHistory) IsSteepRaise(to money.Cents, factor int64) bool {
	limit, err := r[0].Value.Mul(factor)
	return err == nil && to > limit
}

// RestoresValue reports whether a value is at most one that was in force within the span but has
// been replaced, and when the last such value was replaced.
func (r RecentHistory) RestoresValue(to money.Cents) (ended time.Time, ok bool) {
	for n := len(r) - 2; n >= 0; n-- {
		if to <= r[n].Value {
			return r[n+1].At, true
		}
	}
	return ended, false
}
