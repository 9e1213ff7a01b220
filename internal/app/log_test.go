package app

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestRepeatedFailuresAreLoggedOncePerInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out logBuffer
		log := slog.New(newRepeatFilter(slog.NewTextHandler(&out, nil)))
		fail := func(n int) {
			log.Error("request failed", "requestId", n, "error", fmt.Errorf("dial 127.0.0.1:%d: refused", 40000+n))
		}
		for n := range 1000 {
			fail(n)
		}
		log.Error("request failed", "error", errors.New("another cause"))
		log.Info("listening")
		log.Info("listening")
		wantLines(t, &out, "requestId=0 ", "another cause", "listening", "listening")
		advance(repeatAfter + time.Second)
		wantLines(t, &out, "repeated=999")
		fail(1)
		wantLines(t, &out)
		advance(repeatAfter)
		wantLines(t, &out, "repeated=1")
		advance(repeatAfter)
		fail(2)
		wantLines(t, &out, "requestId=2 ")
		advance(repeatAfter)
	})
}

// Slow requests and queries are repeats of each other only if route or statement are the same.
func TestSlowLinesAreDistinguished(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out logBuffer
		log := slog.New(newRepeatFilter(slog.NewTextHandler(&out, nil)))
		for n := range 3 {
			log.Warn("slow request", "requestId", n, "route", "/api/packs")
			log.Warn("slow request", "requestId", n, "route", "/api/items")
			log.Warn("slow query", "requestId", n, "statement", "SELECT 1")
		}
		wantLines(t, &out, "packs", "items", "SELECT")
		advance(repeatAfter + time.Second)
		if lines := out.takeLines(); len(lines) != 3 {
			t.Errorf("%d lines about repeats, want 3: %q", len(lines), lines)
		}
		advance(repeatAfter)
	})
}

func TestNumberOfCausesIsLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out logBuffer
		log := slog.New(newRepeatFilter(slog.NewTextHandler(&out, nil)))
		for n := range 3 * maxCauses {
			log.Warn(strings.Repeat("x", n))
		}
		if lines := out.takeLines(); len(lines) != maxCauses+1 {
			t.Errorf("%d lines", len(lines))
		}
		advance(repeatAfter)
	})
}

// logBuffer is a log that is safe for concurrent writes by timers.
type logBuffer struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// Write implements io.Writer.
func (p *logBuffer) Write(line []byte) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.text.Write(line)
}

// takeLines returns the lines since the last call.
func (p *logBuffer) takeLines() []string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	defer p.text.Reset()
	return slices.Collect(strings.Lines(p.text.String()))
}

// advance advances the synctest clock.
func advance(d time.Duration) {
	<-time.NewTimer(d).C
	synctest.Wait()
}

// wantLines compares the lines logged since the last call with expected substrings.
func wantLines(t *testing.T, out *logBuffer, parts ...string) {
	t.Helper()
	lines := out.takeLines()
	if len(lines) != len(parts) {
		t.Fatalf("%d lines, want %d: %q", len(lines), len(parts), lines)
	}
	for n, part := range parts {
		if !strings.Contains(lines[n], part) {
			t.Errorf("line %d is %q, want %q in it", n, lines[n], part)
		}
	}
}
