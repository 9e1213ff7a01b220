package httpkit

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/db"
	"kaibao/internal/once"
)

// Idempotent is embedded in the input of a call that moves money or items.
type Idempotent struct {
	Key          string `header:"Idempotency-Key" pattern:"^[!-~]{1,128}$" doc:"Repeating a call with the same key gives the first answer again."`
	method, path string
	body         []byte // as it was sent
}

// Resolve implements huma.Resolver: it notes what was asked for.
func (i *Idempotent) Resolve(ctx huma.Context) []error {
	u := ctx.URL()
	i.method, i.path = ctx.Method(), u.EscapedPath()
	i.body, _ = ctx.Context().Value(bodyKey{}).([]byte)
	return nil
}

// Path is that of the call, as it was sent.
func (i *Idempotent) Path() string { return i.path }

// Sent is the body as it was sent.
func (i *Idempotent) Sent() []byte { return i.body }

func (i *Idempotent) idempotent() *Idempotent { return i }

// fingerprint is equal for two requests that ask for the same.
func (i *Idempotent) fingerprint() []byte {
	sum := sha256.New()
	sum.Write([]byte(i.method + " " + i.path + "\n"))
	sum.Write(i.body)
	return sum.Sum(nil)
}

type keyed[I any] interface {
	*I
	idempotent() *Idempotent
}

type actReply struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	Replayed    string `header:"Idempotency-Replayed"`
	Body        []byte
}

// Call is one caller's request.
type Call[I any] struct {
	Caller Principal
	In     *I
}

// done is what an act answered, now or when its key was first used.
type done[B any] struct {
	value B // of a fresh act
	once.Answer
}

// Act registers a call that moves money or items: in one transaction that also
// stores the answer under its idempotency key. A refusal stores nothing, so that it
// can be retried. What an admin's call asked for is kept in the audit trail as well.
func Act[I, B any, P keyed[I]](k *Kit, route Route, act func(tx *db.Tx, caller Principal, in *I) (B, error)) {
	run := func(tx *db.Tx, calls []Call[I]) ([]db.Outcome[B], error) {
		caller, in := calls[0].Caller, calls[0].In
		body, err := act(tx, caller, in)
		if err == nil && route.Access == Admin {
			asked := P(in).idempotent()
			_, err = k.Record(tx, caller.UserID, route.ID, asked.Path(), asked.Sent())
		}
		return []db.Outcome[B]{{Value: body}}, err
	}
	registerAct[I, B, P](k, route, func(ctx context.Context, call Call[I]) (*actReply, error) {
		var d done[B]
		do := func(tx *db.Tx) error {
			outcomes, err := answered[I, B, P](k, tx, []Call[I]{call}, run)
			if err == nil {
				d, err = outcomes[0].Value, outcomes[0].Err
			}
			return err
		}
		err := k.DB.InTx(ctx, do)
		if errors.Is(err, db.ErrUnknownCommit) {
			// To look what became of it has time of its own.
			err = k.DB.InTx(context.WithoutCancel(ctx), do)
		}
		return d.reply(d.Body), err
	})
}

