package app

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/eventstream"
	"kaibao/internal/httpapi"
)

// A client that doesn't read its response is disconnected at the deadline, and the shutdown still
// succeeds.
func TestDrainCutsOffSlowReaders(t *testing.T) {
	var log bytes.Buffer
	started, written := make(chan struct{}), make(chan error, 1)
	a := &App{log: slog.New(slog.NewTextHandler(&log, nil)), server: &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(started)
			_, err := w.Write(make([]byte, 64<<20)) // more than the socket buffers hold
			written <- err
		}),
	}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- a.server.Serve(listener) }()
	reader, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	if _, err := reader.Write([]byte("GET / HTTP/1.1\r\nHost: kaibao.example\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	<-started
	if err := a.shutDown(t.Context(), 50*time.Millisecond); err != nil {
		t.Errorf("shutDown failed: %v", err)
	}
	if err := <-written; err == nil {
		t.Error("the response was read completely")
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("serving ended with %v", err)
	}
	if !strings.Contains(log.String(), "closed the connections") {
		t.Errorf("logged %q", &log)
	}
}

// A node with a thousand open streams shuts down about as fast as one without.
func TestStreamsDoNotDelayShutdown(t *testing.T) {
	const readers = 1000
	public, err := httpapi.ParsePublicURL("http://127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	quiet := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	api := httpapi.New(httpapi.Options{PublicURL: public, Log: quiet, NewRequestID: func() string { return "request" }, Clock: time.Now})
	eventstream.New(api).Handle(httpapi.Get(httpapi.Public, "/api/news", "news", "News"), func(context.Context, string) (eventstream.Next, error) {
		return func(context.Context) ([]byte, error) { return nil, nil }, nil
	})
	a := &App{log: quiet, server: newServer(api, quiet)}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- a.server.Serve(listener) }()
	var all sync.WaitGroup
	for range readers {
		reader, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := reader.Write([]byte("GET /api/news HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(reader), nil)
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			if body, err := io.ReadAll(answer.Body); err != nil || string(body) != ":\n\n" {
				t.Errorf("read %q, %v", body, err)
			}
			_ = errors.Join(answer.Body.Close(), reader.Close())
		})
	}
	begun := time.Now()
	if err := a.shutDown(t.Context(), shutdownTime); err != nil {
		t.Errorf("shutDown failed: %v", err)
	}
	api.Close()
	all.Wait()
	if took := time.Since(begun); took > 2*time.Second {
		t.Errorf("the shutdown took %s", took)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("serving ended with %v", err)
	}
	if log.Len() > 0 {
		t.Errorf("logged %s", &log)
	}
}
