package identity

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/policy"
)

// HandleKey is the key under which earlier handles stay reserved. It isn't in the database, so that
// a copy of it doesn't tell which handles users had.
type HandleKey []byte

// hash returns the HMAC of a folded handle. The prefix keeps it apart from wallet addresses, which are
// hashed with the same key.
func (k HandleKey) hash(folded string) []byte {
	mac := hmac.New(sha256.New, k)
	mac.Write([]byte("handle:" + folded))
	return mac.Sum(nil)
}

// LockHandles serializes transactions that give users a handle or a name or take one away, so that
// each sees the handles of those before. Call it before locking any row.
func LockHandles(tx *db.Tx) error { return tx.AdvisoryLock("handles") }

// lookalikes replaces the characters of handles that look alike. It replaces m and w, not the pairs
// that look like them, so that rn-m and m-rn become the same as mm.
var lookalikes = strings.NewReplacer("-", "", "0", "o", "1", "i", "l", "i", "m", "rn", "w", "vv")

// foldHandle returns the folded form of a handle, which is the same for handles that look alike.
func foldHandle(handle string) string { return lookalikes.Replace(handle) }

// foldName folds a display name the same way, so that it can be compared with folded handles. Names in
// other scripts keep characters that no handle has.
func foldName(name string) string { return lookalikes.Replace(alphanumeric(skeleton(name))) }

var handleFormat = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// checkHandle refuses handles in a wrong format, reserved words, and handles that impersonate Kaibao.
func checkHandle(handle string) error {
	switch {
	case len(handle) < policy.MinHandleLength || len(handle) > policy.MaxHandleLength || !handleFormat.MatchString(handle):
		return apperr.InvalidField("handle", fmt.Sprintf("must have %d to %d letters a-z, digits and single hyphens, and begin and end with a letter or digit",
			policy.MinHandleLength, policy.MaxHandleLength))
	case reservedHandles[foldHandle(handle)], anonymousNames.MatchString(alphanumeric(skeleton(handle))), impersonatesStaff(handle):
		return apperr.InvalidField("handle", "is reserved; choose another one")
	}
	return nil
}

// reservedHandles are the folded forms of words that could be taken for a part of the site.
var reservedHandles = func() map[string]bool {
	folded := map[string]bool{}
	for word := range strings.FieldsSeq(`
		about abuse account activity admin alerts anonymous api app approvals art assets audit auth balance bids blocked-givers blog book books bot buy ceo
		card cards cart catalogue checkout claim claims collection collector collectors contact deleted demo deposit deposits dev
		entry everyone exclusion fairness faq favicon feed fees founder gift gifts handle handles healthz help home house
		imprint index inventory item items kaibao labubus leaderboard legal limits log login logout mail market marketplace
		media metrics mod mods my-cards my-collection my-opens nobody noreply null offers official open open-packs opens orders owner owners
		pack packs payment-frame pictures play player postmaster previews privacy private profile profiles public pull pulls rates readyz recent
		redemptions refund refunds register roadmap robots root rules saved-searches search security sell-back server settings
		set sets share shipping shop showcase sign-in sign-out site sitemap sol-price static status store support system
		team terms test topup top-pulls trade trades treasury trust undefined user users vault verified verify version wallet wallets watchlist webmaster webhooks www`) {
		folded[foldHandle(word)] = true
	}
	return folded
}()

var (
	errHandleTaken      = apperr.New(apperr.HandleTaken, "This handle is taken or too similar to another one. Choose a different one.")
	errHandleNotAllowed = apperr.New(apperr.HandleNotAllowed, "Top up or open a pack to choose a handle.")
	errHandleTooSoon    = apperr.New(apperr.HandleTooSoon, fmt.Sprintf("You can change your handle once every %d days.", policy.HandleChangeEvery/(24*time.Hour)))
)

// HandleWait is the detail of the error that a handle can't be changed yet.
type HandleWait struct {
	ChangeableAt string `json:"changeableAt" format:"date-time"`
}

// handleChangeableAt returns when a user may take another handle, or the zero time if they may now.
func (u User) handleChangeableAt(now time.Time) time.Time {
	at := u.HandleChangedAt.Add(policy.HandleChangeEvery)
	if u.HandleChangedAt.IsZero() || !at.After(now) {
		return time.Time{}
	}
	return at
}

// takeHandle checks and sets a user's handle and reserves the previous one. Call LockHandles first.
func (s *Service) takeHandle(tx *db.Tx, u *User, handle string) error {
	if handle == u.Handle {
		return nil
	}
	if err := checkHandle(handle); err != nil {
		return err
	}
	allowed, err := s.HandleAllowed(tx, u.ID)
	switch {
	case err != nil:
		return err
	case !allowed:
		return errHandleNotAllowed
	}
	if at := u.handleChangeableAt(tx.Now); !at.IsZero() {
		return errHandleTooSoon.WithDetails(HandleWait{httpapi.Timestamp(at)})
	}
	folded := foldHandle(handle)
	taken, err := isHandleTaken(tx, folded, s.HandleKey.hash(folded), u.ID)
	switch {
	case err != nil:
		return err
	case taken:
		return errHandleTaken
	}
	if folded != foldHandle(u.Handle) {
		if err := errors.Join(u.reserveHandle(tx, s.HandleKey), deleteReservation(tx, s.HandleKey.hash(folded))); err != nil {
			return err
		}
	}
	u.Handle, u.HandleChangedAt = handle, tx.Now
	return nil
}

// giveUpHandle removes a user's handle and reserves it for the user. Call LockHandles first.
func (s *Service) giveUpHandle(tx *db.Tx, u *User) error {
	err := u.reserveHandle(tx, s.HandleKey)
	u.clearHandle()
	return err
}

// clearHandle removes a user's handle. The user isn't public any more.
func (u *User) clearHandle() { u.Handle, u.IsPublic, u.PublicLanguage = "", false, "" }

// reserveHandle keeps others from taking a user's handle, if any, for a time.
func (u User) reserveHandle(tx *db.Tx, key HandleKey) error {
	if u.Handle == "" {
		return nil
	}
	return insertReservation(tx, key.hash(foldHandle(u.Handle)), u.ID, tx.Now.Add(policy.HandleReserved))
}

// checkNotHandle refuses a display name that looks like another user's handle. Reserved handles are
// allowed, because many are common first names. Call LockHandles first.
func checkNotHandle(tx *db.Tx, name, user string) error {
	taken, err := isHandleOfAnother(tx, foldName(name), user)
	if err == nil && taken {
		err = apperr.InvalidField("firstName", "is too similar to another user's handle; choose another name")
	}
	return err
}

// Languages of preview pictures.
var languages = []string{"en", "zh"}

// setPublic switches a user's profile on or off. Switching it on sets the language of its preview
// picture; an empty one stays as it is.
func (u *User) setPublic(public bool, language string) error {
	switch {
	case !public:
		u.IsPublic, u.PublicLanguage = false, ""
	case u.Handle == "":
		return apperr.InvalidField("public", "needs a handle: choose one first")
	default:
		u.IsPublic = true
		if slices.Contains(languages, language) {
			u.PublicLanguage = language
		} else if u.PublicLanguage == "" {
			u.PublicLanguage = languages[0]
		}
	}
	return nil
}
