package httpkit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
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
func (k *Kit) guard(route Route, next http.Handler) http.Handler {
	if !route.stream {
		next = gzhttp.GzipHandler(next)
	}
	if route.foreign {
		next = k.toOthers(next)
	}
	admitted := k.limited(route.Rate, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, err := k.admit(r, route)
		if err != nil {
			k.Fail(w, r, err)
			return
		}
		if r.Body == http.NoBody {
			// The whole request has arrived. The server's read deadline would still end the call.
			_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
		}
		r.Body = http.MaxBytesReader(w, r.Body, route.BodyLimit)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callKey{}, call{caller, r})))
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		visitOf(r.Context()).route = route.Path
		admitted.ServeHTTP(w, r)
	})
}

// toOthers lets pages of any origin read the responses of a Foreign route. If Foreign routes have
// their own host, they respond 404 on any other.
func (k *Kit) toOthers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if own := k.PaymentOrigin.Host(); own != "" && !strings.EqualFold(r.Host, own) {
			k.Fail(w, r, apperr.New(apperr.NotFound, "This address doesn't exist."))
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		next.ServeHTTP(w, r)
	})
}

// admit returns the caller if the access rule allows the call. The Wallet header is only compared
// with the session's address, never trusted.
func (k *Kit) admit(r *http.Request, route Route) (Principal, error) {
	access := route.Access
	switch access {
	case Public:
		return Principal{}, nil
	case Session, Customer, Admin:
	default:
		return Principal{}, apperr.New(apperr.Forbidden, "You don't have access to this.")
	}
	cookie, err := r.Cookie(k.PublicURL.Cookie(SessionCookie))
	if err != nil {
		return Principal{}, ErrUnauthenticated
	}
	p, err := k.callerOf(r.Context(), cookie.Value, route.proves)
	if err != nil {
		return Principal{}, err
	}
	visitOf(r.Context()).tag = p.Tag
	if header := r.Header.Get("Authorization"); header != "" && header != "Wallet "+p.Address {
		return Principal{}, apperr.New(apperr.WalletMismatch,
			"The connected wallet is not the one you signed in with. Please sign in again.")
	}
	if access == Admin && p.Role != "admin" {
		return Principal{}, apperr.New(apperr.Forbidden, "You need the admin role for this.")
	}
	if access == Customer && p.Role == "admin" && !k.AdminsPlay {
		return Principal{}, apperr.ErrAdmin
	}
	return p, nil
}

// callerOf returns the principal of a token. If the session is verified later, a remembered
// principal will do.
func (k *Kit) callerOf(ctx context.Context, token string, proven bool) (Principal, error) {
	if proven {
		if p, found := k.Remembered(token); found {
			return p, nil
		}
	}
	return k.Authenticate(ctx, token)
}

// errUnproven reports that a session ended or changed between its lookup and its caller's act.
var errUnproven = ErrUnauthenticated.Because(errors.New("session ended or changed during the request"))

// proof queues a check that the calls' sessions still prove their callers. The returned function
// yields nil or errUnproven for each call.
func proof[I any](k *Kit, tx *db.Tx, calls []Call[I]) func() ([]error, error) {
	callers := make([]Principal, len(calls))
	for n, call := range calls {
		callers[n] = call.Caller
	}
	ask := k.Proven(tx, callers)
	return func() ([]error, error) {
		proven, err := ask()
		if err != nil {
			return nil, fmt.Errorf("look up the sessions: %w", err)
		}
		refusals := make([]error, len(callers))
		for n, caller := range callers {
			if !proven[caller] {
				refusals[n] = errUnproven
			}
		}
		return refusals, nil
	}
}

// Cookie returns the value of the call's cookie with this name, or an empty string.
func (k *Kit) Cookie(ctx context.Context, name string) string {
	r := callOf(ctx).request
	if r == nil {
		return ""
	}
	cookie, err := r.Cookie(k.PublicURL.Cookie(name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// SetCookie returns a cookie that scripts can't read and cross-site writes don't carry. An empty
// value clears it.
func (k *Kit) SetCookie(name, value string, life time.Duration) http.Cookie {
	c := http.Cookie{
		Name: k.PublicURL.Cookie(name), Value: value, Path: "/", MaxAge: int(life.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: k.PublicURL.Secure(),
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
