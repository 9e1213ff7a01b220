package identity

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/imageproxy"
	"kaibao/internal/policy"
)

// Profile is a user's own view of their profile.
type Profile struct {
	ID              string `json:"id"`
	WalletAddress   string `json:"walletAddress"`
	WalletType      string `json:"walletType" enum:"solana"`
	Role            string `json:"role" enum:"user,admin"`
	FirstName       string `json:"firstName"`
	LastName        string `json:"lastName"`
	Email           string `json:"email"`
	ProfileImageURL string `json:"profileImageUrl" doc:"URL of your picture; empty for the generated one."`
	Picture         string `json:"picture" doc:"Where this server serves your picture."`
	UserTag         string `json:"userTag" doc:"Your pseudonym in the public log."`
	UserTagSalt     string `json:"userTagSalt" doc:"Together with your address it yields userTag. Only you see it."`
	DeletionDueAt   string `json:"deletionDueAt,omitempty" doc:"When your account will be deleted; absent unless you asked for it."`

	AcceptsGifts bool `json:"acceptsGifts" doc:"Whether the user gets gifts. Givers aren't told."`

	ProfileLockReason string      `json:"profileLockReason,omitempty" doc:"Why you can't change your name and picture; absent if you can."`
	Frozen            *FreezeView `json:"frozen,omitempty" doc:"Present while your account is frozen: you can read everything, but do nothing."`
}

// FreezeView is a freeze as its user sees it.
type FreezeView struct {
	Reason string `json:"reason"`
	Since  string `json:"since" format:"date-time"`
}

// loadProfile returns a user's own view of their profile.
func loadProfile(tx *db.Tx, u User) (Profile, error) {
	p := newProfile(u)
	frozen, err := CurrentFreezeView(tx, u.ID)
	p.Frozen = frozen
	return p, err
}

// CurrentFreezeView returns the freeze of a user's account, or nil if it isn't frozen.
func CurrentFreezeView(tx *db.Tx, user string) (*FreezeView, error) {
	frozen, err := CurrentFreeze(tx, user)
	if err != nil || frozen == nil {
		return nil, err
	}
	return &FreezeView{frozen.Reason, httpapi.Timestamp(frozen.Since)}, nil
}

func newProfile(u User) Profile {
	due := ""
	if !u.Deletion.DueAt.IsZero() {
		due = httpapi.Timestamp(u.Deletion.DueAt)
	}
	return Profile{
		DeletionDueAt: due,
		ID:            u.ID, WalletAddress: u.Address, WalletType: "solana", Role: u.Role, FirstName: u.FirstName,
		ProfileImageURL: u.ProfileImageURL, Picture: u.Picture(), UserTag: u.Tag, UserTagSalt: hex.EncodeToString(u.TagSalt[:]),
		AcceptsGifts: !u.GiftsOff, ProfileLockReason: u.ProfileLockReason,
	}
}

type challengeInput struct {
	Body struct {
		Address string `json:"address"`
	}
}

type challengeOutput struct {
	SetCookie http.Cookie `header:"Set-Cookie"`
	Body      struct {
		Input   SignInInput `json:"input"`
		Message string      `json:"message" doc:"The exact text to sign."`
	}
}

type verifyInput struct {
	Body struct {
		Address       string `json:"address"`
		Signature     string `json:"signature" doc:"Base58 of 64 bytes."`
		SignedMessage []byte `json:"signedMessage,omitempty" doc:"What the wallet says it signed, in base64."`
		ConfirmedAge  int64  `json:"confirmedAge,omitempty" minimum:"1" maximum:"120" doc:"The minimum age that the user confirms, if the rules require one."`
		Guardian      bool   `json:"guardianConsents,omitempty" doc:"A guardian consents, if the rules require it."`
	}
}

type verifyOutput struct {
	SetCookie []http.Cookie `header:"Set-Cookie"`
	Body      struct {
		User Profile `json:"user"`
	}
}

type logoutOutput struct {
	SetCookie http.Cookie `header:"Set-Cookie"`
}

type profileInput struct {
	Body struct {
		FirstName       httpapi.NullableUpdate[string] `json:"firstName,omitempty" doc:"A visible name; null removes it. Omitted fields don't change."`
		ProfileImageURL httpapi.NullableUpdate[string] `json:"profileImageUrl,omitempty" doc:"A short https URL; empty or null for the generated picture."`
		AcceptsGifts    *bool                          `json:"acceptsGifts,omitempty" doc:"Whether the caller gets gifts. Givers aren't told."`
	}
}

