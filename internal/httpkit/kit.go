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

// Authenticate returns the principal of a session token, or an *apperr.Error.
type Authenticate func(ctx context.Context, token string) (Principal, error)

// Proven queues a check that the callers' sessions still prove exactly these principals. The
// returned function yields the result; the check shares a round trip with the next query.
type Proven func(tx *db.Tx, callers []Principal) func() (map[Principal]bool, error)

// Options configure a Kit for the installation.
type Options struct {
	DB           *db.DB
	Authenticate Authenticate
	// Remembered returns the principal that was recently looked up for a token. The session may
	// have ended since, so a batched act verifies it with Proven in its transaction.
	Remembered func(token string) (p Principal, found bool)
	Proven     Proven
	Log        *slog.Logger
	PublicURL  PublicURL
	// PaymentOrigin is a separate host for Foreign routes; zero serves them on PublicURL.
	PaymentOrigin PublicURL
	RateLimits    bool
	AdminsPlay    bool // in a sandbox, admins may call Customer routes
	// TrustedProxies are the proxies whose X-Forwarded-For header is believed.
	TrustedProxies []netip.Prefix
	Version        string
	NewRequestID   func() string
	// Sound queues a check, together with an act's first query, that this is the database the node
	// knows. The returned function yields the result.
	Sound func(*db.Tx) func() error
	// Clock is the system clock. It also sets connection deadlines.
	Clock func() time.Time
}

// Kit holds the registered routes and builds the HTTP handler.
type Kit struct {
	Options
	API      huma.API
	mux      *http.ServeMux
	routes   map[string]Route // by pattern
	limiters map[Rate]func(http.Handler) http.Handler
	closers  []func()
	streams  streams
	// streaming is canceled when the streams must end.
	streaming    context.Context
	endStreaming context.CancelFunc
	decoding     decoding
	// proxyWarning logs the warning only once.
	proxyWarning sync.Once
	// document caches the OpenAPI document as of its first use.
	document func() ([]byte, error)
}

// Close ends all streams, waits for them, and stops the background work of the routes.
func (k *Kit) Close() {
	k.EndStreams()
	k.streams.all.Wait()
	for _, end := range k.closers {
		end()
	}
}

// New returns a Kit that serves only the OpenAPI document.
func New(o Options) *Kit {
	k := &Kit{Options: o, mux: http.NewServeMux(), routes: map[string]Route{}, decoding: newDecoding()}
	k.limiters = k.newLimiters()
	k.streams.of, k.streams.open = map[string]int{}, map[*stream]struct{}{}
	k.streaming, k.endStreaming = context.WithCancel(context.Background())
	config := contract()
	config.CreateHooks = nil // no $schema in responses
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

// Handler serves all registered routes after the checks that apply to every request.
func (k *Kit) Handler() http.Handler {
	return k.everyRequest(k.mux)
}

// Timestamp formats a time for the API: RFC 3339, UTC, milliseconds.
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// ErrUnauthenticated refuses a call without a valid session.
var ErrUnauthenticated = apperr.New(apperr.Unauthenticated, "Please connect your wallet first.")
