package httpapi

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"
)

// requestRecord is a request's log line. It leaves out address, query and headers, which can hold
// private data.
type requestRecord struct {
	id     string
	method string
	route  string // the registered path; empty if no route matched
	stream bool   // the route's response is long-lived
	tag    string // the user's tag in the public log
}

// EndedRequest describes a request without private data.
type EndedRequest struct {
	Method   string // as sent by the caller, of at most 16 bytes
	Route    string // the registered path; empty if no route matched
	Stream   bool   // the response was long-lived
	Status   int
	Duration time.Duration
}

type requestLogKey struct{}

func requestLogOf(ctx context.Context) *requestRecord {
	if record, ok := ctx.Value(requestLogKey{}).(*requestRecord); ok {
		return record
	}
	return &requestRecord{}
}

// RequestID returns the id that the request's log lines and error response carry.
func RequestID(ctx context.Context) string { return requestLogOf(ctx).id }

// maxMethodLength keeps a caller from filling the log with an arbitrary method, in bytes.
const maxMethodLength = 16

// logRequests assigns each request its id and logs one line when it ends, even by a panic.
func (a *API) logRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		record := &requestRecord{id: a.NewRequestID(), method: r.Method[:min(len(r.Method), maxMethodLength)]}
		w.Header().Set("X-Request-Id", record.id)
		r = r.WithContext(context.WithValue(r.Context(), requestLogKey{}, record))
		began, writer := a.Clock(), &countingWriter{ResponseWriter: w}
		defer func() {
			status, took := cmp.Or(writer.status, http.StatusOK), a.Clock().Sub(began)
			a.logRequest(record, status, writer.bytes, took)
			if a.Observe != nil {
				a.Observe(EndedRequest{record.method, record.route, record.stream, status, took})
			}
		}()
		next.ServeHTTP(writer, r)
	})
}

// countingWriter records the response's status and size.
type countingWriter struct {
	http.ResponseWriter
	status int // 0 until it is set
	bytes  int64
}

// WriteHeader implements http.ResponseWriter.
func (a *countingWriter) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK { // 1xx statuses come before the final one
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (a *countingWriter) Write(p []byte) (int, error) {
	a.status = cmp.Or(a.status, http.StatusOK)
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (a *countingWriter) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// logRequest logs a request that has ended.
func (a *API) logRequest(record *requestRecord, status int, bytes int64, took time.Duration) {
	a.Log.LogAttrs(context.Background(), slog.LevelInfo, "request", slog.String("requestId", record.id),
		slog.String("method", record.method), slog.String("route", record.route), slog.Int("status", status),
		slog.Int64("bytes", bytes), slog.Duration("duration", took), slog.String("user", record.tag))
}
