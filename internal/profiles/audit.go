package profiles

import (
	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit checks that users show only opens and entries that are or were theirs, that showcases have no gaps,
// and that deleted users show nothing.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findWrongSharers, findDeletedSharers, findForeignEntries, findGaps)
}
