package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"kaibao/internal/apperr"
	"kaibao/internal/db/engine"
)

// queueTest is a SQLite database that counts its commits, and whose writer can be blocked while jobs
// queue up.
type queueTest struct {
	*Engine
	dir     string
	commits atomic.Int64
	results map[string]chan error
}

func newQueueTest(t *testing.T) *queueTest {
	t.Helper()
	s := &queueTest{dir: t.TempDir(), results: map[string]chan error{}}
	s.Engine = open(t, Options{Dir: s.dir, Commit: func(commit func() error) error {
		s.commits.Add(1)
		return commit()
	}})
	return s
}

// blockWriter blocks the writer until the returned function is called.
func (s *queueTest) blockWriter(t *testing.T) (release func()) {
	t.Helper()
	entered, released := make(chan struct{}), make(chan struct{})
	s.start(t.Context(), "blocker", func(context.Context, engine.Conn) error {
		close(entered)
		<-released
		return nil
	})
	<-entered
	return func() { close(released) }
}

// start calls Write in a goroutine; result returns its error.
func (s *queueTest) start(ctx context.Context, name string, do engine.Work) {
	answer := make(chan error, 1)
	s.results[name] = answer
	go func() { answer <- s.Write(ctx, do) }()
}

// enqueue is start, and waits until the job is in the queue.
func (s *queueTest) enqueue(ctx context.Context, name string, do engine.Work) {
	before := len(s.queue.jobs)
	s.start(ctx, name, do)
	for len(s.queue.jobs) == before {
		runtime.Gosched()
	}
}

func (s *queueTest) result(name string) error { return <-s.results[name] }

func TestJobsOfABatchFailIndependently(t *testing.T) {
	s := newQueueTest(t)
	release := s.blockWriter(t)
	gone, leave := context.WithCancel(t.Context())
	write := func(name string, end func() error) engine.Work {
		return func(ctx context.Context, conn engine.Conn) error {
			if err := insert(name)(ctx, conn); err != nil {
				return err
			}
			return end()
		}
	}
	fine := func() error { return nil }
	members := []struct {
		name string
		ctx  context.Context
		do   engine.Work
		want string // part of the error; empty = committed
	}{
		{"first", t.Context(), write("first", fine), ""},
		{"refused", t.Context(), write("refused", func() error { return errors.New("no") }), "no"},
		{"panics", t.Context(), write("panics", func() error { panic("broken") }), "panic in a transaction: broken"},
		{"left", gone, write("left", fine), "context canceled"},
		{"duplicate", t.Context(), write("first", fine), "UNIQUE"},
		{"misspelt", t.Context(), func(ctx context.Context, conn engine.Conn) error { _, err := conn.Exec(ctx, "SELEKT", nil); return err }, "syntax"},
		{"open rows", t.Context(), func(ctx context.Context, conn engine.Conn) error {
			if err := insert("open rows")(ctx, conn); err != nil {
				return err
			}
			return conn.QueueQuery(ctx, `SELECT name FROM settings`, nil, func(engine.Rows) { panic("while reading") })()
		}, "while reading"},
		{"last", t.Context(), write("last", fine), ""},
	}
	for _, m := range members {
		s.enqueue(m.ctx, m.name, m.do)
	}
	leave() // after the job was queued, before it runs
	before := s.commits.Load()
	release()
	for _, m := range members {
		err := s.result(m.name)
		if (err == nil) != (m.want == "") || err != nil && !strings.Contains(err.Error(), m.want) {
			t.Errorf("%s returned %v, want %q", m.name, err, m.want)
		}
	}
	if got := committedNames(t, s.Engine); !slices.Equal(got, []string{"first", "last"}) {
		t.Errorf("the committed names are %q", got)
	}
	if n := s.commits.Load() - before; n != 2 {
		t.Errorf("%d commits, want 2: the blocker's and the batch's", n)
	}
}

