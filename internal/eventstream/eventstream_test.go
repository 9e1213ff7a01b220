package eventstream_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/eventstream"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
)

// wires is a listener with in-memory connections, so that their deadlines follow a test's clock.
type wires struct {
	net.Listener
	made   chan net.Conn
	closed chan struct{}
}

func (w wires) Accept() (net.Conn, error) {
	select {
	case c := <-w.made:
		return c, nil
	case <-w.closed:
		return nil, net.ErrClosed
	}
}

func (w wires) Close() error {
	close(w.closed)
	return nil
}

func (w wires) Addr() net.Addr { return &net.UnixAddr{Name: "wire"} }

// noticed is a connection with an address that reports when it is closed.
type noticed struct {
	net.Conn
	closed chan struct{}
}

func (n noticed) Close() error {
	n.closed <- struct{}{}
	return n.Conn.Close()
}

func (noticed) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 1} }

// newsServer serves the stream /api/news, with short timeouts.
type newsServer struct {
	*httpapitest.Server
	*eventstream.Streams
	wires
	server *http.Server
	mutex  sync.Mutex
	news   []byte // for every reader
	over   bool
	after  string        // what the last reader had
	ended  chan struct{} // one for each connection that ended
	served chan error
}

func newStreams(t *testing.T, change ...func(*httpapi.Options)) *newsServer {
	t.Helper()
	s := &newsServer{
		Server: httpapitest.New(t, "https://kaibao.example", change...), wires: wires{made: make(chan net.Conn), closed: make(chan struct{})},
		ended: make(chan struct{}, 999), served: make(chan error, 1),
	}
	s.Streams = eventstream.New(s.API)
	s.Handle(httpapi.Get(httpapi.Session, "/api/news", "news", "News"), s.open)
	s.server = &http.Server{Handler: s.Handler(), ReadTimeout: time.Second, WriteTimeout: time.Second}
	s.server.RegisterOnShutdown(s.Shutdown)
	go func() { s.served <- s.server.Serve(s.wires) }()
	return s
}

func (s *newsServer) open(_ context.Context, last string) (eventstream.Next, error) {
	if last == "gone" {
		return nil, apperr.Missing("What was before")
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.after = last
	at := len(s.news)
	return func(context.Context) ([]byte, error) {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		text := s.news[at:]
		at += len(text)
		if len(text) == 0 && s.over {
			return nil, io.EOF
		}
		return text, nil
	}, nil
}

// tell sends events to all readers, and ends the streams if over.
func (s *newsServer) tell(over bool, events ...eventstream.Event) {
	s.mutex.Lock()
	for _, e := range events {
		s.news = e.Append(s.news)
	}
	s.over = over
	s.mutex.Unlock()
	s.Wake()
}

// asked is the response on a wire.
type asked struct {
	status int
	header http.Header
	body   *bufio.Reader
	wire   net.Conn
}

// ask sends a request for the stream over a new wire.
func (s *newsServer) ask(t *testing.T, headers ...string) asked {
	t.Helper()
	near, far := net.Pipe()
	s.made <- noticed{far, s.ended}
	lines := "GET /api/news HTTP/1.1\r\nHost: kaibao.example\r\nCookie: __Host-kaibao_session=user\r\nAccept-Encoding: gzip\r\n"
	go func() { _, _ = io.WriteString(near, lines+strings.Join(append(headers, "\r\n"), "\r\n")) }()
	answer, err := http.ReadResponse(bufio.NewReader(near), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(near.Close(), answer.Body.Close()) })
	return asked{answer.StatusCode, answer.Header, bufio.NewReader(answer.Body), near}
}

// read requests the stream and returns its body.
func (s *newsServer) read(t *testing.T, headers ...string) (http.Header, *bufio.Reader) {
	t.Helper()
	answer := s.ask(t, headers...)
	if answer.status != http.StatusOK {
		t.Fatal(answer.status)
	}
	return answer.header, answer.body
}

// wants reads one message of a stream and compares it.
func wants(t *testing.T, r *bufio.Reader, want string) {
	t.Helper()
	got := ""
	for !strings.HasSuffix(got, "\n\n") {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatalf("read %q after %q: %v", line, got, err)
		}
		got += line
	}
	if got != want {
		t.Errorf("read %q, want %q", got, want)
	}
}

