// Package toppulls lists the most valuable pulls of a day, a week and all time, per pack and
// overall, and each pack's last big pull. A job counts them from the public log, so opens don't wait
// for it.
package toppulls

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/jobs"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/publiclog"
)

// listKind is which pulls a list has. The periods are in UTC.
type listKind string

const (
	topToday    listKind = "today"
	topThisWeek listKind = "week" // since Monday
	topAllTime  listKind = "all"
	lastBigPull listKind = "last-big" // not in the API
)

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// begins returns the start of the period that contains a time; 0 for lists without a start.
func (k listKind) begins(at time.Time) int64 {
	switch k {
	case topToday:
		return db.Micros(at.UTC().Truncate(day))
	case topThisWeek:
		return db.Micros(at.UTC().Truncate(week)) // the zero time was a Monday
	}
	return 0
}

// length returns the maximum number of pulls in a list.
func (k listKind) length() int {
	if k == lastBigPull {
		return 1
	}
	return policy.TopPullsListed
}

// listKey identifies a list.
type listKey struct {
	pack string // "" for all packs
	kind listKind
}

func (k listKey) String() string {
	return fmt.Sprintf("top pulls of pack %q, period %s", k.pack, k.kind)
}

// list is a stored list of pulls, best first, and the start of the day or week that it covers.
type list struct {
	begins int64
	pulls  []pull
}

// pull is one drawn item, as stored.
type pull struct {
	Open     string      `json:"open"`
	Position int         `json:"position"` // among the items of its open
	Pack     string      `json:"pack"`
	Item     string      `json:"item"`
	Value    money.Cents `json:"value"` // in the manifest of the draw
	At       int64       `json:"at"`    // microseconds
}

// compare orders the pulls of a list. A big pull replaces the last one if it is newer.
func (k listKind) compare(a, b pull) int {
	byValue := cmp.Compare(b.Value, a.Value)
	byAge := cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Open, b.Open))
	if k == lastBigPull {
		return cmp.Or(-byAge, byValue, cmp.Compare(a.Position, b.Position))
	}
	return cmp.Or(byValue, byAge, cmp.Compare(a.Position, b.Position))
}

// lists returns the keys of the lists that a pull can enter, given the price of its open.
func (p pull) lists(price money.Cents) []listKey {
	keys := []listKey{{p.Pack, topToday}, {p.Pack, topThisWeek}, {p.Pack, topAllTime}, {"", topToday}, {"", topThisWeek}, {"", topAllTime}}
	if p.Value >= policy.BigPullFactor*price {
		keys = append(keys, listKey{p.Pack, lastBigPull})
	}
	return keys
}

// followerName is the name of the job and of its position in the log.
const followerName = "top pulls"

// Jobs returns the job that counts logged opens.
func Jobs(log *publiclog.Followers) []jobs.Job {
	return []jobs.Job{log.Add(followerName, countOpens)}
}

// countOpens adds the pulls of opens to the lists. Only one node runs it at a time.
func countOpens(tx *db.Tx, opens []publiclog.Draw) error {
	packs := map[string]bool{"": true}
	for _, open := range opens {
		packs[open.Pack] = true
	}
	lists, err := readLists(tx, slices.Collect(maps.Keys(packs)))
	if err != nil {
		return err
	}
	changed := map[listKey]list{}
	for _, open := range opens {
		for n, item := range open.Items {
			p := pull{Open: open.ID, Position: n, Pack: open.Pack, Item: item.Card, Value: item.Value, At: db.Micros(open.Time)}
			for _, key := range p.lists(open.Price) {
				if l, inserted := lists[key].insert(p, key.kind); inserted {
					lists[key], changed[key] = l, l
				}
			}
		}
	}
	return saveLists(tx, changed)
}

// insert returns a copy of the list with a pull, and whether the pull entered it. The first pull of a
// new day or week starts a new list. Pulls of an earlier day or week are ignored.
func (l list) insert(p pull, kind listKind) (after list, inserted bool) {
	begins := kind.begins(db.Time(p.At))
	switch {
	case begins < l.begins:
		return l, false
	case begins > l.begins:
		l = list{begins: begins}
	}
	at, _ := slices.BinarySearchFunc(l.pulls, p, kind.compare)
	if at == kind.length() {
		return l, false
	}
	pulls := slices.Insert(slices.Clone(l.pulls), at, p)
	return list{l.begins, pulls[:min(len(pulls), kind.length())]}, true
}

// top returns a list as of now: a day or week without pulls is empty.
func top(tx *db.Tx, key listKey) ([]pull, error) {
	lists, err := readListsOf(tx, key.kind, []string{key.pack})
	if l := lists[key]; l.begins == key.kind.begins(tx.Now) {
		return l.pulls, err
	}
	return nil, err
}

// BigPull is a pull worth at least policy.BigPullFactor times the price of its open.
type BigPull struct {
	ItemID string
	pull   pull
}

// View returns the pull in the API, given its item.
func (b BigPull) View(item catalogue.Item) AnonymousPullView { return b.pull.view(item) }

// LastBigPulls returns the last big pulls of those of the given packs that have one.
func LastBigPulls(tx *db.Tx, packs []string) (map[string]BigPull, error) {
	lists, err := readListsOf(tx, lastBigPull, packs)
	found := map[string]BigPull{}
	for key, l := range lists {
		for _, p := range l.pulls {
			found[key.pack] = BigPull{p.Item, p}
		}
	}
	return found, err
}
