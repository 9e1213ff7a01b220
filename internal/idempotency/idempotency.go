// Package idempotency runs each act once per key. The response is stored in the act's transaction
// and returned to every retry.
package idempotency

import (
	"bytes"
	"slices"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/jobs"
)

// Owner is whose a key is, as kind:name; the keys of two owners never meet.
type Owner string

// User owns the keys that a user sends.
func User(id string) Owner { return Owner("user:" + id) }

// Request is what is asked for under a key.
type Request struct {
	Owner       Owner
	Key         string
	Fingerprint []byte // equal for two requests that ask for the same
}

// Answer is what a request was answered with, now or when its key was first used.
type Answer struct {
	Body     []byte // or what it follows from
	Replayed bool
}

// Lifetime is how long an answer is kept.
const Lifetime = 7 * 24 * time.Hour

var errReused = apperr.New(apperr.IdempotencyMismatch,
	"This Idempotency-Key was used for a different request.")

// Jobs forget what is older than its Lifetime.
func Jobs(d *db.DB) []jobs.Job { return []jobs.Job{jobs.Pruning(d, "old answers", forget)} }

// Do answers every request, in order: one that was done before with what is kept,
// the rest with what act makes of them, which is kept. admit is asked first, when the
// database has said what is kept: it gives for each request why it may not be answered at
// all, or nil. act is told the places of the rest, if there are any, and answers them in
// their order; nothing is kept of one that it refuses, so that it can be asked for again.
// Two requests under one key must not come together.
func Do(tx *db.Tx, requests []Request, admit func() (refusals []error, err error),
	act func(fresh []int) ([]db.Outcome[[]byte], error)) ([]db.Outcome[Answer], error) {
	kept, err := find(tx, requests)
	if err != nil {
		return nil, err
	}
	refusals, err := admit()
	if err != nil {
		return nil, err
	}
	outcomes, fresh := replay(requests, refusals, kept)
	if len(fresh) == 0 {
		return outcomes, settle(tx, kept)
	}
	acted, err := act(fresh)
	if err != nil || slices.ContainsFunc(acted, func(o db.Outcome[[]byte]) bool { return o.Err != nil }) {
		// A twin that committed while this one waited for it may be the reason.
		if twins, _ := find(tx, requests); len(twins) > len(kept) {
			return nil, db.ErrAgain
		}
	}
	if err != nil {
		return nil, err
	}
	answers := map[place]answer{}
	for m, n := range fresh {
		outcomes[n] = db.Outcome[Answer]{Value: Answer{Body: acted[m].Value}, Err: acted[m].Err}
		if acted[m].Err == nil {
			answers[requests[n].place()] = answer{requests[n].Fingerprint, acted[m].Value}
		}
	}
	if len(answers) == 0 {
		return outcomes, settle(tx, kept)
	}
	return outcomes, keep(tx, answers)
}

// replay answers those that are refused or were done before, and gives the places of the
// others.
func replay(requests []Request, refusals []error, kept map[place]answer) (outcomes []db.Outcome[Answer], fresh []int) {
	outcomes = make([]db.Outcome[Answer], len(requests))
	for n, r := range requests {
		switch earlier, done := kept[r.place()]; {
		case refusals[n] != nil:
			outcomes[n].Err = refusals[n]
		case !done:
			fresh = append(fresh, n)
		case !bytes.Equal(earlier.fingerprint, r.Fingerprint):
			outcomes[n].Err = errReused
		default:
			outcomes[n].Value = Answer{Body: earlier.body, Replayed: true}
		}
	}
	return outcomes, fresh
}
