package httpapi

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"kaibao/internal/apperr"
)

// withMiddleware wraps the handler of all routes: logging, panic recovery, security headers, host
// and origin checks.
func (a *API) withMiddleware(next http.Handler) http.Handler {
	crossOrigin := http.NewCrossOriginProtection()
	crossOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.Fail(w, r, errOtherSite)
	}))
	for pattern, route := range a.routes {
		if route.foreign {
			crossOrigin.AddInsecureBypassPattern(pattern)
		}
	}
	h := a.checkHost(crossOrigin.Handler(next))
	h = a.securityHeaders(h)
	h = a.recoverPanics(h)
	return a.logRequests(h)
}

func (a *API) recoverPanics(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			a.Fail(w, r, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}()
		next.ServeHTTP(w, r)
	}
}

const contentPolicy = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; " +
	"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// WebAuthnPath is where browsers look up which other origins may use a host's passkeys (WebAuthn's
// related origins).
const WebAuthnPath = "/.well-known/webauthn"

// permissions of every page.
const permissions = "camera=(), microphone=(), geolocation=(), "

// allowPasskeys lets a page ask for passkeys, but not the frames of other origins in it.
func allowPasskeys(h http.Header) {
	h.Set("Permissions-Policy", permissions+"publickey-credentials-get=(self), publickey-credentials-create=(self)")
}

// ForbidPasskeys makes the browser refuse passkeys to a page: one with scripts of others, which must
// not get the secrets that passkeys return.
func ForbidPasskeys(h http.Header) {
	h.Set("Permissions-Policy", permissions+"publickey-credentials-get=(), publickey-credentials-create=()")
}

// securityHeaders sets headers on every response. A page that the user opened directly (address
// bar, bookmark) has no opener to isolate. Sending Cross-Origin-Opener-Policy for it would make the
// browser start another process after the response arrives (ADR 0035).
func (a *API) securityHeaders(next http.Handler) http.HandlerFunc {
	policy := contentPolicy
	if origin := a.PaymentOrigin.String(); origin != "" {
		policy += "; frame-src " + origin
	}
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
		if r.Header.Get("Sec-Fetch-Site") != "none" {
			h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups") // wallets open pop-ups
		}
		if payment := a.PaymentOrigin.Host(); payment != "" && strings.EqualFold(r.Host, payment) {
			ForbidPasskeys(h)
		} else {
			allowPasskeys(h)
		}
		if a.PublicURL.Secure() {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		h.Set("Cache-Control", "no-store") // unless the handler sets another
		next.ServeHTTP(w, r)
	}
}

// checkHost serves only our own hosts, which prevents DNS rebinding. A page requested at another
// loopback name is redirected to the public one, because the wallet must see the host it signs for.
func (a *API) checkHost(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		host := strings.ToLower(r.Host)
		switch {
		case host != "" && host == a.PaymentOrigin.Host():
			a.requireForeign(next).ServeHTTP(w, r)
		case host != "" && host == a.EarlierHost && r.URL.Path == WebAuthnPath:
			next.ServeHTTP(w, r)
		case host == a.PublicURL.Host() || a.routeOf(r).HealthCheck:
			next.ServeHTTP(w, r)
		case !a.PublicURL.Loopback() || !loopback(host):
			a.Fail(w, r, apperr.New(apperr.Misdirected, "This server doesn't serve this host name."))
		case r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html"):
			http.Redirect(w, r, a.PublicURL.String()+r.URL.RequestURI(), http.StatusTemporaryRedirect)
		default:
			next.ServeHTTP(w, r)
		}
	}
}

// routeOf returns the route that serves a request, or the zero value.
func (a *API) routeOf(r *http.Request) Route {
	_, pattern := a.mux.Handler(r)
	return a.routes[pattern]
}

// requireForeign serves only Foreign routes.
func (a *API) requireForeign(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !a.routeOf(r).foreign {
			a.Fail(w, r, apperr.New(apperr.NotFound, "This address doesn't exist."))
			return
		}
		next.ServeHTTP(w, r)
	}
}
