package approval

import (
	"encoding/json"
	"fmt"

	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit checks that every request and its outcome match the admin log, and that no admin exceeded
// the daily total. That the counted acts are in the admin log is checked by the features that ran
// them.
func Audit(tx *db.Tx) ([]audit.Breach, error) { return audit.Collect(tx, untold, tooMuchAlone) }

func untold(tx *db.Tx) (found []audit.Breach, err error) {
	err = eachWithSteps(tx, func(r Request, subject string, began, ended step) error {
		if subject != r.logSubject() || !r.began(began) || !r.ended(ended) {
			found = append(found, audit.Breach{
				Rule: "what waits for a second admin stands in the admin log", Row: "approval " + r.ID,
				Detail: fmt.Sprintf("%s of %s by %s for %q is %s by %s; the admin log has %q: %v, then %v", r.Kind, r.Subject, r.AskedBy, r.Why, r.State, r.DecidedBy, subject, began, ended),
			})
		}
		return nil
	})
	return found, err
}

func (r Request) began(s step) bool {
	var told asked
	return json.Unmarshal([]byte(s.became), &told) == nil && told.Kind == r.Kind && told.Subject == r.Subject && told.ExpiresAt.Equal(r.ExpiresAt) &&
		s.by == r.AskedBy && s.request == string(r.Payload) && s.reason == r.Why && s.at.Equal(r.CreatedAt)
}

func (r Request) ended(s step) bool {
	if r.State == Pending {
		return s.became == ""
	}
	var told moved
	return json.Unmarshal([]byte(s.became), &told) == nil && told.State == r.State && s.by == r.DecidedBy && s.reason == r.Decision && s.at.Equal(r.DecidedAt)
}
