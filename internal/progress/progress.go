// Package progress shows the progress, rate and remaining time of a long command on a terminal. It
// writes nothing if the output is not a terminal.
package progress

import (
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Line is a progress bar on a terminal. It is safe for concurrent use; a nil Line shows nothing.
type Line struct {
	mutex sync.Mutex
	out   *os.File
	what  string
	bar   *progressbar.ProgressBar
}

// New returns a progress bar on out, or nil if out isn't a terminal.
func New(out *os.File) *Line {
	if !term.IsTerminal(int(out.Fd())) {
		return nil
	}
	return &Line{out: out}
}

// Step shows the progress of a task and starts a new bar if the task changes. A total of -1 is
// unknown.
func (l *Line) Step(what string, done, total int64) {
	if l == nil {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.bar == nil || l.what != what {
		l.clear()
		l.what, l.bar = what, progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(l.out), progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
			progressbar.OptionShowIts(), progressbar.OptionSetPredictTime(true), progressbar.OptionFullWidth(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionUseANSICodes(true))
	}
	_ = l.bar.Set64(done)
}

// End clears the bar, so that other text can follow.
func (l *Line) End() {
	if l == nil {
		return
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.clear()
}

func (l *Line) clear() {
	if l.bar != nil {
		_ = l.bar.Clear()
		l.bar = nil
	}
}
