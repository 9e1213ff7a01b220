package catalogue

import (
	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit checks that every item's value equals its last valuation, and that values set by admins are
// in the admin log.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findWrongValues, findUnloggedValues)
}
