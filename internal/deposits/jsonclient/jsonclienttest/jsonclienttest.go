// Package jsonclienttest provides servers that fail in many ways, for tests of clients.
package jsonclienttest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kaibao/internal/apperr"
	"kaibao/internal/deposits/jsonclient"
)

// Serve starts a server that answers every request with text, and returns its URL.
func Serve(t *testing.T, status int, text string) string {
	t.Helper()
	return start(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = w.Write([]byte(text))
	})
}

func start(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL
}

// CheckOutages makes a call fail in many ways and checks each error: it is an apperr.Unavailable,
// starts with the service's name, has a RetryAfter, and its whole chain contains no secret.
func CheckOutages(t *testing.T, service string, call func(ctx context.Context, url string) error, secrets ...string) {
	t.Helper()
	for name, text := range map[string]string{
		"nothing": "", "white space": " \n", "null": "null", "garbage": "}{", "half an object": `{"id": "a`, "another type": `"text"`,
		"a number": "1", "HTML": "<!doctype html><title>Maintenance</title>", "two values": "{} {}", "an empty object": "{}",
		"too large": `{"id": "` + strings.Repeat("x", jsonclient.MaxResponseBytes) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			checkUnavailable(t, service, call(t.Context(), Serve(t, http.StatusOK, text)), secrets)
		})
	}
	for _, status := range []int{204, 302, 307, 400, 401, 403, 408, 429, 500, 502, 503, 504} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			checkUnavailable(t, service, call(t.Context(), serveRedirect(t, status)), secrets)
		})
	}
	for name, handler := range brokenHandlers() {
		t.Run(name, func(t *testing.T) { checkUnavailable(t, service, call(t.Context(), start(t, handler)), secrets) })
	}
	t.Run("a stalled response, canceled", func(t *testing.T) { checkStalledResponse(t, service, call, secrets) })
	t.Run("connection refused", func(t *testing.T) {
		s := httptest.NewServer(http.NotFoundHandler())
		s.Close()
		checkUnavailable(t, service, call(t.Context(), s.URL), secrets)
	})
	t.Run("no address", func(t *testing.T) { checkUnavailable(t, service, call(t.Context(), "http://%zz"), secrets) })
}

// serveRedirect answers with a status and a redirect to a server that must not be requested:
// following it would leak the secrets.
func serveRedirect(t *testing.T, status int) string {
	t.Helper()
	other := start(t, func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") })
	return start(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", other)
		w.WriteHeader(status)
	})
}

// brokenHandlers returns handlers that violate HTTP or never end.
func brokenHandlers() map[string]http.HandlerFunc {
	raw := func(w http.ResponseWriter, text string) {
		if connection, _, err := w.(http.Hijacker).Hijack(); err == nil {
			_, _ = connection.Write([]byte(text))
			_ = connection.Close()
		}
	}
	return map[string]http.HandlerFunc{
		"an endless response": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				_, _ = w.Write([]byte(strings.Repeat("[", 1<<16)))
			}
		},
		"hanging up": func(w http.ResponseWriter, _ *http.Request) { raw(w, "") },
		"half a response": func(w http.ResponseWriter, _ *http.Request) {
			raw(w, "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{")
		},
		"an echo of the request": func(w http.ResponseWriter, r *http.Request) {
			raw(w, fmt.Sprintf("HTTP/1.1 %s %v\r\n\r\n", r.URL, r.Header))
		},
		"an echo in the response body": func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprintf(w, `{"id": [%q], "error": {"code": 1, "message": %q}, "result": %q}`, r.URL, fmt.Sprint(r.Header), r.URL)
		},
	}
}

// checkStalledResponse checks a server that stops after half a response, until the caller cancels.
func checkStalledResponse(t *testing.T, service string, call func(context.Context, string) error, secrets []string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	err := call(ctx, start(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(`{"id": "`))
		_ = http.NewResponseController(w).Flush()
		cancel()
		<-r.Context().Done()
	}))
	checkUnavailable(t, service, err, secrets)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v does not wrap context.Canceled", err)
	}
}

func checkUnavailable(t *testing.T, service string, err error, secrets []string) {
	t.Helper()
	if !apperr.IsCode(err, apperr.Unavailable) {
		t.Fatalf("the call ends with %v, want an outage", err)
	}
	if f := apperr.As(err); !strings.HasPrefix(f.Message, service) || !strings.HasSuffix(f.Message, " isn't responding.") || f.RetryAfter <= 0 {
		t.Errorf("the outage is reported as %q, retry after %v", f.Message, f.RetryAfter)
	}
	CheckNoSecrets(t, err, secrets...)
}

// CheckNoSecrets fails the test if an error or any error it wraps contains a secret.
func CheckNoSecrets(t *testing.T, err error, secrets ...string) {
	t.Helper()
	text := fmt.Sprintf("%v %+v %#v", err, err, err)
	for _, secret := range secrets {
		if strings.Contains(text, secret) {
			t.Errorf("the error contains %q: %s", secret, text)
		}
	}
	if cause := errors.Unwrap(err); cause != nil {
		CheckNoSecrets(t, cause, secrets...)
	}
	if multi, ok := errors.AsType[interface {
		error
		Unwrap() []error
	}](err); ok {
		for _, cause := range multi.Unwrap() {
			CheckNoSecrets(t, cause, secrets...)
		}
	}
}
