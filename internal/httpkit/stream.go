package httpkit

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Event is what a stream tells at once (WHATWG HTML, 9.2 Server-sent events).
type Event struct {
	ID   string // what a reader that comes again names to go on after it; one line
	Name string // of the kind; one line
	Data []byte // text; nil = the reader notes the id, and is told nothing
}

// Append writes the event behind a text.
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

// Next is what a stream's reader is told now, as Events write it: nothing before anything
// new has come. It is asked again when the streams are woken. What it fails with ends the
// stream; io.EOF says that nothing is wrong.
type Next func(ctx context.Context) (text []byte, err error)

const (
	eventStream = "text/event-stream"
	lastEventID = "Last-Event-ID"
	lastEventIn = "lastEventId" // of the query: a browser sets no header by itself

	// streamTime is how long a stream lasts. Then the browser comes again by itself, and
	// who it is is looked at again.
	streamTime = time.Hour
	// quietTime is after how long without an event a stream shows that it lives, or
	// whoever stands between would end it.
	quietTime = 15 * time.Second
	// takingTime is how long a reader may take to take what it is told, and endingTime
	// to take the end: together less than a node has to end.
	takingTime = 5 * time.Second
	endingTime = time.Second
	// openTime is how long a stream may take to start.
	openTime = 5 * time.Second

	// mostStreams is how many a node has, each with some 10 kB and an open file, and
	// mostOfOne how many one address has where rates are limited.
	mostStreams = 10_000
	mostOfOne   = 100
	fullTime    = 30 * time.Second // after which who was refused may come again
)

// opening is a comment that is sent at once, so that the reader knows that it was let in.
const opening = ":\n\n"

// heartbeat is an event, not a comment: only events reach the page, which reconnects when
// none has come for two and a half intervals.
const heartbeat = "event: heartbeat\ndata: {}\n\n"

// Stream registers an event stream. For each reader, open gets the id of the last event that
// the reader has, or nothing, and returns the source of what follows, or refuses the reader. A
// reader that is too slow, or has read for an hour, is disconnected and reconnects.
func (k *Kit) Stream(route Route, open func(ctx context.Context, last string) (Next, error)) {
	route.stream, route.TimeLimit = true, streamTime
	k.Raw(route, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := k.serveStream(w, r, open); err != nil {
			k.Fail(w, r, err)
		}
	}))
	k.describeRaw(route, eventStream,
		&huma.Param{Name: lastEventID, In: "header", Description: "Of the last event that the reader has.", Schema: &huma.Schema{Type: huma.TypeString}},
		&huma.Param{Name: lastEventIn, In: "query", Description: "The same, where the header is not given.", Schema: &huma.Schema{Type: huma.TypeString}})
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
	next, err := openInTime(r, open)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", eventStream)
	w.Header().Set("X-Accel-Buffering", "no") // nginx would buffer events
	w.Header().Set("Connection", "close")     // nothing follows a stream
	if r.Method == http.MethodHead {
		return nil
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(k.streaming, cancel)()
	if err := s.serve(ctx, func() ([]byte, error) { return next(k.streaming) }); err != nil {
		k.Log.Warn("a stream ended", "requestId", RequestID(ctx), "route", visitOf(ctx).route, "error", err)
	}
	return nil
}

func openInTime(r *http.Request, open func(ctx context.Context, last string) (Next, error)) (Next, error) {
	ctx, cancel := context.WithTimeout(r.Context(), openTime)
	defer cancel()
	return open(ctx, cmp.Or(r.Header.Get(lastEventID), r.URL.Query().Get(lastEventIn)))
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
