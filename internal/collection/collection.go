// Package collection is what users own: one entry for every pulled item, with
// exactly one owner until its end.
package collection

import (
	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit proves that every entry has an owner with an account, and that its floor
// is what its draw quoted.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, ownerless, quotesOff)
}
