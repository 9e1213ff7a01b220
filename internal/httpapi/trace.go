package httpapi

import (
	"cmp"
	"net/http"
	"net/netip"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// trace traces the requests of a route, in spans named after its pattern. A request continues the
// trace that its traceparent header names (W3C Trace Context) only if a trusted proxy sent it:
// others can't choose trace ids, or what is traced.
func (a *API) trace(route Route, next http.Handler) http.Handler {
	method := attribute.String("http.request.method", cmp.Or(route.Method, "_OTHER"))
	path := attribute.String("http.route", route.Path)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		if a.isFromTrustedProxy(r) {
			ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
		}
		ctx, span := a.Tracer.Start(ctx, route.Pattern(), trace.WithSpanKind(trace.SpanKindServer))
		status := http.StatusInternalServerError // of a panic
		defer func() {
			span.SetAttributes(method, path, attribute.Int("http.response.status_code", status))
			if status >= http.StatusInternalServerError {
				span.SetStatus(codes.Error, "")
			}
			span.End()
		}()
		writer := &countingWriter{ResponseWriter: w}
		next.ServeHTTP(writer, r.WithContext(ctx))
		status = cmp.Or(writer.status, http.StatusOK)
	})
}

func (a *API) isFromTrustedProxy(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && a.isTrusted(peer.Addr().Unmap())
}
