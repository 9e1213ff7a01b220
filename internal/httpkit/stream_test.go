package httpkit_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
)

// wires is a listener whose connections are in memory, so that a test's clock rules
// their deadlines.
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

// streams is an edge with the stream /api/news, served to wires by a server whose
// own deadlines are short.
type streams struct {
	*edge
	wires
	server *http.Server
	events chan httpkit.Event // to every reader
	after  string             // what the last reader had
	ended  chan struct{}      // one for each stream that ended
	served chan error
}

func newStreams(t *testing.T) *streams {
	t.Helper()
	s := &streams{
		edge: newEdge(t, "https://kaibao.example"), wires: wires{made: make(chan net.Conn), closed: make(chan struct{})},
		events: make(chan httpkit.Event), ended: make(chan struct{}, 9), served: make(chan error, 1),
	}
	s.Stream(httpkit.Get(httpkit.Session, "/api/news", "news", "News"), func(ctx context.Context, last string) (<-chan httpkit.Event, error) {
		if last == "gone" {
			return nil, fault.Missing("What was before")
		}
		s.after = last
		context.AfterFunc(ctx, func() { s.ended <- struct{}{} })
		return s.events, nil
	})
	s.server = &http.Server{Handler: s.Handler(), ReadTimeout: time.Second, WriteTimeout: time.Second}
	s.server.RegisterOnShutdown(s.EndStreams)
	go func() { s.served <- s.server.Serve(s.wires) }()
	return s
}

// read asks for the stream and gives what comes.
func (s *streams) read(t *testing.T, headers ...string) (http.Header, *bufio.Reader) {
	t.Helper()
	near, far := net.Pipe()
	s.made <- far
	lines := "GET /api/news HTTP/1.1\r\nHost: kaibao.example\r\nCookie: __Host-kaibao_session=user\r\nAccept-Encoding: gzip\r\n"
	go func() { _, _ = io.WriteString(near, lines+strings.Join(append(headers, "\r\n"), "\r\n")) }()
	answer, err := http.ReadResponse(bufio.NewReader(near), nil)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	t.Cleanup(func() { _ = errors.Join(near.Close(), answer.Body.Close()) })
	return answer.Header, bufio.NewReader(answer.Body)
}

// wants reads one message of a stream.
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

func (s *streams) end(t *testing.T) {
	t.Helper()
	if err := s.server.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-s.served; !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}

// A stream tells at once, for longer than the server lets any other answer take, and
// shows that it lives while there is nothing to tell.
func TestAStreamOutlivesTheServersDeadlines(t *testing.T) {
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
			s.events <- httpkit.Event{ID: "7", Name: "sale", Data: []byte("{\n}")}
			wants(t, r, "id: 7\nevent: sale\ndata: {\ndata: }\n\n")
			begun := time.Now()
			wants(t, r, ":\n\n")
			wants(t, r, ":\n\n")
			if quiet := time.Since(begun); quiet < 10*time.Second || quiet > time.Minute {
				t.Errorf("two signs of life in %s", quiet)
			}
		}
		if strings.Contains(s.log.String(), "msg=request") {
			t.Error("the stream has its line before it has ended")
		}
		s.events <- httpkit.Event{Data: []byte("last")}
		wants(t, r, "data: last\n\n")
		close(s.events)
		if rest, err := io.ReadAll(r); err != nil || len(rest) > 0 {
			t.Errorf("after the end: %q, %v", rest, err)
		}
		s.end(t)
		if log := s.log.String(); strings.Count(log, "msg=request") != 1 || !strings.Contains(log, "route=/api/news status=200 ") {
			t.Errorf("logged %s", log)
		}
	})
}

// Who is too slow is let go, and who has been there for long comes again.
func TestAStreamEnds(t *testing.T) {
	for name, c := range map[string]struct {
		read    bool // whether the reader takes what it is told
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

// A node that ends does not wait for its streams, even if nobody reads their end; one
// that begins meanwhile ends too.
func TestAStreamEndsWithItsNode(t *testing.T) {
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
		if w := s.call("GET", "/api/news", "", "Cookie", "__Host-kaibao_session=user"); w.Code != http.StatusOK {
			t.Errorf("afterwards: %d", w.Code)
		}
	})
}

// A stream is a route like any other: it has a guard, refuses, and stands in the
// document.
func TestAStreamIsARoute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStreams(t)
		defer s.end(t)
		refused(t, s.call("GET", "/api/news", ""), http.StatusUnauthorized, "unauthenticated")
		session := []string{"Cookie", "__Host-kaibao_session=user"}
		refused(t, s.call("GET", "/api/news", "", append(session, "Last-Event-ID", "gone")...), http.StatusNotFound, "not_found")
		if w := s.call("HEAD", "/api/news", "", session...); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/event-stream" || w.Body.Len() > 0 {
			t.Errorf("its head: %d %v %q", w.Code, w.Header(), w.Body)
		}
		call := describe(t, s.edge)["/api/news"]["get"]
		if len(call.Security) != 1 || call.Responses["200"].Content["text/event-stream"] == nil || len(call.Parameters) != 1 || call.Parameters[0].In != "header" {
			t.Errorf("described as %+v", call)
		}
	})
}
