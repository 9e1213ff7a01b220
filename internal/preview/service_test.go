package preview

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/jobs"
)

type fakeClock struct {
	mutex sync.Mutex
	at    time.Time
}

func (c *fakeClock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.at.IsZero() {
		c.at = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	}
	return c.at
}

func (c *fakeClock) advance(by time.Duration) {
	now := c.Now()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.at = now.Add(by)
}

// newService returns a Service that renders nothing but a text.
func newService(t *testing.T) (*Service, *fakeClock) {
	clock := &fakeClock{}
	s := New(t.TempDir(), slog.New(slog.DiscardHandler), clock.Now)
	s.render = func(_ context.Context, p Picture) ([]byte, error) { return []byte("picture of " + p.Handle), nil }
	return s, clock
}

// round runs one round of the job.
func round(t *testing.T, s *Service) error {
	t.Helper()
	_, err := s.Job().Do(t.Context())
	return err
}

func numbered(n int) Picture { return Picture{Kind: ProfilePage, Handle: fmt.Sprint("user-", n)} }

// get returns a picture, and whether it is finished.
func get(s *Service, page Page, p Picture) ([]byte, bool) {
	png, _ := s.Get(page, p)
	return png, png != nil
}

func pageOf(n int) Page { return Page{Path: fmt.Sprint("/u/user-", n), Owner: fmt.Sprint("user-", n)} }

func TestSharedPictureIsRendered(t *testing.T) {
	dir, clock := t.TempDir(), &fakeClock{}
	s := New(dir, slog.New(slog.DiscardHandler), clock.Now)
	s.drawings.rasterizer = rasterizer
	if _, ok := get(s, pageOf(0), profile); ok {
		t.Error("the picture is there before it was rendered")
	}
	if !s.Start(pageOf(0), profile) || len(s.queue) != 1 {
		t.Errorf("the queue has %d pictures, want 1", len(s.queue))
	}
	if err := round(t, s); err != nil {
		t.Fatal(err)
	}
	first, ok := get(s, pageOf(0), profile)
	if !ok {
		t.Fatal("the picture isn't there")
	}
	checkPixels(t, "the picture", first)
	restarted := New(dir, slog.New(slog.DiscardHandler), clock.Now)
	if again, ok := get(restarted, pageOf(0), profile); !ok || !bytes.Equal(again, first) {
		t.Error("after a restart the picture isn't there")
	}
	clock.advance(idleTime)
	if err := errors.Join(round(t, s), round(t, s)); err != nil || s.loaded {
		t.Errorf("an idle service doesn't free resvg's memory (%v)", err)
	}
}

func TestQueueIsBoundedAndHasNoDuplicates(t *testing.T) {
	s, clock := newService(t)
	for n := range 2 * maxQueue {
		get(s, pageOf(n%maxQueue), numbered(n%maxQueue))
	}
	if len(s.queue) != maxQueue/2 {
		t.Errorf("visitors queued %d pictures, want %d", len(s.queue), maxQueue/2)
	}
	accepted := 0
	for n := range 2 * maxQueue {
		if s.Start(pageOf(n), numbered(n)) {
			accepted++
		}
	}
	if len(s.queue) != maxQueue || accepted != maxQueue {
		t.Errorf("%d pictures are queued and %d accepted, want %d", len(s.queue), accepted, maxQueue)
	}
	for n := 0; len(s.queue) > 0; n++ {
		if err := round(t, s); err != nil {
			t.Fatal(err)
		}
		if png, ok := get(s, pageOf(n), numbered(n)); !ok || string(png) != fmt.Sprint("picture of user-", n) {
			t.Fatalf("picture %d is %q", n, png)
		}
		clock.advance(time.Second)
	}
}

// One user's pictures don't keep out those of others.
func TestQueueIsFair(t *testing.T) {
	s, _ := newService(t)
	for n := range 2 * maxQueue {
		if !s.Start(pageOf(1), numbered(n)) {
			t.Error("a newer picture of a waiting page was refused")
		}
	}
	if len(s.queue) != 1 || s.queue[0].Handle != numbered(2*maxQueue-1).Handle {
		t.Errorf("%d pictures of one page wait, want the last one", len(s.queue))
	}
	for n := range maxQueue {
		s.Start(Page{Path: fmt.Sprint("/pull/", n), Owner: pageOf(1).Owner}, numbered(n))
		get(s, Page{Path: fmt.Sprint("/pull/", maxQueue+n), Owner: pageOf(1).Owner}, numbered(maxQueue+n))
	}
	if len(s.queue) != maxPerOwner {
		t.Errorf("%d pictures of one user wait, want %d", len(s.queue), maxPerOwner)
	}
	if !s.Start(pageOf(2), numbered(2)) {
		t.Error("another user's picture was refused")
	}
}

