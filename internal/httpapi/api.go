// Package httpapi registers routes that state who may call them, how often, with what body and for
// how long. It decodes and validates requests, encodes lists and error responses, adds what every
// response needs (request log, security headers) and describes all routes as an OpenAPI document.
// Features declare their routes with it and rarely see a ResponseWriter.
//
// Package action registers routes that move money or items, httpcache those whose response is the
// same for everyone, csvfile lists that are also CSV files, and eventstream server-sent events.
package httpapi

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
	"go.opentelemetry.io/otel/trace"

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
	Frozen  bool     // an admin froze the account: only reads, and routes with AllowFrozen
	Session [32]byte // the SHA-256 of its token
}

// Authenticate returns the principal of a session token, or an *apperr.Error.
type Authenticate func(ctx context.Context, token string) (Principal, error)

// CheckSessions queues a check that the callers' sessions still prove exactly these principals. The
// returned function yields the result; the check shares a round trip with the next query.
type CheckSessions func(tx *db.Tx, callers []Principal) db.Queued[map[Principal]bool]

// Options configure an API for the installation.
type Options struct {
	DB           *db.DB
	Authenticate Authenticate
	// CachedPrincipal returns the principal that was recently looked up for a token. The session
	// may have ended since, so a batched act verifies it with CheckSessions in its transaction.
	CachedPrincipal func(token string) (p Principal, found bool)
	CheckSessions   CheckSessions
	Log             *slog.Logger
	PublicURL       PublicURL
	// PaymentOrigin is a separate host for Foreign routes; zero serves them on PublicURL.
	PaymentOrigin PublicURL
	// EarlierHost is the host that the shop's passkeys were created for, if the shop has moved since;
	// without port. It serves only WebAuthnPath.
	EarlierHost string
	RateLimits  bool
	AdminsPlay  bool // in a sandbox, admins may call Customer routes
	// TrustedProxies are the proxies whose X-Forwarded-For and X-Request-Id headers are believed.
	TrustedProxies []netip.Prefix
	LogAddresses   AddressLogging // of clients; empty = full
	SlowRequest    time.Duration  // slower requests are logged as a warning; 0 = none are
	Version        string
	NewRequestID   func() string
	// CheckDatabase queues a check, together with an act's first query, that this is the database
	// the node knows. The returned function yields the result.
	CheckDatabase func(*db.Tx) func() error
	// Clock is the system clock. It also sets connection deadlines.
	Clock func() time.Time
	// Tracer traces the requests of all routes except streams. Nil disables it.
	Tracer trace.Tracer
	// Observe is called when a request has ended. Nil disables it.
	Observe func(EndedRequest)
}

// API holds the registered routes and builds the HTTP handler.
type API struct {
	Options
	Huma        huma.API // serves the JSON calls and holds the OpenAPI document
	mux         *http.ServeMux
	routes      map[string]Route // by pattern
	limiters    map[RateClass]func(http.Handler) http.Handler
	decodeSlots decodeSlots
	onShutdown  []shutdown
	onClose     []func()
	queues      map[string]func() int
	// proxyWarning logs the warning only once.
	proxyWarning sync.Once
}

// shutdown ends long responses, and waits until they have ended.
type shutdown struct{ end, wait func() }

// OnShutdown registers functions that end long responses, so that the server can shut down, and
// that wait for their end.
func (a *API) OnShutdown(end, wait func()) { a.onShutdown = append(a.onShutdown, shutdown{end, wait}) }

// OnClose registers a function that stops background work of a route. Close calls it.
func (a *API) OnClose(stop func()) { a.onClose = append(a.onClose, stop) }

// AddQueue registers a route's queue. length returns how many calls wait in it.
func (a *API) AddQueue(route string, length func() int) { a.queues[route] = length }

// QueueLengths returns how many calls wait in each route's queue, by the id of the route.
func (a *API) QueueLengths() map[string]int {
	lengths := map[string]int{}
	for route, length := range a.queues {
		lengths[route] = length()
	}
	return lengths
}

// Shutdown ends long responses. It doesn't wait for them.
func (a *API) Shutdown() {
	for _, long := range a.onShutdown {
		long.end()
	}
}

// Close ends long responses, waits for them, and stops the background work of the routes.
func (a *API) Close() {
	a.Shutdown()
	for _, long := range a.onShutdown {
		long.wait()
	}
	for _, stop := range a.onClose {
		stop()
	}
}

// New returns an API without routes.
func New(o Options) *API {
	a := &API{Options: o, mux: http.NewServeMux(), routes: map[string]Route{}, queues: map[string]func() int{}, decodeSlots: newDecodeSlots()}
	a.limiters = a.newLimiters()
	config := contract()
	config.CreateHooks = nil // no $schema in responses
	config.OpenAPIPath, config.DocsPath, config.SchemasPath = "", "", ""
	config.AllowAdditionalPropertiesByDefault = true // clients of the beta send more than we read
	config.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[money.Dollars](), reflect.TypeFor[float64]())
	config.OnAddOperation = append(config.OnAddOperation, documentStrict)
	a.Huma = humago.New(guardedMux{a}, config)
	a.Huma.UseMiddleware(a.checkPath, a.checkQuery, a.readBody)
	return a
}

// Handler serves all registered routes after the checks that apply to every request.
func (a *API) Handler() http.Handler {
	return a.withMiddleware(a.mux)
}

// Timestamp formats a time for the API: RFC 3339, UTC, milliseconds.
func Timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// ErrUnauthenticated refuses a call without a valid session.
var ErrUnauthenticated = apperr.New(apperr.Unauthenticated, "Please connect your wallet first.")
