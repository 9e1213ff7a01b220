// Package sets shows the series and sets of the catalogue: their cards, which of them a user owns, what
// the missing ones cost, and what the duplicates would bring.
package sets

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpcache"
	"kaibao/internal/inventory"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Service serves sets.
type Service struct {
	db    *db.DB
	match *match.Service
	all   *httpcache.Cache[struct{}, Directory]
}

// cacheLife is how long the list of all sets is cached. It grows with the time that counting takes.
const cacheLife = 250 * time.Millisecond

// New returns the service of a node.
func New(d *db.DB, m *match.Service) *Service {
	s := &Service{db: d, match: m}
	s.all = httpcache.NewSlow(d.Now, cacheLife, func(ctx context.Context, _ struct{}) (all Directory, err error) {
		err = d.Search(ctx, func(tx *db.Tx) error {
			counts, err := countSets(tx)
			all = newDirectory(counts)
			return err
		})
		return all, err
	})
	return s
}

// set is a set of a series, or, with no name, a whole series. Its cards are the active items.
type set struct {
	series, name string
	cards        int64
	best         money.Cents // highest value of a card
	pictured     []string    // of a series: its sets with the most valuable cards, which lend it their pictures
}

// id identifies a set in the API. It is derived from the names, so it changes with them.
func (s set) id() string {
	sum := sha256.Sum256([]byte(s.series + "\x00" + s.name))
	return hex.EncodeToString(sum[:16])
}

// Directory has all series and sets, ordered by series, each before its sets.
type Directory struct {
	sets []set
	byID map[string]set
}

// newDirectory adds the whole series to the counted sets. In counts, an empty name stands for a series'
// cards without a set.
func newDirectory(counts []set) Directory {
	slices.SortFunc(counts, func(a, b set) int {
		return cmp.Or(strings.Compare(a.series, b.series), cmp.Compare(b.best, a.best), strings.Compare(a.name, b.name))
	})
	d := Directory{byID: map[string]set{}}
	for len(counts) > 0 {
		whole, named := set{series: counts[0].series, best: counts[0].best}, []set{}
		for ; len(counts) > 0 && counts[0].series == whole.series; counts = counts[1:] {
			whole.cards += counts[0].cards
			if len(whole.pictured) < picturesPerSet {
				whole.pictured = append(whole.pictured, counts[0].name)
			}
			if counts[0].name != "" {
				named = append(named, counts[0])
			}
		}
		slices.SortFunc(named, func(a, b set) int { return strings.Compare(a.name, b.name) })
		d.sets = append(append(d.sets, whole), named...)
	}
	for _, s := range d.sets {
		d.byID[s.id()] = s
	}
	return d
}

// inSeries returns the sets of a series or a category; an empty name matches all.
func (d Directory) inSeries(name string) []set {
	if name == "" {
		return d.sets
	}
	series := catalogue.SeriesOf(name)
	var found []set
	for _, s := range d.sets {
		if slices.Contains(series, s.series) {
			found = append(found, s)
		}
	}
	return found
}

// All returns all series and sets. Don't call it in a transaction.
func (s *Service) All(ctx context.Context) (Directory, error) { return s.all.Get(ctx, struct{}{}) }

// Completion is how much of a set a user owns.
type Completion struct {
	ID, Series   string
	Name         string // empty for a whole series
	Owned, Cards int64  // numbers of different cards
}

// Completions returns the sets of which a user owns cards, the most complete first. A whole series is among
// them only if it has no sets. counts has the user's cards by set.
func (d Directory) Completions(counts map[inventory.SetName]inventory.SetCount) (found []Completion) {
	for i, s := range d.sets {
		hasSets := s.name == "" && i+1 < len(d.sets) && d.sets[i+1].series == s.series
		if owned := s.ownedOf(counts).Items; !hasSets && owned > 0 {
			found = append(found, Completion{s.id(), s.series, s.name, owned, s.cards})
		}
	}
	slices.SortFunc(found, func(a, b Completion) int {
		return cmp.Or(cmp.Compare(b.Owned*a.Cards, a.Owned*b.Cards), cmp.Compare(b.Cards, a.Cards), strings.Compare(a.Series, b.Series), strings.Compare(a.Name, b.Name))
	})
	return found
}