// Routes registers signing in and out, and the caller's profile.
func (s *Service) Routes(api *httpapi.API) {
	adminRoutes(api)
	httpapi.Handle(api, httpapi.Post(httpapi.Public, "/api/auth/challenge", "challenge", "Get a message for a wallet to sign").WithRate(httpapi.SignIns),
		func(ctx context.Context, in *challengeInput) (*challengeOutput, error) {
			m, cookie, err := s.challenge(ctx, in.Body.Address)
			out := &challengeOutput{SetCookie: api.SetCookie(httpapi.ChallengeCookie, cookie, challengeCookieLife)}
			out.Body.Input, out.Body.Message = m.Input(), m.Text()
			return out, err
		})
	httpapi.Handle(api, httpapi.Post(httpapi.Public, "/api/auth/verify", "verify", "Sign in with the signed message", apperr.BadSignature, apperr.NoCookie, apperr.AgeUnconfirmed).WithRate(httpapi.SignIns),
		func(ctx context.Context, in *verifyInput) (*verifyOutput, error) {
			p, token, err := s.verify(ctx, signInAttempt{
				challenge: api.Cookie(ctx, httpapi.ChallengeCookie), session: api.Cookie(ctx, httpapi.SessionCookie),
				address: in.Body.Address, signature: in.Body.Signature, signed: in.Body.SignedMessage,
				age: in.Body.ConfirmedAge, guardian: in.Body.Guardian,
			})
			out := &verifyOutput{SetCookie: []http.Cookie{
				api.SetCookie(httpapi.SessionCookie, token, s.SessionLife), api.SetCookie(httpapi.ChallengeCookie, "", 0),
			}}
			out.Body.User = p
			httpapi.LogUser(ctx, p.ID)
			return out, err
		})
	logout := httpapi.Post(httpapi.Public, "/api/auth/logout", "logout", "Sign out")
	httpapi.Handle(api, logout.WithRate(httpapi.SignIns).WithStatus(http.StatusNoContent), func(ctx context.Context, _ *struct{}) (*logoutOutput, error) {
		token := api.Cookie(ctx, httpapi.SessionCookie)
		err := s.DB.InTx(ctx, func(tx *db.Tx) error { return deleteSession(tx, hash(token)) })
		return &logoutOutput{SetCookie: api.SetCookie(httpapi.SessionCookie, "", 0)}, err
	})
	httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/auth/user", "get-user", "The caller's profile"),
		func(ctx context.Context, _ *struct{}) (p Profile, err error) {
			err = s.DB.Read(ctx, func(tx *db.Tx) error {
				u, err := ByID(tx, httpapi.Caller(ctx).UserID)
				if err != nil {
					return err
				}
				p, err = loadProfile(tx, u)
				return err
			})
			return p, err
		})
	httpapi.JSON(api, httpapi.Patch(httpapi.Session, "/api/auth/user", "update-user", "Change the caller's name or picture, or whether they get gifts"), s.updateProfile)
}

// applyText applies an update of a text to field: null empties it; check returns another text as it
// is stored, or why it is refused.
func applyText(field *string, update httpapi.NullableUpdate[string], check func(string) (string, error)) (err error) {
	switch {
	case update.Value != nil:
		*field, err = check(*update.Value)
	case update.Given:
		*field = ""
	}
	return err
}

func (s *Service) updateProfile(ctx context.Context, in *profileInput) (p Profile, err error) {
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		u, err := lockProfile(tx, httpapi.Caller(ctx).UserID)
		if err != nil {
			return err
		}
		if u.ProfileLockReason != "" && (in.Body.FirstName.Given || in.Body.ProfileImageURL.Given) {
			return errProfileLocked.WithDetails(ProfileLock{u.ProfileLockReason})
		}
		previousPicture := u.ProfileImageURL
		if err := errors.Join(applyText(&u.FirstName, in.Body.FirstName, checkName), applyText(&u.ProfileImageURL, in.Body.ProfileImageURL, checkImageURL)); err != nil {
			return err
		}
		if in.Body.AcceptsGifts != nil {
			u.GiftsOff = !*in.Body.AcceptsGifts
		}
		p = newProfile(u)
		return errors.Join(updateProfile(tx, u), replacePicture(tx, u, previousPicture))
	})
	if err == nil {
		s.ProfileChanged()
	}
	return p, err
}

// ProfileLock is the detail of errProfileLocked.
type ProfileLock struct {
	Reason string `json:"reason"`
}

var errProfileLocked = apperr.New(apperr.Forbidden, "You can't change your name or picture, because an admin removed them.")

// replacePicture registers a user's new picture and deletes the previous one unless another user
// shows it.
func replacePicture(tx *db.Tx, u User, previous string) error {
	if u.ProfileImageURL == previous {
		return nil
	}
	if err := removePicture(tx, u, previous); err != nil || u.ProfileImageURL == "" {
		return err
	}
	within, err := countPicture(tx, u.ID)
	if err == nil && !within {
		err = errTooManyPictures
	}
	if err != nil {
		return err
	}
	return imageproxy.Register(tx, imageproxy.Person, u.ProfileImageURL)
}

// removePicture deletes a user's previous picture unless another user shows it. The lock serializes
// it with users who choose the same picture.
func removePicture(tx *db.Tx, u User, previous string) error {
	if err := imageproxy.Lock(tx, imageproxy.Person, previous); err != nil {
		return err
	}
	shared, err := shownByOthers(tx, previous, u.ID)
	if err != nil || shared {
		return err
	}
	return imageproxy.Delete(tx, imageproxy.Person, previous)
}

var errTooManyPictures = apperr.New(apperr.RateLimited, fmt.Sprintf("You have changed your picture %d times within %d hours. Please try again later.",
	policy.MaxPictures, int(policy.PicturesWithin.Hours()))).After(time.Hour)

// checkImageURL accepts an https URL, or an empty text for the generated avatar.
func checkImageURL(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || len(text) > policy.MaxPortraitURLLength {
		return "", apperr.InvalidField("profileImageUrl", fmt.Sprintf("must be an https address of at most %d characters", policy.MaxPortraitURLLength))
	}
	return text, nil
}
