package httpkit

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/go-chi/httprate"

	"kaibao/internal/apperr"
)

// Rate says how often one address may make the calls of a class, all together.
type Rate int

// The rates. Signing in stores a row for everybody who asks; everything else is
// bounded so that one client cannot crowd out the rest.
const (
	_ Rate = iota
	Reads
	Writes
	SignIns
)

// rates are calls a minute.
var rates = map[Rate]int{Reads: 6000, Writes: 600, SignIns: 30}

// newLimiters makes a count for each rate, which its routes share.
func (k *Kit) newLimiters() map[Rate]func(http.Handler) http.Handler {
	refuse := httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
		k.Fail(w, r, apperr.New(apperr.RateLimited, "Too many requests. Please wait a moment.").After(time.Minute))
	})
	limiters := map[Rate]func(http.Handler) http.Handler{}
	for rate, calls := range rates {
		limiters[rate] = httprate.LimitBy(calls, time.Minute, k.peer, refuse)
	}
	return limiters
}

func (k *Kit) limited(rate Rate, next http.Handler) http.Handler {
	if limit := k.limiters[rate]; limit != nil && k.RateLimits {
		return limit(next)
	}
	return next
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
	forwarded := strings.Join(r.Header.Values("X-Forwarded-For"), ",")
	if forwarded != "" && !k.trusts(address) {
		k.warnOfProxy(address)
	}
	for _, text := range slices.Backward(strings.Split(forwarded, ",")) {
		text = strings.TrimSpace(text)
		if text == "" {
			continue // an empty element of a list is none (RFC 9110, 5.6.1)
		}
		hop := parseHop(text)
		if !k.trusts(address) || !hop.IsValid() {
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
