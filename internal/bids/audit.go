package bids

import (
	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit checks that the money held equals what open bids need, that each hold was taken and
// returned as its bid says, that every scope can be parsed, that trades name bids of their buyers,
// and that every filled bid has a trade.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findWrongHolds, findUnfundedBids, findInvalidScopes, findWrongBidTrades)
}

// findInvalidScopes returns a breach for every scope that can't be parsed.
func findInvalidScopes(tx *db.Tx) (found []audit.Breach, err error) {
	keys, err := scopes(tx)
	for _, key := range keys {
		if _, err := ParseScope(key); err != nil {
			found = append(found, audit.Breach{Rule: "each bid's scope must be valid", Row: "bids for " + key, Detail: err.Error()})
		}
	}
	return found, err
}
