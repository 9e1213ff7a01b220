package db

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"kaibao/internal/apperr"
	"kaibao/internal/db/engine"
)

// stage is a SQLite database whose writer can be blocked while jobs queue up, and whose commits are
// counted.
type stage struct {
	*DB
	queue   *commitQueue
	dir     string
	commits atomic.Int64
	answers map[string]chan error
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{dir: t.TempDir(), answers: map[string]chan error{}}
	d, err := Open(t.Context(), Options{Dir: s.dir, Commit: func(commit func() error) error {
		s.commits.Add(1)
		return commit()
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.DB, s.queue = d, d.engine.(*sqliteEngine).queue
	t.Cleanup(func() { _ = d.Close() })
	return s
}

// hold blocks the writer until the returned function is called.
func (s *stage) hold(t *testing.T) (release func()) {
	t.Helper()
	entered, released := make(chan struct{}), make(chan struct{})
	s.start(t.Context(), "holder", func(*Tx) error {
		close(entered)
		<-released
		return nil
	})
	<-entered
	return func() { close(released) }
}

// start calls InTx in a goroutine; answer returns its result.
func (s *stage) start(ctx context.Context, name string, fn func(*Tx) error) {
	answer := make(chan error, 1)
	s.answers[name] = answer
	go func() { answer <- s.InTx(ctx, fn) }()
}

// enqueue is start, and waits until the job is in the queue.
func (s *stage) enqueue(ctx context.Context, name string, fn func(*Tx) error) {
	before := len(s.queue.jobs)
	s.start(ctx, name, fn)
	for len(s.queue.jobs) == before {
		runtime.Gosched()
	}
}

func (s *stage) answer(name string) error { return <-s.answers[name] }

func insert(name string) func(*Tx) error {
	return func(tx *Tx) error {
		_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, '')`, name)
		return err
	}
}

// kept lists the rows of a database.
func kept(t *testing.T, d *DB) (found []string) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *Tx) (err error) {
		found, err = All(tx, Column[string], `SELECT name FROM settings ORDER BY name`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestJobsOfABatchFailIndependently(t *testing.T) {
	s := newStage(t)
	release := s.hold(t)
	gone, leave := context.WithCancel(t.Context())
	write := func(name string, end func() error) func(*Tx) error {
		return func(tx *Tx) error {
			if err := insert(name)(tx); err != nil {
				return err
			}
			return end()
		}
	}
	fine := func() error { return nil }
	members := []struct {
		name string
		ctx  context.Context
		fn   func(*Tx) error
		want string // in the answer; empty = kept
	}{
		{"first", t.Context(), write("first", fine), ""},
		{"refused", t.Context(), write("refused", func() error { return errors.New("no") }), "no"},
		{"panics", t.Context(), write("panics", func() error { panic("broken") }), "panic in a transaction: broken"},
		{"left", gone, write("left", fine), "context canceled"},
		{"twin", t.Context(), write("first", fine), "UNIQUE"},
		{"misspelt", t.Context(), func(tx *Tx) error { _, err := tx.Exec("SELEKT"); return err }, "syntax"},
		{"open rows", t.Context(), func(tx *Tx) error {
			if err := insert("open rows")(tx); err != nil {
				return err
			}
			_, err := One(tx, func(Scanner) (int, error) { panic("while reading") }, `SELECT name FROM settings`)
			return err
		}, "while reading"},
		{"last", t.Context(), write("last", fine), ""},
	}
	for _, m := range members {
		s.enqueue(m.ctx, m.name, m.fn)
	}
	leave() // after it was queued, before its turn
	before := s.commits.Load()
	release()
	for _, m := range members {
		err := s.answer(m.name)
		if (err == nil) != (m.want == "") || err != nil && !strings.Contains(err.Error(), m.want) {
			t.Errorf("%s was answered %v, want %q", m.name, err, m.want)
		}
	}
	if got := kept(t, s.DB); !slices.Equal(got, []string{"first", "last"}) {
		t.Errorf("kept %q", got)
	}
	if n := s.commits.Load() - before; n != 2 {
		t.Errorf("%d commits, want 2: the holder's and the batch's", n)
	}
}

// A batch without a successful job doesn't commit, and only successful jobs get ErrUnknownCommit
// when the commit fails.
func TestFailedCommitIsUnknownForItsJobs(t *testing.T) {
	s := newStage(t)
	s.queue.ending = func(func() error) error { return errors.New("disk full") }
	release := s.hold(t)
	s.enqueue(t.Context(), "would be kept", insert("would be kept"))
	s.enqueue(t.Context(), "refused", func(*Tx) error { return errors.New("no") })
	release()
	for name, doubtful := range map[string]bool{"holder": true, "would be kept": true, "refused": false} {
		if err := s.answer(name); err == nil || errors.Is(err, ErrUnknownCommit) != doubtful {
			t.Errorf("%s was answered %v", name, err)
		}
	}
	if got := kept(t, s.DB); len(got) != 0 {
		t.Errorf("kept %q", got)
	}
}

func TestFullQueueIsUnavailable(t *testing.T) {
	s := newStage(t)
	release := s.hold(t)
	gone, leave := context.WithCancel(t.Context())
	leave()
	for range engine.MaxQueue {
		s.queue.jobs <- &job{ctx: gone, do: s.work(insert("filler")), Ticket: engine.NewTicket()}
	}
	if err := s.InTx(t.Context(), insert("one too many")); !apperr.IsCode(err, apperr.Unavailable) {
		t.Errorf("answered %v", err)
	}
	release()
	for len(s.queue.jobs) > 0 {
		runtime.Gosched()
	}
	if err := s.InTx(t.Context(), insert("later")); err != nil {
		t.Errorf("once there is room: %v", err)
	}
	if got := kept(t, s.DB); !slices.Equal(got, []string{"later"}) {
		t.Errorf("kept %q", got)
	}
}

// Jobs that wait when the database closes either commit or get an error.
func TestCloseAnswersAllJobs(t *testing.T) {
	const callers = 50
	s := newStage(t)
	release := s.hold(t)
	for n := range callers {
		name := fmt.Sprintf("%02d", n)
		s.enqueue(t.Context(), name, insert(name))
	}
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	<-s.queue.open.Done()
	release()
	var acknowledged []string
	for n := range callers {
		name := fmt.Sprintf("%02d", n)
		switch err := s.answer(name); {
		case err == nil:
			acknowledged = append(acknowledged, name)
		case !apperr.IsCode(err, apperr.Unavailable):
			t.Errorf("%s was answered %v", name, err)
		}
	}
	if err := errors.Join(s.answer("holder"), <-closed); err != nil {
		t.Error(err)
	}
	again, err := Open(t.Context(), Options{Dir: s.dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = again.Close() }()
	if got := kept(t, again); !slices.Equal(got, acknowledged) {
		t.Errorf("kept %q, acknowledged %q", got, acknowledged)
	}
}

// If the writer finishes a job and stops at the same moment, the job's result counts.
func TestLastResultOfTheWriterCounts(t *testing.T) {
	for range 1000 {
		q := &commitQueue{jobs: make(chan *job, 1), open: t.Context(), idle: make(chan struct{})}
		go func() {
			j := <-q.jobs
			j.Done()
			close(q.idle)
		}()
		if err := q.do(t.Context(), nil); err != nil {
			t.Fatalf("a call that was carried out was answered %v", err)
		}
	}
}
