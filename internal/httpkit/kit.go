// Package httpkit defines routes (access, rate limit, body size, deadline), actions, event streams,
// paginated lists, error responses and security headers. Features declare their routes with it and
// never see a ResponseWriter.
package httpkit

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"reflect"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/money"
)

// Principal is the caller that a session proves.
type Principal struct {
	UserID  string
	Address string
	Role    string
	Tag     string   // in the public log
	Session [32]byte // the SHA-256 of its token
}

// Authenticate finds the principal of a session token, or a fault.
type Authenticate func(ctx context.Context, token string) (Principal, error)

// Proven looks, in one go with what is asked next, which callers their sessions prove, just
// as they are said to be; what it returns tells.
type Proven func(tx *db.Tx, callers []Principal) func() (map[Principal]bool, error)

// Options are what the edge needs to know of the installation.
type Options struct {
	DB           *db.DB
	Authenticate Authenticate
	// Remembered is the principal of a token that was looked up lately, who may not be signed
	// in any more: Proven finds out in the transaction of a call that is done with others.
	Remembered func(token string) (p Principal, found bool)
	Proven     Proven
	Log        *slog.Logger
	PublicURL  PublicURL
	// PaymentOrigin is a host of its own for Foreign routes; zero = the public one.
	PaymentOrigin PublicURL
	RateLimits    bool
	AdminsPlay    bool // admins may do what is for customers: in a sandbox
	// TrustedProxies may say whom they forward for.
	TrustedProxies []netip.Prefix
	Version        string
	NewRequestID   func() string
	// Sound looks, in one go with an act's first statement, whether the database is
	// the one that the node knows; what it returns says so after that statement.
	Sound func(*db.Tx) func() error
	// Clock is the system's: connections have deadlines by it.
	Clock func() time.Time
}

// Kit collects the routes.
type Kit struct {
	Options
	API      huma.API
	mux      *http.ServeMux
	routes   map[string]Route // by pattern
	limiters map[Rate]func(http.Handler) http.Handler
	closers  []func()
	streams  streams
	// streaming ends when the streams must.
	streaming    context.Context
	endStreaming context.CancelFunc
	decoding     decoding
	// proxyWarning is given at most once.
	proxyWarning sync.Once
	// document is the OpenAPI document as it stands when it is first asked for.
	document func() ([]byte, error)
}

// Close ends what the routes keep running, and waits for the ends of streams.
func (k *Kit) Close() {
	k.EndStreams()
	k.streams.all.Wait()
	for _, end := range k.closers {
		end()
	}
}

// New makes an empty kit.
func New(o Options) *Kit {
	k := &Kit{Options: o, mux: http.NewServeMux(), routes: map[string]Route{}, decoding: newDecoding()}
	k.limiters = k.newLimiters()
	k.streams.of, k.streams.begun = map[string]int{}, map[*stream]struct{}{}
	k.streaming, k.endStreaming = context.WithCancel(context.Background())
	config := contract()
	config.CreateHooks = nil // no $schema in answers
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.AllowAdditionalPropertiesByDefault = true // clients of the beta send more than we read
	config.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[money.Dollars](), reflect.TypeFor[float64]())
	config.OnAddOperation = append(config.OnAddOperation, sayKnownOnly)
	k.API = humago.New(guardedMux{k}, config)
	k.API.UseMiddleware(k.checkPath, k.checkQuery, k.readBody)
	k.document = sync.OnceValues(k.OpenAPI)
	k.File(Get(Public, apiPath, "get-openapi", "This document"), jsonType, http.HandlerFunc(k.serveOpenAPI))
	return k
}

// Handler is everything that was registered, behind the checks that hold for
// every request.
func (k *Kit) Handler() http.Handler {
	return k.everyRequest(k.mux)
}

// Timestamp is how the contract writes a time: RFC 3339, UTC, milliseconds.
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// ErrUnauthenticated refuses a call without a living session.
var ErrUnauthenticated = apperr.New(apperr.Unauthenticated, "Please connect your wallet first.")
