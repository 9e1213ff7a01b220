// Package action registers routes that move money or items. An act, the response stored under its
// idempotency key, the check of the caller's session and an admin's line in the admin log commit in
// one transaction.
package action

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"

	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/httpapi"
	"kaibao/internal/idempotency"
)

// reply is an act's response.
type reply struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	Replayed    string `header:"Idempotency-Replayed"`
	Position    string `header:"X-Market-Position" doc:"Set by market calls. Send it with reads in the next seconds to see the effect of the call on every node."`
	Body        []byte
}

// Call is one caller's request.
type Call[I any] struct {
	Caller httpapi.Principal
	In     *I
}

// result is the outcome of an act, executed now or earlier under the same key.
type result[B any] struct {
	value    B      // only if executed now
	position string // market position, only if executed now
	idempotency.Response
}

// Handle registers a call that moves money or items. The act and the stored response under its
// idempotency key commit in one transaction. A refusal stores nothing, so the call can be retried.
// Admins' calls are also recorded in the admin log; act describes its change with
// Idempotent.Changed.
func Handle[I, B any, P keyed[I]](api *httpapi.API, route httpapi.Route, act func(tx *db.Tx, caller httpapi.Principal, in *I) (B, error)) {
	register[I, B, P](api, route, func(ctx context.Context, call Call[I]) (*reply, error) {
		res, err := executeInTx[I, B, P](ctx, api, route, call, act)
		return res.reply(res.Body), err
	})
}

// HandleThen is Handle with a second step outside of the transaction, such as a network request. It
// calls then after the commit, also for replays, and then may add to the response. If then fails, a
// retry with the same key runs it again.
func HandleThen[I, B any, P keyed[I]](api *httpapi.API, route httpapi.Route,
	act func(tx *db.Tx, caller httpapi.Principal, in *I) (B, error),
	then func(ctx context.Context, response *B) error) {
	register[I, B, P](api, route, func(ctx context.Context, call Call[I]) (*reply, error) {
		res, err := executeInTx[I, B, P](ctx, api, route, call, act)
		if err != nil {
			return nil, err
		}
		return res.replyWithReplay(func(response *B) error { return then(ctx, response) })
	})
}

// HandleAfter is Handle for a call with slow preparation. It calls prepare before the transaction.
// If prepare returns a response, the caller gets it and act doesn't run. It calls end to release
// the prepared resources.
func HandleAfter[I, B any, P keyed[I]](api *httpapi.API, route httpapi.Route,
	prepare func(ctx context.Context, in *I) (response *B, end func(), err error),
	act func(tx *db.Tx, caller httpapi.Principal, in *I) (B, error)) {
	register[I, B, P](api, route, func(ctx context.Context, call Call[I]) (*reply, error) {
		response, end, err := prepare(ctx, call.In)
		if err != nil {
			return nil, err
		}
		defer end()
		if response != nil {
			body, err := httpapi.EncodeJSON(response)
			return result[B]{}.reply(body), err
		}
		res, err := executeInTx[I, B, P](ctx, api, route, call, act)
		return res.reply(res.Body), err
	})
}

// replyWithReplay builds the reply of a new or replayed act. complete adds the parts that aren't stored.
func (res result[B]) replyWithReplay(complete func(response *B) error) (*reply, error) {
	if res.Replayed {
		if err := json.Unmarshal(res.Body, &res.value); err != nil {
			return nil, err
		}
	}
	return res.replyWith(complete)
}

func (res result[B]) replyWith(complete func(response *B) error) (*reply, error) {
	if err := complete(&res.value); err != nil {
		return nil, err
	}
	body, err := httpapi.EncodeJSON(res.value)
	return res.reply(body), err
}

// executeInTx executes one call in a transaction of its own, unless it was executed before under
// its key.
func executeInTx[I, B any, P keyed[I]](ctx context.Context, api *httpapi.API, route httpapi.Route, call Call[I], act func(*db.Tx, httpapi.Principal, *I) (B, error)) (res result[B], err error) {
	checked := func() ([]error, error) { return []error{nil}, nil } // the session was looked up on arrival
	attempt := func(tx *db.Tx) error {
		run := func([]Call[I]) ([]batch.Outcome[B], error) {
			response, err := act(tx, call.Caller, call.In)
			if err == nil && route.Access == httpapi.Admin {
				err = P(call.In).idempotent().record(tx, call.Caller.UserID, route.ID)
			}
			return []batch.Outcome[B]{{Value: response}}, err
		}
		outcomes, err := executeOrReplay[I, B, P](api, tx, []Call[I]{call}, checked, run, encodeJSON[B])
		if err == nil {
			res, err = outcomes[0].Value, outcomes[0].Err
		}
		return err
	}
	err = api.DB.InTx(ctx, attempt)
	if errors.Is(err, db.ErrUnknownCommit) {
		// Looking up the outcome gets its own deadline.
		err = api.DB.InTx(context.WithoutCancel(ctx), attempt)
	}
	return res, err
}

