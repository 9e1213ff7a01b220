package httpapi

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/httprate"

	"kaibao/internal/apperr"
)

// RateClass is a class of calls that share one rate limit per client address.
type RateClass int

// The classes. Signing in stores a row for every request, and calls with a secret may be guesses, so
// their limits are the lowest. The other limits keep one client from crowding out the rest.
const (
	_ RateClass = iota
	Reads
	Writes
	SignIns
	Secrets
)

// callsPerMinute is the limit of each class per client address.
var callsPerMinute = map[RateClass]int{Reads: 6000, Writes: 600, SignIns: 30, Secrets: 30}

// newLimiters returns one limiter for each class, shared by its routes.
func (a *API) newLimiters() map[RateClass]func(http.Handler) http.Handler {
	refuse := httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
		a.Fail(w, r, apperr.New(apperr.RateLimited, "Too many requests. Please wait a moment.").After(time.Minute))
	})
	limiters := map[RateClass]func(http.Handler) http.Handler{}
	for rate, calls := range callsPerMinute {
		limiters[rate] = httprate.LimitBy(calls, time.Minute, a.ClientAddress, refuse)
	}
	return limiters
}

func (a *API) limitRate(rate RateClass, next http.Handler) http.Handler {
	if limit := a.limiters[rate]; limit != nil && a.RateLimits {
		return limit(next)
	}
	return next
}

// ClientAddress returns the client's address for counting its calls: an IPv6 address stands for its
// /64 network.
func (a *API) ClientAddress(r *http.Request) (string, error) {
	address, err := a.clientAddress(r)
	if err != nil {
		return "", err
	}
	return httprate.CanonicalizeIP(address.String()), nil
}

// peerAddress returns the address at the other end of the connection.
func peerAddress(r *http.Request) (netip.Addr, error) {
	connected, err := netip.ParseAddrPort(r.RemoteAddr)
	return connected.Addr().Unmap(), err
}

// clientAddress returns the client's address: the other end of the connection, or the address that
// trusted proxies forwarded for, with or without a port. Entries that a client wrote into
// X-Forwarded-For are further left and never used.
func (a *API) clientAddress(r *http.Request) (netip.Addr, error) {
	address, err := peerAddress(r)
	if err != nil {
		return address, err
	}
	forwarded := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	if forwarded != "" && !a.isTrusted(address) {
		a.warnAboutProxy(address)
	}
	for _, text := range slices.Backward(strings.Split(forwarded, ",")) {
		text = strings.TrimSpace(text)
		if text == "" {
			continue // empty list elements are ignored (RFC 9110, 5.6.1)
		}
		hop := parseHop(text)
		if !a.isTrusted(address) || !hop.IsValid() {
			break // entries further left may be forged
		}
		address = hop
	}
	return address, nil
}

// parseHop parses an address with or without a port. The result is invalid if it isn't one.
func parseHop(text string) netip.Addr {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap()
	}
	address, _ := netip.ParseAddr(text)
	return address.Unmap()
}

// warnAboutProxy warns once about a possible proxy that isn't configured: all clients behind it
// share one rate limit and are logged with its address.
func (a *API) warnAboutProxy(address netip.Addr) {
	a.proxyWarning.Do(func() {
		a.Log.Warn("ignoring X-Forwarded-For from an untrusted address: if it is your proxy, "+
			"set --trusted-proxies, or all users behind it share one rate limit", "address", a.LogAddresses.format(address))
	})
}

func (a *API) isTrusted(address netip.Addr) bool {
	return slices.ContainsFunc(a.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(address) })
}