// A batch without a successful job doesn't commit, and only successful jobs get ErrUnknownCommit
// when the commit fails.
func TestFailedCommitIsUnknownForItsJobs(t *testing.T) {
	s := newQueueTest(t)
	s.queue.commit = func(func() error) error { return errors.New("disk full") }
	release := s.blockWriter(t)
	s.enqueue(t.Context(), "would commit", insert("would commit"))
	s.enqueue(t.Context(), "refused", func(context.Context, engine.Conn) error { return errors.New("no") })
	release()
	for name, doubtful := range map[string]bool{"blocker": true, "would commit": true, "refused": false} {
		if err := s.result(name); err == nil || errors.Is(err, engine.ErrUnknownCommit) != doubtful {
			t.Errorf("%s returned %v", name, err)
		}
	}
	if got := committedNames(t, s.Engine); len(got) != 0 {
		t.Errorf("the committed names are %q", got)
	}
}

func TestFullQueueIsUnavailable(t *testing.T) {
	s := newQueueTest(t)
	release := s.blockWriter(t)
	gone, leave := context.WithCancel(t.Context())
	leave()
	for range engine.MaxQueue {
		s.queue.jobs <- &job{ctx: gone, do: insert("filler"), Ticket: engine.NewTicket()}
	}
	if err := s.Write(t.Context(), insert("one too many")); !apperr.IsCode(err, apperr.Unavailable) {
		t.Errorf("returned %v", err)
	}
	release()
	for len(s.queue.jobs) > 0 {
		runtime.Gosched()
	}
	if err := s.Write(t.Context(), insert("later")); err != nil {
		t.Errorf("once there is room: %v", err)
	}
	if got := committedNames(t, s.Engine); !slices.Equal(got, []string{"later"}) {
		t.Errorf("the committed names are %q", got)
	}
}

// Jobs that wait when the database closes either commit or get an error.
func TestCloseAnswersAllJobs(t *testing.T) {
	const callers = 50
	s := newQueueTest(t)
	release := s.blockWriter(t)
	for i := range callers {
		name := fmt.Sprintf("%02d", i)
		s.enqueue(t.Context(), name, insert(name))
	}
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	<-s.queue.ctx.Done()
	release()
	var acknowledged []string
	for i := range callers {
		name := fmt.Sprintf("%02d", i)
		switch err := s.result(name); {
		case err == nil:
			acknowledged = append(acknowledged, name)
		case !apperr.IsCode(err, apperr.Unavailable):
			t.Errorf("%s returned %v", name, err)
		}
	}
	if err := errors.Join(s.result("blocker"), <-closed); err != nil {
		t.Error(err)
	}
	if got := committedNames(t, open(t, Options{Dir: s.dir})); !slices.Equal(got, acknowledged) {
		t.Errorf("the committed names are %q, but the acknowledged ones %q", got, acknowledged)
	}
}

// If the writer finishes a job and stops at the same moment, the job's result counts.
func TestLastResultOfTheWriterCounts(t *testing.T) {
	for range 1000 {
		q := &commitQueue{jobs: make(chan *job, 1), ctx: t.Context(), idle: make(chan struct{})}
		go func() {
			j := <-q.jobs
			j.Done()
			close(q.idle)
		}()
		if err := q.do(t.Context(), nil); err != nil {
			t.Fatalf("a job that succeeded returned %v", err)
		}
	}
}

// Nothing is written to a file that has been deleted, moved or replaced, because that would be lost.
func TestMissingFileIsNotWritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, File)
	e := open(t, Options{Dir: dir})
	if err := e.Write(t.Context(), insert("before")); err != nil {
		t.Fatal(err)
	}
	refused := func(when string) {
		t.Helper()
		if err := e.Write(t.Context(), insert(when)); err == nil || !strings.Contains(fmt.Sprint(errors.Unwrap(err)), "was deleted, moved or replaced") {
			t.Errorf("%s: %v", when, err)
		}
	}
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	refused("moved")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused("replaced")
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	if err := e.Write(t.Context(), insert("back")); err != nil {
		t.Errorf("after the file was put back: %v", err)
	}
	if got := committedNames(t, e); !slices.Equal(got, []string{"back", "before"}) {
		t.Errorf("committed are %v", got)
	}
}
