// Package tracing exports OpenTelemetry traces of requests and their statements over OTLP/HTTP.
//
// Spans carry route patterns and SQL statements. They carry no addresses, paths, queries, arguments
// or error texts, which may have personal data.
package tracing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// Options configure Start.
type Options struct {
	Endpoint string  // URL of an OTLP collector; the path is /v1/traces if it has none
	Ratio    float64 // share of requests that are traced, from 0 to 1
	Version  string  // of the program
	Log      *slog.Logger
}

// Check returns why the options are wrong, or nil.
func (o Options) Check() error {
	if u, err := url.Parse(o.Endpoint); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return errors.New("--trace-endpoint (KAIBAO_TRACE_ENDPOINT) must be an address such as http://127.0.0.1:4318") // it may contain a token
	}
	if o.Ratio >= 0 && o.Ratio <= 1 { // not so for NaN
		return nil
	}
	return fmt.Errorf("--trace-ratio (KAIBAO_TRACE_RATIO) is %g: it must be between 0 and 1", o.Ratio)
}

// Exporter exports spans in the background. If the collector is too slow or unreachable, it drops
// them.
type Exporter struct{ *sdktrace.TracerProvider }

// maxText is the maximum length of an attribute in bytes. Statements can be longer.
const maxText = 4096

// Start starts an exporter. Its TracerProvider samples root spans with probability Ratio; child
// spans follow their parent.
func Start(ctx context.Context, o Options) (*Exporter, error) {
	endpoint, err := url.Parse(o.Endpoint)
	if err != nil {
		return nil, err
	}
	if endpoint.Path == "" || endpoint.Path == "/" {
		endpoint.Path = "/v1/traces"
	}
	exporter, err := otlptrace.New(ctx, &client{endpoint: endpoint.String()})
	if err != nil {
		return nil, err
	}
	// The library has one handler for the process.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { o.Log.Warn("traces are lost", "error", err) }))
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	limits := sdktrace.NewSpanLimits()
	limits.AttributeValueLengthLimit = maxText
	return &Exporter{sdktrace.NewTracerProvider(
		sdktrace.WithBatcher(redactor{exporter}),
		sdktrace.WithSampler(sdktrace.ParentBased(sdktrace.TraceIDRatioBased(o.Ratio))),
		sdktrace.WithRawSpanLimits(limits),
		sdktrace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", "kaibao"), attribute.String("service.version", o.Version), attribute.String("host.name", host))),
	)}, nil
}

// closeTimeout is how long Close tries to export the last spans.
const closeTimeout = time.Second

// Close exports the last spans.
func (e *Exporter) Close() {
	ctx, end := context.WithTimeout(context.Background(), closeTimeout)
	defer end()
	if err := e.Shutdown(ctx); err != nil {
		otel.Handle(err)
	}
}
