// Package collection is what users own: one entry for every pulled item, with
// exactly one owner until its end.
package collection

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
