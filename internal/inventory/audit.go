// Package inventory stores what users own: one entry per pulled item. An entry has exactly one
// owner until it ends.
package inventory

import (
	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit checks that every entry has an owner with an account and equals the result of replaying its
// pull and its acts: owner, state, custody, listing price and floor.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, ownerless, livesOff)
}
