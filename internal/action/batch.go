package action

import (
	"context"
	"errors"
	"fmt"

	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/httpapi"
)

// Batch defines an act that runs for many callers in one transaction. All fields but Begin are
// optional and run outside of the transaction. Without a Name, the response is stored as it is.
type Batch[I, B any] struct {
	// Begin queues the reads and locks of all calls (db.Queue), so that they share a round
	// trip with the lookup of their idempotency keys, and returns the function that executes
	// those not done before. No user has two calls in a batch. A refused call must have
	// written nothing. After an error all calls run again, one by one.
	Begin func(tx *db.Tx, calls []Call[I]) Execute[I, B]
	// Retry adds to a refused call what it needs to succeed on a second try, or returns the
	// refusal.
	Retry func(ctx context.Context, call Call[I], refusal error) error
	// Name returns the id that is stored instead of a response, and Rebuild makes the response
	// from it. Finish adds to new and rebuilt responses what takes long.
	Name    func(answer B) string
	Rebuild func(ctx context.Context, call Call[I], name string) (B, error)
	Finish  func(answer *B) error
}

// Execute runs some of the calls of a batch.
type Execute[I, B any] func(calls []Call[I]) ([]batch.Outcome[B], error)

// WithoutPrefetch makes a Begin of an act that queues nothing.
func WithoutPrefetch[I, B any](act func(tx *db.Tx, calls []Call[I]) ([]batch.Outcome[B], error)) func(*db.Tx, []Call[I]) Execute[I, B] {
	return func(tx *db.Tx, _ []Call[I]) Execute[I, B] {
		return func(calls []Call[I]) ([]batch.Outcome[B], error) { return act(tx, calls) }
	}
}

// HandleBatch is Handle for a busy route: concurrent calls share one transaction. It also checks the
// sessions that the node remembers, so that recent callers need no lookup before.
func HandleBatch[I, B any, P keyed[I]](api *httpapi.API, route httpapi.Route, t Batch[I, B]) {
	stored := encode[B]
	if t.Name != nil {
		stored = func(answer B) ([]byte, error) { return db.ID(t.Name(answer)).Packed() }
	}
	combiner := batch.NewCombiner(api.DB,
		func(call Call[I]) string { return call.Caller.UserID },
		func(tx *db.Tx, calls []Call[I]) ([]batch.Outcome[done[B]], error) {
			return answered[I, B, P](api, tx, calls, proof(api, tx, calls), t.Begin(tx, calls), stored)
		})
	api.OnClose(combiner.Close)
	remembering := route
	remembering.VerifiesSession = true
	register[I, B, P](api, remembering, func(ctx context.Context, call Call[I]) (*reply, error) {
		d, err := combiner.Do(ctx, call)
		if errors.Is(err, errUnproven) {
			call.Caller, err = api.Readmit(ctx, route)
			if err == nil {
				d, err = combiner.Do(ctx, call)
			}
		}
		if err != nil && t.Retry != nil {
			err = t.Retry(ctx, call, err)
			if err == nil {
				d, err = combiner.Do(ctx, call)
			}
		}
		if err != nil || t.Name == nil {
			return d.reply(d.Body), err
		}
		if d.Replayed {
			name, err := db.Unpacked(d.Body)
			if err != nil {
				return nil, err
			}
			d.value, err = t.Rebuild(ctx, call, name)
			if err != nil {
				return nil, err
			}
		}
		return d.finish(t.Finish)
	})
}

// errUnproven reports that a session ended or changed between its lookup and its caller's act.
var errUnproven = httpapi.ErrUnauthenticated.Because(errors.New("session ended or changed during the request"))

// proof queues a check that the calls' sessions still prove their callers. The returned function
// yields nil or errUnproven for each call.
func proof[I any](api *httpapi.API, tx *db.Tx, calls []Call[I]) func() ([]error, error) {
	callers := make([]httpapi.Principal, len(calls))
	for n, call := range calls {
		callers[n] = call.Caller
	}
	ask := api.Proven(tx, callers)
	return func() ([]error, error) {
		proven, err := ask()
		if err != nil {
			return nil, fmt.Errorf("look up the sessions: %w", err)
		}
		refusals := make([]error, len(callers))
		for n, caller := range callers {
			if !proven[caller] {
				refusals[n] = errUnproven
			}
		}
		return refusals, nil
	}
}
