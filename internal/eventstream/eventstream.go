// Package eventstream serves server-sent events (WHATWG HTML, section 9.2): long-lived responses
// that tell a page what happens while it happens.
package eventstream

import (
	"cmp"
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/apperr"
	"kaibao/internal/httpapi"
)

const (
	eventStream = "text/event-stream"
	lastEventID = "Last-Event-ID"
	lastEventIn = "lastEventId" // in the query, because a page can't set the header itself

	// maxStreamTime is the maximum duration of a stream. Then the browser reconnects, and its
	// session is checked again.
	maxStreamTime = time.Hour
	// heartbeatInterval is the time without an event after which a heartbeat is sent. Without
	// heartbeats, proxies would close the connection.
	heartbeatInterval = 15 * time.Second
	// writeTimeout is the timeout of a write, and lastWriteTimeout that of the last one. Together
	// they are shorter than a node's shutdown.
	writeTimeout     = 5 * time.Second
	lastWriteTimeout = time.Second

	// maxStreams is the maximum per node, each with some 40 kB and an open file. maxPerAddress is
	// the maximum per address if rates are limited.
	maxStreams    = 10_000
	maxPerAddress = 100
	retryAfter    = 30 * time.Second // after which a refused reader may retry
)

// opening is a comment that is sent immediately, so that the reader sees the stream as open.
const opening = ":\n\n"

// heartbeat is an event rather than a comment, because only events reach the page's code. The page
// reconnects after two and a half intervals without one.
const heartbeat = "event: heartbeat\ndata: {}\n\n"

// Streams are the event streams of a node.
type Streams struct {
	api *httpapi.API
	// serving is canceled when the streams must end.
	serving context.Context
	cancel  context.CancelFunc

	mutex      sync.Mutex
	open       map[*stream]struct{}
	perAddress map[string]int // open streams of each address
	ended      bool
	all        sync.WaitGroup
}

// New returns Streams that end when the API shuts down.
func New(api *httpapi.API) *Streams {
	s := &Streams{api: api, open: map[*stream]struct{}{}, perAddress: map[string]int{}}
	s.serving, s.cancel = context.WithCancel(context.Background())
	api.OnShutdown(s.end, s.all.Wait)
	return s
}

// Handle registers an event stream. For each reader, open gets the id of the last event that the
// reader has, or nothing, and returns the source of what follows, or refuses the reader. A reader
// that is too slow, or has read for an hour, is disconnected and reconnects.
func (s *Streams) Handle(route httpapi.Route, open func(ctx context.Context, last string) (Next, error)) {
	route.Stream = true
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.serve(w, r, route, open); err != nil {
			s.api.Fail(w, r, err)
		}
	})
	s.api.File(route, eventStream, handler,
		&huma.Param{Name: lastEventID, In: "header", Description: "Id of the last event received.", Schema: &huma.Schema{Type: huma.TypeString}},
		&huma.Param{Name: lastEventIn, In: "query", Description: "The same, for clients that can't set the header.", Schema: &huma.Schema{Type: huma.TypeString}})
}

// serve serves one reader until its stream ends. It returns an error if the stream can't start.
func (s *Streams) serve(w http.ResponseWriter, r *http.Request, route httpapi.Route, open func(ctx context.Context, last string) (Next, error)) (err error) {
	reader := &stream{w: w, control: http.NewResponseController(w), now: s.api.Clock, wake: make(chan struct{}, 1)}
	if s.api.RateLimits {
		reader.address, err = s.api.ClientAddress(r)
		if err != nil {
			return err
		}
	}
	if err := s.enter(reader); err != nil {
		return err
	}
	defer s.leave(reader)
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
	ctx, cancel := context.WithTimeout(r.Context(), maxStreamTime)
	defer cancel()
	defer context.AfterFunc(s.serving, cancel)()
	if err := reader.serve(ctx, func() ([]byte, error) { return next(s.serving) }); err != nil {
		s.api.Log.Warn("a stream ended", "requestId", httpapi.RequestID(ctx), "route", route.Path, "error", err)
	}
	return nil
}

// Wake makes every stream ask for new text.
func (s *Streams) Wake() {
	s.each(func(reader *stream) {
		select {
		case reader.wake <- struct{}{}:
		default: // it will ask anyway
		}
	})
}

// Len returns the number of open streams.
func (s *Streams) Len() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.open)
}

// end ends all streams, and refuses new ones.
func (s *Streams) end() {
	s.mutex.Lock()
	s.ended = true
	s.mutex.Unlock()
	s.cancel()
	s.each((*stream).limitLastWrite)
}

var (
	errEnding = apperr.New(apperr.Unavailable, "The server is restarting. Please reconnect.").After(time.Second)
	errFull   = apperr.New(apperr.Unavailable, "Too many live connections right now. Please try again later.").After(retryAfter)
	errMany   = apperr.New(apperr.RateLimited, "Too many live connections from your network. Close some tabs and try again.").After(retryAfter)
)

// enter adds a reader's stream, or refuses it.
func (s *Streams) enter(reader *stream) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	switch {
	case s.ended:
		return errEnding
	case len(s.open) == maxStreams:
		return errFull
	case s.perAddress[reader.address] == maxPerAddress:
		return errMany
	}
	s.open[reader] = struct{}{}
	if reader.address != "" {
		s.perAddress[reader.address]++
	}
	s.all.Add(1)
	return nil
}

func (s *Streams) leave(reader *stream) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	delete(s.open, reader)
	s.perAddress[reader.address]--
	if s.perAddress[reader.address] <= 0 {
		delete(s.perAddress, reader.address)
	}
	s.all.Done()
}

func (s *Streams) each(do func(*stream)) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for reader := range s.open {
		do(reader)
	}
}
