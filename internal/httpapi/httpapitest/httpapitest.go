// Package httpapitest builds APIs for tests and calls them without a network.
package httpapitest

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi"
)

// Server is an API with a captured log, called without a network.
type Server struct {
	*httpapi.API
	Logged bytes.Buffer
}

// New returns a server at a public URL. The session tokens "user" and "admin" belong to callers
// with those roles.
func New(t testing.TB, publicURL string, changes ...func(*httpapi.Options)) *Server {
	t.Helper()
	public, err := httpapi.ParsePublicURL(publicURL)
	if err != nil {
		t.Fatal(err)
	}
	s := new(Server)
	o := httpapi.Options{
		CheckDatabase: func(*db.Tx) func() error { return func() error { return nil } },
		PublicURL:     public, Log: slog.New(slog.NewTextHandler(&s.Logged, nil)), NewRequestID: func() string { return "request-1" },
		Clock: time.Now,
		Authenticate: func(_ context.Context, token string) (httpapi.Principal, error) {
			if token != "user" && token != "admin" {
				return httpapi.Principal{}, httpapi.ErrUnauthenticated
			}
			return httpapi.Principal{UserID: dbtest.ID(token), Address: "address of " + token, Role: token}, nil
		},
	}
	for _, change := range changes {
		change(&o)
	}
	s.API = httpapi.New(o)
	return s
}

// NonRequestLog returns the log without the request lines.
func (s *Server) NonRequestLog() (lines string) {
	for line := range strings.Lines(s.Logged.String()) {
		if !strings.Contains(line, " msg=request ") {
			lines += line
		}
	}
	return lines
}

// Call sends a request to the public host, unless a header sets another Host.
func (s *Server) Call(method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(context.Background(), method, target, strings.NewReader(body))
	r.Host = s.PublicURL.Host()
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for n := 0; n < len(headers); n += 2 {
		if headers[n] == "Host" {
			r.Host = headers[n+1]
		}
		r.Header.Set(headers[n], headers[n+1])
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	return w
}

// Refusal is an error response.
type Refusal struct {
	Message, Code, RequestID string
	Fields                   map[string]string
}

// Refused checks that a response is an error with this status and code.
func Refused(t testing.TB, w *httptest.ResponseRecorder, status int, code string) (r Refusal) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &r); err != nil {
		t.Fatalf("status %d, %s: %v", w.Code, w.Body, err)
	}
	if w.Code != status || r.Code != code || r.Message == "" || r.RequestID != "request-1" || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("refused with %d %s, want %d %s", w.Code, w.Body, status, code)
	}
	return r
}

// Operation is a call's entry in the OpenAPI document.
type Operation struct {
	Security  []map[string][]string
	Responses map[string]struct {
		Ref     string `json:"$ref"`
		Content map[string]any
	}
	Parameters []struct{ Name, In string }
}

// Operations returns the documented calls by path and lower-case method.
func (s *Server) Operations(t testing.TB) map[string]map[string]Operation {
	t.Helper()
	text, err := s.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]Operation
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return document.Paths
}
