package imageproxy

import (
	"errors"
	"net/http"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
)

var (
	errNoPicture = apperr.Missing("Picture")
	errBusy      = apperr.New(apperr.Unavailable, "Too many pictures are loading. Please wait a moment.").After(fetchTimeout)
)

// requestTimeout is the deadline of a request: waiting for a slot, for the host, and for decoding.
const requestTimeout = 2*fetchTimeout + decodeTimeout

// Routes registers the route of images.
func (s *Service) Routes(api *httpapi.API) {
	api.File(httpapi.Get(httpapi.Public, path+"{id}", "get-picture", "A picture from another site, served by this server").WithTimeLimit(requestTimeout), "image/*", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := s.get(r.Context(), r.PathValue("id"))
		if errors.Is(err, db.ErrNoRow) {
			err = errNoPicture
		}
		if err != nil {
			api.Fail(w, r, err)
			return
		}
		httpcache.Immutable(w, r, http.DetectContentType(body), body)
	}))
}