func (res result[B]) reply(body []byte) *reply {
	r := &reply{ContentType: httpapi.JSONType, Position: res.position, Body: body}
	if res.Replayed {
		r.Replayed = "true"
	}
	return r
}

func encodeJSON[B any](response B) ([]byte, error) { return httpapi.EncodeJSON(response) }

// executeFunc executes calls within a transaction and returns an outcome for each.
type executeFunc[I, B any] func(calls []Call[I]) ([]batch.Outcome[B], error)

// register registers a route that does an act.
func register[I, B any, P keyed[I]](api *httpapi.API, route httpapi.Route, do func(context.Context, Call[I]) (*reply, error)) {
	if route.Access == httpapi.Public {
		panic("route " + route.Pattern() + " is an act, so it needs a caller: it must not be public")
	}
	route.Strict = true
	if route.Status != http.StatusNoContent {
		route.Responses = api.JSONResponse(route, reflect.TypeFor[B](), "Done, now or by an earlier request with the same key.")
	}
	httpapi.Handle(api, route, func(ctx context.Context, in *I) (*reply, error) {
		request := P(in).idempotent()
		if request.Key == "" {
			// Generate a key, so that a retry after an unknown commit outcome looks for the first
			// attempt.
			request.Key = "minted " + api.NewRequestID() // a request id can come from a proxy and be used twice
		}
		response, err := do(ctx, Call[I]{Caller: httpapi.Caller(ctx), In: in})
		if response != nil && route.Status == http.StatusNoContent {
			response.ContentType, response.Body = "", nil
		}
		return response, err
	})
}

// executeOrReplay executes the calls that weren't executed before, and returns the stored responses
// of the others. It refuses the calls for which checked has an error. The database check comes
// before any write and also applies to replays. encode returns the stored form of a response.
func executeOrReplay[I, B any, P keyed[I]](api *httpapi.API, tx *db.Tx, calls []Call[I], checked db.Queued[[]error],
	run executeFunc[I, B], encode func(B) ([]byte, error)) ([]batch.Outcome[result[B]], error) {
	requests := make([]idempotency.Request, len(calls))
	for i, call := range calls {
		request := P(call.In).idempotent()
		requests[i] = idempotency.Request{Owner: idempotency.User(call.Caller.UserID), Key: request.Key, Fingerprint: request.fingerprint()}
	}
	values := make([]B, len(calls))
	databaseChecked := api.CheckDatabase(tx)
	admit := func() ([]error, error) {
		if err := databaseChecked(); err != nil {
			return nil, err
		}
		return checked()
	}
	responses, err := idempotency.Do(tx, requests, admit, func(fresh []int) ([]batch.Outcome[[]byte], error) {
		return executeAndEncode(calls, fresh, values, run, encode)
	})
	if err != nil {
		return nil, err
	}
	outcomes := make([]batch.Outcome[result[B]], len(calls))
	for i, a := range responses {
		outcomes[i] = batch.Outcome[result[B]]{Value: result[B]{values[i], tx.MarketPosition, a.Value}, Err: a.Err}
	}
	return outcomes, nil
}

// executeAndEncode executes the calls with the indexes in fresh. It puts their responses into
// values and returns them in their stored form.
func executeAndEncode[I, B any](calls []Call[I], fresh []int, values []B, run executeFunc[I, B], encode func(B) ([]byte, error)) ([]batch.Outcome[[]byte], error) {
	newCalls := make([]Call[I], len(fresh))
	for j, n := range fresh {
		newCalls[j] = calls[n]
	}
	executed, err := run(newCalls)
	if err != nil {
		return nil, err
	}
	bodies := make([]batch.Outcome[[]byte], len(executed))
	for j, outcome := range executed {
		bodies[j].Err, values[fresh[j]] = outcome.Err, outcome.Value
		if outcome.Err != nil {
			continue
		}
		body, err := encode(outcome.Value)
		if err != nil {
			return nil, err
		}
		bodies[j].Value = body
	}
	return bodies, nil
}