func (s *newsServer) end(t *testing.T) {
	t.Helper()
	if err := s.server.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-s.served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
	s.API.Close()
}

// A stream delivers events immediately, lasts longer than the server's timeouts, and sends
// heartbeats while there are no events.
func TestStreamOutlivesServerTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreams(t)
		header, r := s.read(t, "Last-Event-ID: 6")
		for name, want := range map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "no-store", "Content-Encoding": "", "Content-Length": ""} {
			if got := header.Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		wants(t, r, ":\n\n")
		if s.after != "6" {
			t.Errorf("goes on after %q", s.after)
		}
		for range 3 {
			s.tell(false, eventstream.Event{ID: "7", Name: "sale", Data: []byte("{\n}")})
			wants(t, r, "id: 7\nevent: sale\ndata: {\ndata: }\n\n")
			begun := time.Now()
			wants(t, r, "event: heartbeat\ndata: {}\n\n")
			wants(t, r, "event: heartbeat\ndata: {}\n\n")
			if quiet := time.Since(begun); quiet < 10*time.Second || quiet > time.Minute {
				t.Errorf("two signs of life in %s", quiet)
			}
		}
		synctest.Wait()
		if strings.Contains(s.Logged.String(), "msg=request") {
			t.Error("the stream has its line before it has ended")
		}
		s.tell(true, eventstream.Event{Data: []byte("last")}, eventstream.Event{ID: "8"})
		wants(t, r, "data: last\n\n")
		wants(t, r, "id: 8\n\n")
		if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 {
			t.Errorf("after the end: %q, %v", rest, err)
		}
		s.end(t)
		if log := s.Logged.String(); strings.Count(log, "msg=request") != 1 || !strings.Contains(log, "route=/api/news status=200 ") {
			t.Errorf("logged %s", log)
		}
	})
}

// A slow reader is disconnected, and so is one that has read for an hour.
func TestStreamEnds(t *testing.T) {
	for name, c := range map[string]struct {
		read    bool // whether the reader reads what it is sent
		atLeast time.Duration
		atMost  time.Duration
	}{
		"for a reader who takes nothing": {false, 5 * time.Second, 30 * time.Second},
		"when its time is over":          {true, time.Hour, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStreams(t)
				begun := time.Now()
				_, r := s.read(t)
				wants(t, r, ":\n\n")
				if c.read {
					if _, err := io.ReadAll(r); err != nil {
						t.Error(err)
					}
				}
				<-s.ended
				if took := time.Since(begun); took < c.atLeast || took > c.atMost {
					t.Errorf("ended after %s", took)
				}
				s.end(t)
			})
		})
	}
}

// A shutdown doesn't wait for readers that take nothing, and refuses new streams.
func TestStreamEndsWithItsNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreams(t)
		begun := time.Now()
		_, r := s.read(t)
		wants(t, r, ":\n\n")
		s.end(t)
		<-s.ended
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("the end took %s", took)
		}
		httpapitest.Refused(t, s.Call("GET", "/api/news", "", "Cookie", "__Host-kaibao_session=user"), http.StatusServiceUnavailable, "unavailable")
	})
}

// A stream has access checks, refusals and documentation like every other route.
func TestStreamIsARoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreams(t)
		defer s.end(t)
		httpapitest.Refused(t, s.Call("GET", "/api/news", ""), http.StatusUnauthorized, "unauthenticated")
		session := []string{"Cookie", "__Host-kaibao_session=user"}
		httpapitest.Refused(t, s.Call("GET", "/api/news", "", append(session, "Last-Event-ID", "gone")...), http.StatusNotFound, "not_found")
		if w := s.Call("HEAD", "/api/news", "", session...); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/event-stream" || w.Body.Len() > 0 {
			t.Errorf("its head: %d %v %q", w.Code, w.Header(), w.Body)
		}
		call := s.Operations(t)["/api/news"]["get"]
		if len(call.Security) != 1 || call.Responses["200"].Content["text/event-stream"] == nil || len(call.Parameters) != 2 || call.Parameters[0].In != "header" {
			t.Errorf("described as %+v", call)
		}
	})
}

