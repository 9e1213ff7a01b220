package bids

import (
	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit proves that what is held for bids is what the open ones need, that each hold was
// taken once and returned at most once, as its bid says, that every bid is for something,
// and that what bids bought is their users', and every filled one bought something.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, holdsOff, unheld, aimless, unmeant)
}

// aimless are bids for what cannot be read.
func aimless(tx *db.Tx) (found []audit.Breach, err error) {
	keys, err := scopes(tx)
	for _, key := range keys {
		if _, err := ParseScope(key); err != nil {
			found = append(found, audit.Breach{Rule: "a bid is for something", Row: "bids for " + key, Detail: err.Error()})
		}
	}
	return found, err
}
