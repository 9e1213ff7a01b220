package identity

import (
	"context"
	"encoding/hex"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
)

// Profile is a user as the contract writes it, for the user alone.
type Profile struct {
	ID              string `json:"id"`
	WalletAddress   string `json:"walletAddress"`
	WalletType      string `json:"walletType" enum:"solana"`
	Role            string `json:"role" enum:"user,admin"`
	FirstName       string `json:"firstName"`
	LastName        string `json:"lastName"`
	Email           string `json:"email"`
	ProfileImageURL string `json:"profileImageUrl"`
	UserTag         string `json:"userTag" doc:"Your pseudonym in the public log."`
	UserTagSalt     string `json:"userTagSalt" doc:"With your address it gives userTag; nobody else is told."`
}

func profile(u User) Profile {
	return Profile{
		ID: u.ID, WalletAddress: u.Address, WalletType: "solana", Role: u.Role, FirstName: u.FirstName,
		ProfileImageURL: u.ProfileImageURL, UserTag: u.Tag, UserTagSalt: hex.EncodeToString(u.TagSalt[:]),
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
		SignedMessage []byte `json:"signedMessage,omitempty" doc:"Base64 of what the wallet says it signed."`
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
		FirstName       *string `json:"firstName,omitempty"`
		ProfileImageURL *string `json:"profileImageUrl,omitempty"`
	}
}

// Routes registers signing in and out, and the caller's profile.
func (s *Service) Routes(k *httpkit.Kit) {
	httpkit.Handle(k, httpkit.Public, httpkit.Post("/api/auth/challenge", "challenge", "A message for a wallet to sign"),
		func(ctx context.Context, in *challengeInput) (*challengeOutput, error) {
			m, cookie, err := s.challenge(ctx, in.Body.Address)
			out := &challengeOutput{SetCookie: k.SetCookie(httpkit.ChallengeCookie, cookie, challengeLife)}
			out.Body.Input, out.Body.Message = m.Input(), m.Text()
			return out, err
		})
	httpkit.Handle(k, httpkit.Public, httpkit.Post("/api/auth/verify", "verify", "Sign in with the signed message"),
		func(ctx context.Context, in *verifyInput) (*verifyOutput, error) {
			u, token, err := s.verify(ctx, attempt{
				challenge: k.Cookie(ctx, httpkit.ChallengeCookie), session: k.Cookie(ctx, httpkit.SessionCookie),
				address: in.Body.Address, signature: in.Body.Signature, signed: in.Body.SignedMessage,
			})
			out := &verifyOutput{SetCookie: []http.Cookie{
				k.SetCookie(httpkit.SessionCookie, token, sessionLife), k.SetCookie(httpkit.ChallengeCookie, "", 0),
			}}
			out.Body.User = profile(u)
			return out, err
		})
	logout := httpkit.Post("/api/auth/logout", "logout", "End the session")
	logout.DefaultStatus = http.StatusNoContent
	httpkit.Handle(k, httpkit.Public, logout, func(ctx context.Context, _ *struct{}) (*logoutOutput, error) {
		token := k.Cookie(ctx, httpkit.SessionCookie)
		err := s.DB.InTx(ctx, func(tx *db.Tx) error { return deleteSession(tx, hash(token)) })
		return &logoutOutput{SetCookie: k.SetCookie(httpkit.SessionCookie, "", 0)}, err
	})
	httpkit.JSON(k, httpkit.Session, httpkit.Get("/api/auth/user", "get-user", "The caller"),
		func(ctx context.Context, _ *struct{}) (p Profile, err error) {
			err = s.DB.Read(ctx, func(tx *db.Tx) error {
				u, err := ByID(tx, httpkit.Caller(ctx).UserID)
				p = profile(u)
				return err
			})
			return p, err
		})
	httpkit.JSON(k, httpkit.Session, huma.Operation{
		Method: http.MethodPatch, Path: "/api/auth/user", OperationID: "update-user", Summary: "Change the caller's name or picture",
	}, s.updateProfile)
}

func (s *Service) updateProfile(ctx context.Context, in *profileInput) (p Profile, err error) {
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		u, err := ByID(tx, httpkit.Caller(ctx).UserID)
		if err != nil {
			return err
		}
		if name := in.Body.FirstName; name != nil {
			if u.FirstName, err = checkName(*name); err != nil {
				return err
			}
		}
		if image := in.Body.ProfileImageURL; image != nil {
			if u.ProfileImageURL, err = checkImageURL(*image); err != nil {
				return err
			}
		}
		p = profile(u)
		return updateProfile(tx, u.ID, u.FirstName, u.ProfileImageURL)
	})
	return p, err
}

// checkName takes 1 to 24 characters that can be seen.
func checkName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n < 1 || n > 24 {
		return "", fault.InvalidField("firstName", "must have 1 to 24 characters")
	}
	seen := false
	for _, r := range name {
		if !unicode.IsGraphic(r) || r == utf8.RuneError {
			return "", fault.InvalidField("firstName", "must not contain control characters")
		}
		seen = seen || !blank(r)
	}
	if !seen {
		return "", fault.InvalidField("firstName", "must have characters that can be seen")
	}
	if reservedName.MatchString(name) {
		return "", fault.InvalidField("firstName", "is what somebody without a name is called")
	}
	return name, nil
}

// reservedName is how boards and listings call users without a name: nobody may
// pass for one of them.
var reservedName = regexp.MustCompile(`(?i)^(anonymous|user\s*\d*)$`)

// blank tells whether a character leaves nothing on the screen by itself: spaces,
// marks, and the letters and symbols that Unicode draws as nothing.
func blank(r rune) bool {
	switch r {
	case '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800': // Hangul fillers, the empty Braille pattern
		return true
	}
	return unicode.IsSpace(r) || unicode.IsMark(r)
}

// checkImageURL takes an https address, or nothing for the drawn avatar.
func checkImageURL(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.Host == "" || len(text) > 500 {
		return "", fault.InvalidField("profileImageUrl", "must be an https address of at most 500 characters")
	}
	return text, nil
}
