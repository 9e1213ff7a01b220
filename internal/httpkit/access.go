package httpkit

import (
	"context"
	"maps"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kaibao/internal/fault"
)

// Access says who may call a route. The zero value is nobody: a route that
// declares nothing is refused.
type Access int

// The access rules.
const (
	Nobody  Access = iota
	Public         // everybody
	Session        // a signed-in user
	Admin          // a signed-in user with the role admin
)

const accessKey = "access"

type (
	principalKey struct{}
	requestKey   struct{}
)

// Caller is the principal of a call that requires a session.
func Caller(ctx context.Context) Principal {
	p, _ := ctx.Value(principalKey{}).(Principal)
	return p
}

// Rules lists who may call what: every pattern registered, with its access rule.
func (k *Kit) Rules() map[string]Access { return maps.Clone(k.access) }

func (k *Kit) declare(pattern string, access Access) {
	if access == Nobody {
		panic("route " + pattern + " declares no access rule")
	}
	k.access[pattern] = access
}

// guard keeps a call from running before its access rule holds.
func (k *Kit) guard(ctx huma.Context, next func(huma.Context)) {
	access, _ := ctx.Operation().Metadata[accessKey].(Access)
	r, w := humago.Unwrap(ctx)
	p, err := k.admit(r, access)
	if err != nil {
		k.Fail(w, r, err)
		return
	}
	next(huma.WithValue(huma.WithValue(ctx, principalKey{}, p), requestKey{}, r))
}

func (k *Kit) guardRaw(access Access, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := k.admit(r, access)
		if err != nil {
			k.Fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), principalKey{}, p)))
	})
}

// admit finds the caller and checks the rule. The Wallet header is compared
// with the session's address and never believed.
func (k *Kit) admit(r *http.Request, access Access) (Principal, error) {
	v := visitOf(r.Context())
	v.reached(r.Pattern)
	switch access {
	case Public:
		return Principal{}, nil
	case Session, Admin:
	default:
		return Principal{}, fault.New(fault.Forbidden, "This is not allowed.")
	}
	cookie, err := r.Cookie(k.PublicURL.Cookie(SessionCookie))
	if err != nil {
		return Principal{}, ErrUnauthenticated
	}
	p, err := k.Authenticate(r.Context(), cookie.Value)
	if err != nil {
		return Principal{}, err
	}
	v.tag = p.Tag
	if header := r.Header.Get("Authorization"); header != "" && header != "Wallet "+p.Address {
		return Principal{}, fault.New(fault.WalletMismatch,
			"The connected wallet is not the one you signed in with. Please sign in again.")
	}
	if access == Admin && p.Role != "admin" {
		return Principal{}, fault.New(fault.Forbidden, "You need admin privileges for this.")
	}
	return p, nil
}

// Cookie is the value of the call's cookie of this name, or empty.
func (k *Kit) Cookie(ctx context.Context, name string) string {
	r, _ := ctx.Value(requestKey{}).(*http.Request)
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
