package httpkit

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/httprate"

	"kaibao/internal/fault"
)

// everyRequest wraps every route: log, panics, host, origin, rate, headers.
func (k *Kit) everyRequest(next http.Handler) http.Handler {
	crossOrigin := http.NewCrossOriginProtection()
	crossOrigin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		k.Fail(w, r, fault.New(fault.Forbidden, "Requests from other sites are refused."))
	}))
	h := crossOrigin.Handler(compress(next))
	if k.RateLimits {
		h = k.limit(h)
	}
	h = k.checkHost(h)
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

func (k *Kit) securityHeaders(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups") // wallets open pop-ups
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		if k.PublicURL.Secure() {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if strings.HasPrefix(r.URL.Path, "/api/") {
			h.Set("Cache-Control", "no-store")
		}
		next.ServeHTTP(w, r)
	}
}

// checkHost answers only for our own name, so that a foreign name rebound to
// our address finds nobody home. A page asked for at another loopback name is
// sent to the public one: the wallet must see the host it signs for.
func (k *Kit) checkHost(next http.Handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		host := strings.ToLower(r.Host)
		switch {
		case host == k.PublicURL.Host():
			next.ServeHTTP(w, r)
		case !k.PublicURL.Loopback() || !loopback(host):
			k.Fail(w, r, fault.New(fault.Misdirected, "This server does not serve that host."))
		case r.Method == http.MethodGet && strings.Contains(r.Header.Get("Accept"), "text/html"):
			http.Redirect(w, r, k.PublicURL.String()+r.URL.RequestURI(), http.StatusTemporaryRedirect)
		default:
			next.ServeHTTP(w, r)
		}
	}
}

// limit bounds what one address may ask: signing in tightly, as it stores a row
// for everybody who asks, and everything else so that one client cannot crowd
// out the rest.
func (k *Kit) limit(next http.Handler) http.Handler {
	refuse := httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
		k.Fail(w, r, fault.New(fault.RateLimited, "Too many requests. Please wait a moment.").After(time.Minute))
	})
	signIn := httprate.LimitBy(30, time.Minute, k.peer, refuse)(next)
	write := httprate.LimitBy(600, time.Minute, k.peer, refuse)(next)
	read := httprate.LimitBy(6000, time.Minute, k.peer, refuse)(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/auth/") && r.Method == http.MethodPost:
			signIn.ServeHTTP(w, r)
		case r.Method == http.MethodGet || r.Method == http.MethodHead:
			read.ServeHTTP(w, r)
		default:
			write.ServeHTTP(w, r)
		}
	})
}

// peer is the address that a request comes from: the other end of the
// connection, or what the trusted proxies in front say it is, with or without a
// port. What a stranger writes into the header is further left and never reached.
func (k *Kit) peer(r *http.Request) (string, error) {
	connected, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return "", err
	}
	address := connected.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	if hops[0] != "" && !k.trusts(address) {
		k.warnOfProxy(address)
	}
	for ; k.trusts(address) && len(hops) > 0; hops = hops[:len(hops)-1] {
		hop := parseHop(strings.TrimSpace(hops[len(hops)-1]))
		if !hop.IsValid() {
			break // what stands further left may be anybody's
		}
		address = hop
	}
	return httprate.CanonicalizeIP(address.String()), nil
}

// parseHop reads an address with or without its port; what is none is not valid.
func parseHop(text string) netip.Addr {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap()
	}
	address, _ := netip.ParseAddr(text)
	return address.Unmap()
}

// warnOfProxy says once that a proxy may stand in front that nobody told us of:
// everybody behind it would share the limits of one.
func (k *Kit) warnOfProxy(address netip.Addr) {
	k.proxyWarning.Do(func() {
		k.Log.Warn("X-Forwarded-For from an address that is not trusted is ignored: if it is your proxy, "+
			"everybody behind it shares one rate limit; start with --trusted-proxies", "address", address)
	})
}

func (k *Kit) trusts(address netip.Addr) bool {
	return slices.ContainsFunc(k.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(address) })
}
