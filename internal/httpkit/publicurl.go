package httpkit

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// PublicURL is the address people reach the server at. It alone decides what
// wallets sign and which hosts are answered; the Host header never does.
type PublicURL struct {
	scheme, host string
}

// ParsePublicURL reads scheme and host; anything more is refused.
func ParsePublicURL(text string) (PublicURL, error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return PublicURL{}, fmt.Errorf("public URL %q is not of the form https://host[:port]", text)
	}
	host := strings.TrimSuffix(strings.ToLower(u.Host), usualPort[u.Scheme])
	return PublicURL{scheme: u.Scheme, host: host}, nil
}

// usualPort is what browsers leave out of a scheme's Host header.
var usualPort = map[string]string{"http": ":80", "https": ":443"}

// String is the URL without a trailing slash; empty for none.
func (p PublicURL) String() string {
	if p.host == "" {
		return ""
	}
	return p.scheme + "://" + p.host
}

// Host is the host with its port, as a browser shows and sends it.
func (p PublicURL) Host() string { return p.host }

// Hostname is the host without its port: what browsers keep cookies by.
func (p PublicURL) Hostname() string { return (&url.URL{Host: p.host}).Hostname() }

// Secure tells whether people come over https.
func (p PublicURL) Secure() bool { return p.scheme == "https" }

// Loopback tells whether only this machine can be meant.
func (p PublicURL) Loopback() bool { return loopback(p.host) }

// Cookie is a cookie's full name: the __Host- prefix binds it to this host
// where the connection is secure.
func (p PublicURL) Cookie(name string) string {
	if p.Secure() {
		return "__Host-" + name
	}
	return name
}

// loopback tells whether a host (with or without port) is this machine itself.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
