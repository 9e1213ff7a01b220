package identity

import (
	"time"

	"kaibao/internal/imageproxy"
)

// PublicUser is what others may see of a user with a public profile. Load it whenever it is shown:
// a user can stop being public at any moment.
type PublicUser struct {
	ID, Tag         string // for lookups; never shown with the others
	Handle          string
	FirstName       string // empty = none
	ProfileImageURL string
	Language        string // of the profile's preview picture: en or zh
	CreatedAt       time.Time
}

// Picture returns the path of the user's picture, or an empty string for the generated one.
func (u PublicUser) Picture() string { return imageproxy.Path(imageproxy.Person, u.ProfileImageURL) }
