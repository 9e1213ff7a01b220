package progress_test

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"

	"kaibao/internal/progress"
)

// shown returns the terminal output of use.
func shown(t *testing.T, use func(*progress.Line)) string {
	t.Helper()
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	seen := make(chan string)
	go func() {
		text, _ := io.ReadAll(screen) // ends with EIO when the terminal is closed
		seen <- string(text)
	}()
	if err := pty.Setsize(terminal, &pty.Winsize{Rows: 24, Cols: 100}); err != nil {
		t.Fatal(err)
	}
	use(progress.New(terminal))
	if err := terminal.Close(); err != nil {
		t.Fatal(err)
	}
	return <-seen
}

func TestTerminalShowsProgress(t *testing.T) {
	text := shown(t, func(l *progress.Line) {
		l.Step("checking leaves", 0, 1000)
		l.Step("checking leaves", 1000, 1000)
		l.Step("checking receipts", 3, 7)
		l.End()
	})
	for _, want := range []string{"checking leaves", "1000/1000", "checking receipts"} {
		if !strings.Contains(text, want) {
			t.Errorf("the terminal does not show %q: %q", want, text)
		}
	}
}

func TestNonTerminalShowsNothing(t *testing.T) {
	out, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	l := progress.New(out)
	l.Step("checking leaves", 5, 10)
	l.End()
	if info, err := out.Stat(); err != nil || info.Size() != 0 {
		t.Errorf("%d bytes were written, error %v", info.Size(), err)
	}
}
