package leaderboard

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/jobs"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
	"kaibao/internal/publiclog"
)

// Metric is what players are ranked by.
type Metric string

// The metrics in the specification.
const (
	Volume  Metric = "VOLUME"   // cents paid for packs
	Packs   Metric = "PACKS"    // packs opened
	TopPull Metric = "TOP_PULL" // cents; the best item's value in its manifest
)

var metrics = []Metric{Volume, Packs, TopPull}

// Period is the time that a ranking covers.
type Period string

// The periods in the specification.
const (
	Weekly  Period = "WEEKLY" // since Monday, 00:00 UTC
	AllTime Period = "ALL_TIME"
)

// span is a period as stored: 0 for all time, otherwise the start of a week.
type span int64

const allTime span = 0

const week = 7 * 24 * time.Hour

func weekOf(t time.Time) span {
	// Truncate counts weeks from the zero time, which was a Monday.
	return span(db.Micros(t.UTC().Truncate(week)))
}

func (p Period) span(now time.Time) span {
	if p == Weekly {
		return weekOf(now)
	}
	return allTime
}

// tally is a player's totals in a period. They only grow.
type tally struct {
	volume  money.Cents
	packs   int64
	topPull money.Cents
}

func (t *tally) add(open publiclog.Draw) {
	t.volume += open.Price
	t.packs++
	for _, item := range open.Items {
		t.topPull = max(t.topPull, item.Value)
	}
}

// value returns the tally by a metric; ok is false before the first pack.
func (t tally) value(m Metric) (value int64, ok bool) {
	switch m {
	case Packs:
		value = t.packs
	case TopPull:
		value = int64(t.topPull)
	default:
		value = int64(t.volume)
	}
	return value, t.packs > 0
}

// standing is a player's totals; weekly covers the last week in which they played.
type standing struct {
	player  string // tag in the log
	number  int64  // from 1, in the order of first opens; 0 = not assigned yet
	ever    tally
	week    span
	weekly  tally
	changed time.Time
}

func (s *standing) add(open publiclog.Draw) {
	s.ever.add(open)
	s.changed = open.Time
	switch played := weekOf(open.Time); {
	case played > s.week:
		s.week, s.weekly = played, tally{}
		fallthrough
	case played == s.week:
		s.weekly.add(open)
	}
}

// tally returns the player's tally of a period, which is empty if they did not play in it.
func (s *standing) tally(period span) tally {
	switch period {
	case allTime:
		return s.ever
	case s.week:
		return s.weekly
	default:
		return tally{}
	}
}

// ranking identifies a board.
type ranking struct {
	period span
	metric Metric
}

// Jobs returns the jobs that count logged opens, reclaim the space of deleted lists, and publish
// changes.
func Jobs(d *db.DB, log *publiclog.Followers) []jobs.Job {
	return []jobs.Job{log.Add("standings", countOpens), jobs.Reclaiming(d, "leaders"), leaderChanges.Job(d)}
}

// leaderChanges publishes changes of leaders, merged into one event per interval.
var leaderChanges = marketevents.Digest{Name: "leaderboard", Merge: func(waiting []marketevents.Event) []marketevents.Event {
	return waiting[:min(1, len(waiting))]
}}

// countOpens adds opens to their players' standings. Only one node runs it at a time, so rankings
// need no locks and opens don't wait for them.
func countOpens(tx *db.Tx, opens []publiclog.Draw) error {
	tags := make([]string, len(opens))
	for n, open := range opens {
		tags[n] = open.User
	}
	players, err := standings(tx, tags)
	if err != nil {
		return err
	}
	latest, err := latestWeek(tx)
	if err != nil {
		return err
	}
	before := make(map[string]standing, len(players))
	for tag, player := range players {
		before[tag] = *player
	}
	if err := numberNewcomers(tx, players, opens); err != nil {
		return err
	}
	for _, open := range opens {
		players[open.User].add(open)
		latest = max(latest, weekOf(open.Time))
	}
	var rises []rise
	for tag, player := range players {
		old := before[tag]
		rises = append(rises, player.rises(&old, latest)...)
	}
	if err := deleteWeeksBefore(tx, latest); err != nil {
		return err
	}
	if err := saveStandings(tx, players); err != nil {
		return err
	}
	if err := saveCounts(tx, bucketCounts(rises)); err != nil {
		return err
	}
	return updateLeaders(tx, rises)
}

