package app

import (
	"context"
	"log/slog"
	"os"
	"regexp"
	"sync"
	"time"
)

// logger writes lines of a form (text or json) and of a level (info, warn, error) or
// above.
func logger(format, level string) *slog.Logger {
	var least slog.Level
	_ = least.UnmarshalText([]byte(level)) // what is none stays info
	o := &slog.HandlerOptions{Level: least}
	var lines slog.Handler = slog.NewTextHandler(os.Stderr, o)
	if format == "json" {
		lines = slog.NewJSONHandler(os.Stderr, o)
	}
	return slog.New(newThrifty(lines))
}

const (
	// repeatAfter is how often a failure that goes on is logged.
	repeatAfter = 10 * time.Second
	// maxCauses is how many are told apart; those beyond count as one.
	maxCauses = 1000
)

// thrifty logs a failure at once and then, while it goes on, one line per cause
// and interval with the number of times: a database that is away fails every call
// in the same way.
type thrifty struct {
	slog.Handler
	causes *causes
}

type causes struct {
	mutex sync.Mutex
	known map[string]*repeats
}

// repeats is what was held back of a cause.
type repeats struct {
	times int
	last  slog.Record
}

func newThrifty(lines slog.Handler) thrifty {
	return thrifty{lines, &causes{known: map[string]*repeats{}}}
}

// WithAttrs implements slog.Handler.
func (h thrifty) WithAttrs(attrs []slog.Attr) slog.Handler {
	return thrifty{h.Handler.WithAttrs(attrs), h.causes}
}

// WithGroup implements slog.Handler.
func (h thrifty) WithGroup(name string) slog.Handler {
	return thrifty{h.Handler.WithGroup(name), h.causes}
}

// Handle implements slog.Handler.
func (h thrifty) Handle(ctx context.Context, r slog.Record) error {
	if r.Level < slog.LevelWarn || !h.causes.repeated(causeOf(r), r, h.repeat) {
		return h.Handler.Handle(ctx, r)
	}
	return nil
}

// repeat logs what was held back, and goes on holding back while there is more.
func (h thrifty) repeat(cause string) {
	r := h.causes.take(cause)
	if r.times == 0 {
		return
	}
	r.last.AddAttrs(slog.Int("repeated", r.times))
	h.causes.repeated(cause, r.last, h.repeat)
	_ = h.Handler.Handle(context.Background(), r.last)
}

// repeated counts a record whose cause was logged within the interval. Of one that
// was not, it has later called after it.
func (c *causes) repeated(cause string, r slog.Record, later func(string)) bool {
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
	c.known[cause] = &repeats{}
	time.AfterFunc(repeatAfter, func() { later(cause) })
	return false
}

func (c *causes) take(cause string) repeats {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	r := c.known[cause]
	delete(c.known, cause)
	return *r
}

// numbers tell two connections or rows apart, and no causes.
var numbers = regexp.MustCompile(`[0-9]+`)

// causeOf is equal for records of the same failure, whichever request met it.
func causeOf(r slog.Record) string {
	cause := r.Message
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "error" || a.Key == "code" {
			cause += "\n" + numbers.ReplaceAllString(a.Value.String(), "#")
		}
		return true
	})
	return cause
}
