package app

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"regexp"
	"sync"
	"time"
)

// logger returns a logger to standard error in a format (text or json) with a minimum level (debug,
// info, warn, error).
func logger(format, level string) *slog.Logger {
	var minimum slog.Level
	_ = minimum.UnmarshalText([]byte(level)) // an unknown level means info
	o := &slog.HandlerOptions{Level: minimum}
	var lines slog.Handler = slog.NewTextHandler(os.Stderr, o)
	if format == "json" {
		lines = slog.NewJSONHandler(os.Stderr, o)
	}
	return slog.New(newRepeatFilter(lines))
}

const (
	// repeatAfter is the interval at which a repeated failure is logged.
	repeatAfter = 10 * time.Second
	// maxCauses limits the number of distinct causes. Further causes count as one.
	maxCauses = 1000
)

// repeatFilter is a handler that deduplicates warnings and errors. It logs the first of each cause
// immediately, then one line per cause and interval with the number of repeats. A database outage,
// for example, fails every call in the same way.
type repeatFilter struct {
	slog.Handler
	causes *causeLog
}

type causeLog struct {
	mutex sync.Mutex
	known map[string]*suppressed
}

// suppressed counts the suppressed records of a cause.
type suppressed struct {
	times int
	last  slog.Record
}

func newRepeatFilter(lines slog.Handler) repeatFilter {
	return repeatFilter{lines, &causeLog{known: map[string]*suppressed{}}}
}

// WithAttrs implements slog.Handler.
func (h repeatFilter) WithAttrs(attrs []slog.Attr) slog.Handler {
	return repeatFilter{h.Handler.WithAttrs(attrs), h.causes}
}

// WithGroup implements slog.Handler.
func (h repeatFilter) WithGroup(name string) slog.Handler {
	return repeatFilter{h.Handler.WithGroup(name), h.causes}
}

// Handle implements slog.Handler.
func (h repeatFilter) Handle(ctx context.Context, r slog.Record) error {
	if r.Level < slog.LevelWarn || !h.causes.repeated(causeOf(r), r, h.repeat) {
		return h.Handler.Handle(ctx, r)
	}
	return nil
}

// repeat logs the suppressed records of a cause, and starts another interval if there were any.
func (h repeatFilter) repeat(cause string) {
	r := h.causes.take(cause)
	if r.times == 0 {
		return
	}
	r.last.AddAttrs(slog.Int("repeated", r.times))
	h.causes.repeated(cause, r.last, h.repeat)
	_ = h.Handler.Handle(context.Background(), r.last)
}

// repeated reports whether a record's cause was already logged in this interval, and counts the
// record. Otherwise it schedules later for the end of the interval.
func (c *causeLog) repeated(cause string, r slog.Record, later func(string)) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.known[cause] == nil && len(c.known) >= maxCauses {
		cause = "others"
	}
	if known := c.known[cause]; known != nil {
		known.times++
		known.last = r.Clone()
		return true
	}
	c.known[cause] = &suppressed{}
	time.AfterFunc(repeatAfter, func() { later(cause) })
	return false
}

func (c *causeLog) take(cause string) suppressed {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	r := c.known[cause]
	delete(c.known, cause)
	return *r
}

// digits distinguish connections or rows, not causes.
var digits = regexp.MustCompile(`[0-9]+`)

// causeOf returns the same text for records of the same failure in different requests. Without an
// error, what was slow is the cause: the route or the statement.
func causeOf(r slog.Record) string {
	failure, slow := "", ""
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "error", "code":
			failure += "\n" + digits.ReplaceAllString(a.Value.String(), "#")
		case "route", "statement":
			slow += "\n" + digits.ReplaceAllString(a.Value.String(), "#")
		}
		return true
	})
	return r.Message + cmp.Or(failure, slow)
}
