package integrationtest_test

import (
	"bytes"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/preview"
)

// picture requests a picture, which must be one of the right size.
func picture(t *testing.T, c *apptest.Client, path string, headers ...string) apptest.Answer {
	t.Helper()
	answer := c.Get(t, path, headers...)
	if answer.Status == http.StatusNotModified {
		return answer
	}
	size, err := png.DecodeConfig(bytes.NewReader(answer.Body))
	if err != nil || size.Width != 1200 || size.Height != 630 || answer.Header.Get("Content-Type") != "image/png" || answer.Header.Get("Cache-Control") != "no-cache" {
		t.Fatalf("%s: status %d, %v, %d x %d, %v", path, answer.Status, answer.Header, size.Width, size.Height, err)
	}
	return answer
}

// Sharing renders the picture of a pull page, and showcasing that of a profile. Until it is finished, and
// never after the page was switched off, visitors get a plain one.
func TestPicturesFollowTheirPages(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			s := apptest.Start(t, apptest.Config(t, engine, apptest.RenderPreviews))
			ann, visitor := newUser(t, s), s.NewClient(t)
			open := ann.open(t)
			pull := "/media/previews/pull/" + open.OpenID + ".png"
			for _, path := range []string{pull, "/media/previews/pull/" + open.OpenID, "/media/previews/pull/" + open.OpenID + ".jpg", "/media/previews/pull/.png",
				"/media/previews/pull/demo.png", "/media/previews/u/ann.png", "/media/previews/u/.png"} {
				visitor.Get(t, path).Refused(t, http.StatusNotFound, "not_found")
			}
			var sharing struct{ PreviewURL string }
			ann.share(t, open.OpenID, apptest.Body{"shared": true}).Want(t, http.StatusOK, &sharing)
			if page := apptest.Get[pullPage](t, visitor, "/api/pulls/"+open.OpenID); page.PreviewURL != sharing.PreviewURL || !strings.HasPrefix(page.PreviewURL, pull+"?v=") {
				t.Errorf("the page's picture is %q, sharing answers %q", page.PreviewURL, sharing.PreviewURL)
			}
			picture(t, visitor, sharing.PreviewURL)
			isFallback := func(path string) bool { return bytes.Equal(picture(t, visitor, path).Body, preview.Fallback()) }
			apptest.Until(t, "the picture is finished", func() bool { return !isFallback(sharing.PreviewURL) })
			finished := picture(t, visitor, pull)
			if again := picture(t, visitor, pull, "If-None-Match", finished.Header.Get("ETag")); again.Status != http.StatusNotModified {
				t.Errorf("the same picture again: status %d", again.Status)
			}

			ann.share(t, open.OpenID, apptest.Body{"shared": false}).Want(t, http.StatusOK, nil)
			visitor.Get(t, pull, "If-None-Match", finished.Header.Get("ETag")).Refused(t, http.StatusNotFound, "not_found")
			visitor.Get(t, sharing.PreviewURL).Refused(t, http.StatusNotFound, "not_found")
			ann.share(t, open.OpenID, apptest.Body{"shared": true}).Want(t, http.StatusOK, nil)
			if isFallback(pull) {
				t.Error("a picture isn't kept while its page is off")
			}
			english := sharing.PreviewURL
			ann.share(t, open.OpenID, apptest.Body{"shared": true, "language": "zh"}).Want(t, http.StatusOK, &sharing)
			if sharing.PreviewURL == english {
				t.Error("the picture in another language has the same address")
			}

			ann.publish(t, "ann-of-oz")
			profile := apptest.Get[profilePage](t, visitor, "/api/profiles/ann-of-oz").PreviewURL
			picture(t, visitor, profile)
			apptest.Until(t, "the profile's picture is finished", func() bool { return !isFallback(profile) })
			ann.showcase(t, open.Items[0].InventoryID).Want(t, http.StatusOK, nil)
			other := apptest.Get[profilePage](t, visitor, "/api/profiles/ann-of-oz").PreviewURL
			if other == profile || !strings.HasPrefix(other, "/media/previews/u/ann-of-oz.png?v=") {
				t.Errorf("with another showcase, the picture has the address %q, before %q", other, profile)
			}
			ann.Call(t, http.MethodPatch, "/api/auth/user", apptest.Body{"public": false}).Want(t, http.StatusOK, nil)
			visitor.Get(t, other).Refused(t, http.StatusNotFound, "not_found")
		})
	}
}

// However many requests there are, a node starts at most two pictures per second, and each only once.
func TestFloodOfPictureRequests(t *testing.T) {
	s := apptest.Start(t, apptest.Config(t, dbtest.Engines()[0], apptest.RenderPreviews))
	ann, visitor := newUser(t, s), s.NewClient(t)
	const pictures = 4
	began := time.Now()
	paths := make([]string, pictures)
	for i := range paths {
		open := ann.open(t)
		ann.share(t, open.OpenID, apptest.Body{"shared": true}).Want(t, http.StatusOK, nil)
		paths[i] = "/media/previews/pull/" + open.OpenID + ".png"
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for _, path := range paths {
				apptest.Until(t, "the picture is finished", func() bool {
					answer, err := visitor.Try(t.Context(), http.MethodGet, path, nil)
					if err != nil || answer.Status != http.StatusOK {
						t.Errorf("%s: %d, %v", path, answer.Status, err)
						return true
					}
					return !bytes.Equal(answer.Body, preview.Fallback())
				})
			}
		})
	}
	all.Wait()
	if took := time.Since(began); took < (pictures-1)*time.Second/2 {
		t.Errorf("%d pictures were started within %s", pictures, took)
	}
	files, err := os.ReadDir(filepath.Join(s.Config.Data, "cache", "previews", "pictures"))
	if err != nil || len(files) != pictures {
		t.Errorf("%d pictures were rendered, want %d: %v", len(files), pictures, err)
	}
}
