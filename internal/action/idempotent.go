package action

import (
	"crypto/sha256"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/adminlog"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
)

// Idempotent is embedded in the input of a call that moves money or items.
type Idempotent struct {
	Key          string `header:"Idempotency-Key" pattern:"^[!-~]{1,128}$" doc:"Repeating a request with the same key returns the first response."`
	method, path string
	body         []byte // as sent
	summary      []byte // for the admin log, in place of the body
	change       adminlog.Change
}

// Resolve implements huma.Resolver. It stores the method, path and body for the fingerprint.
func (i *Idempotent) Resolve(ctx huma.Context) []error {
	u := ctx.URL()
	i.method, i.path = ctx.Method(), u.Path
	i.body = httpapi.RawBody(ctx.Context())
	return nil
}

// Path returns the call's unescaped path, so that differently escaped forms compare equal.
func (i *Idempotent) Path() string { return i.path }

// Sent returns the body as it was sent.
func (i *Idempotent) Sent() []byte { return i.body }

// LogSummary makes the admin log store this JSON summary instead of the request body, which may be
// too long for it.
func (i *Idempotent) LogSummary(summary []byte) { i.summary = summary }

// Changed sets the change that the admin log records. Every admin act must call it.
func (i *Idempotent) Changed(c adminlog.Change) { i.change = c }

// record writes an admin's act to the admin log.
func (i *Idempotent) record(tx *db.Tx, admin, operation string) error {
	request := i.body
	if i.summary != nil {
		request = i.summary
	}
	_, err := adminlog.Record(tx, adminlog.Act{Admin: admin, Name: operation, Path: i.path, Request: request, Change: i.change})
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
