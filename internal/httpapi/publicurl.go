package httpapi

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// PublicURL is the address at which people reach the server. It decides what wallets sign and which
// hosts are served; the Host header never does.
type PublicURL struct {
	scheme, host string
}

// ParsePublicURL parses a URL that has only scheme and host, and refuses anything more.
func ParsePublicURL(text string) (PublicURL, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || strings.HasSuffix(u.Host, ":") ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return PublicURL{}, fmt.Errorf("public URL %q must have the form https://host[:port]", text)
	}
	if err := CheckHost(u.Hostname()); err != nil {
		return PublicURL{}, fmt.Errorf("public URL %q: %w", text, err)
	}
	host := strings.TrimSuffix(strings.ToLower(u.Host), defaultPort[u.Scheme])
	return PublicURL{scheme: u.Scheme, host: host}, nil
}

var hostName = regexp.MustCompile(`(?i)^[a-z0-9_-]+(\.[a-z0-9_-]+)*$`)

// CheckHost refuses what can't be compared with the host of a request: a port, brackets, or a name that
// browsers send in another form. To them, a name with a final dot is another host than without.
func CheckHost(host string) error {
	address, err := netip.ParseAddr(host)
	switch {
	case err == nil && address.Zone() == "" || hostName.MatchString(host):
		return nil
	case strings.HasSuffix(host, "."):
		return fmt.Errorf("host %q must not end with a dot", host)
	}
	return fmt.Errorf("host %q must be a name in ASCII (xn--… for other scripts) or an IP address", host)
}

// defaultPort is the port that browsers omit from the Host header, by scheme.
var defaultPort = map[string]string{"http": ":80", "https": ":443"}

// String returns the URL without a trailing slash, or an empty string for the zero value.
func (p PublicURL) String() string {
	if p.host == "" {
		return ""
	}
	return p.scheme + "://" + p.host
}

// Host returns the host with its port, in the form browsers show and send it.
func (p PublicURL) Host() string { return p.host }

// Hostname returns the host without its port. Browsers scope cookies by it.
func (p PublicURL) Hostname() string { return (&url.URL{Host: p.host}).Hostname() }

// Secure reports whether the URL uses https.
func (p PublicURL) Secure() bool { return p.scheme == "https" }

// Loopback reports whether the host is this machine.
func (p PublicURL) Loopback() bool { return loopback(p.host) }

// Cookie returns a cookie's full name. Over https it has the prefix __Host-, which binds the cookie
// to this host.
func (p PublicURL) Cookie(name string) string {
	if p.Secure() {
		return "__Host-" + name
	}
	return name
}

// NamesHost reports whether a Host header, with or without port, names this machine or one of the
// hosts.
func NamesHost(header string, hosts []string) bool {
	name := withoutPort(header)
	return loopback(header) || slices.ContainsFunc(hosts, func(host string) bool { return strings.EqualFold(host, name) })
}

func withoutPort(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.Trim(host, "[]")
}

// loopback reports whether a host, with or without port, is this machine.
func loopback(host string) bool {
	host = withoutPort(host)
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
