package httpkit

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

// Download registers a call that answers with a file of a name, CSV or JSON by its
// ending, as it is written. It may last as long as its reader takes some of it; one that
// fails is cut off, so that nobody takes it for whole.
func Download[I any](k *Kit, route Route, name func(*I) string, write func(ctx context.Context, in *I, out io.Writer) error) {
	text := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}}
	rows := &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeObject}}}
	route.answers = map[string]*huma.Response{strconv.Itoa(http.StatusOK): {
		Description: "The file", Content: map[string]*huma.MediaType{csvType: text, jsonType: rows},
	}}
	Handle(k, route, func(_ context.Context, in *I) (*downloadReply, error) {
		reply := &downloadReply{ContentType: csvType + "; charset=utf-8", Disposition: `attachment; filename="` + name(in) + `"`}
		if strings.HasSuffix(name(in), ".json") {
			reply.ContentType = jsonType
		}
		reply.Body = func(call huma.Context) {
			k.pour(call, route, func(out io.Writer) error { return write(call.Context(), in, out) })
		}
		return reply, nil
	})
}

// pour answers with a file as it is written.
func (k *Kit) pour(call huma.Context, route Route, write func(io.Writer) error) {
	_, w := humago.Unwrap(call)
	w.Header().Set(gzhttp.HeaderNoCompression, "1") // what is compressed is kept until it is whole
	call.SetStatus(http.StatusOK)
	out := &patientWriter{k: k, call: callOf(call.Context()), route: route, admitted: k.Clock(), to: w, connection: http.NewResponseController(w)}
	if err := write(out); err != nil {
		k.Log.ErrorContext(call.Context(), "a file was cut off", "route", route.pattern(), "error", err)
		panic(http.ErrAbortHandler)
	}
}

// admittedFor is how long a file goes on before its caller is let in anew: who signed out,
// or runs the house no more, gets none of what follows.
const admittedFor = time.Second

// patientWriter gives each part of an answer the time that a reader has, while its caller is
// let in.
type patientWriter struct {
	k          *Kit
	call       call
	route      Route
	admitted   time.Time
	to         io.Writer
	connection *http.ResponseController
}

// Write implements io.Writer.
func (p *patientWriter) Write(part []byte) (int, error) {
	now := p.k.Clock()
	if now.Sub(p.admitted) >= admittedFor {
		if _, err := p.k.admit(p.call.request, p.route); err != nil {
			return 0, err
		}
		p.admitted = now
	}
	// Without a connection of its own, as in a test, there is no deadline to move.
	_ = p.connection.SetWriteDeadline(now.Add(takingTime))
	return p.to.Write(part)
}
