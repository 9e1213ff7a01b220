package approval

import (
	"encoding/json"
	"fmt"

	"kaibao/internal/adminlog"
	"kaibao/internal/audit"
	"kaibao/internal/db"
)

// Audit checks that every request and its outcome match the admin log, and that no admin exceeded
// the daily total. That the counted acts are in the admin log is checked by the features that ran
// them.
func Audit(tx *db.Tx) ([]audit.Breach, error) {
	return audit.Collect(tx, findUnloggedRequests, findExceededDailyTotals, findWrongErasures)
}

func findWrongErasures(tx *db.Tx) ([]audit.Breach, error) {
	return adminlog.FindWrongErasures(tx, "solo_acts", "number")
}

func findUnloggedRequests(tx *db.Tx) (found []audit.Breach, err error) {
	err = eachWithLogSteps(tx, func(r Request, subject string, began, ended logStep) error {
		if subject != r.logSubject() || !r.matchesRequestStep(began) || !r.matchesFinalStep(ended) {
			found = append(found, audit.Breach{
				Rule: "each approval request must match its entries in the admin log", Row: "approval " + r.ID,
				Detail: fmt.Sprintf("%s of %s, requested by %s for %q, is %s by %s; but the admin log has subject %q, request %v, decision %v", r.Kind, r.Subject, r.AskedBy, r.Reason, r.State, r.DecidedBy, subject, began, ended),
			})
		}
		return nil
	})
	return found, err
}

func (r Request) matchesRequestStep(s logStep) bool {
	var logged requestLogEntry
	return json.Unmarshal([]byte(s.became), &logged) == nil && logged.Kind == r.Kind && logged.Subject == r.Subject && logged.ExpiresAt.Equal(r.ExpiresAt) &&
		s.by == r.AskedBy && s.request == string(r.Payload) && s.reason == r.Reason && s.at.Equal(r.CreatedAt)
}

func (r Request) matchesFinalStep(s logStep) bool {
	if r.State == Pending {
		return s.became == ""
	}
	var logged stateLogEntry
	return json.Unmarshal([]byte(s.became), &logged) == nil && logged.State == r.State && s.by == r.DecidedBy && s.reason == r.DecisionReason && s.at.Equal(r.DecidedAt)
}
