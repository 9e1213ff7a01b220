package approval

import (
	"context"
	"encoding/json"
	"time"

	"kaibao/internal/action"
	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/csvfile"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/jobs"
	"kaibao/internal/money"
)

// Waiting is a request, pending or decided, as the API returns it.
type Waiting struct {
	ID        string          `json:"id"`
	Kind      Kind            `json:"kind" enum:"credit,accept-loss,refund,replace,value,promote,change-rates,debit,unfreeze"`
	Subject   string          `json:"subject" doc:"Kind and id of the object, such as item pkm-001."`
	Payload   json.RawMessage `json:"payload" doc:"What happens on approval."`
	Reason    string          `json:"reason"`
	AskedBy   string          `json:"askedBy" doc:"Address of the admin who made the request. Another admin decides."`
	CreatedAt string          `json:"createdAt"`
	ExpiresAt string          `json:"expiresAt"`
	State     State           `json:"state" enum:"pending,approved,refused,expired"`
	DecidedBy string          `json:"decidedBy,omitempty" doc:"Address of the admin who decided; absent while pending, after expiry, and for decisions by a command on the server."`
	Decision  string          `json:"decision,omitempty" doc:"Reason of the decision."`
	DecidedAt string          `json:"decidedAt,omitempty"`
	Debit     *DebitOutcome   `json:"debit,omitempty" doc:"What an approved debit took; absent for all other requests."`
}

// DebitOutcome is the outcome of an approved debit.
type DebitOutcome struct {
	TakenCents   money.Cents `json:"takenCents" doc:"Taken from the user."`
	MissingCents money.Cents `json:"missingCents" doc:"What the user didn't have. It isn't owed."`
}

type listInput struct {
	csvfile.PagedInput
	httpapi.Period
	User  string `query:"user" maxLength:"64" doc:"The id of the admin who made the request."`
	State string `query:"state" enum:"pending,approved,refused,expired"`
	Kind  string `query:"kind" enum:"credit,accept-loss,refund,replace,value,promote,change-rates,debit,unfreeze"`
}

type decideInput struct {
	action.Idempotent
	ID   httpapi.PathID `path:"id"`
	Body struct {
		Decision string `json:"decision" enum:"approve,refuse"`
		Reason   string `json:"reason" minLength:"1" maxLength:"500"`
	}
}

// Routes registers the routes that list and decide requests.
func (s *Service) Routes(api *httpapi.API) {
	csvfile.Table(api, httpapi.Get(httpapi.Admin, "/api/admin/approvals", "list-approvals", "Requests for a second admin, pending and decided, newest first"),
		"kaibao-approvals", []string{"time", "id", "kind", "subject", "state", "requestedBy", "reason", "decidedBy", "decision", "decidedAt", "payload"}, csvRecord,
		func(ctx context.Context, in *listInput) (*httpapi.List[Waiting], error) {
			return httpapi.Paged(ctx, s.DB.Read, in.Page, in.selection, list)
		})
	action.Handle(api, httpapi.Post(httpapi.Admin, "/api/admin/approvals/{id}", decideAct, "Approve or refuse another admin's request",
		apperr.Conflict, apperr.RequestOutdated, apperr.OwnInterest, apperr.Margin, apperr.InsufficientFunds),
		func(tx *db.Tx, admin httpapi.Principal, in *decideInput) (Waiting, error) {
			r, err := s.decide(tx, admin.UserID, string(in.ID), in.Body.Decision == "approve", in.Body.Reason)
			if err != nil {
				return Waiting{}, err
			}
			in.Changed(r.decisionChange())
			return findView(tx, r.ID)
		})
}

func csvRecord(w Waiting) []string {
	return []string{
		w.CreatedAt, w.ID, string(w.Kind), w.Subject, string(w.State), w.AskedBy, w.Reason, w.DecidedBy, w.Decision, w.DecidedAt, string(w.Payload),
	}
}

// Jobs returns the job that expires old requests.
func Jobs(d *db.DB) []jobs.Job {
	return []jobs.Job{{Name: "expired approvals", Every: time.Minute, Limit: time.Minute, Do: func(ctx context.Context) (int64, error) {
		return 0, d.InTx(ctx, Expire)
	}}}
}

// Expire expires the requests that weren't decided in time.
func Expire(tx *db.Tx) error {
	old, err := lockExpired(tx)
	for _, r := range old {
		if err := expire(tx, r); err != nil {
			return err
		}
	}
	return err
}

// expire ends a locked pending request without a decision.
func expire(tx *db.Tx, r Request) error {
	r.State, r.DecidedAt = Expired, tx.Now
	if err := save(tx, r); err != nil {
		return err
	}
	_, err := adminlog.Record(tx, adminlog.Act{Name: expireAct, Path: r.Path(), Change: adminlog.Change{
		Subject: r.logSubject(), Before: stateLogEntry{Pending}, After: stateLogEntry{Expired},
	}})
	return err
}
