// Package inprocess calls HTTP handlers in the same process. A sandbox's services talk to its
// stand-ins this way.
package inprocess

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// Transport returns a RoundTripper that calls a handler without a socket. It refuses requests to
// other hosts, so that none leaves the process.
func Transport(host string, handler http.Handler) http.RoundTripper {
	return transport{host, handler}
}

type transport struct {
	host    string
	handler http.Handler
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer func() { _ = r.Body.Close() }()
	}
	if r.URL.Host != t.host {
		return nil, fmt.Errorf("only %s can be reached, not other hosts", t.host)
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
