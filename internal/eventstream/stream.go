package eventstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"time"
)

// stream is the response to one reader.
type stream struct {
	w       io.Writer
	control *http.ResponseController
	now     func() time.Time
	wake    chan struct{} // there may be new text
	address string        // of the reader, to limit streams per address; empty = not limited
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
	quiet := time.NewTimer(heartbeatInterval)
	defer quiet.Stop()
	for text := []byte(opening); ; {
		if len(text) > 0 {
			if !s.send(ctx, text) {
				return nil
			}
			quiet.Reset(heartbeatInterval)
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
	err := s.control.SetWriteDeadline(s.now().Add(writeTimeout))
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
	_ = s.control.SetWriteDeadline(s.now().Add(lastWriteTimeout)) // the connection may be closed by now
}
