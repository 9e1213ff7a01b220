package action

import (
	"context"
	"errors"
	"fmt"

	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/httpapi"
)

// Batch runs the concurrent calls of different users in one transaction (group commit).
// Prepare, PrepareRetry, StoredID, Rebuild and Finish run outside of the transaction. Prepare and
// PrepareRetry are optional. StoredID, Rebuild and Finish are set together or not at all; without them the whole
// response is stored.
type Batch[I, B, Q any] struct {
	// Prepare looks up what a call needs before its transaction. It can't refuse the call, which may
	// repeat one that was executed.
	Prepare func(ctx context.Context, call Call[I])
	// Queue queues the reads and locks of all calls (db.Queue), so that they share a round trip
	// with the lookup of the idempotency keys. No user has two calls in a batch.
	Queue func(tx *db.Tx, calls []Call[I]) Q
	// Execute executes the calls that weren't executed before, with what Queue returned. A refused
	// call must have written nothing. After an error all calls run again, one by one.
	Execute func(tx *db.Tx, queued Q, calls []Call[I]) ([]batch.Outcome[B], error)
	// PrepareRetry supplies what a refused call lacked, so that it can succeed when it runs again,
	// or returns the refusal.
	PrepareRetry func(ctx context.Context, call Call[I], refusal error) error
	// StoredID returns the id that is stored instead of a response, and Rebuild makes the response
	// from it. Finish adds to new and rebuilt responses what takes long.
	StoredID func(response B) string
	Rebuild  func(ctx context.Context, call Call[I], id string) (B, error)
	Finish   func(response *B) error
}

// HandleBatch is Handle for a busy route: concurrent calls share one transaction. execute has the
// same duties as Batch.Execute. The transaction also checks the sessions that the node remembers,
// so that recent callers need no separate lookup.
func HandleBatch[I, B any, P keyed[I]](api *httpapi.API, route httpapi.Route, execute func(tx *db.Tx, calls []Call[I]) ([]batch.Outcome[B], error)) {
	HandleQueuedBatch[I, B, struct{}, P](api, route, Batch[I, B, struct{}]{
		Queue:   func(*db.Tx, []Call[I]) (none struct{}) { return none },
		Execute: func(tx *db.Tx, _ struct{}, calls []Call[I]) ([]batch.Outcome[B], error) { return execute(tx, calls) },
	})
}

// HandleQueuedBatch is HandleBatch for an act that queues its reads in advance.
func HandleQueuedBatch[I, B, Q any, P keyed[I]](api *httpapi.API, route httpapi.Route, b Batch[I, B, Q]) {
	encode := encodeJSON[B]
	if b.StoredID != nil {
		encode = func(response B) ([]byte, error) { return db.ID(b.StoredID(response)).Packed() }
	}
	combiner := batch.NewCombiner(api.DB,
		func(call Call[I]) string { return call.Caller.UserID },
		func(tx *db.Tx, calls []Call[I]) ([]batch.Outcome[result[B]], error) {
			checked := checkSessions(api, tx, calls)
			queued := b.Queue(tx, calls)
			run := func(calls []Call[I]) ([]batch.Outcome[B], error) { return b.Execute(tx, queued, calls) }
			return executeOrReplay[I, B, P](api, tx, calls, checked, run, encode)
		})
	api.OnClose(combiner.Close)
	api.AddQueue(route.ID, combiner.Waiting)
	route.VerifiesSession = true
	register[I, B, P](api, route, func(ctx context.Context, call Call[I]) (*reply, error) {
		if b.Prepare != nil {
			b.Prepare(ctx, call)
		}
		res, err := combiner.Do(ctx, call)
		if errors.Is(err, errSessionChanged) {
			call.Caller, err = api.Readmit(ctx, route)
			if err == nil {
				res, err = combiner.Do(ctx, call)
			}
		}
		if err != nil && b.PrepareRetry != nil {
			err = b.PrepareRetry(ctx, call, err)
			if err == nil {
				res, err = combiner.Do(ctx, call)
			}
		}
		if err != nil || b.StoredID == nil {
			return res.reply(res.Body), err
		}
		if res.Replayed {
			id, err := db.UnpackID(res.Body)
			if err != nil {
				return nil, err
			}
			res.value, err = b.Rebuild(ctx, call, id)
			if err != nil {
				return nil, err
			}
		}
		return res.replyWith(b.Finish)
	})
}

// errSessionChanged reports that a session ended or changed between its lookup and its caller's
// act.
var errSessionChanged = httpapi.ErrUnauthenticated.Because(errors.New("session ended or changed during the request"))

// checkSessions queues a check that the sessions still belong to the calls' callers. Its result has
// nil or errSessionChanged for each call.
func checkSessions[I any](api *httpapi.API, tx *db.Tx, calls []Call[I]) db.Queued[[]error] {
	callers := make([]httpapi.Principal, len(calls))
	for i, call := range calls {
		callers[i] = call.Caller
	}
	queued := api.CheckSessions(tx, callers)
	return func() ([]error, error) {
		valid, err := queued()
		if err != nil {
			return nil, fmt.Errorf("look up the sessions: %w", err)
		}
		refusals := make([]error, len(callers))
		for i, caller := range callers {
			if !valid[caller] {
				refusals[i] = errSessionChanged
			}
		}
		return refusals, nil
	}
}
