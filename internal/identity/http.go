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

	Handle             string   `json:"handle" doc:"The name of your public profile; empty without one."`
	HandleChangeableAt string   `json:"handleChangeableAt,omitempty" format:"date-time" doc:"When you can take another handle; absent if you can now."`
	HandleAllowed      bool     `json:"handleAllowed" doc:"Whether you can have a handle, because you topped up or opened a pack."`
	Public             bool     `json:"public" doc:"Whether your profile is switched on."`
	Language           string   `json:"language,omitempty" enum:"en,zh" doc:"Of your public profile's preview picture."`
	PagesHidden        bool     `json:"pagesHidden" doc:"An admin hides your profile and your pull pages."`
	Showcase           []string `json:"showcase" nullable:"false" doc:"The ids of the entries on your profile."`

	ProfileLockReason string      `json:"profileLockReason,omitempty" doc:"Why you can't change your name and picture; absent if you can."`
	Frozen            *FreezeView `json:"frozen,omitempty" doc:"Present while your account is frozen: you can read everything, but do nothing."`
}

// FreezeView is a freeze as its user sees it.
type FreezeView struct {
	Reason string `json:"reason"`
	Since  string `json:"since" format:"date-time"`
}

// loadProfile returns a user's own view of their profile.
func (s *Service) loadProfile(tx *db.Tx, u User) (p Profile, err error) {
	p = newProfile(u)
	if at := u.handleChangeableAt(tx.Now); !at.IsZero() {
		p.HandleChangeableAt = httpapi.Timestamp(at)
	}
	if s.HandleAllowed != nil {
		p.HandleAllowed, err = s.HandleAllowed(tx, u.ID)
	}
	if err == nil && s.Showcase != nil {
		p.Showcase, err = s.Showcase(tx, u.ID)
	}
	if err != nil {
		return p, err
	}
	p.Frozen, err = CurrentFreezeView(tx, u.ID)
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
		Handle: u.Handle, Public: u.IsPublic, Language: u.PublicLanguage, PagesHidden: u.PagesHidden, Showcase: []string{},
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

		Handle   httpapi.NullableUpdate[string] `json:"handle,omitempty" doc:"The name of the caller's public profile: 3 to 20 of a-z, 0-9 and single hyphens. Empty or null gives it up and switches the profile off."`
		Public   *bool                          `json:"public,omitempty" doc:"Whether the caller's profile is public. It needs a handle."`
		Language string                         `json:"language,omitempty" enum:"en,zh" doc:"With public: the language of the profile's preview picture. English at first."`
		Showcase *[]httpapi.ID                  `json:"showcase,omitempty" maxItems:"12" doc:"The entries on the caller's profile, in this order."`
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
				p, err = s.loadProfile(tx, u)
				return err
			})
			return p, err
		})
	httpapi.JSON(api, httpapi.Patch(httpapi.Session, "/api/auth/user", "update-user", "Change the caller's name, picture, handle, public profile, or whether they get gifts",
		apperr.HandleTaken, apperr.HandleNotAllowed, apperr.HandleTooSoon), s.updateProfile)
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
		u, err := s.applyUpdate(tx, httpapi.Caller(ctx).UserID, in)
		if err != nil {
			return err
		}
		p, err = s.loadProfile(tx, u)
		return err
	})
	if err == nil {
		s.ProfileChanged()
		if p.Public && in.showsMore() && s.ProfileShown != nil {
			s.ProfileShown(ctx, p.Handle)
		}
	}
	return p, err
}

// showsMore reports whether the update can change what the caller's profile shows.
func (in *profileInput) showsMore() bool {
	return in.Body.Handle.Given || in.Body.Public != nil || in.Body.Showcase != nil
}

// applyUpdate changes a user's profile and returns the user afterwards.
func (s *Service) applyUpdate(tx *db.Tx, user string, in *profileInput) (u User, err error) {
	if in.Body.FirstName.Given || in.Body.Handle.Given {
		if err := LockHandles(tx); err != nil {
			return u, err
		}
	}
	u, err = lockProfile(tx, user)
	if err != nil {
		return u, err
	}
	if !u.DeletedAt.IsZero() {
		return u, httpapi.ErrUnauthenticated
	}
	if u.ProfileLockReason != "" && in.changesLocked() {
		return u, errProfileLocked.WithDetails(ProfileLock{u.ProfileLockReason})
	}
	previous := u
	if err := errors.Join(applyText(&u.FirstName, in.Body.FirstName, checkName), applyText(&u.ProfileImageURL, in.Body.ProfileImageURL, checkImageURL)); err != nil {
		return u, err
	}
	if u.FirstName != previous.FirstName {
		if err := checkNotHandle(tx, u.FirstName, u.ID); err != nil {
			return u, err
		}
	}
	if in.Body.AcceptsGifts != nil {
		u.GiftsOff = !*in.Body.AcceptsGifts
	}
	if err := s.updateShowing(tx, &u, in); err != nil {
		return u, err
	}
	if err := errors.Join(updateProfile(tx, u), replacePicture(tx, u, previous.ProfileImageURL)); err != nil {
		return u, err
	}
	if in.Body.Showcase != nil && s.SaveShowcase != nil {
		err = s.SaveShowcase(tx, u.ID, httpapi.IDStrings(*in.Body.Showcase))
	}
	return u, err
}

// handle returns the handle that the caller wants; empty gives it up.
func (in *profileInput) handle() string {
	if in.Body.Handle.Value == nil {
		return ""
	}
	return *in.Body.Handle.Value
}

// changesLocked reports whether the update changes what an admin can lock. Giving up a handle is
// always possible.
func (in *profileInput) changesLocked() bool {
	return in.Body.FirstName.Given || in.Body.ProfileImageURL.Given || in.handle() != ""
}

// updateShowing changes a user's handle and whether the user is public.
func (s *Service) updateShowing(tx *db.Tx, u *User, in *profileInput) (err error) {
	switch {
	case in.handle() != "":
		err = s.takeHandle(tx, u, in.handle())
	case in.Body.Handle.Given:
		err = s.giveUpHandle(tx, u)
	}
	if err == nil && in.Body.Public != nil {
		err = u.setPublic(*in.Body.Public, in.Body.Language)
	}
	return err
}

// ProfileLock is the detail of errProfileLocked.
type ProfileLock struct {
	Reason string `json:"reason"`
}

var errProfileLocked = apperr.New(apperr.Forbidden, "You can't change your name, picture or handle, because an admin locked them.")

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
