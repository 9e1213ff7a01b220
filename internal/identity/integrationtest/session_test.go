package integrationtest_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mr-tron/base58"

	"kaibao/internal/app/apptest"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
)

// sessionCookie returns the value of the browser's session cookie.
func sessionCookie(t testing.TB, c *apptest.Client) string {
	t.Helper()
	base, err := url.Parse(c.Base)
	if err != nil {
		t.Fatal(err)
	}
	for _, cookie := range c.HTTP.Jar.Cookies(base) {
		if cookie.Name == httpapi.SessionCookie {
			return cookie.Value
		}
	}
	return ""
}

func sessionAlive(t testing.TB, c *apptest.Client) bool {
	t.Helper()
	return c.Get(t, "/api/auth/user").Status == http.StatusOK
}

// This test uses an API of its own, because its public URL may be https.
func TestCookies(t *testing.T) {
	for publicURL, c := range map[string]struct {
		prefix string
		secure bool
	}{"https://kaibao.example": {"__Host-", true}, "http://127.0.0.1:8080": {"", false}} {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			public, err := httpapi.ParsePublicURL(publicURL)
			if err != nil {
				t.Fatal(err)
			}
			service := identity.New(identity.Options{DB: d, PublicURL: public, Welcome: func(*db.Tx, identity.User) error { return nil }})
			api := httpapi.New(httpapi.Options{
				DB: d, PublicURL: public, Log: slog.New(slog.DiscardHandler), Authenticate: service.Authenticate,
				NewRequestID: func() string { return "request" }, Clock: time.Now,
			})
			service.Routes(api)
			key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
			address := base58.Encode(key.Public().(ed25519.PublicKey))
			post := func(path string, body any, cookie string) *httptest.ResponseRecorder {
				text, _ := json.Marshal(body)
				r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(string(text)))
				r.Host = public.Host()
				r.Header.Set("Cookie", cookie)
				w := httptest.NewRecorder()
				api.Handler().ServeHTTP(w, r)
				return w
			}
			want := func(w *httptest.ResponseRecorder, name string, age int) string {
				t.Helper()
				for _, cookie := range w.Result().Cookies() {
					if cookie.Name != c.prefix+name {
						continue
					}
					if !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.Domain != "" ||
						cookie.Secure != c.secure || cookie.MaxAge != age || (cookie.Value == "") != (age < 0) {
						t.Errorf("%s: %s", publicURL, cookie)
					}
					return cookie.Name + "=" + cookie.Value
				}
				t.Fatalf("%d %s sets %v, not %s", w.Code, w.Body, w.Header()["Set-Cookie"], c.prefix+name)
				return ""
			}

			asked := post("/api/auth/challenge", map[string]any{"address": address}, "")
			var challenge struct{ Message string }
			_ = json.Unmarshal(asked.Body.Bytes(), &challenge)
			signedIn := post("/api/auth/verify", signInBody(address, sign(key, challenge.Message), nil), want(asked, httpapi.ChallengeCookie, 60*60))
			want(signedIn, httpapi.ChallengeCookie, -1)
			session := want(signedIn, httpapi.SessionCookie, 7*24*60*60)
			want(post("/api/auth/logout", nil, session), httpapi.SessionCookie, -1)
		})
	}
}

func TestOnlyTokenHashesAreStored(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		secret := sessionCookie(t, s.SignIn(t))
		if len(secret) != 43 { // 256 bits in base64
			t.Errorf("the token is %q", secret)
		}
		sum := sha256.Sum256([]byte(secret))
		if count(t, s, "sessions") != 1 || count(t, s, "sessions WHERE token_hash = $1", sum[:]) != 1 {
			t.Error("the stored token is not the token's hash")
		}
	})
}

func TestSessionsEnd(t *testing.T) {
	const idle, life = 24 * time.Hour, 7 * 24 * time.Hour
	each(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		c := s.SignIn(t)
		clock.Advance(idle - time.Microsecond)
		if !sessionAlive(t, c) {
			t.Error("ended before it was idle for a day")
		}
		clock.Advance(idle)
		if sessionAlive(t, c) {
			t.Error("still alive after a day of idleness")
		}

		c.SignIn(t)
		for range 7 {
			clock.Advance(23 * time.Hour)
			if !sessionAlive(t, c) {
				t.Fatal("ended while in use")
			}
		}
		clock.Advance(life - 7*23*time.Hour - time.Microsecond)
		if !sessionAlive(t, c) {
			t.Error("ended before its seven days")
		}
		clock.Advance(time.Microsecond)
		if sessionAlive(t, c) {
			t.Error("still alive after seven days")
		}
	})
}

