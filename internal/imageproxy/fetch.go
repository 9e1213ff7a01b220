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
	largest      = 5 << 20 // maximum size of an original image in bytes
	mostRedirect = 3
)

// publicWeb connects only to public https hosts. It checks the address that is dialed, after every
// lookup and redirect.
func publicWeb() http.RoundTripper {
	return throughDialer(&net.Dialer{Timeout: 3 * time.Second, Control: ssrf.New(ssrf.WithPorts(443)).Safe})
}

func throughDialer(d *net.Dialer) *http.Transport {
	return &http.Transport{
		DialContext: d.DialContext, TLSHandshakeTimeout: 3 * time.Second, ResponseHeaderTimeout: 5 * time.Second,
		MaxResponseHeaderBytes: 16 << 10, DisableKeepAlives: true, ForceAttemptHTTP2: true,
	}
}

var errNotHTTPS = errors.New("not an https address")

func follow(next *http.Request, way []*http.Request) error {
	if next.URL.Scheme != "https" {
		return errNotHTTPS
	}
	if len(way) > mostRedirect {
		return errors.New("too many redirects")
	}
	return nil
}

func (s *Service) download(ctx context.Context, address string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err == nil && request.URL.Scheme != "https" {
		err = errNotHTTPS
	}
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "image/png, image/jpeg, image/webp, image/gif")
	request.Header.Set("User-Agent", "kaibao")
	answer, err := s.web.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("responded with %s", answer.Status)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, largest+1))
	if err == nil && len(body) > largest {
		err = fmt.Errorf("more than %d bytes", largest)
	}
	return body, err
}
