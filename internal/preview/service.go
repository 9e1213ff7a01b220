package preview

import (
	"context"
	"fmt"
	"image"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"kaibao/internal/jobs"
	"kaibao/internal/preview/resvg"
)

const (
	// pictureBytes and drawingBytes limit the folders of finished pictures and of rasterized cards:
	// about 500 pictures of 0.5 MB, and 600 cards of 0.2 MB.
	pictureBytes = 256 << 20
	drawingBytes = 128 << 20

	// maxQueue is the maximum number of waiting pictures. Requests of visitors fill at most half of
	// it, so that they can't keep out those who share.
	maxQueue = 200
	// maxPerOwner is the maximum number of waiting pictures of one user.
	maxPerOwner = 10
	// pace is the pause between two pictures.
	pace = 500 * time.Millisecond
	// timeLimit is that of one picture. Compiling takes 2 s once, a new card half a second. Where the
	// system forbids making memory executable, a card takes 15 s.
	timeLimit = 2 * time.Minute
	// slow is the duration of a picture that is logged.
	slow = 20 * time.Second
	// maxTries is how often a picture is started that doesn't finish in time. Each time it finds the
	// cards that were rasterized before.
	maxTries = 3
	// retryDelay is how long a picture that failed isn't tried again.
	retryDelay = 10 * time.Minute
	// idleTime is how long resvg stays in memory without use.
	idleTime = time.Minute
)

// Service renders pictures in the background and keeps the finished ones.
type Service struct {
	log      *slog.Logger
	now      func() time.Time
	pictures *cache
	drawings *drawings
	render   func(context.Context, Picture) (png []byte, err error) // drawings.render

	mutex     sync.Mutex
	queue     []waiting
	current   string               // digest of the picture in progress
	failed    map[string]time.Time // when pictures failed, by digest
	lastStart time.Time
	loaded    bool // resvg may be in memory
	sawSlow   bool // a slow picture was logged
}

// Page is what a picture shows.
type Page struct {
	Path  string // a newer picture of the same page replaces a waiting one
	Owner string // id of its user, who has at most 10 waiting pictures
}

// waiting is a picture in the queue.
type waiting struct {
	digest string
	page   Page
	Picture
	tries int
}

// New returns a Service that keeps its files in a folder. It creates the folder when it first writes
// to it. The folder may be deleted at any time.
func New(dir string, log *slog.Logger, now func() time.Time) *Service {
	d := &drawings{
		rasterizer: resvg.New(filepath.Join(dir, "code"), log),
		cache:      newCache(filepath.Join(dir, "cards"), drawingBytes, log, now),
	}
	return &Service{
		log: log, now: now, failed: map[string]time.Time{},
		pictures: newCache(filepath.Join(dir, "pictures"), pictureBytes, log, now),
		drawings: d, render: d.render,
	}
}

// Get returns a finished picture as PNG. It never renders: a missing picture is nil and queued, and
// meanwhile callers show the Fallback. pending reports whether it was accepted into the queue.
func (s *Service) Get(page Page, p Picture) (png []byte, pending bool) {
	digest := p.Digest()
	png, ok := s.pictures.get(digest)
	if ok {
		return png, false
	}
	return nil, s.enqueue(waiting{digest: digest, page: page, Picture: p}, maxQueue/2)
}

// Start queues a picture that was shared, unless it is finished. It reports whether the picture is
// finished or will be.
func (s *Service) Start(page Page, p Picture) bool {
	digest := p.Digest()
	if _, ok := s.pictures.get(digest); ok {
		return true
	}
	return s.enqueue(waiting{digest: digest, page: page, Picture: p}, maxQueue)
}

// enqueue adds a picture to a queue that is shorter than a limit, or replaces the waiting one of its
// page. It reports whether the picture is in the queue or in progress.
func (s *Service) enqueue(w waiting, limit int) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.current == w.digest {
		return true
	}
	if s.hasFailed(w.digest) {
		return false
	}
	w.Cards = slices.Clone(w.Cards)
	owned := 0
	for i, q := range s.queue {
		if q.page == w.page {
			s.queue[i] = w
			return true
		}
		if q.page.Owner == w.page.Owner {
			owned++
		}
	}
	if len(s.queue) >= limit || owned >= maxPerOwner {
		return false
	}
	s.queue = append(s.queue, w)
	return true
}

