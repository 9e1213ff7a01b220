package imageproxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"code.dny.dev/ssrf"
)

// Users enter image URLs, so fetches must reach only public hosts.
func TestPrivateHostsAreNotReached(t *testing.T) {
	reached := false
	inside := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer inside.Close()
	_, port, _ := net.SplitHostPort(inside.Listener.Addr().String())
	s := New(nil, nil)
	for _, imageURL := range []string{
		inside.URL, "https://localhost:" + port, "https://127.0.0.1", "https://[::1]", "https://[::ffff:127.0.0.1]", "https://0.0.0.0",
		"https://10.0.0.1", "https://192.168.1.1", "https://172.16.0.1", "https://100.64.0.1",
		"https://169.254.169.254/latest/meta-data", "https://[fd00::1]", "https://[fe80::1]", "https://[64:ff9b::7f00:1]", "https://224.0.0.1",
	} {
		_, err := s.download(t.Context(), imageURL)
		if !errors.Is(err, ssrf.ErrProhibitedIP) && !errors.Is(err, ssrf.ErrProhibitedPort) {
			t.Errorf("%s: %v", imageURL, err)
		}
	}
	for _, imageURL := range []string{"http://example.com/a.png", "file:///etc/passwd", "//example.com/a.png", "ftp://example.com"} {
		if _, err := s.download(t.Context(), imageURL); !errors.Is(err, errNotHTTPS) {
			t.Errorf("%s: %v", imageURL, err)
		}
	}
	if reached {
		t.Error("a private host was reached")
	}
}

var loopback = netip.MustParsePrefix("127.0.0.0/8")

// host starts a host with various responses, and a Service that may reach it.
func host(t *testing.T) (s *Service, url string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/fine", func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, r.Header.Get("Cookie"), r.Header.Get("Authorization"), "picture")
	})
	mux.HandleFunc("/twice", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/fine", http.StatusFound) })
	mux.HandleFunc("/ever", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/ever", http.StatusFound) })
	mux.HandleFunc("/plain", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+r.Host+"/fine", http.StatusFound)
	})
	mux.HandleFunc("/inside", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://10.0.0.1/", http.StatusFound)
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(make([]byte, maxBytes+1))
	})
	mux.HandleFunc("/silent", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	server := httptest.NewTLSServer(mux)
	t.Cleanup(server.Close)
	near := ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(loopback))
	transport := newTransport(&net.Dialer{Control: near.Safe})
	transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig
	return New(nil, transport), server.URL
}

func TestHostResponses(t *testing.T) {
	s, url := host(t)
	for path, want := range map[string]string{"/fine": "", "/twice": "", "/ever": "too many redirects", "/plain": "not an https address", "/inside": "prohibited", "/large": "more than", "/none": "404"} {
		body, err := s.download(t.Context(), url+path)
		if want == "" && (err != nil || string(body) != "picture") {
			t.Errorf("%s: %q, %v", path, body, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := s.download(ctx, url+"/silent"); !errors.Is(err, context.Canceled) {
		t.Errorf("a silent host: %v", err)
	}
}
