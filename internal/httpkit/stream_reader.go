package httpkit

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"kaibao/internal/apperr"
)

// stream is a reader's connection. One goroutine does all for it: it waits for the reader
// to leave, and a deadline in the past is how it is woken. So a reader costs little, and one
// that has left is noticed at once.
type stream struct {
	kit        *Kit
	connection net.Conn // nil before it was taken over
	address    string   // empty where it does not count
	next       Next
	visit      *requestLog
	began      time.Time
	toldAt     time.Time // when the reader was told something last
	bytes      int64
	ignored    [1]byte // what the reader sends, which is nothing
}

// past is a deadline that is over.
var past = time.Unix(1, 0)

// tell writes a text and whatever comes after it, until there is no more or nobody to
// read it.
func (s *stream) tell(text []byte) {
	defer s.end()
	for s.write(text) {
		var err error
		text, err = s.wait()
		if err != nil {
			s.complain(err)
			return
		}
	}
}

// wait gives what the reader is told next, when there is something.
func (s *stream) wait() (text []byte, err error) {
	over, quiet := s.began.Add(streamTime), s.toldAt.Add(quietTime)
	until := quiet
	if over.Before(quiet) {
		until = over
	}
	for {
		// Whoever wakes the stream behind this line ends the reading below; what it was
		// woken for before is found in between.
		if err := s.connection.SetReadDeadline(until); err != nil {
			return nil, io.EOF
		}
		if s.kit.streaming.Err() != nil || !s.kit.Clock().Before(over) {
			return nil, io.EOF
		}
		text, err := s.next(s.kit.streaming)
		if err != nil || len(text) > 0 {
			return text, err
		}
		if !s.kit.Clock().Before(quiet) {
			return []byte(heartbeat), nil
		}
		if _, err := s.connection.Read(s.ignored[:]); !errors.Is(err, os.ErrDeadlineExceeded) {
			return nil, io.EOF
		}
	}
}

// write says whether the reader took the text in time.
func (s *stream) write(text []byte) bool {
	s.toldAt = s.kit.Clock()
	err := s.connection.SetWriteDeadline(s.toldAt.Add(takingTime))
	if s.kit.streaming.Err() != nil {
		err = s.connection.SetWriteDeadline(s.toldAt.Add(endingTime))
	}
	if err != nil {
		return false
	}
	n, err := s.connection.Write(text)
	s.bytes += int64(n)
	return err == nil
}

// complain says in the log why a stream ended, if anything was wrong.
func (s *stream) complain(err error) {
	if !errors.Is(err, io.EOF) && s.kit.streaming.Err() == nil {
		s.kit.Log.Warn("a stream ended", "requestId", s.visit.id, "route", s.visit.route, "error", err)
	}
}

func (s *stream) end() {
	if p := recover(); p != nil {
		s.complain(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
	}
	_ = s.connection.Close()
	s.kit.line(s.visit, http.StatusOK, s.bytes, s.kit.Clock().Sub(s.began))
	s.kit.streams.leave(s)
}

// streams are those of a node.
type streams struct {
	mutex sync.Mutex
	let   int            // in, also those that have not begun
	of    map[string]int // of these, of each address
	begun map[*stream]struct{}
	ended bool
	all   sync.WaitGroup
}

var (
	errEnding = apperr.New(apperr.Unavailable, "The server is about to end. Please come again.").After(time.Second)
	errFull   = apperr.New(apperr.Unavailable, "The server has as many live readers as it takes. Please come again later.").After(fullTime)
	errMany   = apperr.New(apperr.RateLimited, "Your address has as many live streams as one may have. Please close some.").After(fullTime)
)

// enter lets a stream in, or says why not.
func (all *streams) enter(s *stream) error {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	switch {
	case all.ended:
		return errEnding
	case all.let == mostStreams:
		return errFull
	case all.of[s.address] == mostOfOne:
		return errMany
	}
	all.let++
	if s.address != "" {
		all.of[s.address]++
	}
	all.all.Add(1)
	return nil
}

func (all *streams) leave(s *stream) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	delete(all.begun, s)
	all.let--
	all.of[s.address]--
	if all.of[s.address] <= 0 {
		delete(all.of, s.address)
	}
	all.all.Done()
}

// begin has a stream woken from now on.
func (all *streams) begin(s *stream) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	all.begun[s] = struct{}{}
}

func (all *streams) each(do func(*stream)) {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	for s := range all.begun {
		do(s)
	}
}

// end lets nobody in any more.
func (all *streams) end() {
	all.mutex.Lock()
	defer all.mutex.Unlock()
	all.ended = true
}
