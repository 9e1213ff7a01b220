// Package identity signs users in. A wallet proves its identity by signing a challenge and receives
// a session; there is no other way to sign in.
package identity

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/houserules"
	"kaibao/internal/httpapi"
	"kaibao/internal/imageproxy"
	"kaibao/internal/jobs"
	"kaibao/internal/protocol"
)

// Lifetimes of challenges, cookies and sessions.
const (
	challengeLife = 5 * time.Minute
	// The cookie outlives its challenge. Otherwise a late response would look like one from a
	// browser that blocks cookies.
	challengeCookieLife = time.Hour
	touchAfter          = 10 * time.Minute // how old last_used_at may be, to save a write per call
	maxSessions         = 20               // per user; the oldest are deleted
)

const maxCachedSessions = 1 << 16 // about 20 MB

// User is a registered wallet and its profile.
type User struct {
	ID, Address, Role          string
	FirstName, ProfileImageURL string
	Tag                        string    // pseudonym in the public log; never changes
	TagSalt                    [32]byte  // only shown to the user
	ConfirmedAge               int64     // minimum age in years; 0 = not asked
	ProfileLockReason          string    // why the user may not change name and picture; empty = they may
	GiftsOff                   bool      // the user has turned gifts off
	Handle                     string    // empty = none
	HandleChangedAt            time.Time // when the user last took a handle; zero = never
	IsPublic                   bool      // the user has switched the profile on; others see it only while PublicUsers returns the user
	PublicLanguage             string    // of the profile's preview picture: en or zh
	PagesHidden                bool      // an admin hides the user's profile and pull pages
	Deletion                   DeletionRequest
	DeletedAt                  time.Time // zero unless the account was deleted
}

// Picture returns the path of the user's picture, or an empty string for the generated one.
func (u User) Picture() string { return imageproxy.Path(imageproxy.Person, u.ProfileImageURL) }

// LogSubject returns the name of a user in the admin log. Older rows have the wallet address instead
// of the id.
func LogSubject(id string) string { return "user " + id }

// Options configure the service.
type Options struct {
	DB        *db.DB
	PublicURL httpapi.PublicURL
	// Rules define the age that users must confirm.
	Rules houserules.Rules
	// Welcome sets up a new user in the transaction of their first sign-in.
	Welcome func(tx *db.Tx, u User) error
	// ProfileChanged is called after a user changed what others see of them.
	ProfileChanged func()
	// ProfileShown is called after a user who is public changed what their profile shows; nil in programs
	// without profiles.
	ProfileShown func(ctx context.Context, handle string)
	// HandleAllowed reports whether a user may take a handle, because they topped up or opened a pack.
	HandleAllowed func(tx *db.Tx, user string) (bool, error)
	HandleKey     HandleKey
	// Showcase returns the ids of the entries on a user's profile; SaveShowcase checks and replaces
	// them. The user's row is locked. Both are nil in programs without profiles.
	Showcase     func(tx *db.Tx, user string) ([]string, error)
	SaveShowcase func(tx *db.Tx, user string, entries []string) error
	// SessionIdle and SessionLife are how long a session lasts without a request, and at most. By
	// default a day and a week.
	SessionIdle, SessionLife time.Duration
}

// Service signs people in and out.
type Service struct {
	Options
	sessions     *batch.Gatherer[tokenHash, session]
	sessionCache *lru.Cache[tokenHash, session] // results of recent lookups
}

// New returns a service.
func New(o Options) *Service {
	cache, err := lru.New[tokenHash, session](maxCachedSessions)
	if err != nil {
		panic(err) // only for a size below 1
	}
	o.SessionIdle, o.SessionLife = cmp.Or(o.SessionIdle, 24*time.Hour), cmp.Or(o.SessionLife, 7*24*time.Hour)
	return &Service{Options: o, sessions: batch.NewGatherer(o.DB, sessionsByToken), sessionCache: cache}
}

// Jobs returns the jobs that delete expired sessions and reservations of handles.
func (s *Service) Jobs() []jobs.Job {
	var d *db.DB
	if s != nil {
		d = s.DB
	}
	return []jobs.Job{jobs.Pruning(d, "old sessions", func(tx *db.Tx, limit int) (int64, error) {
		return deleteExpiredSessions(tx, tx.Now.Add(-s.SessionIdle), limit)
	}), jobs.Pruning(d, "reserved handles", deleteExpiredReservations)}
}

