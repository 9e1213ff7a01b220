package httpkit

import (
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strings"

	"kaibao/internal/apperr"
)

// everyRequest wraps every route: log, panics, headers, host, origin.
func (k *Kit) everyRequest(next http.Handler) http.Handler {
	crossOrigin := http.NewCrossOriginProtection()
	crossOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		k.Fail(w, r, apperr.New(apperr.Forbidden, "Requests from other sites are refused."))
	}))
	for pattern, route := range k.routes {
		if route.foreign {
			crossOrigin.AddInsecureBypassPattern(pattern)
		}
	}
	h := k.checkHost(crossOrigin.Handler(next))
	h = k.securityHeaders(h)
	h = k.recoverPanics(h)
	return k.logged(h)
}

func (k *Kit) recoverPanics(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(p)
			}
			k.Fail(w, r, fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
		}()
		next.ServeHTTP(w, r)
	}
}

const contentPolicy = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; " +
	"connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// securityHeaders go with every answer. A page that the user asked for alone (an address,
// a bookmark) was opened by no other page from which it had to be parted, for which the
// browser would begin a process once more after it has the answer (ADR 0054).
func (k *Kit) securityHeaders(next http.Handler) http.HandlerFunc {
	policy := contentPolicy
	if origin := k.PaymentOrigin.String(); origin != "" {
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
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		if k.PublicURL.Secure() {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		h.Set("Cache-Control", "no-store") // unless the answer says otherwise
		next.ServeHTTP(w, r)
	}
}

// checkHost answers only for our own names, so that a foreign name rebound to
// our address finds nobody home. A page asked for at another loopback name is
// sent to the public one: the wallet must see the host it signs for.
func (k *Kit) checkHost(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		host := strings.ToLower(r.Host)
		switch {
		case host != "" && host == k.PaymentOrigin.Host():
			k.onlyForeign(next).ServeHTTP(w, r)
		case host == k.PublicURL.Host():
			next.ServeHTTP(w, r)
		case !k.PublicURL.Loopback() || !loopback(host):
			k.Fail(w, r, apperr.New(apperr.Misdirected, "This server does not serve that host."))
		case r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html"):
			http.Redirect(w, r, k.PublicURL.String()+r.URL.RequestURI(), http.StatusTemporaryRedirect)
		default:
			next.ServeHTTP(w, r)
		}
	}
}

// onlyForeign serves Foreign routes and nothing else.
func (k *Kit) onlyForeign(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if _, pattern := k.mux.Handler(r); !k.routes[pattern].foreign {
			k.Fail(w, r, apperr.New(apperr.NotFound, "There is nothing at this address."))
			return
		}
		next.ServeHTTP(w, r)
	}
}
