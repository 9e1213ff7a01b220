// Package idempotency runs each act once per key. The response is stored in the act's transaction
// and returned to every retry.
package idempotency

import (
	"bytes"
	"slices"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/jobs"
)

// Owner is the owner of keys, as kind:name. Different owners can use the same key.
type Owner string

// User returns the owner of the keys that a user sends.
func User(id string) Owner { return Owner("user:" + id) }

// Request is a request with an idempotency key.
type Request struct {
	Owner       Owner
	Key         string
	Fingerprint []byte // equal for equal requests
}

// Answer is the response to a request, either new or stored when its key was first used.
type Answer struct {
	Body     []byte // the body, or the data to build it from
	Replayed bool
}

// KeyLifetime is how long an answer is stored.
const KeyLifetime = 7 * 24 * time.Hour

var errKeyReused = apperr.New(apperr.IdempotencyMismatch,
	"This Idempotency-Key was used for a different request.")

// Jobs returns the job that deletes expired answers.
func Jobs(d *db.DB) []jobs.Job { return []jobs.Job{jobs.Pruning(d, "old responses", deleteExpired)} }

// Do answers every request, in order. Requests whose key was used before get the stored answer. The
// others are passed to act by their indexes, if there are any. act answers them in order, and the
// answers are stored. If it refuses a request, nothing is stored, so that the client can retry it.
//
// Do calls admit after it has looked up the stored answers. admit returns for each request an error
// if it must not be answered at all, or nil. Two requests of a call must not have the same key.
func Do(tx *db.Tx, requests []Request, admit func() (refusals []error, err error),
	act func(fresh []int) ([]batch.Outcome[[]byte], error)) ([]batch.Outcome[Answer], error) {
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
		return outcomes, waitForReplication(tx, kept)
	}
	acted, err := act(fresh)
	if err != nil || slices.ContainsFunc(acted, func(o batch.Outcome[[]byte]) bool { return o.Err != nil }) {
		// The reason may be a concurrent retry that committed while this transaction waited for it.
		if twins, _ := find(tx, requests); len(twins) > len(kept) {
			return nil, db.ErrAgain
		}
	}
	if err != nil {
		return nil, err
	}
	answers := map[keyHash]storedAnswer{}
	for m, n := range fresh {
		outcomes[n] = batch.Outcome[Answer]{Value: Answer{Body: acted[m].Value}, Err: acted[m].Err}
		if acted[m].Err == nil {
			answers[requests[n].keyHash()] = storedAnswer{requests[n].Fingerprint, acted[m].Value}
		}
	}
	if len(answers) == 0 {
		return outcomes, waitForReplication(tx, kept)
	}
	return outcomes, store(tx, answers)
}

// replay fills in the refused requests and the stored answers. It returns the indexes of the other
// requests as fresh.
func replay(requests []Request, refusals []error, kept map[keyHash]storedAnswer) (outcomes []batch.Outcome[Answer], fresh []int) {
	outcomes = make([]batch.Outcome[Answer], len(requests))
	for n, r := range requests {
		switch earlier, done := kept[r.keyHash()]; {
		case refusals[n] != nil:
			outcomes[n].Err = refusals[n]
		case !done:
			fresh = append(fresh, n)
		case !bytes.Equal(earlier.fingerprint, r.Fingerprint):
			outcomes[n].Err = errKeyReused
		default:
			outcomes[n].Value = Answer{Body: earlier.body, Replayed: true}
		}
	}
	return outcomes, fresh
}