var errNoCookie = apperr.New(apperr.NoCookie, "Your browser didn't send a cookie. Allow cookies for this site and sign in again.")

var errBadSignature = apperr.New(apperr.BadSignature,
	"The signature doesn't match this wallet. Please sign in again.")

// challenge returns a message for address to sign, and the secret for the browser's challenge
// cookie.
func (s *Service) challenge(ctx context.Context, address string) (m Message, cookie string, err error) {
	if _, err := ParseAddress(address); err != nil {
		return Message{}, "", err
	}
	err = s.DB.InTx(ctx, func(tx *db.Tx) error {
		issued := tx.Now.Truncate(time.Millisecond)
		m = s.message(address, hex.EncodeToString(tx.Random(16)), issued, issued.Add(challengeLife))
		cookie = base64.RawURLEncoding.EncodeToString(tx.Random(32))
		return insertChallenge(tx, hash(cookie), m)
	})
	return m, cookie, err
}

func (s *Service) message(address, nonce string, issued, expires time.Time) Message {
	return Message{
		Domain: s.PublicURL.Host(), Address: address, URI: s.PublicURL.String(),
		Nonce: nonce, IssuedAt: issued, ExpirationTime: expires,
	}
}

// signInAttempt is a response to a challenge, with the browser's cookies.
type signInAttempt struct {
	challenge, session string // from cookies; session is the one to replace, if any
	address, signature string
	signed             []byte // the message as the wallet reports it; may be empty
	age                int64  // confirmed age in years; 0 = none
	guardian           bool   // a guardian consents
}

// verify signs a wallet in if its signature of the challenge is valid. It returns the user's
// profile and the new session's token. It consumes the challenge in any case.
func (s *Service) verify(ctx context.Context, a signInAttempt) (Profile, string, error) {
	if a.challenge == "" {
		return Profile{}, "", errNoCookie
	}
	var m Message
	var now time.Time
	err := s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		now = tx.Now
		m, err = s.consumeChallenge(tx, hash(a.challenge))
		return err
	})
	if err != nil {
		return Profile{}, "", err
	}
	if m.Nonce == "" || m.ExpiredAt(now) {
		return Profile{}, "", errBadSignature.Because(errors.New("no valid challenge for this browser"))
	}
	if err := Verify(m, a.address, a.signature, a.signed); err != nil {
		return Profile{}, "", err
	}
	var p Profile
	var token string
	err = s.DB.InTx(ctx, func(tx *db.Tx) (err error) {
		u, err := s.findOrCreate(tx, a.address)
		if err == nil {
			err = s.confirmAge(tx, &u, a)
		}
		if err != nil {
			return err
		}
		token, err = s.startSession(tx, u, a.session)
		if err != nil {
			return err
		}
		p, err = s.loadProfile(tx, u)
		return err
	})
	return p, token, err
}

var errAgeUnconfirmed = apperr.New(apperr.AgeUnconfirmed, "Confirm your age first, and a guardian's consent if you need it.")

// confirmAge stores the age that a user confirms, if the rules require one and it isn't stored yet.
// Without the confirmation the sign-in fails.
func (s *Service) confirmAge(tx *db.Tx, u *User, a signInAttempt) error {
	if u.ConfirmedAge >= s.Rules.MinimumAge {
		return nil
	}
	if !s.Rules.Consents(a.age, a.guardian) {
		return errAgeUnconfirmed
	}
	u.ConfirmedAge = a.age
	return updateAge(tx, u.ID, a.age)
}

// consumeChallenge deletes and returns the challenge of a cookie. The message is empty if there is
// none.
func (s *Service) consumeChallenge(tx *db.Tx, cookieHash []byte) (Message, error) {
	row, err := deleteChallenge(tx, cookieHash)
	if errors.Is(err, db.ErrNoRow) {
		return Message{}, nil
	}
	return s.message(row.address, row.nonce, row.issued, row.expires), err
}

