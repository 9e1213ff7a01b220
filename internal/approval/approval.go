// Package approval holds admin acts that need a second admin. A request stays pending until another
// admin approves it, which runs the act in the same transaction, or refuses it, or until it
// expires.
package approval

import (
	"encoding/json"
	"errors"
	"strings"
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
	ID        string
	Kind      Kind
	Subject   string          // what the act is done to, as the admin log names it
	Payload   json.RawMessage // everything the act needs
	Why       string
	AskedBy   string // an admin's user ID
	CreatedAt time.Time
	ExpiresAt time.Time
	State     State
	DecidedBy string // an admin's user ID; empty if undecided, expired or decided by a command
	Decision  string // the reason for the decision
	DecidedAt time.Time
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

// Act runs an approved request and records it in the admin log.
type Act func(tx *db.Tx, r Request) error

// Service lists requests and decides them.
type Service struct {
	DB   *db.DB
	Acts map[Kind]Act
}

var errWaiting = apperr.New(apperr.RequestWaiting, "A request of this kind for the same subject is waiting for a second admin already. Nothing was done.")

// Ask stores a pending request with its kind, subject, payload, reason and admin. Only one request
// per kind and subject can be pending.
func Ask(tx *db.Tx, r Request) (Waiting, error) {
	r.ID, r.CreatedAt, r.State = tx.NewID(), tx.Now, Pending
	r.ExpiresAt = tx.Now.Add(policy.ApprovedWithin)
	err := insert(tx, r)
	if db.IsDuplicate(err) {
		return Waiting{}, errWaiting
	}
	if err != nil {
		return Waiting{}, err
	}
	_, err = adminlog.Record(tx, adminlog.Act{Admin: r.AskedBy, Name: asking, Path: r.Path(), Request: r.Payload, Change: adminlog.Change{
		Subject: r.logSubject(), After: asked{r.Kind, r.Subject, r.State, r.ExpiresAt.UTC()}, Why: r.Why,
	}})
	if err != nil {
		return Waiting{}, err
	}
	return one(tx, r.ID)
}

// The names of a request's steps in the admin log.
const (
	asking   = "ask-approval"
	deciding = "decide-approval"
	expiring = "expire-approval"
)

// asked is a new request in the admin log; moved is its change of state.
type (
	asked struct {
		Kind      Kind      `json:"kind"`
		Subject   string    `json:"subject"`
		State     State     `json:"state"`
		ExpiresAt time.Time `json:"expiresAt"`
	}
	moved struct {
		State State `json:"state"`
	}
)

func (r Request) logSubject() string { return "approval " + r.ID }

var (
	errOwn     = apperr.New(apperr.Forbidden, "You can't decide your own request. Another admin can.")
	errNoAdmin = apperr.New(apperr.Forbidden, "You need admin privileges for this.")
	errLeft    = apperr.New(apperr.Conflict, "The admin who asked for this no longer has the role. It can only be refused.")
	errTooOld  = apperr.New(apperr.Conflict, "This request has expired.")
)

// decide records the decision of another admin, or of a command if admin is empty. If approved, the
// act runs in the same transaction; if the act fails, the request stays pending.
func (s *Service) decide(tx *db.Tx, admin, id string, approve bool, why string) (r Request, err error) {
	if strings.TrimSpace(why) == "" {
		return r, apperr.InvalidField("reason", "must say why")
	}
	if err := apperr.Short("reason", why, policy.LongestReason); err != nil {
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
		return r, errOwn
	case admin != "" && !admins[admin]: // the role may have been removed since the call was authorized
		return r, errNoAdmin
	case r.State != Pending:
		return r, apperr.New(apperr.Conflict, "This request is "+string(r.State)+" already.")
	case !tx.Now.Before(r.ExpiresAt):
		return r, errTooOld
	case approve && !admins[r.AskedBy]:
		return r, errLeft
	}
	r.State, r.DecidedBy, r.Decision = Refused, admin, why
	if approve {
		r.State = Approved
		if err := s.Acts[r.Kind](tx, r); err != nil {
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
	_, err = adminlog.Record(tx, adminlog.Act{Name: deciding, Path: command, Change: r.decided()})
	if err != nil {
		return Waiting{}, err
	}
	return one(tx, r.ID)
}

// decided returns the decision as the admin log records it.
func (r Request) decided() adminlog.Change {
	return adminlog.Change{Subject: r.logSubject(), Before: moved{Pending}, After: moved{r.State}, Why: r.Decision}
}
