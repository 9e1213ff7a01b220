// Package httpkit is the edge of the program: routes with their access rules,
// sessions, idempotent acts, error answers, security headers and pages. The
// features describe their calls with it and never see a ResponseWriter.
package httpkit

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"reflect"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/money"
	"kaibao/internal/terms"
)

// Principal is the caller that a session proves.
type Principal struct {
	UserID  string
	Address string
	Role    string
	Tag     string // in the public log
}

// Authenticate finds the principal of a session token, or a fault.
type Authenticate func(ctx context.Context, token string) (Principal, error)

// Options are what the edge needs to know of the installation.
type Options struct {
	DB           *db.DB
	Authenticate Authenticate
	Log          *slog.Logger
	PublicURL    PublicURL
	RateLimits   bool
	// TrustedProxies may say whom they forward for.
	TrustedProxies []netip.Prefix
	Version        string
	NewRequestID   func() string
	// Sound looks, in one go with an act's first statement, whether the database is
	// the one that the node knows; what it returns says so after that statement.
	Sound func(*db.Tx) func() error
}

// Kit collects the routes.
type Kit struct {
	Options
	API      huma.API
	mux      *http.ServeMux
	access   map[string]Access // pattern → who may call it
	closers  []func()
	decoding decoding
	// proxyWarning is given at most once.
	proxyWarning sync.Once
	// document is the OpenAPI document as it stands when it is first asked for.
	document func() ([]byte, error)
}

// Close ends what the routes keep running.
func (k *Kit) Close() {
	for _, end := range k.closers {
		end()
	}
}

// New makes an empty kit.
func New(o Options) *Kit {
	k := &Kit{Options: o, mux: http.NewServeMux(), access: map[string]Access{}, decoding: newDecoding()}
	config := contract()
	config.CreateHooks = nil // no $schema in answers
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.AllowAdditionalPropertiesByDefault = true // clients of the beta send more than we read
	config.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[money.Dollars](), reflect.TypeFor[float64]())
	config.OnAddOperation = append(config.OnAddOperation, sayKnownOnly)
	k.API = humago.New(k.mux, config)
	config.Components.Schemas.Schema(reflect.TypeFor[PageConfig](), true, "") // the web app's type of it is made of the contract
	k.API.UseMiddleware(k.guard, k.checkPath, k.readBody)
	k.document = sync.OnceValues(k.OpenAPI)
	k.File(Public, Get(apiPath, "get-openapi", "This document"), jsonType, http.HandlerFunc(k.serveOpenAPI))
	return k
}

// Handler is everything that was registered, behind the checks that hold for
// every request.
func (k *Kit) Handler() http.Handler {
	return k.everyRequest(k.mux)
}

// Reply is an answer that is only a body.
type Reply[B any] struct{ Body B }

// Handle registers a call that answers with headers of its own. A body may have
// op.MaxBodyBytes, or terms.MaxBody when it says nothing.
func Handle[I, O any](k *Kit, access Access, op huma.Operation, handle func(context.Context, *I) (*O, error)) {
	k.declare(op.Method+" "+op.Path, access)
	note(&op, accessKey, access)
	op.MaxBodyBytes = cmp.Or(op.MaxBodyBytes, terms.MaxBody) + 1 // huma refuses what reaches it
	huma.Register(k.API, op, func(ctx context.Context, in *I) (*O, error) {
		decoded(ctx)
		out, err := handle(ctx, in)
		if err != nil {
			return nil, k.translate(ctx, err)
		}
		return out, nil
	})
}

// JSON registers a call that answers with a body.
func JSON[I, B any](k *Kit, access Access, op huma.Operation, handle func(context.Context, *I) (B, error)) {
	Handle(k, access, op, func(ctx context.Context, in *I) (*Reply[B], error) {
		body, err := handle(ctx, in)
		return &Reply[B]{Body: body}, err
	})
}

// Raw registers a handler that is no JSON call: pages, media, the log.
func (k *Kit) Raw(pattern string, access Access, handler http.Handler) {
	k.declare(pattern, access)
	k.mux.Handle(pattern, k.guardRaw(access, handler))
}

// Timestamp is how the contract writes a time: RFC 3339, UTC, milliseconds.
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// ErrUnauthenticated refuses a call without a living session.
var ErrUnauthenticated = fault.New(fault.Unauthenticated, "Please connect your wallet first.")
