// Package toppulls lists the most valuable pulls of a day, a week and all time, per pack and
// overall, and each pack's last big pull. A job counts them from the public log, so opens don't wait
// for it.
package toppulls

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/jobs"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
	"kaibao/internal/publiclog"
)

// Period is the time that a list covers.
type Period string

// The periods, in UTC.
const (
	Today   Period = "today"
	Week    Period = "week" // since Monday
	AllTime Period = "all"
	lastBig Period = "last-big" // the list of a pack's last big pull; not in the API
)

const (
	day  = 24 * time.Hour
	week = 7 * day
)

// begins returns the start of the period that contains a time; 0 for lists without a start.
func (p Period) begins(at time.Time) int64 {
	switch p {
	case Today:
		return db.Micros(at.UTC().Truncate(day))
	case Week:
		return db.Micros(at.UTC().Truncate(week)) // the zero time was a Monday
	}
	return 0
}

// length returns the number of pulls in a list.
func (p Period) length() int {
	if p == lastBig {
		return 1
	}
	return policy.TopPullsListed
}

// board identifies a list: its period, and its pack or "" for all packs.
type board struct {
	pack   string
	period Period
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
func (p Period) compare(a, b pull) int {
	byValue := cmp.Compare(b.Value, a.Value)
	byAge := cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Open, b.Open))
	if p == lastBig {
		return cmp.Or(-byAge, byValue, cmp.Compare(a.Position, b.Position))
	}
	return cmp.Or(byValue, byAge, cmp.Compare(a.Position, b.Position))
}

// boards returns the lists that a pull can enter, given the price of its open.
func (p pull) boards(price money.Cents) []board {
	boards := []board{{p.Pack, Today}, {p.Pack, Week}, {p.Pack, AllTime}, {"", Today}, {"", Week}, {"", AllTime}}
	if p.Value >= policy.BigPull*price {
		boards = append(boards, board{p.Pack, lastBig})
	}
	return boards
}

// followerName is the name of the job and of its position in the log.
const followerName = "top pulls"

// Jobs returns the job that counts logged opens.
func Jobs(log *publiclog.Followers) []jobs.Job {
	return []jobs.Job{log.Add(followerName, countOpens)}
}

// countOpens adds the pulls of opens to the lists. Only one node runs it at a time.
func countOpens(tx *db.Tx, opens []protocol.OpenLeaf) error {
	packs := map[string]bool{"": true}
	for _, open := range opens {
		packs[open.Pack] = true
	}
	lists, err := readLists(tx, slices.Collect(maps.Keys(packs)))
	if err != nil {
		return err
	}
	changed := map[board]list{}
	for _, open := range opens {
		for n, item := range open.Items {
			p := pull{Open: open.ID, Position: n, Pack: open.Pack, Item: item.Card, Value: item.Value, At: db.Micros(open.Time)}
			for _, b := range p.boards(open.Price) {
				if l, entered := lists[b].with(p, b.period); entered {
					lists[b], changed[b] = l, l
				}
			}
		}
	}
	return saveLists(tx, changed)
}

// with returns the list after a pull, and whether the pull changed it. The first pull of a new day or
// week starts a new list. Opens of the one before that are logged later don't count.
func (l list) with(p pull, period Period) (after list, entered bool) {
	begins := period.begins(db.Time(p.At))
	switch {
	case begins < l.begins:
		return l, false
	case begins > l.begins:
		l = list{begins: begins}
	}
	at, _ := slices.BinarySearchFunc(l.pulls, p, period.compare)
	if at == period.length() {
		return l, false
	}
	pulls := slices.Insert(slices.Clone(l.pulls), at, p)
	return list{l.begins, pulls[:min(len(pulls), period.length())]}, true
}

// top returns a list as of now: a day or week without pulls is empty.
func top(tx *db.Tx, b board) ([]pull, error) {
	lists, err := readListsOf(tx, b.period, []string{b.pack})
	if l := lists[b]; l.begins == b.period.begins(tx.Now) {
		return l.pulls, err
	}
	return nil, err
}

// Big is a pack's last big pull: a pull worth at least policy.BigPull times the price of its open.
type Big struct {
	ItemID string
	Value  money.Cents // in the manifest of the draw
	At     time.Time   // rounded down to the minute, which is as precise as the public may know
}

// View returns the pull in the API, given its item.
func (b Big) View(item catalogue.Item) BigPullView {
	item.BaseValue = b.Value
	return BigPullView{Item: item.View(), ValueCents: b.Value, CreatedAt: httpapi.Timestamp(b.At)}
}

// LastBig returns the last big pulls of those of the given packs that have one.
func LastBig(tx *db.Tx, packs []string) (map[string]Big, error) {
	lists, err := readListsOf(tx, lastBig, packs)
	found := map[string]Big{}
	for b, l := range lists {
		for _, p := range l.pulls {
			found[b.pack] = Big{p.Item, p.Value, minute(p.At)}
		}
	}
	return found, err
}

func minute(micros int64) time.Time { return db.Time(micros).Truncate(time.Minute) }
