package httpkit

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/adminlog"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/idempotency"
)

// Idempotent is embedded in the input of a call that moves money or items.
type Idempotent struct {
	Key          string `header:"Idempotency-Key" pattern:"^[!-~]{1,128}$" doc:"Repeating a request with the same key returns the first response."`
	method, path string
	body         []byte // as sent
	logged       []byte // for the admin log, in place of the body
	change       adminlog.Change
}

// Resolve implements huma.Resolver. It stores the method, path and body for the fingerprint.
func (i *Idempotent) Resolve(ctx huma.Context) []error {
	u := ctx.URL()
	i.method, i.path = ctx.Method(), u.Path
	i.body, _ = ctx.Context().Value(bodyKey{}).([]byte)
	return nil
}

// Path returns the call's unescaped path, so that differently escaped forms compare equal.
func (i *Idempotent) Path() string { return i.path }

// Sent returns the body as it was sent.
func (i *Idempotent) Sent() []byte { return i.body }

// LogInstead makes the admin log keep this JSON summary instead of the request body, for bodies
// that are too long for it.
func (i *Idempotent) LogInstead(summary []byte) { i.logged = summary }

// Changed sets the change that the admin log records. Every admin act must call it.
func (i *Idempotent) Changed(c adminlog.Change) { i.change = c }

// record writes an admin's act to the admin log.
func (i *Idempotent) record(tx *db.Tx, admin, operation string) error {
	asked := i.body
	if i.logged != nil {
		asked = i.logged
	}
	_, err := adminlog.Record(tx, adminlog.Act{Admin: admin, Name: operation, Path: i.path, Request: asked, Change: i.change})
	return err
}

func (i *Idempotent) idempotent() *Idempotent { return i }

// fingerprint returns 16 bytes that are equal for requests with the same method, path and body.
func (i *Idempotent) fingerprint() []byte {
	sum := sha256.New()
	sum.Write([]byte(i.method + " " + i.path + "\n"))
	sum.Write(i.body)
	return sum.Sum(nil)[:16]
}

type keyed[I any] interface {
	*I
	idempotent() *Idempotent
}

type actReply struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	Replayed    string `header:"Idempotency-Replayed"`
	Position    string `header:"X-Market-Position" doc:"Set by market calls. Send it with reads in the next seconds to see the effect of the call on every node."`
	Body        []byte
}

// Call is one caller's request.
type Call[I any] struct {
	Caller Principal
	In     *I
}

// done is the outcome of an act, executed now or earlier under the same key.
type done[B any] struct {
	value    B      // only if executed now
	position string // market position, only if executed now
	idempotency.Answer
}

// Act registers a call that moves money or items. The act and the stored response under its
// idempotency key commit in one transaction. A refusal stores nothing, so the call can be retried.
// Admins' calls are also recorded in the admin log; act describes its change with
// Idempotent.Changed.
func Act[I, B any, P keyed[I]](k *Kit, route Route, act func(tx *db.Tx, caller Principal, in *I) (B, error)) {
	registerAct[I, B, P](k, route, func(ctx context.Context, call Call[I]) (*actReply, error) {
		d, err := actOnce[I, B, P](ctx, k, route, call, act)
		return d.reply(d.Body), err
	})
}

// ActThen is Act with a second step outside of the transaction, such as a network request. It calls
// then after the commit, also for replays, and then may add to the response. If then fails, a retry
// with the same key runs it again.
func ActThen[I, B any, P keyed[I]](k *Kit, route Route,
	act func(tx *db.Tx, caller Principal, in *I) (B, error),
	then func(ctx context.Context, answer *B) error) {
	registerAct[I, B, P](k, route, func(ctx context.Context, call Call[I]) (*actReply, error) {
		d, err := actOnce[I, B, P](ctx, k, route, call, act)
		if err != nil {
			return nil, err
		}
		return d.finished(func(answer *B) error { return then(ctx, answer) })
	})
}

// ActAfter is Act for a call with slow preparation. It calls prepare before the transaction. If
// prepare returns an answer, that is the response and act doesn't run. It calls end to release what
// was prepared.
func ActAfter[I, B any, P keyed[I]](k *Kit, route Route,
	prepare func(ctx context.Context, in *I) (answer *B, end func(), err error),
	act func(tx *db.Tx, caller Principal, in *I) (B, error)) {
	registerAct[I, B, P](k, route, func(ctx context.Context, call Call[I]) (*actReply, error) {
		answer, end, err := prepare(ctx, call.In)
		if err != nil {
			return nil, err
		}
		defer end()
		if answer != nil {
			body, err := marshal(answer)
			return done[B]{}.reply(body), err
		}
		d, err := actOnce[I, B, P](ctx, k, route, call, act)
		return d.reply(d.Body), err
	})
}

