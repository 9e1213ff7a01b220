package httpkit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
)

// ErrAdmin refuses an admin what is for customers.
var ErrAdmin = apperr.New(apperr.Forbidden, "Admins neither open packs nor trade, as they see more than others do. Use another wallet.")

// Access says who may call a route. The zero value is nobody: a route that
// declares nothing is refused.
type Access int

// The access rules.
const (
	Nobody   Access = iota
	Public          // everybody
	Session         // a signed-in user
	Customer        // a signed-in user who does not run the house; in a sandbox whoever is signed in
	Admin           // a signed-in user with the role admin
)

// call is what the guard knows of a request that it let in.
type call struct {
	caller  Principal
	request *http.Request
}

type callKey struct{}

func callOf(ctx context.Context) call {
	c, _ := ctx.Value(callKey{}).(call)
	return c
}

// Caller is the principal of a call that requires a session.
func Caller(ctx context.Context) Principal { return callOf(ctx).caller }

// guard keeps a call from running before its route's rules hold.
func (k *Kit) guard(route Route, next http.Handler) http.Handler {
	if !route.stream {
		next = compress(next)
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
			// At the server's deadline for what is still to come the call would end, though all of it has come.
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

// toOthers lets pages of any origin read the answers of a Foreign route. Where these have
// a host of their own, the shop's doesn't serve them.
func (k *Kit) toOthers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if own := k.PaymentOrigin.Host(); own != "" && !strings.EqualFold(r.Host, own) {
			k.Fail(w, r, apperr.New(apperr.NotFound, "There is nothing at this address."))
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		next.ServeHTTP(w, r)
	})
}

// admit finds the caller and checks the rule. The Wallet header is compared
// with the session's address and never believed.
func (k *Kit) admit(r *http.Request, route Route) (Principal, error) {
	access := route.Access
	switch access {
	case Public:
		return Principal{}, nil
	case Session, Customer, Admin:
	default:
		return Principal{}, apperr.New(apperr.Forbidden, "This is not allowed.")
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
		return Principal{}, apperr.New(apperr.Forbidden, "You need admin privileges for this.")
	}
	if access == Customer && p.Role == "admin" && !k.AdminsPlay {
		return Principal{}, ErrAdmin
	}
	return p, nil
}

// callerOf finds the principal of a token. Who is to be proven later may be remembered.
func (k *Kit) callerOf(ctx context.Context, token string, proven bool) (Principal, error) {
	if proven {
		if p, found := k.Remembered(token); found {
			return p, nil
		}
	}
	return k.Authenticate(ctx, token)
}

// errUnproven says that a session was another one, or none, when its caller's act came to be done.
var errUnproven = ErrUnauthenticated.Because(errors.New("the session ended or changed after it was looked up"))

// proof looks, along with the next statement, whether the sessions of some calls still
// prove their callers; what it returns gives for each call nil or errUnproven.
func proof[I any](k *Kit, tx *db.Tx, calls []Call[I]) func() ([]error, error) {
	callers := make([]Principal, len(calls))
	for n, call := range calls {
		callers[n] = call.Caller
	}
	ask := k.Proven(tx, callers)
	return func() ([]error, error) {
		proven, err := ask()
		if err != nil {
			return nil, fmt.Errorf("look for the callers' sessions: %w", err)
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

// Cookie is the value of the call's cookie of this name, or empty.
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

// SetCookie makes a cookie that scripts and other sites never get; an empty
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

// SessionCookie and ChallengeCookie name the cookies before their prefix.
const (
	SessionCookie   = "kaibao_session"
	ChallengeCookie = "kaibao_challenge"
)
