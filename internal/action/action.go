// Package action has the routes that move money or items. An act, the response stored under its
// idempotency key, the proof of the caller's session and an admin's line in the admin log commit in
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

// done is the outcome of an act, executed now or earlier under the same key.
type done[B any] struct {
	value    B      // only if executed now
	position string // market position, only if executed now
	idempotency.Answer
}

// Handle registers a call that moves money or items. The act and the stored response under its
// idempotency key commit in one transaction. A refusal stores nothing, so the call can be retried.
// Admins' calls are also recorded in the admin log; act describes its change with
// Idempotent.Changed.
func Handle[I, B any, P keyed[I]](api *httpapi.API, route httpapi.Route, act func(tx *db.Tx, caller httpapi.Principal, in *I) (B, error)) {
	register[I, B, P](api, route, func(ctx context.Context, call Call[I]) (*reply, error) {
		d, err := actOnce[I, B, P](ctx, api, route, call, act)
		return d.reply(d.Body), err
	})
}

// HandleThen is Handle with a second step outside of the transaction, such as a network request. It
// calls then after the commit, also for replays, and then may add to the response. If then fails, a
// retry with the same key runs it again.
func HandleThen[I, B any, P keyed[I]](api *httpapi.API, route httpapi.Route,
	act func(tx *db.Tx, caller httpapi.Principal, in *I) (B, error),
	then func(ctx context.Context, answer *B) error) {
	register[I, B, P](api, route, func(ctx context.Context, call Call[I]) (*reply, error) {
		d, err := actOnce[I, B, P](ctx, api, route, call, act)
		if err != nil {
			return nil, err
		}
		return d.finished(func(answer *B) error { return then(ctx, answer) })
	})
}

// HandleAfter is Handle for a call with slow preparation. It calls prepare before the transaction.
// If prepare returns an answer, that is the response and act doesn't run. It calls end to release
// what was prepared.
func HandleAfter[I, B any, P keyed[I]](api *httpapi.API, route httpapi.Route,
	prepare func(ctx context.Context, in *I) (answer *B, end func(), err error),
	act func(tx *db.Tx, caller httpapi.Principal, in *I) (B, error)) {
	register[I, B, P](api, route, func(ctx context.Context, call Call[I]) (*reply, error) {
		answer, end, err := prepare(ctx, call.In)
		if err != nil {
			return nil, err
		}
		defer end()
		if answer != nil {
			body, err := httpapi.EncodeJSON(answer)
			return done[B]{}.reply(body), err
		}
		d, err := actOnce[I, B, P](ctx, api, route, call, act)
		return d.reply(d.Body), err
	})
}

// finished builds the reply of a new or replayed act; finish adds what isn't stored.
func (d done[B]) finished(finish func(answer *B) error) (*reply, error) {
	if d.Replayed {
		if err := json.Unmarshal(d.Body, &d.value); err != nil {
			return nil, err
		}
	}
	return d.finish(finish)
}

func (d done[B]) finish(finish func(answer *B) error) (*reply, error) {
	if err := finish(&d.value); err != nil {
		return nil, err
	}
	body, err := httpapi.EncodeJSON(d.value)
	return d.reply(body), err
}

// actOnce runs an act unless it was executed before under its key.
func actOnce[I, B any, P keyed[I]](ctx context.Context, api *httpapi.API, route httpapi.Route, call Call[I], act func(*db.Tx, httpapi.Principal, *I) (B, error)) (d done[B], err error) {
	run := func(tx *db.Tx) ([]batch.Outcome[B], error) {
		caller, in := call.Caller, call.In
		body, err := act(tx, caller, in)
		if err == nil && route.Access == httpapi.Admin {
			err = P(in).idempotent().record(tx, caller.UserID, route.ID)
		}
		return []batch.Outcome[B]{{Value: body}}, err
	}
	lookedUp := func() ([]error, error) { return []error{nil}, nil } // already checked on arrival
	do := func(tx *db.Tx) error {
		outcomes, err := answered[I, B, P](api, tx, []Call[I]{call}, lookedUp,
			func([]Call[I]) ([]batch.Outcome[B], error) { return run(tx) }, encode[B])
		if err == nil {
			d, err = outcomes[0].Value, outcomes[0].Err
		}
		return err
	}
	err = api.DB.InTx(ctx, do)
	if errors.Is(err, db.ErrUnknownCommit) {
		// Looking up the outcome gets its own deadline.
		err = api.DB.InTx(context.WithoutCancel(ctx), do)
	}
	return d, err
}

func (d done[B]) reply(body []byte) *reply {
	r := &reply{ContentType: httpapi.JSONType, Position: d.position, Body: body}
	if d.Replayed {
		r.Replayed = "true"
	}
	return r
}

func encode[B any](answer B) ([]byte, error) { return httpapi.EncodeJSON(answer) }

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
			request.Key = "minted " + httpapi.RequestID(ctx)
		}
		answer, err := do(ctx, Call[I]{Caller: httpapi.Caller(ctx), In: in})
		if answer != nil && route.Status == http.StatusNoContent {
			answer.ContentType, answer.Body = "", nil
		}
		return answer, err
	})
}

// answered executes each call once, unless proof refuses it. The database check (Options.Sound)
// comes before any write and also applies to replays.
func answered[I, B any, P keyed[I]](api *httpapi.API, tx *db.Tx, calls []Call[I], proof func() ([]error, error),
	act Execute[I, B], kept func(B) ([]byte, error)) ([]batch.Outcome[done[B]], error) {
	requests := make([]idempotency.Request, len(calls))
	for n, call := range calls {
		asked := P(call.In).idempotent()
		requests[n] = idempotency.Request{Owner: idempotency.User(call.Caller.UserID), Key: asked.Key, Fingerprint: asked.fingerprint()}
	}
	values := make([]B, len(calls))
	sound := api.Sound(tx)
	admit := func() ([]error, error) {
		if err := sound(); err != nil {
			return nil, err
		}
		return proof()
	}
	answers, err := idempotency.Do(tx, requests, admit, func(fresh []int) ([]batch.Outcome[[]byte], error) {
		return written(calls, fresh, values, act, kept)
	})
	if err != nil {
		return nil, err
	}
	outcomes := make([]batch.Outcome[done[B]], len(calls))
	for n, a := range answers {
		outcomes[n] = batch.Outcome[done[B]]{Value: done[B]{values[n], position(tx), a.Value}, Err: a.Err}
	}
	return outcomes, nil
}

// position returns the market position of the last message that the transaction published.
func position(tx *db.Tx) (last string) {
	for _, told := range tx.Published() {
		if at, ok := told.(interface{ Position() string }); ok {
			last = at.Position()
		}
	}
	return last
}

// written executes the fresh calls. It stores their responses in values and returns them in their
// stored form.
func written[I, B any](calls []Call[I], fresh []int, values []B, act Execute[I, B], kept func(B) ([]byte, error)) ([]batch.Outcome[[]byte], error) {
	asked := make([]Call[I], len(fresh))
	for m, n := range fresh {
		asked[m] = calls[n]
	}
	acted, err := act(asked)
	if err != nil {
		return nil, err
	}
	bodies := make([]batch.Outcome[[]byte], len(acted))
	for m, outcome := range acted {
		bodies[m].Err, values[fresh[m]] = outcome.Err, outcome.Value
		if outcome.Err != nil {
			continue
		}
		body, err := kept(outcome.Value)
		if err != nil {
			return nil, err
		}
		bodies[m].Value = body
	}
	return bodies, nil
}
