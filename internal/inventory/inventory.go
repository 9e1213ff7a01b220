// Package inventory stores what users own: one entry per pulled item. An entry has exactly one
// owner until it ends.
package inventory

import (
	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit proves that every entry has an owner with an account, and is what its pull and
// the acts done with it since made of it: whose it is, in which state, where it lies,
// for how much it is listed, and what its floor is.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, ownerless, livesOff)
}