// numberNewcomers assigns numbers to new players, in the order of their first opens. Numbers never
// change, so a player without a name has the same label on every board.
func numberNewcomers(tx *db.Tx, players map[string]*standing, opens []publiclog.Draw) error {
	last, err := lastNumber(tx)
	if err != nil {
		return err
	}
	for _, open := range opens {
		if p := players[open.User]; p.number == 0 {
			last++
			p.number = last
		}
	}
	return nil
}

// leader is a player in a list of leaders. At is when they reached the value.
type leader struct {
	Player string `json:"player"`
	Value  int64  `json:"value"`
	At     int64  `json:"at"`
}

// before orders a list of leaders: of players with equal values, the first to reach it leads.
func (l leader) before(other leader) int {
	return cmp.Or(cmp.Compare(other.Value, l.Value), cmp.Compare(l.At, other.At), cmp.Compare(l.Player, other.Player))
}

// updateLeaders updates the lists of leaders with the rises that are high enough.
func updateLeaders(tx *db.Tx, rises []rise) error {
	known, err := allLeaders(tx)
	if err != nil {
		return err
	}
	entering := map[ranking]map[string]leader{}
	for _, m := range rises {
		if list := known[m.ranking]; len(list) == storedLeaders && m.to <= list[storedLeaders-1].Value {
			continue
		}
		if entering[m.ranking] == nil {
			entering[m.ranking] = map[string]leader{}
		}
		entering[m.ranking][m.player] = leader{m.player, m.to, db.Micros(m.at)}
	}
	changed := make(map[ranking][]leader, len(entering))
	for r, entrants := range entering {
		list := slices.DeleteFunc(known[r], func(l leader) bool { _, moved := entrants[l.Player]; return moved })
		list = slices.AppendSeq(list, maps.Values(entrants))
		slices.SortFunc(list, leader.before)
		changed[r] = list[:min(storedLeaders, len(list))]
	}
	if err := saveLeaders(tx, changed); err != nil || len(changed) == 0 {
		return err
	}
	return leaderChanges.Add(tx, marketevents.Event{Kind: marketevents.Boards})
}

// rise is a player's rise in one ranking.
type rise struct {
	ranking
	player   string
	from, to int64
	first    bool // the player enters the ranking; from is unused
	at       time.Time
}

// rises returns the player's rises since old. Weeks before the latest one are no longer ranked.
func (s *standing) rises(old *standing, latest span) (rises []rise) {
	for _, period := range []span{allTime, latest} {
		for _, metric := range metrics {
			from, counted := old.tally(period).value(metric)
			to, counts := s.tally(period).value(metric)
			if counts && (!counted || to > from) {
				rises = append(rises, rise{ranking{period, metric}, s.player, from, to, !counted, s.changed})
			}
		}
	}
	return rises
}

// A player's rank is one plus the number of players with higher values. To avoid a scan, players
// are counted by value, and these counts are summed in groups of 1<<radix values, on several
// levels.
const (
	radix  = 10
	levels = 4 // a slot of the top level, which is unbounded, is ten million dollars wide
)

// bucket is a range of values in which players are counted.
type bucket struct {
	ranking
	level, number int64
}

func bucketCounts(rises []rise) map[bucket]int64 {
	counts := map[bucket]int64{}
	for _, m := range rises {
		for level := range int64(levels) {
			counts[bucket{m.ranking, level, m.to >> (radix * level)}]++
			if !m.first {
				counts[bucket{m.ranking, level, m.from >> (radix * level)}]--
			}
		}
	}
	for s, change := range counts {
		if change == 0 {
			delete(counts, s)
		}
	}
	return counts
}

// bucketRange is a range of buckets of a level, inclusive.
type bucketRange struct{ level, low, high int64 }

// bucketsAbove returns ranges that cover every value above the given one exactly once: the rest of
// its group, then the rest of that group's group, and so on.
func bucketsAbove(value int64) []bucketRange {
	ranges := make([]bucketRange, levels)
	for level := range int64(levels) {
		own := value >> (radix * level)
		last := own | (1<<radix - 1)
		if level == levels-1 {
			last = 1<<62 - 1
		}
		ranges[level] = bucketRange{level, own + 1, last}
	}
	return ranges
}
