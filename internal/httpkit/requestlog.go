package httpkit

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"time"
)

// requestLog is what the log tells of a request. Its address, query and headers are no
// part of it: they can hold what is nobody's business.
type requestLog struct {
	id     string
	method string
	route  string // the path as it was registered; empty when the request reached none
	tag    string // of the user in the public log
	lasts  bool   // longer than its request: a stream says itself when it has ended
}

type visitKey struct{}

func visitOf(ctx context.Context) *requestLog {
	if v, ok := ctx.Value(visitKey{}).(*requestLog); ok {
		return v
	}
	return &requestLog{}
}

// RequestID is the id that a request's log lines and error answer carry.
func RequestID(ctx context.Context) string { return visitOf(ctx).id }

// longestMethod keeps a caller from filling the log with a word of their own.
const longestMethod = 16

// logged gives each request its id and, when it has ended in whatever way, its
// line in the log.
func (k *Kit) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &requestLog{id: k.NewRequestID(), method: r.Method[:min(len(r.Method), longestMethod)]}
		w.Header().Set("X-Request-Id", v.id)
		r = r.WithContext(context.WithValue(r.Context(), visitKey{}, v))
		began, answer := k.Clock(), &countedAnswer{ResponseWriter: w}
		defer func() {
			if !v.lasts {
				k.line(v, cmp.Or(answer.status, http.StatusOK), answer.bytes, k.Clock().Sub(began))
			}
		}()
		next.ServeHTTP(answer, r)
	})
}

// countedAnswer counts what a request is answered with.
type countedAnswer struct {
	http.ResponseWriter
	status int // 0 until it is said
	bytes  int64
}

// WriteHeader implements http.ResponseWriter.
func (a *countedAnswer) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK { // others come before the answer's own
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (a *countedAnswer) Write(p []byte) (int, error) {
	a.status = cmp.Or(a.status, http.StatusOK)
	n, err := a.ResponseWriter.Write(p)
	a.bytes += int64(n)
	return n, err
}

// Unwrap is for http.ResponseController.
func (a *countedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// line is what the log has of a request that has ended.
func (k *Kit) line(v *requestLog, status int, bytes int64, took time.Duration) {
	k.Log.LogAttrs(context.Background(), slog.LevelInfo, "request", slog.String("requestId", v.id),
		slog.String("method", v.method), slog.String("route", v.route), slog.Int("status", status),
		slog.Int64("bytes", bytes), slog.Duration("duration", took), slog.String("user", v.tag))
}
