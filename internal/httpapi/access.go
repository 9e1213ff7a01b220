package httpapi

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"kaibao/internal/apperr"
)

// Access is the rule for who may call a route. The zero value, Nobody, refuses everyone, so a route
// must declare its rule.
type Access int

// The access rules.
const (
	Nobody   Access = iota
	Public          // everybody
	Session         // a signed-in user
	Customer        // a signed-in user who isn't an admin; in a sandbox every signed-in user
	Admin           // a signed-in user with the role admin
)

// call holds the caller and request of an admitted call.
type call struct {
	caller  Principal
	request *http.Request
}

type callKey struct{}

func callOf(ctx context.Context) call {
	c, _ := ctx.Value(callKey{}).(call)
	return c
}

// Caller returns the principal of a call that requires a session.
func Caller(ctx context.Context) Principal { return callOf(ctx).caller }

// guard wraps a handler with the route's checks: rate limit, access rule and body size.
func (a *API) guard(route Route, next http.Handler) http.Handler {
	if !route.Stream {
		next = gzhttp.GzipHandler(next)
	}
	if route.foreign {
		next = a.allowAnyOrigin(next)
	}
	admitted := a.limitRate(route.Rate, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, err := a.admit(r, route)
		if err != nil {
			a.Fail(w, r, err)
			return
		}
		if r.Body == http.NoBody {
			// The whole request has arrived. The server's read deadline would still end the call.
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		}
		r.Body = http.MaxBytesReader(w, r.Body, route.BodyLimit)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callKey{}, call{caller, r})))
	}))
	if a.Tracer != nil && !route.Stream {
		admitted = a.trace(route, admitted)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		record := requestLogOf(r.Context())
		record.route, record.stream, record.quiet = route.Path, route.Stream, route.HealthCheck
		admitted.ServeHTTP(w, r)
	})
}

// allowAnyOrigin lets pages of any origin read the responses of a Foreign route. If Foreign routes
// have their own host, they respond 404 on any other.
func (a *API) allowAnyOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if own := a.PaymentOrigin.Host(); own != "" && !strings.EqualFold(r.Host, own) {
			a.Fail(w, r, apperr.New(apperr.NotFound, "This address doesn't exist."))
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		next.ServeHTTP(w, r)
	})
}

var errOtherSite = apperr.New(apperr.Forbidden, "Requests from other sites are refused.")

// admit returns the caller if the access rule allows the call. The Wallet header is only compared
// with the session's address, never trusted.
func (a *API) admit(r *http.Request, route Route) (Principal, error) {
	access := route.Access
	switch access {
	case Public:
		return Principal{}, nil
	case Session, Customer, Admin:
	default:
		return Principal{}, apperr.New(apperr.Forbidden, "You don't have access to this.")
	}
	if access == Admin && r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		return Principal{}, errOtherSite // reading may be recorded in the admin log
	}
	cookie, err := r.Cookie(a.PublicURL.Cookie(SessionCookie))
	if err != nil {
		return Principal{}, ErrUnauthenticated
	}
	p, err := a.authenticate(r.Context(), cookie.Value, route.VerifiesSession)
	if err != nil {
		return Principal{}, err
	}
	requestLogOf(r.Context()).user = p.UserID
	if header := r.Header.Get("Authorization"); header != "" && header != "Wallet "+p.Address {
		return Principal{}, apperr.New(apperr.WalletMismatch,
			"The connected wallet is not the one you signed in with. Please sign in again.")
	}
	if access == Admin && p.Role != "admin" {
		return Principal{}, apperr.New(apperr.Forbidden, "You need the admin role for this.")
	}
	if p.Frozen && route.Method != http.MethodGet && !route.AllowFrozen {
		return Principal{}, apperr.ErrFrozen
	}
	if access == Customer && p.Role == "admin" && !a.AdminsPlay {
		return Principal{}, apperr.ErrAdmin
	}
	return p, nil
}

// Readmit looks up the session of an admitted call again, and returns its caller if the route's
// access rule still allows the call.
func (a *API) Readmit(ctx context.Context, route Route) (Principal, error) {
	route.VerifiesSession = false
	return a.admit(callOf(ctx).request, route)
}

// Viewer returns the id of the user whose session a call has, also on a Public route, or an empty
// string without a valid session.
func (a *API) Viewer(ctx context.Context) (string, error) {
	token := a.Cookie(ctx, SessionCookie)
	if token == "" {
		return "", nil
	}
	p, err := a.Authenticate(ctx, token)
	if err != nil && apperr.As(err).Code == apperr.Unauthenticated {
		return "", nil
	}
	return p.UserID, err
}

// authenticate returns the principal of a token. If the session is verified later, a cached principal
// suffices, unless it is refused right here because its account was frozen: that may have ended.
func (a *API) authenticate(ctx context.Context, token string, verifiedLater bool) (Principal, error) {
	if verifiedLater {
		if p, found := a.CachedPrincipal(token); found && !p.Frozen {
			return p, nil
		}
	}
	return a.Authenticate(ctx, token)
}

// Cookie returns the value of the call's cookie with this name, or an empty string.
func (a *API) Cookie(ctx context.Context, name string) string {
	r := callOf(ctx).request
	if r == nil {
		return ""
	}
	cookie, err := r.Cookie(a.PublicURL.Cookie(name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// SetCookie returns a cookie that scripts can't read and cross-site writes don't carry. An empty
// value clears it.
func (a *API) SetCookie(name, value string, life time.Duration) http.Cookie {
	c := http.Cookie{
		Name: a.PublicURL.Cookie(name), Value: value, Path: "/", MaxAge: int(life.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: a.PublicURL.Secure(),
	}
	if value == "" {
		c.MaxAge = -1
	}
	return c
}

// SessionCookie and ChallengeCookie are the cookies' names without their prefix.
const (
	SessionCookie   = "kaibao_session"
	ChallengeCookie = "kaibao_challenge"
)