func TestPictureInProgressIsNotQueuedAgain(t *testing.T) {
	s, _ := newService(t)
	s.render = func(context.Context, Picture) ([]byte, error) {
		if _, ok := get(s, pageOf(1), numbered(1)); ok || !s.Start(pageOf(1), numbered(1)) || len(s.queue) != 0 {
			t.Error("the picture in progress was queued again")
		}
		return []byte("png"), nil
	}
	s.Start(pageOf(1), numbered(1))
	if err := round(t, s); err != nil {
		t.Fatal(err)
	}
}

func TestFailedPictureIsTriedAgainLater(t *testing.T) {
	s, clock := newService(t)
	broken := errors.New("broken drawing")
	s.render = func(context.Context, Picture) ([]byte, error) { return nil, broken }
	s.Start(pageOf(1), numbered(1))
	if err := round(t, s); !errors.Is(err, broken) {
		t.Errorf("the job's error is %v, want %v", err, broken)
	}
	clock.advance(retryDelay - time.Second)
	if _, pending := s.Get(pageOf(1), numbered(1)); pending {
		t.Error("the failed picture is pending")
	}
	if s.Start(pageOf(1), numbered(1)) || !s.Start(pageOf(2), numbered(2)) {
		t.Error("the failed picture is tried again too early, or another one isn't tried")
	}
	clock.advance(time.Second)
	if !s.Start(pageOf(1), numbered(1)) {
		t.Error("the failed picture isn't tried again")
	}
	for n := range 2 * maxQueue {
		s.finish(waiting{digest: fmt.Sprint(n)}, false)
	}
	if len(s.failed) > maxQueue {
		t.Errorf("%d failures are kept", len(s.failed))
	}
}

func TestPanicWhileRenderingIsAnError(t *testing.T) {
	d := newDrawings(t)
	d.rasterizer = nil
	if _, err := d.render(t.Context(), pull); err == nil || !strings.Contains(err.Error(), "panic") {
		t.Errorf("the error is %v, want a panic", err)
	}
}

func TestSlowPictureIsLoggedOnce(t *testing.T) {
	var log bytes.Buffer
	s, clock := newService(t)
	s.log = slog.New(slog.NewTextHandler(&log, nil))
	for n := range 3 {
		s.render = func(context.Context, Picture) ([]byte, error) {
			clock.advance(time.Duration(n) * slow)
			return nil, nil
		}
		s.Start(pageOf(n), numbered(n))
		if err := round(t, s); err != nil {
			t.Fatal(err)
		}
		clock.advance(pace)
	}
	if got := log.String(); strings.Count(got, "level=WARN") != 1 || !strings.Contains(got, "duration=20s") {
		t.Errorf("the log is %q, want one warning about 20 s", got)
	}
}

// A picture that takes longer than a round is continued in the next ones, but not forever.
func TestUnfinishedPictureIsContinued(t *testing.T) {
	s, clock := newService(t)
	tries := 0
	s.render = func(ctx context.Context, _ Picture) ([]byte, error) {
		tries++
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	s.Start(pageOf(1), numbered(1))
	for n := range 5 {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := s.Job().Do(ctx)
		if n < maxTries && err == nil {
			t.Error("an unfinished round has no error")
		}
		clock.advance(time.Second)
	}
	if tries != maxTries || s.Start(pageOf(1), numbered(1)) {
		t.Errorf("the picture was tried %d times, want %d and then a pause", tries, maxTries)
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	clock := &fakeClock{}
	s := New(filepath.Join(file, "previews"), slog.New(slog.NewTextHandler(&log, nil)), clock.Now)
	rendered := 0
	s.render = func(context.Context, Picture) ([]byte, error) { rendered++; return []byte("png"), nil }
	for n := range 20 {
		if _, ok := get(s, pageOf(n%2), numbered(n%2)); ok {
			t.Error("a picture is there that can't be stored")
		}
		if err := round(t, s); err != nil {
			t.Error(err)
		}
		clock.advance(time.Second)
	}
	if rendered != 2 {
		t.Errorf("2 pictures were rendered %d times within the delay", rendered)
	}
	if warnings := strings.Count(log.String(), "level=WARN"); warnings != 1 {
		t.Errorf("%d warnings, want 1:\n%s", warnings, log.String())
	}
}

func TestConcurrentReadersAndTheJob(t *testing.T) {
	s, clock := newService(t)
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	runner := jobs.Job{Name: "previews", Every: time.Microsecond, Limit: time.Minute, Do: func(ctx context.Context) (int64, error) {
		clock.advance(pace)
		return s.Job().Do(ctx)
	}}
	group.Go(func() { jobs.New(slog.New(slog.DiscardHandler), clock.Now, runner).Run(ctx) })
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for n := range 50 {
				for ok := false; !ok && ctx.Err() == nil; {
					var png []byte
					png, ok = get(s, pageOf(n), numbered(n))
					if ok && string(png) != fmt.Sprint("picture of user-", n) {
						t.Errorf("picture %d is %q", n, png)
					}
				}
			}
		})
	}
	readers.Wait()
	stop()
	group.Wait()
}
