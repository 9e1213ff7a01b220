// Package adminlog records every admin act and every command that changes something, every export
// and every view of a user's admin page. Rows can't be deleted, and only Erase can update them, to
// remove a deleted user's name and address.
package adminlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/policy"
)

// Change is the effect of an act.
type Change struct {
	Subject string // kind and id of the object, such as "item pkm-001"
	Before  any    // previous state, encoded as JSON; nil = the object is new
	After   any    // new state; nil = the object was deleted
	Reason  string // reason in the admin's own words; may be empty
}

// Act is a row of the log: an admin act, an export, a view of a user's page, or a command that changed
// something.
type Act struct {
	Admin   string // a user's id; empty = a command or a job
	Name    string // the operation's id
	Path    string // path of the request, or the command line
	Request []byte // request body as JSON; nil = none beyond the path
	Change
}

// CheckReason refuses an empty reason, and one that is longer than policy.MaxReasonLength.
func CheckReason(reason string) error {
	if strings.TrimSpace(reason) == "" {
		return apperr.InvalidField("reason", "is required")
	}
	return apperr.CheckMaxLength("reason", reason, policy.MaxReasonLength)
}

var errNoSubject = errors.New("admin log entry without a subject")

// Record stores an act in its transaction and returns its id. If Before and After are JSON objects,
// it stores only the fields that differ.
func Record(tx *db.Tx, a Act) (id string, err error) {
	if a.Subject == "" {
		return "", fmt.Errorf("%s: %w", a.Name, errNoSubject)
	}
	was, became, err := changedFields(a.Before, a.After)
	if err != nil {
		return "", fmt.Errorf("%s: %w", a.Name, err)
	}
	return insert(tx, a, was, became)
}

// changedFields returns two states as JSON, reduced to the fields that differ if both are objects.
func changedFields(before, after any) (was, became []byte, err error) {
	was, err = json.Marshal(before)
	if err != nil {
		return nil, nil, err
	}
	became, err = json.Marshal(after)
	if err != nil {
		return nil, nil, err
	}
	old, now := jsonFields(was), jsonFields(became)
	if old == nil || now == nil {
		return was, became, nil
	}
	for field, value := range maps.Clone(now) {
		if bytes.Equal(old[field], value) {
			delete(old, field)
			delete(now, field)
		}
	}
	was, err = json.Marshal(old)
	if err != nil {
		return nil, nil, err
	}
	became, err = json.Marshal(now)
	return was, became, err
}

// jsonFields returns the fields of a JSON object; nil for other JSON values.
func jsonFields(text []byte) (object map[string]json.RawMessage) {
	if err := json.Unmarshal(text, &object); err != nil {
		return nil
	}
	return object
}
