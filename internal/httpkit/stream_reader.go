package httpkit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"kaibao/internal/apperr"
)

// stream is one reader's response.
type stream struct {
	w       io.Writer
	control *http.ResponseController
	now     func() time.Time
	wake    chan struct{} // there may be new text
	address string        // empty = not limited
}

// serve sends what next returns, and heartbeats, until ctx ends, the reader leaves or is too
// slow, or next fails. It returns next's error, unless that is io.EOF.
func (s *stream) serve(ctx context.Context, next func() ([]byte, error)) (err error) {
	defer s.limitLastWrite()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	quiet := time.NewTimer(quietTime)
	defer quiet.Stop()
	for text := []byte(opening); ; {
		if len(text) > 0 {
			if !s.send(ctx, text) {
				return nil
			}
			quiet.Reset(quietTime)
		}
		text, err = next()
		switch {
		case ctx.Err() != nil || errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case len(text) > 0:
			continue
		}
		select {
		case <-s.wake:
		case <-quiet.C:
			text = []byte(heartbeat)
		case <-ctx.Done():
			return nil
		}
	}
}

// send reports whether the reader took the text in time.
func (s *stream) send(ctx context.Context, text []byte) bool {
	err := s.control.SetWriteDeadline(s.now().Add(takingTime))
	if ctx.Err() != nil {
		s.limitLastWrite()
	}
	if err == nil {
		_, err = s.w.Write(text)
	}
	return err == nil && s.control.Flush() == nil
}

// limitLastWrite leaves the reader little time to take the end of the stream.
func (s *stream) limitLastWrite() {
	_ = s.control.SetWriteDeadline(s.now().Add(endingTime)) // the connection may be closed by now
}

// streams are the streams of a node.
type streams struct {
	mutex sync.Mutex
	open  map[*stream]struct{}
	of    map[string]int // how many each address has
	ended bool
	all   sync.WaitGroup
}

var (
	errEnding = apperr.New(apperr.Unavailable, "The server is restarting. Please reconnect.").After(time.Second)
	errFull   = apperr.New(apperr.Unavailable, "Too many live connections right now. Please try again later.").After(fullTime)
	errMany   = apperr.New(apperr.RateLimited, "Too many live connections from your network. Close some tabs and try again.").After(fullTime)
)

// enter adds a stream, or refuses it.
func (all *streams) enter(s *stream) error {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	switch {
	case all.ended:
		return errEnding
	case len(all.open) == mostStreams:
		return errFull
	case all.of[s.address] == mostOfOne:
		return errMany
	}
	all.open[s] = struct{}{}
	if s.address != "" {
		all.of[s.address]++
	}
	all.all.Add(1)
	return nil
}

func (all *streams) leave(s *stream) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	delete(all.open, s)
	all.of[s.address]--
	if all.of[s.address] <= 0 {
		delete(all.of, s.address)
	}
	all.all.Done()
}

func (all *streams) each(do func(*stream)) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	for s := range all.open {
		do(s)
	}
}

// end refuses new streams from now on.
func (all *streams) end() {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	all.ended = true
}
