// Package profiles serves what users choose to show: pages of single pulls, and public profiles. Both are
// off by default. Everything here is read from the database when it is shown, so that a page disappears on
// every node at the moment when its owner switches it off or stops being visible (identity.VisibleUsers).
//
// Pages have item ids, never ids of entries, wallets or tags. They name a user only while the user is
// public.
package profiles

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/limits"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/preview"
	"kaibao/internal/sets"
	"kaibao/internal/toppulls"
)

// Options configure the service.
type Options struct {
	DB       *db.DB
	Sets     *sets.Service
	Pictures *preview.Service // nil = all pages have a plain picture
	// Changed is called after a user started or stopped sharing a pull.
	Changed func()
}

// Service serves pull pages and profiles.
type Service struct {
	Options
	owned *ownedCounter
}

// New returns a service.
func New(o Options) *Service { return &Service{Options: o, owned: newOwnedCounter(o.DB)} }

// Numbers of what a profile lists.
const (
	maxSets      = 12
	maxBestPulls = 12
	maxListings  = 24
)

var (
	errNoPull    = apperr.Missing("Pull")
	errNoProfile = apperr.Missing("Profile")
	errNoPicture = apperr.Missing("Picture")
	errExcluded  = apperr.New(apperr.Excluded, "You've excluded yourself, so you can't share pulls.")
	errHidden    = apperr.New(apperr.Conflict, "A moderator has hidden your profile and your pull pages, so you can't share pulls.")
)

// setShared starts or stops sharing a user's open. A user can stop in any state in which they can call.
func setShared(tx *db.Tx, user, open string, shared bool, language string) error {
	// The locked account stays as it is until the commit: not frozen, excluded or deleted meanwhile.
	locked, err := ledger.LockAll(tx, []string{user})
	if err != nil {
		return err
	}
	own, err := ownsOpen(tx, user, open)
	if err == nil && !own {
		err = errNoPull
	}
	if err != nil {
		return err
	}
	if !shared {
		return deleteShared(tx, open)
	}
	if err := checkSharing(tx, user, locked[user].Play); err != nil {
		return err
	}
	return insertShared(tx, user, open, language)
}

// checkSharing refuses users whose pull pages nobody would see.
func checkSharing(tx *db.Tx, user string, play ledger.PlayLimits) error {
	switch {
	case play.Frozen():
		return apperr.ErrFrozen
	case limits.Excluded(play, tx.Now):
		return errExcluded.WithDetails(limits.ExcludedUntil(play))
	}
	u, err := identity.ByID(tx, user)
	if err == nil && u.PagesHidden {
		err = errHidden
	}
	return err
}

// shownItem is an item and the value that it is shown with.
type shownItem struct {
	item  catalogue.Item
	value money.Cents
}

// pull is a shared open.
type pull struct {
	id, owner, language string
	pack                toppulls.PackNames
	price, total        money.Cents
	at                  int64 // microseconds
	items               []shownItem
	player              *identity.PublicUser // nil unless the owner is public
}

// loadPull returns a shared open, or errNoPull if it isn't shared or its owner isn't visible.
func loadPull(tx *db.Tx, id string) (pull, error) {
	p, err := findShared(tx, id)
	if errors.Is(err, db.ErrNoRow) {
		err = errNoPull
	}
	if err != nil {
		return p, err
	}
	visible, err := identity.VisibleUsers(tx, []string{p.owner})
	if err == nil && !visible[p.owner] {
		err = errNoPull
	}
	if err != nil {
		return p, err
	}
	p.items, err = pulledItems(tx, p.id)
	if err != nil {
		return p, err
	}
	public, err := identity.PublicUsers(tx, []string{p.owner})
	if u, ok := public[p.owner]; ok {
		p.player = &u
	}
	return p, err
}

// profile is a public user and what they show.
type profile struct {
	user      identity.PublicUser
	showcase  []shownItem
	sets      []sets.Completion // the most complete first
	bestPulls []bestPull
}

// bestPull is one of a user's most valuable pulls.
type bestPull struct {
	shownItem
	open   string
	shared bool
	pack   toppulls.PackNames
	at     int64 // microseconds
}

// loadProfile returns the profile with a handle, or errNoProfile unless its user is public.
func (s *Service) loadProfile(ctx context.Context, tx *db.Tx, all sets.Directory, handle string) (p profile, err error) {
	p.user, err = identity.PublicUserByHandle(tx, handle)
	if errors.Is(err, db.ErrNoRow) {
		err = errNoProfile
	}
	if err != nil {
		return p, err
	}
	entries, err := Showcase(tx, p.user.ID)
	if err != nil {
		return p, err
	}
	for _, e := range entries {
		p.showcase = append(p.showcase, shownItem{e.Item, e.Item.BaseValue})
	}
	owned, err := s.owned.count(ctx, tx, p.user.ID)
	if err != nil {
		return p, err
	}
	p.sets = all.Completions(owned)
	p.bestPulls, err = bestPulls(tx, p.user.ID, maxBestPulls)
	return p, err
}

// ReplaceShowcase replaces the entries that a user shows. The user's row in users must be locked. The ids
// must be unique and of entries that the user owns.
func ReplaceShowcase(tx *db.Tx, user string, entries []string) error {
	if len(entries) > policy.MaxShowcase {
		return errShowcase
	}
	found, err := inventory.ByIDs(tx, entries)
	if err != nil {
		return err
	}
	for i, id := range entries {
		if e := found[id]; e.Owner != user || e.Ended() || slices.Contains(entries[:i], id) {
			return errShowcase
		}
	}
	if err := deleteShowcase(tx, user); err != nil {
		return err
	}
	return insertShowcase(tx, user, entries)
}

// Showcase returns the entries that a user shows and still owns, in the user's order.
func Showcase(tx *db.Tx, user string) ([]inventory.Entry, error) {
	ids, err := showcaseIDs(tx, user)
	if err != nil {
		return nil, err
	}
	found, err := inventory.ByIDs(tx, ids)
	var entries []inventory.Entry
	for _, id := range ids {
		if e := found[id]; e.Owner == user && !e.Ended() {
			entries = append(entries, e)
		}
	}
	return entries, err
}

// ShowcaseIDs returns the ids of the entries that Showcase returns.
func ShowcaseIDs(tx *db.Tx, user string) ([]string, error) {
	entries, err := Showcase(tx, user)
	ids := make([]string, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	return ids, err
}

// Erase deletes what a user shows.
func Erase(tx *db.Tx, user string) error {
	return errors.Join(deleteSharedOf(tx, user), deleteShowcase(tx, user))
}

var errShowcase = apperr.InvalidField("showcase", fmt.Sprintf("must be at most %d different items of yours", policy.MaxShowcase))

// minute formats a time to the minute, which is as precise as the public may know.
func minute(micros int64) string { return httpapi.Timestamp(db.Time(micros).Truncate(time.Minute)) }
