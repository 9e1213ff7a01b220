package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
)

var errUnknownHost = errors.New("sandbox mode only connects to its fake provider")

// Transport returns a RoundTripper that calls a handler in the same process, without a socket. It
// accepts only the fake provider's host, so that no request leaves a sandbox.
func Transport(handler http.Handler) http.RoundTripper { return inProcess{handler} }

type inProcess struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer func() { _ = r.Body.Close() }()
	}
	if r.URL.Host != host {
		return nil, errUnknownHost
	}
	inner := r.Clone(r.Context())
	if inner.Body == nil {
		inner.Body = http.NoBody
	}
	w := &recorder{header: http.Header{}, status: http.StatusOK}
	t.handler.ServeHTTP(w, inner)
	if err := r.Context().Err(); err != nil {
		return nil, err // the caller is gone
	}
	return &http.Response{
		Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// recorder captures a response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (r *recorder) Header() http.Header { return r.header }

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) { r.status = status }

// Write implements http.ResponseWriter.
func (r *recorder) Write(part []byte) (int, error) { return r.body.Write(part) }

// writeJSON writes a value as JSON.
func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}
