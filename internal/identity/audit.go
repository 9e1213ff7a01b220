package identity

import (
	"fmt"

	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit checks that handles have the right form, and that those of deleted users are gone for good.
// The schema keeps users without a handle from being public.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findWrongHandles, findShownDeleted, findLongReservations)
}

// findWrongHandles finds handles that no user can take, and folded forms that aren't theirs.
func findWrongHandles(tx *db.Tx) (found []audit.Breach, err error) {
	err = eachHandle(tx, func(u User, folded string) error {
		detail := ""
		switch {
		case !handleFormat.MatchString(u.Handle):
			detail = fmt.Sprintf("has the handle %q", u.Handle)
		case folded != foldHandle(u.Handle):
			detail = fmt.Sprintf("has the handle %q, folded as %q", u.Handle, folded)
		case u.HandleChangedAt.IsZero() || db.Micros(u.HandleChangedAt) > db.Micros(tx.Now)+audit.MaxDelay:
			detail = fmt.Sprintf("took the handle %q at %s", u.Handle, u.HandleChangedAt)
		}
		if detail != "" {
			found = append(found, audit.Breach{Rule: "each handle must be well-formed, folded correctly and taken at a known time", Row: "user " + u.ID, Detail: detail})
		}
		return nil
	})
	return found, err
}
