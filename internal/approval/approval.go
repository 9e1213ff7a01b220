// Package approval holds admin acts that need a second admin. A request stays pending until another
// admin approves it, which runs the act in the same transaction, or refuses it, or until it
// expires.
package approval

import (
	"encoding/json"
	"errors"
	"time"

	"kaibao/internal/adminlog"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/policy"
)

// Kind is the act that a request asks for.
type Kind string

// The kinds. The app package connects each to the feature that runs it.
const (
	Credit      Kind = "credit"       // points for a user
	AcceptLoss  Kind = "accept-loss"  // a pack's possible loss; the pack may go on sale with it
	Refund      Kind = "refund"       // a claim whose items were lost
	Replace     Kind = "replace"      // the items of such a claim with others
	Value       Kind = "value"        // raised values of items
	ChangeRates Kind = "change-rates" // the fees on trades
	Debit       Kind = "debit"        // points taken back from a user
	Unfreeze    Kind = "unfreeze"     // a user's account that holds much
	Promote     Kind = "promote"      // a user to admin; an admin can approve requests too
)

// State is the state of a request.
type State string

// The states. All but Pending are final.
const (
	Pending  State = "pending"
	Approved State = "approved"
	Refused  State = "refused"
	Expired  State = "expired"
)

// Request is an act that one admin asks for and another decides.
type Request struct {
	ID             string
	Kind           Kind
	Subject        string          // what the act is done to, as the admin log names it
	Payload        json.RawMessage // everything the act needs
	Reason         string
	AskedBy        string // an admin's user ID
	CreatedAt      time.Time
	ExpiresAt      time.Time
	State          State
	DecidedBy      string // an admin's user ID; empty if undecided, expired or decided by a command
	DecisionReason string // the reason for the decision
	DecidedAt      time.Time
}

// Path is the source that the admin log shows for the request's act.
func (r Request) Path() string { return "/api/admin/approvals/" + r.ID }

// Admins returns the user IDs of the admin who asked and, unless a command decided, of the one who
// decided.
func (r Request) Admins() []string {
	if r.DecidedBy == "" {
		return []string{r.AskedBy}
	}
	return []string{r.AskedBy, r.DecidedBy}
}

// Handler runs an approved request and records it in the admin log.
type Handler func(tx *db.Tx, r Request) error

// Service lists requests and decides them.
type Service struct {
	DB       *db.DB
	Handlers map[Kind]Handler
}

var errAlreadyPending = apperr.New(apperr.RequestWaiting, "Another request of this kind is already awaiting approval. Nothing was changed.")

// Ask stores a pending request with its kind, subject, payload, reason and admin. Only one request
// per kind and subject can be pending.
func Ask(tx *db.Tx, r Request) (Waiting, error) {
	r.ID, r.CreatedAt, r.State = tx.NewID(), tx.Now, Pending
	r.ExpiresAt = tx.Now.Add(policy.ApprovedWithin)
	err := insert(tx, r)
	if db.IsDuplicate(err) {
		return Waiting{}, errAlreadyPending
	}
	if err != nil {
		return Waiting{}, err
	}
	_, err = adminlog.Record(tx, adminlog.Act{Admin: r.AskedBy, Name: askAct, Path: r.Path(), Request: r.Payload, Change: adminlog.Change{
		Subject: r.logSubject(), After: requestLogEntry{r.Kind, r.Subject, r.State, r.ExpiresAt.UTC()}, Reason: r.Reason,
	}})
	if err != nil {
		return Waiting{}, err
	}
	return findView(tx, r.ID)
}

// The names of a request's steps in the admin log.
const (
	askAct    = "ask-approval"
	decideAct = "decide-approval"
	expireAct = "expire-approval"
)

// requestLogEntry is a new request in the admin log; stateLogEntry is a change of its state.
type (
	requestLogEntry struct {
		Kind      Kind      `json:"kind"`
		Subject   string    `json:"subject"`
		State     State     `json:"state"`
		ExpiresAt time.Time `json:"expiresAt"`
	}
	stateLogEntry struct {
		State State `json:"state"`
	}
)

// PendingEntry is, in the admin log, the state of a subject about which a request waits for approval.
type PendingEntry struct {
	Approval string `json:"approval"` // id of the request
}

func (r Request) logSubject() string { return "approval " + r.ID }

var (
	errOwnRequest    = apperr.New(apperr.Forbidden, "You can't decide your own request. Another admin can.")
	errNotAdmin      = apperr.New(apperr.Forbidden, "You need the admin role for this.")
	errAskerNotAdmin = apperr.New(apperr.Conflict, "The admin who made this request no longer has the role. It can only be refused.")
	errExpired       = apperr.New(apperr.Conflict, "This request has expired.")
)

// decide records the decision of another admin, or of a command if admin is empty. If approved, the
// act runs in the same transaction; if the act fails, the request stays pending.
func (s *Service) decide(tx *db.Tx, admin, id string, approve bool, why string) (r Request, err error) {
	if err := adminlog.CheckReason(why); err != nil {
		return r, err
	}
	r, err = lock(tx, id)
	if errors.Is(err, db.ErrNoRow) {
		return r, apperr.Missing("Request")
	}
	if err != nil {
		return r, err
	}
	admins, err := areAdmins(tx, admin, r.AskedBy)
	if err != nil {
		return r, err
	}
	switch {
	case admin == r.AskedBy:
		return r, errOwnRequest
	case admin != "" && !admins[admin]: // the role may have been removed since the call was authorized
		return r, errNotAdmin
	case r.State != Pending:
		return r, apperr.New(apperr.Conflict, "This request is already "+string(r.State)+".")
	case !tx.Now.Before(r.ExpiresAt):
		return r, errExpired
	case approve && !admins[r.AskedBy]:
		return r, errAskerNotAdmin
	}
	r.State, r.DecidedBy, r.DecisionReason = Refused, admin, why
	if approve {
		r.State = Approved
		if err := s.Handlers[r.Kind](tx, r); err != nil {
			return r, err
		}
	}
	r.DecidedAt = tx.Now
	return r, save(tx, r)
}

// DecideByCommand decides a request from the server's command line in place of a second admin. The
// admin log names the command.
func (s *Service) DecideByCommand(tx *db.Tx, id string, approve bool, why, command string) (Waiting, error) {
	r, err := s.decide(tx, "", id, approve, why)
	if err != nil {
		return Waiting{}, err
	}
	_, err = adminlog.Record(tx, adminlog.Act{Name: decideAct, Path: command, Change: r.decisionChange()})
	if err != nil {
		return Waiting{}, err
	}
	return findView(tx, r.ID)
}

// decisionChange returns the decision as the admin log records it.
func (r Request) decisionChange() adminlog.Change {
	return adminlog.Change{Subject: r.logSubject(), Before: stateLogEntry{Pending}, After: stateLogEntry{r.State}, Reason: r.DecisionReason}
}
