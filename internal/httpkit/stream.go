package httpkit

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
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

// Stream registers an event stream. open is called for each reader that is let in, with
// the id of the last event that it has, or nothing; it refuses, or gives what comes next.
// A reader that has left, is too slow or has been there for an hour is asked for no more.
func (k *Kit) Stream(route Route, open func(ctx context.Context, last string) (Next, error)) {
	route.stream = true
	k.Raw(route, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := k.begin(w, r, open); err != nil {
			k.Fail(w, r, err)
		}
	}))
	k.describeRaw(route, eventStream,
		&huma.Param{Name: lastEventID, In: "header", Description: "Of the last event that the reader has.", Schema: &huma.Schema{Type: huma.TypeString}},
		&huma.Param{Name: lastEventIn, In: "query", Description: "The same, where the header is not given.", Schema: &huma.Schema{Type: huma.TypeString}})
}

// begin takes the connection over from the server, which would keep 30 kB for it, and
// tells the reader on it until the stream ends.
func (k *Kit) begin(w http.ResponseWriter, r *http.Request, open func(ctx context.Context, last string) (Next, error)) (err error) {
	s := &stream{kit: k, visit: visitOf(r.Context()), began: k.Clock()}
	if k.RateLimits {
		s.address, err = k.peer(r)
		if err != nil {
			return err
		}
	}
	if err := k.streams.enter(s); err != nil {
		return err
	}
	defer func() {
		if s.connection == nil {
			k.streams.leave(s)
		}
	}()
	s.next, err = open(r.Context(), cmp.Or(r.Header.Get(lastEventID), r.URL.Query().Get(lastEventIn)))
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", eventStream)
	h.Set("X-Accel-Buffering", "no") // nginx would hold events back
	if r.Method == http.MethodHead {
		return nil
	}
	s.connection, _, err = http.NewResponseController(w).Hijack()
	if err != nil {
		return fmt.Errorf("take the connection over: %w", err)
	}
	s.visit.lasts, s.visit.method = true, http.MethodGet // its own word would keep the whole line that it stands in
	k.streams.begin(s)
	go s.tell(head(h, s.began))
	return nil
}

// head is how the answer begins. It ends with its connection.
func head(h http.Header, now time.Time) []byte {
	h.Set("Date", now.UTC().Format(http.TimeFormat))
	h.Set("Connection", "close")
	var b bytes.Buffer
	b.WriteString("HTTP/1.1 200 OK\r\n")
	_ = h.Write(&b) // a buffer takes everything
	b.WriteString("\r\n" + opening)
	return b.Bytes()
}

// WakeStreams has every reader told what has come.
func (k *Kit) WakeStreams() {
	k.streams.each(func(s *stream) { _ = s.connection.SetReadDeadline(past) })
}

// EndStreams ends all streams, and those that would begin.
func (k *Kit) EndStreams() {
	k.streams.end()
	k.endStreaming()
	k.WakeStreams()
	k.streams.each(func(s *stream) { _ = s.connection.SetWriteDeadline(k.Clock().Add(endingTime)) })
}
