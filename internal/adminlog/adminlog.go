// Package adminlog records every admin act and every command that changes something. The table is
// append-only: the database refuses updates and deletes.
package adminlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"kaibao/internal/db"
)

// Change is what an act did.
type Change struct {
	Subject string // to what: a kind and an id, such as "item pkm-001"
	Before  any    // as it was, written as JSON; nil = it was not there
	After   any    // as it is now; nil = it is no more
	Why     string // in the words of who did it; may be empty
}

// Act is a line of the trail.
type Act struct {
	Admin   string // a user's id; empty = the program itself: a command or a job
	Name    string // the operation's id
	Path    string // of the call, or the command as it is typed
	Request []byte // what was asked for, in JSON; nil = no more than the path says
	Change
}

var errNoSubject = errors.New("an act must say what it was done to")

// Record keeps an act in its transaction, and names the line. Of two objects it keeps the
// fields that differ.
func Record(tx *db.Tx, a Act) (id string, err error) {
	if a.Subject == "" {
		return "", fmt.Errorf("%s: %w", a.Name, errNoSubject)
	}
	was, became, err := differing(a.Before, a.After)
	if err != nil {
		return "", fmt.Errorf("%s: %w", a.Name, err)
	}
	return insert(tx, a, was, became)
}

// differing writes two states as JSON: of two objects, what differs.
func differing(before, after any) (was, became []byte, err error) {
	was, err = json.Marshal(before)
	if err != nil {
		return nil, nil, err
	}
	became, err = json.Marshal(after)
	if err != nil {
		return nil, nil, err
	}
	old, now := fields(was), fields(became)
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

// fields are those of a JSON object; nil of anything else.
func fields(text []byte) (found map[string]json.RawMessage) {
	if err := json.Unmarshal(text, &found); err != nil {
		return nil
	}
	return found
}
