package httpkit

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Event is one server-sent event (WHATWG HTML, section 9.2).
type Event struct {
	ID   string // a reader that reconnects continues after this id; one line
	Name string // the event type; one line
	Data []byte // text; nil = the reader only stores the id
}

// Append appends the encoded event to a text.
func (e Event) Append(text []byte) []byte {
	if e.ID != "" {
		text = append(append(append(text, "id: "...), e.ID...), '\n')
	}
	if e.Name != "" {
		text = append(append(append(text, "event: "...), e.Name...), '\n')
	}
	if e.Data != nil {
		for line := range bytes.SplitSeq(e.Data, []byte("\n")) {
			text = append(append(append(text, "data: "...), line...), '\n')
		}
	}
	return append(text, '\n')
}

// Next returns the encoded events that a reader has not received yet, or nothing. It is called again
// after WakeStreams. An error ends the stream; io.EOF ends it without a log line.
type Next func(ctx context.Context) (text []byte, err error)

const (
	eventStream = "text/event-stream"
	lastEventID = "Last-Event-ID"
	lastEventIn = "lastEventId" // in the query, because a page can't set the header itself

	// streamTime is the maximum duration of a stream. Then the browser reconnects, and its session
	// is checked again.
	streamTime = time.Hour
	// quietTime is the time without an event after which a heartbeat is sent. Without heartbeats,
	// proxies would close the connection.
	quietTime = 15 * time.Second
	// takingTime is the timeout of a write, and endingTime that of the last one. Together they are
	// shorter than a node's shutdown.
	takingTime = 5 * time.Second
	endingTime = time.Second

	// mostStreams is the maximum per node, each with some 40 kB and an open file. mostOfOne is the
	// maximum per address if rates are limited.
	mostStreams = 10_000
	mostOfOne   = 100
	fullTime    = 30 * time.Second // after which a refused reader may retry
)

// opening is a comment that is sent immediately, so that the reader sees the stream as open.
const opening = ":\n\n"

// heartbeat is an event rather than a comment, because only events reach the page's code. The page
// reconnects after two and a half intervals without one.
const heartbeat = "event: heartbeat\ndata: {}\n\n"

// Stream registers an event stream. For each reader, open gets the id of the last event that
// the reader has, or nothing, and returns the source of what follows, or refuses the reader. A
// reader that is too slow, or has read for an hour, is disconnected and reconnects.
func (k *Kit) Stream(route Route, open func(ctx context.Context, last string) (Next, error)) {
	route.stream = true
	k.Raw(route, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := k.serveStream(w, r, open); err != nil {
			k.Fail(w, r, err)
		}
	}))
	k.describeRaw(route, eventStream,
		&huma.Param{Name: lastEventID, In: "header", Description: "Id of the last event received.", Schema: &huma.Schema{Type: huma.TypeString}},
		&huma.Param{Name: lastEventIn, In: "query", Description: "The same, for clients that can't set the header.", Schema: &huma.Schema{Type: huma.TypeString}})
}

// serveStream serves one reader until its stream ends. It returns an error if the stream
// can't start.
func (k *Kit) serveStream(w http.ResponseWriter, r *http.Request, open func(ctx context.Context, last string) (Next, error)) (err error) {
	s := &stream{w: w, control: http.NewResponseController(w), now: k.Clock, wake: make(chan struct{}, 1)}
	if k.RateLimits {
		s.address, err = k.peer(r)
		if err != nil {
			return err
		}
	}
	if err := k.streams.enter(s); err != nil {
		return err
	}
	defer k.streams.leave(s)
	next, err := open(r.Context(), cmp.Or(r.Header.Get(lastEventID), r.URL.Query().Get(lastEventIn)))
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", eventStream)
	w.Header().Set("X-Accel-Buffering", "no") // nginx would buffer events
	w.Header().Set("Connection", "close")     // nothing follows a stream
	if r.Method == http.MethodHead {
		return nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), streamTime)
	defer cancel()
	defer context.AfterFunc(k.streaming, cancel)()
	if err := s.serve(ctx, func() ([]byte, error) { return next(k.streaming) }); err != nil {
		k.Log.Warn("a stream ended", "requestId", RequestID(ctx), "route", visitOf(ctx).route, "error", err)
	}
	return nil
}

// WakeStreams makes every stream ask for new text.
func (k *Kit) WakeStreams() {
	k.streams.each(func(s *stream) {
		select {
		case s.wake <- struct{}{}:
		default: // it will ask anyway
		}
	})
}

// EndStreams ends all streams, and refuses new ones.
func (k *Kit) EndStreams() {
	k.streams.end()
	k.endStreaming()
	k.streams.each((*stream).limitLastWrite)
}