// finished builds the reply of a new or replayed act; finish adds what isn't stored.
func (d done[B]) finished(finish func(answer *B) error) (*actReply, error) {
	if d.Replayed {
		if err := json.Unmarshal(d.Body, &d.value); err != nil {
			return nil, err
		}
	}
	return d.finish(finish)
}

func (d done[B]) finish(finish func(answer *B) error) (*actReply, error) {
	if err := finish(&d.value); err != nil {
		return nil, err
	}
	body, err := marshal(d.value)
	return d.reply(body), err
}

// actOnce runs an act unless it was executed before under its key.
func actOnce[I, B any, P keyed[I]](ctx context.Context, k *Kit, route Route, call Call[I], act func(*db.Tx, Principal, *I) (B, error)) (d done[B], err error) {
	run := func(tx *db.Tx) ([]batch.Outcome[B], error) {
		caller, in := call.Caller, call.In
		body, err := act(tx, caller, in)
		if err == nil && route.Access == Admin {
			err = P(in).idempotent().record(tx, caller.UserID, route.ID)
		}
		return []batch.Outcome[B]{{Value: body}}, err
	}
	lookedUp := func() ([]error, error) { return []error{nil}, nil } // already checked on arrival
	do := func(tx *db.Tx) error {
		outcomes, err := answered[I, B, P](k, tx, []Call[I]{call}, lookedUp,
			func([]Call[I]) ([]batch.Outcome[B], error) { return run(tx) }, func(answer B) ([]byte, error) { return marshal(answer) })
		if err == nil {
			d, err = outcomes[0].Value, outcomes[0].Err
		}
		return err
	}
	err = k.DB.InTx(ctx, do)
	if errors.Is(err, db.ErrUnknownCommit) {
		// Looking up the outcome gets its own deadline.
		err = k.DB.InTx(context.WithoutCancel(ctx), do)
	}
	return d, err
}

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

// ActBatch is Act for a busy route: concurrent calls share one transaction. It also checks the
// sessions that the node remembers, so that recent callers need no lookup before.
func ActBatch[I, B any, P keyed[I]](k *Kit, route Route, t Batch[I, B]) {
	stored := func(answer B) ([]byte, error) { return marshal(answer) }
	if t.Name != nil {
		stored = func(answer B) ([]byte, error) { return db.ID(t.Name(answer)).Packed() }
	}
	combiner := batch.NewCombiner(k.DB,
		func(call Call[I]) string { return call.Caller.UserID },
		func(tx *db.Tx, calls []Call[I]) ([]batch.Outcome[done[B]], error) {
			return answered[I, B, P](k, tx, calls, proof(k, tx, calls), t.Begin(tx, calls), stored)
		})
	k.closers = append(k.closers, combiner.Close)
	remembering := route
	remembering.proves = true
	registerAct[I, B, P](k, remembering, func(ctx context.Context, call Call[I]) (*actReply, error) {
		d, err := combiner.Do(ctx, call)
		if errors.Is(err, errUnproven) {
			call.Caller, err = k.admit(callOf(ctx).request, route)
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

func (d done[B]) reply(body []byte) *actReply {
	r := &actReply{ContentType: jsonType, Position: d.position, Body: body}
	if d.Replayed {
		r.Replayed = "true"
	}
	return r
}

func registerAct[I, B any, P keyed[I]](k *Kit, route Route, do func(context.Context, Call[I]) (*actReply, error)) {
	if route.Access == Public {
		panic("route " + route.pattern() + " is an act, so it needs a caller: it must not be public")
	}
	route.strict = true
	if route.Status != http.StatusNoContent {
		route.answers = k.answers(route, reflect.TypeFor[B](), "Done, now or by an earlier request with the same key.")
	}
	Handle(k, route, func(ctx context.Context, in *I) (*actReply, error) {
		request := P(in).idempotent()
		if request.Key == "" {
			// Generate a key, so that a retry after an unknown commit outcome looks for the first
			// attempt.
			request.Key = "minted " + RequestID(ctx)
		}
		answer, err := do(ctx, Call[I]{Caller: Caller(ctx), In: in})
		if answer != nil && route.Status == http.StatusNoContent {
			answer.ContentType, answer.Body = "", nil
		}
		return answer, err
	})
}

// answered executes each call once, unless proof refuses it. The database check (Options.Sound)
// comes before any write and also applies to replays.
func answered[I, B any, P keyed[I]](k *Kit, tx *db.Tx, calls []Call[I], proof func() ([]error, error),
	act Execute[I, B], kept func(B) ([]byte, error)) ([]batch.Outcome[done[B]], error) {
	requests := make([]idempotency.Request, len(calls))
	for n, call := range calls {
		asked := P(call.In).idempotent()
		requests[n] = idempotency.Request{Owner: idempotency.User(call.Caller.UserID), Key: asked.Key, Fingerprint: asked.fingerprint()}
	}
	values := make([]B, len(calls))
	sound := k.Sound(tx)
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
