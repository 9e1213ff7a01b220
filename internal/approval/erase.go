package approval

import (
	"slices"

	"kaibao/internal/adminlog"
	"kaibao/internal/db"
)

// Erase removes a deleted user's name and address from requests and from the acts that count for
// daily totals. Pending requests about the user expire.
func Erase(tx *db.Tx, e adminlog.Erasure) error {
	about, err := lockAbout(tx, e)
	if err != nil {
		return err
	}
	for _, r := range about {
		if r.State == Pending && slices.Contains([]string{"user " + e.UserID, "user " + e.Address}, r.Subject) {
			if err := expire(tx, r); err != nil {
				return err
			}
		}
		// The same texts together as in the admin log, so that both change alike.
		request, changed := e.Apply(r.Subject, string(r.Payload), r.Reason)
		decision, changedToo := e.Apply(r.DecisionReason)
		if !changed && !changedToo {
			continue
		}
		r.Subject, r.Payload, r.Reason, r.DecisionReason = request[0], []byte(request[1]), request[2], decision[0]
		if err := saveTexts(tx, r); err != nil {
			return err
		}
	}
	return eraseFromDailyTotals(tx, e)
}