// hasFailed reports whether a picture failed recently. The caller holds the mutex.
func (s *Service) hasFailed(digest string) bool {
	at, ok := s.failed[digest]
	if ok && s.now().Sub(at) >= retryDelay {
		delete(s.failed, digest)
		return false
	}
	return ok
}

// Job returns the job that renders queued pictures: one per round, with a pause after each, so at most
// two per second.
func (s *Service) Job() jobs.Job {
	return jobs.Job{Name: "preview pictures", Every: pace, Limit: timeLimit, Do: func(ctx context.Context) (int64, error) {
		return 0, s.renderNext(ctx)
	}}
}

// renderNext renders the next picture, if there is one.
func (s *Service) renderNext(ctx context.Context) error {
	w, ok := s.next()
	if !ok {
		return s.unloadIdle(ctx)
	}
	png, err := s.render(ctx, w.Picture)
	s.logSlow(ctx)
	if err == nil && !s.pictures.put(w.digest, png) {
		s.finish(w, false) // already logged
		return nil
	}
	if err != nil && ctx.Err() != nil && w.tries+1 < maxTries {
		s.putBack(w)
		return err
	}
	s.finish(w, err == nil)
	return err
}

// logSlow logs the first picture that took long.
func (s *Service) logSlow(ctx context.Context) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if took := s.now().Sub(s.lastStart); took >= slow && !s.sawSlow {
		s.sawSlow = true
		s.log.WarnContext(ctx, "a preview picture took long: does the system forbid executable memory (MemoryDenyWriteExecute)?", "duration", took)
	}
}

// next takes the next picture from the queue.
func (s *Service) next() (waiting, bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if len(s.queue) == 0 {
		return waiting{}, false
	}
	w := s.queue[0]
	s.queue = slices.Delete(s.queue, 0, 1)
	s.current, s.lastStart, s.loaded = w.digest, s.now(), true
	return w, true
}

// putBack returns an unfinished picture to the front of the queue.
func (s *Service) putBack(w waiting) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	w.tries++
	s.current = ""
	s.queue = slices.Insert(s.queue, 0, w)
}

// finish ends the work on a picture.
func (s *Service) finish(w waiting, done bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.current = ""
	if done {
		return
	}
	if len(s.failed) >= maxQueue {
		clear(s.failed) // rather try some again than remember all
	}
	s.failed[w.digest] = s.now()
}

// unloadIdle frees resvg's memory when there was nothing to render for a while.
func (s *Service) unloadIdle(ctx context.Context) error {
	s.mutex.Lock()
	idle := s.loaded && len(s.queue) == 0 && s.now().Sub(s.lastStart) >= idleTime
	if idle {
		s.loaded = false
	}
	s.mutex.Unlock()
	if !idle {
		return nil
	}
	return s.drawings.rasterizer.Unload(ctx)
}

// render renders a picture as PNG.
func (d *drawings) render(ctx context.Context, p Picture) (png []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	var avatar *image.RGBA
	if p.Kind == ProfilePage {
		avatar, err = d.avatar(ctx, p.Avatar)
		if err != nil {
			return nil, err
		}
	}
	cards := make([]*image.RGBA, len(p.shown()))
	for n, card := range p.shown() {
		cards[n], err = d.card(ctx, card.Item)
		if err != nil {
			return nil, fmt.Errorf("item %s: %w", card.Item.ID, err)
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return encode(compose(p, cards, avatar))
}

// fallback is rendered on first use.
var fallback = sync.OnceValue(func() []byte {
	png, err := encode(composeFallback())
	if err != nil {
		panic(err) // writing to memory never fails
	}
	return png
})

// Fallback returns the PNG for pages whose own picture isn't finished. Callers mustn't change it.
func Fallback() []byte { return fallback() }
