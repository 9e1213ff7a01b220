package catalogue

import (
	"time"

	"kaibao/internal/money"
)

// Recent is what an item was worth lately: the value in force at the beginning of a span (of a
// newer item: its first) and all that followed, the oldest first.
type Recent []Valuation

// Steep tells whether a value is more than so many times the one at the beginning of the span.
func (r Recent) Steep(to money.Cents, times int64) bool {
	most, err := r[0].Value.Mul(times)
	return err == nil && to > most
}

// PutBack tells whether a value is no higher than one that was in force within the span, and
// when the last such one ended.
func (r Recent) PutBack(to money.Cents) (ended time.Time, is bool) {
	for n := len(r) - 2; n >= 0; n-- {
		if to <= r[n].Value {
			return r[n+1].At, true
		}
	}
	return ended, false
}
