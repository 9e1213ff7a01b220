package httpkit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/db"
	"kaibao/internal/fault"
)

// Idempotent is embedded in the input of a call that moves money or items.
type Idempotent struct {
	Key     string `header:"Idempotency-Key" pattern:"^[!-~]{1,128}$" doc:"Repeating a call with the same key gives the first answer again."`
	RawBody []byte
	route   string
}

// Resolve implements huma.Resolver: it notes what was asked for.
func (i *Idempotent) Resolve(ctx huma.Context) []error {
	u := ctx.URL()
	i.route = ctx.Method() + " " + u.EscapedPath()
	return nil
}

func (i *Idempotent) idempotent() *Idempotent { return i }

// fingerprint is equal for two requests that ask for the same.
func (i *Idempotent) fingerprint() []byte {
	sum := sha256.New()
	sum.Write([]byte(i.route + "\n"))
	sum.Write(i.RawBody)
	return sum.Sum(nil)
}

type keyed[I any] interface {
	*I
	idempotent() *Idempotent
}

type actReply struct {
	Replayed string `header:"Idempotency-Replayed"`
	Body     json.RawMessage
}

// AnswerLifetime is how long the answer to an idempotency key is kept.
const AnswerLifetime = 7 * 24 * time.Hour

// Act registers a call that moves money or items: for a session, in one
// transaction that also stores the answer under its idempotency key. A refusal
// stores nothing, so that it can be retried.
func Act[I, B any, P keyed[I]](k *Kit, op huma.Operation, act func(tx *db.Tx, caller Principal, in *I) (B, error)) {
	schema := k.API.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[B](), true, op.OperationID+"Answer")
	op.Responses = map[string]*huma.Response{strconv.Itoa(http.StatusOK): {
		Description: "Done, or done before under the same key.",
		Content:     map[string]*huma.MediaType{"application/json": {Schema: schema}},
	}}
	Handle(k, Session, op, func(ctx context.Context, in *I) (*actReply, error) {
		caller, request := Caller(ctx), P(in).idempotent()
		if request.Key == "" {
			// Minted here so that a repeat after a commit of unknown outcome looks before it acts.
			request.Key = "minted " + RequestID(ctx)
		}
		once := func(tx *db.Tx) (any, error) { return act(tx, caller, in) }
		reply, err := k.actOnce(ctx, caller.UserID, request, once)
		if errors.Is(err, db.ErrUnknownCommit) {
			reply, err = k.actOnce(ctx, caller.UserID, request, once)
		}
		return reply, err
	})
}

func (k *Kit) actOnce(ctx context.Context, userID string, request *Idempotent, act func(*db.Tx) (any, error)) (*actReply, error) {
	var reply actReply
	err := k.DB.InTx(ctx, func(tx *db.Tx) error {
		reply = actReply{}
		stored, err := findAnswer(tx, userID, request.Key)
		if err != nil {
			return err
		}
		if stored != nil {
			if !bytes.Equal(stored.fingerprint, request.fingerprint()) {
				return errKeyReused
			}
			reply = actReply{Replayed: "true", Body: stored.answer}
			return nil
		}
		body, err := act(tx)
		if err != nil {
			// A twin that committed while this call waited for it may be the reason.
			if twin, _ := findAnswer(tx, userID, request.Key); twin != nil {
				return db.ErrAgain
			}
			return err
		}
		if reply.Body, err = json.Marshal(body); err != nil {
			return err
		}
		return storeAnswer(tx, userID, request.Key, answer{request.fingerprint(), reply.Body})
	})
	if err != nil {
		return nil, err
	}
	return &reply, nil
}

var errKeyReused = fault.New(fault.Invalid, "idempotency_mismatch",
	"This Idempotency-Key was used for a different request.")