func TestEverySignInCreatesASession(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		c := s.NewClient(t)
		base, _ := url.Parse(s.URL)
		c.HTTP.Jar.SetCookies(base, []*http.Cookie{{Name: httpapi.SessionCookie, Value: "planted", Path: "/"}})
		seen := map[string]bool{"planted": true}
		for range 3 {
			c.SignIn(t)
			if seen[sessionCookie(t, c)] {
				t.Error("a session token was reused")
			}
			seen[sessionCookie(t, c)] = true
		}

		// The oldest session is deleted when there are too many.
		var browsers []*apptest.Client
		for range 21 {
			clock.Advance(time.Second)
			b := newBrowser(t, c)
			b.SignIn(t)
			browsers = append(browsers, b)
		}
		for i, b := range browsers {
			if sessionAlive(t, b) != (i > 0) {
				t.Errorf("the session of sign-in %d of 21 is alive: %t", i+1, i == 0)
			}
		}

		clock.Advance(time.Second)
		var wg sync.WaitGroup
		for range 8 {
			b := newBrowser(t, c)
			body := signInBody(b.Address, sign(b.Key, requestChallenge(t, b)), nil)
			wg.Go(func() { _, _ = b.Try(t.Context(), "POST", "/api/auth/verify", body) })
		}
		wg.Wait()
		if n := count(t, s, "sessions"); n != 20 {
			t.Errorf("%d sessions after 8 concurrent sign-ins, want 20", n)
		}
	})
}

// Signing in again in one browser, even with another wallet, ends the previous session, which would
// otherwise be inaccessible.
func TestSignInReplacesTheBrowsersSession(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		previous := *c
		previous.HTTP = &http.Client{}
		cookie := httpapi.SessionCookie + "=" + sessionCookie(t, c)
		if previous.Get(t, "/api/auth/user", "Cookie", cookie).Status != http.StatusOK {
			t.Fatal("the first session is not alive")
		}
		other := s.NewClient(t)
		other.HTTP = c.HTTP
		other.SignIn(t)
		previous.Get(t, "/api/auth/user", "Cookie", cookie).Refused(t, http.StatusUnauthorized, "unauthenticated")
	})
}

func TestLogoutEndsTheSession(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		c := s.SignIn(t)
		other := newBrowser(t, c)
		other.SignIn(t)
		stolen := sessionCookie(t, c)
		logout := func(c *apptest.Client) { c.Post(t, "/api/auth/logout", nil).Want(t, http.StatusNoContent, nil) }
		logout(c)
		if sessionCookie(t, c) != "" {
			t.Error("the session cookie was not deleted")
		}
		s.NewClient(t).Get(t, "/api/auth/user", "Cookie", httpapi.SessionCookie+"="+stolen).Refused(t, http.StatusUnauthorized, "unauthenticated")
		if !sessionAlive(t, other) || count(t, s, "sessions") != 1 {
			t.Error("another browser was signed out too")
		}
		logout(c) // once more, without a session
	})
}

// A role change applies from the next request, in existing sessions too.
func TestRoleChangesApplyImmediately(t *testing.T) {
	each(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		c, other := s.SignIn(t), s.SignIn(t)
		credit := func() apptest.Answer {
			return c.Post(t, "/api/wallet/deposit/manual", map[string]any{"amount": 5, "walletAddress": other.Address, "reason": "prize"})
		}
		setRole := func(address, setRole string) error {
			return s.DB.InTx(t.Context(), func(tx *db.Tx) error { return identity.SetRole(tx, address, setRole) })
		}
		credit().Refused(t, http.StatusForbidden, "forbidden")
		for _, step := range []struct {
			setRole string
			status  int
		}{{"admin", http.StatusOK}, {"user", http.StatusForbidden}} {
			if err := setRole(c.Address, step.setRole); err != nil {
				t.Fatal(err)
			}
			var user struct{ Role string }
			c.Get(t, "/api/auth/user").Want(t, http.StatusOK, &user)
			if a := credit(); a.Status != step.status || user.Role != step.setRole {
				t.Errorf("as %s, shown as %s: %d %s", step.setRole, user.Role, a.Status, a.Body)
			}
		}
		if err := setRole(s.NewClient(t).Address, "admin"); !apperr.IsCode(err, apperr.NotFound) {
			t.Errorf("an unknown address was made admin: %v", err)
		}
		if err := setRole("nobody", "admin"); !apperr.IsCode(err, apperr.Invalid) {
			t.Errorf("an invalid address was made admin: %v", err)
		}
		if err := setRole(c.Address, "root"); err == nil {
			t.Error("the role root was accepted")
		}
	})
}
