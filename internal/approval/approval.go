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

// Kind is what is asked for.
type Kind string

// The kinds. What each does is the feature's, and wired by app.
const (
	Credit      Kind = "credit"       // points for a user
	AcceptLoss  Kind = "accept-loss"  // of a pack, which goes on sale with it
	Refund      Kind = "refund"       // of a claim whose items were lost
	Replace     Kind = "replace"      // the items of such a claim by others
	Value       Kind = "value"        // items, higher than before
	ChangeRates Kind = "change-rates" // the house's parts of trades
	Promote     Kind = "promote"      // a user to an admin, who then approves too
)

// State is where a request is in its life.
type State string

// The states; all but the first are ends.
const (
	Pending  State = "pending"
	Approved State = "approved"
	Refused  State = "refused"
	Expired  State = "expired"
)

// Request is what an admin asks another one for.
type Request struct {
	ID        string
	Kind      Kind
	Subject   string          // to what it is done, as the audit trail names it
	Payload   json.RawMessage // all that the act needs
	Why       string
	AskedBy   string // an admin's user id
	CreatedAt time.Time
	ExpiresAt time.Time
	State     State
	DecidedBy string // an admin's user id; empty before, of what is too old, and by a command
	Decision  string // why it was decided so
	DecidedAt time.Time
}

// Path is where the act of a request says that it came from, in the audit trail.
func (r Request) Path() string { return "/api/admin/approvals/" + r.ID }

// Admins are the user ids of who asked, and of who decided where it was no command.
func (r Request) Admins() []string {
	if r.DecidedBy == "" {
		return []string{r.AskedBy}
	}
	return []string{r.AskedBy, r.DecidedBy}
}

// Act does what a request asks for, and writes its own line into the audit trail.
type Act func(tx *db.Tx, r Request) error

// Service lists and decides requests.
type Service struct {
	DB   *db.DB
	Acts map[Kind]Act
}

var errWaiting = apperr.New(apperr.RequestWaiting, "A request of this kind for the same subject is waiting for a second admin already. Nothing was done.")

// Ask lets a request stand: its kind, subject, payload, reason and who asks. There is one
// of a kind for a subject at a time.
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
		Subject: r.subject(), After: asked{r.Kind, r.Subject, r.State, r.ExpiresAt.UTC()}, Why: r.Why,
	}})
	if err != nil {
		return Waiting{}, err
	}
	return one(tx, r.ID)
}

// The steps of a request, in the audit trail.
const (
	asking   = "ask-approval"
	deciding = "decide-approval"
	expiring = "expire-approval"
)

// asked is a request as the trail has it; moved is what becomes of it.
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

// subject names the request itself in the audit trail.
func (r Request) subject() string { return "approval " + r.ID }

var (
	errOwn     = apperr.New(apperr.Forbidden, "You can't decide your own request. Another admin can.")
	errNoAdmin = apperr.New(apperr.Forbidden, "You need admin privileges for this.")
	errLeft    = apperr.New(apperr.Conflict, "The admin who asked for this no longer has the role. It can only be refused.")
	errTooOld  = apperr.New(apperr.Conflict, "This request has expired.")
)

// decide is another admin's decision, or a command's, where admin is empty. Approved, it
// does the act at once, or fails with it and goes on waiting.
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
	case admin != "" && !admins[admin]: // the role may have gone since the call began
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
	r.DecidedAt = tx.Now // the act may have stated the time anew
	return r, save(tx, r)
}

// DecideByCommand is the decision of whoever runs the server, in the place of a second
// admin; the audit trail names the command.
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

// decided is a decision, as the trail has it.
func (r Request) decided() adminlog.Change {
	return adminlog.Change{Subject: r.subject(), Before: moved{Pending}, After: moved{r.State}, Why: r.Decision}
}
