package imageproxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"code.dny.dev/ssrf"
)

const (
	maxBytes     = 5 << 20 // maximum size of an original image
	maxRedirects = 3
)

// publicTransport returns a transport that connects only to public https hosts. It checks the
// address that is dialed, after every lookup and redirect.
func publicTransport() http.RoundTripper {
	return newTransport(&net.Dialer{Timeout: 3 * time.Second, Control: ssrf.New(ssrf.WithPorts(443)).Safe})
}

func newTransport(d *net.Dialer) *http.Transport {
	return &http.Transport{
		DialContext: d.DialContext, TLSHandshakeTimeout: 3 * time.Second, ResponseHeaderTimeout: 5 * time.Second,
		MaxResponseHeaderBytes: 16 << 10, DisableKeepAlives: true, ForceAttemptHTTP2: true,
	}
}

var errNotHTTPS = errors.New("not an https address")

// checkRedirect follows a few redirects, to https URLs only.
func checkRedirect(next *http.Request, via []*http.Request) error {
	if next.URL.Scheme != "https" {
		return errNotHTTPS
	}
	if len(via) > maxRedirects {
		return errors.New("too many redirects")
	}
	return nil
}

func (s *Service) download(ctx context.Context, imageURL string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, imageURL, http.NoBody)
	if err == nil && request.URL.Scheme != "https" {
		err = errNotHTTPS
	}
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "image/png, image/jpeg, image/webp, image/gif")
	request.Header.Set("User-Agent", "kaibao")
	response, err := s.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("responded with %s", response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBytes+1))
	if err == nil && len(body) > maxBytes {
		err = fmt.Errorf("more than %d bytes", maxBytes)
	}
	return body, err
}
