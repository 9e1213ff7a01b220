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

// Response is the response to a request, either new or stored when its key was first used.
type Response struct {
	Body     []byte // the body, or the data to build it from
	Replayed bool
}

// KeyLifetime is how long a response is stored.
const KeyLifetime = 7 * 24 * time.Hour

var errKeyReused = apperr.New(apperr.IdempotencyMismatch,
	"This Idempotency-Key was used for a different request.")

// Jobs returns the job that deletes expired responses.
func Jobs(d *db.DB) []jobs.Job { return []jobs.Job{jobs.Pruning(d, "old responses", deleteExpired)} }

// Do returns a response to every request, in order. Requests whose key was used before get the
// stored response. The others are passed to act by their indexes, if there are any. act returns
// their responses in order, which are stored. If it refuses a request, nothing is stored, so that
// the client can retry it.
//
// Do calls admit after it has looked up the stored responses. admit returns for each request an
// error that refuses it, even if a response is stored, or nil. Two requests of a call must not have
// the same key.
func Do(tx *db.Tx, requests []Request, admit func() (refusals []error, err error),
	act func(fresh []int) ([]batch.Outcome[[]byte], error)) ([]batch.Outcome[Response], error) {
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
	responses := map[keyHash]storedResponse{}
	for m, n := range fresh {
		outcomes[n] = batch.Outcome[Response]{Value: Response{Body: acted[m].Value}, Err: acted[m].Err}
		if acted[m].Err == nil {
			responses[requests[n].keyHash()] = storedResponse{requests[n].Fingerprint, acted[m].Value}
		}
	}
	if len(responses) == 0 {
		return outcomes, waitForReplication(tx, kept)
	}
	return outcomes, store(tx, responses)
}

// replay fills in the refused requests and the stored responses. It returns the indexes of the
// other requests as fresh.
func replay(requests []Request, refusals []error, kept map[keyHash]storedResponse) (outcomes []batch.Outcome[Response], fresh []int) {
	outcomes = make([]batch.Outcome[Response], len(requests))
	for n, r := range requests {
		switch earlier, done := kept[r.keyHash()]; {
		case refusals[n] != nil:
			outcomes[n].Err = refusals[n]
		case !done:
			fresh = append(fresh, n)
		case !bytes.Equal(earlier.fingerprint, r.Fingerprint):
			outcomes[n].Err = errKeyReused
		default:
			outcomes[n].Value = Response{Body: earlier.body, Replayed: true}
		}
	}
	return outcomes, fresh
}
