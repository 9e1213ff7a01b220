package integrationtest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/imageproxy"
)

// web is a fake internet with one host that has an image. It counts requests.
type web struct {
	asked atomic.Int64
	left  atomic.Int64 // canceled requests
	down  atomic.Bool
	slow  chan struct{} // URLs with "slow" aren't answered until it is closed
}

func (w *web) RoundTrip(r *http.Request) (*http.Response, error) {
	w.asked.Add(1)
	if strings.Contains(r.URL.Path, "slow") {
		select {
		case <-w.slow:
		case <-r.Context().Done():
			w.left.Add(1)
			return nil, r.Context().Err()
		}
	}
	if w.down.Load() {
		return nil, errors.New("no such host")
	}
	i := image.NewNRGBA(image.Rect(0, 0, 2, 2))
	i.Set(1, 1, color.White)
	var b bytes.Buffer
	err := png.Encode(&b, i)
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(&b), Request: r}, err
}

func each(t *testing.T, test func(t *testing.T, s *apptest.Server, w *web, clock *dbtest.Clock)) {
	t.Helper()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock, w := dbtest.NewClock(), &web{}
			test(t, apptest.Start(t, apptest.Config(t, engine, apptest.At(clock), apptest.Outbound(w))), w, clock)
		})
	}
}

// show sets a user's profile image and returns its path.
func show(t *testing.T, c *apptest.Client, address any) string {
	t.Helper()
	var user struct{ ProfileImageURL, Picture string }
	c.Call(t, http.MethodPatch, "/api/auth/user", map[string]any{"profileImageUrl": address}).Want(t, http.StatusOK, &user)
	if kept, _ := address.(string); user.ProfileImageURL != kept {
		t.Errorf("kept %q, want %q", user.ProfileImageURL, kept)
	}
	return user.Picture
}

const there = "https://pictures.example/me.png"

// Visitors request images from us; the image's host gets only our request, once.
func TestImagesAreProxied(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, w *web, _ *dbtest.Clock) {
		path := show(t, s.SignIn(t), there)
		if path != imageproxy.Path(imageproxy.Person, there) || !strings.HasPrefix(path, "/media/pictures/") || strings.Contains(path, "example") {
			t.Errorf("shown at %s", path)
		}
		if w.asked.Load() != 0 {
			t.Error("fetched before the first request")
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				got := s.NewClient(t).Get(t, path)
				if got.Status != http.StatusOK || got.Header.Get("Content-Type") != "image/png" || !strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
					t.Errorf("%d %v", got.Status, got.Header)
				}
			})
		}
		all.Wait()
		s.NewClient(t).Get(t, path).Want(t, http.StatusOK, nil)
		if n := w.asked.Load(); n != 1 {
			t.Errorf("its host got %d requests", n)
		}
		for _, unknown := range []string{"/media/pictures/0", imageproxy.Path(imageproxy.Thing, there), imageproxy.Path(imageproxy.Person, "https://other.example/")} {
			s.NewClient(t).Get(t, unknown).Refused(t, http.StatusNotFound, "not_found")
		}
		if n := w.asked.Load(); n != 1 {
			t.Error("an unregistered address was requested")
		}
	})
}

func TestFailedImageIsNotRetriedSoon(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, w *web, clock *dbtest.Clock) {
		path := show(t, s.SignIn(t), there)
		w.down.Store(true)
		for range 3 {
			s.NewClient(t).Get(t, path).Refused(t, http.StatusNotFound, "not_found")
		}
		if n := w.asked.Load(); n != 1 {
			t.Errorf("the host got %d requests", n)
		}
		w.down.Store(false)
		clock.Advance(10 * time.Minute)
		if got := s.NewClient(t).Get(t, path); got.Status != http.StatusOK {
			t.Errorf("later: %d %s", got.Status, got.Body)
		}
	})
}

// A fetch is canceled when the last caller leaves, and the next request starts another.
func TestFetchIsCanceledWithLastCaller(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, w *web, _ *dbtest.Clock) {
		w.slow = make(chan struct{})
		path := show(t, s.SignIn(t), "https://pictures.example/slow.png")
		ctx, leave := context.WithCancel(t.Context())
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.NewClient(t).Base+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		var asking sync.WaitGroup
		asking.Go(func() {
			if answer, err := http.DefaultClient.Do(request); err == nil {
				_ = answer.Body.Close()
				t.Errorf("answered %s", answer.Status)
			}
		})
		for w.asked.Load() == 0 && t.Context().Err() == nil {
			runtime.Gosched()
		}
		leave()
		asking.Wait()
		for w.left.Load() == 0 && t.Context().Err() == nil {
			runtime.Gosched()
		}
		close(w.slow)
		s.NewClient(t).Get(t, path).Want(t, http.StatusOK, nil)
	})
}

// Slow hosts don't block others, whether they are many or one with many images.
func TestSlowHostsDontBlockOthers(t *testing.T) {
	for name, c := range map[string]struct {
		address string
		asked   int64 // concurrently
	}{"many hosts": {"https://host-%d.example/slow.png", 16}, "one host": {"https://host.example/slow-%d.png", 4}} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, s *apptest.Server, w *web, _ *dbtest.Clock) {
				w.slow = make(chan struct{})
				var waiting sync.WaitGroup
				for n := range 16 {
					path := show(t, s.SignIn(t), fmt.Sprintf(c.address, n))
					waiting.Go(func() { s.NewClient(t).Get(t, path).Want(t, http.StatusOK, nil) })
				}
				for w.asked.Load() < c.asked && t.Context().Err() == nil {
					runtime.Gosched()
				}
				s.NewClient(t).Get(t, show(t, s.SignIn(t), there)).Want(t, http.StatusOK, nil)
				if n := w.asked.Load() - 1; n != c.asked {
					t.Errorf("%d concurrent fetches, want %d", n, c.asked)
				}
				close(w.slow)
				waiting.Wait()
			})
		})
	}
}

func TestImageIsDeletedWithLastUse(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, _ *web, _ *dbtest.Clock) {
		ann, ben := s.SignIn(t), s.SignIn(t)
		path := show(t, ann, there)
		show(t, ben, there)
		if none := show(t, ann, nil); none != "" {
			t.Errorf("without a picture: %q", none)
		}
		if got := ann.Get(t, path); got.Status != http.StatusOK {
			t.Errorf("the other's picture: %d", got.Status)
		}
		show(t, ben, "")
		ann.Get(t, path).Refused(t, http.StatusNotFound, "not_found")
	})
}

// Pages load images only from this server.
func TestPagesLoadOnlyOwnImages(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, _ *web, _ *dbtest.Clock) {
		policy := s.NewClient(t).Get(t, "/").Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "img-src 'self' data:;") || strings.Contains(policy, "https:") {
			t.Error(policy)
		}
	})
}
