package tracing

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// redactor exports spans without anything that may be personal data.
type redactor struct{ sdktrace.SpanExporter }

// ExportSpans implements sdktrace.SpanExporter.
func (r redactor) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	redacted := make([]sdktrace.ReadOnlySpan, len(spans))
	for n, span := range spans {
		redacted[n] = redactedSpan{span}
	}
	return r.SpanExporter.ExportSpans(ctx, redacted)
}

// exported are the attributes that are exported. The libraries also set addresses, paths and user
// agents.
var exported = map[attribute.Key]bool{
	"http.request.method": true, "http.route": true, "http.response.status_code": true, "http.request.body.size": true, "http.response.body.size": true,
	"db.system.name": true, "db.operation.name": true, "db.operation.batch.size": true, "db.query.text": true, "pgx.rows_affected": true, "pgx.sql_state": true,
}

// redactedSpan is a span with exported attributes only. It has no error texts, which can quote
// arguments.
type redactedSpan struct{ sdktrace.ReadOnlySpan }

// Attributes implements sdktrace.ReadOnlySpan.
func (s redactedSpan) Attributes() (kept []attribute.KeyValue) {
	for _, a := range s.ReadOnlySpan.Attributes() {
		if exported[a.Key] {
			kept = append(kept, a)
		}
	}
	return kept
}

// Events implements sdktrace.ReadOnlySpan.
func (s redactedSpan) Events() []sdktrace.Event { return nil }

// Status implements sdktrace.ReadOnlySpan.
func (s redactedSpan) Status() sdktrace.Status {
	return sdktrace.Status{Code: s.ReadOnlySpan.Status().Code}
}