// find returns the set with an id.
func (s *Service) find(ctx context.Context, id string) (set, error) {
	all, err := s.all.Get(ctx, struct{}{})
	found, ok := all.byID[id]
	if err == nil && !ok {
		err = apperr.Missing("Set")
	}
	return found, err
}

// finish is what the cards that a user is missing cost.
type finish struct {
	lines      []line // the cheapest first, at most policy.MaxCartSize
	more       int64  // cards for sale beyond lines
	notForSale []string
}

// line is a card with its lowest ask.
type line struct {
	item string
	match.LowestAsk
}

// finishing returns what it takes to finish a set, from its missing cards and the lowest asks by item.
func finishing(missing []string, asks map[string]match.LowestAsk) (f finish) {
	for _, item := range missing {
		if ask, ok := asks[item]; ok {
			f.lines = append(f.lines, line{item, ask})
		} else {
			f.notForSale = append(f.notForSale, item)
		}
	}
	slices.SortFunc(f.lines, func(a, b line) int { return cmp.Or(cmp.Compare(a.Price, b.Price), strings.Compare(a.item, b.item)) })
	if len(f.lines) > policy.MaxCartSize {
		f.more, f.lines = int64(len(f.lines)-policy.MaxCartSize), f.lines[:policy.MaxCartSize]
	}
	return f
}

// sellableDuplicates returns the copies that the user can sell while keeping one of each item. It keeps
// a copy that can't be sold, else one in the vault, else the one with Kaibao's lowest offer, else the
// oldest.
func sellableDuplicates(entries []inventory.Entry, user string, now time.Time) (duplicates []inventory.Entry) {
	sellable := func(e inventory.Entry) bool { return e.Allows(inventory.SellingBack, user) }
	slices.SortFunc(entries, func(a, b inventory.Entry) int {
		return cmp.Or(strings.Compare(a.Item.ID, b.Item.ID), falseFirst(sellable(a), sellable(b)), falseFirst(b.Vaulted, a.Vaulted),
			cmp.Compare(a.Quote(now).Payout, b.Quote(now).Payout), strings.Compare(a.ID, b.ID))
	})
	for i, e := range entries {
		if i > 0 && entries[i-1].Item.ID == e.Item.ID && sellable(e) {
			duplicates = append(duplicates, e)
		}
	}
	return duplicates
}

// falseFirst compares two conditions: false is less than true.
func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// quoteDuplicates returns which of a user's duplicates can be sold, and what a quick sell pays for them.
// owned has the ids of all of the user's entries in the set, by item.
func (s *Service) quoteDuplicates(tx *db.Tx, user string, owned map[string][]string) (view DuplicateView, err error) {
	view.InventoryIDs = []string{}
	var copies []string
	for _, entries := range owned {
		if len(entries) > 1 {
			view.Count += int64(len(entries) - 1)
			copies = append(copies, entries...)
		}
	}
	slices.Sort(copies) // the oldest first
	found, err := inventory.ByIDs(tx, copies[:min(len(copies), 2*policy.MaxQuotes)])
	if err != nil {
		return view, err
	}
	var entries []inventory.Entry
	for _, e := range found {
		entries = append(entries, e)
	}
	var ids []string
	for _, e := range sellableDuplicates(entries, user, tx.Now) {
		if len(ids) < policy.MaxQuotes {
			ids = append(ids, e.ID)
		}
	}
	if ids == nil {
		return view, nil
	}
	lots, err := s.match.Quote(tx, user, ids)
	if err != nil && apperr.As(err).Code != apperr.NoBuyer {
		return view, err
	}
	for _, l := range lots {
		if l.Payout() > 0 {
			view.InventoryIDs = append(view.InventoryIDs, l.ID)
			view.PayoutCents += l.Payout()
		}
	}
	return view, nil
}
