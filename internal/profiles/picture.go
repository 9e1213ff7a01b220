package profiles

import (
	"context"
	"net/http"
	"strings"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/jobs"
	"kaibao/internal/preview"
	"kaibao/internal/sets"
)

// Jobs returns the job that renders pictures, unless all are plain.
func Jobs(pictures *preview.Service) []jobs.Job {
	if pictures == nil {
		return []jobs.Job{}
	}
	return []jobs.Job{pictures.Job()}
}

// Folders of the pictures. A picture's file is named by the open's id or the handle.
const (
	pullPictures    = "/media/previews/pull/"
	profilePictures = "/media/previews/u/"
	pictureType     = ".png"
)

// versionDigits is how many digits of a picture's digest its address has, so that sites that show an older
// picture request the new one.
const versionDigits = 16

func pullPath(open string, p preview.Picture) string {
	return pullPictures + open + pictureType + "?v=" + p.Digest()[:versionDigits]
}

func profilePath(p profile) string {
	return profilePictures + p.user.Handle + pictureType + "?v=" + p.picture().Digest()[:versionDigits]
}

func (p pull) page() preview.Page { return preview.Page{Path: "/pull/" + p.id, Owner: p.owner} }
func (p profile) page() preview.Page {
	return preview.Page{Path: "/u/" + p.user.Handle, Owner: p.user.ID}
}

// picture returns the picture of the pull's page.
func (p pull) picture() preview.Picture {
	picture := preview.Picture{
		Kind: preview.PullPage, Language: preview.Language(p.language), Cards: cards(p.items), Pack: p.pack.Name, PackZh: p.pack.NameZH, Value: p.total,
	}
	if p.player != nil {
		picture.Handle = p.player.Handle
	}
	return picture
}

// picture returns the picture of the profile: of its showcase or, without one, of its best pulls.
func (p profile) picture() preview.Picture {
	shown := p.showcase
	if len(shown) == 0 {
		for _, b := range p.bestPulls {
			shown = append(shown, b.shownItem)
		}
	}
	picture := preview.Picture{
		Kind: preview.ProfilePage, Language: preview.Language(p.user.Language), Handle: p.user.Handle, Avatar: p.user.Handle, Cards: cards(shown), Showcased: len(p.showcase), MemberSince: p.memberSince(),
	}
	for _, s := range p.sets {
		if s.Owned == s.Cards {
			picture.CompleteSets++
		}
	}
	return picture
}

func cards(items []shownItem) []preview.Card {
	cards := make([]preview.Card, len(items))
	for n, i := range items {
		cards[n] = preview.Card{Item: i.item.Drawing(), Value: i.value}
	}
	return cards
}

func (s *Service) pictureRoutes(api *httpapi.API) {
	s.servePictures(api, httpapi.Get(httpapi.Public, pullPictures+"{file}", "get-pull-picture", "The picture of a pull page for other sites: the open's id and .png"),
		func(_ context.Context, tx *db.Tx, _ sets.Directory, open string) (preview.Page, preview.Picture, error) {
			p, err := loadPull(tx, open)
			return p.page(), p.picture(), err
		})
	s.servePictures(api, httpapi.Get(httpapi.Public, profilePictures+"{file}", "get-profile-picture", "The picture of a profile for other sites: the handle and .png"),
		func(ctx context.Context, tx *db.Tx, all sets.Directory, handle string) (preview.Page, preview.Picture, error) {
			p, err := s.loadProfile(ctx, tx, all, handle)
			return p.page(), p.picture(), err
		})
}

// servePictures registers a route of pictures. load checks whether the page is visible at this moment. A
// picture that isn't finished is replaced by a plain one.
func (s *Service) servePictures(api *httpapi.API, route httpapi.Route, load func(context.Context, *db.Tx, sets.Directory, string) (preview.Page, preview.Picture, error)) {
	api.File(route, "image/png", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := r.Context()
		name, ok := strings.CutSuffix(r.PathValue("file"), pictureType)
		if !ok || !db.IsID(name) {
			api.Fail(w, r, errNoPicture)
			return
		}
		all, err := s.Sets.All(ctx)
		var page preview.Page
		var picture preview.Picture
		if err == nil {
			err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
				page, picture, err = load(ctx, tx, all, name)
				return err
			})
		}
		if err != nil {
			api.Fail(w, r, err)
			return
		}
		png, pending := s.png(page, picture)
		if pending {
			w.Header().Set("Retry-After", "1") // our page then asks again
		}
		httpcache.Current(w, r, "image/png", png)
	}))
}

// png returns a picture if it is finished, otherwise a plain one and whether it is pending. Without a
// renderer all pictures are plain.
func (s *Service) png(page preview.Page, p preview.Picture) (png []byte, pending bool) {
	if s.Pictures != nil {
		png, pending = s.Pictures.Get(page, p)
	}
	if png == nil {
		png = preview.Fallback()
	}
	return png, pending
}

// start queues a picture. If the queue is full, the first request for the picture tries again.
func (s *Service) start(page preview.Page, p preview.Picture) {
	if s.Pictures != nil {
		s.Pictures.Start(page, p)
	}
}

// StartPicture queues the picture of a profile, if its user is public. Call it after the commit that changed
// the profile. If it fails, the first request for the picture queues it.
func (s *Service) StartPicture(ctx context.Context, handle string) {
	all, err := s.Sets.All(ctx)
	if err != nil {
		return
	}
	var p profile
	err = s.DB.Read(ctx, func(tx *db.Tx) (err error) {
		p, err = s.loadProfile(ctx, tx, all, handle)
		return err
	})
	if err == nil {
		s.start(p.page(), p.picture())
	}
}
