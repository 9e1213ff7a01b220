package approval

import (
	"encoding/json"
	"fmt"

	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit proves that every request, and how it ended, is what the audit trail says, and
// that no admin caused more alone than one may. That what they caused stands there is for
// the feature to prove that did it.
func Audit(tx *db.Tx) ([]audit.Breach, error) { return audit.Collect(tx, untold, tooMuchAlone) }

func untold(tx *db.Tx) (found []audit.Breach, err error) {
	err = eachWithSteps(tx, func(r Request, subject string, began, ended step) error {
		if subject != r.subject() || !r.began(began) || !r.ended(ended) {
			found = append(found, audit.Breach{
				Rule: "what waits for a second admin stands in the audit trail", Row: "approval " + r.ID,
				Detail: fmt.Sprintf("%s of %s by %s for %q is %s by %s; the trail has %q: %v, then %v", r.Kind, r.Subject, r.AskedBy, r.Why, r.State, r.DecidedBy, subject, began, ended),
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