// A stream continues after the id in the header, which the browser sets on a reconnect, or in the
// query.
func TestStreamContinuesAfterLastEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreams(t)
		defer s.end(t)
		for last, path := range map[string]string{"5": "/api/news?lastEventId=5", "": "/api/news"} {
			if w := s.Call("HEAD", path, "", "Cookie", "__Host-kaibao_session=user"); w.Code != http.StatusOK || s.after != last {
				t.Errorf("%s: %d, goes on after %q", path, w.Code, s.after)
			}
		}
		s.Call("HEAD", "/api/news?lastEventId=5", "", "Cookie", "__Host-kaibao_session=user", "Last-Event-ID", "6")
		if s.after != "6" {
			t.Errorf("goes on after %q", s.after)
		}
	})
}

// A stream ends as soon as its reader disconnects.
func TestStreamEndsWithItsReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreams(t)
		defer s.end(t)
		begun := time.Now()
		if err := s.ask(t).wire.Close(); err != nil {
			t.Error(err)
		}
		<-s.ended
		if took := time.Since(begun); took > 0 {
			t.Errorf("noticed after %s", took)
		}
	})
}

// A reader that takes nothing doesn't delay others.
func TestSlowReaderDelaysNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreams(t)
		defer s.end(t)
		_, _ = s.read(t) // and nothing of what comes
		_, r := s.read(t)
		wants(t, r, ":\n\n")
		begun := time.Now()
		for range 3 {
			s.tell(false, eventstream.Event{Data: []byte("news")})
			wants(t, r, "data: news\n\n")
		}
		if took := time.Since(begun); took > 0 {
			t.Errorf("the reader was notified after %s", took)
		}
		<-s.ended
		if took := time.Since(begun); took > 6*time.Second {
			t.Errorf("the slow one ended after %s", took)
		}
	})
}

// An error or panic ends the stream and is logged.
func TestFailingStreamEnds(t *testing.T) {
	for name, next := range map[string]eventstream.Next{
		"an error": func(context.Context) ([]byte, error) { return nil, errors.New("out of order") },
		"a panic":  func(context.Context) ([]byte, error) { panic("out of order") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStreams(t)
				s.Streams = eventstream.New(s.API)
				s.Handle(httpapi.Get(httpapi.Public, "/api/broken", "broken", "Broken"), func(context.Context, string) (eventstream.Next, error) { return next, nil })
				near, far := net.Pipe()
				s.made <- noticed{far, s.ended}
				go func() { _, _ = io.WriteString(near, "GET /api/broken HTTP/1.1\r\nHost: kaibao.example\r\n\r\n") }()
				answer, err := http.ReadResponse(bufio.NewReader(near), nil)
				if err != nil {
					t.Fatal(err)
				}
				if read, err := io.ReadAll(answer.Body); err != nil || string(read) != ":\n\n" {
					t.Errorf("read %q, %v", read, err)
				}
				_ = errors.Join(answer.Body.Close(), near.Close())
				s.end(t)
				if log := s.NonRequestLog(); !strings.Contains(log, "route=/api/broken") || !strings.Contains(log, "out of order") {
					t.Errorf("logged %q", log)
				}
			})
		})
	}
}

// The number of streams per address is limited; ended streams don't count.
func TestStreamsPerAddressAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreams(t, func(o *httpapi.Options) { o.RateLimits = true })
		defer s.end(t)
		const most = 100
		var first net.Conn
		for range most {
			answer := s.ask(t)
			if answer.status != http.StatusOK {
				t.Fatal(answer.status)
			}
			if first == nil {
				first = answer.wire
			}
		}
		if answer := s.ask(t); answer.status != http.StatusTooManyRequests || answer.header.Get("Retry-After") == "" {
			t.Errorf("one more: %d, come again after %q", answer.status, answer.header.Get("Retry-After"))
		}
		_ = first.Close()
		<-s.ended
		synctest.Wait()
		if answer := s.ask(t); answer.status != http.StatusOK {
			t.Errorf("when one has ended: %d", answer.status)
		}
	})
}
