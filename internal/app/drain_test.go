package app

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Who takes nothing of an answer is cut off when the time is over, and the end
// is no failure because of it.
func TestASlowReaderDoesNotSpoilTheEnd(t *testing.T) {
	var log bytes.Buffer
	answering, written := make(chan struct{}), make(chan error, 1)
	a := &App{log: slog.New(slog.NewTextHandler(&log, nil)), server: &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(answering)
			_, err := w.Write(make([]byte, 64<<20)) // more than the system keeps for a reader
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
	<-answering
	if err := a.drain(t.Context(), 50*time.Millisecond); err != nil {
		t.Errorf("the end failed: %v", err)
	}
	if err := <-written; err == nil {
		t.Error("the answer was taken")
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		t.Errorf("serving ended with %v", err)
	}
	if !strings.Contains(log.String(), "cut off") {
		t.Errorf("logged %q", &log)
	}
}
