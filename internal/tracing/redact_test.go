package tracing

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// shown is an exporter that records what it gets.
type shown struct{ text string }

func (s *shown) ExportSpans(_ context.Context, spans []sdktrace.ReadOnlySpan) error {
	for _, span := range spans {
		s.text += fmt.Sprint(span.Name(), span.Attributes(), span.Events(), span.Status())
	}
	return nil
}

func (*shown) Shutdown(context.Context) error { return nil }

// Only listed attributes are exported. Texts of errors can quote arguments, so only the fact that a
// span failed is exported.
func TestSpansAreRedacted(t *testing.T) {
	var got shown
	provider := sdktrace.NewTracerProvider(sdktrace.WithSyncer(redactor{&got}))
	_, span := provider.Tracer("test").Start(t.Context(), "GET /api/users/{id}")
	span.SetAttributes(attribute.String("url.path", "secret"), attribute.String("client.address", "secret"), attribute.String("db.query.text", "SELECT $1"))
	span.RecordError(errors.New(`invalid input syntax for type uuid: "secret"`))
	span.SetStatus(codes.Error, "secret")
	span.AddEvent("secret")
	span.End()
	if strings.Contains(got.text, "secret") || !strings.Contains(got.text, "SELECT $1") || !strings.Contains(got.text, "GET /api/users/{id}") || !strings.Contains(got.text, "Error") {
		t.Errorf("exported %s", got.text)
	}
}
