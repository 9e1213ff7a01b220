package imageproxy

import (
	"errors"
	"net/http"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
)

var (
	errNone = apperr.Missing("Picture")
	errBusy = apperr.New(apperr.Unavailable, "Too many pictures are being fetched. Please wait a moment.").After(patience)
)

// answeredIn is how long a picture is waited for: for a place, for its host, and for
// being drawn and kept.
const answeredIn = 2*patience + drawnIn

// Routes registers where pictures are shown.
func (s *Service) Routes(k *httpkit.Kit) {
	k.File(httpkit.Get(httpkit.Public, path+"{id}", "get-picture", "A picture from elsewhere, shown through this server").Within(answeredIn), "image/*", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := s.get(r.Context(), r.PathValue("id"))
		if errors.Is(err, db.ErrNoRow) {
			err = errNone
		}
		if err != nil {
			k.Fail(w, r, err)
			return
		}
		httpkit.Immutable(w, r, http.DetectContentType(body), body)
	}))
}
