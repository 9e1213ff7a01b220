package tracing

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// uploadTimeout is how long a collector may take for a batch of spans.
const uploadTimeout = 10 * time.Second

// client sends spans to a collector over HTTP. The library's own HTTP client would link gRPC into the
// program, 2.4 MB. A batch that can't be sent is lost.
type client struct {
	endpoint string
	http     http.Client
}

// Start implements otlptrace.Client.
func (c *client) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *client) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. TracesData is encoded like the request that OTLP defines.
func (c *client) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	ctx, end := context.WithTimeout(ctx, uploadTimeout)
	defer end()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-protobuf")
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20)) // lets the connection be reused
	if response.StatusCode/100 != 2 {
		err = fmt.Errorf("the trace collector answered %s", response.Status)
	}
	_ = response.Body.Close()
	return err
}
