package httpkit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/db"
	"kaibao/internal/fault"
)

// Idempotent is embedded in the input of a call that moves money or items.
type Idempotent struct {
	Key   string `header:"Idempotency-Key" pattern:"^[!-~]{1,128}$" doc:"Repeating a call with the same key gives the first answer again."`
	route string
	body  []byte // as it was sent
}

// Resolve implements huma.Resolver: it notes what was asked for.
func (i *Idempotent) Resolve(ctx huma.Context) []error {
	u := ctx.URL()
	i.route = ctx.Method() + " " + u.EscapedPath()
	i.body, _ = ctx.Context().Value(bodyKey{}).([]byte)
	return nil
}

func (i *Idempotent) idempotent() *Idempotent { return i }

// fingerprint is equal for two requests that ask for the same.
func (i *Idempotent) fingerprint() []byte {
	sum := sha256.New()
	sum.Write([]byte(i.route + "\n"))
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

// AnswerLifetime is how long the answer to an idempotency key is kept.
const AnswerLifetime = 7 * 24 * time.Hour

// Call is one caller's request.
type Call[I any] struct {
	Caller Principal
	In     *I
}

// done is what an act answered, now or when its key was first used.
type done[B any] struct {
	value    B      // of a fresh act
	stored   []byte // what is kept under the key
	replayed bool
}

// Act registers a call that moves money or items: for a session, in one
// transaction that also stores the answer under its idempotency key. A refusal
// stores nothing, so that it can be retried.
func Act[I, B any, P keyed[I]](k *Kit, op huma.Operation, act func(tx *db.Tx, caller Principal, in *I) (B, error)) {
	actAs[I, B, P](k, Session, op, act)
}

// AdminAct is Act for an admin. What was asked for is kept in the audit trail,
// in the transaction of the act.
func AdminAct[I, B any, P keyed[I]](k *Kit, op huma.Operation, act func(tx *db.Tx, in *I) (B, error)) {
	actAs[I, B, P](k, Admin, op, func(tx *db.Tx, caller Principal, in *I) (B, error) {
		answer, err := act(tx, in)
		if err == nil {
			_, err = RecordAct(tx, caller, op.OperationID, P(in).idempotent())
		}
		return answer, err
	})
}

func actAs[I, B any, P keyed[I]](k *Kit, access Access, op huma.Operation, act func(tx *db.Tx, caller Principal, in *I) (B, error)) {
	run := func(tx *db.Tx, calls []Call[I]) ([]db.Outcome[B], error) {
		body, err := act(tx, calls[0].Caller, calls[0].In)
		return []db.Outcome[B]{{Value: body}}, err
	}
	registerAct[I, B, P](k, access, op, func(ctx context.Context, call Call[I]) (*actReply, error) {
		var d done[B]
		once := func(tx *db.Tx) error {
			outcomes, err := answered[I, B, P](k, tx, []Call[I]{call}, run)
			if err == nil {
				d, err = outcomes[0].Value, outcomes[0].Err
			}
			return err
		}
		err := k.DB.InTx(ctx, once)
		if errors.Is(err, db.ErrUnknownCommit) {
			err = k.DB.InTx(ctx, once)
		}
		return d.reply(d.stored), err
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
func ActTogether[I, B any, P keyed[I]](k *Kit, op huma.Operation,
	act func(tx *db.Tx, calls []Call[I]) ([]db.Outcome[B], error),
	mend func(ctx context.Context, call Call[I], refusal error) error,
	finish func(ctx context.Context, answer *B, replayed bool) error) {
	combiner := db.NewCombiner(k.DB,
		func(call Call[I]) string { return call.Caller.UserID },
		func(tx *db.Tx, calls []Call[I]) ([]db.Outcome[done[B]], error) {
			return answered[I, B, P](k, tx, calls, act)
		})
	k.closers = append(k.closers, combiner.Close)
	registerAct[I, B, P](k, Session, op, func(ctx context.Context, call Call[I]) (*actReply, error) {
		d, err := combiner.Do(ctx, call)
		if err != nil {
			err = mend(ctx, call, err)
			if err == nil {
				d, err = combiner.Do(ctx, call)
			}
		}
		if err == nil && d.replayed {
			err = json.Unmarshal(d.stored, &d.value)
		}
		if err == nil {
			err = finish(ctx, &d.value, d.replayed)
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
	if d.replayed {
		r.Replayed = "true"
	}
	return r
}

func registerAct[I, B any, P keyed[I]](k *Kit, access Access, op huma.Operation, do func(context.Context, Call[I]) (*actReply, error)) {
	note(&op, knownOnlyKey, true)
	op.Responses = k.answers(op, reflect.TypeFor[B](), "Done, or done before under the same key.")
	Handle(k, access, op, func(ctx context.Context, in *I) (*actReply, error) {
		request := P(in).idempotent()
		if request.Key == "" {
			// Minted here so that a repeat after a commit of unknown outcome looks before it acts.
			request.Key = "minted " + RequestID(ctx)
		}
		return do(ctx, Call[I]{Caller: Caller(ctx), In: in})
	})
}

// answered gives the stored answer to a call that was done before, and does
// and stores the rest.
func answered[I, B any, P keyed[I]](k *Kit, tx *db.Tx, calls []Call[I], act func(*db.Tx, []Call[I]) ([]db.Outcome[B], error)) ([]db.Outcome[done[B]], error) {
	keys := make([]answerKey, len(calls))
	for n, call := range calls {
		keys[n] = answerKey{call.Caller.UserID, P(call.In).idempotent().Key}
	}
	sound := k.Sound(tx)
	stored, err := findAnswers(tx, keys)
	if err == nil {
		err = sound()
	}
	if err != nil {
		return nil, err
	}
	outcomes := make([]db.Outcome[done[B]], len(calls))
	var fresh []Call[I]
	var places []int
	for n, call := range calls {
		if earlier, ok := stored[keys[n]]; ok {
			outcomes[n] = replay[B](earlier, P(call.In).idempotent())
		} else {
			fresh, places = append(fresh, call), append(places, n)
		}
	}
	if len(fresh) == 0 {
		return outcomes, nil
	}
	acted, err := act(tx, fresh)
	if err != nil || slices.ContainsFunc(acted, func(o db.Outcome[B]) bool { return o.Err != nil }) {
		// A twin that committed while this call waited for it may be the reason.
		if twins, _ := findAnswers(tx, keys); len(twins) > len(stored) {
			return nil, db.ErrAgain
		}
	}
	if err != nil {
		return nil, err
	}
	answers := map[answerKey]answer{}
	for m, outcome := range acted {
		n := places[m]
		if outcomes[n].Err = outcome.Err; outcome.Err != nil {
			continue
		}
		body, err := marshal(outcome.Value)
		if err != nil {
			return nil, err
		}
		outcomes[n].Value = done[B]{value: outcome.Value, stored: body}
		answers[keys[n]] = answer{P(fresh[m].In).idempotent().fingerprint(), body}
	}
	return outcomes, storeAnswers(tx, answers)
}

// replay gives an earlier answer again, if it was to the same request.
func replay[B any](earlier answer, request *Idempotent) (o db.Outcome[done[B]]) {
	if !bytes.Equal(earlier.fingerprint, request.fingerprint()) {
		o.Err = errKeyReused
		return o
	}
	o.Value = done[B]{stored: earlier.body, replayed: true}
	return o
}

var errKeyReused = fault.New(fault.IdempotencyMismatch,
	"This Idempotency-Key was used for a different request.")
