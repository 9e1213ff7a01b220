package inapp_test

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

// web is an internet with one host that has a picture, and counts who asks.
type web struct {
	asked atomic.Int64
	left  atomic.Int64 // who asked and left without an answer
	down  atomic.Bool
	slow  chan struct{} // until it is closed, addresses with "slow" are not answered
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
			test(t, apptest.Start(t, apptest.Config(t, engine, apptest.At(clock), apptest.Outside(w))), w, clock)
		})
	}
}

// show gives somebody a picture and says where it is shown.
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

// Whoever looks at a stranger's picture asks us, and its host hears of us alone, once.
func TestPicturesComeThroughUs(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, w *web, _ *dbtest.Clock) {
		path := show(t, s.SignIn(t), there)
		if path != imageproxy.Path(imageproxy.Person, there) || !strings.HasPrefix(path, "/media/pictures/") || strings.Contains(path, "example") {
			t.Errorf("shown at %s", path)
		}
		if w.asked.Load() != 0 {
			t.Error("fetched before anybody looked")
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
			t.Errorf("its host was asked %d times", n)
		}
		for _, unknown := range []string{"/media/pictures/0", imageproxy.Path(imageproxy.Thing, there), imageproxy.Path(imageproxy.Person, "https://other.example/")} {
			s.NewClient(t).Get(t, unknown).Refused(t, http.StatusNotFound, "not_found")
		}
		if n := w.asked.Load(); n != 1 {
			t.Error("an address that nobody registered was asked for")
		}
	})
}

func TestAHostWithoutThePictureIsLeftAlone(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, w *web, clock *dbtest.Clock) {
		path := show(t, s.SignIn(t), there)
		w.down.Store(true)
		for range 3 {
			s.NewClient(t).Get(t, path).Refused(t, http.StatusNotFound, "not_found")
		}
		if n := w.asked.Load(); n != 1 {
			t.Errorf("asked %d times", n)
		}
		w.down.Store(false)
		clock.Advance(10 * time.Minute)
		if got := s.NewClient(t).Get(t, path); got.Status != http.StatusOK {
			t.Errorf("later: %d %s", got.Status, got.Body)
		}
	})
}

// Work on a picture ends with the last of those who wait for it, and the next one to
// ask gets it.
func TestAPictureNobodyWaitsForIsAbandoned(t *testing.T) {
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

// Hosts that take all the time they have hold up no other: neither many of them, nor
// one of which many pictures are asked for.
func TestSlowHostsHoldUpNobody(t *testing.T) {
	for name, c := range map[string]struct {
		address string
		asked   int64 // at the same time
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
					t.Errorf("%d pictures are asked for at the same time, want %d", n, c.asked)
				}
				close(w.slow)
				waiting.Wait()
			})
		})
	}
}

func TestAPictureGoesWithTheLastWhoShowsIt(t *testing.T) {
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

// No page takes a picture from anywhere but from here.
func TestPagesAskNoForeignHost(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, _ *web, _ *dbtest.Clock) {
		policy := s.NewClient(t).Get(t, "/").Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "img-src 'self' data:;") || strings.Contains(policy, "https:") {
			t.Error(policy)
		}
	})
}