func (s *Service) findOrCreate(tx *db.Tx, address string) (User, error) {
	u, err := ByAddress(tx, address)
	if !errors.Is(err, db.ErrNoRow) {
		return u, err
	}
	u = User{ID: tx.NewID(), Address: address, Role: "user", TagSalt: [32]byte(tx.Random(32))}
	u.Tag = protocol.UserTag(u.TagSalt, address)
	if err := insertUser(tx, u); err != nil {
		return User{}, err
	}
	if err := s.Welcome(tx, u); err != nil {
		return User{}, fmt.Errorf("create the user: %w", err)
	}
	return u, nil
}

// startSession creates a session for a user, deletes the browser's previous one, and returns the new
// token.
func (s *Service) startSession(tx *db.Tx, u User, previousToken string) (string, error) {
	// Serialize a user's sign-ins, so that each trim counts all sessions.
	if err := lockWallet(tx, u.ID, u.Address); err != nil {
		return "", err
	}
	if err := deleteSession(tx, hash(previousToken)); err != nil {
		return "", err
	}
	token := base64.RawURLEncoding.EncodeToString(tx.Random(32))
	if err := insertSession(tx, hash(token), u.ID); err != nil {
		return "", err
	}
	return token, s.trimSessions(tx, u.ID)
}

// Authenticate returns the principal of a session token. It implements httpapi.Authenticate.
func (s *Service) Authenticate(ctx context.Context, token string) (httpapi.Principal, error) {
	key := tokenHash(hash(token))
	stored, err := s.sessions.Find(ctx, key)
	if errors.Is(err, db.ErrNoRow) {
		s.sessionCache.Remove(key)
		return httpapi.Principal{}, httpapi.ErrUnauthenticated
	}
	if err != nil {
		return httpapi.Principal{}, fmt.Errorf("find a session: %w", err)
	}
	now := s.DB.Now()
	if !s.isAlive(stored, now) {
		return httpapi.Principal{}, httpapi.ErrUnauthenticated
	}
	if now.Sub(stored.used) > touchAfter {
		if err := s.DB.InTx(ctx, func(tx *db.Tx) error { return touchSession(tx, key[:]) }); err != nil {
			return httpapi.Principal{}, fmt.Errorf("extend a session: %w", err)
		}
		stored.used = now
	}
	s.sessionCache.Add(key, stored)
	return stored.Principal, nil
}

func (s *Service) isAlive(stored session, now time.Time) bool {
	return now.Sub(stored.created) < s.SessionLife && now.Sub(stored.used) < s.SessionIdle && stored.age >= s.Rules.MinimumAge
}

// CachedPrincipal returns the principal of a token whose session is cached, unless it is due for another
// lookup. It implements httpapi.Options.CachedPrincipal.
func (s *Service) CachedPrincipal(token string) (httpapi.Principal, bool) {
	stored, ok := s.sessionCache.Get(tokenHash(hash(token)))
	now := s.DB.Now()
	return stored.Principal, ok && s.isAlive(stored, now) && now.Sub(stored.used) <= touchAfter
}

// QueueSessionCheck implements httpapi.Options.CheckSessions. Between lookups a session can only
// end, its user's role change, or its account be frozen.
func QueueSessionCheck(tx *db.Tx, callers []httpapi.Principal) db.Queued[map[httpapi.Principal]bool] {
	hashes := make([]tokenHash, len(callers))
	for i, c := range callers {
		hashes[i] = c.Session
	}
	sessions := queueByToken(tx, hashes)
	return func() (map[httpapi.Principal]bool, error) {
		stored, err := sessions()
		valid := make(map[httpapi.Principal]bool, len(stored))
		for _, s := range stored {
			valid[s.Principal] = true
		}
		return valid, err
	}
}

// SetRole sets the role, "user" or "admin", of an address that has signed in before.
func SetRole(tx *db.Tx, address, role string) error {
	if _, err := ParseAddress(address); err != nil {
		return err
	}
	err := updateRole(tx, address, role)
	if errors.Is(err, db.ErrNoRow) {
		return apperr.New(apperr.NotFound, "No user has this address. Users must sign in once before they can get a role.")
	}
	return err
}

// hash returns the SHA-256 of a browser's secret, the only form in which it is stored.
func hash(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
