package httpapi

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/klauspost/compress/gzhttp"
)

type downloadReply struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	Disposition string `header:"Content-Disposition" hidden:"true"`
	Body        func(huma.Context)
}

// Download registers a call that streams a file: CSV, or JSON if its name ends in .json. It may
// last as long as the client keeps reading. It calls begin before it streams anything, so that begin
// can refuse the call. A later failure aborts the connection, so that no client takes a partial file
// for a complete one.
func Download[I any](api *API, route Route, name func(*I) string, begin func(ctx context.Context, in *I) error, write func(ctx context.Context, in *I, out io.Writer) error) {
	text := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
	rows := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeObject}}}
	route.Responses = map[string]*huma.Response{strconv.Itoa(http.StatusOK): {
		Description: "The file", Content: map[string]*huma.MediaType{"text/csv": text, JSONType: rows},
	}}
	Handle(api, route, func(ctx context.Context, in *I) (*downloadReply, error) {
		if err := begin(ctx, in); err != nil {
			return nil, err
		}
		reply := &downloadReply{ContentType: "text/csv; charset=utf-8", Disposition: `attachment; filename="` + name(in) + `"`}
		if strings.HasSuffix(name(in), ".json") {
			reply.ContentType = JSONType
		}
		reply.Body = func(call huma.Context) {
			api.StreamFile(call, route, func(out io.Writer) error { return write(call.Context(), in, out) })
		}
		return reply, nil
	})
}

// StreamFile streams a file as the response of a call. A failure aborts the connection.
func (a *API) StreamFile(call huma.Context, route Route, write func(io.Writer) error) {
	_, w := humago.Unwrap(call)
	w.Header().Set(gzhttp.HeaderNoCompression, "1") // compression would buffer the whole file
	call.SetStatus(http.StatusOK)
	out := &downloadWriter{api: a, call: call.Context(), route: route, admitted: a.Clock(), out: w, connection: http.NewResponseController(w)}
	if err := write(out); err != nil {
		a.Log.ErrorContext(call.Context(), "a file was cut off", "route", route.Pattern(), "error", err)
		panic(http.ErrAbortHandler)
	}
}

// partTimeout is the timeout for writing one part of a download.
const partTimeout = 5 * time.Second

// readmitInterval is the interval at which a download checks its caller again. A caller who signed
// out or lost the admin role gets nothing more.
const readmitInterval = time.Second

// downloadWriter extends the write deadline for each part of a response and periodically checks
// that the caller is still admitted.
type downloadWriter struct {
	api        *API
	call       context.Context
	route      Route
	admitted   time.Time
	out        io.Writer
	connection *http.ResponseController
}

// Write implements io.Writer.
func (p *downloadWriter) Write(part []byte) (int, error) {
	now := p.api.Clock()
	if now.Sub(p.admitted) >= readmitInterval {
		if _, err := p.api.Readmit(p.call, p.route); err != nil {
			return 0, err
		}
		p.admitted = now
	}
	// Without a real connection, as in tests, there is no deadline to set.
	_ = p.connection.SetWriteDeadline(now.Add(partTimeout))
	return p.out.Write(part)
}