// ActTogether is Act for a call that is asked for by many at once: those who
// wait at the same moment share one transaction, each user once. An act that is
// refused must have written nothing; an error spoils the whole batch, whose
// calls then run one by one. Two things are done for a call outside the
// transaction, where nobody waits for it: a refused one is asked once more if mend
// finds what it takes and adds it to the call; else mend returns the refusal. finish
// adds to an answer, also to one that is given again, what follows from the rest of
// it and is not stored.
func ActTogether[I, B any, P keyed[I]](k *Kit, route Route,
	act func(tx *db.Tx, calls []Call[I]) ([]db.Outcome[B], error),
	mend func(ctx context.Context, call Call[I], refusal error) error,
	finish func(ctx context.Context, answer *B, replayed bool) error) {
	combiner := db.NewCombiner(k.DB,
		func(call Call[I]) string { return call.Caller.UserID },
		func(tx *db.Tx, calls []Call[I]) ([]db.Outcome[done[B]], error) {
			return answered[I, B, P](k, tx, calls, act)
		})
	k.closers = append(k.closers, combiner.Close)
	registerAct[I, B, P](k, route, func(ctx context.Context, call Call[I]) (*actReply, error) {
		d, err := combiner.Do(ctx, call)
		if err != nil {
			err = mend(ctx, call, err)
			if err == nil {
				d, err = combiner.Do(ctx, call)
			}
		}
		if err == nil && d.Replayed {
			err = json.Unmarshal(d.Body, &d.value)
		}
		if err == nil {
			err = finish(ctx, &d.value, d.Replayed)
		}
		if err != nil {
			return nil, err
		}
		body, err := marshal(d.value)
		return d.reply(body), err
	})
}

func (d done[B]) reply(body []byte) *actReply {
	r := &actReply{ContentType: jsonType, Body: body}
	if d.Replayed {
		r.Replayed = "true"
	}
	return r
}

func registerAct[I, B any, P keyed[I]](k *Kit, route Route, do func(context.Context, Call[I]) (*actReply, error)) {
	if route.Access == Public {
		panic("route " + route.pattern() + " acts for nobody")
	}
	route.strict = true
	route.answers = k.answers(route, reflect.TypeFor[B](), "Done, or done before under the same key.")
	Handle(k, route, func(ctx context.Context, in *I) (*actReply, error) {
		request := P(in).idempotent()
		if request.Key == "" {
			// Minted here so that a repeat after a commit of unknown outcome looks before it acts.
			request.Key = "minted " + RequestID(ctx)
		}
		return do(ctx, Call[I]{Caller: Caller(ctx), In: in})
	})
}

// answered does each call once. Whether the database is the one that the node knows
// is told before anything is written, and of a call that was done before, too.
func answered[I, B any, P keyed[I]](k *Kit, tx *db.Tx, calls []Call[I], act func(*db.Tx, []Call[I]) ([]db.Outcome[B], error)) ([]db.Outcome[done[B]], error) {
	requests := make([]once.Request, len(calls))
	for n, call := range calls {
		asked := P(call.In).idempotent()
		requests[n] = once.Request{Owner: once.User(call.Caller.UserID), Key: asked.Key, Fingerprint: asked.fingerprint()}
	}
	values := make([]B, len(calls))
	sound := k.Sound(tx)
	answers, err := once.Do(tx, requests, func(fresh []int) ([]db.Outcome[[]byte], error) {
		if err := sound(); err != nil {
			return nil, err
		}
		return written(tx, calls, fresh, values, act)
	})
	if err == nil {
		err = sound()
	}
	if err != nil {
		return nil, err
	}
	outcomes := make([]db.Outcome[done[B]], len(calls))
	for n, a := range answers {
		outcomes[n] = db.Outcome[done[B]]{Value: done[B]{values[n], a.Value}, Err: a.Err}
	}
	return outcomes, nil
}

// written does the fresh ones of some calls, and gives their answers as they are
// kept; values gets them as they are.
func written[I, B any](tx *db.Tx, calls []Call[I], fresh []int, values []B, act func(*db.Tx, []Call[I]) ([]db.Outcome[B], error)) ([]db.Outcome[[]byte], error) {
	asked := make([]Call[I], len(fresh))
	for m, n := range fresh {
		asked[m] = calls[n]
	}
	acted, err := act(tx, asked)
	if err != nil {
		return nil, err
	}
	bodies := make([]db.Outcome[[]byte], len(acted))
	for m, outcome := range acted {
		bodies[m].Err, values[fresh[m]] = outcome.Err, outcome.Value
		if outcome.Err != nil {
			continue
		}
		body, err := marshal(outcome.Value)
		if err != nil {
			return nil, err
		}
		bodies[m].Value = body
	}
	return bodies, nil
}
