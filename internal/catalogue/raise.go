package catalogue

import (
	"time"

	"kaibao/internal/money"
)

// Recent is an item's recent value history, oldest first: the value in force at the beginning of a
// time span (for a newer item, its first) and all later ones.
type Recent []Valuation

// Steep reports whether a value exceeds the one at the beginning of the span by more than the given
// factor.
func (r Recent) Steep(to money.Cents, times int64) bool {
	most, err := r[0].Value.Mul(times)
	return err == nil && to > most
}

// PutBack reports whether a value is at most one that was in force within the span but has been
// replaced, and when the last such value ended.
func (r Recent) PutBack(to money.Cents) (ended time.Time, is bool) {
	for n := len(r) - 2; n >= 0; n-- {
		if to <= r[n].Value {
			return r[n+1].At, true
		}
	}
	return ended, false
}
